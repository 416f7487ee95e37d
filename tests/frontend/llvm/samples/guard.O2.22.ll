source_filename = "guard.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%"struct.lib::Mutex" = type { i32 }

$_ZN5ShapeD2Ev = comdat any

$_ZN6SquareD0Ev = comdat any

$_ZNK6Square4areaEv = comdat any

$__clang_call_terminate = comdat any

$_ZTV6Square = comdat any

$_ZTI6Square = comdat any

$_ZTS6Square = comdat any

$_ZTI5Shape = comdat any

$_ZTS5Shape = comdat any

@_ZTV6Square = linkonce_odr unnamed_addr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTI6Square, ptr @_ZN5ShapeD2Ev, ptr @_ZN6SquareD0Ev, ptr @_ZNK6Square4areaEv] }, comdat, align 8, !dbg !0
@made = global { ptr, i32 } { ptr getelementptr inbounds inrange(-16, 24) ({ [5 x ptr] }, ptr @_ZTV6Square, i32 0, i32 0, i32 2), i32 2 }, align 8, !dbg !27
@_ZL5mutex = internal global %"struct.lib::Mutex" zeroinitializer, align 4, !dbg !39
@_ZTIi = external constant ptr
@_ZTI6Square = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @_ZTS6Square, ptr @_ZTI5Shape }, comdat, align 8
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global [0 x ptr]
@_ZTS6Square = linkonce_odr constant [8 x i8] c"6Square\00", comdat, align 1
@_ZTI5Shape = linkonce_odr constant { ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv117__class_type_infoE, i64 2), ptr @_ZTS5Shape }, comdat, align 8
@_ZTVN10__cxxabiv117__class_type_infoE = external global [0 x ptr]
@_ZTS5Shape = linkonce_odr constant [7 x i8] c"5Shape\00", comdat, align 1
@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer

define linkonce_odr void @_ZN5ShapeD2Ev(ptr noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #0 comdat align 2 !dbg !55 {
    #dbg_value(ptr %0, !61, !DIExpression(), !63)
  ret void, !dbg !64
}

define noundef i32 @_Z7measureRK5Shape(ptr noundef nonnull align 8 dereferenceable(8) %0) local_unnamed_addr #1 personality ptr @__gxx_personality_v0 !dbg !65 {
    #dbg_value(ptr poison, !73, !DIExpression(), !77)
    #dbg_value(ptr poison, !73, !DIExpression(), !79)
    #dbg_value(ptr %0, !71, !DIExpression(), !81)
    #dbg_value(ptr undef, !82, !DIExpression(), !86)
    #dbg_value(ptr @_ZL5mutex, !85, !DIExpression(), !86)
    #dbg_value(ptr @_ZL5mutex, !72, !DIExpression(), !81)
  tail call void @_ZN3lib5Mutex4lockEv(ptr noundef nonnull align 4 dereferenceable(4) @_ZL5mutex), !dbg !88
  %2 = load ptr, ptr %0, align 8, !dbg !90, !tbaa !92
  %3 = getelementptr inbounds nuw i8, ptr %2, i64 16, !dbg !90
  %4 = load ptr, ptr %3, align 8, !dbg !90
  %5 = invoke noundef i32 %4(ptr noundef nonnull align 8 dereferenceable(8) %0)
          to label %6 unwind label %10, !dbg !90

6:                                                ; preds = %1
  %7 = icmp slt i32 %5, 0, !dbg !94
  br i1 %7, label %8, label %16, !dbg !95

8:                                                ; preds = %6
  %9 = tail call ptr @__cxa_allocate_exception(i64 4) #10, !dbg !96
  store i32 1, ptr %9, align 16, !dbg !96, !tbaa !51
  invoke void @__cxa_throw(ptr nonnull %9, ptr nonnull @_ZTIi, ptr null) #11
          to label %26 unwind label %10, !dbg !96

10:                                               ; preds = %16, %8, %1
  %11 = landingpad { ptr, i32 }
          cleanup, !dbg !97
    #dbg_value(ptr undef, !73, !DIExpression(), !79)
  invoke void @_ZN3lib5Mutex6unlockEv(ptr noundef nonnull align 4 dereferenceable(4) @_ZL5mutex)
          to label %15 unwind label %12, !dbg !98

12:                                               ; preds = %10
  %13 = landingpad { ptr, i32 }
          catch ptr null, !dbg !98
  %14 = extractvalue { ptr, i32 } %13, 0, !dbg !98
  tail call void @__clang_call_terminate(ptr %14) #12, !dbg !98
  unreachable, !dbg !98

15:                                               ; preds = %10
  resume { ptr, i32 } %11, !dbg !100

16:                                               ; preds = %6
  %17 = load ptr, ptr %0, align 8, !dbg !101, !tbaa !92
  %18 = getelementptr inbounds nuw i8, ptr %17, i64 16, !dbg !101
  %19 = load ptr, ptr %18, align 8, !dbg !101
  %20 = invoke noundef i32 %19(ptr noundef nonnull align 8 dereferenceable(8) %0)
          to label %21 unwind label %10, !dbg !102

21:                                               ; preds = %16
    #dbg_value(ptr undef, !73, !DIExpression(), !77)
  invoke void @_ZN3lib5Mutex6unlockEv(ptr noundef nonnull align 4 dereferenceable(4) @_ZL5mutex)
          to label %25 unwind label %22, !dbg !103

22:                                               ; preds = %21
  %23 = landingpad { ptr, i32 }
          catch ptr null, !dbg !103
  %24 = extractvalue { ptr, i32 } %23, 0, !dbg !103
  tail call void @__clang_call_terminate(ptr %24) #12, !dbg !103
  unreachable, !dbg !103

25:                                               ; preds = %21
  ret i32 %20, !dbg !104

26:                                               ; preds = %8
  unreachable
}

declare i32 @__gxx_personality_v0(...)

declare ptr @__cxa_allocate_exception(i64) local_unnamed_addr

declare void @__cxa_throw(ptr, ptr, ptr) local_unnamed_addr #2

define noundef i32 @main() local_unnamed_addr #3 personality ptr @__gxx_personality_v0 !dbg !105 {
  %1 = invoke noundef i32 @_Z7measureRK5Shape(ptr noundef nonnull align 8 dereferenceable(8) @made)
          to label %11 unwind label %2, !dbg !110

2:                                                ; preds = %0
  %3 = landingpad { ptr, i32 }
          catch ptr @_ZTIi, !dbg !112
  %4 = extractvalue { ptr, i32 } %3, 1, !dbg !112
  %5 = tail call i32 @llvm.eh.typeid.for.p0(ptr nonnull @_ZTIi) #10, !dbg !113
  %6 = icmp eq i32 %4, %5, !dbg !113
  br i1 %6, label %7, label %13, !dbg !113

7:                                                ; preds = %2
  %8 = extractvalue { ptr, i32 } %3, 0, !dbg !112
  %9 = tail call ptr @__cxa_begin_catch(ptr %8) #10, !dbg !113
  %10 = load i32, ptr %9, align 4, !dbg !114, !tbaa !51
    #dbg_value(i32 %10, !109, !DIExpression(), !115)
  tail call void @__cxa_end_catch() #10, !dbg !116
  br label %11

11:                                               ; preds = %0, %7
  %12 = phi i32 [ %10, %7 ], [ %1, %0 ], !dbg !118
  ret i32 %12, !dbg !119

13:                                               ; preds = %2
  resume { ptr, i32 } %3, !dbg !113
}

declare i32 @llvm.eh.typeid.for.p0(ptr) #4

declare ptr @__cxa_begin_catch(ptr) local_unnamed_addr

declare void @__cxa_end_catch() local_unnamed_addr

define linkonce_odr void @_ZN6SquareD0Ev(ptr noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #5 comdat align 2 !dbg !120 {
    #dbg_value(ptr %0, !126, !DIExpression(), !128)
  tail call void @_ZdlPvm(ptr noundef nonnull %0, i64 noundef 16) #13, !dbg !129
  ret void, !dbg !130
}

define linkonce_odr noundef i32 @_ZNK6Square4areaEv(ptr noundef nonnull align 8 dereferenceable(12) %0) unnamed_addr #0 comdat align 2 !dbg !131 {
    #dbg_value(ptr %0, !133, !DIExpression(), !135)
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8, !dbg !136
  %3 = load i32, ptr %2, align 8, !dbg !136, !tbaa !137
  %4 = mul nsw i32 %3, %3, !dbg !140
  ret i32 %4, !dbg !141
}

declare !dbg !14 void @_ZN3lib5Mutex4lockEv(ptr noundef nonnull align 4 dereferenceable(4)) local_unnamed_addr #6

declare !dbg !18 void @_ZN3lib5Mutex6unlockEv(ptr noundef nonnull align 4 dereferenceable(4)) local_unnamed_addr #6

define linkonce_odr hidden void @__clang_call_terminate(ptr noundef %0) local_unnamed_addr #7 comdat {
  %2 = tail call ptr @__cxa_begin_catch(ptr %0) #10
  tail call void @_ZSt9terminatev() #12
  unreachable
}

declare void @_ZSt9terminatev() local_unnamed_addr #8

declare !dbg !142 void @_ZdlPvm(ptr noundef, i64 noundef) local_unnamed_addr #9



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "_vtable$", linkageName: "_ZTV6Square", scope: !2, file: !3, type: !41, isLocal: false, isDefinition: true, declaration: !42, align: 64)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !26, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "guard.cpp", directory: "/src")
!14 = !DISubprogram(name: "lock", linkageName: "_ZN3lib5Mutex4lockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!18 = !DISubprogram(name: "unlock", linkageName: "_ZN3lib5Mutex6unlockEv", scope: !10, file: !3, line: 2, type: !15, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!19 = !DISubprogram(name: "Guard", linkageName: "_ZN3lib5GuardC4ERNS_5MutexE", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!23 = !DISubprogram(name: "~Guard", linkageName: "_ZN3lib5GuardD4Ev", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(name: "made", scope: !2, file: !3, line: 8, type: !29, isLocal: false, isDefinition: true)
!34 = !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, containingType: !29, virtualIndex: 2, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!39 = !DIGlobalVariableExpression(var: !40, expr: !DIExpression())
!40 = distinct !DIGlobalVariable(name: "mutex", linkageName: "_ZL5mutex", scope: !2, file: !3, line: 7, type: !10, isLocal: true, isDefinition: true)
!55 = distinct !DISubprogram(name: "~Shape", linkageName: "_ZN5ShapeD2Ev", scope: !32, file: !3, line: 5, type: !56, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !59, retainedNodes: !60, keyInstructions: true)
!59 = !DISubprogram(name: "~Shape", linkageName: "_ZN5ShapeD4Ev", scope: !32, file: !3, line: 5, type: !56, scopeLine: 5, containingType: !32, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!61 = !DILocalVariable(name: "this", arg: 1, scope: !55, type: !62, flags: DIFlagArtificial | DIFlagObjectPointer)
!63 = !DILocation(line: 0, scope: !55)
!64 = !DILocation(line: 5, column: 34, scope: !55, atomGroup: 1, atomRank: 1)
!65 = distinct !DISubprogram(name: "measure", linkageName: "_Z7measureRK5Shape", scope: !3, file: !3, line: 9, type: !66, scopeLine: 9, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !70, keyInstructions: true)
!71 = !DILocalVariable(name: "shape", arg: 1, scope: !65, file: !3, line: 9, type: !68)
!72 = !DILocalVariable(name: "guard", scope: !65, file: !3, line: 10, type: !5)
!73 = !DILocalVariable(name: "this", arg: 1, scope: !74, type: !76, flags: DIFlagArtificial | DIFlagObjectPointer)
!74 = distinct !DISubprogram(name: "~Guard", linkageName: "_ZN3lib5GuardD2Ev", scope: !5, file: !3, line: 3, type: !24, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !23, retainedNodes: !75, keyInstructions: true)
!77 = !DILocation(line: 0, scope: !74, inlinedAt: !78)
!78 = distinct !DILocation(line: 13, column: 1, scope: !65)
!79 = !DILocation(line: 0, scope: !74, inlinedAt: !80)
!80 = distinct !DILocation(line: 13, column: 1, scope: !65)
!81 = !DILocation(line: 0, scope: !65)
!82 = !DILocalVariable(name: "this", arg: 1, scope: !83, type: !76, flags: DIFlagArtificial | DIFlagObjectPointer)
!83 = distinct !DISubprogram(name: "Guard", linkageName: "_ZN3lib5GuardC2ERNS_5MutexE", scope: !5, file: !3, line: 3, type: !20, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !19, retainedNodes: !84, keyInstructions: true)
!85 = !DILocalVariable(name: "m", arg: 2, scope: !83, file: !3, line: 3, type: !9)
!86 = !DILocation(line: 0, scope: !83, inlinedAt: !87)
!87 = distinct !DILocation(line: 10, column: 14, scope: !65)
!88 = !DILocation(line: 3, column: 53, scope: !89, inlinedAt: !87)
!89 = distinct !DILexicalBlock(scope: !83, file: !3, line: 3, column: 49)
!90 = !DILocation(line: 11, column: 13, scope: !91)
!91 = distinct !DILexicalBlock(scope: !65, file: !3, line: 11, column: 7)
!94 = !DILocation(line: 11, column: 20, scope: !91, atomGroup: 1, atomRank: 2)
!95 = !DILocation(line: 11, column: 20, scope: !91, atomGroup: 1, atomRank: 1)
!96 = !DILocation(line: 11, column: 25, scope: !91)
!97 = !DILocation(line: 13, column: 1, scope: !91)
!98 = !DILocation(line: 3, column: 76, scope: !99, inlinedAt: !80)
!99 = distinct !DILexicalBlock(scope: !74, file: !3, line: 3, column: 72)
!100 = !DILocation(line: 13, column: 1, scope: !65)
!101 = !DILocation(line: 12, column: 16, scope: !65)
!102 = !DILocation(line: 12, column: 16, scope: !65, atomGroup: 3, atomRank: 2)
!103 = !DILocation(line: 3, column: 76, scope: !99, inlinedAt: !78)
!104 = !DILocation(line: 13, column: 1, scope: !65, atomGroup: 3, atomRank: 1)
!105 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !106, scopeLine: 14, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !108, keyInstructions: true)
!109 = !DILocalVariable(name: "code", scope: !105, file: !3, line: 15, type: !13)
!110 = !DILocation(line: 15, column: 16, scope: !111, atomGroup: 1, atomRank: 2)
!111 = distinct !DILexicalBlock(scope: !105, file: !3, line: 15, column: 7)
!112 = !DILocation(line: 16, column: 1, scope: !111)
!113 = !DILocation(line: 15, column: 31, scope: !111)
!114 = !DILocation(line: 15, column: 31, scope: !111, atomGroup: 2, atomRank: 2)
!115 = !DILocation(line: 0, scope: !105)
!116 = !DILocation(line: 15, column: 65, scope: !117)
!117 = distinct !DILexicalBlock(scope: !105, file: !3, line: 15, column: 50)
!118 = !DILocation(line: 15, scope: !105, atomGroup: 1, atomRank: 1)
!119 = !DILocation(line: 16, column: 1, scope: !105, atomGroup: 4, atomRank: 1)
!120 = distinct !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD0Ev", scope: !29, file: !3, line: 6, type: !121, scopeLine: 6, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !124, retainedNodes: !125, keyInstructions: true)
!124 = !DISubprogram(name: "~Square", linkageName: "_ZN6SquareD4Ev", scope: !29, type: !121, containingType: !29, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!126 = !DILocalVariable(name: "this", arg: 1, scope: !120, type: !127, flags: DIFlagArtificial | DIFlagObjectPointer)
!128 = !DILocation(line: 0, scope: !120)
!129 = !DILocation(line: 6, column: 8, scope: !120)
!130 = !DILocation(line: 6, column: 8, scope: !120, atomGroup: 1, atomRank: 1)
!131 = distinct !DISubprogram(name: "area", linkageName: "_ZNK6Square4areaEv", scope: !29, file: !3, line: 6, type: !35, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !34, retainedNodes: !132, keyInstructions: true)
!133 = !DILocalVariable(name: "this", arg: 1, scope: !131, type: !134, flags: DIFlagArtificial | DIFlagObjectPointer)
!135 = !DILocation(line: 0, scope: !131)
!136 = !DILocation(line: 6, column: 74, scope: !131)
!140 = !DILocation(line: 6, column: 79, scope: !131, atomGroup: 1, atomRank: 2)
!141 = !DILocation(line: 6, column: 67, scope: !131, atomGroup: 1, atomRank: 1)
!142 = !DISubprogram(name: "operator delete", linkageName: "_ZdlPvm", scope: !3, file: !3, type: !143, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagOptimized)
