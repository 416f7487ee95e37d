source_filename = "guard.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%"struct.lib::Mutex" = type { i32 }
%struct.Shape = type { i32 (...)** }
%"struct.lib::Guard" = type { %"struct.lib::Mutex"* }
%struct.Square = type <{ %struct.Shape, i32, [4 x i8] }>

$_ZN5ShapeD2Ev = comdat any

$_ZN6SquareD0Ev = comdat any

$_ZNK6Square4areaEv = comdat any

$__clang_call_terminate = comdat any

$_ZTV6Square = comdat any

$_ZTS6Square = comdat any

$_ZTS5Shape = comdat any

$_ZTI5Shape = comdat any

$_ZTI6Square = comdat any

@_ZTV6Square = linkonce_odr dso_local unnamed_addr constant { [5 x i8*] } { [5 x i8*] [i8* null, i8* bitcast ({ i8*, i8*, i8* }* @_ZTI6Square to i8*), i8* bitcast (void (%struct.Shape*)* @_ZN5ShapeD2Ev to i8*), i8* bitcast (void (%struct.Square*)* @_ZN6SquareD0Ev to i8*), i8* bitcast (i32 (%struct.Square*)* @_ZNK6Square4areaEv to i8*)] }, comdat, align 8
@made = dso_local global { i8**, i32 } { i8** getelementptr inbounds ({ [5 x i8*] }, { [5 x i8*] }* @_ZTV6Square, i32 0, inrange i32 0, i32 2), i32 2 }, align 8, !dbg !0
@_ZL5mutex = internal global %"struct.lib::Mutex" zeroinitializer, align 4, !dbg !27
@_ZTIi = external constant i8*
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global i8*
@_ZTS6Square = linkonce_odr dso_local constant [8 x i8] c"6Square\00", comdat, align 1
@_ZTVN10__cxxabiv117__class_type_infoE = external global i8*
@_ZTS5Shape = linkonce_odr dso_local constant [7 x i8] c"5Shape\00", comdat, align 1
@_ZTI5Shape = linkonce_odr dso_local constant { i8*, i8* } { i8* bitcast (i8** getelementptr inbounds (i8*, i8** @_ZTVN10__cxxabiv117__class_type_infoE, i64 2) to i8*), i8* getelementptr inbounds ([7 x i8], [7 x i8]* @_ZTS5Shape, i32 0, i32 0) }, comdat, align 8
@_ZTI6Square = linkonce_odr dso_local constant { i8*, i8*, i8* } { i8* bitcast (i8** getelementptr inbounds (i8*, i8** @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2) to i8*), i8* getelementptr inbounds ([8 x i8], [8 x i8]* @_ZTS6Square, i32 0, i32 0), i8* bitcast ({ i8*, i8* }* @_ZTI5Shape to i8*) }, comdat, align 8
@llvm.global_ctors = appending global [0 x { i32, void ()*, i8* }] zeroinitializer

define linkonce_odr dso_local void @_ZN5ShapeD2Ev(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #0 comdat align 2 !dbg !46 {
  call void @llvm.dbg.value(metadata %struct.Shape* %0, metadata !52, metadata !DIExpression()), !dbg !54
  ret void, !dbg !55
}

define dso_local noundef i32 @_Z7measureRK5Shape(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %0) local_unnamed_addr #1 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) !dbg !56 {
  call void @llvm.dbg.value(metadata %struct.Shape* %0, metadata !62, metadata !DIExpression()), !dbg !64
  call void @llvm.dbg.value(metadata %"struct.lib::Guard"* undef, metadata !65, metadata !DIExpression()), !dbg !70
  call void @llvm.dbg.value(metadata %"struct.lib::Mutex"* @_ZL5mutex, metadata !68, metadata !DIExpression()), !dbg !70
  call void @llvm.dbg.value(metadata %"struct.lib::Mutex"* @_ZL5mutex, metadata !63, metadata !DIExpression()), !dbg !64
  tail call void @_ZN3lib5Mutex4lockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4) @_ZL5mutex), !dbg !72
  %2 = bitcast %struct.Shape* %0 to i32 (%struct.Shape*)***, !dbg !74
  %3 = load i32 (%struct.Shape*)**, i32 (%struct.Shape*)*** %2, align 8, !dbg !74, !tbaa !76
  %4 = getelementptr inbounds i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %3, i64 2, !dbg !74
  %5 = load i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %4, align 8, !dbg !74
  %6 = invoke noundef i32 %5(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %0)
          to label %7 unwind label %12, !dbg !74

7:                                                ; preds = %1
  %8 = icmp slt i32 %6, 0, !dbg !79
  br i1 %8, label %9, label %18, !dbg !80

9:                                                ; preds = %7
  %10 = tail call i8* @__cxa_allocate_exception(i64 4) #10, !dbg !81
  %11 = bitcast i8* %10 to i32*, !dbg !81
  store i32 1, i32* %11, align 16, !dbg !81, !tbaa !82
  invoke void @__cxa_throw(i8* nonnull %10, i8* bitcast (i8** @_ZTIi to i8*), i8* null) #11
          to label %28 unwind label %12, !dbg !81

12:                                               ; preds = %18, %9, %1
  %13 = landingpad { i8*, i32 }
          cleanup, !dbg !85
  call void @llvm.dbg.value(metadata %"struct.lib::Guard"* undef, metadata !86, metadata !DIExpression()) #10, !dbg !89
  invoke void @_ZN3lib5Mutex6unlockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4) @_ZL5mutex)
          to label %17 unwind label %14, !dbg !91

14:                                               ; preds = %12
  %15 = landingpad { i8*, i32 }
          catch i8* null, !dbg !91
  %16 = extractvalue { i8*, i32 } %15, 0, !dbg !91
  tail call void @__clang_call_terminate(i8* %16) #12, !dbg !91
  unreachable, !dbg !91

17:                                               ; preds = %12
  resume { i8*, i32 } %13, !dbg !93

18:                                               ; preds = %7
  %19 = load i32 (%struct.Shape*)**, i32 (%struct.Shape*)*** %2, align 8, !dbg !94, !tbaa !76
  %20 = getelementptr inbounds i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %19, i64 2, !dbg !94
  %21 = load i32 (%struct.Shape*)*, i32 (%struct.Shape*)** %20, align 8, !dbg !94
  %22 = invoke noundef i32 %21(%struct.Shape* noundef nonnull align 8 dereferenceable(8) %0)
          to label %23 unwind label %12, !dbg !94

23:                                               ; preds = %18
  call void @llvm.dbg.value(metadata %"struct.lib::Guard"* undef, metadata !86, metadata !DIExpression()) #10, !dbg !95
  invoke void @_ZN3lib5Mutex6unlockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4) @_ZL5mutex)
          to label %27 unwind label %24, !dbg !97

24:                                               ; preds = %23
  %25 = landingpad { i8*, i32 }
          catch i8* null, !dbg !97
  %26 = extractvalue { i8*, i32 } %25, 0, !dbg !97
  tail call void @__clang_call_terminate(i8* %26) #12, !dbg !97
  unreachable, !dbg !97

27:                                               ; preds = %23
  ret i32 %22, !dbg !93

28:                                               ; preds = %9
  unreachable
}

declare i32 @__gxx_personality_v0(...)

declare i8* @__cxa_allocate_exception(i64) local_unnamed_addr

declare void @__cxa_throw(i8*, i8*, i8*) local_unnamed_addr

define dso_local noundef i32 @main() local_unnamed_addr #2 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) !dbg !98 {
  %1 = invoke noundef i32 @_Z7measureRK5Shape(%struct.Shape* noundef nonnull align 8 dereferenceable(8) bitcast ({ i8**, i32 }* @made to %struct.Shape*))
          to label %12 unwind label %2, !dbg !103

2:                                                ; preds = %0
  %3 = landingpad { i8*, i32 }
          catch i8* bitcast (i8** @_ZTIi to i8*), !dbg !105
  %4 = extractvalue { i8*, i32 } %3, 1, !dbg !105
  %5 = tail call i32 @llvm.eh.typeid.for(i8* bitcast (i8** @_ZTIi to i8*)) #10, !dbg !106
  %6 = icmp eq i32 %4, %5, !dbg !106
  br i1 %6, label %7, label %14, !dbg !106

7:                                                ; preds = %2
  %8 = extractvalue { i8*, i32 } %3, 0, !dbg !105
  %9 = tail call i8* @__cxa_begin_catch(i8* %8) #10, !dbg !106
  %10 = bitcast i8* %9 to i32*, !dbg !106
  %11 = load i32, i32* %10, align 4, !dbg !106, !tbaa !82
  call void @llvm.dbg.value(metadata i32 %11, metadata !102, metadata !DIExpression()), !dbg !107
  tail call void @__cxa_end_catch() #10, !dbg !108
  br label %12

12:                                               ; preds = %0, %7
  %13 = phi i32 [ %11, %7 ], [ %1, %0 ], !dbg !107
  ret i32 %13, !dbg !110

14:                                               ; preds = %2
  resume { i8*, i32 } %3, !dbg !106
}

declare i32 @llvm.eh.typeid.for(i8*) #3

declare i8* @__cxa_begin_catch(i8*) local_unnamed_addr

declare void @__cxa_end_catch() local_unnamed_addr

define linkonce_odr dso_local void @_ZN6SquareD0Ev(%struct.Square* noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #4 comdat align 2 !dbg !111 {
  call void @llvm.dbg.value(metadata %struct.Square* %0, metadata !117, metadata !DIExpression()), !dbg !119
  %2 = bitcast %struct.Square* %0 to i8*, !dbg !120
  tail call void @_ZdlPv(i8* noundef nonnull %2) #13, !dbg !120
  ret void, !dbg !120
}

define linkonce_odr dso_local noundef i32 @_ZNK6Square4areaEv(%struct.Square* noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #5 comdat align 2 !dbg !121 {
  call void @llvm.dbg.value(metadata %struct.Square* %0, metadata !123, metadata !DIExpression()), !dbg !125
  %2 = getelementptr inbounds %struct.Square, %struct.Square* %0, i64 0, i32 1, !dbg !126
  %3 = load i32, i32* %2, align 8, !dbg !126, !tbaa !127
  %4 = mul nsw i32 %3, %3, !dbg !129
  ret i32 %4, !dbg !130
}

declare void @_ZN3lib5Mutex4lockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4)) local_unnamed_addr #6

declare void @_ZN3lib5Mutex6unlockEv(%"struct.lib::Mutex"* noundef nonnull align 4 dereferenceable(4)) local_unnamed_addr #6

define linkonce_odr hidden void @__clang_call_terminate(i8* %0) local_unnamed_addr #7 comdat {
  %2 = tail call i8* @__cxa_begin_catch(i8* %0) #10
  tail call void @_ZSt9terminatev() #12
  unreachable
}

declare void @_ZSt9terminatev() local_unnamed_addr

declare void @_ZdlPv(i8* noundef) local_unnamed_addr #8

declare void @llvm.dbg.value(metadata, metadata, metadata) #9



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "made", scope: !2, file: !3, line: 8, type: !29, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !26, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "guard.cpp", directory: "/src")
!14 = !DISubprogram(name: "lock", linkageName: "_ZN3lib5Mutex4lockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!18 = !DISubprogram(name: "unlock", linkageName: "_ZN3lib5Mutex6unlockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!19 = !DISubprogram(name: "Guard", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!23 = !DISubprogram(name: "~Guard", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(name: "mutex", linkageName: "_ZL5mutex", scope: !2, file: !3, line: 7, type: !10, isLocal: true, isDefinition: true)
!34 = !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, containingType: !29, virtualIndex: 2, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!46 = distinct !DISubprogram(name: "~Shape", linkageName: "_ZN5ShapeD2Ev", scope: !32, file: !3, line: 5, type: !47, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !50, retainedNodes: !51)
!50 = !DISubprogram(name: "~Shape", scope: !32, file: !3, line: 5, type: !47, scopeLine: 5, containingType: !32, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!52 = !DILocalVariable(name: "this", arg: 1, scope: !46, type: !53, flags: DIFlagArtificial | DIFlagObjectPointer)
!54 = !DILocation(line: 0, scope: !46)
!55 = !DILocation(line: 5, column: 34, scope: !46)
!56 = distinct !DISubprogram(name: "measure", linkageName: "_Z7measureRK5Shape", scope: !3, file: !3, line: 9, type: !57, scopeLine: 9, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !61)
!62 = !DILocalVariable(name: "shape", arg: 1, scope: !56, file: !3, line: 9, type: !59)
!63 = !DILocalVariable(name: "guard", scope: !56, file: !3, line: 10, type: !5)
!64 = !DILocation(line: 0, scope: !56)
!65 = !DILocalVariable(name: "this", arg: 1, scope: !66, type: !69, flags: DIFlagArtificial | DIFlagObjectPointer)
!66 = distinct !DISubprogram(name: "Guard", linkageName: "_ZN3lib5GuardC2ERNS_5MutexE", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !19, retainedNodes: !67)
!68 = !DILocalVariable(name: "m", arg: 2, scope: !66, file: !3, line: 3, type: !9)
!70 = !DILocation(line: 0, scope: !66, inlinedAt: !71)
!71 = distinct !DILocation(line: 10, column: 14, scope: !56)
!72 = !DILocation(line: 3, column: 53, scope: !73, inlinedAt: !71)
!73 = distinct !DILexicalBlock(scope: !66, file: !3, line: 3, column: 49)
!74 = !DILocation(line: 11, column: 13, scope: !75)
!75 = distinct !DILexicalBlock(scope: !56, file: !3, line: 11, column: 7)
!79 = !DILocation(line: 11, column: 20, scope: !75)
!80 = !DILocation(line: 11, column: 7, scope: !56)
!81 = !DILocation(line: 11, column: 25, scope: !75)
!85 = !DILocation(line: 13, column: 1, scope: !75)
!86 = !DILocalVariable(name: "this", arg: 1, scope: !87, type: !69, flags: DIFlagArtificial | DIFlagObjectPointer)
!87 = distinct !DISubprogram(name: "~Guard", linkageName: "_ZN3lib5GuardD2Ev", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !23, retainedNodes: !88)
!89 = !DILocation(line: 0, scope: !87, inlinedAt: !90)
!90 = distinct !DILocation(line: 13, column: 1, scope: !56)
!91 = !DILocation(line: 3, column: 76, scope: !92, inlinedAt: !90)
!92 = distinct !DILexicalBlock(scope: !87, file: !3, line: 3, column: 72)
!93 = !DILocation(line: 13, column: 1, scope: !56)
!94 = !DILocation(line: 12, column: 16, scope: !56)
!95 = !DILocation(line: 0, scope: !87, inlinedAt: !96)
!96 = distinct !DILocation(line: 13, column: 1, scope: !56)
!97 = !DILocation(line: 3, column: 76, scope: !92, inlinedAt: !96)
!98 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !99, scopeLine: 14, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !101)
!102 = !DILocalVariable(name: "code", scope: !98, file: !3, line: 15, type: !13)
!103 = !DILocation(line: 15, column: 16, scope: !104)
!104 = distinct !DILexicalBlock(scope: !98, file: !3, line: 15, column: 7)
!105 = !DILocation(line: 16, column: 1, scope: !104)
!106 = !DILocation(line: 15, column: 31, scope: !104)
!107 = !DILocation(line: 0, scope: !98)
!108 = !DILocation(line: 15, column: 65, scope: !109)
!109 = distinct !DILexicalBlock(scope: !98, file: !3, line: 15, column: 50)
!110 = !DILocation(line: 16, column: 1, scope: !98)
!111 = distinct !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD0Ev", scope: !29, file: !3, line: 6, type: !112, scopeLine: 6, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !115, retainedNodes: !116)
!115 = !DISubprogram(name: "~Square", scope: !29, type: !112, containingType: !29, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!117 = !DILocalVariable(name: "this", arg: 1, scope: !111, type: !118, flags: DIFlagArtificial | DIFlagObjectPointer)
!119 = !DILocation(line: 0, scope: !111)
!120 = !DILocation(line: 6, column: 8, scope: !111)
!121 = distinct !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !34, retainedNodes: !122)
!123 = !DILocalVariable(name: "this", arg: 1, scope: !121, type: !124, flags: DIFlagArtificial | DIFlagObjectPointer)
!125 = !DILocation(line: 0, scope: !121)
!126 = !DILocation(line: 6, column: 74, scope: !121)
!129 = !DILocation(line: 6, column: 79, scope: !121)
!130 = !DILocation(line: 6, column: 67, scope: !121)
