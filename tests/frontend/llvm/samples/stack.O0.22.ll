source_filename = "stack.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%struct.big = type { [5 x i64] }
%struct.node = type { i32, ptr, i64, [3 x i8] }

@x = global i32 3, align 4, !dbg !0
@mine = thread_local global i32 1, align 4, !dbg !8
@.str = private unnamed_addr constant [2 x i8] c"a\00", align 1, !dbg !10
@.str.1 = private unnamed_addr constant [3 x i8] c"b\0A\00", align 1, !dbg !16
@names = global [2 x ptr] [ptr @.str, ptr @.str.1], align 16, !dbg !21
@first = global { i32, [4 x i8], ptr, i64, [3 x i8], [5 x i8] } { i32 1, [4 x i8] zeroinitializer, ptr @first, i64 4, [3 x i8] c"\01\02\03", [5 x i8] zeroinitializer }, align 8, !dbg !26
@inside = global ptr getelementptr (i8, ptr @first, i64 25), align 8, !dbg !37
@chosen = global ptr @choose, align 8, !dbg !40
@.str.3 = private unnamed_addr constant [7 x i8] c"%d %f\0A\00", align 1, !dbg !51
@seen = global i32 0, align 4, !dbg !56
@head = internal global ptr null, align 8, !dbg !59
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @stop, ptr null }]

define internal i32 @choose(ptr noundef byval(%struct.big) align 8 %0, i32 noundef %1) #0 !dbg !70 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
    #dbg_declare(ptr %0, !72, !DIExpression(), !73)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !74, !DIExpression(), !75)
  %5 = load i32, ptr %4, align 4, !dbg !76
  switch i32 %5, label %12 [
    i32 1, label %6
    i32 -2, label %7
  ], !dbg !77

6:                                                ; preds = %2
  store i32 5, ptr %3, align 4, !dbg !78
  br label %13, !dbg !78

7:                                                ; preds = %2
  %8 = getelementptr inbounds nuw %struct.big, ptr %0, i32 0, i32 0, !dbg !80
  %9 = getelementptr inbounds [5 x i64], ptr %8, i64 0, i64 1, !dbg !81
  %10 = load i64, ptr %9, align 8, !dbg !81
  %11 = trunc i64 %10 to i32, !dbg !81
  store i32 %11, ptr %3, align 4, !dbg !82
  br label %13, !dbg !82

12:                                               ; preds = %2
  store i32 0, ptr %3, align 4, !dbg !83
  br label %13, !dbg !83

13:                                               ; preds = %12, %7, %6
  %14 = load i32, ptr %3, align 4, !dbg !84
  ret i32 %14, !dbg !84
}

define internal void @start() #0 !dbg !85 {
  store atomic i32 1, ptr @x seq_cst, align 4, !dbg !88
  ret void, !dbg !89
}

define internal void @stop() #0 !dbg !90 {
  store atomic i32 2, ptr @x seq_cst, align 4, !dbg !91
  ret void, !dbg !92
}

define void @make(ptr dead_on_unwind noalias writable sret(%struct.big) align 8 %0) #0 !dbg !93 {
    #dbg_declare(ptr %0, !96, !DIExpression(), !97)
  call void @llvm.memset.p0.i64(ptr align 8 %0, i8 0, i64 40, i1 false), !dbg !97
  %2 = getelementptr inbounds %struct.big, ptr %0, i32 0, i32 0, !dbg !97
  %3 = getelementptr inbounds [5 x i64], ptr %2, i32 0, i32 0, !dbg !97
  store i64 1, ptr %3, align 8, !dbg !97
  %4 = getelementptr inbounds [5 x i64], ptr %2, i32 0, i32 1, !dbg !97
  store i64 2, ptr %4, align 8, !dbg !97
  ret void, !dbg !98
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

define i32 @main() #0 !dbg !99 {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i32, align 4
  %4 = alloca %struct.big, align 8
  %5 = alloca %struct.big, align 8
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !102, !DIExpression(), !105)
    #dbg_declare(ptr %3, !106, !DIExpression(), !107)
  store i32 1, ptr %3, align 4, !dbg !107
  %6 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @worker, ptr noundef %3), !dbg !108
  %7 = load i64, ptr %2, align 8, !dbg !109
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !110
  call void @make(ptr dead_on_unwind writable sret(%struct.big) align 8 %4), !dbg !111
  %9 = load i32, ptr %3, align 4, !dbg !113
  %10 = call i32 @choose(ptr noundef byval(%struct.big) align 8 %4, i32 noundef %9), !dbg !114
  %11 = load ptr, ptr @chosen, align 8, !dbg !115
  call void @make(ptr dead_on_unwind writable sret(%struct.big) align 8 %5), !dbg !116
  %12 = load i32, ptr %3, align 4, !dbg !117
  %13 = call i32 %11(ptr noundef byval(%struct.big) align 8 %5, i32 noundef %12), !dbg !115
  %14 = icmp ne i32 %10, %13, !dbg !118
  br i1 %14, label %15, label %16, !dbg !118

15:                                               ; preds = %0
  call void @abort() #6, !dbg !119
  unreachable, !dbg !119

16:                                               ; preds = %0
  %17 = load i32, ptr %3, align 4, !dbg !120
  %18 = load i32, ptr %3, align 4, !dbg !121
  %19 = sitofp i32 %18 to double, !dbg !121
  %20 = fmul double %19, 1.500000e+00, !dbg !122
  %21 = call i32 (ptr, ...) @printf(ptr noundef @.str.3, i32 noundef %17, double noundef %20), !dbg !123
  %22 = load atomic i32, ptr @x seq_cst, align 4, !dbg !124
  %23 = icmp ne i32 %22, 0, !dbg !124
  br i1 %23, label %24, label %27, !dbg !124

24:                                               ; preds = %16
  %25 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !125
  %26 = load i32, ptr %25, align 4, !dbg !125
  br label %28, !dbg !124

27:                                               ; preds = %16
  br label %28, !dbg !124

28:                                               ; preds = %27, %24
  %29 = phi i32 [ %26, %24 ], [ 0, %27 ], !dbg !124
  ret i32 %29, !dbg !126
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #2

define internal ptr @worker(ptr noundef %0) #0 !dbg !127 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !131, !DIExpression(), !132)
    #dbg_declare(ptr %3, !133, !DIExpression(), !134)
  %7 = call ptr @malloc(i64 noundef 32) #7, !dbg !135
  store ptr %7, ptr %3, align 8, !dbg !134
  %8 = load ptr, ptr %2, align 8, !dbg !136
  %9 = load i32, ptr %8, align 4, !dbg !137
  %10 = load ptr, ptr %3, align 8, !dbg !138
  %11 = getelementptr inbounds nuw %struct.node, ptr %10, i32 0, i32 0, !dbg !139
  store i32 %9, ptr %11, align 8, !dbg !140
  %12 = load ptr, ptr %3, align 8, !dbg !141
  call void @push(ptr noundef %12), !dbg !142
  store i32 1, ptr %4, align 4, !dbg !143
  %13 = load i32, ptr %4, align 4, !dbg !143
  %14 = atomicrmw add ptr @x, i32 %13 monotonic, align 4, !dbg !143
  store i32 %14, ptr %5, align 4, !dbg !143
  %15 = load i32, ptr %5, align 4, !dbg !143
  fence acq_rel, !dbg !144
  fence syncscope("singlethread") seq_cst, !dbg !145
    #dbg_declare(ptr %6, !146, !DIExpression(), !148)
  store i32 0, ptr %6, align 4, !dbg !148
  br label %16, !dbg !149

16:                                               ; preds = %44, %1
  %17 = load i32, ptr %6, align 4, !dbg !150
  %18 = icmp slt i32 %17, 3, !dbg !152
  br i1 %18, label %19, label %47, !dbg !153

19:                                               ; preds = %16
  %20 = load ptr, ptr %3, align 8, !dbg !154
  %21 = getelementptr inbounds nuw %struct.node, ptr %20, i32 0, i32 3, !dbg !156
  %22 = load i32, ptr %6, align 4, !dbg !157
  %23 = sext i32 %22 to i64, !dbg !154
  %24 = getelementptr inbounds [3 x i8], ptr %21, i64 0, i64 %23, !dbg !154
  %25 = load i8, ptr %24, align 1, !dbg !154
  %26 = sext i8 %25 to i32, !dbg !154
  %27 = icmp ne i32 %26, 0, !dbg !154
  br i1 %27, label %28, label %43, !dbg !158

28:                                               ; preds = %19
  %29 = load i32, ptr %6, align 4, !dbg !159
  %30 = icmp sgt i32 %29, 1, !dbg !160
  br i1 %30, label %36, label %31, !dbg !161

31:                                               ; preds = %28
  %32 = load ptr, ptr %3, align 8, !dbg !162
  %33 = getelementptr inbounds nuw %struct.node, ptr %32, i32 0, i32 0, !dbg !163
  %34 = load i32, ptr %33, align 8, !dbg !163
  %35 = icmp ne i32 %34, 0, !dbg !162
  br i1 %35, label %36, label %43, !dbg !158

36:                                               ; preds = %31, %28
  %37 = load i32, ptr %6, align 4, !dbg !164
  %38 = sext i32 %37 to i64, !dbg !164
  %39 = load ptr, ptr %3, align 8, !dbg !165
  %40 = getelementptr inbounds nuw %struct.node, ptr %39, i32 0, i32 2, !dbg !166
  %41 = atomicrmw add ptr %40, i64 %38 seq_cst, align 8, !dbg !167
  %42 = add i64 %41, %38, !dbg !167
  br label %43, !dbg !165

43:                                               ; preds = %36, %31, %19
  br label %44, !dbg !168

44:                                               ; preds = %43
  %45 = load i32, ptr %6, align 4, !dbg !169
  %46 = add nsw i32 %45, 1, !dbg !169
  store i32 %46, ptr %6, align 4, !dbg !169
  br label %16, !dbg !170, !llvm.loop !171

47:                                               ; preds = %16
  call void asm sideeffect "nop", "~{memory},~{dirflag},~{fpsr},~{flags}"() #8, !dbg !174, !srcloc !175
  %48 = load volatile i32, ptr @seen, align 4, !dbg !176
  %49 = add nsw i32 %48, 1, !dbg !176
  store volatile i32 %49, ptr @seen, align 4, !dbg !176
  %50 = load ptr, ptr %3, align 8, !dbg !177
  ret ptr %50, !dbg !178
}

declare i32 @pthread_join(i64 noundef, ptr noundef) #2

declare void @abort() #3

declare i32 @printf(ptr noundef, ...) #2

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #4

declare ptr @malloc(i64 noundef) #5

define internal void @push(ptr noundef %0) #0 !dbg !179 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i8, align 1
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !182, !DIExpression(), !183)
    #dbg_declare(ptr %3, !184, !DIExpression(), !185)
  %7 = load atomic i64, ptr @head monotonic, align 8, !dbg !186
  store i64 %7, ptr %4, align 8, !dbg !186
  %8 = load ptr, ptr %4, align 8, !dbg !186
  store ptr %8, ptr %3, align 8, !dbg !185
  br label %9, !dbg !187

9:                                                ; preds = %21, %1
  %10 = load ptr, ptr %3, align 8, !dbg !188
  %11 = load ptr, ptr %2, align 8, !dbg !189
  %12 = getelementptr inbounds nuw %struct.node, ptr %11, i32 0, i32 1, !dbg !190
  store ptr %10, ptr %12, align 8, !dbg !191
  br label %13, !dbg !189

13:                                               ; preds = %9
  %14 = load ptr, ptr %2, align 8, !dbg !192
  store ptr %14, ptr %5, align 8, !dbg !193
  %15 = load i64, ptr %3, align 8, !dbg !193
  %16 = load i64, ptr %5, align 8, !dbg !193
  %17 = cmpxchg weak ptr @head, i64 %15, i64 %16 release monotonic, align 8, !dbg !193
  %18 = extractvalue { i64, i1 } %17, 0, !dbg !193
  %19 = extractvalue { i64, i1 } %17, 1, !dbg !193
  br i1 %19, label %21, label %20, !dbg !193

20:                                               ; preds = %13
  store i64 %18, ptr %3, align 8, !dbg !193
  br label %21, !dbg !193

21:                                               ; preds = %20, %13
  %22 = zext i1 %19 to i8, !dbg !193
  store i8 %22, ptr %6, align 1, !dbg !193
  %23 = load i8, ptr %6, align 1, !dbg !193
  %24 = trunc i8 %23 to i1, !dbg !193
  %25 = xor i1 %24, true, !dbg !194
  br i1 %25, label %9, label %26, !dbg !189, !llvm.loop !195

26:                                               ; preds = %21
  ret void, !dbg !197
}



!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 11, type: !62, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
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
!70 = distinct !DISubprogram(name: "choose", scope: !3, file: !3, line: 18, type: !43, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !71)
!72 = !DILocalVariable(name: "b", arg: 1, scope: !70, file: !3, line: 18, type: !45)
!73 = !DILocation(line: 18, column: 30, scope: !70)
!74 = !DILocalVariable(name: "k", arg: 2, scope: !70, file: !3, line: 18, type: !6)
!75 = !DILocation(line: 18, column: 37, scope: !70)
!76 = !DILocation(line: 19, column: 11, scope: !70)
!77 = !DILocation(line: 19, column: 3, scope: !70)
!78 = !DILocation(line: 20, column: 11, scope: !79)
!79 = distinct !DILexicalBlock(scope: !70, file: !3, line: 19, column: 14)
!80 = !DILocation(line: 21, column: 21, scope: !79)
!81 = !DILocation(line: 21, column: 19, scope: !79)
!82 = !DILocation(line: 21, column: 12, scope: !79)
!83 = !DILocation(line: 22, column: 12, scope: !79)
!84 = !DILocation(line: 24, column: 1, scope: !70)
!85 = distinct !DISubprogram(name: "start", scope: !3, file: !3, line: 48, type: !86, scopeLine: 48, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2)
!88 = !DILocation(line: 48, column: 58, scope: !85)
!89 = !DILocation(line: 48, column: 63, scope: !85)
!90 = distinct !DISubprogram(name: "stop", scope: !3, file: !3, line: 49, type: !86, scopeLine: 49, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2)
!91 = !DILocation(line: 49, column: 61, scope: !90)
!92 = !DILocation(line: 49, column: 66, scope: !90)
!93 = distinct !DISubprogram(name: "make", scope: !3, file: !3, line: 51, type: !94, scopeLine: 51, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !71)
!96 = !DILocalVariable(name: "b", scope: !93, file: !3, line: 51, type: !45)
!97 = !DILocation(line: 51, column: 36, scope: !93)
!98 = !DILocation(line: 51, column: 50, scope: !93)
!99 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 53, type: !100, scopeLine: 53, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !71)
!102 = !DILocalVariable(name: "t", scope: !99, file: !3, line: 54, type: !103)
!105 = !DILocation(line: 54, column: 13, scope: !99)
!106 = !DILocalVariable(name: "a", scope: !99, file: !3, line: 55, type: !6)
!107 = !DILocation(line: 55, column: 7, scope: !99)
!108 = !DILocation(line: 56, column: 3, scope: !99)
!109 = !DILocation(line: 57, column: 16, scope: !99)
!110 = !DILocation(line: 57, column: 3, scope: !99)
!111 = !DILocation(line: 58, column: 14, scope: !112)
!112 = distinct !DILexicalBlock(scope: !99, file: !3, line: 58, column: 7)
!113 = !DILocation(line: 58, column: 22, scope: !112)
!114 = !DILocation(line: 58, column: 7, scope: !112)
!115 = !DILocation(line: 58, column: 28, scope: !112)
!116 = !DILocation(line: 58, column: 35, scope: !112)
!117 = !DILocation(line: 58, column: 43, scope: !112)
!118 = !DILocation(line: 58, column: 25, scope: !112)
!119 = !DILocation(line: 58, column: 47, scope: !112)
!120 = !DILocation(line: 59, column: 21, scope: !99)
!121 = !DILocation(line: 59, column: 24, scope: !99)
!122 = !DILocation(line: 59, column: 26, scope: !99)
!123 = !DILocation(line: 59, column: 3, scope: !99)
!124 = !DILocation(line: 60, column: 10, scope: !99)
!125 = !DILocation(line: 60, column: 14, scope: !99)
!126 = !DILocation(line: 60, column: 3, scope: !99)
!127 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 34, type: !128, scopeLine: 34, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !71)
!131 = !DILocalVariable(name: "arg", arg: 1, scope: !127, file: !3, line: 34, type: !130)
!132 = !DILocation(line: 34, column: 27, scope: !127)
!133 = !DILocalVariable(name: "n", scope: !127, file: !3, line: 35, type: !32)
!134 = !DILocation(line: 35, column: 16, scope: !127)
!135 = !DILocation(line: 35, column: 20, scope: !127)
!136 = !DILocation(line: 36, column: 22, scope: !127)
!137 = !DILocation(line: 36, column: 14, scope: !127)
!138 = !DILocation(line: 36, column: 3, scope: !127)
!139 = !DILocation(line: 36, column: 6, scope: !127)
!140 = !DILocation(line: 36, column: 12, scope: !127)
!141 = !DILocation(line: 37, column: 8, scope: !127)
!142 = !DILocation(line: 37, column: 3, scope: !127)
!143 = !DILocation(line: 38, column: 3, scope: !127)
!144 = !DILocation(line: 39, column: 3, scope: !127)
!145 = !DILocation(line: 40, column: 3, scope: !127)
!146 = !DILocalVariable(name: "i", scope: !147, file: !3, line: 41, type: !6)
!147 = distinct !DILexicalBlock(scope: !127, file: !3, line: 41, column: 3)
!148 = !DILocation(line: 41, column: 12, scope: !147)
!149 = !DILocation(line: 41, column: 8, scope: !147)
!150 = !DILocation(line: 41, column: 19, scope: !151)
!151 = distinct !DILexicalBlock(scope: !147, file: !3, line: 41, column: 3)
!152 = !DILocation(line: 41, column: 21, scope: !151)
!153 = !DILocation(line: 41, column: 3, scope: !147)
!154 = !DILocation(line: 42, column: 9, scope: !155)
!155 = distinct !DILexicalBlock(scope: !151, file: !3, line: 42, column: 9)
!156 = !DILocation(line: 42, column: 12, scope: !155)
!157 = !DILocation(line: 42, column: 16, scope: !155)
!158 = !DILocation(line: 42, column: 19, scope: !155)
!159 = !DILocation(line: 42, column: 23, scope: !155)
!160 = !DILocation(line: 42, column: 25, scope: !155)
!161 = !DILocation(line: 42, column: 29, scope: !155)
!162 = !DILocation(line: 42, column: 32, scope: !155)
!163 = !DILocation(line: 42, column: 35, scope: !155)
!164 = !DILocation(line: 42, column: 55, scope: !155)
!165 = !DILocation(line: 42, column: 43, scope: !155)
!166 = !DILocation(line: 42, column: 46, scope: !155)
!167 = !DILocation(line: 42, column: 52, scope: !155)
!168 = !DILocation(line: 42, column: 40, scope: !155)
!169 = !DILocation(line: 41, column: 27, scope: !151)
!170 = !DILocation(line: 41, column: 3, scope: !151)
!172 = !DILocation(line: 42, column: 55, scope: !147)
!174 = !DILocation(line: 43, column: 3, scope: !127)
!176 = !DILocation(line: 44, column: 7, scope: !127)
!177 = !DILocation(line: 45, column: 10, scope: !127)
!178 = !DILocation(line: 45, column: 3, scope: !127)
!179 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 27, type: !180, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !71)
!182 = !DILocalVariable(name: "n", arg: 1, scope: !179, file: !3, line: 27, type: !32)
!183 = !DILocation(line: 27, column: 38, scope: !179)
!184 = !DILocalVariable(name: "old", scope: !179, file: !3, line: 28, type: !32)
!185 = !DILocation(line: 28, column: 16, scope: !179)
!186 = !DILocation(line: 28, column: 22, scope: !179)
!187 = !DILocation(line: 29, column: 3, scope: !179)
!188 = !DILocation(line: 30, column: 15, scope: !179)
!189 = !DILocation(line: 30, column: 5, scope: !179)
!190 = !DILocation(line: 30, column: 8, scope: !179)
!191 = !DILocation(line: 30, column: 13, scope: !179)
!192 = !DILocation(line: 31, column: 59, scope: !179)
!193 = !DILocation(line: 31, column: 11, scope: !179)
!194 = !DILocation(line: 31, column: 10, scope: !179)
!196 = !DILocation(line: 31, column: 97, scope: !179)
!197 = !DILocation(line: 32, column: 1, scope: !179)
