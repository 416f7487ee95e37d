source_filename = "threads.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%struct.node = type { i32, ptr, %struct.pair }
%struct.pair = type { i64, i64, i64 }

@top = internal global ptr null, align 8, !dbg !0
@.str = private unnamed_addr constant [41 x i8] c"node->pair.third == 2 * node->pair.first\00", align 1, !dbg !20
@.str.1 = private unnamed_addr constant [10 x i8] c"threads.c\00", align 1, !dbg !26
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !31
@.str.2 = private unnamed_addr constant [27 x i8] c"found == 34 || found == 43\00", align 1, !dbg !37
@counter = internal global i32 0, align 4, !dbg !52
@own = internal thread_local global i32 5, align 4, !dbg !106
@.str.3 = private unnamed_addr constant [26 x i8] c"counter == 13 && own == 5\00", align 1, !dbg !42
@flag = internal global i32 0, align 4, !dbg !58
@data = internal global i32 0, align 4, !dbg !54
@.str.4 = private unnamed_addr constant [56 x i8] c"atomic_load_explicit(&data, memory_order_relaxed) == 42\00", align 1, !dbg !47
@mutex = internal global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !75
@operations = internal constant [2 x ptr] [ptr @sum, ptr @difference], align 16, !dbg !60

define i32 @main() !dbg !122 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !126, !DIExpression(), !130)
    #dbg_declare(ptr %3, !131, !DIExpression(), !132)
    #dbg_declare(ptr %4, !133, !DIExpression(), !135)
  store i64 0, ptr %4, align 8, !dbg !135
  br label %11, !dbg !136

11:                                               ; preds = %21, %0
  %12 = load i64, ptr %4, align 8, !dbg !137
  %13 = icmp slt i64 %12, 2, !dbg !139
  br i1 %13, label %14, label %24, !dbg !140

14:                                               ; preds = %11
  %15 = load i64, ptr %4, align 8, !dbg !141
  %16 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %15, !dbg !142
  %17 = load i64, ptr %4, align 8, !dbg !143
  %18 = add nsw i64 %17, 1, !dbg !144
  %19 = inttoptr i64 %18 to ptr, !dbg !145
  %20 = call i32 @pthread_create(ptr noundef %16, ptr noundef null, ptr noundef @worker, ptr noundef %19), !dbg !146
  br label %21, !dbg !146

21:                                               ; preds = %14
  %22 = load i64, ptr %4, align 8, !dbg !147
  %23 = add nsw i64 %22, 1, !dbg !147
  store i64 %23, ptr %4, align 8, !dbg !147
  br label %11, !dbg !148

24:                                               ; preds = %11
    #dbg_declare(ptr %5, !152, !DIExpression(), !154)
  store i32 0, ptr %5, align 4, !dbg !154
  br label %25, !dbg !155

25:                                               ; preds = %34, %24
  %26 = load i32, ptr %5, align 4, !dbg !156
  %27 = icmp slt i32 %26, 2, !dbg !158
  br i1 %27, label %28, label %37, !dbg !159

28:                                               ; preds = %25
  %29 = load i32, ptr %5, align 4, !dbg !160
  %30 = sext i32 %29 to i64, !dbg !161
  %31 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %30, !dbg !161
  %32 = load i64, ptr %31, align 8, !dbg !161
  %33 = call i32 @pthread_join(i64 noundef %32, ptr noundef null), !dbg !162
  br label %34, !dbg !162

34:                                               ; preds = %28
  %35 = load i32, ptr %5, align 4, !dbg !163
  %36 = add nsw i32 %35, 1, !dbg !163
  store i32 %36, ptr %5, align 4, !dbg !163
  br label %25, !dbg !164

37:                                               ; preds = %25
    #dbg_declare(ptr %6, !167, !DIExpression(), !168)
  store i32 0, ptr %6, align 4, !dbg !168
    #dbg_declare(ptr %7, !169, !DIExpression(), !171)
  %38 = load atomic ptr, ptr @top seq_cst, align 8, !dbg !172
  store ptr %38, ptr %7, align 8, !dbg !171
    #dbg_declare(ptr %8, !173, !DIExpression(), !174)
  br label %39, !dbg !175

39:                                               ; preds = %66, %37
  %40 = load ptr, ptr %7, align 8, !dbg !176
  %41 = icmp ne ptr %40, null, !dbg !178
  br i1 %41, label %42, label %68, !dbg !178

42:                                               ; preds = %39
  %43 = load ptr, ptr %7, align 8, !dbg !179
  %44 = getelementptr inbounds nuw %struct.node, ptr %43, i32 0, i32 1, !dbg !181
  %45 = load ptr, ptr %44, align 8, !dbg !181
  store ptr %45, ptr %8, align 8, !dbg !182
  %46 = load i32, ptr %6, align 4, !dbg !183
  %47 = mul nsw i32 10, %46, !dbg !184
  %48 = load ptr, ptr %7, align 8, !dbg !185
  %49 = getelementptr inbounds nuw %struct.node, ptr %48, i32 0, i32 0, !dbg !186
  %50 = load i32, ptr %49, align 8, !dbg !186
  %51 = add nsw i32 %47, %50, !dbg !187
  store i32 %51, ptr %6, align 4, !dbg !188
  %52 = load ptr, ptr %7, align 8, !dbg !189
  %53 = getelementptr inbounds nuw %struct.node, ptr %52, i32 0, i32 2, !dbg !192
  %54 = getelementptr inbounds nuw %struct.pair, ptr %53, i32 0, i32 2, !dbg !193
  %55 = load i64, ptr %54, align 8, !dbg !193
  %56 = load ptr, ptr %7, align 8, !dbg !194
  %57 = getelementptr inbounds nuw %struct.node, ptr %56, i32 0, i32 2, !dbg !195
  %58 = getelementptr inbounds nuw %struct.pair, ptr %57, i32 0, i32 0, !dbg !196
  %59 = load i64, ptr %58, align 8, !dbg !196
  %60 = mul nsw i64 2, %59, !dbg !197
  %61 = icmp eq i64 %55, %60, !dbg !198
  br i1 %61, label %62, label %63, !dbg !198

62:                                               ; preds = %42
  br label %64, !dbg !198

63:                                               ; preds = %42
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 68, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !199
  unreachable, !dbg !199

64:                                               ; preds = %62
  %65 = load ptr, ptr %7, align 8, !dbg !200
  call void @free(ptr noundef %65), !dbg !201
  br label %66, !dbg !202

66:                                               ; preds = %64
  %67 = load ptr, ptr %8, align 8, !dbg !203
  store ptr %67, ptr %7, align 8, !dbg !204
  br label %39, !dbg !205

68:                                               ; preds = %39
  %69 = load i32, ptr %6, align 4, !dbg !208
  %70 = icmp eq i32 %69, 34, !dbg !211
  br i1 %70, label %74, label %71, !dbg !212

71:                                               ; preds = %68
  %72 = load i32, ptr %6, align 4, !dbg !213
  %73 = icmp eq i32 %72, 43, !dbg !214
  br i1 %73, label %74, label %75, !dbg !212

74:                                               ; preds = %71, %68
  br label %76, !dbg !212

75:                                               ; preds = %71
  call void @__assert_fail(ptr noundef @.str.2, ptr noundef @.str.1, i32 noundef 71, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !215
  unreachable, !dbg !215

76:                                               ; preds = %74
  %77 = load i32, ptr @counter, align 4, !dbg !216
  %78 = icmp eq i32 %77, 13, !dbg !219
  br i1 %78, label %79, label %84, !dbg !220

79:                                               ; preds = %76
  %80 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !221
  %81 = load i32, ptr %80, align 4, !dbg !221
  %82 = icmp eq i32 %81, 5, !dbg !222
  br i1 %82, label %83, label %84, !dbg !220

83:                                               ; preds = %79
  br label %85, !dbg !220

84:                                               ; preds = %79, %76
  call void @__assert_fail(ptr noundef @.str.3, ptr noundef @.str.1, i32 noundef 72, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !223
  unreachable, !dbg !223

85:                                               ; preds = %83
  %86 = call i32 @pthread_create(ptr noundef %3, ptr noundef null, ptr noundef @publish, ptr noundef null), !dbg !224
  %87 = load atomic i32, ptr @flag acquire, align 4, !dbg !225
  store i32 %87, ptr %9, align 4, !dbg !225
  %88 = load i32, ptr %9, align 4, !dbg !225
  %89 = icmp ne i32 %88, 0, !dbg !225
  br i1 %89, label %90, label %97, !dbg !225

90:                                               ; preds = %85
  %91 = load atomic i32, ptr @data monotonic, align 4, !dbg !227
  store i32 %91, ptr %10, align 4, !dbg !227
  %92 = load i32, ptr %10, align 4, !dbg !227
  %93 = icmp eq i32 %92, 42, !dbg !230
  br i1 %93, label %94, label %95, !dbg !230

94:                                               ; preds = %90
  br label %96, !dbg !230

95:                                               ; preds = %90
  call void @__assert_fail(ptr noundef @.str.4, ptr noundef @.str.1, i32 noundef 75, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !231
  unreachable, !dbg !231

96:                                               ; preds = %94
  br label %97, !dbg !232

97:                                               ; preds = %96, %85
  %98 = load i64, ptr %3, align 8, !dbg !233
  %99 = call i32 @pthread_join(i64 noundef %98, ptr noundef null), !dbg !234
  ret i32 0, !dbg !235
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !236 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca ptr, align 8
  %5 = alloca %struct.pair, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !239, !DIExpression(), !240)
    #dbg_declare(ptr %3, !241, !DIExpression(), !242)
  %6 = load ptr, ptr %2, align 8, !dbg !243
  %7 = ptrtoint ptr %6 to i64, !dbg !244
  store i64 %7, ptr %3, align 8, !dbg !242
    #dbg_declare(ptr %4, !245, !DIExpression(), !246)
  %8 = call noalias ptr @malloc(i64 noundef 40), !dbg !247
  store ptr %8, ptr %4, align 8, !dbg !246
    #dbg_declare(ptr %5, !248, !DIExpression(), !249)
  %9 = getelementptr inbounds nuw %struct.pair, ptr %5, i32 0, i32 0, !dbg !250
  %10 = load i64, ptr %3, align 8, !dbg !251
  store i64 %10, ptr %9, align 8, !dbg !250
  %11 = getelementptr inbounds nuw %struct.pair, ptr %5, i32 0, i32 1, !dbg !250
  store i64 0, ptr %11, align 8, !dbg !250
  %12 = getelementptr inbounds nuw %struct.pair, ptr %5, i32 0, i32 2, !dbg !250
  %13 = load i64, ptr %3, align 8, !dbg !252
  %14 = mul nsw i64 2, %13, !dbg !253
  store i64 %14, ptr %12, align 8, !dbg !250
  %15 = load i64, ptr %3, align 8, !dbg !254
  %16 = trunc i64 %15 to i32, !dbg !255
  %17 = call i32 @chosen(ptr noundef byval(%struct.pair) align 8 %5, i32 noundef %16), !dbg !256
  %18 = load ptr, ptr %4, align 8, !dbg !257
  %19 = getelementptr inbounds nuw %struct.node, ptr %18, i32 0, i32 0, !dbg !258
  store i32 %17, ptr %19, align 8, !dbg !259
  %20 = load ptr, ptr %4, align 8, !dbg !260
  %21 = getelementptr inbounds nuw %struct.node, ptr %20, i32 0, i32 2, !dbg !261
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %21, ptr align 8 %5, i64 24, i1 false), !dbg !262
  %22 = load ptr, ptr %4, align 8, !dbg !263
  call void @push(ptr noundef %22), !dbg !264
  %23 = load i64, ptr %3, align 8, !dbg !265
  %24 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !266
  %25 = load i32, ptr %24, align 4, !dbg !267
  %26 = sext i32 %25 to i64, !dbg !267
  %27 = add nsw i64 %26, %23, !dbg !267
  %28 = trunc i64 %27 to i32, !dbg !267
  store i32 %28, ptr %24, align 4, !dbg !267
  %29 = call i32 @pthread_mutex_lock(ptr noundef @mutex), !dbg !268
  %30 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @own), !dbg !269
  %31 = load i32, ptr %30, align 4, !dbg !269
  %32 = load i32, ptr @counter, align 4, !dbg !270
  %33 = add nsw i32 %32, %31, !dbg !270
  store i32 %33, ptr @counter, align 4, !dbg !270
  %34 = call i32 @pthread_mutex_unlock(ptr noundef @mutex), !dbg !271
  ret ptr null, !dbg !272
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

declare void @free(ptr noundef)

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull)

define internal ptr @publish(ptr noundef %0) !dbg !273 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !274, !DIExpression(), !275)
  store i32 42, ptr %3, align 4, !dbg !276
  %5 = load i32, ptr %3, align 4, !dbg !276
  store atomic i32 %5, ptr @data monotonic, align 4, !dbg !276
  store i32 1, ptr %4, align 4, !dbg !277
  %6 = load i32, ptr %4, align 4, !dbg !277
  store atomic i32 %6, ptr @flag monotonic, align 4, !dbg !277
  ret ptr null, !dbg !278
}

declare noalias ptr @malloc(i64 noundef)

define internal i32 @chosen(ptr noundef byval(%struct.pair) align 8 %0, i32 noundef %1) !dbg !279 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
    #dbg_declare(ptr %0, !280, !DIExpression(), !281)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !282, !DIExpression(), !283)
  %5 = load i32, ptr %4, align 4, !dbg !284
  switch i32 %5, label %14 [
    i32 1, label %6
    i32 2, label %10
  ], !dbg !285

6:                                                ; preds = %2
  %7 = load ptr, ptr @operations, align 16, !dbg !286
  %8 = load i32, ptr %4, align 4, !dbg !288
  %9 = call i32 %7(ptr noundef byval(%struct.pair) align 8 %0, i32 noundef %8), !dbg !286
  store i32 %9, ptr %3, align 4, !dbg !289
  br label %15, !dbg !289

10:                                               ; preds = %2
  %11 = load ptr, ptr getelementptr inbounds ([2 x ptr], ptr @operations, i64 0, i64 1), align 8, !dbg !290
  %12 = load i32, ptr %4, align 4, !dbg !291
  %13 = call i32 %11(ptr noundef byval(%struct.pair) align 8 %0, i32 noundef %12), !dbg !290
  store i32 %13, ptr %3, align 4, !dbg !292
  br label %15, !dbg !292

14:                                               ; preds = %2
  store i32 -1, ptr %3, align 4, !dbg !293
  br label %15, !dbg !293

15:                                               ; preds = %14, %10, %6
  %16 = load i32, ptr %3, align 4, !dbg !294
  ret i32 %16, !dbg !294
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

define internal void @push(ptr noundef %0) !dbg !295 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i8, align 1
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !298, !DIExpression(), !299)
  %6 = load atomic i64, ptr @top monotonic, align 8, !dbg !300
  store i64 %6, ptr %3, align 8, !dbg !300
  %7 = load ptr, ptr %3, align 8, !dbg !300
  %8 = load ptr, ptr %2, align 8, !dbg !301
  %9 = getelementptr inbounds nuw %struct.node, ptr %8, i32 0, i32 1, !dbg !302
  store ptr %7, ptr %9, align 8, !dbg !303
  br label %10, !dbg !304

10:                                               ; preds = %25, %1
  %11 = load ptr, ptr %2, align 8, !dbg !305
  %12 = getelementptr inbounds nuw %struct.node, ptr %11, i32 0, i32 1, !dbg !306
  %13 = load ptr, ptr %2, align 8, !dbg !307
  store ptr %13, ptr %4, align 8, !dbg !308
  %14 = load i64, ptr %12, align 8, !dbg !308
  %15 = load i64, ptr %4, align 8, !dbg !308
  %16 = cmpxchg weak ptr @top, i64 %14, i64 %15 release monotonic, align 8, !dbg !308
  %17 = extractvalue { i64, i1 } %16, 0, !dbg !308
  %18 = extractvalue { i64, i1 } %16, 1, !dbg !308
  br i1 %18, label %20, label %19, !dbg !308

19:                                               ; preds = %10
  store i64 %17, ptr %12, align 8, !dbg !308
  br label %20, !dbg !308

20:                                               ; preds = %19, %10
  %21 = zext i1 %18 to i8, !dbg !308
  store i8 %21, ptr %5, align 1, !dbg !308
  %22 = load i8, ptr %5, align 1, !dbg !308
  %23 = trunc i8 %22 to i1, !dbg !308
  %24 = xor i1 %23, true, !dbg !309
  br i1 %24, label %25, label %26, !dbg !304

25:                                               ; preds = %20
  br label %10, !dbg !304

26:                                               ; preds = %20
  ret void, !dbg !312
}

declare i32 @pthread_mutex_lock(ptr noundef)

declare i32 @pthread_mutex_unlock(ptr noundef)

define internal i32 @sum(ptr noundef byval(%struct.pair) align 8 %0, i32 noundef %1) !dbg !313 {
  %3 = alloca i32, align 4
    #dbg_declare(ptr %0, !314, !DIExpression(), !315)
  store i32 %1, ptr %3, align 4
    #dbg_declare(ptr %3, !316, !DIExpression(), !317)
  %4 = getelementptr inbounds nuw %struct.pair, ptr %0, i32 0, i32 0, !dbg !318
  %5 = load i64, ptr %4, align 8, !dbg !318
  %6 = getelementptr inbounds nuw %struct.pair, ptr %0, i32 0, i32 2, !dbg !319
  %7 = load i64, ptr %6, align 8, !dbg !319
  %8 = add nsw i64 %5, %7, !dbg !320
  %9 = trunc i64 %8 to i32, !dbg !321
  %10 = load i32, ptr %3, align 4, !dbg !322
  %11 = mul nsw i32 %9, %10, !dbg !323
  ret i32 %11, !dbg !324
}

define internal i32 @difference(ptr noundef byval(%struct.pair) align 8 %0, i32 noundef %1) !dbg !325 {
  %3 = alloca i32, align 4
    #dbg_declare(ptr %0, !326, !DIExpression(), !327)
  store i32 %1, ptr %3, align 4
    #dbg_declare(ptr %3, !328, !DIExpression(), !329)
  %4 = getelementptr inbounds nuw %struct.pair, ptr %0, i32 0, i32 2, !dbg !330
  %5 = load i64, ptr %4, align 8, !dbg !330
  %6 = getelementptr inbounds nuw %struct.pair, ptr %0, i32 0, i32 0, !dbg !331
  %7 = load i64, ptr %6, align 8, !dbg !331
  %8 = sub nsw i64 %5, %7, !dbg !332
  %9 = trunc i64 %8 to i32, !dbg !333
  %10 = load i32, ptr %3, align 4, !dbg !334
  %11 = mul nsw i32 %9, %10, !dbg !335
  ret i32 %11, !dbg !336
}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "top", scope: !2, file: !3, line: 13, type: !108, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !19, splitDebugInlining: false, nameTableKind: None)
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
!122 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 58, type: !123, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !125)
!126 = !DILocalVariable(name: "workers", scope: !122, file: !3, line: 59, type: !127)
!130 = !DILocation(line: 59, column: 13, scope: !122)
!131 = !DILocalVariable(name: "publisher", scope: !122, file: !3, line: 59, type: !128)
!132 = !DILocation(line: 59, column: 25, scope: !122)
!133 = !DILocalVariable(name: "i", scope: !134, file: !3, line: 60, type: !17)
!134 = distinct !DILexicalBlock(scope: !122, file: !3, line: 60, column: 3)
!135 = !DILocation(line: 60, column: 13, scope: !134)
!136 = !DILocation(line: 60, column: 8, scope: !134)
!137 = !DILocation(line: 60, column: 20, scope: !138)
!138 = distinct !DILexicalBlock(scope: !134, file: !3, line: 60, column: 3)
!139 = !DILocation(line: 60, column: 22, scope: !138)
!140 = !DILocation(line: 60, column: 3, scope: !134)
!141 = !DILocation(line: 61, column: 29, scope: !138)
!142 = !DILocation(line: 61, column: 21, scope: !138)
!143 = !DILocation(line: 61, column: 53, scope: !138)
!144 = !DILocation(line: 61, column: 55, scope: !138)
!145 = !DILocation(line: 61, column: 44, scope: !138)
!146 = !DILocation(line: 61, column: 5, scope: !138)
!147 = !DILocation(line: 60, column: 28, scope: !138)
!148 = !DILocation(line: 60, column: 3, scope: !138)
!150 = !DILocation(line: 61, column: 59, scope: !134)
!152 = !DILocalVariable(name: "i", scope: !153, file: !3, line: 62, type: !18)
!153 = distinct !DILexicalBlock(scope: !122, file: !3, line: 62, column: 3)
!154 = !DILocation(line: 62, column: 12, scope: !153)
!155 = !DILocation(line: 62, column: 8, scope: !153)
!156 = !DILocation(line: 62, column: 19, scope: !157)
!157 = distinct !DILexicalBlock(scope: !153, file: !3, line: 62, column: 3)
!158 = !DILocation(line: 62, column: 21, scope: !157)
!159 = !DILocation(line: 62, column: 3, scope: !153)
!160 = !DILocation(line: 63, column: 26, scope: !157)
!161 = !DILocation(line: 63, column: 18, scope: !157)
!162 = !DILocation(line: 63, column: 5, scope: !157)
!163 = !DILocation(line: 62, column: 27, scope: !157)
!164 = !DILocation(line: 62, column: 3, scope: !157)
!166 = !DILocation(line: 63, column: 31, scope: !153)
!167 = !DILocalVariable(name: "found", scope: !122, file: !3, line: 64, type: !18)
!168 = !DILocation(line: 64, column: 7, scope: !122)
!169 = !DILocalVariable(name: "node", scope: !170, file: !3, line: 65, type: !109)
!170 = distinct !DILexicalBlock(scope: !122, file: !3, line: 65, column: 3)
!171 = !DILocation(line: 65, column: 21, scope: !170)
!172 = !DILocation(line: 65, column: 28, scope: !170)
!173 = !DILocalVariable(name: "next", scope: !170, file: !3, line: 65, type: !109)
!174 = !DILocation(line: 65, column: 34, scope: !170)
!175 = !DILocation(line: 65, column: 8, scope: !170)
!176 = !DILocation(line: 65, column: 40, scope: !177)
!177 = distinct !DILexicalBlock(scope: !170, file: !3, line: 65, column: 3)
!178 = !DILocation(line: 65, column: 3, scope: !170)
!179 = !DILocation(line: 66, column: 12, scope: !180)
!180 = distinct !DILexicalBlock(scope: !177, file: !3, line: 65, column: 59)
!181 = !DILocation(line: 66, column: 18, scope: !180)
!182 = !DILocation(line: 66, column: 10, scope: !180)
!183 = !DILocation(line: 67, column: 18, scope: !180)
!184 = !DILocation(line: 67, column: 16, scope: !180)
!185 = !DILocation(line: 67, column: 26, scope: !180)
!186 = !DILocation(line: 67, column: 32, scope: !180)
!187 = !DILocation(line: 67, column: 24, scope: !180)
!188 = !DILocation(line: 67, column: 11, scope: !180)
!189 = !DILocation(line: 68, column: 12, scope: !190)
!190 = distinct !DILexicalBlock(scope: !191, file: !3, line: 68, column: 12)
!191 = distinct !DILexicalBlock(scope: !180, file: !3, line: 68, column: 5)
!192 = !DILocation(line: 68, column: 18, scope: !190)
!193 = !DILocation(line: 68, column: 23, scope: !190)
!194 = !DILocation(line: 68, column: 36, scope: !190)
!195 = !DILocation(line: 68, column: 42, scope: !190)
!196 = !DILocation(line: 68, column: 47, scope: !190)
!197 = !DILocation(line: 68, column: 34, scope: !190)
!198 = !DILocation(line: 68, column: 29, scope: !190)
!199 = !DILocation(line: 68, column: 5, scope: !190)
!200 = !DILocation(line: 69, column: 10, scope: !180)
!201 = !DILocation(line: 69, column: 5, scope: !180)
!202 = !DILocation(line: 70, column: 3, scope: !180)
!203 = !DILocation(line: 65, column: 53, scope: !177)
!204 = !DILocation(line: 65, column: 51, scope: !177)
!205 = !DILocation(line: 65, column: 3, scope: !177)
!207 = !DILocation(line: 70, column: 3, scope: !170)
!208 = !DILocation(line: 71, column: 10, scope: !209)
!209 = distinct !DILexicalBlock(scope: !210, file: !3, line: 71, column: 10)
!210 = distinct !DILexicalBlock(scope: !122, file: !3, line: 71, column: 3)
!211 = !DILocation(line: 71, column: 16, scope: !209)
!212 = !DILocation(line: 71, column: 22, scope: !209)
!213 = !DILocation(line: 71, column: 25, scope: !209)
!214 = !DILocation(line: 71, column: 31, scope: !209)
!215 = !DILocation(line: 71, column: 3, scope: !209)
!216 = !DILocation(line: 72, column: 10, scope: !217)
!217 = distinct !DILexicalBlock(scope: !218, file: !3, line: 72, column: 10)
!218 = distinct !DILexicalBlock(scope: !122, file: !3, line: 72, column: 3)
!219 = !DILocation(line: 72, column: 18, scope: !217)
!220 = !DILocation(line: 72, column: 24, scope: !217)
!221 = !DILocation(line: 72, column: 27, scope: !217)
!222 = !DILocation(line: 72, column: 31, scope: !217)
!223 = !DILocation(line: 72, column: 3, scope: !217)
!224 = !DILocation(line: 73, column: 3, scope: !122)
!225 = !DILocation(line: 74, column: 7, scope: !226)
!226 = distinct !DILexicalBlock(scope: !122, file: !3, line: 74, column: 7)
!227 = !DILocation(line: 75, column: 12, scope: !228)
!228 = distinct !DILexicalBlock(scope: !229, file: !3, line: 75, column: 12)
!229 = distinct !DILexicalBlock(scope: !226, file: !3, line: 75, column: 5)
!230 = !DILocation(line: 75, column: 62, scope: !228)
!231 = !DILocation(line: 75, column: 5, scope: !228)
!232 = !DILocation(line: 75, column: 5, scope: !226)
!233 = !DILocation(line: 76, column: 16, scope: !122)
!234 = !DILocation(line: 76, column: 3, scope: !122)
!235 = !DILocation(line: 77, column: 3, scope: !122)
!236 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 38, type: !237, scopeLine: 38, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !125)
!239 = !DILocalVariable(name: "argument", arg: 1, scope: !236, file: !3, line: 38, type: !16)
!240 = !DILocation(line: 38, column: 27, scope: !236)
!241 = !DILocalVariable(name: "number", scope: !236, file: !3, line: 39, type: !17)
!242 = !DILocation(line: 39, column: 8, scope: !236)
!243 = !DILocation(line: 39, column: 23, scope: !236)
!244 = !DILocation(line: 39, column: 17, scope: !236)
!245 = !DILocalVariable(name: "node", scope: !236, file: !3, line: 40, type: !109)
!246 = !DILocation(line: 40, column: 16, scope: !236)
!247 = !DILocation(line: 40, column: 23, scope: !236)
!248 = !DILocalVariable(name: "pair", scope: !236, file: !3, line: 41, type: !68)
!249 = !DILocation(line: 41, column: 15, scope: !236)
!250 = !DILocation(line: 41, column: 22, scope: !236)
!251 = !DILocation(line: 41, column: 23, scope: !236)
!252 = !DILocation(line: 41, column: 38, scope: !236)
!253 = !DILocation(line: 41, column: 36, scope: !236)
!254 = !DILocation(line: 42, column: 35, scope: !236)
!255 = !DILocation(line: 42, column: 30, scope: !236)
!256 = !DILocation(line: 42, column: 17, scope: !236)
!257 = !DILocation(line: 42, column: 3, scope: !236)
!258 = !DILocation(line: 42, column: 9, scope: !236)
!259 = !DILocation(line: 42, column: 15, scope: !236)
!260 = !DILocation(line: 43, column: 11, scope: !236)
!261 = !DILocation(line: 43, column: 17, scope: !236)
!262 = !DILocation(line: 43, column: 3, scope: !236)
!263 = !DILocation(line: 44, column: 8, scope: !236)
!264 = !DILocation(line: 44, column: 3, scope: !236)
!265 = !DILocation(line: 45, column: 10, scope: !236)
!266 = !DILocation(line: 45, column: 3, scope: !236)
!267 = !DILocation(line: 45, column: 7, scope: !236)
!268 = !DILocation(line: 46, column: 3, scope: !236)
!269 = !DILocation(line: 47, column: 14, scope: !236)
!270 = !DILocation(line: 47, column: 11, scope: !236)
!271 = !DILocation(line: 48, column: 3, scope: !236)
!272 = !DILocation(line: 49, column: 3, scope: !236)
!273 = distinct !DISubprogram(name: "publish", scope: !3, file: !3, line: 52, type: !237, scopeLine: 52, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !125)
!274 = !DILocalVariable(name: "argument", arg: 1, scope: !273, file: !3, line: 52, type: !16)
!275 = !DILocation(line: 52, column: 28, scope: !273)
!276 = !DILocation(line: 53, column: 3, scope: !273)
!277 = !DILocation(line: 54, column: 3, scope: !273)
!278 = !DILocation(line: 55, column: 3, scope: !273)
!279 = distinct !DISubprogram(name: "chosen", scope: !3, file: !3, line: 23, type: !66, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !125)
!280 = !DILocalVariable(name: "pair", arg: 1, scope: !279, file: !3, line: 23, type: !68)
!281 = !DILocation(line: 23, column: 31, scope: !279)
!282 = !DILocalVariable(name: "by", arg: 2, scope: !279, file: !3, line: 23, type: !18)
!283 = !DILocation(line: 23, column: 41, scope: !279)
!284 = !DILocation(line: 24, column: 11, scope: !279)
!285 = !DILocation(line: 24, column: 3, scope: !279)
!286 = !DILocation(line: 25, column: 18, scope: !287)
!287 = distinct !DILexicalBlock(scope: !279, file: !3, line: 24, column: 15)
!288 = !DILocation(line: 25, column: 38, scope: !287)
!289 = !DILocation(line: 25, column: 11, scope: !287)
!290 = !DILocation(line: 26, column: 18, scope: !287)
!291 = !DILocation(line: 26, column: 38, scope: !287)
!292 = !DILocation(line: 26, column: 11, scope: !287)
!293 = !DILocation(line: 27, column: 12, scope: !287)
!294 = !DILocation(line: 29, column: 1, scope: !279)
!295 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 31, type: !296, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !125)
!298 = !DILocalVariable(name: "node", arg: 1, scope: !295, file: !3, line: 31, type: !109)
!299 = !DILocation(line: 31, column: 31, scope: !295)
!300 = !DILocation(line: 32, column: 16, scope: !295)
!301 = !DILocation(line: 32, column: 3, scope: !295)
!302 = !DILocation(line: 32, column: 9, scope: !295)
!303 = !DILocation(line: 32, column: 14, scope: !295)
!304 = !DILocation(line: 33, column: 3, scope: !295)
!305 = !DILocation(line: 33, column: 56, scope: !295)
!306 = !DILocation(line: 33, column: 62, scope: !295)
!307 = !DILocation(line: 33, column: 68, scope: !295)
!308 = !DILocation(line: 33, column: 11, scope: !295)
!309 = !DILocation(line: 33, column: 10, scope: !295)
!311 = !DILocation(line: 35, column: 5, scope: !295)
!312 = !DILocation(line: 36, column: 1, scope: !295)
!313 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 19, type: !66, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !125)
!314 = !DILocalVariable(name: "pair", arg: 1, scope: !313, file: !3, line: 19, type: !68)
!315 = !DILocation(line: 19, column: 28, scope: !313)
!316 = !DILocalVariable(name: "by", arg: 2, scope: !313, file: !3, line: 19, type: !18)
!317 = !DILocation(line: 19, column: 38, scope: !313)
!318 = !DILocation(line: 19, column: 62, scope: !313)
!319 = !DILocation(line: 19, column: 75, scope: !313)
!320 = !DILocation(line: 19, column: 68, scope: !313)
!321 = !DILocation(line: 19, column: 51, scope: !313)
!322 = !DILocation(line: 19, column: 84, scope: !313)
!323 = !DILocation(line: 19, column: 82, scope: !313)
!324 = !DILocation(line: 19, column: 44, scope: !313)
!325 = distinct !DISubprogram(name: "difference", scope: !3, file: !3, line: 20, type: !66, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !125)
!326 = !DILocalVariable(name: "pair", arg: 1, scope: !325, file: !3, line: 20, type: !68)
!327 = !DILocation(line: 20, column: 35, scope: !325)
!328 = !DILocalVariable(name: "by", arg: 2, scope: !325, file: !3, line: 20, type: !18)
!329 = !DILocation(line: 20, column: 45, scope: !325)
!330 = !DILocation(line: 20, column: 69, scope: !325)
!331 = !DILocation(line: 20, column: 82, scope: !325)
!332 = !DILocation(line: 20, column: 75, scope: !325)
!333 = !DILocation(line: 20, column: 58, scope: !325)
!334 = !DILocation(line: 20, column: 91, scope: !325)
!335 = !DILocation(line: 20, column: 89, scope: !325)
!336 = !DILocation(line: 20, column: 51, scope: !325)
