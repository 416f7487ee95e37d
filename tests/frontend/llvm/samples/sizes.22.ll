source_filename = "sizes.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux5.10.0-gnu2.31.0"

%struct.A = type { i8, i16, i32, i64 }
%struct.B = type { i8, [3 x %struct.A], i8 }
%struct.C = type <{ i8, i32, i64 }>
%struct.D = type { i8, %struct.C, double, float, ptr }
%struct.E = type { i8, i128, i8 }
%struct.G = type { i8, %union.F, i8, x86_fp80 }
%union.F = type { i32, [8 x i8] }
%struct.H = type { i8, <4 x i32> }

@sizes = constant [23 x i64] [i64 16, i64 2, i64 4, i64 8, i64 64, i64 8, i64 56, i64 13, i64 1, i64 5, i64 40, i64 1, i64 16, i64 24, i64 32, i64 48, i64 16, i64 32, i64 48, i64 4, i64 32, i64 32, i64 16], align 16, !dbg !0
@a = global %struct.A zeroinitializer, align 8, !dbg !5
@b = global %struct.B zeroinitializer, align 8, !dbg !17
@c = global %struct.C zeroinitializer, align 1, !dbg !27
@d = global %struct.D zeroinitializer, align 8, !dbg !34
@e = global %struct.E zeroinitializer, align 16, !dbg !46
@g = global %struct.G zeroinitializer, align 16, !dbg !55
@h = global %struct.H zeroinitializer, align 16, !dbg !72


!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "sizes", scope: !2, file: !3, line: 11, type: !81, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "sizes.c", directory: "/src")
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "a", scope: !2, file: !3, line: 10, type: !7, isLocal: false, isDefinition: true)
!17 = !DIGlobalVariableExpression(var: !18, expr: !DIExpression())
!18 = distinct !DIGlobalVariable(name: "b", scope: !2, file: !3, line: 10, type: !19, isLocal: false, isDefinition: true)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(name: "c", scope: !2, file: !3, line: 10, type: !29, isLocal: false, isDefinition: true)
!34 = !DIGlobalVariableExpression(var: !35, expr: !DIExpression())
!35 = distinct !DIGlobalVariable(name: "d", scope: !2, file: !3, line: 10, type: !36, isLocal: false, isDefinition: true)
!46 = !DIGlobalVariableExpression(var: !47, expr: !DIExpression())
!47 = distinct !DIGlobalVariable(name: "e", scope: !2, file: !3, line: 10, type: !48, isLocal: false, isDefinition: true)
!55 = !DIGlobalVariableExpression(var: !56, expr: !DIExpression())
!56 = distinct !DIGlobalVariable(name: "g", scope: !2, file: !3, line: 10, type: !57, isLocal: false, isDefinition: true)
!72 = !DIGlobalVariableExpression(var: !73, expr: !DIExpression())
!73 = distinct !DIGlobalVariable(name: "h", scope: !2, file: !3, line: 10, type: !74, isLocal: false, isDefinition: true)
