source_filename = "stack.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i32, %struct.node*, i64, [3 x i8] }
%struct.big = type { [5 x i64] }

@x = dso_local global i32 3, align 4, !dbg !0
@mine = dso_local thread_local global i32 1, align 4, !dbg !8
@.str = private unnamed_addr constant [2 x i8] c"a\00", align 1
@.str.1 = private unnamed_addr constant [3 x i8] c"b\0A\00", align 1
@names = dso_local global [2 x i8*] [i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str, i32 0, i32 0), i8* getelementptr inbounds ([3 x i8], [3 x i8]* @.str.1, i32 0, i32 0)], align 16, !dbg !10
@first = dso_local global %struct.node { i32 1, %struct.node* @first, i64 4, [3 x i8] c"\01\02\03" }, align 8, !dbg !18
@inside = dso_local global i8* getelementptr (i8, i8* bitcast (%struct.node* @first to i8*), i64 25), align 8, !dbg !32
@chosen = dso_local global i32 (%struct.big*, i32)* @choose, align 8, !dbg !35
@.str.2 = private unnamed_addr constant [7 x i8] c"%d %f\0A\00", align 1
@seen = dso_local global i32 0, align 4, !dbg !46
@head = internal global %struct.node* null, align 8, !dbg !49
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 65535, void ()* @start, i8* null }]
@llvm.global_dtors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 101, void ()* @stop, i8* null }]

define internal i32 @choose(%struct.big* noundef byval(%struct.big) align 8 %0, i32 noundef %1) #0 !dbg !61 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  call void @llvm.dbg.declare(metadata %struct.big* %0, metadata !63, metadata !DIExpression()), !dbg !64
  store i32 %1, i32* %4, align 4
  call void @llvm.dbg.declare(metadata i32* %4, metadata !65, metadata !DIExpression()), !dbg !66
  %5 = load i32, i32* %4, align 4, !dbg !67
  switch i32 %5, label %12 [
    i32 1, label %6
    i32 -2, label %7
  ], !dbg !68

6:                                                ; preds = %2
  store i32 5, i32* %3, align 4, !dbg !69
  br label %13, !dbg !69

7:                                                ; preds = %2
  %8 = getelementptr inbounds %struct.big, %struct.big* %0, i32 0, i32 0, !dbg !71
  %9 = getelementptr inbounds [5 x i64], [5 x i64]* %8, i64 0, i64 1, !dbg !72
  %10 = load i64, i64* %9, align 8, !dbg !72
  %11 = trunc i64 %10 to i32, !dbg !72
  store i32 %11, i32* %3, align 4, !dbg !73
  br label %13, !dbg !73

12:                                               ; preds = %2
  store i32 0, i32* %3, align 4, !dbg !74
  br label %13, !dbg !74

13:                                               ; preds = %12, %7, %6
  %14 = load i32, i32* %3, align 4, !dbg !75
  ret i32 %14, !dbg !75
}

define internal void @start() #0 !dbg !76 {
  store atomic i32 1, i32* @x seq_cst, align 4, !dbg !79
  ret void, !dbg !80
}

define internal void @stop() #0 !dbg !81 {
  store atomic i32 2, i32* @x seq_cst, align 4, !dbg !82
  ret void, !dbg !83
}

define dso_local void @make(%struct.big* noalias sret(%struct.big) align 8 %0) #0 !dbg !84 {
  call void @llvm.dbg.declare(metadata %struct.big* %0, metadata !87, metadata !DIExpression()), !dbg !88
  %2 = bitcast %struct.big* %0 to i8*, !dbg !88
  call void @llvm.memset.p0i8.i64(i8* align 8 %2, i8 0, i64 40, i1 false), !dbg !88
  %3 = bitcast i8* %2 to %struct.big*, !dbg !88
  %4 = getelementptr inbounds %struct.big, %struct.big* %3, i32 0, i32 0, !dbg !88
  %5 = getelementptr inbounds [5 x i64], [5 x i64]* %4, i32 0, i32 0, !dbg !88
  store i64 1, i64* %5, align 8, !dbg !88
  %6 = getelementptr inbounds [5 x i64], [5 x i64]* %4, i32 0, i32 1, !dbg !88
  store i64 2, i64* %6, align 8, !dbg !88
  ret void, !dbg !89
}

declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #2

define dso_local i32 @main() #0 !dbg !90 {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i32, align 4
  %4 = alloca %struct.big, align 8
  %5 = alloca %struct.big, align 8
  store i32 0, i32* %1, align 4
  call void @llvm.dbg.declare(metadata i64* %2, metadata !93, metadata !DIExpression()), !dbg !96
  call void @llvm.dbg.declare(metadata i32* %3, metadata !97, metadata !DIExpression()), !dbg !98
  store i32 1, i32* %3, align 4, !dbg !98
  %6 = bitcast i32* %3 to i8*, !dbg !99
  %7 = call i32 @pthread_create(i64* noundef %2, i8* noundef null, i8* (i8*)* noundef @worker, i8* noundef %6), !dbg !100
  %8 = load i64, i64* %2, align 8, !dbg !101
  %9 = call i32 @pthread_join(i64 noundef %8, i8** noundef null), !dbg !102
  call void @make(%struct.big* sret(%struct.big) align 8 %4), !dbg !103
  %10 = load i32, i32* %3, align 4, !dbg !105
  %11 = call i32 @choose(%struct.big* noundef byval(%struct.big) align 8 %4, i32 noundef %10), !dbg !106
  %12 = load i32 (%struct.big*, i32)*, i32 (%struct.big*, i32)** @chosen, align 8, !dbg !107
  call void @make(%struct.big* sret(%struct.big) align 8 %5), !dbg !108
  %13 = load i32, i32* %3, align 4, !dbg !109
  %14 = call i32 %12(%struct.big* noundef byval(%struct.big) align 8 %5, i32 noundef %13), !dbg !107
  %15 = icmp ne i32 %11, %14, !dbg !110
  br i1 %15, label %16, label %17, !dbg !111

16:                                               ; preds = %0
  call void @abort() #5, !dbg !112
  unreachable, !dbg !112

17:                                               ; preds = %0
  %18 = load i32, i32* %3, align 4, !dbg !113
  %19 = load i32, i32* %3, align 4, !dbg !114
  %20 = sitofp i32 %19 to double, !dbg !114
  %21 = fmul double %20, 1.500000e+00, !dbg !115
  %22 = call i32 (i8*, ...) @printf(i8* noundef getelementptr inbounds ([7 x i8], [7 x i8]* @.str.2, i64 0, i64 0), i32 noundef %18, double noundef %21), !dbg !116
  %23 = load atomic i32, i32* @x seq_cst, align 4, !dbg !117
  %24 = icmp ne i32 %23, 0, !dbg !117
  br i1 %24, label %25, label %27, !dbg !117

25:                                               ; preds = %17
  %26 = load i32, i32* @mine, align 4, !dbg !118
  br label %28, !dbg !117

27:                                               ; preds = %17
  br label %28, !dbg !117

28:                                               ; preds = %27, %25
  %29 = phi i32 [ %26, %25 ], [ 0, %27 ], !dbg !117
  ret i32 %29, !dbg !119
}

declare i32 @pthread_create(i64* noundef, i8* noundef, i8* (i8*)* noundef, i8* noundef) #3

define internal i8* @worker(i8* noundef %0) #0 !dbg !120 {
  %2 = alloca i8*, align 8
  %3 = alloca %struct.node*, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  call void @llvm.dbg.declare(metadata i8** %2, metadata !124, metadata !DIExpression()), !dbg !125
  call void @llvm.dbg.declare(metadata %struct.node** %3, metadata !126, metadata !DIExpression()), !dbg !127
  %7 = call i8* @malloc(i64 noundef 32), !dbg !128
  %8 = bitcast i8* %7 to %struct.node*, !dbg !128
  store %struct.node* %8, %struct.node** %3, align 8, !dbg !127
  %9 = load i8*, i8** %2, align 8, !dbg !129
  %10 = bitcast i8* %9 to i32*, !dbg !130
  %11 = load i32, i32* %10, align 4, !dbg !131
  %12 = load %struct.node*, %struct.node** %3, align 8, !dbg !132
  %13 = getelementptr inbounds %struct.node, %struct.node* %12, i32 0, i32 0, !dbg !133
  store i32 %11, i32* %13, align 8, !dbg !134
  %14 = load %struct.node*, %struct.node** %3, align 8, !dbg !135
  call void @push(%struct.node* noundef %14), !dbg !136
  store i32 1, i32* %4, align 4, !dbg !137
  %15 = load i32, i32* %4, align 4, !dbg !137
  %16 = atomicrmw add i32* @x, i32 %15 monotonic, align 4, !dbg !137
  store i32 %16, i32* %5, align 4, !dbg !137
  %17 = load i32, i32* %5, align 4, !dbg !137
  fence acq_rel, !dbg !138
  fence syncscope("singlethread") seq_cst, !dbg !139
  call void @llvm.dbg.declare(metadata i32* %6, metadata !140, metadata !DIExpression()), !dbg !142
  store i32 0, i32* %6, align 4, !dbg !142
  br label %18, !dbg !143

18:                                               ; preds = %46, %1
  %19 = load i32, i32* %6, align 4, !dbg !144
  %20 = icmp slt i32 %19, 3, !dbg !146
  br i1 %20, label %21, label %49, !dbg !147

21:                                               ; preds = %18
  %22 = load %struct.node*, %struct.node** %3, align 8, !dbg !148
  %23 = getelementptr inbounds %struct.node, %struct.node* %22, i32 0, i32 3, !dbg !150
  %24 = load i32, i32* %6, align 4, !dbg !151
  %25 = sext i32 %24 to i64, !dbg !148
  %26 = getelementptr inbounds [3 x i8], [3 x i8]* %23, i64 0, i64 %25, !dbg !148
  %27 = load i8, i8* %26, align 1, !dbg !148
  %28 = sext i8 %27 to i32, !dbg !148
  %29 = icmp ne i32 %28, 0, !dbg !148
  br i1 %29, label %30, label %45, !dbg !152

30:                                               ; preds = %21
  %31 = load i32, i32* %6, align 4, !dbg !153
  %32 = icmp sgt i32 %31, 1, !dbg !154
  br i1 %32, label %38, label %33, !dbg !155

33:                                               ; preds = %30
  %34 = load %struct.node*, %struct.node** %3, align 8, !dbg !156
  %35 = getelementptr inbounds %struct.node, %struct.node* %34, i32 0, i32 0, !dbg !157
  %36 = load i32, i32* %35, align 8, !dbg !157
  %37 = icmp ne i32 %36, 0, !dbg !156
  br i1 %37, label %38, label %45, !dbg !158

38:                                               ; preds = %33, %30
  %39 = load i32, i32* %6, align 4, !dbg !159
  %40 = sext i32 %39 to i64, !dbg !159
  %41 = load %struct.node*, %struct.node** %3, align 8, !dbg !160
  %42 = getelementptr inbounds %struct.node, %struct.node* %41, i32 0, i32 2, !dbg !161
  %43 = atomicrmw add i64* %42, i64 %40 seq_cst, align 8, !dbg !162
  %44 = add i64 %43, %40, !dbg !162
  br label %45, !dbg !160

45:                                               ; preds = %38, %33, %21
  br label %46, !dbg !163

46:                                               ; preds = %45
  %47 = load i32, i32* %6, align 4, !dbg !164
  %48 = add nsw i32 %47, 1, !dbg !164
  store i32 %48, i32* %6, align 4, !dbg !164
  br label %18, !dbg !165, !llvm.loop !166

49:                                               ; preds = %18
  call void asm sideeffect "nop", "~{memory},~{dirflag},~{fpsr},~{flags}"() #6, !dbg !169, !srcloc !170
  %50 = load volatile i32, i32* @seen, align 4, !dbg !171
  %51 = add nsw i32 %50, 1, !dbg !171
  store volatile i32 %51, i32* @seen, align 4, !dbg !171
  %52 = load %struct.node*, %struct.node** %3, align 8, !dbg !172
  %53 = bitcast %struct.node* %52 to i8*, !dbg !172
  ret i8* %53, !dbg !173
}

declare i32 @pthread_join(i64 noundef, i8** noundef) #3

declare void @abort() #4

declare i32 @printf(i8* noundef, ...) #3

declare i8* @malloc(i64 noundef) #3

define internal void @push(%struct.node* noundef %0) #0 !dbg !174 {
  %2 = alloca %struct.node*, align 8
  %3 = alloca %struct.node*, align 8
  %4 = alloca %struct.node*, align 8
  %5 = alloca %struct.node*, align 8
  %6 = alloca i8, align 1
  store %struct.node* %0, %struct.node** %2, align 8
  call void @llvm.dbg.declare(metadata %struct.node** %2, metadata !177, metadata !DIExpression()), !dbg !178
  call void @llvm.dbg.declare(metadata %struct.node** %3, metadata !179, metadata !DIExpression()), !dbg !180
  %7 = bitcast %struct.node** %4 to i64*, !dbg !181
  %8 = load atomic i64, i64* bitcast (%struct.node** @head to i64*) monotonic, align 8, !dbg !181
  store i64 %8, i64* %7, align 8, !dbg !181
  %9 = bitcast i64* %7 to %struct.node**, !dbg !181
  %10 = load %struct.node*, %struct.node** %9, align 8, !dbg !181
  store %struct.node* %10, %struct.node** %3, align 8, !dbg !180
  br label %11, !dbg !182

11:                                               ; preds = %25, %1
  %12 = load %struct.node*, %struct.node** %3, align 8, !dbg !183
  %13 = load %struct.node*, %struct.node** %2, align 8, !dbg !184
  %14 = getelementptr inbounds %struct.node, %struct.node* %13, i32 0, i32 1, !dbg !185
  store %struct.node* %12, %struct.node** %14, align 8, !dbg !186
  br label %15, !dbg !184

15:                                               ; preds = %11
  %16 = load %struct.node*, %struct.node** %2, align 8, !dbg !187
  store %struct.node* %16, %struct.node** %5, align 8, !dbg !188
  %17 = bitcast %struct.node** %3 to i64*, !dbg !188
  %18 = bitcast %struct.node** %5 to i64*, !dbg !188
  %19 = load i64, i64* %17, align 8, !dbg !188
  %20 = load i64, i64* %18, align 8, !dbg !188
  %21 = cmpxchg weak i64* bitcast (%struct.node** @head to i64*), i64 %19, i64 %20 release monotonic, align 8, !dbg !188
  %22 = extractvalue { i64, i1 } %21, 0, !dbg !188
  %23 = extractvalue { i64, i1 } %21, 1, !dbg !188
  br i1 %23, label %25, label %24, !dbg !188

24:                                               ; preds = %15
  store i64 %22, i64* %17, align 8, !dbg !188
  br label %25, !dbg !188

25:                                               ; preds = %24, %15
  %26 = zext i1 %23 to i8, !dbg !188
  store i8 %26, i8* %6, align 1, !dbg !188
  %27 = load i8, i8* %6, align 1, !dbg !188
  %28 = trunc i8 %27 to i1, !dbg !188
  %29 = xor i1 %28, true, !dbg !189
  br i1 %29, label %11, label %30, !dbg !184, !llvm.loop !190

30:                                               ; preds = %25
  ret void, !dbg !192
}



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 11, type: !52, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
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
!61 = distinct !DISubprogram(name: "choose", scope: !3, file: !3, line: 18, type: !38, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !62)
!63 = !DILocalVariable(name: "b", arg: 1, scope: !61, file: !3, line: 18, type: !40)
!64 = !DILocation(line: 18, column: 30, scope: !61)
!65 = !DILocalVariable(name: "k", arg: 2, scope: !61, file: !3, line: 18, type: !6)
!66 = !DILocation(line: 18, column: 37, scope: !61)
!67 = !DILocation(line: 19, column: 11, scope: !61)
!68 = !DILocation(line: 19, column: 3, scope: !61)
!69 = !DILocation(line: 20, column: 11, scope: !70)
!70 = distinct !DILexicalBlock(scope: !61, file: !3, line: 19, column: 14)
!71 = !DILocation(line: 21, column: 21, scope: !70)
!72 = !DILocation(line: 21, column: 19, scope: !70)
!73 = !DILocation(line: 21, column: 12, scope: !70)
!74 = !DILocation(line: 22, column: 12, scope: !70)
!75 = !DILocation(line: 24, column: 1, scope: !61)
!76 = distinct !DISubprogram(name: "start", scope: !3, file: !3, line: 48, type: !77, scopeLine: 48, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !62)
!79 = !DILocation(line: 48, column: 58, scope: !76)
!80 = !DILocation(line: 48, column: 63, scope: !76)
!81 = distinct !DISubprogram(name: "stop", scope: !3, file: !3, line: 49, type: !77, scopeLine: 49, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !62)
!82 = !DILocation(line: 49, column: 61, scope: !81)
!83 = !DILocation(line: 49, column: 66, scope: !81)
!84 = distinct !DISubprogram(name: "make", scope: !3, file: !3, line: 51, type: !85, scopeLine: 51, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !62)
!87 = !DILocalVariable(name: "b", scope: !84, file: !3, line: 51, type: !40)
!88 = !DILocation(line: 51, column: 36, scope: !84)
!89 = !DILocation(line: 51, column: 50, scope: !84)
!90 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 53, type: !91, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !62)
!93 = !DILocalVariable(name: "t", scope: !90, file: !3, line: 54, type: !94)
!96 = !DILocation(line: 54, column: 13, scope: !90)
!97 = !DILocalVariable(name: "a", scope: !90, file: !3, line: 55, type: !6)
!98 = !DILocation(line: 55, column: 7, scope: !90)
!99 = !DILocation(line: 56, column: 33, scope: !90)
!100 = !DILocation(line: 56, column: 3, scope: !90)
!101 = !DILocation(line: 57, column: 16, scope: !90)
!102 = !DILocation(line: 57, column: 3, scope: !90)
!103 = !DILocation(line: 58, column: 14, scope: !104)
!104 = distinct !DILexicalBlock(scope: !90, file: !3, line: 58, column: 7)
!105 = !DILocation(line: 58, column: 22, scope: !104)
!106 = !DILocation(line: 58, column: 7, scope: !104)
!107 = !DILocation(line: 58, column: 28, scope: !104)
!108 = !DILocation(line: 58, column: 35, scope: !104)
!109 = !DILocation(line: 58, column: 43, scope: !104)
!110 = !DILocation(line: 58, column: 25, scope: !104)
!111 = !DILocation(line: 58, column: 7, scope: !90)
!112 = !DILocation(line: 58, column: 47, scope: !104)
!113 = !DILocation(line: 59, column: 21, scope: !90)
!114 = !DILocation(line: 59, column: 24, scope: !90)
!115 = !DILocation(line: 59, column: 26, scope: !90)
!116 = !DILocation(line: 59, column: 3, scope: !90)
!117 = !DILocation(line: 60, column: 10, scope: !90)
!118 = !DILocation(line: 60, column: 14, scope: !90)
!119 = !DILocation(line: 60, column: 3, scope: !90)
!120 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 34, type: !121, scopeLine: 34, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !62)
!124 = !DILocalVariable(name: "arg", arg: 1, scope: !120, file: !3, line: 34, type: !123)
!125 = !DILocation(line: 34, column: 27, scope: !120)
!126 = !DILocalVariable(name: "n", scope: !120, file: !3, line: 35, type: !24)
!127 = !DILocation(line: 35, column: 16, scope: !120)
!128 = !DILocation(line: 35, column: 20, scope: !120)
!129 = !DILocation(line: 36, column: 22, scope: !120)
!130 = !DILocation(line: 36, column: 15, scope: !120)
!131 = !DILocation(line: 36, column: 14, scope: !120)
!132 = !DILocation(line: 36, column: 3, scope: !120)
!133 = !DILocation(line: 36, column: 6, scope: !120)
!134 = !DILocation(line: 36, column: 12, scope: !120)
!135 = !DILocation(line: 37, column: 8, scope: !120)
!136 = !DILocation(line: 37, column: 3, scope: !120)
!137 = !DILocation(line: 38, column: 3, scope: !120)
!138 = !DILocation(line: 39, column: 3, scope: !120)
!139 = !DILocation(line: 40, column: 3, scope: !120)
!140 = !DILocalVariable(name: "i", scope: !141, file: !3, line: 41, type: !6)
!141 = distinct !DILexicalBlock(scope: !120, file: !3, line: 41, column: 3)
!142 = !DILocation(line: 41, column: 12, scope: !141)
!143 = !DILocation(line: 41, column: 8, scope: !141)
!144 = !DILocation(line: 41, column: 19, scope: !145)
!145 = distinct !DILexicalBlock(scope: !141, file: !3, line: 41, column: 3)
!146 = !DILocation(line: 41, column: 21, scope: !145)
!147 = !DILocation(line: 41, column: 3, scope: !141)
!148 = !DILocation(line: 42, column: 9, scope: !149)
!149 = distinct !DILexicalBlock(scope: !145, file: !3, line: 42, column: 9)
!150 = !DILocation(line: 42, column: 12, scope: !149)
!151 = !DILocation(line: 42, column: 16, scope: !149)
!152 = !DILocation(line: 42, column: 19, scope: !149)
!153 = !DILocation(line: 42, column: 23, scope: !149)
!154 = !DILocation(line: 42, column: 25, scope: !149)
!155 = !DILocation(line: 42, column: 29, scope: !149)
!156 = !DILocation(line: 42, column: 32, scope: !149)
!157 = !DILocation(line: 42, column: 35, scope: !149)
!158 = !DILocation(line: 42, column: 9, scope: !145)
!159 = !DILocation(line: 42, column: 55, scope: !149)
!160 = !DILocation(line: 42, column: 43, scope: !149)
!161 = !DILocation(line: 42, column: 46, scope: !149)
!162 = !DILocation(line: 42, column: 52, scope: !149)
!163 = !DILocation(line: 42, column: 40, scope: !149)
!164 = !DILocation(line: 41, column: 27, scope: !145)
!165 = !DILocation(line: 41, column: 3, scope: !145)
!167 = !DILocation(line: 42, column: 55, scope: !141)
!169 = !DILocation(line: 43, column: 3, scope: !120)
!171 = !DILocation(line: 44, column: 7, scope: !120)
!172 = !DILocation(line: 45, column: 10, scope: !120)
!173 = !DILocation(line: 45, column: 3, scope: !120)
!174 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 27, type: !175, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !62)
!177 = !DILocalVariable(name: "n", arg: 1, scope: !174, file: !3, line: 27, type: !24)
!178 = !DILocation(line: 27, column: 38, scope: !174)
!179 = !DILocalVariable(name: "old", scope: !174, file: !3, line: 28, type: !24)
!180 = !DILocation(line: 28, column: 16, scope: !174)
!181 = !DILocation(line: 28, column: 22, scope: !174)
!182 = !DILocation(line: 29, column: 3, scope: !174)
!183 = !DILocation(line: 30, column: 15, scope: !174)
!184 = !DILocation(line: 30, column: 5, scope: !174)
!185 = !DILocation(line: 30, column: 8, scope: !174)
!186 = !DILocation(line: 30, column: 13, scope: !174)
!187 = !DILocation(line: 31, column: 59, scope: !174)
!188 = !DILocation(line: 31, column: 11, scope: !174)
!189 = !DILocation(line: 31, column: 10, scope: !174)
!191 = !DILocation(line: 31, column: 97, scope: !174)
!192 = !DILocation(line: 32, column: 1, scope: !174)
