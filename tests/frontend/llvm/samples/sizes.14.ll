source_filename = "sizes.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.A = type { i8, i16, i32, i64 }
%struct.B = type { i8, [3 x %struct.A], i8 }
%struct.C = type <{ i8, i32, i64 }>
%struct.D = type { i8, %struct.C, double, float, i8* }
%struct.E = type { i8, [15 x i8], i128, i8, [15 x i8] }
%struct.G = type { i8, %union.F, i8, x86_fp80 }
%union.F = type { i32, [8 x i8] }
%struct.H = type { i8, <4 x i32> }

@sizes = dso_local constant [23 x i64] [i64 16, i64 2, i64 4, i64 8, i64 64, i64 8, i64 56, i64 13, i64 1, i64 5, i64 40, i64 1, i64 16, i64 24, i64 32, i64 48, i64 16, i64 32, i64 48, i64 4, i64 32, i64 32, i64 16], align 16
@a = dso_local global %struct.A zeroinitializer, align 8
@b = dso_local global %struct.B zeroinitializer, align 8
@c = dso_local global %struct.C zeroinitializer, align 1
@d = dso_local global %struct.D zeroinitializer, align 8
@e = dso_local global %struct.E zeroinitializer, align 16
@g = dso_local global %struct.G zeroinitializer, align 16
@h = dso_local global %struct.H zeroinitializer, align 16


