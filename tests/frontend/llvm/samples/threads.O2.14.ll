source_filename = "threads.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.node = type { i32, %struct.node*, %struct.pair }
%struct.pair = type { i64, i64, i64 }
%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { %struct.__pthread_internal_list*, %struct.__pthread_internal_list* }
%union.pthread_attr_t = type { i64, [48 x i8] }

@top = internal global %struct.node* null, align 8, !dbg !0
@.str = private unnamed_addr constant [41 x i8] c"node->pair.third == 2 * node->pair.first\00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"threads.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@.str.2 = private unnamed_addr constant [27 x i8] c"found == 34 || found == 43\00", align 1
@counter = internal unnamed_addr global i32 0, align 4, !dbg !20
@own = internal thread_local unnamed_addr global i32 5, align 4, !dbg !75
@.str.3 = private unnamed_addr constant [26 x i8] c"counter == 13 && own == 5\00", align 1
@flag = internal unnamed_addr global i32 0, align 4, !dbg !26
@data = internal unnamed_addr global i32 0, align 4, !dbg !22
@.str.4 = private unnamed_addr constant [56 x i8] c"atomic_load_explicit(&data, memory_order_relaxed) == 42\00", align 1
@mutex = internal global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !43

define dso_local i32 @main() local_unnamed_addr !dbg !91 {
  %1 = alloca [2 x i64], align 16
  %2 = alloca i64, align 8
  %3 = bitcast [2 x i64]* %1 to i8*, !dbg !108
  call void @llvm.lifetime.start.p0i8(i64 16, i8* nonnull %3), !dbg !108
  call void @llvm.dbg.declare(metadata [2 x i64]* %1, metadata !95, metadata !DIExpression()), !dbg !109
  %4 = bitcast i64* %2 to i8*, !dbg !108
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %4), !dbg !108
  call void @llvm.dbg.value(metadata i64 0, metadata !100, metadata !DIExpression()), !dbg !110
  call void @llvm.dbg.value(metadata i64 0, metadata !100, metadata !DIExpression()), !dbg !110
  %5 = getelementptr inbounds [2 x i64], [2 x i64]* %1, i64 0, i64 0, !dbg !111
  %6 = call i32 @pthread_create(i64* noundef nonnull %5, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef nonnull @worker, i8* noundef nonnull inttoptr (i64 1 to i8*)), !dbg !113
  call void @llvm.dbg.value(metadata i64 1, metadata !100, metadata !DIExpression()), !dbg !110
  call void @llvm.dbg.value(metadata i64 1, metadata !100, metadata !DIExpression()), !dbg !110
  %7 = getelementptr inbounds [2 x i64], [2 x i64]* %1, i64 0, i64 1, !dbg !111
  %8 = call i32 @pthread_create(i64* noundef nonnull %7, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef nonnull @worker, i8* noundef nonnull inttoptr (i64 2 to i8*)), !dbg !113
  call void @llvm.dbg.value(metadata i64 2, metadata !100, metadata !DIExpression()), !dbg !110
  call void @llvm.dbg.value(metadata i64 0, metadata !102, metadata !DIExpression()), !dbg !114
  %9 = load i64, i64* %5, align 16, !dbg !115
  %10 = call i32 @pthread_join(i64 noundef %9, i8** noundef null), !dbg !121
  call void @llvm.dbg.value(metadata i64 1, metadata !102, metadata !DIExpression()), !dbg !114
  call void @llvm.dbg.value(metadata i64 1, metadata !102, metadata !DIExpression()), !dbg !114
  %11 = load i64, i64* %7, align 8, !dbg !115
  %12 = call i32 @pthread_join(i64 noundef %11, i8** noundef null), !dbg !121
  call void @llvm.dbg.value(metadata i64 2, metadata !102, metadata !DIExpression()), !dbg !114
  call void @llvm.dbg.value(metadata i32 0, metadata !104, metadata !DIExpression()), !dbg !122
  %13 = load atomic i64, i64* bitcast (%struct.node** @top to i64*) seq_cst, align 8, !dbg !123
  call void @llvm.dbg.value(metadata i64 %13, metadata !105, metadata !DIExpression()), !dbg !125
  call void @llvm.dbg.value(metadata i32 0, metadata !104, metadata !DIExpression()), !dbg !122
  %14 = icmp eq i64 %13, 0, !dbg !126
  br i1 %14, label %37, label %15, !dbg !126

15:                                               ; preds = %0
  %16 = inttoptr i64 %13 to %struct.node*, !dbg !123
  call void @llvm.dbg.value(metadata %struct.node* %16, metadata !105, metadata !DIExpression()), !dbg !125
  br label %18, !dbg !126

17:                                               ; preds = %28
  switch i32 %32, label %37 [
    i32 43, label %38
    i32 34, label %38
  ], !dbg !127

18:                                               ; preds = %15, %28
  %19 = phi i32 [ %32, %28 ], [ 0, %15 ]
  %20 = phi %struct.node* [ %34, %28 ], [ %16, %15 ]
  call void @llvm.dbg.value(metadata %struct.node* %20, metadata !105, metadata !DIExpression()), !dbg !125
  call void @llvm.dbg.value(metadata %struct.node* undef, metadata !107, metadata !DIExpression()), !dbg !125
  call void @llvm.dbg.value(metadata !DIArgList(i32 %19, i32 undef), metadata !104, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_constu, 10, DW_OP_mul, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)), !dbg !122
  %21 = getelementptr inbounds %struct.node, %struct.node* %20, i64 0, i32 2, i32 2, !dbg !130
  %22 = load i64, i64* %21, align 8, !dbg !130
  %23 = getelementptr inbounds %struct.node, %struct.node* %20, i64 0, i32 2, i32 0, !dbg !130
  %24 = load i64, i64* %23, align 8, !dbg !130
  %25 = shl nsw i64 %24, 1, !dbg !130
  %26 = icmp eq i64 %22, %25, !dbg !130
  br i1 %26, label %28, label %27, !dbg !141

27:                                               ; preds = %18
  call void @__assert_fail(i8* noundef getelementptr inbounds ([41 x i8], [41 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 68, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !130
  unreachable, !dbg !130

28:                                               ; preds = %18
  %29 = mul nsw i32 %19, 10, !dbg !142
  call void @llvm.dbg.value(metadata !DIArgList(i32 %29, i32 undef), metadata !104, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)), !dbg !122
  %30 = getelementptr inbounds %struct.node, %struct.node* %20, i64 0, i32 0, !dbg !143
  %31 = load i32, i32* %30, align 8, !dbg !143
  call void @llvm.dbg.value(metadata !DIArgList(i32 %19, i32 %31), metadata !104, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_constu, 10, DW_OP_mul, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)), !dbg !122
  %32 = add nsw i32 %31, %29, !dbg !145
  call void @llvm.dbg.value(metadata i32 %32, metadata !104, metadata !DIExpression()), !dbg !122
  %33 = getelementptr inbounds %struct.node, %struct.node* %20, i64 0, i32 1, !dbg !146
  %34 = load %struct.node*, %struct.node** %33, align 8, !dbg !146
  call void @llvm.dbg.value(metadata %struct.node* %34, metadata !107, metadata !DIExpression()), !dbg !125
  %35 = bitcast %struct.node* %20 to i8*, !dbg !148
  call void @free(i8* noundef %35), !dbg !149
  call void @llvm.dbg.value(metadata %struct.node* %34, metadata !105, metadata !DIExpression()), !dbg !125
  %36 = icmp eq %struct.node* %34, null, !dbg !126
  br i1 %36, label %17, label %18, !dbg !126

37:                                               ; preds = %0, %17
  call void @__assert_fail(i8* noundef getelementptr inbounds ([27 x i8], [27 x i8]* @.str.2, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 71, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !127
  unreachable, !dbg !127

38:                                               ; preds = %17, %17
  %39 = load i32, i32* @counter, align 4, !dbg !153
  %40 = icmp eq i32 %39, 13, !dbg !153
  %41 = load i32, i32* @own, align 4, !dbg !153
  %42 = icmp eq i32 %41, 5, !dbg !153
  %43 = select i1 %40, i1 %42, i1 false, !dbg !153
  br i1 %43, label %45, label %44, !dbg !153

44:                                               ; preds = %38
  call void @__assert_fail(i8* noundef getelementptr inbounds ([26 x i8], [26 x i8]* @.str.3, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 72, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !153
  unreachable, !dbg !153

45:                                               ; preds = %38
  call void @llvm.dbg.value(metadata i64* %2, metadata !99, metadata !DIExpression(DW_OP_deref)), !dbg !122
  %46 = call i32 @pthread_create(i64* noundef nonnull %2, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef nonnull @publish, i8* noundef null), !dbg !157
  %47 = load atomic i32, i32* @flag acquire, align 4, !dbg !158
  %48 = icmp eq i32 %47, 0, !dbg !158
  br i1 %48, label %53, label %49, !dbg !160

49:                                               ; preds = %45
  %50 = load atomic i32, i32* @data monotonic, align 4, !dbg !161
  %51 = icmp eq i32 %50, 42, !dbg !161
  br i1 %51, label %53, label %52, !dbg !164

52:                                               ; preds = %49
  call void @__assert_fail(i8* noundef getelementptr inbounds ([56 x i8], [56 x i8]* @.str.4, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 75, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !161
  unreachable, !dbg !161

53:                                               ; preds = %49, %45
  %54 = load i64, i64* %2, align 8, !dbg !165
  call void @llvm.dbg.value(metadata i64 %54, metadata !99, metadata !DIExpression()), !dbg !122
  %55 = call i32 @pthread_join(i64 noundef %54, i8** noundef null), !dbg !166
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %4), !dbg !167
  call void @llvm.lifetime.end.p0i8(i64 16, i8* nonnull %3), !dbg !167
  ret i32 0, !dbg !168
}

declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture)

declare void @llvm.dbg.declare(metadata, metadata, metadata)

declare !dbg !169 i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef) local_unnamed_addr

define internal noalias i8* @worker(i8* noundef %0) !dbg !191 {
  call void @llvm.dbg.value(metadata i8* %0, metadata !193, metadata !DIExpression()), !dbg !197
  %2 = ptrtoint i8* %0 to i64, !dbg !198
  call void @llvm.dbg.value(metadata i64 %2, metadata !194, metadata !DIExpression()), !dbg !197
  %3 = tail call noalias dereferenceable_or_null(40) i8* @malloc(i64 noundef 40), !dbg !199
  %4 = bitcast i8* %3 to %struct.node*, !dbg !199
  call void @llvm.dbg.value(metadata %struct.node* %4, metadata !195, metadata !DIExpression()), !dbg !197
  call void @llvm.dbg.value(metadata i64 %2, metadata !196, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 64)), !dbg !197
  call void @llvm.dbg.value(metadata i64 %2, metadata !200, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 64)), !dbg !204
  call void @llvm.dbg.value(metadata i64 0, metadata !196, metadata !DIExpression(DW_OP_LLVM_fragment, 64, 64)), !dbg !197
  call void @llvm.dbg.value(metadata i64 0, metadata !200, metadata !DIExpression(DW_OP_LLVM_fragment, 64, 64)), !dbg !204
  %5 = shl nsw i64 %2, 1, !dbg !206
  call void @llvm.dbg.value(metadata i64 %5, metadata !196, metadata !DIExpression(DW_OP_LLVM_fragment, 128, 64)), !dbg !197
  call void @llvm.dbg.value(metadata i64 %5, metadata !200, metadata !DIExpression(DW_OP_LLVM_fragment, 128, 64)), !dbg !204
  %6 = trunc i64 %2 to i32, !dbg !207
  call void @llvm.dbg.value(metadata i32 %6, metadata !203, metadata !DIExpression()), !dbg !204
  %7 = icmp eq i32 %6, 2, !dbg !208
  %8 = select i1 %7, i32 4, i32 -1, !dbg !208
  %9 = icmp eq i32 %6, 1, !dbg !208
  %10 = select i1 %9, i32 3, i32 %8, !dbg !208
  %11 = getelementptr inbounds %struct.node, %struct.node* %4, i64 0, i32 0, !dbg !209
  store i32 %10, i32* %11, align 8, !dbg !210
  %12 = getelementptr inbounds %struct.node, %struct.node* %4, i64 0, i32 2, i32 0, !dbg !211
  store i64 %2, i64* %12, align 8, !dbg !211
  %13 = getelementptr inbounds %struct.node, %struct.node* %4, i64 0, i32 2, i32 1, !dbg !211
  store i64 0, i64* %13, align 8, !dbg !211
  %14 = getelementptr inbounds %struct.node, %struct.node* %4, i64 0, i32 2, i32 2, !dbg !211
  store i64 %5, i64* %14, align 8, !dbg !211
  call void @llvm.dbg.value(metadata %struct.node* %4, metadata !212, metadata !DIExpression()), !dbg !217
  %15 = load atomic i64, i64* bitcast (%struct.node** @top to i64*) monotonic, align 8, !dbg !219
  %16 = inttoptr i64 %15 to %struct.node*, !dbg !219
  %17 = getelementptr inbounds %struct.node, %struct.node* %4, i64 0, i32 1, !dbg !220
  store %struct.node* %16, %struct.node** %17, align 8, !dbg !221
  %18 = bitcast %struct.node** %17 to i64*
  %19 = ptrtoint i8* %3 to i64
  %20 = cmpxchg weak i64* bitcast (%struct.node** @top to i64*), i64 %15, i64 %19 release monotonic, align 8, !dbg !222
  %21 = extractvalue { i64, i1 } %20, 1, !dbg !222
  br i1 %21, label %27, label %22, !dbg !222

22:                                               ; preds = %1, %22
  %23 = phi { i64, i1 } [ %25, %22 ], [ %20, %1 ]
  %24 = extractvalue { i64, i1 } %23, 0, !dbg !222
  store i64 %24, i64* %18, align 8, !dbg !222
  %25 = cmpxchg weak i64* bitcast (%struct.node** @top to i64*), i64 %24, i64 %19 release monotonic, align 8, !dbg !222
  %26 = extractvalue { i64, i1 } %25, 1, !dbg !222
  br i1 %26, label %27, label %22, !dbg !222

27:                                               ; preds = %22, %1
  %28 = load i32, i32* @own, align 4, !dbg !226
  %29 = add i32 %28, %6, !dbg !226
  store i32 %29, i32* @own, align 4, !dbg !226
  %30 = tail call i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef nonnull @mutex), !dbg !227
  %31 = load i32, i32* @own, align 4, !dbg !228
  %32 = load i32, i32* @counter, align 4, !dbg !229
  %33 = add nsw i32 %32, %31, !dbg !229
  store i32 %33, i32* @counter, align 4, !dbg !229
  %34 = tail call i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef nonnull @mutex), !dbg !230
  ret i8* null, !dbg !231
}

declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture)

declare !dbg !232 i32 @pthread_join(i64 noundef, i8** noundef) local_unnamed_addr

declare void @__assert_fail(i8* noundef, i8* noundef, i32 noundef, i8* noundef) local_unnamed_addr

declare void @free(i8* nocapture noundef) local_unnamed_addr

define internal noalias i8* @publish(i8* nocapture noundef readnone %0) !dbg !236 {
  call void @llvm.dbg.value(metadata i8* %0, metadata !238, metadata !DIExpression()), !dbg !239
  store atomic i32 42, i32* @data monotonic, align 4, !dbg !240
  store atomic i32 1, i32* @flag monotonic, align 4, !dbg !241
  ret i8* null, !dbg !242
}

declare noalias noundef i8* @malloc(i64 noundef) local_unnamed_addr

declare !dbg !243 i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef) local_unnamed_addr

declare !dbg !247 i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef) local_unnamed_addr

declare void @llvm.dbg.value(metadata, metadata, metadata)

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "top", scope: !2, file: !3, line: 13, type: !77, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !19, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "threads.c", directory: "/src", checksumkind: CSK_MD5, checksum: "8db9c2a4827aa8369c97b037b6b3973c")
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "counter", scope: !2, file: !3, line: 15, type: !18, isLocal: true, isDefinition: true)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(name: "data", scope: !2, file: !3, line: 17, type: !24, isLocal: true, isDefinition: true)
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(name: "flag", scope: !2, file: !3, line: 17, type: !24, isLocal: true, isDefinition: true)
!28 = !DIGlobalVariableExpression(var: !29, expr: !DIExpression())
!29 = distinct !DIGlobalVariable(name: "operations", scope: !2, file: !3, line: 21, type: !30, isLocal: true, isDefinition: true)
!43 = !DIGlobalVariableExpression(var: !44, expr: !DIExpression())
!44 = distinct !DIGlobalVariable(name: "mutex", scope: !2, file: !3, line: 14, type: !45, isLocal: true, isDefinition: true)
!75 = !DIGlobalVariableExpression(var: !76, expr: !DIExpression())
!76 = distinct !DIGlobalVariable(name: "own", scope: !2, file: !3, line: 16, type: !18, isLocal: true, isDefinition: true)
!91 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 58, type: !92, scopeLine: 58, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !94)
!95 = !DILocalVariable(name: "workers", scope: !91, file: !3, line: 59, type: !96)
!99 = !DILocalVariable(name: "publisher", scope: !91, file: !3, line: 59, type: !97)
!100 = !DILocalVariable(name: "i", scope: !101, file: !3, line: 60, type: !17)
!101 = distinct !DILexicalBlock(scope: !91, file: !3, line: 60, column: 3)
!102 = !DILocalVariable(name: "i", scope: !103, file: !3, line: 62, type: !18)
!103 = distinct !DILexicalBlock(scope: !91, file: !3, line: 62, column: 3)
!104 = !DILocalVariable(name: "found", scope: !91, file: !3, line: 64, type: !18)
!105 = !DILocalVariable(name: "node", scope: !106, file: !3, line: 65, type: !78)
!106 = distinct !DILexicalBlock(scope: !91, file: !3, line: 65, column: 3)
!107 = !DILocalVariable(name: "next", scope: !106, file: !3, line: 65, type: !78)
!108 = !DILocation(line: 59, column: 3, scope: !91)
!109 = !DILocation(line: 59, column: 13, scope: !91)
!110 = !DILocation(line: 0, scope: !101)
!111 = !DILocation(line: 61, column: 21, scope: !112)
!112 = distinct !DILexicalBlock(scope: !101, file: !3, line: 60, column: 3)
!113 = !DILocation(line: 61, column: 5, scope: !112)
!114 = !DILocation(line: 0, scope: !103)
!115 = !DILocation(line: 63, column: 18, scope: !116)
!116 = distinct !DILexicalBlock(scope: !103, file: !3, line: 62, column: 3)
!121 = !DILocation(line: 63, column: 5, scope: !116)
!122 = !DILocation(line: 0, scope: !91)
!123 = !DILocation(line: 65, column: 28, scope: !106)
!125 = !DILocation(line: 0, scope: !106)
!126 = !DILocation(line: 65, column: 3, scope: !106)
!127 = !DILocation(line: 71, column: 3, scope: !128)
!128 = distinct !DILexicalBlock(scope: !129, file: !3, line: 71, column: 3)
!129 = distinct !DILexicalBlock(scope: !91, file: !3, line: 71, column: 3)
!130 = !DILocation(line: 68, column: 5, scope: !131)
!131 = distinct !DILexicalBlock(scope: !132, file: !3, line: 68, column: 5)
!132 = distinct !DILexicalBlock(scope: !133, file: !3, line: 68, column: 5)
!133 = distinct !DILexicalBlock(scope: !134, file: !3, line: 65, column: 59)
!134 = distinct !DILexicalBlock(scope: !106, file: !3, line: 65, column: 3)
!141 = !DILocation(line: 68, column: 5, scope: !132)
!142 = !DILocation(line: 67, column: 16, scope: !133)
!143 = !DILocation(line: 67, column: 32, scope: !133)
!145 = !DILocation(line: 67, column: 24, scope: !133)
!146 = !DILocation(line: 66, column: 18, scope: !133)
!148 = !DILocation(line: 69, column: 10, scope: !133)
!149 = !DILocation(line: 69, column: 5, scope: !133)
!151 = !DILocation(line: 70, column: 3, scope: !106)
!153 = !DILocation(line: 72, column: 3, scope: !154)
!154 = distinct !DILexicalBlock(scope: !155, file: !3, line: 72, column: 3)
!155 = distinct !DILexicalBlock(scope: !91, file: !3, line: 72, column: 3)
!157 = !DILocation(line: 73, column: 3, scope: !91)
!158 = !DILocation(line: 74, column: 7, scope: !159)
!159 = distinct !DILexicalBlock(scope: !91, file: !3, line: 74, column: 7)
!160 = !DILocation(line: 74, column: 7, scope: !91)
!161 = !DILocation(line: 75, column: 5, scope: !162)
!162 = distinct !DILexicalBlock(scope: !163, file: !3, line: 75, column: 5)
!163 = distinct !DILexicalBlock(scope: !159, file: !3, line: 75, column: 5)
!164 = !DILocation(line: 75, column: 5, scope: !163)
!165 = !DILocation(line: 76, column: 16, scope: !91)
!166 = !DILocation(line: 76, column: 3, scope: !91)
!167 = !DILocation(line: 78, column: 1, scope: !91)
!168 = !DILocation(line: 77, column: 3, scope: !91)
!169 = !DISubprogram(name: "pthread_create", scope: !170, file: !170, line: 202, type: !171, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !190)
!191 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 38, type: !187, scopeLine: 38, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !192)
!193 = !DILocalVariable(name: "argument", arg: 1, scope: !191, file: !3, line: 38, type: !16)
!194 = !DILocalVariable(name: "number", scope: !191, file: !3, line: 39, type: !17)
!195 = !DILocalVariable(name: "node", scope: !191, file: !3, line: 40, type: !78)
!196 = !DILocalVariable(name: "pair", scope: !191, file: !3, line: 41, type: !36)
!197 = !DILocation(line: 0, scope: !191)
!198 = !DILocation(line: 39, column: 17, scope: !191)
!199 = !DILocation(line: 40, column: 23, scope: !191)
!200 = !DILocalVariable(name: "pair", arg: 1, scope: !201, file: !3, line: 23, type: !36)
!201 = distinct !DISubprogram(name: "chosen", scope: !3, file: !3, line: 23, type: !34, scopeLine: 23, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !202)
!203 = !DILocalVariable(name: "by", arg: 2, scope: !201, file: !3, line: 23, type: !18)
!204 = !DILocation(line: 0, scope: !201, inlinedAt: !205)
!205 = distinct !DILocation(line: 42, column: 17, scope: !191)
!206 = !DILocation(line: 41, column: 36, scope: !191)
!207 = !DILocation(line: 42, column: 30, scope: !191)
!208 = !DILocation(line: 24, column: 3, scope: !201, inlinedAt: !205)
!209 = !DILocation(line: 42, column: 9, scope: !191)
!210 = !DILocation(line: 42, column: 15, scope: !191)
!211 = !DILocation(line: 43, column: 3, scope: !191)
!212 = !DILocalVariable(name: "node", arg: 1, scope: !213, file: !3, line: 31, type: !78)
!213 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 31, type: !214, scopeLine: 31, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !216)
!217 = !DILocation(line: 0, scope: !213, inlinedAt: !218)
!218 = distinct !DILocation(line: 44, column: 3, scope: !191)
!219 = !DILocation(line: 32, column: 16, scope: !213, inlinedAt: !218)
!220 = !DILocation(line: 32, column: 9, scope: !213, inlinedAt: !218)
!221 = !DILocation(line: 32, column: 14, scope: !213, inlinedAt: !218)
!222 = !DILocation(line: 33, column: 11, scope: !213, inlinedAt: !218)
!224 = !DILocation(line: 33, column: 3, scope: !213, inlinedAt: !218)
!225 = !DILocation(line: 35, column: 5, scope: !213, inlinedAt: !218)
!226 = !DILocation(line: 45, column: 7, scope: !191)
!227 = !DILocation(line: 46, column: 3, scope: !191)
!228 = !DILocation(line: 47, column: 14, scope: !191)
!229 = !DILocation(line: 47, column: 11, scope: !191)
!230 = !DILocation(line: 48, column: 3, scope: !191)
!231 = !DILocation(line: 49, column: 3, scope: !191)
!232 = !DISubprogram(name: "pthread_join", scope: !170, file: !170, line: 219, type: !233, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !190)
!236 = distinct !DISubprogram(name: "publish", scope: !3, file: !3, line: 52, type: !187, scopeLine: 52, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !237)
!238 = !DILocalVariable(name: "argument", arg: 1, scope: !236, file: !3, line: 52, type: !16)
!239 = !DILocation(line: 0, scope: !236)
!240 = !DILocation(line: 53, column: 3, scope: !236)
!241 = !DILocation(line: 54, column: 3, scope: !236)
!242 = !DILocation(line: 55, column: 3, scope: !236)
!243 = !DISubprogram(name: "pthread_mutex_lock", scope: !170, file: !170, line: 794, type: !244, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !190)
!247 = !DISubprogram(name: "pthread_mutex_unlock", scope: !170, file: !170, line: 835, type: !244, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !190)
