source_filename = "guard.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%"struct.lib::Mutex" = type { i32 }
%"struct.lib::Guard" = type { ptr }
%struct.Square = type <{ %struct.Shape, i32, [4 x i8] }>
%struct.Shape = type { ptr }

$_ZN6SquareD2Ev = comdat any

$_ZN3lib5GuardC2ERNS_5MutexE = comdat any

$_ZN3lib5GuardD2Ev = comdat any

$_ZN6SquareD0Ev = comdat any

$_ZNK6Square4areaEv = comdat any

$_ZN5ShapeD2Ev = comdat any

$__clang_call_terminate = comdat any

$_ZTV6Square = comdat any

$_ZTI6Square = comdat any

$_ZTS6Square = comdat any

$_ZTI5Shape = comdat any

$_ZTS5Shape = comdat any

@_ZTV6Square = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTI6Square, ptr @_ZN6SquareD2Ev, ptr @_ZN6SquareD0Ev, ptr @_ZNK6Square4areaEv] }, comdat, align 8, !dbg !0
@made = global { ptr, i32 } { ptr getelementptr inbounds inrange(-16, 24) ({ [5 x ptr] }, ptr @_ZTV6Square, i32 0, i32 0, i32 2), i32 2 }, align 8, !dbg !27
@__dso_handle = external hidden global i8
@_ZL5mutex = internal global %"struct.lib::Mutex" zeroinitializer, align 4, !dbg !39
@_ZTIi = external constant ptr
@_ZTI6Square = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @_ZTS6Square, ptr @_ZTI5Shape }, comdat, align 8
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]
@_ZTS6Square = linkonce_odr constant [8 x i8] c"6Square\00", comdat, align 1
@_ZTI5Shape = linkonce_odr constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTS5Shape }, comdat, align 8
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTS5Shape = linkonce_odr constant [7 x i8] c"5Shape\00", comdat, align 1
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @_GLOBAL__sub_I_guard.cpp, ptr null }]

define internal void @__cxx_global_var_init() #0 section ".text.startup" !dbg !50 {
  %1 = call i32 @__cxa_atexit(ptr @_ZN6SquareD2Ev, ptr @made, ptr @__dso_handle) #2, !dbg !53
  ret void, !dbg !53
}

define linkonce_odr void @_ZN6SquareD2Ev(ptr noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #1 comdat align 2 !dbg !54 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !60, !DIExpression(), !62)
  %3 = load ptr, ptr %2, align 8
  call void @_ZN5ShapeD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %3) #2, !dbg !63
  ret void, !dbg !65
}

declare i32 @__cxa_atexit(ptr, ptr, ptr) #2

define noundef i32 @_Z7measureRK5Shape(ptr noundef nonnull align 8 dereferenceable(8) %0) #3 personality ptr @__gxx_personality_v0 !dbg !66 {
  %2 = alloca ptr, align 8
  %3 = alloca %"struct.lib::Guard", align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !71, !DIExpression(), !72)
    #dbg_declare(ptr %3, !73, !DIExpression(), !74)
  call void @_ZN3lib5GuardC2ERNS_5MutexE(ptr noundef nonnull align 8 dereferenceable(8) %3, ptr noundef nonnull align 4 dereferenceable(4) @_ZL5mutex), !dbg !74
  %6 = load ptr, ptr %2, align 8, !dbg !75, !nonnull !59, !align !77
  %7 = load ptr, ptr %6, align 8, !dbg !78
  %8 = getelementptr inbounds ptr, ptr %7, i64 2, !dbg !78
  %9 = load ptr, ptr %8, align 8, !dbg !78
  %10 = invoke noundef i32 %9(ptr noundef nonnull align 8 dereferenceable(8) %6)
          to label %11 unwind label %15, !dbg !78

11:                                               ; preds = %1
  %12 = icmp slt i32 %10, 0, !dbg !79
  br i1 %12, label %13, label %19, !dbg !79

13:                                               ; preds = %11
  %14 = call ptr @__cxa_allocate_exception(i64 4) #2, !dbg !80
  store i32 1, ptr %14, align 16, !dbg !80
  invoke void @__cxa_throw(ptr %14, ptr @_ZTIi, ptr null) #9
          to label %31 unwind label %15, !dbg !80

15:                                               ; preds = %19, %13, %1
  %16 = landingpad { ptr, i32 }
          cleanup, !dbg !81
  %17 = extractvalue { ptr, i32 } %16, 0, !dbg !81
  store ptr %17, ptr %4, align 8, !dbg !81
  %18 = extractvalue { ptr, i32 } %16, 1, !dbg !81
  store i32 %18, ptr %5, align 4, !dbg !81
  call void @_ZN3lib5GuardD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %3) #2, !dbg !82
  br label %26, !dbg !82

19:                                               ; preds = %11
  %20 = load ptr, ptr %2, align 8, !dbg !83, !nonnull !59, !align !77
  %21 = load ptr, ptr %20, align 8, !dbg !84
  %22 = getelementptr inbounds ptr, ptr %21, i64 2, !dbg !84
  %23 = load ptr, ptr %22, align 8, !dbg !84
  %24 = invoke noundef i32 %23(ptr noundef nonnull align 8 dereferenceable(8) %20)
          to label %25 unwind label %15, !dbg !84

25:                                               ; preds = %19
  call void @_ZN3lib5GuardD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %3) #2, !dbg !82
  ret i32 %24, !dbg !82

26:                                               ; preds = %15
  %27 = load ptr, ptr %4, align 8, !dbg !82
  %28 = load i32, ptr %5, align 4, !dbg !82
  %29 = insertvalue { ptr, i32 } poison, ptr %27, 0, !dbg !82
  %30 = insertvalue { ptr, i32 } %29, i32 %28, 1, !dbg !82
  resume { ptr, i32 } %30, !dbg !82

31:                                               ; preds = %13
  unreachable
}

define linkonce_odr void @_ZN3lib5GuardC2ERNS_5MutexE(ptr noundef nonnull align 8 dereferenceable(8) %0, ptr noundef nonnull align 4 dereferenceable(4) %1) unnamed_addr #3 comdat align 2 !dbg !85 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !86, !DIExpression(), !88)
  store ptr %1, ptr %4, align 8
    #dbg_declare(ptr %4, !89, !DIExpression(), !90)
  %5 = load ptr, ptr %3, align 8
  %6 = getelementptr inbounds nuw %"struct.lib::Guard", ptr %5, i32 0, i32 0, !dbg !91
  %7 = load ptr, ptr %4, align 8, !dbg !92, !nonnull !59, !align !93
  store ptr %7, ptr %6, align 8, !dbg !91
  %8 = load ptr, ptr %4, align 8, !dbg !94, !nonnull !59, !align !93
  call void @_ZN3lib5Mutex4lockEv(ptr noundef nonnull align 4 dereferenceable(4) %8), !dbg !96
  ret void, !dbg !97
}

declare i32 @__gxx_personality_v0(...)

declare ptr @__cxa_allocate_exception(i64)

declare void @__cxa_throw(ptr, ptr, ptr)

define linkonce_odr void @_ZN3lib5GuardD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #1 comdat align 2 personality ptr @__gxx_personality_v0 !dbg !98 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !99, !DIExpression(), !100)
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw %"struct.lib::Guard", ptr %3, i32 0, i32 0, !dbg !101
  %5 = load ptr, ptr %4, align 8, !dbg !101, !nonnull !59, !align !93
  invoke void @_ZN3lib5Mutex6unlockEv(ptr noundef nonnull align 4 dereferenceable(4) %5)
          to label %6 unwind label %7, !dbg !103

6:                                                ; preds = %1
  ret void, !dbg !104

7:                                                ; preds = %1
  %8 = landingpad { ptr, i32 }
          catch ptr null, !dbg !103
  %9 = extractvalue { ptr, i32 } %8, 0, !dbg !103
  call void @__clang_call_terminate(ptr %9) #10, !dbg !103
  unreachable, !dbg !103
}

define noundef i32 @main() #4 personality ptr @__gxx_personality_v0 !dbg !105 {
  %1 = alloca i32, align 4
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  %5 = invoke noundef i32 @_Z7measureRK5Shape(ptr noundef nonnull align 8 dereferenceable(8) @made)
          to label %6 unwind label %7, !dbg !108

6:                                                ; preds = %0
  store i32 %5, ptr %1, align 4, !dbg !110
  br label %20, !dbg !110

7:                                                ; preds = %0
  %8 = landingpad { ptr, i32 }
          catch ptr @_ZTIi, !dbg !111
  %9 = extractvalue { ptr, i32 } %8, 0, !dbg !111
  store ptr %9, ptr %2, align 8, !dbg !111
  %10 = extractvalue { ptr, i32 } %8, 1, !dbg !111
  store i32 %10, ptr %3, align 4, !dbg !111
  br label %11, !dbg !111

11:                                               ; preds = %7
  %12 = load i32, ptr %3, align 4, !dbg !112
  %13 = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi) #2, !dbg !112
  %14 = icmp eq i32 %12, %13, !dbg !112
  br i1 %14, label %15, label %22, !dbg !112

15:                                               ; preds = %11
    #dbg_declare(ptr %4, !113, !DIExpression(), !114)
  %16 = load ptr, ptr %2, align 8, !dbg !112
  %17 = call ptr @__cxa_begin_catch(ptr %16) #2, !dbg !112
  %18 = load i32, ptr %17, align 4, !dbg !112
  store i32 %18, ptr %4, align 4, !dbg !112
  %19 = load i32, ptr %4, align 4, !dbg !115
  store i32 %19, ptr %1, align 4, !dbg !117
  call void @__cxa_end_catch() #2, !dbg !118
  br label %20

20:                                               ; preds = %6, %15
  %21 = load i32, ptr %1, align 4, !dbg !119
  ret i32 %21, !dbg !119

22:                                               ; preds = %11
  %23 = load ptr, ptr %2, align 8, !dbg !112
  %24 = load i32, ptr %3, align 4, !dbg !112
  %25 = insertvalue { ptr, i32 } poison, ptr %23, 0, !dbg !112
  %26 = insertvalue { ptr, i32 } %25, i32 %24, 1, !dbg !112
  resume { ptr, i32 } %26, !dbg !112
}

declare i32 @llvm.eh.typeid.for.p0(ptr) #5

declare ptr @__cxa_begin_catch(ptr)

declare void @__cxa_end_catch()

define linkonce_odr void @_ZN6SquareD0Ev(ptr noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #1 comdat align 2 !dbg !120 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !121, !DIExpression(), !122)
  %3 = load ptr, ptr %2, align 8
  call void @_ZN6SquareD2Ev(ptr noundef nonnull align 8 dereferenceable(12) %3) #2, !dbg !123
  call void @_ZdlPvm(ptr noundef %3, i64 noundef 16) #11, !dbg !123
  ret void, !dbg !123
}

define linkonce_odr noundef i32 @_ZNK6Square4areaEv(ptr noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #1 comdat align 2 !dbg !124 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !125, !DIExpression(), !127)
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds nuw %struct.Square, ptr %3, i32 0, i32 1, !dbg !128
  %5 = load i32, ptr %4, align 8, !dbg !128
  %6 = getelementptr inbounds nuw %struct.Square, ptr %3, i32 0, i32 1, !dbg !129
  %7 = load i32, ptr %6, align 8, !dbg !129
  %8 = mul nsw i32 %5, %7, !dbg !130
  ret i32 %8, !dbg !131
}

define linkonce_odr void @_ZN5ShapeD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #1 comdat align 2 !dbg !132 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !137, !DIExpression(), !139)
  %3 = load ptr, ptr %2, align 8
  ret void, !dbg !140
}

declare void @_ZN3lib5Mutex4lockEv(ptr noundef nonnull align 4 dereferenceable(4)) #6

declare void @_ZN3lib5Mutex6unlockEv(ptr noundef nonnull align 4 dereferenceable(4)) #6

define linkonce_odr hidden void @__clang_call_terminate(ptr noundef %0) #7 comdat {
  %2 = call ptr @__cxa_begin_catch(ptr %0) #2
  call void @_ZSt9terminatev() #10
  unreachable
}

declare void @_ZSt9terminatev()

declare void @_ZdlPvm(ptr noundef, i64 noundef) #8

define internal void @_GLOBAL__sub_I_guard.cpp() #0 section ".text.startup" !dbg !141 {
  call void @__cxx_global_var_init(), !dbg !143
  ret void
}



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "_vtable$", linkageName: "_ZTV6Square", scope: !2, file: !3, type: !41, isLocal: false, isDefinition: true, declaration: !42, align: 64)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !26, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "guard.cpp", directory: "/src")
!14 = !DISubprogram(name: "lock", linkageName: "_ZN3lib5Mutex4lockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: 0)
!18 = !DISubprogram(name: "unlock", linkageName: "_ZN3lib5Mutex6unlockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: 0)
!19 = !DISubprogram(name: "Guard", linkageName: "_ZN3lib5GuardC4ERNS_5MutexE", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped, spFlags: 0)
!23 = !DISubprogram(name: "~Guard", linkageName: "_ZN3lib5GuardD4Ev", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped, spFlags: 0)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(name: "made", scope: !2, file: !3, line: 8, type: !29, isLocal: false, isDefinition: true)
!34 = !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, containingType: !29, virtualIndex: 2, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual)
!39 = !DIGlobalVariableExpression(var: !40, expr: !DIExpression())
!40 = distinct !DIGlobalVariable(name: "mutex", linkageName: "_ZL5mutex", scope: !2, file: !3, line: 7, type: !10, isLocal: true, isDefinition: true)
!50 = distinct !DISubprogram(name: "__cxx_global_var_init", scope: !3, file: !3, type: !51, flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2)
!53 = !DILocation(line: 0, scope: !50)
!54 = distinct !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD2Ev", scope: !29, file: !3, line: 6, type: !55, scopeLine: 6, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !58, retainedNodes: !59)
!58 = !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD4Ev", scope: !29, type: !55, containingType: !29, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual)
!60 = !DILocalVariable(name: "this", arg: 1, scope: !54, type: !61, flags: DIFlagArtificial | DIFlagObjectPointer)
!62 = !DILocation(line: 0, scope: !54)
!63 = !DILocation(line: 6, column: 8, scope: !64)
!64 = distinct !DILexicalBlock(scope: !54, file: !3, line: 6, column: 8)
!65 = !DILocation(line: 6, column: 8, scope: !54)
!66 = distinct !DISubprogram(name: "measure", linkageName: "_Z7measureRK5Shape", scope: !3, file: !3, line: 9, type: !67, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !59)
!71 = !DILocalVariable(name: "shape", arg: 1, scope: !66, file: !3, line: 9, type: !69)
!72 = !DILocation(line: 9, column: 26, scope: !66)
!73 = !DILocalVariable(name: "guard", scope: !66, file: !3, line: 10, type: !5)
!74 = !DILocation(line: 10, column: 14, scope: !66)
!75 = !DILocation(line: 11, column: 7, scope: !76)
!76 = distinct !DILexicalBlock(scope: !66, file: !3, line: 11, column: 7)
!78 = !DILocation(line: 11, column: 13, scope: !76)
!79 = !DILocation(line: 11, column: 20, scope: !76)
!80 = !DILocation(line: 11, column: 25, scope: !76)
!81 = !DILocation(line: 13, column: 1, scope: !76)
!82 = !DILocation(line: 13, column: 1, scope: !66)
!83 = !DILocation(line: 12, column: 10, scope: !66)
!84 = !DILocation(line: 12, column: 16, scope: !66)
!85 = distinct !DISubprogram(name: "Guard", linkageName: "_ZN3lib5GuardC2ERNS_5MutexE", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !19, retainedNodes: !59)
!86 = !DILocalVariable(name: "this", arg: 1, scope: !85, type: !87, flags: DIFlagArtificial | DIFlagObjectPointer)
!88 = !DILocation(line: 0, scope: !85)
!89 = !DILocalVariable(name: "m", arg: 2, scope: !85, file: !3, line: 3, type: !9)
!90 = !DILocation(line: 3, column: 39, scope: !85)
!91 = !DILocation(line: 3, column: 44, scope: !85)
!92 = !DILocation(line: 3, column: 46, scope: !85)
!94 = !DILocation(line: 3, column: 51, scope: !95)
!95 = distinct !DILexicalBlock(scope: !85, file: !3, line: 3, column: 49)
!96 = !DILocation(line: 3, column: 53, scope: !95)
!97 = !DILocation(line: 3, column: 61, scope: !85)
!98 = distinct !DISubprogram(name: "~Guard", linkageName: "_ZN3lib5GuardD2Ev", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !23, retainedNodes: !59)
!99 = !DILocalVariable(name: "this", arg: 1, scope: !98, type: !87, flags: DIFlagArtificial | DIFlagObjectPointer)
!100 = !DILocation(line: 0, scope: !98)
!101 = !DILocation(line: 3, column: 74, scope: !102)
!102 = distinct !DILexicalBlock(scope: !98, file: !3, line: 3, column: 72)
!103 = !DILocation(line: 3, column: 76, scope: !102)
!104 = !DILocation(line: 3, column: 86, scope: !98)
!105 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !106, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !59)
!108 = !DILocation(line: 15, column: 16, scope: !109)
!109 = distinct !DILexicalBlock(scope: !105, file: !3, line: 15, column: 7)
!110 = !DILocation(line: 15, column: 9, scope: !109)
!111 = !DILocation(line: 16, column: 1, scope: !109)
!112 = !DILocation(line: 15, column: 31, scope: !109)
!113 = !DILocalVariable(name: "code", scope: !105, file: !3, line: 15, type: !13)
!114 = !DILocation(line: 15, column: 44, scope: !105)
!115 = !DILocation(line: 15, column: 59, scope: !116)
!116 = distinct !DILexicalBlock(scope: !105, file: !3, line: 15, column: 50)
!117 = !DILocation(line: 15, column: 52, scope: !116)
!118 = !DILocation(line: 15, column: 65, scope: !116)
!119 = !DILocation(line: 16, column: 1, scope: !105)
!120 = distinct !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD0Ev", scope: !29, file: !3, line: 6, type: !55, scopeLine: 6, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !58, retainedNodes: !59)
!121 = !DILocalVariable(name: "this", arg: 1, scope: !120, type: !61, flags: DIFlagArtificial | DIFlagObjectPointer)
!122 = !DILocation(line: 0, scope: !120)
!123 = !DILocation(line: 6, column: 8, scope: !120)
!124 = distinct !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !34, retainedNodes: !59)
!125 = !DILocalVariable(name: "this", arg: 1, scope: !124, type: !126, flags: DIFlagArtificial | DIFlagObjectPointer)
!127 = !DILocation(line: 0, scope: !124)
!128 = !DILocation(line: 6, column: 74, scope: !124)
!129 = !DILocation(line: 6, column: 81, scope: !124)
!130 = !DILocation(line: 6, column: 79, scope: !124)
!131 = !DILocation(line: 6, column: 67, scope: !124)
!132 = distinct !DISubprogram(name: "~Shape", linkageName: "_ZN5ShapeD2Ev", scope: !32, file: !3, line: 5, type: !133, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, declaration: !136, retainedNodes: !59)
!136 = !DISubprogram(name: "~Shape", linkageName: "_ZN5ShapeD4Ev", scope: !32, file: !3, line: 5, type: !133, scopeLine: 5, containingType: !32, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual)
!137 = !DILocalVariable(name: "this", arg: 1, scope: !132, type: !138, flags: DIFlagArtificial | DIFlagObjectPointer)
!139 = !DILocation(line: 0, scope: !132)
!140 = !DILocation(line: 5, column: 34, scope: !132)
!141 = distinct !DISubprogram(linkageName: "_GLOBAL__sub_I_guard.cpp", scope: !3, file: !3, type: !142, flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2)
!143 = !DILocation(line: 0, scope: !141)
