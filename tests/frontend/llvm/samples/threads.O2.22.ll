source_filename = "threads.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }

@top = internal global ptr null, align 8, !dbg !0
@.str = private unnamed_addr constant [41 x i8] c"node->pair.third == 2 * node->pair.first\00", align 1, !dbg !20
@.str.1 = private unnamed_addr constant [10 x i8] c"threads.c\00", align 1, !dbg !26
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !31
@.str.2 = private unnamed_addr constant [27 x i8] c"found == 34 || found == 43\00", align 1, !dbg !37
@counter = internal unnamed_addr global i32 0, align 4, !dbg !52
@own = internal thread_local unnamed_addr global i32 5, align 4, !dbg !106
@.str.3 = private unnamed_addr constant [26 x i8] c"counter == 13 && own == 5\00", align 1, !dbg !42
@flag = internal unnamed_addr global i32 0, align 4, !dbg !58
@data = internal unnamed_addr global i32 0, align 4, !dbg !54
@.str.4 = private unnamed_addr constant [56 x i8] c"atomic_load_explicit(&data, memory_order_relaxed) == 42\00", align 1, !dbg !47
@mutex = internal global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !75

define noundef i32 @main() local_unnamed_addr !dbg !127 {
  %1 = alloca [2 x i64], align 16
    #dbg_assign(i1 poison, !131, !DIExpression(), !144, ptr %1, !DIExpression(), !145)
  %2 = alloca i64, align 8
    #dbg_assign(i1 poison, !135, !DIExpression(), !146, ptr %2, !DIExpression(), !145)
  call void @llvm.lifetime.start.p0(ptr nonnull %1), !dbg !147
  call void @llvm.lifetime.start.p0(ptr nonnull %2), !dbg !147
    #dbg_value(i64 0, !136, !DIExpression(), !148)
  %3 = call i32 @pthread_create(ptr noundef nonnull %1, ptr noundef null, ptr noundef nonnull @worker, ptr noundef nonnull inttoptr (i64 1 to ptr)), !dbg !149
    #dbg_value(i64 1, !136, !DIExpression(), !148)
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 8, !dbg !151
  %5 = call i32 @pthread_create(ptr noundef nonnull %4, ptr noundef null, ptr noundef nonnull @worker, ptr noundef nonnull inttoptr (i64 2 to ptr)), !dbg !149
    #dbg_value(i64 2, !136, !DIExpression(), !148)
    #dbg_value(i64 0, !138, !DIExpression(), !152)
  %6 = load i64, ptr %1, align 16, !dbg !153
  %7 = call i32 @pthread_join(i64 noundef %6, ptr noundef null), !dbg !157
    #dbg_value(i64 1, !138, !DIExpression(), !152)
  %8 = load i64, ptr %4, align 8, !dbg !153
  %9 = call i32 @pthread_join(i64 noundef %8, ptr noundef null), !dbg !157
    #dbg_value(i64 2, !138, !DIExpression(), !152)
    #dbg_value(i32 0, !140, !DIExpression(), !145)
  %10 = load atomic ptr, ptr @top seq_cst, align 8, !dbg !158
    #dbg_value(ptr %10, !141, !DIExpression(), !160)
  %11 = icmp eq ptr %10, null, !dbg !161
  br i1 %11, label %30, label %13, !dbg !162

12:                                               ; preds = %23
  switch i32 %26, label %30 [
    i32 43, label %31
    i32 34, label %31
  ], !dbg !163

13:                                               ; preds = %0, %23
  %14 = phi i32 [ %26, %23 ], [ 0, %0 ]
  %15 = phi ptr [ %28, %23 ], [ %10, %0 ]
    #dbg_value(ptr %15, !141, !DIExpression(), !160)
    #dbg_value(ptr poison, !143, !DIExpression(), !160)
    #dbg_value(!DIArgList(i32 poison, i32 poison), !140, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !145)
  %16 = getelementptr inbounds nuw i8, ptr %15, i64 16, !dbg !166
  %17 = getelementptr inbounds nuw i8, ptr %15, i64 32, !dbg !171
  %18 = load i64, ptr %17, align 8, !dbg !171
  %19 = load i64, ptr %16, align 8, !dbg !177
  %20 = shl nsw i64 %19, 1, !dbg !179
  %21 = icmp eq i64 %18, %20, !dbg !180
  br i1 %21, label %23, label %22, !dbg !181

22:                                               ; preds = %13
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 68, ptr noundef nonnull @__PRETTY_FUNCTION__.main), !dbg !182
  unreachable, !dbg !182

23:                                               ; preds = %13
  %24 = mul nsw i32 %14, 10, !dbg !183
  %25 = load i32, ptr %15, align 8, !dbg !184
    #dbg_value(!DIArgList(i32 %24, i32 %25), !140, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !145)
  %26 = add nsw i32 %25, %24, !dbg !186
    #dbg_value(i32 %26, !140, !DIExpression(), !145)
  %27 = getelementptr inbounds nuw i8, ptr %15, i64 8, !dbg !187
  %28 = load ptr, ptr %27, align 8, !dbg !188
    #dbg_value(ptr %28, !143, !DIExpression(), !160)
  call void @free(ptr noundef nonnull %15), !dbg !190
    #dbg_value(ptr %28, !141, !DIExpression(), !160)
  %29 = icmp eq ptr %28, null, !dbg !191
  br i1 %29, label %12, label %13, !dbg !192

30:                                               ; preds = %0, %12
  call void @__assert_fail(ptr noundef nonnull @.str.2, ptr noundef nonnull @.str.1, i32 noundef 71, ptr noundef nonnull @__PRETTY_FUNCTION__.main), !dbg !197
  unreachable, !dbg !197

31:                                               ; preds = %12, %12
  %32 = load i32, ptr @counter, align 4, !dbg !198
  %33 = icmp eq i32 %32, 13, !dbg !201
  %34 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own)
  %35 = load i32, ptr %34, align 4
  %36 = icmp eq i32 %35, 5
  %37 = select i1 %33, i1 %36, i1 false, !dbg !202
  br i1 %37, label %39, label %38, !dbg !202

38:                                               ; preds = %31
  call void @__assert_fail(ptr noundef nonnull @.str.3, ptr noundef nonnull @.str.1, i32 noundef 72, ptr noundef nonnull @__PRETTY_FUNCTION__.main), !dbg !203
  unreachable, !dbg !203

39:                                               ; preds = %31
  %40 = call i32 @pthread_create(ptr noundef nonnull %2, ptr noundef null, ptr noundef nonnull @publish, ptr noundef null), !dbg !204
  %41 = load atomic i32, ptr @flag acquire, align 4, !dbg !205
  %42 = icmp eq i32 %41, 0, !dbg !207
  br i1 %42, label %47, label %43, !dbg !208

43:                                               ; preds = %39
  %44 = load atomic i32, ptr @data monotonic, align 4, !dbg !209
  %45 = icmp eq i32 %44, 42, !dbg !212
  br i1 %45, label %47, label %46, !dbg !213

46:                                               ; preds = %43
  call void @__assert_fail(ptr noundef nonnull @.str.4, ptr noundef nonnull @.str.1, i32 noundef 75, ptr noundef nonnull @__PRETTY_FUNCTION__.main), !dbg !214
  unreachable, !dbg !214

47:                                               ; preds = %43, %39
  %48 = load i64, ptr %2, align 8, !dbg !215
  %49 = call i32 @pthread_join(i64 noundef %48, ptr noundef null), !dbg !216
  call void @llvm.lifetime.end.p0(ptr nonnull %2), !dbg !217
  call void @llvm.lifetime.end.p0(ptr nonnull %1), !dbg !217
  ret i32 0, !dbg !218
}

declare void @llvm.lifetime.start.p0(ptr captures(none))

declare !dbg !219 i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr

define internal noalias noundef ptr @worker(ptr noundef %0) !dbg !237 {
    #dbg_value(ptr %0, !239, !DIExpression(), !243)
  %2 = ptrtoint ptr %0 to i64, !dbg !244
    #dbg_value(i64 %2, !240, !DIExpression(), !243)
  %3 = tail call noalias dereferenceable_or_null(40) ptr @malloc(i64 noundef 40), !dbg !245
    #dbg_value(ptr %3, !241, !DIExpression(), !243)
    #dbg_value(i64 %2, !246, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !250)
    #dbg_value(i64 %2, !242, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !243)
    #dbg_value(i64 0, !246, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !250)
    #dbg_value(i64 0, !242, !DIExpression(DW_OP_LLVM_fragment, 64, 64), !243)
  %4 = shl nsw i64 %2, 1, !dbg !252
    #dbg_value(i64 %4, !246, !DIExpression(DW_OP_LLVM_fragment, 128, 64), !250)
    #dbg_value(i64 %4, !242, !DIExpression(DW_OP_LLVM_fragment, 128, 64), !243)
  %5 = trunc i64 %2 to i32, !dbg !253
    #dbg_value(i32 %5, !249, !DIExpression(), !250)
  %6 = icmp eq i32 %5, 2, !dbg !254
  %7 = select i1 %6, i32 4, i32 -1, !dbg !254
  %8 = icmp eq i32 %5, 1, !dbg !254
  %9 = select i1 %8, i32 3, i32 %7, !dbg !254
  store i32 %9, ptr %3, align 8, !dbg !255
  %10 = getelementptr inbounds nuw i8, ptr %3, i64 16, !dbg !256
  store i64 %2, ptr %10, align 8, !dbg !257
  %11 = getelementptr inbounds nuw i8, ptr %3, i64 24, !dbg !257
  store i64 0, ptr %11, align 8, !dbg !257
  %12 = getelementptr inbounds nuw i8, ptr %3, i64 32, !dbg !257
  store i64 %4, ptr %12, align 8, !dbg !257
    #dbg_value(ptr %3, !258, !DIExpression(), !263)
  %13 = load atomic i64, ptr @top monotonic, align 8, !dbg !265
  %14 = getelementptr inbounds nuw i8, ptr %3, i64 8, !dbg !266
  %15 = ptrtoint ptr %3 to i64
  %16 = inttoptr i64 %13 to ptr, !dbg !263
  store ptr %16, ptr %14, align 8, !dbg !263
  %17 = cmpxchg weak ptr @top, i64 %13, i64 %15 release monotonic, align 8, !dbg !267
  %18 = extractvalue { i64, i1 } %17, 1, !dbg !268
  br i1 %18, label %25, label %19, !dbg !267

19:                                               ; preds = %1, %19
  %20 = phi { i64, i1 } [ %23, %19 ], [ %17, %1 ]
  %21 = extractvalue { i64, i1 } %20, 0, !dbg !269
  %22 = inttoptr i64 %21 to ptr, !dbg !263
  store ptr %22, ptr %14, align 8, !dbg !263
  %23 = cmpxchg weak ptr @top, i64 %21, i64 %15 release monotonic, align 8, !dbg !267
  %24 = extractvalue { i64, i1 } %23, 1, !dbg !270
  br i1 %24, label %25, label %19, !dbg !267

25:                                               ; preds = %19, %1
  %26 = tail call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !274
  %27 = load i32, ptr %26, align 4, !dbg !275
  %28 = add i32 %27, %5, !dbg !276
  store i32 %28, ptr %26, align 4, !dbg !277
  %29 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @mutex), !dbg !278
  %30 = load i32, ptr %26, align 4, !dbg !279
  %31 = load i32, ptr @counter, align 4, !dbg !280
  %32 = add nsw i32 %31, %30, !dbg !281
  store i32 %32, ptr @counter, align 4, !dbg !282
  %33 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @mutex), !dbg !283
  ret ptr null, !dbg !284
}

declare void @llvm.lifetime.end.p0(ptr captures(none))

declare !dbg !285 i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr

declare !dbg !289 void @free(ptr allocptr noundef captures(none)) local_unnamed_addr

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)

define internal noalias noundef ptr @publish(ptr readnone captures(none) %0) !dbg !293 {
    #dbg_value(ptr poison, !295, !DIExpression(), !296)
  store atomic i32 42, ptr @data monotonic, align 4, !dbg !297
  store atomic i32 1, ptr @flag monotonic, align 4, !dbg !298
  ret ptr null, !dbg !299
}

declare !dbg !300 noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr

declare !dbg !305 i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr

declare !dbg !309 i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "top", scope: !2, file: !3, line: 13, type: !108, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !19, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "threads.c", directory: "/src")
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(scope: null, file: !3, line: 68, type: !22, isLocal: true, isDefinition: true)
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(scope: null, file: !3, line: 68, type: !28, isLocal: true, isDefinition: true)
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!32 = distinct !DIGlobalVariable(scope: null, file: !3, line: 68, type: !33, isLocal: true, isDefinition: true)
!37 = !DIGlobalVariableExpression(var: !38, expr: !DIExpression())
!38 = distinct !DIGlobalVariable(scope: null, file: !3, line: 71, type: !39, isLocal: true, isDefinition: true)
!42 = !DIGlobalVariableExpression(var: !43, expr: !DIExpression())
!43 = distinct !DIGlobalVariable(scope: null, file: !3, line: 72, type: !44, isLocal: true, isDefinition: true)
!47 = !DIGlobalVariableExpression(var: !48, expr: !DIExpression())
!48 = distinct !DIGlobalVariable(scope: null, file: !3, line: 75, type: !49, isLocal: true, isDefinition: true)
!52 = !DIGlobalVariableExpression(var: !53, expr: !DIExpression())
!53 = distinct !DIGlobalVariable(name: "counter", scope: !2, file: !3, line: 15, type: !18, isLocal: true, isDefinition: true)
!54 = !DIGlobalVariableExpression(var: !55, expr: !DIExpression())
!55 = distinct !DIGlobalVariable(name: "data", scope: !2, file: !3, line: 17, type: !56, isLocal: true, isDefinition: true)
!58 = !DIGlobalVariableExpression(var: !59, expr: !DIExpression())
!59 = distinct !DIGlobalVariable(name: "flag", scope: !2, file: !3, line: 17, type: !56, isLocal: true, isDefinition: true)
!60 = !DIGlobalVariableExpression(var: !61, expr: !DIExpression())
!61 = distinct !DIGlobalVariable(name: "operations", scope: !2, file: !3, line: 21, type: !62, isLocal: true, isDefinition: true)
!75 = !DIGlobalVariableExpression(var: !76, expr: !DIExpression())
!76 = distinct !DIGlobalVariable(name: "mutex", scope: !2, file: !3, line: 14, type: !77, isLocal: true, isDefinition: true)
!106 = !DIGlobalVariableExpression(var: !107, expr: !DIExpression())
!107 = distinct !DIGlobalVariable(name: "own", scope: !2, file: !3, line: 16, type: !18, isLocal: true, isDefinition: true)
!127 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 58, type: !128, scopeLine: 58, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !130, keyInstructions: true)
!131 = !DILocalVariable(name: "workers", scope: !127, file: !3, line: 59, type: !132)
!135 = !DILocalVariable(name: "publisher", scope: !127, file: !3, line: 59, type: !133)
!136 = !DILocalVariable(name: "i", scope: !137, file: !3, line: 60, type: !17)
!137 = distinct !DILexicalBlock(scope: !127, file: !3, line: 60, column: 3)
!138 = !DILocalVariable(name: "i", scope: !139, file: !3, line: 62, type: !18)
!139 = distinct !DILexicalBlock(scope: !127, file: !3, line: 62, column: 3)
!140 = !DILocalVariable(name: "found", scope: !127, file: !3, line: 64, type: !18)
!141 = !DILocalVariable(name: "node", scope: !142, file: !3, line: 65, type: !109)
!142 = distinct !DILexicalBlock(scope: !127, file: !3, line: 65, column: 3)
!143 = !DILocalVariable(name: "next", scope: !142, file: !3, line: 65, type: !109)
!144 = distinct !DIAssignID()
!145 = !DILocation(line: 0, scope: !127)
!146 = distinct !DIAssignID()
!147 = !DILocation(line: 59, column: 3, scope: !127)
!148 = !DILocation(line: 0, scope: !137)
!149 = !DILocation(line: 61, column: 5, scope: !150)
!150 = distinct !DILexicalBlock(scope: !137, file: !3, line: 60, column: 3)
!151 = !DILocation(line: 61, column: 21, scope: !150)
!152 = !DILocation(line: 0, scope: !139)
!153 = !DILocation(line: 63, column: 18, scope: !154)
!154 = distinct !DILexicalBlock(scope: !139, file: !3, line: 62, column: 3)
!157 = !DILocation(line: 63, column: 5, scope: !154)
!158 = !DILocation(line: 65, column: 28, scope: !142, atomGroup: 12, atomRank: 2)
!160 = !DILocation(line: 0, scope: !142)
!161 = !DILocation(line: 65, column: 3, scope: !142, atomGroup: 35, atomRank: 1)
!162 = !DILocation(line: 65, column: 3, scope: !142, atomGroup: 36, atomRank: 1)
!163 = !DILocation(line: 71, column: 22, scope: !164, atomGroup: 20, atomRank: 1)
!164 = distinct !DILexicalBlock(scope: !165, file: !3, line: 71, column: 10)
!165 = distinct !DILexicalBlock(scope: !127, file: !3, line: 71, column: 3)
!166 = !DILocation(line: 68, column: 18, scope: !167)
!167 = distinct !DILexicalBlock(scope: !168, file: !3, line: 68, column: 12)
!168 = distinct !DILexicalBlock(scope: !169, file: !3, line: 68, column: 5)
!169 = distinct !DILexicalBlock(scope: !170, file: !3, line: 65, column: 59)
!170 = distinct !DILexicalBlock(scope: !142, file: !3, line: 65, column: 3)
!171 = !DILocation(line: 68, column: 23, scope: !167)
!177 = !DILocation(line: 68, column: 47, scope: !167)
!179 = !DILocation(line: 68, column: 34, scope: !167)
!180 = !DILocation(line: 68, column: 29, scope: !167, atomGroup: 17, atomRank: 2)
!181 = !DILocation(line: 68, column: 29, scope: !167, atomGroup: 17, atomRank: 1)
!182 = !DILocation(line: 68, column: 5, scope: !167)
!183 = !DILocation(line: 67, column: 16, scope: !169)
!184 = !DILocation(line: 67, column: 32, scope: !169)
!186 = !DILocation(line: 67, column: 24, scope: !169, atomGroup: 16, atomRank: 2)
!187 = !DILocation(line: 66, column: 18, scope: !169)
!188 = !DILocation(line: 66, column: 18, scope: !169, atomGroup: 15, atomRank: 2)
!190 = !DILocation(line: 69, column: 5, scope: !169)
!191 = !DILocation(line: 65, column: 3, scope: !142, atomGroup: 13, atomRank: 1)
!192 = !DILocation(line: 65, column: 3, scope: !142, atomGroup: 14, atomRank: 1)
!194 = !DILocation(line: 65, column: 3, scope: !142)
!195 = !DILocation(line: 70, column: 3, scope: !142)
!197 = !DILocation(line: 71, column: 3, scope: !164)
!198 = !DILocation(line: 72, column: 10, scope: !199)
!199 = distinct !DILexicalBlock(scope: !200, file: !3, line: 72, column: 10)
!200 = distinct !DILexicalBlock(scope: !127, file: !3, line: 72, column: 3)
!201 = !DILocation(line: 72, column: 18, scope: !199, atomGroup: 22, atomRank: 2)
!202 = !DILocation(line: 72, column: 24, scope: !199, atomGroup: 22, atomRank: 1)
!203 = !DILocation(line: 72, column: 3, scope: !199)
!204 = !DILocation(line: 73, column: 3, scope: !127)
!205 = !DILocation(line: 74, column: 7, scope: !206, atomGroup: 24, atomRank: 2)
!206 = distinct !DILexicalBlock(scope: !127, file: !3, line: 74, column: 7)
!207 = !DILocation(line: 74, column: 7, scope: !206, atomGroup: 25, atomRank: 2)
!208 = !DILocation(line: 74, column: 7, scope: !206, atomGroup: 25, atomRank: 1)
!209 = !DILocation(line: 75, column: 12, scope: !210, atomGroup: 26, atomRank: 2)
!210 = distinct !DILexicalBlock(scope: !211, file: !3, line: 75, column: 12)
!211 = distinct !DILexicalBlock(scope: !206, file: !3, line: 75, column: 5)
!212 = !DILocation(line: 75, column: 62, scope: !210, atomGroup: 27, atomRank: 2)
!213 = !DILocation(line: 75, column: 62, scope: !210, atomGroup: 27, atomRank: 1)
!214 = !DILocation(line: 75, column: 5, scope: !210)
!215 = !DILocation(line: 76, column: 16, scope: !127)
!216 = !DILocation(line: 76, column: 3, scope: !127)
!217 = !DILocation(line: 78, column: 1, scope: !127)
!218 = !DILocation(line: 77, column: 3, scope: !127, atomGroup: 29, atomRank: 1)
!219 = !DISubprogram(name: "pthread_create", scope: !220, file: !220, line: 202, type: !221, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!237 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 38, type: !234, scopeLine: 38, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !238, keyInstructions: true)
!239 = !DILocalVariable(name: "argument", arg: 1, scope: !237, file: !3, line: 38, type: !16)
!240 = !DILocalVariable(name: "number", scope: !237, file: !3, line: 39, type: !17)
!241 = !DILocalVariable(name: "node", scope: !237, file: !3, line: 40, type: !109)
!242 = !DILocalVariable(name: "pair", scope: !237, file: !3, line: 41, type: !68)
!243 = !DILocation(line: 0, scope: !237)
!244 = !DILocation(line: 39, column: 17, scope: !237, atomGroup: 1, atomRank: 2)
!245 = !DILocation(line: 40, column: 23, scope: !237, atomGroup: 2, atomRank: 2)
!246 = !DILocalVariable(name: "pair", arg: 1, scope: !247, file: !3, line: 23, type: !68)
!247 = distinct !DISubprogram(name: "chosen", scope: !3, file: !3, line: 23, type: !66, scopeLine: 23, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !248, keyInstructions: true)
!249 = !DILocalVariable(name: "by", arg: 2, scope: !247, file: !3, line: 23, type: !18)
!250 = !DILocation(line: 0, scope: !247, inlinedAt: !251)
!251 = distinct !DILocation(line: 42, column: 17, scope: !237)
!252 = !DILocation(line: 41, column: 36, scope: !237, atomGroup: 3, atomRank: 2)
!253 = !DILocation(line: 42, column: 30, scope: !237)
!254 = !DILocation(line: 24, column: 3, scope: !247, inlinedAt: !251, atomGroup: 1, atomRank: 1)
!255 = !DILocation(line: 42, column: 15, scope: !237, atomGroup: 4, atomRank: 1)
!256 = !DILocation(line: 43, column: 17, scope: !237)
!257 = !DILocation(line: 43, column: 3, scope: !237, atomGroup: 5, atomRank: 1)
!258 = !DILocalVariable(name: "node", arg: 1, scope: !259, file: !3, line: 31, type: !109)
!259 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 31, type: !260, scopeLine: 31, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !262, keyInstructions: true)
!263 = !DILocation(line: 0, scope: !259, inlinedAt: !264)
!264 = distinct !DILocation(line: 44, column: 3, scope: !237)
!265 = !DILocation(line: 32, column: 16, scope: !259, inlinedAt: !264, atomGroup: 2, atomRank: 2)
!266 = !DILocation(line: 32, column: 9, scope: !259, inlinedAt: !264)
!267 = !DILocation(line: 33, column: 11, scope: !259, inlinedAt: !264)
!268 = !DILocation(line: 33, column: 11, scope: !259, inlinedAt: !264, atomGroup: 30, atomRank: 3)
!269 = !DILocation(line: 33, column: 11, scope: !259, inlinedAt: !264, atomGroup: 3, atomRank: 2)
!270 = !DILocation(line: 33, column: 11, scope: !259, inlinedAt: !264, atomGroup: 3, atomRank: 3)
!272 = !DILocation(line: 33, column: 3, scope: !259, inlinedAt: !264)
!273 = !DILocation(line: 35, column: 5, scope: !259, inlinedAt: !264)
!274 = !DILocation(line: 45, column: 3, scope: !237)
!275 = !DILocation(line: 45, column: 7, scope: !237)
!276 = !DILocation(line: 45, column: 7, scope: !237, atomGroup: 6, atomRank: 2)
!277 = !DILocation(line: 45, column: 7, scope: !237, atomGroup: 6, atomRank: 1)
!278 = !DILocation(line: 46, column: 3, scope: !237)
!279 = !DILocation(line: 47, column: 14, scope: !237)
!280 = !DILocation(line: 47, column: 11, scope: !237)
!281 = !DILocation(line: 47, column: 11, scope: !237, atomGroup: 7, atomRank: 2)
!282 = !DILocation(line: 47, column: 11, scope: !237, atomGroup: 7, atomRank: 1)
!283 = !DILocation(line: 48, column: 3, scope: !237)
!284 = !DILocation(line: 49, column: 3, scope: !237, atomGroup: 9, atomRank: 1)
!285 = !DISubprogram(name: "pthread_join", scope: !220, file: !220, line: 219, type: !286, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!289 = !DISubprogram(name: "free", scope: !290, file: !290, line: 697, type: !291, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!293 = distinct !DISubprogram(name: "publish", scope: !3, file: !3, line: 52, type: !234, scopeLine: 52, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !294, keyInstructions: true)
!295 = !DILocalVariable(name: "argument", arg: 1, scope: !293, file: !3, line: 52, type: !16)
!296 = !DILocation(line: 0, scope: !293)
!297 = !DILocation(line: 53, column: 3, scope: !293, atomGroup: 1, atomRank: 1)
!298 = !DILocation(line: 54, column: 3, scope: !293, atomGroup: 2, atomRank: 1)
!299 = !DILocation(line: 55, column: 3, scope: !293, atomGroup: 3, atomRank: 1)
!300 = !DISubprogram(name: "malloc", scope: !290, file: !290, line: 682, type: !301, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!305 = !DISubprogram(name: "pthread_mutex_lock", scope: !220, file: !220, line: 794, type: !306, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!309 = !DISubprogram(name: "pthread_mutex_unlock", scope: !220, file: !220, line: 835, type: !306, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
