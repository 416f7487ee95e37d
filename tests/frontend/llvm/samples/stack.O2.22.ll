source_filename = "stack.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%struct.big = type { [5 x i64] }

@x = global i32 1, align 4, !dbg !0
@mine = thread_local local_unnamed_addr global i32 1, align 4, !dbg !8
@.str = private unnamed_addr constant [2 x i8] c"a\00", align 1, !dbg !10
@.str.1 = private unnamed_addr constant [3 x i8] c"b\0A\00", align 1, !dbg !16
@names = local_unnamed_addr global [2 x ptr] [ptr @.str, ptr @.str.1], align 16, !dbg !21
@first = global { i32, [4 x i8], ptr, i64, [3 x i8], [5 x i8] } { i32 1, [4 x i8] zeroinitializer, ptr @first, i64 4, [3 x i8] c"\01\02\03", [5 x i8] zeroinitializer }, align 8, !dbg !26
@inside = local_unnamed_addr global ptr getelementptr inbounds nuw (i8, ptr @first, i64 25), align 8, !dbg !37
@chosen = local_unnamed_addr global ptr @choose, align 8, !dbg !40
@.str.3 = private unnamed_addr constant [7 x i8] c"%d %f\0A\00", align 1, !dbg !51
@seen = global i32 0, align 4, !dbg !56
@head = internal global ptr null, align 8, !dbg !59
@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @stop, ptr null }]

define internal i32 @choose(ptr noundef readonly byval(%struct.big) align 8 captures(none) %0, i32 noundef %1) #0 !dbg !75 {
    #dbg_declare(ptr %0, !77, !DIExpression(), !79)
    #dbg_value(i32 %1, !78, !DIExpression(), !80)
  switch i32 %1, label %7 [
    i32 1, label %8
    i32 -2, label %3
  ], !dbg !81

3:                                                ; preds = %2
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 8, !dbg !82
  %5 = load i64, ptr %4, align 8, !dbg !84, !tbaa !85
  %6 = trunc i64 %5 to i32, !dbg !87
  br label %8, !dbg !88

7:                                                ; preds = %2
  br label %8, !dbg !89

8:                                                ; preds = %2, %7, %3
  %9 = phi i32 [ 0, %7 ], [ %6, %3 ], [ 5, %2 ], !dbg !90
  ret i32 %9, !dbg !91
}

define internal void @stop() #1 !dbg !92 {
  store atomic i32 2, ptr @x seq_cst, align 4, !dbg !95, !tbaa !96
  ret void, !dbg !97
}

define void @make(ptr dead_on_unwind noalias writable writeonly sret(%struct.big) align 8 captures(none) initializes((0, 40)) %0) local_unnamed_addr #2 !dbg !98 {
    #dbg_declare(ptr %0, !102, !DIExpression(), !103)
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 16, !dbg !104
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %2, i8 0, i64 24, i1 false), !dbg !104
  store i64 1, ptr %0, align 8, !dbg !104
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8, !dbg !103
  store i64 2, ptr %3, align 8, !dbg !104
  ret void, !dbg !105
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #3

define i32 @main() local_unnamed_addr #4 !dbg !106 {
  %1 = alloca i64, align 8, !DIAssignID !114
    #dbg_assign(i1 poison, !110, !DIExpression(), !114, ptr %1, !DIExpression(), !115)
  %2 = alloca i32, align 4, !DIAssignID !116
    #dbg_assign(i1 poison, !113, !DIExpression(), !116, ptr %2, !DIExpression(), !115)
  %3 = alloca %struct.big, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %1) #11, !dbg !117
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #11, !dbg !118
  store i32 1, ptr %2, align 4, !dbg !119, !tbaa !71, !DIAssignID !120
    #dbg_assign(i32 1, !113, !DIExpression(), !120, ptr %2, !DIExpression(), !115)
  %4 = call i32 @pthread_create(ptr noundef nonnull %1, ptr noundef null, ptr noundef nonnull @worker, ptr noundef nonnull %2) #11, !dbg !121
  %5 = load i64, ptr %1, align 8, !dbg !122, !tbaa !85
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null) #11, !dbg !123
    #dbg_value(i64 1, !102, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !124)
    #dbg_value(i64 1, !77, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !127)
    #dbg_value(i64 2, !102, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !124)
    #dbg_value(i64 2, !77, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !127)
  %7 = load i32, ptr %2, align 4, !dbg !129, !tbaa !71
    #dbg_value(i32 %7, !78, !DIExpression(), !127)
  %8 = icmp eq i32 %7, -2, !dbg !130
  %9 = select i1 %8, i32 2, i32 0, !dbg !130
  %10 = icmp eq i32 %7, 1, !dbg !130
  %11 = select i1 %10, i32 5, i32 %9, !dbg !130
  %12 = load ptr, ptr @chosen, align 8, !dbg !131, !tbaa !132
    #dbg_declare(ptr %3, !102, !DIExpression(), !134)
  %13 = getelementptr inbounds nuw i8, ptr %3, i64 16, !dbg !136
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %13, i8 0, i64 24, i1 false), !dbg !136, !alias.scope !137
  store i64 1, ptr %3, align 8, !dbg !136, !alias.scope !137
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 8, !dbg !134
  store i64 2, ptr %14, align 8, !dbg !136, !alias.scope !137
  %15 = call i32 %12(ptr noundef nonnull byval(%struct.big) align 8 %3, i32 noundef %7) #11, !dbg !131
  %16 = icmp eq i32 %11, %15, !dbg !140
  br i1 %16, label %18, label %17, !dbg !141

17:                                               ; preds = %0
  call void @abort() #12, !dbg !142
  unreachable, !dbg !142

18:                                               ; preds = %0
  %19 = load i32, ptr %2, align 4, !dbg !143, !tbaa !71
  %20 = sitofp i32 %19 to double, !dbg !144
  %21 = fmul double %20, 1.500000e+00, !dbg !145
  %22 = call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str.3, i32 noundef %19, double noundef %21), !dbg !146
  %23 = load atomic i32, ptr @x seq_cst, align 4, !dbg !147, !tbaa !96
  %24 = icmp eq i32 %23, 0, !dbg !148
  %25 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !149
  %26 = load i32, ptr %25, align 4, !dbg !149
  %27 = select i1 %24, i32 0, i32 %26, !dbg !149
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #11, !dbg !150
  call void @llvm.lifetime.end.p0(ptr nonnull %1) #11, !dbg !150
  ret i32 %27, !dbg !151
}

declare void @llvm.lifetime.start.p0(ptr captures(none)) #5

declare !dbg !152 i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #6

define internal noundef ptr @worker(ptr noundef readonly captures(none) %0) #4 !dbg !162 {
    #dbg_value(ptr %0, !164, !DIExpression(), !168)
  %2 = tail call dereferenceable_or_null(32) ptr @malloc(i64 noundef 32) #13, !dbg !169
    #dbg_value(ptr %2, !165, !DIExpression(), !168)
  %3 = load i32, ptr %0, align 4, !dbg !170, !tbaa !71
  store i32 %3, ptr %2, align 8, !dbg !171, !tbaa !172
    #dbg_value(ptr %2, !175, !DIExpression(), !181)
  %4 = load atomic i64, ptr @head monotonic, align 8, !dbg !183
    #dbg_value(i64 %4, !180, !DIExpression(), !181)
  %5 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %6 = ptrtoint ptr %2 to i64
  br label %7, !dbg !184

7:                                                ; preds = %7, %1
  %8 = phi i64 [ %4, %1 ], [ %12, %7 ]
  %9 = inttoptr i64 %8 to ptr, !dbg !181
    #dbg_value(ptr %9, !180, !DIExpression(), !181)
  store ptr %9, ptr %5, align 8, !dbg !185, !tbaa !186
  %10 = cmpxchg weak ptr @head, i64 %8, i64 %6 release monotonic, align 8, !dbg !187
  %11 = extractvalue { i64, i1 } %10, 1, !dbg !188
  %12 = extractvalue { i64, i1 } %10, 0, !dbg !187
    #dbg_value(ptr poison, !180, !DIExpression(), !181)
  br i1 %11, label %13, label %7, !dbg !189, !llvm.loop !190

13:                                               ; preds = %7
  %14 = atomicrmw add ptr @x, i32 1 monotonic, align 4, !dbg !193
  fence acq_rel, !dbg !194
  fence syncscope("singlethread") seq_cst, !dbg !195
    #dbg_value(i32 0, !166, !DIExpression(), !196)
  %15 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %16 = getelementptr inbounds nuw i8, ptr %2, i64 16
    #dbg_value(i64 0, !166, !DIExpression(), !196)
  %17 = load i8, ptr %15, align 1, !dbg !197, !tbaa !96
  %18 = icmp eq i8 %17, 0, !dbg !200
  br i1 %18, label %24, label %19, !dbg !201

19:                                               ; preds = %13
  %20 = load i32, ptr %2, align 8, !dbg !202, !tbaa !172
  %21 = icmp eq i32 %20, 0, !dbg !203
  br i1 %21, label %24, label %22, !dbg !204

22:                                               ; preds = %19
  %23 = atomicrmw or ptr %16, i64 0 seq_cst, align 8, !dbg !205
  br label %24, !dbg !206

24:                                               ; preds = %13, %19, %22
    #dbg_value(i64 1, !166, !DIExpression(), !196)
  %25 = getelementptr inbounds nuw i8, ptr %2, i64 25, !dbg !197
  %26 = load i8, ptr %25, align 1, !dbg !197, !tbaa !96
  %27 = icmp eq i8 %26, 0, !dbg !207
  br i1 %27, label %33, label %28, !dbg !208

28:                                               ; preds = %24
  %29 = load i32, ptr %2, align 8, !dbg !202, !tbaa !172
  %30 = icmp eq i32 %29, 0, !dbg !209
  br i1 %30, label %33, label %31, !dbg !210

31:                                               ; preds = %28
  %32 = atomicrmw add ptr %16, i64 1 seq_cst, align 8, !dbg !205
  br label %33, !dbg !206

33:                                               ; preds = %31, %28, %24
    #dbg_value(i64 2, !166, !DIExpression(), !196)
  %34 = getelementptr inbounds nuw i8, ptr %2, i64 26, !dbg !197
  %35 = load i8, ptr %34, align 1, !dbg !197, !tbaa !96
  %36 = icmp eq i8 %35, 0, !dbg !211
  br i1 %36, label %39, label %37, !dbg !212

37:                                               ; preds = %33
  %38 = atomicrmw add ptr %16, i64 2 seq_cst, align 8, !dbg !205
  br label %39, !dbg !206

39:                                               ; preds = %37, %33
    #dbg_value(i64 3, !166, !DIExpression(), !196)
  tail call void asm sideeffect "nop", "~{memory},~{dirflag},~{fpsr},~{flags}"() #11, !dbg !213, !srcloc !214
  %40 = load volatile i32, ptr @seen, align 4, !dbg !215, !tbaa !71
  %41 = add nsw i32 %40, 1, !dbg !216
  store volatile i32 %41, ptr @seen, align 4, !dbg !217, !tbaa !71
  ret ptr %2, !dbg !218
}

declare !dbg !219 i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #6

declare void @abort() local_unnamed_addr #7

declare !dbg !223 noundef i32 @printf(ptr noundef readonly captures(none), ...) local_unnamed_addr #8

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #9

declare void @llvm.lifetime.end.p0(ptr captures(none)) #5

declare !dbg !226 noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #10



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 11, type: !62, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "stack.c", directory: "/src")
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(name: "mine", scope: !2, file: !3, line: 12, type: !6, isLocal: false, isDefinition: true)
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(scope: null, file: !3, line: 14, type: !12, isLocal: true, isDefinition: true)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 14, type: !18, isLocal: true, isDefinition: true)
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "names", scope: !2, file: !3, line: 14, type: !23, isLocal: false, isDefinition: true)
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(name: "first", scope: !2, file: !3, line: 15, type: !28, isLocal: false, isDefinition: true)
!37 = !DIGlobalVariableExpression(var: !38, expr: !DIExpression())
!38 = distinct !DIGlobalVariable(name: "inside", scope: !2, file: !3, line: 16, type: !39, isLocal: false, isDefinition: true)
!40 = !DIGlobalVariableExpression(var: !41, expr: !DIExpression())
!41 = distinct !DIGlobalVariable(name: "chosen", scope: !2, file: !3, line: 25, type: !42, isLocal: false, isDefinition: true)
!51 = !DIGlobalVariableExpression(var: !52, expr: !DIExpression())
!52 = distinct !DIGlobalVariable(scope: null, file: !3, line: 59, type: !53, isLocal: true, isDefinition: true)
!56 = !DIGlobalVariableExpression(var: !57, expr: !DIExpression())
!57 = distinct !DIGlobalVariable(name: "seen", scope: !2, file: !3, line: 13, type: !58, isLocal: false, isDefinition: true)
!59 = !DIGlobalVariableExpression(var: !60, expr: !DIExpression())
!60 = distinct !DIGlobalVariable(name: "head", scope: !2, file: !3, line: 10, type: !61, isLocal: true, isDefinition: true)
!75 = distinct !DISubprogram(name: "choose", scope: !3, file: !3, line: 18, type: !43, scopeLine: 18, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !76, keyInstructions: true)
!77 = !DILocalVariable(name: "b", arg: 1, scope: !75, file: !3, line: 18, type: !45)
!78 = !DILocalVariable(name: "k", arg: 2, scope: !75, file: !3, line: 18, type: !6)
!79 = !DILocation(line: 18, column: 30, scope: !75)
!80 = !DILocation(line: 0, scope: !75)
!81 = !DILocation(line: 19, column: 3, scope: !75, atomGroup: 1, atomRank: 1)
!82 = !DILocation(line: 21, column: 19, scope: !83)
!83 = distinct !DILexicalBlock(scope: !75, file: !3, line: 19, column: 14)
!84 = !DILocation(line: 21, column: 19, scope: !83, atomGroup: 3, atomRank: 3)
!87 = !DILocation(line: 21, column: 19, scope: !83, atomGroup: 3, atomRank: 2)
!88 = !DILocation(line: 21, column: 12, scope: !83, atomGroup: 3, atomRank: 1)
!89 = !DILocation(line: 22, column: 12, scope: !83, atomGroup: 4, atomRank: 1)
!90 = !DILocation(line: 0, scope: !83)
!91 = !DILocation(line: 24, column: 1, scope: !75, atomGroup: 5, atomRank: 1)
!92 = distinct !DISubprogram(name: "stop", scope: !3, file: !3, line: 49, type: !93, scopeLine: 49, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, keyInstructions: true)
!95 = !DILocation(line: 49, column: 61, scope: !92)
!97 = !DILocation(line: 49, column: 66, scope: !92, atomGroup: 1, atomRank: 1)
!98 = distinct !DISubprogram(name: "make", scope: !3, file: !3, line: 51, type: !99, scopeLine: 51, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !101, keyInstructions: true)
!102 = !DILocalVariable(name: "b", scope: !98, file: !3, line: 51, type: !45)
!103 = !DILocation(line: 51, column: 36, scope: !98)
!104 = !DILocation(line: 51, column: 36, scope: !98, atomGroup: 1, atomRank: 1)
!105 = !DILocation(line: 51, column: 50, scope: !98, atomGroup: 2, atomRank: 1)
!106 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 53, type: !107, scopeLine: 53, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !109, keyInstructions: true)
!110 = !DILocalVariable(name: "t", scope: !106, file: !3, line: 54, type: !111)
!113 = !DILocalVariable(name: "a", scope: !106, file: !3, line: 55, type: !6)
!114 = distinct !DIAssignID()
!115 = !DILocation(line: 0, scope: !106)
!116 = distinct !DIAssignID()
!117 = !DILocation(line: 54, column: 3, scope: !106)
!118 = !DILocation(line: 55, column: 3, scope: !106)
!119 = !DILocation(line: 55, column: 7, scope: !106, atomGroup: 1, atomRank: 1)
!120 = distinct !DIAssignID()
!121 = !DILocation(line: 56, column: 3, scope: !106)
!122 = !DILocation(line: 57, column: 16, scope: !106)
!123 = !DILocation(line: 57, column: 3, scope: !106)
!124 = !DILocation(line: 0, scope: !98, inlinedAt: !125)
!125 = distinct !DILocation(line: 58, column: 14, scope: !126)
!126 = distinct !DILexicalBlock(scope: !106, file: !3, line: 58, column: 7)
!127 = !DILocation(line: 0, scope: !75, inlinedAt: !128)
!128 = distinct !DILocation(line: 58, column: 7, scope: !126)
!129 = !DILocation(line: 58, column: 22, scope: !126)
!130 = !DILocation(line: 19, column: 3, scope: !75, inlinedAt: !128, atomGroup: 1, atomRank: 1)
!131 = !DILocation(line: 58, column: 28, scope: !126)
!134 = !DILocation(line: 51, column: 36, scope: !98, inlinedAt: !135)
!135 = distinct !DILocation(line: 58, column: 35, scope: !126)
!136 = !DILocation(line: 51, column: 36, scope: !98, inlinedAt: !135, atomGroup: 1, atomRank: 1)
!140 = !DILocation(line: 58, column: 25, scope: !126, atomGroup: 2, atomRank: 2)
!141 = !DILocation(line: 58, column: 25, scope: !126, atomGroup: 2, atomRank: 1)
!142 = !DILocation(line: 58, column: 47, scope: !126)
!143 = !DILocation(line: 59, column: 21, scope: !106)
!144 = !DILocation(line: 59, column: 24, scope: !106)
!145 = !DILocation(line: 59, column: 26, scope: !106)
!146 = !DILocation(line: 59, column: 3, scope: !106)
!147 = !DILocation(line: 60, column: 10, scope: !106)
!148 = !DILocation(line: 60, column: 10, scope: !106, atomGroup: 4, atomRank: 2)
!149 = !DILocation(line: 60, column: 10, scope: !106, atomGroup: 4, atomRank: 1)
!150 = !DILocation(line: 61, column: 1, scope: !106)
!151 = !DILocation(line: 60, column: 3, scope: !106, atomGroup: 5, atomRank: 1)
!152 = !DISubprogram(name: "pthread_create", scope: !3, file: !3, line: 2, type: !153, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!162 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 34, type: !159, scopeLine: 34, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !163, keyInstructions: true)
!164 = !DILocalVariable(name: "arg", arg: 1, scope: !162, file: !3, line: 34, type: !161)
!165 = !DILocalVariable(name: "n", scope: !162, file: !3, line: 35, type: !32)
!166 = !DILocalVariable(name: "i", scope: !167, file: !3, line: 41, type: !6)
!167 = distinct !DILexicalBlock(scope: !162, file: !3, line: 41, column: 3)
!168 = !DILocation(line: 0, scope: !162)
!169 = !DILocation(line: 35, column: 20, scope: !162, atomGroup: 1, atomRank: 2)
!170 = !DILocation(line: 36, column: 14, scope: !162, atomGroup: 2, atomRank: 2)
!171 = !DILocation(line: 36, column: 12, scope: !162, atomGroup: 2, atomRank: 1)
!175 = !DILocalVariable(name: "n", arg: 1, scope: !176, file: !3, line: 27, type: !32)
!176 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 27, type: !177, scopeLine: 27, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !179, keyInstructions: true)
!180 = !DILocalVariable(name: "old", scope: !176, file: !3, line: 28, type: !32)
!181 = !DILocation(line: 0, scope: !176, inlinedAt: !182)
!182 = distinct !DILocation(line: 37, column: 3, scope: !162)
!183 = !DILocation(line: 28, column: 22, scope: !176, inlinedAt: !182, atomGroup: 2, atomRank: 2)
!184 = !DILocation(line: 29, column: 3, scope: !176, inlinedAt: !182)
!185 = !DILocation(line: 30, column: 13, scope: !176, inlinedAt: !182, atomGroup: 3, atomRank: 1)
!187 = !DILocation(line: 31, column: 11, scope: !176, inlinedAt: !182)
!188 = !DILocation(line: 31, column: 11, scope: !176, inlinedAt: !182, atomGroup: 4, atomRank: 3)
!189 = !DILocation(line: 30, column: 5, scope: !176, inlinedAt: !182, atomGroup: 6, atomRank: 1)
!191 = !DILocation(line: 31, column: 97, scope: !176, inlinedAt: !182)
!193 = !DILocation(line: 38, column: 3, scope: !162, atomGroup: 3, atomRank: 2)
!194 = !DILocation(line: 39, column: 3, scope: !162)
!195 = !DILocation(line: 40, column: 3, scope: !162)
!196 = !DILocation(line: 0, scope: !167)
!197 = !DILocation(line: 42, column: 9, scope: !198)
!198 = distinct !DILexicalBlock(scope: !199, file: !3, line: 42, column: 9)
!199 = distinct !DILexicalBlock(scope: !167, file: !3, line: 41, column: 3)
!200 = !DILocation(line: 42, column: 9, scope: !198, atomGroup: 7, atomRank: 2)
!201 = !DILocation(line: 42, column: 19, scope: !198, atomGroup: 7, atomRank: 1)
!202 = !DILocation(line: 42, column: 35, scope: !198)
!203 = !DILocation(line: 42, column: 32, scope: !198, atomGroup: 9, atomRank: 2)
!204 = !DILocation(line: 42, column: 19, scope: !198, atomGroup: 9, atomRank: 1)
!205 = !DILocation(line: 42, column: 52, scope: !198)
!206 = !DILocation(line: 42, column: 43, scope: !198)
!207 = !DILocation(line: 42, column: 9, scope: !198, atomGroup: 18, atomRank: 2)
!208 = !DILocation(line: 42, column: 19, scope: !198, atomGroup: 18, atomRank: 1)
!209 = !DILocation(line: 42, column: 32, scope: !198, atomGroup: 20, atomRank: 2)
!210 = !DILocation(line: 42, column: 19, scope: !198, atomGroup: 20, atomRank: 1)
!211 = !DILocation(line: 42, column: 9, scope: !198, atomGroup: 24, atomRank: 2)
!212 = !DILocation(line: 42, column: 19, scope: !198, atomGroup: 24, atomRank: 1)
!213 = !DILocation(line: 43, column: 3, scope: !162, atomGroup: 12, atomRank: 1)
!215 = !DILocation(line: 44, column: 7, scope: !162)
!216 = !DILocation(line: 44, column: 7, scope: !162, atomGroup: 13, atomRank: 2)
!217 = !DILocation(line: 44, column: 7, scope: !162, atomGroup: 13, atomRank: 1)
!218 = !DILocation(line: 45, column: 3, scope: !162, atomGroup: 15, atomRank: 1)
!219 = !DISubprogram(name: "pthread_join", scope: !3, file: !3, line: 3, type: !220, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!223 = !DISubprogram(name: "printf", scope: !3, file: !3, line: 5, type: !224, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!226 = !DISubprogram(name: "malloc", scope: !3, file: !3, line: 4, type: !227, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
