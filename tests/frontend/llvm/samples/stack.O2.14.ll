source_filename = "stack.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i32, %struct.node*, i64, [3 x i8] }
%struct.big = type { [5 x i64] }

@x = dso_local global i32 3, align 4, !dbg !0
@mine = dso_local thread_local local_unnamed_addr global i32 1, align 4, !dbg !8
@.str = private unnamed_addr constant [2 x i8] c"a\00", align 1
@.str.1 = private unnamed_addr constant [3 x i8] c"b\0A\00", align 1
@names = dso_local local_unnamed_addr global [2 x i8*] [i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str, i32 0, i32 0), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.1, i32 0, i32 0)], align 16, !dbg !10
@first = dso_local global %struct.node { i32 1, %struct.node* @first, i64 4, [3 x i8] c"\01\02\03" }, align 8, !dbg !18
@inside = dso_local local_unnamed_addr global i8* getelementptr inbounds (%struct.node, %struct.node* @first, i64 0, i32 3, i64 1), align 8, !dbg !32
@chosen = dso_local local_unnamed_addr global i32 (%struct.big*, i32)* @choose, align 8, !dbg !35
@.str.2 = private unnamed_addr constant [7 x i8] c"%d %f\0A\00", align 1
@seen = dso_local global i32 0, align 4, !dbg !46
@head = internal global %struct.node* null, align 8, !dbg !49
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 65535, void ()* @start, i8* null }]
@llvm.global_dtors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 101, void ()* @stop, i8* null }]

define internal i32 @choose(%struct.big* nocapture noundef readonly byval(%struct.big) align 8 %0, i32 noundef %1) #0 !dbg !60 {
  call void @llvm.dbg.declare(metadata %struct.big* %0, metadata !62, metadata !DIExpression()), !dbg !64
  call void @llvm.dbg.value(metadata i32 %1, metadata !63, metadata !DIExpression()), !dbg !65
  switch i32 %1, label %7 [
    i32 1, label %8
    i32 -2, label %3
  ], !dbg !66

3:                                                ; preds = %2
  %4 = getelementptr inbounds %struct.big, %struct.big* %0, i64 0, i32 0, i64 1, !dbg !67
  %5 = load i64, i64* %4, align 8, !dbg !67, !tbaa !69
  %6 = trunc i64 %5 to i32, !dbg !67
  br label %8, !dbg !73

7:                                                ; preds = %2
  br label %8, !dbg !74

8:                                                ; preds = %2, %7, %3
  %9 = phi i32 [ 0, %7 ], [ %6, %3 ], [ 5, %2 ], !dbg !75
  ret i32 %9, !dbg !76
}

define internal void @start() #1 !dbg !77 {
  store atomic i32 1, i32* @x seq_cst, align 4, !dbg !81, !tbaa !82
  ret void, !dbg !83
}

define internal void @stop() #1 !dbg !84 {
  store atomic i32 2, i32* @x seq_cst, align 4, !dbg !85, !tbaa !82
  ret void, !dbg !86
}

define dso_local void @make(%struct.big* noalias nocapture writeonly sret(%struct.big) align 8 %0) local_unnamed_addr #2 !dbg !87 {
  call void @llvm.dbg.declare(metadata %struct.big* %0, metadata !91, metadata !DIExpression()), !dbg !92
  %2 = getelementptr inbounds %struct.big, %struct.big* %0, i64 0, i32 0, i64 2, !dbg !92
  %3 = bitcast i64* %2 to i8*, !dbg !92
  tail call void @llvm.memset.p0i8.i64(i8* noundef nonnull align 8 dereferenceable(40) %3, i8 0, i64 24, i1 false), !dbg !92
  %4 = bitcast %struct.big* %0 to <2 x i64>*, !dbg !92
  store <2 x i64> <i64 1, i64 2>, <2 x i64>* %4, align 8, !dbg !92
  ret void, !dbg !93
}

declare void @llvm.dbg.declare(metadata, metadata, metadata) #3

declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #4

define dso_local i32 @main() local_unnamed_addr #5 !dbg !94 {
  %1 = alloca i64, align 8
  %2 = alloca i32, align 4
  %3 = alloca %struct.big, align 16
  %4 = bitcast i64* %1 to i8*, !dbg !102
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %4) #12, !dbg !102
  %5 = bitcast i32* %2 to i8*, !dbg !103
  call void @llvm.lifetime.start.p0i8(i64 4, i8* nonnull %5) #12, !dbg !103
  call void @llvm.dbg.value(metadata i32 1, metadata !101, metadata !DIExpression()), !dbg !104
  store i32 1, i32* %2, align 4, !dbg !105, !tbaa !106
  call void @llvm.dbg.value(metadata i64* %1, metadata !98, metadata !DIExpression(DW_OP_deref)), !dbg !104
  call void @llvm.dbg.value(metadata i32* %2, metadata !101, metadata !DIExpression(DW_OP_deref)), !dbg !104
  %6 = call i32 @pthread_create(i64* noundef nonnull %1, i8* noundef null, i8* (i8*)* noundef nonnull @worker, i8* noundef nonnull %5) #12, !dbg !108
  %7 = load i64, i64* %1, align 8, !dbg !109, !tbaa !69
  call void @llvm.dbg.value(metadata i64 %7, metadata !98, metadata !DIExpression()), !dbg !104
  %8 = call i32 @pthread_join(i64 noundef %7, i8** noundef null) #12, !dbg !110
  call void @llvm.dbg.value(metadata i64 1, metadata !91, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 64)), !dbg !111
  call void @llvm.dbg.value(metadata i64 1, metadata !62, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 64)), !dbg !114
  call void @llvm.dbg.value(metadata i64 2, metadata !91, metadata !DIExpression(DW_OP_LLVM_fragment, 64, 64)), !dbg !111
  call void @llvm.dbg.value(metadata i64 2, metadata !62, metadata !DIExpression(DW_OP_LLVM_fragment, 64, 64)), !dbg !114
  %9 = load i32, i32* %2, align 4, !dbg !116, !tbaa !106
  call void @llvm.dbg.value(metadata i32 %9, metadata !101, metadata !DIExpression()), !dbg !104
  call void @llvm.dbg.value(metadata i32 %9, metadata !63, metadata !DIExpression()), !dbg !114
  %10 = icmp eq i32 %9, -2, !dbg !117
  %11 = select i1 %10, i32 2, i32 0, !dbg !117
  %12 = icmp eq i32 %9, 1, !dbg !117
  %13 = select i1 %12, i32 5, i32 %11, !dbg !117
  %14 = load i32 (%struct.big*, i32)*, i32 (%struct.big*, i32)** @chosen, align 8, !dbg !118, !tbaa !119
  call void @llvm.dbg.declare(metadata %struct.big* %3, metadata !91, metadata !DIExpression()) #12, !dbg !121
  %15 = getelementptr inbounds %struct.big, %struct.big* %3, i64 0, i32 0, i64 2, !dbg !121
  %16 = bitcast i64* %15 to i8*, !dbg !121
  call void @llvm.memset.p0i8.i64(i8* noundef nonnull align 16 dereferenceable(40) %16, i8 0, i64 24, i1 false) #12, !dbg !121, !alias.scope !123
  %17 = bitcast %struct.big* %3 to <2 x i64>*, !dbg !121
  store <2 x i64> <i64 1, i64 2>, <2 x i64>* %17, align 16, !dbg !121, !alias.scope !123
  call void @llvm.dbg.value(metadata i32 %9, metadata !101, metadata !DIExpression()), !dbg !104
  %18 = call i32 %14(%struct.big* noundef nonnull byval(%struct.big) align 8 %3, i32 noundef %9) #12, !dbg !118
  %19 = icmp eq i32 %13, %18, !dbg !126
  br i1 %19, label %21, label %20, !dbg !127

20:                                               ; preds = %0
  call void @abort() #13, !dbg !128
  unreachable, !dbg !128

21:                                               ; preds = %0
  %22 = load i32, i32* %2, align 4, !dbg !129, !tbaa !106
  call void @llvm.dbg.value(metadata i32 %22, metadata !101, metadata !DIExpression()), !dbg !104
  %23 = sitofp i32 %22 to double, !dbg !130
  %24 = fmul double %23, 1.500000e+00, !dbg !131
  %25 = call i32 (i8*, ...) @printf(i8* noundef nonnull dereferenceable(1) getelementptr inbounds ([7 x i8], [7 x i8]* @.str.2, i64 0, i64 0), i32 noundef %22, double noundef %24), !dbg !132
  %26 = load atomic i32, i32* @x seq_cst, align 4, !dbg !133, !tbaa !82
  %27 = icmp eq i32 %26, 0, !dbg !133
  %28 = load i32, i32* @mine, align 4, !dbg !133
  %29 = select i1 %27, i32 0, i32 %28, !dbg !133
  call void @llvm.lifetime.end.p0i8(i64 4, i8* nonnull %5) #12, !dbg !134
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %4) #12, !dbg !134
  ret i32 %29, !dbg !135
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #6

declare !dbg !136 i32 @pthread_create(i64* noundef, i8* noundef, i8* (i8*)* noundef, i8* noundef) local_unnamed_addr #7

define internal i8* @worker(i8* nocapture noundef readonly %0) #5 !dbg !146 {
  call void @llvm.dbg.value(metadata i8* %0, metadata !148, metadata !DIExpression()), !dbg !152
  %2 = tail call dereferenceable_or_null(32) i8* @malloc(i64 noundef 32), !dbg !153
  %3 = bitcast i8* %2 to %struct.node*, !dbg !153
  call void @llvm.dbg.value(metadata %struct.node* %3, metadata !149, metadata !DIExpression()), !dbg !152
  %4 = bitcast i8* %0 to i32*, !dbg !154
  %5 = load i32, i32* %4, align 4, !dbg !155, !tbaa !106
  %6 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 0, !dbg !156
  store i32 %5, i32* %6, align 8, !dbg !157, !tbaa !158
  call void @llvm.dbg.value(metadata %struct.node* %3, metadata !160, metadata !DIExpression()), !dbg !166
  %7 = load atomic i64, i64* bitcast (%struct.node** @head to i64*) monotonic, align 8, !dbg !168
  call void @llvm.dbg.value(metadata i64 %7, metadata !165, metadata !DIExpression()), !dbg !166
  %8 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 1
  %9 = ptrtoint i8* %2 to i64
  br label %10, !dbg !169

10:                                               ; preds = %10, %1
  %11 = phi i64 [ %7, %1 ], [ %15, %10 ]
  %12 = inttoptr i64 %11 to %struct.node*, !dbg !170
  call void @llvm.dbg.value(metadata %struct.node* %12, metadata !165, metadata !DIExpression()), !dbg !166
  store %struct.node* %12, %struct.node** %8, align 8, !dbg !171, !tbaa !172
  %13 = cmpxchg weak i64* bitcast (%struct.node** @head to i64*), i64 %11, i64 %9 release monotonic, align 8, !dbg !173
  %14 = extractvalue { i64, i1 } %13, 1, !dbg !173
  %15 = extractvalue { i64, i1 } %13, 0, !dbg !173
  call void @llvm.dbg.value(metadata %struct.node* undef, metadata !165, metadata !DIExpression()), !dbg !166
  br i1 %14, label %16, label %10, !dbg !174, !llvm.loop !175

16:                                               ; preds = %10
  %17 = atomicrmw add i32* @x, i32 1 monotonic, align 4, !dbg !178
  fence acq_rel, !dbg !179
  fence syncscope("singlethread") seq_cst, !dbg !180
  call void @llvm.dbg.value(metadata i32 0, metadata !150, metadata !DIExpression()), !dbg !181
  %18 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 2
  call void @llvm.dbg.value(metadata i64 0, metadata !150, metadata !DIExpression()), !dbg !181
  %19 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 3, i64 0, !dbg !182
  %20 = load i8, i8* %19, align 1, !dbg !182, !tbaa !82
  %21 = icmp eq i8 %20, 0, !dbg !182
  br i1 %21, label %27, label %22, !dbg !185

22:                                               ; preds = %16
  %23 = load i32, i32* %6, align 8, !dbg !186, !tbaa !158
  %24 = icmp eq i32 %23, 0, !dbg !187
  br i1 %24, label %27, label %25, !dbg !188

25:                                               ; preds = %22
  %26 = atomicrmw or i64* %18, i64 0 seq_cst, align 8, !dbg !189
  br label %27, !dbg !190

27:                                               ; preds = %16, %22, %25
  call void @llvm.dbg.value(metadata i64 1, metadata !150, metadata !DIExpression()), !dbg !181
  %28 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 3, i64 1, !dbg !182
  %29 = load i8, i8* %28, align 1, !dbg !182, !tbaa !82
  %30 = icmp eq i8 %29, 0, !dbg !182
  br i1 %30, label %36, label %31, !dbg !185

31:                                               ; preds = %27
  %32 = load i32, i32* %6, align 8, !dbg !186, !tbaa !158
  %33 = icmp eq i32 %32, 0, !dbg !187
  br i1 %33, label %36, label %34, !dbg !188

34:                                               ; preds = %31
  %35 = atomicrmw add i64* %18, i64 1 seq_cst, align 8, !dbg !189
  br label %36, !dbg !190

36:                                               ; preds = %34, %31, %27
  call void @llvm.dbg.value(metadata i64 2, metadata !150, metadata !DIExpression()), !dbg !181
  %37 = getelementptr inbounds %struct.node, %struct.node* %3, i64 0, i32 3, i64 2, !dbg !182
  %38 = load i8, i8* %37, align 1, !dbg !182, !tbaa !82
  %39 = icmp eq i8 %38, 0, !dbg !182
  br i1 %39, label %42, label %40, !dbg !185

40:                                               ; preds = %36
  %41 = atomicrmw add i64* %18, i64 2 seq_cst, align 8, !dbg !189
  br label %42, !dbg !190

42:                                               ; preds = %40, %36
  call void @llvm.dbg.value(metadata i64 3, metadata !150, metadata !DIExpression()), !dbg !181
  tail call void asm sideeffect "nop", "~{memory},~{dirflag},~{fpsr},~{flags}"() #12, !dbg !191, !srcloc !192
  %43 = load volatile i32, i32* @seen, align 4, !dbg !193, !tbaa !106
  %44 = add nsw i32 %43, 1, !dbg !193
  store volatile i32 %44, i32* @seen, align 4, !dbg !193, !tbaa !106
  ret i8* %2, !dbg !194
}

declare !dbg !195 i32 @pthread_join(i64 noundef, i8** noundef) local_unnamed_addr #7

declare void @abort() local_unnamed_addr #8

declare noundef i32 @printf(i8* nocapture noundef readonly, ...) local_unnamed_addr #9

declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #6

declare noalias noundef i8* @malloc(i64 noundef) local_unnamed_addr #10

declare void @llvm.dbg.value(metadata, metadata, metadata) #11



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 11, type: !52, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "stack.c", directory: "/src")
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(name: "mine", scope: !2, file: !3, line: 12, type: !6, isLocal: false, isDefinition: true)
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(name: "names", scope: !2, file: !3, line: 14, type: !12, isLocal: false, isDefinition: true)
!18 = !DIGlobalVariableExpression(var: !19, expr: !DIExpression())
!19 = distinct !DIGlobalVariable(name: "first", scope: !2, file: !3, line: 15, type: !20, isLocal: false, isDefinition: true)
!32 = !DIGlobalVariableExpression(var: !33, expr: !DIExpression())
!33 = distinct !DIGlobalVariable(name: "inside", scope: !2, file: !3, line: 16, type: !34, isLocal: false, isDefinition: true)
!35 = !DIGlobalVariableExpression(var: !36, expr: !DIExpression())
!36 = distinct !DIGlobalVariable(name: "chosen", scope: !2, file: !3, line: 25, type: !37, isLocal: false, isDefinition: true)
!46 = !DIGlobalVariableExpression(var: !47, expr: !DIExpression())
!47 = distinct !DIGlobalVariable(name: "seen", scope: !2, file: !3, line: 13, type: !48, isLocal: false, isDefinition: true)
!49 = !DIGlobalVariableExpression(var: !50, expr: !DIExpression())
!50 = distinct !DIGlobalVariable(name: "head", scope: !2, file: !3, line: 10, type: !51, isLocal: true, isDefinition: true)
!60 = distinct !DISubprogram(name: "choose", scope: !3, file: !3, line: 18, type: !38, scopeLine: 18, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !61)
!62 = !DILocalVariable(name: "b", arg: 1, scope: !60, file: !3, line: 18, type: !40)
!63 = !DILocalVariable(name: "k", arg: 2, scope: !60, file: !3, line: 18, type: !6)
!64 = !DILocation(line: 18, column: 30, scope: !60)
!65 = !DILocation(line: 0, scope: !60)
!66 = !DILocation(line: 19, column: 3, scope: !60)
!67 = !DILocation(line: 21, column: 19, scope: !68)
!68 = distinct !DILexicalBlock(scope: !60, file: !3, line: 19, column: 14)
!73 = !DILocation(line: 21, column: 12, scope: !68)
!74 = !DILocation(line: 22, column: 12, scope: !68)
!75 = !DILocation(line: 0, scope: !68)
!76 = !DILocation(line: 24, column: 1, scope: !60)
!77 = distinct !DISubprogram(name: "start", scope: !3, file: !3, line: 48, type: !78, scopeLine: 48, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !80)
!81 = !DILocation(line: 48, column: 58, scope: !77)
!83 = !DILocation(line: 48, column: 63, scope: !77)
!84 = distinct !DISubprogram(name: "stop", scope: !3, file: !3, line: 49, type: !78, scopeLine: 49, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !80)
!85 = !DILocation(line: 49, column: 61, scope: !84)
!86 = !DILocation(line: 49, column: 66, scope: !84)
!87 = distinct !DISubprogram(name: "make", scope: !3, file: !3, line: 51, type: !88, scopeLine: 51, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !90)
!91 = !DILocalVariable(name: "b", scope: !87, file: !3, line: 51, type: !40)
!92 = !DILocation(line: 51, column: 36, scope: !87)
!93 = !DILocation(line: 51, column: 50, scope: !87)
!94 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 53, type: !95, scopeLine: 53, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !97)
!98 = !DILocalVariable(name: "t", scope: !94, file: !3, line: 54, type: !99)
!101 = !DILocalVariable(name: "a", scope: !94, file: !3, line: 55, type: !6)
!102 = !DILocation(line: 54, column: 3, scope: !94)
!103 = !DILocation(line: 55, column: 3, scope: !94)
!104 = !DILocation(line: 0, scope: !94)
!105 = !DILocation(line: 55, column: 7, scope: !94)
!108 = !DILocation(line: 56, column: 3, scope: !94)
!109 = !DILocation(line: 57, column: 16, scope: !94)
!110 = !DILocation(line: 57, column: 3, scope: !94)
!111 = !DILocation(line: 0, scope: !87, inlinedAt: !112)
!112 = distinct !DILocation(line: 58, column: 14, scope: !113)
!113 = distinct !DILexicalBlock(scope: !94, file: !3, line: 58, column: 7)
!114 = !DILocation(line: 0, scope: !60, inlinedAt: !115)
!115 = distinct !DILocation(line: 58, column: 7, scope: !113)
!116 = !DILocation(line: 58, column: 22, scope: !113)
!117 = !DILocation(line: 19, column: 3, scope: !60, inlinedAt: !115)
!118 = !DILocation(line: 58, column: 28, scope: !113)
!121 = !DILocation(line: 51, column: 36, scope: !87, inlinedAt: !122)
!122 = distinct !DILocation(line: 58, column: 35, scope: !113)
!126 = !DILocation(line: 58, column: 25, scope: !113)
!127 = !DILocation(line: 58, column: 7, scope: !94)
!128 = !DILocation(line: 58, column: 47, scope: !113)
!129 = !DILocation(line: 59, column: 21, scope: !94)
!130 = !DILocation(line: 59, column: 24, scope: !94)
!131 = !DILocation(line: 59, column: 26, scope: !94)
!132 = !DILocation(line: 59, column: 3, scope: !94)
!133 = !DILocation(line: 60, column: 10, scope: !94)
!134 = !DILocation(line: 61, column: 1, scope: !94)
!135 = !DILocation(line: 60, column: 3, scope: !94)
!136 = !DISubprogram(name: "pthread_create", scope: !3, file: !3, line: 2, type: !137, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !80)
!146 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 34, type: !143, scopeLine: 34, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !147)
!148 = !DILocalVariable(name: "arg", arg: 1, scope: !146, file: !3, line: 34, type: !145)
!149 = !DILocalVariable(name: "n", scope: !146, file: !3, line: 35, type: !24)
!150 = !DILocalVariable(name: "i", scope: !151, file: !3, line: 41, type: !6)
!151 = distinct !DILexicalBlock(scope: !146, file: !3, line: 41, column: 3)
!152 = !DILocation(line: 0, scope: !146)
!153 = !DILocation(line: 35, column: 20, scope: !146)
!154 = !DILocation(line: 36, column: 15, scope: !146)
!155 = !DILocation(line: 36, column: 14, scope: !146)
!156 = !DILocation(line: 36, column: 6, scope: !146)
!157 = !DILocation(line: 36, column: 12, scope: !146)
!160 = !DILocalVariable(name: "n", arg: 1, scope: !161, file: !3, line: 27, type: !24)
!161 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 27, type: !162, scopeLine: 27, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !164)
!165 = !DILocalVariable(name: "old", scope: !161, file: !3, line: 28, type: !24)
!166 = !DILocation(line: 0, scope: !161, inlinedAt: !167)
!167 = distinct !DILocation(line: 37, column: 3, scope: !146)
!168 = !DILocation(line: 28, column: 22, scope: !161, inlinedAt: !167)
!169 = !DILocation(line: 29, column: 3, scope: !161, inlinedAt: !167)
!170 = !DILocation(line: 28, column: 16, scope: !161, inlinedAt: !167)
!171 = !DILocation(line: 30, column: 13, scope: !161, inlinedAt: !167)
!173 = !DILocation(line: 31, column: 11, scope: !161, inlinedAt: !167)
!174 = !DILocation(line: 30, column: 5, scope: !161, inlinedAt: !167)
!176 = !DILocation(line: 31, column: 97, scope: !161, inlinedAt: !167)
!178 = !DILocation(line: 38, column: 3, scope: !146)
!179 = !DILocation(line: 39, column: 3, scope: !146)
!180 = !DILocation(line: 40, column: 3, scope: !146)
!181 = !DILocation(line: 0, scope: !151)
!182 = !DILocation(line: 42, column: 9, scope: !183)
!183 = distinct !DILexicalBlock(scope: !184, file: !3, line: 42, column: 9)
!184 = distinct !DILexicalBlock(scope: !151, file: !3, line: 41, column: 3)
!185 = !DILocation(line: 42, column: 19, scope: !183)
!186 = !DILocation(line: 42, column: 35, scope: !183)
!187 = !DILocation(line: 42, column: 32, scope: !183)
!188 = !DILocation(line: 42, column: 9, scope: !184)
!189 = !DILocation(line: 42, column: 52, scope: !183)
!190 = !DILocation(line: 42, column: 43, scope: !183)
!191 = !DILocation(line: 43, column: 3, scope: !146)
!193 = !DILocation(line: 44, column: 7, scope: !146)
!194 = !DILocation(line: 45, column: 3, scope: !146)
!195 = !DISubprogram(name: "pthread_join", scope: !3, file: !3, line: 3, type: !196, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !80)
