source_filename = "guard.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%"struct.lib::Mutex" = type { i32 }
%struct.Square = type <{ %struct.Shape, i32, [4 x i8] }>
%struct.Shape = type { i32 (...)** }
%"struct.lib::Guard" = type { %"struct.lib::Mutex"* }

$_ZN6SquareD2Ev = comdat any

$_ZN3lib5GuardC2ERNS_5MutexE = comdat any

$_ZN3lib5GuardD2Ev = comdat any

$_ZN6SquareD0Ev = comdat any

$_ZNK6Square4areaEv = comdat any

$_ZN5ShapeD2Ev = comdat any

$__clang_call_terminate = comdat any

$_ZTV6Square = comdat any

$_ZTS6Square = comdat any

$_ZTS5Shape = comdat any

$_ZTI5Shape = comdat any

$_ZTI6Square = comdat any

@_ZTV6Square = linkonce_odr dso_local unnamed_addr constant { [5 x i8*] } { [5 x i8*] [i8* null, i8* bitcast ({ i8*, i8*, i8* }* @_ZTI6Square to i8*), i8* bitcast (void (%struct.Square*)* @_ZN6SquareD2Ev to i8*), i8* bitcast (void (%struct.Square*)* @_ZN6SquareD0Ev to i8*), i8* bitcast (i32 (%struct.Square*)* @_ZNK6Square4areaEv to i8*)] }, comdat, align 8
@made = dso_local global { i8**, i32 } { i8** getelementptr inbounds ({ [5 x i8*] }, { [5 x i8*] }* @_ZTV6Square, i32 0, inrange i32 0, i32 2), i32 2 }, align 8, !dbg !0
@__dso_handle = external hidden global i8
@_ZL5mutex = internal global %"struct.lib::Mutex" zeroinitializer, align 4, !dbg !27
@_ZTIi = external constant i8*
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global i8*
@_ZTS6Square = linkonce_odr dso_local constant [8 x i8] c"6Square\00", comdat, align 1
@_ZTVN10__cxxabiv117__class_type_infoE = external global i8*
@_ZTS5Shape = linkonce_odr dso_local constant [7 x i8] c"5Shape\00", comdat, align 1
@_ZTI5Shape = linkonce_odr dso_local constant { i8*, i8* } { i8* bitcast (i8** getelementptr inbounds (i8*, i8** @_ZTVN10__cxxabiv117__class_type_infoE, i64 2) to i8*), i8* getelementptr inbounds ([7 x i8], [7 x i8]* @_ZTS5Shape, i32 0, i32 0) }, comdat, align 8
@_ZTI6Square = linkonce_odr dso_local constant { i8*, i8*, i8* } { i8* bitcast (i8** getelementptr inbounds (i8*, i8** @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2) to i8*), i8* getelementptr inbounds ([8 x i8], [8 x i8]* @_ZTS6Square, i32 0, i32 0), i8* bitcast ({ i8*, i8* }* @_ZTI5Shape to i8*) }, comdat, align 8
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 65535, void ()* @_GLOBAL__sub_I_guard.cpp, i8* null }]

define internal void @__cxx_global_var_init() #0 section ".text.startup" !dbg !47 {
  %1 = call i32 @__cxa_atexit(void (i8*)* bitcast (void (%struct.Square*)* @_ZN6SquareD2Ev to void (i8*)*), i8* bitcast ({ i8**, i32 }* @made to i8*), i8* @__dso_handle) #2, !dbg !52
  ret void, !dbg !52
}

define linkonce_odr dso_local void @_ZN6SquareD2Ev(%struct.Square* noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #1 comdat align 2 !dbg !53 {
  %2 = alloca %struct.Square*, align 8
  store %struct.Square* %0, %struct.Square** %2, align 8
  call void @llvm.dbg.declare(metadata %struct.Square** %2, metadata !58, metadata !DIExpression()), !dbg !60
  %3 = load %struct.Square*, %struct.Square** %2, align 8
  %4 = bitcast %struct.Square* %3 to %struct.Shape*, !dbg !61
  call void @_ZN5ShapeD2Ev(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %4) #2, !dbg !61
  ret void, !dbg !63
}

declare i32 @__cxa_atexit(void (i8*)*, i8*, i8*) #2

define dso_local noundef i32 @_Z7measureRK5Shape(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %0) #3 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) !dbg !64 {
  %2 = alloca %struct.Shape*, align 8
  %3 = alloca %"struct.lib::Guard", align 8
  %4 = alloca i8*, align 8
  %5 = alloca i32, align 4
  store %struct.Shape* %0, %struct.Shape** %2, align 8
  call void @llvm.dbg.declare(metadata %struct.Shape** %2, metadata !69, metadata !DIExpression()), !dbg !70
  call void @llvm.dbg.declare(metadata %"struct.lib::Guard"* %3, metadata !71, metadata !DIExpression()), !dbg !72
  call void @_ZN3lib5GuardC2ERNS_5MutexE(%"struct.lib::Guard"* noundef nonnull align 8 dereferenceable(8) %3, %"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4) @_ZL5mutex), !dbg !72
  %6 = load %struct.Shape*, %struct.Shape** %2, align 8, !dbg !73
  %7 = bitcast %struct.Shape* %6 to i32 (%struct.Shape*)***, !dbg !75
  %8 = load i32 (%struct.Shape*)**, i32 (%struct.Shape*)*** %7, align 8, !dbg !75
  %9 = getelementptr inbounds i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %8, i64 2, !dbg !75
  %10 = load i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %9, align 8, !dbg !75
  %11 = invoke noundef i32 %10(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %6)
          to label %12 unwind label %17, !dbg !75

12:                                               ; preds = %1
  %13 = icmp slt i32 %11, 0, !dbg !76
  br i1 %13, label %14, label %21, !dbg !77

14:                                               ; preds = %12
  %15 = call i8* @__cxa_allocate_exception(i64 4) #2, !dbg !78
  %16 = bitcast i8* %15 to i32*, !dbg !78
  store i32 1, i32* %16, align 16, !dbg !78
  invoke void @__cxa_throw(i8* %15, i8* bitcast (i8** @_ZTIi to i8*), i8* null) #11
          to label %34 unwind label %17, !dbg !78

17:                                               ; preds = %21, %14, %1
  %18 = landingpad { i8*, i32 }
          cleanup, !dbg !79
  %19 = extractvalue { i8*, i32 } %18, 0, !dbg !79
  store i8* %19, i8** %4, align 8, !dbg !79
  %20 = extractvalue { i8*, i32 } %18, 1, !dbg !79
  store i32 %20, i32* %5, align 4, !dbg !79
  call void @_ZN3lib5GuardD2Ev(%"struct.lib::Guard"* noundef nonnull align 8 dereferenceable(8) %3) #2, !dbg !80
  br label %29, !dbg !80

21:                                               ; preds = %12
  %22 = load %struct.Shape*, %struct.Shape** %2, align 8, !dbg !81
  %23 = bitcast %struct.Shape* %22 to i32 (%struct.Shape*)***, !dbg !82
  %24 = load i32 (%struct.Shape*)**, i32 (%struct.Shape*)*** %23, align 8, !dbg !82
  %25 = getelementptr inbounds i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %24, i64 2, !dbg !82
  %26 = load i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %25, align 8, !dbg !82
  %27 = invoke noundef i32 %26(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %22)
          to label %28 unwind label %17, !dbg !82

28:                                               ; preds = %21
  call void @_ZN3lib5GuardD2Ev(%"struct.lib::Guard"* noundef nonnull align 8 dereferenceable(8) %3) #2, !dbg !80
  ret i32 %27, !dbg !80

29:                                               ; preds = %17
  %30 = load i8*, i8** %4, align 8, !dbg !80
  %31 = load i32, i32* %5, align 4, !dbg !80
  %32 = insertvalue { i8*, i32 } undef, i8* %30, 0, !dbg !80
  %33 = insertvalue { i8*, i32 } %32, i32 %31, 1, !dbg !80
  resume { i8*, i32 } %33, !dbg !80

34:                                               ; preds = %14
  unreachable
}

declare void @llvm.dbg.declare(metadata, metadata, metadata) #4

define linkonce_odr dso_local void @_ZN3lib5GuardC2ERNS_5MutexE(%"struct.lib::Guard"* noundef nonnull align 8 dereferenceable(8) %0, %"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4) %1) unnamed_addr #0 comdat align 2 !dbg !83 {
  %3 = alloca %"struct.lib::Guard"*, align 8
  %4 = alloca %"struct.lib::Mutex"*, align 8
  store %"struct.lib::Guard"* %0, %"struct.lib::Guard"** %3, align 8
  call void @llvm.dbg.declare(metadata %"struct.lib::Guard"** %3, metadata !84, metadata !DIExpression()), !dbg !86
  store %"struct.lib::Mutex"* %1, %"struct.lib::Mutex"** %4, align 8
  call void @llvm.dbg.declare(metadata %"struct.lib::Mutex"** %4, metadata !87, metadata !DIExpression()), !dbg !88
  %5 = load %"struct.lib::Guard"*, %"struct.lib::Guard"** %3, align 8
  %6 = getelementptr inbounds %"struct.lib::Guard", %"struct.lib::Guard"* %5, i32 0, i32 0, !dbg !89
  %7 = load %"struct.lib::Mutex"*, %"struct.lib::Mutex"** %4, align 8, !dbg !90
  store %"struct.lib::Mutex"* %7, %"struct.lib::Mutex"** %6, align 8, !dbg !89
  %8 = load %"struct.lib::Mutex"*, %"struct.lib::Mutex"** %4, align 8, !dbg !91
  call void @_ZN3lib5Mutex4lockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4) %8), !dbg !93
  ret void, !dbg !94
}

declare i32 @__gxx_personality_v0(...)

declare i8* @__cxa_allocate_exception(i64)

declare void @__cxa_throw(i8*, i8*, i8*)

define linkonce_odr dso_local void @_ZN3lib5GuardD2Ev(%"struct.lib::Guard"* noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #1 comdat align 2 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) !dbg !95 {
  %2 = alloca %"struct.lib::Guard"*, align 8
  store %"struct.lib::Guard"* %0, %"struct.lib::Guard"** %2, align 8
  call void @llvm.dbg.declare(metadata %"struct.lib::Guard"** %2, metadata !96, metadata !DIExpression()), !dbg !97
  %3 = load %"struct.lib::Guard"*, %"struct.lib::Guard"** %2, align 8
  %4 = getelementptr inbounds %"struct.lib::Guard", %"struct.lib::Guard"* %3, i32 0, i32 0, !dbg !98
  %5 = load %"struct.lib::Mutex"*, %"struct.lib::Mutex"** %4, align 8, !dbg !98
  invoke void @_ZN3lib5Mutex6unlockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4) %5)
          to label %6 unwind label %7, !dbg !100

6:                                                ; preds = %1
  ret void, !dbg !101

7:                                                ; preds = %1
  %8 = landingpad { i8*, i32 }
          catch i8* null, !dbg !100
  %9 = extractvalue { i8*, i32 } %8, 0, !dbg !100
  call void @__clang_call_terminate(i8* %9) #12, !dbg !100
  unreachable, !dbg !100
}

define dso_local noundef i32 @main() #5 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) !dbg !102 {
  %1 = alloca i32, align 4
  %2 = alloca i8*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, i32* %1, align 4
  %5 = invoke noundef i32 @_Z7measureRK5Shape(%struct.Shape* noundef nonnull align 8 dereferenceable(8) bitcast ({ i8**, i32 }* @made to %struct.Shape*))
          to label %6 unwind label %7, !dbg !105

6:                                                ; preds = %0
  store i32 %5, i32* %1, align 4, !dbg !107
  br label %21, !dbg !107

7:                                                ; preds = %0
  %8 = landingpad { i8*, i32 }
          catch i8* bitcast (i8** @_ZTIi to i8*), !dbg !108
  %9 = extractvalue { i8*, i32 } %8, 0, !dbg !108
  store i8* %9, i8** %2, align 8, !dbg !108
  %10 = extractvalue { i8*, i32 } %8, 1, !dbg !108
  store i32 %10, i32* %3, align 4, !dbg !108
  br label %11, !dbg !108

11:                                               ; preds = %7
  %12 = load i32, i32* %3, align 4, !dbg !109
  %13 = call i32 @llvm.eh.typeid.for(i8* bitcast (i8** @_ZTIi to i8*)) #2, !dbg !109
  %14 = icmp eq i32 %12, %13, !dbg !109
  br i1 %14, label %15, label %23, !dbg !109

15:                                               ; preds = %11
  call void @llvm.dbg.declare(metadata i32* %4, metadata !110, metadata !DIExpression()), !dbg !111
  %16 = load i8*, i8** %2, align 8, !dbg !109
  %17 = call i8* @__cxa_begin_catch(i8* %16) #2, !dbg !109
  %18 = bitcast i8* %17 to i32*, !dbg !109
  %19 = load i32, i32* %18, align 4, !dbg !109
  store i32 %19, i32* %4, align 4, !dbg !109
  %20 = load i32, i32* %4, align 4, !dbg !112
  store i32 %20, i32* %1, align 4, !dbg !114
  call void @__cxa_end_catch() #2, !dbg !115
  br label %21

21:                                               ; preds = %6, %15
  %22 = load i32, i32* %1, align 4, !dbg !116
  ret i32 %22, !dbg !116

23:                                               ; preds = %11
  %24 = load i8*, i8** %2, align 8, !dbg !109
  %25 = load i32, i32* %3, align 4, !dbg !109
  %26 = insertvalue { i8*, i32 } undef, i8* %24, 0, !dbg !109
  %27 = insertvalue { i8*, i32 } %26, i32 %25, 1, !dbg !109
  resume { i8*, i32 } %27, !dbg !109
}

declare i32 @llvm.eh.typeid.for(i8*) #6

declare i8* @__cxa_begin_catch(i8*)

declare void @__cxa_end_catch()

define linkonce_odr dso_local void @_ZN6SquareD0Ev(%struct.Square* noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #1 comdat align 2 !dbg !117 {
  %2 = alloca %struct.Square*, align 8
  store %struct.Square* %0, %struct.Square** %2, align 8
  call void @llvm.dbg.declare(metadata %struct.Square** %2, metadata !118, metadata !DIExpression()), !dbg !119
  %3 = load %struct.Square*, %struct.Square** %2, align 8
  call void @_ZN6SquareD2Ev(%struct.Square* noundef nonnull align 8 dereferenceable(12) %3) #2, !dbg !120
  %4 = bitcast %struct.Square* %3 to i8*, !dbg !120
  call void @_ZdlPv(i8* noundef %4) #13, !dbg !120
  ret void, !dbg !120
}

define linkonce_odr dso_local noundef i32 @_ZNK6Square4areaEv(%struct.Square* noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #7 comdat align 2 !dbg !121 {
  %2 = alloca %struct.Square*, align 8
  store %struct.Square* %0, %struct.Square** %2, align 8
  call void @llvm.dbg.declare(metadata %struct.Square** %2, metadata !122, metadata !DIExpression()), !dbg !124
  %3 = load %struct.Square*, %struct.Square** %2, align 8
  %4 = getelementptr inbounds %struct.Square, %struct.Square* %3, i32 0, i32 1, !dbg !125
  %5 = load i32, i32* %4, align 8, !dbg !125
  %6 = getelementptr inbounds %struct.Square, %struct.Square* %3, i32 0, i32 1, !dbg !126
  %7 = load i32, i32* %6, align 8, !dbg !126
  %8 = mul nsw i32 %5, %7, !dbg !127
  ret i32 %8, !dbg !128
}

define linkonce_odr dso_local void @_ZN5ShapeD2Ev(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #1 comdat align 2 !dbg !129 {
  %2 = alloca %struct.Shape*, align 8
  store %struct.Shape* %0, %struct.Shape** %2, align 8
  call void @llvm.dbg.declare(metadata %struct.Shape** %2, metadata !134, metadata !DIExpression()), !dbg !136
  %3 = load %struct.Shape*, %struct.Shape** %2, align 8
  ret void, !dbg !137
}

declare void @_ZN3lib5Mutex4lockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4)) #8

declare void @_ZN3lib5Mutex6unlockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4)) #8

define linkonce_odr hidden void @__clang_call_terminate(i8* %0) #9 comdat {
  %2 = call i8* @__cxa_begin_catch(i8* %0) #2
  call void @_ZSt9terminatev() #12
  unreachable
}

declare void @_ZSt9terminatev()

declare void @_ZdlPv(i8* noundef) #10

define internal void @_GLOBAL__sub_I_guard.cpp() #0 section ".text.startup" !dbg !138 {
  call void @__cxx_global_var_init(), !dbg !140
  ret void
}



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "made", scope: !2, file: !3, line: 8, type: !29, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !26, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "guard.cpp", directory: "/src")
!14 = !DISubprogram(name: "lock", linkageName: "_ZN3lib5Mutex4lockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: 0)
!18 = !DISubprogram(name: "unlock", linkageName: "_ZN3lib5Mutex6unlockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: 0)
!19 = !DISubprogram(name: "Guard", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped, spFlags: 0)
!23 = !DISubprogram(name: "~Guard", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped, spFlags: 0)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(name: "mutex", linkageName: "_ZL5mutex", scope: !2, file: !3, line: 7, type: !10, isLocal: true, isDefinition: true)
!34 = !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, containingType: !29, virtualIndex: 2, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual)
!47 = distinct !DISubprogram(name: "__cxx_global_var_init", scope: !48, file: !48, type: !49, flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!48 = !DIFile(filename: "guard.cpp", directory: "/src")
!52 = !DILocation(line: 0, scope: !47)
!53 = distinct !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD2Ev", scope: !29, file: !3, line: 6, type: !54, scopeLine: 6, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !57, retainedNodes: !51)
!57 = !DISubprogram(name: "~Square", scope: !29, type: !54, containingType: !29, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual)
!58 = !DILocalVariable(name: "this", arg: 1, scope: !53, type: !59, flags: DIFlagArtificial | DIFlagObjectPointer)
!60 = !DILocation(line: 0, scope: !53)
!61 = !DILocation(line: 6, column: 8, scope: !62)
!62 = distinct !DILexicalBlock(scope: !53, file: !3, line: 6, column: 8)
!63 = !DILocation(line: 6, column: 8, scope: !53)
!64 = distinct !DISubprogram(name: "measure", linkageName: "_Z7measureRK5Shape", scope: !3, file: !3, line: 9, type: !65, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !51)
!69 = !DILocalVariable(name: "shape", arg: 1, scope: !64, file: !3, line: 9, type: !67)
!70 = !DILocation(line: 9, column: 26, scope: !64)
!71 = !DILocalVariable(name: "guard", scope: !64, file: !3, line: 10, type: !5)
!72 = !DILocation(line: 10, column: 14, scope: !64)
!73 = !DILocation(line: 11, column: 7, scope: !74)
!74 = distinct !DILexicalBlock(scope: !64, file: !3, line: 11, column: 7)
!75 = !DILocation(line: 11, column: 13, scope: !74)
!76 = !DILocation(line: 11, column: 20, scope: !74)
!77 = !DILocation(line: 11, column: 7, scope: !64)
!78 = !DILocation(line: 11, column: 25, scope: !74)
!79 = !DILocation(line: 13, column: 1, scope: !74)
!80 = !DILocation(line: 13, column: 1, scope: !64)
!81 = !DILocation(line: 12, column: 10, scope: !64)
!82 = !DILocation(line: 12, column: 16, scope: !64)
!83 = distinct !DISubprogram(name: "Guard", linkageName: "_ZN3lib5GuardC2ERNS_5MutexE", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !19, retainedNodes: !51)
!84 = !DILocalVariable(name: "this", arg: 1, scope: !83, type: !85, flags: DIFlagArtificial | DIFlagObjectPointer)
!86 = !DILocation(line: 0, scope: !83)
!87 = !DILocalVariable(name: "m", arg: 2, scope: !83, file: !3, line: 3, type: !9)
!88 = !DILocation(line: 3, column: 39, scope: !83)
!89 = !DILocation(line: 3, column: 44, scope: !83)
!90 = !DILocation(line: 3, column: 46, scope: !83)
!91 = !DILocation(line: 3, column: 51, scope: !92)
!92 = distinct !DILexicalBlock(scope: !83, file: !3, line: 3, column: 49)
!93 = !DILocation(line: 3, column: 53, scope: !92)
!94 = !DILocation(line: 3, column: 61, scope: !83)
!95 = distinct !DISubprogram(name: "~Guard", linkageName: "_ZN3lib5GuardD2Ev", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !23, retainedNodes: !51)
!96 = !DILocalVariable(name: "this", arg: 1, scope: !95, type: !85, flags: DIFlagArtificial | DIFlagObjectPointer)
!97 = !DILocation(line: 0, scope: !95)
!98 = !DILocation(line: 3, column: 74, scope: !99)
!99 = distinct !DILexicalBlock(scope: !95, file: !3, line: 3, column: 72)
!100 = !DILocation(line: 3, column: 76, scope: !99)
!101 = !DILocation(line: 3, column: 86, scope: !95)
!102 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !103, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !51)
!105 = !DILocation(line: 15, column: 16, scope: !106)
!106 = distinct !DILexicalBlock(scope: !102, file: !3, line: 15, column: 7)
!107 = !DILocation(line: 15, column: 9, scope: !106)
!108 = !DILocation(line: 16, column: 1, scope: !106)
!109 = !DILocation(line: 15, column: 31, scope: !106)
!110 = !DILocalVariable(name: "code", scope: !102, file: !3, line: 15, type: !13)
!111 = !DILocation(line: 15, column: 44, scope: !102)
!112 = !DILocation(line: 15, column: 59, scope: !113)
!113 = distinct !DILexicalBlock(scope: !102, file: !3, line: 15, column: 50)
!114 = !DILocation(line: 15, column: 52, scope: !113)
!115 = !DILocation(line: 15, column: 65, scope: !113)
!116 = !DILocation(line: 16, column: 1, scope: !102)
!117 = distinct !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD0Ev", scope: !29, file: !3, line: 6, type: !54, scopeLine: 6, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !57, retainedNodes: !51)
!118 = !DILocalVariable(name: "this", arg: 1, scope: !117, type: !59, flags: DIFlagArtificial | DIFlagObjectPointer)
!119 = !DILocation(line: 0, scope: !117)
!120 = !DILocation(line: 6, column: 8, scope: !117)
!121 = distinct !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !34, retainedNodes: !51)
!122 = !DILocalVariable(name: "this", arg: 1, scope: !121, type: !123, flags: DIFlagArtificial | DIFlagObjectPointer)
!124 = !DILocation(line: 0, scope: !121)
!125 = !DILocation(line: 6, column: 74, scope: !121)
!126 = !DILocation(line: 6, column: 81, scope: !121)
!127 = !DILocation(line: 6, column: 79, scope: !121)
!128 = !DILocation(line: 6, column: 67, scope: !121)
!129 = distinct !DISubprogram(name: "~Shape", linkageName: "_ZN5ShapeD2Ev", scope: !32, file: !3, line: 5, type: !130, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !133, retainedNodes: !51)
!133 = !DISubprogram(name: "~Shape", scope: !32, file: !3, line: 5, type: !130, scopeLine: 5, containingType: !32, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual)
!134 = !DILocalVariable(name: "this", arg: 1, scope: !129, type: !135, flags: DIFlagArtificial | DIFlagObjectPointer)
!136 = !DILocation(line: 0, scope: !129)
!137 = !DILocation(line: 5, column: 34, scope: !129)
!138 = distinct !DISubprogram(linkageName: "_GLOBAL__sub_I_guard.cpp", scope: !48, file: !48, type: !139, flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!140 = !DILocation(line: 0, scope: !138)
