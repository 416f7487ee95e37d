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
@counter = internal global i32 0, align 4, !dbg !20
@own = internal thread_local global i32 5, align 4, !dbg !75
@.str.3 = private unnamed_addr constant [26 x i8] c"counter == 13 && own == 5\00", align 1
@flag = internal global i32 0, align 4, !dbg !26
@data = internal global i32 0, align 4, !dbg !22
@.str.4 = private unnamed_addr constant [56 x i8] c"atomic_load_explicit(&data, memory_order_relaxed) == 42\00", align 1
@mutex = internal global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !43
@operations = internal constant [2 x i32 (%struct.pair*, i32)*] [i32 (%struct.pair*, i32)* @sum, i32 (%struct.pair*, i32)* @difference], align 16, !dbg !28

define dso_local i32 @main() !dbg !92 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.node*, align 8
  %8 = alloca %struct.node*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 0, i32* %1, align 4
  call void @llvm.dbg.declare(metadata [2 x i64]* %2, metadata !96, metadata !DIExpression()), !dbg !100
  call void @llvm.dbg.declare(metadata i64* %3, metadata !101, metadata !DIExpression()), !dbg !102
  call void @llvm.dbg.declare(metadata i64* %4, metadata !103, metadata !DIExpression()), !dbg !105
  store i64 0, i64* %4, align 8, !dbg !105
  br label %11, !dbg !106

11:                                               ; preds = %21, %0
  %12 = load i64, i64* %4, align 8, !dbg !107
  %13 = icmp slt i64 %12, 2, !dbg !109
  br i1 %13, label %14, label %24, !dbg !110

14:                                               ; preds = %11
  %15 = load i64, i64* %4, align 8, !dbg !111
  %16 = getelementptr inbounds [2 x i64], [2 x i64]* %2, i64 0, i64 %15, !dbg !112
  %17 = load i64, i64* %4, align 8, !dbg !113
  %18 = add nsw i64 %17, 1, !dbg !114
  %19 = inttoptr i64 %18 to i8*, !dbg !115
  %20 = call i32 @pthread_create(i64* noundef %16, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef %19), !dbg !116
  br label %21, !dbg !116

21:                                               ; preds = %14
  %22 = load i64, i64* %4, align 8, !dbg !117
  %23 = add nsw i64 %22, 1, !dbg !117
  store i64 %23, i64* %4, align 8, !dbg !117
  br label %11, !dbg !118

24:                                               ; preds = %11
  call void @llvm.dbg.declare(metadata i32* %5, metadata !122, metadata !DIExpression()), !dbg !124
  store i32 0, i32* %5, align 4, !dbg !124
  br label %25, !dbg !125

25:                                               ; preds = %34, %24
  %26 = load i32, i32* %5, align 4, !dbg !126
  %27 = icmp slt i32 %26, 2, !dbg !128
  br i1 %27, label %28, label %37, !dbg !129

28:                                               ; preds = %25
  %29 = load i32, i32* %5, align 4, !dbg !130
  %30 = sext i32 %29 to i64, !dbg !131
  %31 = getelementptr inbounds [2 x i64], [2 x i64]* %2, i64 0, i64 %30, !dbg !131
  %32 = load i64, i64* %31, align 8, !dbg !131
  %33 = call i32 @pthread_join(i64 noundef %32, i8** noundef null), !dbg !132
  br label %34, !dbg !132

34:                                               ; preds = %28
  %35 = load i32, i32* %5, align 4, !dbg !133
  %36 = add nsw i32 %35, 1, !dbg !133
  store i32 %36, i32* %5, align 4, !dbg !133
  br label %25, !dbg !134

37:                                               ; preds = %25
  call void @llvm.dbg.declare(metadata i32* %6, metadata !137, metadata !DIExpression()), !dbg !138
  store i32 0, i32* %6, align 4, !dbg !138
  call void @llvm.dbg.declare(metadata %struct.node** %7, metadata !139, metadata !DIExpression()), !dbg !141
  %38 = load atomic i64, i64* bitcast (%struct.node** @top to i64*) seq_cst, align 8, !dbg !142
  %39 = inttoptr i64 %38 to %struct.node*, !dbg !142
  store %struct.node* %39, %struct.node** %7, align 8, !dbg !141
  call void @llvm.dbg.declare(metadata %struct.node** %8, metadata !143, metadata !DIExpression()), !dbg !144
  br label %40, !dbg !145

40:                                               ; preds = %68, %37
  %41 = load %struct.node*, %struct.node** %7, align 8, !dbg !146
  %42 = icmp ne %struct.node* %41, null, !dbg !148
  br i1 %42, label %43, label %70, !dbg !148

43:                                               ; preds = %40
  %44 = load %struct.node*, %struct.node** %7, align 8, !dbg !149
  %45 = getelementptr inbounds %struct.node, %struct.node* %44, i32 0, i32 1, !dbg !151
  %46 = load %struct.node*, %struct.node** %45, align 8, !dbg !151
  store %struct.node* %46, %struct.node** %8, align 8, !dbg !152
  %47 = load i32, i32* %6, align 4, !dbg !153
  %48 = mul nsw i32 10, %47, !dbg !154
  %49 = load %struct.node*, %struct.node** %7, align 8, !dbg !155
  %50 = getelementptr inbounds %struct.node, %struct.node* %49, i32 0, i32 0, !dbg !156
  %51 = load i32, i32* %50, align 8, !dbg !156
  %52 = add nsw i32 %48, %51, !dbg !157
  store i32 %52, i32* %6, align 4, !dbg !158
  %53 = load %struct.node*, %struct.node** %7, align 8, !dbg !159
  %54 = getelementptr inbounds %struct.node, %struct.node* %53, i32 0, i32 2, !dbg !159
  %55 = getelementptr inbounds %struct.pair, %struct.pair* %54, i32 0, i32 2, !dbg !159
  %56 = load i64, i64* %55, align 8, !dbg !159
  %57 = load %struct.node*, %struct.node** %7, align 8, !dbg !159
  %58 = getelementptr inbounds %struct.node, %struct.node* %57, i32 0, i32 2, !dbg !159
  %59 = getelementptr inbounds %struct.pair, %struct.pair* %58, i32 0, i32 0, !dbg !159
  %60 = load i64, i64* %59, align 8, !dbg !159
  %61 = mul nsw i64 2, %60, !dbg !159
  %62 = icmp eq i64 %56, %61, !dbg !159
  br i1 %62, label %63, label %64, !dbg !162

63:                                               ; preds = %43
  br label %65, !dbg !162

64:                                               ; preds = %43
  call void @__assert_fail(i8* noundef getelementptr inbounds ([41 x i8], [41 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 68, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !159
  unreachable, !dbg !159

65:                                               ; preds = %63
  %66 = load %struct.node*, %struct.node** %7, align 8, !dbg !163
  %67 = bitcast %struct.node* %66 to i8*, !dbg !163
  call void @free(i8* noundef %67), !dbg !164
  br label %68, !dbg !165

68:                                               ; preds = %65
  %69 = load %struct.node*, %struct.node** %8, align 8, !dbg !166
  store %struct.node* %69, %struct.node** %7, align 8, !dbg !167
  br label %40, !dbg !168

70:                                               ; preds = %40
  %71 = load i32, i32* %6, align 4, !dbg !171
  %72 = icmp eq i32 %71, 34, !dbg !171
  br i1 %72, label %76, label %73, !dbg !171

73:                                               ; preds = %70
  %74 = load i32, i32* %6, align 4, !dbg !171
  %75 = icmp eq i32 %74, 43, !dbg !171
  br i1 %75, label %76, label %77, !dbg !174

76:                                               ; preds = %73, %70
  br label %78, !dbg !174

77:                                               ; preds = %73
  call void @__assert_fail(i8* noundef getelementptr inbounds ([27 x i8], [27 x i8]* @.str.2, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 71, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !171
  unreachable, !dbg !171

78:                                               ; preds = %76
  %79 = load i32, i32* @counter, align 4, !dbg !175
  %80 = icmp eq i32 %79, 13, !dbg !175
  br i1 %80, label %81, label %85, !dbg !175

81:                                               ; preds = %78
  %82 = load i32, i32* @own, align 4, !dbg !175
  %83 = icmp eq i32 %82, 5, !dbg !175
  br i1 %83, label %84, label %85, !dbg !178

84:                                               ; preds = %81
  br label %86, !dbg !178

85:                                               ; preds = %81, %78
  call void @__assert_fail(i8* noundef getelementptr inbounds ([26 x i8], [26 x i8]* @.str.3, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 72, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !175
  unreachable, !dbg !175

86:                                               ; preds = %84
  %87 = call i32 @pthread_create(i64* noundef %3, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @publish, i8* noundef null), !dbg !179
  %88 = load atomic i32, i32* @flag acquire, align 4, !dbg !180
  store i32 %88, i32* %9, align 4, !dbg !180
  %89 = load i32, i32* %9, align 4, !dbg !180
  %90 = icmp ne i32 %89, 0, !dbg !180
  br i1 %90, label %91, label %98, !dbg !182

91:                                               ; preds = %86
  %92 = load atomic i32, i32* @data monotonic, align 4, !dbg !183
  store i32 %92, i32* %10, align 4, !dbg !183
  %93 = load i32, i32* %10, align 4, !dbg !183
  %94 = icmp eq i32 %93, 42, !dbg !183
  br i1 %94, label %95, label %96, !dbg !186

95:                                               ; preds = %91
  br label %97, !dbg !186

96:                                               ; preds = %91
  call void @__assert_fail(i8* noundef getelementptr inbounds ([56 x i8], [56 x i8]* @.str.4, i64 0, i64 0), i8* noundef getelementptr inbounds ([10 x i8], [10 x i8]* @.str.1, i64 0, i64 0), i32 noundef 75, i8* noundef getelementptr inbounds ([15 x i8], [15 x i8]* @__PRETTY_FUNCTION__.main, i64 0, i64 0)), !dbg !183
  unreachable, !dbg !183

97:                                               ; preds = %95
  br label %98, !dbg !187

98:                                               ; preds = %97, %86
  %99 = load i64, i64* %3, align 8, !dbg !188
  %100 = call i32 @pthread_join(i64 noundef %99, i8** noundef null), !dbg !189
  ret i32 0, !dbg !190
}

declare void @llvm.dbg.declare(metadata, metadata, metadata)

declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef)

define internal i8* @worker(i8* noundef %0) !dbg !191 {
  %2 = alloca i8*, align 8
  %3 = alloca i64, align 8
  %4 = alloca %struct.node*, align 8
  %5 = alloca %struct.pair, align 8
  store i8* %0, i8** %2, align 8
  call void @llvm.dbg.declare(metadata i8** %2, metadata !194, metadata !DIExpression()), !dbg !195
  call void @llvm.dbg.declare(metadata i64* %3, metadata !196, metadata !DIExpression()), !dbg !197
  %6 = load i8*, i8** %2, align 8, !dbg !198
  %7 = ptrtoint i8* %6 to i64, !dbg !199
  store i64 %7, i64* %3, align 8, !dbg !197
  call void @llvm.dbg.declare(metadata %struct.node** %4, metadata !200, metadata !DIExpression()), !dbg !201
  %8 = call noalias i8* @malloc(i64 noundef 40), !dbg !202
  %9 = bitcast i8* %8 to %struct.node*, !dbg !202
  store %struct.node* %9, %struct.node** %4, align 8, !dbg !201
  call void @llvm.dbg.declare(metadata %struct.pair* %5, metadata !203, metadata !DIExpression()), !dbg !204
  %10 = getelementptr inbounds %struct.pair, %struct.pair* %5, i32 0, i32 0, !dbg !205
  %11 = load i64, i64* %3, align 8, !dbg !206
  store i64 %11, i64* %10, align 8, !dbg !205
  %12 = getelementptr inbounds %struct.pair, %struct.pair* %5, i32 0, i32 1, !dbg !205
  store i64 0, i64* %12, align 8, !dbg !205
  %13 = getelementptr inbounds %struct.pair, %struct.pair* %5, i32 0, i32 2, !dbg !205
  %14 = load i64, i64* %3, align 8, !dbg !207
  %15 = mul nsw i64 2, %14, !dbg !208
  store i64 %15, i64* %13, align 8, !dbg !205
  %16 = load i64, i64* %3, align 8, !dbg !209
  %17 = trunc i64 %16 to i32, !dbg !210
  %18 = call i32 @chosen(%struct.pair* noundef byval(%struct.pair) align 8 %5, i32 noundef %17), !dbg !211
  %19 = load %struct.node*, %struct.node** %4, align 8, !dbg !212
  %20 = getelementptr inbounds %struct.node, %struct.node* %19, i32 0, i32 0, !dbg !213
  store i32 %18, i32* %20, align 8, !dbg !214
  %21 = load %struct.node*, %struct.node** %4, align 8, !dbg !215
  %22 = getelementptr inbounds %struct.node, %struct.node* %21, i32 0, i32 2, !dbg !216
  %23 = bitcast %struct.pair* %22 to i8*, !dbg !217
  %24 = bitcast %struct.pair* %5 to i8*, !dbg !217
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %23, i8* align 8 %24, i64 24, i1 false), !dbg !217
  %25 = load %struct.node*, %struct.node** %4, align 8, !dbg !218
  call void @push(%struct.node* noundef %25), !dbg !219
  %26 = load i64, i64* %3, align 8, !dbg !220
  %27 = load i32, i32* @own, align 4, !dbg !221
  %28 = sext i32 %27 to i64, !dbg !221
  %29 = add nsw i64 %28, %26, !dbg !221
  %30 = trunc i64 %29 to i32, !dbg !221
  store i32 %30, i32* @own, align 4, !dbg !221
  %31 = call i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef @mutex), !dbg !222
  %32 = load i32, i32* @own, align 4, !dbg !223
  %33 = load i32, i32* @counter, align 4, !dbg !224
  %34 = add nsw i32 %33, %32, !dbg !224
  store i32 %34, i32* @counter, align 4, !dbg !224
  %35 = call i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef @mutex), !dbg !225
  ret i8* null, !dbg !226
}

declare i32 @pthread_join(i64 noundef, i8** noundef)

declare void @__assert_fail(i8* noundef, i8* noundef, i32 noundef, i8* noundef)

declare void @free(i8* noundef)

define internal i8* @publish(i8* noundef %0) !dbg !227 {
  %2 = alloca i8*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i8* %0, i8** %2, align 8
  call void @llvm.dbg.declare(metadata i8** %2, metadata !228, metadata !DIExpression()), !dbg !229
  store i32 42, i32* %3, align 4, !dbg !230
  %5 = load i32, i32* %3, align 4, !dbg !230
  store atomic i32 %5, i32* @data monotonic, align 4, !dbg !230
  store i32 1, i32* %4, align 4, !dbg !231
  %6 = load i32, i32* %4, align 4, !dbg !231
  store atomic i32 %6, i32* @flag monotonic, align 4, !dbg !231
  ret i8* null, !dbg !232
}

declare noalias i8* @malloc(i64 noundef)

define internal i32 @chosen(%struct.pair* noundef byval(%struct.pair) align 8 %0, i32 noundef %1) !dbg !233 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  call void @llvm.dbg.declare(metadata %struct.pair* %0, metadata !234, metadata !DIExpression()), !dbg !235
  store i32 %1, i32* %4, align 4
  call void @llvm.dbg.declare(metadata i32* %4, metadata !236, metadata !DIExpression()), !dbg !237
  %5 = load i32, i32* %4, align 4, !dbg !238
  switch i32 %5, label %14 [
    i32 1, label %6
    i32 2, label %10
  ], !dbg !239

6:                                                ; preds = %2
  %7 = load i32 (%struct.pair*, i32)*, i32 (%struct.pair*, i32)** getelementptr inbounds ([2 x i32 (%struct.pair*, i32)*], [2 x i32 (%struct.pair*, i32)*]* @operations, i64 0, i64 0), align 16, !dbg !240
  %8 = load i32, i32* %4, align 4, !dbg !242
  %9 = call i32 %7(%struct.pair* noundef byval(%struct.pair) align 8 %0, i32 noundef %8), !dbg !240
  store i32 %9, i32* %3, align 4, !dbg !243
  br label %15, !dbg !243

10:                                               ; preds = %2
  %11 = load i32 (%struct.pair*, i32)*, i32 (%struct.pair*, i32)** getelementptr inbounds ([2 x i32 (%struct.pair*, i32)*], [2 x i32 (%struct.pair*, i32)*]* @operations, i64 0, i64 1), align 8, !dbg !244
  %12 = load i32, i32* %4, align 4, !dbg !245
  %13 = call i32 %11(%struct.pair* noundef byval(%struct.pair) align 8 %0, i32 noundef %12), !dbg !244
  store i32 %13, i32* %3, align 4, !dbg !246
  br label %15, !dbg !246

14:                                               ; preds = %2
  store i32 -1, i32* %3, align 4, !dbg !247
  br label %15, !dbg !247

15:                                               ; preds = %14, %10, %6
  %16 = load i32, i32* %3, align 4, !dbg !248
  ret i32 %16, !dbg !248
}

declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)

define internal void @push(%struct.node* noundef %0) !dbg !249 {
  %2 = alloca %struct.node*, align 8
  %3 = alloca %struct.node*, align 8
  %4 = alloca %struct.node*, align 8
  %5 = alloca i8, align 1
  store %struct.node* %0, %struct.node** %2, align 8
  call void @llvm.dbg.declare(metadata %struct.node** %2, metadata !252, metadata !DIExpression()), !dbg !253
  %6 = bitcast %struct.node** %3 to i64*, !dbg !254
  %7 = load atomic i64, i64* bitcast (%struct.node** @top to i64*) monotonic, align 8, !dbg !254
  store i64 %7, i64* %6, align 8, !dbg !254
  %8 = bitcast i64* %6 to %struct.node**, !dbg !254
  %9 = load %struct.node*, %struct.node** %8, align 8, !dbg !254
  %10 = load %struct.node*, %struct.node** %2, align 8, !dbg !255
  %11 = getelementptr inbounds %struct.node, %struct.node* %10, i32 0, i32 1, !dbg !256
  store %struct.node* %9, %struct.node** %11, align 8, !dbg !257
  br label %12, !dbg !258

12:                                               ; preds = %29, %1
  %13 = load %struct.node*, %struct.node** %2, align 8, !dbg !259
  %14 = getelementptr inbounds %struct.node, %struct.node* %13, i32 0, i32 1, !dbg !260
  %15 = load %struct.node*, %struct.node** %2, align 8, !dbg !261
  store %struct.node* %15, %struct.node** %4, align 8, !dbg !262
  %16 = bitcast %struct.node** %14 to i64*, !dbg !262
  %17 = bitcast %struct.node** %4 to i64*, !dbg !262
  %18 = load i64, i64* %16, align 8, !dbg !262
  %19 = load i64, i64* %17, align 8, !dbg !262
  %20 = cmpxchg weak i64* bitcast (%struct.node** @top to i64*), i64 %18, i64 %19 release monotonic, align 8, !dbg !262
  %21 = extractvalue { i64, i1 } %20, 0, !dbg !262
  %22 = extractvalue { i64, i1 } %20, 1, !dbg !262
  br i1 %22, label %24, label %23, !dbg !262

23:                                               ; preds = %12
  store i64 %21, i64* %16, align 8, !dbg !262
  br label %24, !dbg !262

24:                                               ; preds = %23, %12
  %25 = zext i1 %22 to i8, !dbg !262
  store i8 %25, i8* %5, align 1, !dbg !262
  %26 = load i8, i8* %5, align 1, !dbg !262
  %27 = trunc i8 %26 to i1, !dbg !262
  %28 = xor i1 %27, true, !dbg !263
  br i1 %28, label %29, label %30, !dbg !258

29:                                               ; preds = %24
  br label %12, !dbg !258

30:                                               ; preds = %24
  ret void, !dbg !266
}

declare i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef)

declare i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef)

define internal i32 @sum(%struct.pair* noundef byval(%struct.pair) align 8 %0, i32 noundef %1) !dbg !267 {
  %3 = alloca i32, align 4
  call void @llvm.dbg.declare(metadata %struct.pair* %0, metadata !268, metadata !DIExpression()), !dbg !269
  store i32 %1, i32* %3, align 4
  call void @llvm.dbg.declare(metadata i32* %3, metadata !270, metadata !DIExpression()), !dbg !271
  %4 = getelementptr inbounds %struct.pair, %struct.pair* %0, i32 0, i32 0, !dbg !272
  %5 = load i64, i64* %4, align 8, !dbg !272
  %6 = getelementptr inbounds %struct.pair, %struct.pair* %0, i32 0, i32 2, !dbg !273
  %7 = load i64, i64* %6, align 8, !dbg !273
  %8 = add nsw i64 %5, %7, !dbg !274
  %9 = trunc i64 %8 to i32, !dbg !275
  %10 = load i32, i32* %3, align 4, !dbg !276
  %11 = mul nsw i32 %9, %10, !dbg !277
  ret i32 %11, !dbg !278
}

define internal i32 @difference(%struct.pair* noundef byval(%struct.pair) align 8 %0, i32 noundef %1) !dbg !279 {
  %3 = alloca i32, align 4
  call void @llvm.dbg.declare(metadata %struct.pair* %0, metadata !280, metadata !DIExpression()), !dbg !281
  store i32 %1, i32* %3, align 4
  call void @llvm.dbg.declare(metadata i32* %3, metadata !282, metadata !DIExpression()), !dbg !283
  %4 = getelementptr inbounds %struct.pair, %struct.pair* %0, i32 0, i32 2, !dbg !284
  %5 = load i64, i64* %4, align 8, !dbg !284
  %6 = getelementptr inbounds %struct.pair, %struct.pair* %0, i32 0, i32 0, !dbg !285
  %7 = load i64, i64* %6, align 8, !dbg !285
  %8 = sub nsw i64 %5, %7, !dbg !286
  %9 = trunc i64 %8 to i32, !dbg !287
  %10 = load i32, i32* %3, align 4, !dbg !288
  %11 = mul nsw i32 %9, %10, !dbg !289
  ret i32 %11, !dbg !290
}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "top", scope: !2, file: !3, line: 13, type: !77, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !19, splitDebugInlining: false, nameTableKind: None)
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
!92 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 58, type: !93, scopeLine: 58, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !95)
!96 = !DILocalVariable(name: "workers", scope: !92, file: !3, line: 59, type: !97)
!100 = !DILocation(line: 59, column: 13, scope: !92)
!101 = !DILocalVariable(name: "publisher", scope: !92, file: !3, line: 59, type: !98)
!102 = !DILocation(line: 59, column: 25, scope: !92)
!103 = !DILocalVariable(name: "i", scope: !104, file: !3, line: 60, type: !17)
!104 = distinct !DILexicalBlock(scope: !92, file: !3, line: 60, column: 3)
!105 = !DILocation(line: 60, column: 13, scope: !104)
!106 = !DILocation(line: 60, column: 8, scope: !104)
!107 = !DILocation(line: 60, column: 20, scope: !108)
!108 = distinct !DILexicalBlock(scope: !104, file: !3, line: 60, column: 3)
!109 = !DILocation(line: 60, column: 22, scope: !108)
!110 = !DILocation(line: 60, column: 3, scope: !104)
!111 = !DILocation(line: 61, column: 29, scope: !108)
!112 = !DILocation(line: 61, column: 21, scope: !108)
!113 = !DILocation(line: 61, column: 53, scope: !108)
!114 = !DILocation(line: 61, column: 55, scope: !108)
!115 = !DILocation(line: 61, column: 44, scope: !108)
!116 = !DILocation(line: 61, column: 5, scope: !108)
!117 = !DILocation(line: 60, column: 28, scope: !108)
!118 = !DILocation(line: 60, column: 3, scope: !108)
!120 = !DILocation(line: 61, column: 59, scope: !104)
!122 = !DILocalVariable(name: "i", scope: !123, file: !3, line: 62, type: !18)
!123 = distinct !DILexicalBlock(scope: !92, file: !3, line: 62, column: 3)
!124 = !DILocation(line: 62, column: 12, scope: !123)
!125 = !DILocation(line: 62, column: 8, scope: !123)
!126 = !DILocation(line: 62, column: 19, scope: !127)
!127 = distinct !DILexicalBlock(scope: !123, file: !3, line: 62, column: 3)
!128 = !DILocation(line: 62, column: 21, scope: !127)
!129 = !DILocation(line: 62, column: 3, scope: !123)
!130 = !DILocation(line: 63, column: 26, scope: !127)
!131 = !DILocation(line: 63, column: 18, scope: !127)
!132 = !DILocation(line: 63, column: 5, scope: !127)
!133 = !DILocation(line: 62, column: 27, scope: !127)
!134 = !DILocation(line: 62, column: 3, scope: !127)
!136 = !DILocation(line: 63, column: 31, scope: !123)
!137 = !DILocalVariable(name: "found", scope: !92, file: !3, line: 64, type: !18)
!138 = !DILocation(line: 64, column: 7, scope: !92)
!139 = !DILocalVariable(name: "node", scope: !140, file: !3, line: 65, type: !78)
!140 = distinct !DILexicalBlock(scope: !92, file: !3, line: 65, column: 3)
!141 = !DILocation(line: 65, column: 21, scope: !140)
!142 = !DILocation(line: 65, column: 28, scope: !140)
!143 = !DILocalVariable(name: "next", scope: !140, file: !3, line: 65, type: !78)
!144 = !DILocation(line: 65, column: 34, scope: !140)
!145 = !DILocation(line: 65, column: 8, scope: !140)
!146 = !DILocation(line: 65, column: 40, scope: !147)
!147 = distinct !DILexicalBlock(scope: !140, file: !3, line: 65, column: 3)
!148 = !DILocation(line: 65, column: 3, scope: !140)
!149 = !DILocation(line: 66, column: 12, scope: !150)
!150 = distinct !DILexicalBlock(scope: !147, file: !3, line: 65, column: 59)
!151 = !DILocation(line: 66, column: 18, scope: !150)
!152 = !DILocation(line: 66, column: 10, scope: !150)
!153 = !DILocation(line: 67, column: 18, scope: !150)
!154 = !DILocation(line: 67, column: 16, scope: !150)
!155 = !DILocation(line: 67, column: 26, scope: !150)
!156 = !DILocation(line: 67, column: 32, scope: !150)
!157 = !DILocation(line: 67, column: 24, scope: !150)
!158 = !DILocation(line: 67, column: 11, scope: !150)
!159 = !DILocation(line: 68, column: 5, scope: !160)
!160 = distinct !DILexicalBlock(scope: !161, file: !3, line: 68, column: 5)
!161 = distinct !DILexicalBlock(scope: !150, file: !3, line: 68, column: 5)
!162 = !DILocation(line: 68, column: 5, scope: !161)
!163 = !DILocation(line: 69, column: 10, scope: !150)
!164 = !DILocation(line: 69, column: 5, scope: !150)
!165 = !DILocation(line: 70, column: 3, scope: !150)
!166 = !DILocation(line: 65, column: 53, scope: !147)
!167 = !DILocation(line: 65, column: 51, scope: !147)
!168 = !DILocation(line: 65, column: 3, scope: !147)
!170 = !DILocation(line: 70, column: 3, scope: !140)
!171 = !DILocation(line: 71, column: 3, scope: !172)
!172 = distinct !DILexicalBlock(scope: !173, file: !3, line: 71, column: 3)
!173 = distinct !DILexicalBlock(scope: !92, file: !3, line: 71, column: 3)
!174 = !DILocation(line: 71, column: 3, scope: !173)
!175 = !DILocation(line: 72, column: 3, scope: !176)
!176 = distinct !DILexicalBlock(scope: !177, file: !3, line: 72, column: 3)
!177 = distinct !DILexicalBlock(scope: !92, file: !3, line: 72, column: 3)
!178 = !DILocation(line: 72, column: 3, scope: !177)
!179 = !DILocation(line: 73, column: 3, scope: !92)
!180 = !DILocation(line: 74, column: 7, scope: !181)
!181 = distinct !DILexicalBlock(scope: !92, file: !3, line: 74, column: 7)
!182 = !DILocation(line: 74, column: 7, scope: !92)
!183 = !DILocation(line: 75, column: 5, scope: !184)
!184 = distinct !DILexicalBlock(scope: !185, file: !3, line: 75, column: 5)
!185 = distinct !DILexicalBlock(scope: !181, file: !3, line: 75, column: 5)
!186 = !DILocation(line: 75, column: 5, scope: !185)
!187 = !DILocation(line: 75, column: 5, scope: !181)
!188 = !DILocation(line: 76, column: 16, scope: !92)
!189 = !DILocation(line: 76, column: 3, scope: !92)
!190 = !DILocation(line: 77, column: 3, scope: !92)
!191 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 38, type: !192, scopeLine: 38, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !95)
!194 = !DILocalVariable(name: "argument", arg: 1, scope: !191, file: !3, line: 38, type: !16)
!195 = !DILocation(line: 38, column: 27, scope: !191)
!196 = !DILocalVariable(name: "number", scope: !191, file: !3, line: 39, type: !17)
!197 = !DILocation(line: 39, column: 8, scope: !191)
!198 = !DILocation(line: 39, column: 23, scope: !191)
!199 = !DILocation(line: 39, column: 17, scope: !191)
!200 = !DILocalVariable(name: "node", scope: !191, file: !3, line: 40, type: !78)
!201 = !DILocation(line: 40, column: 16, scope: !191)
!202 = !DILocation(line: 40, column: 23, scope: !191)
!203 = !DILocalVariable(name: "pair", scope: !191, file: !3, line: 41, type: !36)
!204 = !DILocation(line: 41, column: 15, scope: !191)
!205 = !DILocation(line: 41, column: 22, scope: !191)
!206 = !DILocation(line: 41, column: 23, scope: !191)
!207 = !DILocation(line: 41, column: 38, scope: !191)
!208 = !DILocation(line: 41, column: 36, scope: !191)
!209 = !DILocation(line: 42, column: 35, scope: !191)
!210 = !DILocation(line: 42, column: 30, scope: !191)
!211 = !DILocation(line: 42, column: 17, scope: !191)
!212 = !DILocation(line: 42, column: 3, scope: !191)
!213 = !DILocation(line: 42, column: 9, scope: !191)
!214 = !DILocation(line: 42, column: 15, scope: !191)
!215 = !DILocation(line: 43, column: 11, scope: !191)
!216 = !DILocation(line: 43, column: 17, scope: !191)
!217 = !DILocation(line: 43, column: 3, scope: !191)
!218 = !DILocation(line: 44, column: 8, scope: !191)
!219 = !DILocation(line: 44, column: 3, scope: !191)
!220 = !DILocation(line: 45, column: 10, scope: !191)
!221 = !DILocation(line: 45, column: 7, scope: !191)
!222 = !DILocation(line: 46, column: 3, scope: !191)
!223 = !DILocation(line: 47, column: 14, scope: !191)
!224 = !DILocation(line: 47, column: 11, scope: !191)
!225 = !DILocation(line: 48, column: 3, scope: !191)
!226 = !DILocation(line: 49, column: 3, scope: !191)
!227 = distinct !DISubprogram(name: "publish", scope: !3, file: !3, line: 52, type: !192, scopeLine: 52, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !95)
!228 = !DILocalVariable(name: "argument", arg: 1, scope: !227, file: !3, line: 52, type: !16)
!229 = !DILocation(line: 52, column: 28, scope: !227)
!230 = !DILocation(line: 53, column: 3, scope: !227)
!231 = !DILocation(line: 54, column: 3, scope: !227)
!232 = !DILocation(line: 55, column: 3, scope: !227)
!233 = distinct !DISubprogram(name: "chosen", scope: !3, file: !3, line: 23, type: !34, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !95)
!234 = !DILocalVariable(name: "pair", arg: 1, scope: !233, file: !3, line: 23, type: !36)
!235 = !DILocation(line: 23, column: 31, scope: !233)
!236 = !DILocalVariable(name: "by", arg: 2, scope: !233, file: !3, line: 23, type: !18)
!237 = !DILocation(line: 23, column: 41, scope: !233)
!238 = !DILocation(line: 24, column: 11, scope: !233)
!239 = !DILocation(line: 24, column: 3, scope: !233)
!240 = !DILocation(line: 25, column: 18, scope: !241)
!241 = distinct !DILexicalBlock(scope: !233, file: !3, line: 24, column: 15)
!242 = !DILocation(line: 25, column: 38, scope: !241)
!243 = !DILocation(line: 25, column: 11, scope: !241)
!244 = !DILocation(line: 26, column: 18, scope: !241)
!245 = !DILocation(line: 26, column: 38, scope: !241)
!246 = !DILocation(line: 26, column: 11, scope: !241)
!247 = !DILocation(line: 27, column: 12, scope: !241)
!248 = !DILocation(line: 29, column: 1, scope: !233)
!249 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 31, type: !250, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !95)
!252 = !DILocalVariable(name: "node", arg: 1, scope: !249, file: !3, line: 31, type: !78)
!253 = !DILocation(line: 31, column: 31, scope: !249)
!254 = !DILocation(line: 32, column: 16, scope: !249)
!255 = !DILocation(line: 32, column: 3, scope: !249)
!256 = !DILocation(line: 32, column: 9, scope: !249)
!257 = !DILocation(line: 32, column: 14, scope: !249)
!258 = !DILocation(line: 33, column: 3, scope: !249)
!259 = !DILocation(line: 33, column: 56, scope: !249)
!260 = !DILocation(line: 33, column: 62, scope: !249)
!261 = !DILocation(line: 33, column: 68, scope: !249)
!262 = !DILocation(line: 33, column: 11, scope: !249)
!263 = !DILocation(line: 33, column: 10, scope: !249)
!265 = !DILocation(line: 35, column: 5, scope: !249)
!266 = !DILocation(line: 36, column: 1, scope: !249)
!267 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 19, type: !34, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !95)
!268 = !DILocalVariable(name: "pair", arg: 1, scope: !267, file: !3, line: 19, type: !36)
!269 = !DILocation(line: 19, column: 28, scope: !267)
!270 = !DILocalVariable(name: "by", arg: 2, scope: !267, file: !3, line: 19, type: !18)
!271 = !DILocation(line: 19, column: 38, scope: !267)
!272 = !DILocation(line: 19, column: 62, scope: !267)
!273 = !DILocation(line: 19, column: 75, scope: !267)
!274 = !DILocation(line: 19, column: 68, scope: !267)
!275 = !DILocation(line: 19, column: 51, scope: !267)
!276 = !DILocation(line: 19, column: 84, scope: !267)
!277 = !DILocation(line: 19, column: 82, scope: !267)
!278 = !DILocation(line: 19, column: 44, scope: !267)
!279 = distinct !DISubprogram(name: "difference", scope: !3, file: !3, line: 20, type: !34, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !95)
!280 = !DILocalVariable(name: "pair", arg: 1, scope: !279, file: !3, line: 20, type: !36)
!281 = !DILocation(line: 20, column: 35, scope: !279)
!282 = !DILocalVariable(name: "by", arg: 2, scope: !279, file: !3, line: 20, type: !18)
!283 = !DILocation(line: 20, column: 45, scope: !279)
!284 = !DILocation(line: 20, column: 69, scope: !279)
!285 = !DILocation(line: 20, column: 82, scope: !279)
!286 = !DILocation(line: 20, column: 75, scope: !279)
!287 = !DILocation(line: 20, column: 58, scope: !279)
!288 = !DILocation(line: 20, column: 91, scope: !279)
!289 = !DILocation(line: 20, column: 89, scope: !279)
!290 = !DILocation(line: 20, column: 51, scope: !279)
