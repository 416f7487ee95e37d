"""The reader of LLVM's intermediate language: what each construct means."""

from __future__ import annotations

import pytest
from llvm_samples import SAMPLES, function, instruction, read

from hybrid.frontend.llvm.module import (
    AggregateConst,
    Alloca,
    ArrayType,
    AtomicRmw,
    BinaryInst,
    BytesConst,
    CallInst,
    Cast,
    Cmpxchg,
    CompareInst,
    CondJump,
    ConstExpr,
    ExtractValue,
    FenceInst,
    Gep,
    GlobalName,
    InlineAsm,
    InsertValue,
    IntConst,
    IntType,
    Jump,
    LlvmInstruction,
    LoadInst,
    Local,
    NamedType,
    NullConst,
    Operand,
    OtherConst,
    OtherType,
    Parameter,
    Phi,
    PointerType,
    Return,
    SelectInst,
    StoreInst,
    StructType,
    SwitchInst,
    Type,
    UndefConst,
    Unknown,
    Unreachable,
    Value,
    VoidType,
)

I1, I8, I32, I64, PTR = IntType(1), IntType(8), IntType(32), IntType(64), PointerType()
A, P, V = Operand(I32, Local("a")), Operand(PTR, Local("p")), Operand(PTR, GlobalName("v"))
ZERO, ONE = Operand(I32, IntConst(0)), Operand(I32, IntConst(1))
PAIR = StructType((I32, I1))


# Modules


def test_module_level() -> None:
    module = read(
        'source_filename = "a b.c"\n'
        'target datalayout = "e-m:e"\ntarget triple = "x86_64-linux"\n'
        'module asm "nop"\n$f = comdat any\n'
        "%struct.n = type { i32, ptr }\n%p = type <{ i8, i64 }>\n%o = type opaque\n%q = type %p\n"
        "attributes #0 = { nounwind }\n!llvm.module.flags = !{!0}\n!0 = !{i32 1}\n"
        '^0 = module: (path: "x")\n'
    )
    assert (module.name, module.triple, module.data_layout) == ("a b.c", "x86_64-linux", "e-m:e")
    assert module.types == {
        "struct.n": StructType((I32, PTR), name="struct.n"),
        "p": StructType((I8, I64), packed=True, name="p"),
        "q": NamedType("p"),
    }
    assert module.functions == {} and module.globals == {}


@pytest.mark.parametrize(
    ("text", "constant", "local", "initial", "internal", "weak", "align"),
    [
        ("global i32 7, align 4", False, False, IntConst(7), False, False, 4),
        ("private unnamed_addr constant i32 7", True, False, IntConst(7), True, False, 0),
        ("internal global i32 0, align 16", False, False, IntConst(0), True, False, 16),
        ("dso_local local_unnamed_addr global i32 0", False, False, IntConst(0), False, False, 0),
        ("external global i32, align 8", False, False, None, False, False, 8),
        ("extern_weak global i32", False, False, None, False, True, 0),
        ("external hidden constant i32", True, False, None, False, False, 0),
        ("thread_local global i32 1", False, True, IntConst(1), False, False, 0),
        ("internal thread_local(localexec) global i32 1", False, True, IntConst(1), True, False, 0),
        ('common global i32 0, section "s", comdat', False, False, IntConst(0), False, True, 0),
        (
            "linkonce_odr global i32 0, comdat($x), align 2, !type !1 #3",
            *(False, False, IntConst(0), False, True, 2),
        ),
        ("weak_odr protected dllexport global i32 0", False, False, IntConst(0), False, True, 0),
        (
            "addrspace(1) externally_initialized global i32 0, no_sanitize_address",
            *(False, False, IntConst(0), False, False, 0),
        ),
    ],
)
def test_global_variables(
    text: str,
    constant: bool,
    local: bool,
    initial: Value | None,
    internal: bool,
    weak: bool,
    align: int,
) -> None:
    found = read(f"@x = {text}\n@y = global i32 0").globals["x"]
    assert (found.name, found.type, found.initial) == ("x", I32, initial)
    assert (found.constant, found.thread_local, found.align) == (constant, local, align)
    assert (found.internal, found.weak) == (internal, weak)


def test_names() -> None:
    text = '@"a b" = global i32 0\n@"\\01_c" = global i32 0\n@"d\\22" = global ptr @"a b"'
    module = read(text)
    assert list(module.globals) == ["a b", "_c", 'd"']
    assert module.globals['d"'].initial == GlobalName("a b")


def test_aliases() -> None:
    module = read(
        "@v = global i32 0\n@a = alias i32, ptr @v\n@w = weak alias i32, i32* @v\n"
        "@b = alias i8, bitcast (i32* @v to i8*)\n@i = ifunc void (), ptr @r\n"
        "declare ptr @r()"
    )
    assert module.aliases["a"] == module.aliases["w"] == GlobalName("v")
    assert isinstance(module.aliases["b"], ConstExpr)
    assert module.aliases["i"] == OtherConst("ifunc")
    assert module.weak_aliases == {"w"}


def test_constructors_by_priority() -> None:
    row = "{ i32, ptr, ptr }"
    text = (
        f"@llvm.global_ctors = appending global [3 x {row}] [{row} {{ i32 65535, ptr @a, "
        f"ptr null }}, {row} {{ i32 101, ptr @b, ptr null }}, {row} "
        "{ i32 65535, ptr @c, ptr null }]\n"
    )
    functions = "declare void @a()\ndeclare void @b()\ndeclare void @c()"
    module = read(text + text.replace("ctors", "dtors") + functions)
    assert module.constructors == ("b", "a", "c")
    assert module.constructor_priorities == (101, 65535, 65535)
    assert module.destructors == ("c", "a", "b")
    assert module.globals == {}


# Types


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("i1", I1),
        ("i7", IntType(7)),
        ("i128", IntType(128)),
        ("i129", OtherType("i129")),
        ("ptr addrspace(3)", PTR),
        ("i32*", PTR),
        ("i32 addrspace(1)*", PTR),
        ("%t**", PTR),
        ("void (i32, ...)*", PTR),
        ("i8* (i8*, [2 x %t]*)**", PTR),
        ("[3 x [2 x i8]]", ArrayType(3, ArrayType(2, I8))),
        ("{ i32, { ptr } }", StructType((I32, StructType((PTR,))))),
        ("{}", StructType(())),
        ("<{ i8, i32 }>", StructType((I8, I32), packed=True)),
        ("%t", NamedType("t")),
        ('%"class.std::x"', NamedType("class.std::x")),
        ("double", OtherType("double")),
        ("<4 x i32>", OtherType("<4 x i32>")),
        ("<vscale x 4 x ptr>", OtherType("<vscale x 4 x ptr>")),
        ('target("spirv.Image", void, 1)', OtherType("target")),
    ],
)
def test_types(text: str, kind: Type) -> None:
    module = read(
        f'%t = type {{ i32 }}\n%"class.std::x" = type {{ i32 }}\n@x = external global {text}'
    )
    assert module.globals["x"].type == kind


# Constants


def gep(kind: Type, pointer: Operand, *indices: int) -> ConstExpr:
    operands = tuple(Operand(I64, IntConst(index)) for index in indices)
    return ConstExpr(Gep("", kind, pointer, operands, None))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i32 -5", IntConst(-5)),
        ("i1 true", IntConst(1)),
        ("i1 false", IntConst(0)),
        ("i64 u0xFF", IntConst(255)),
        ("i8 s0xFF", IntConst(-1)),
        ("i128 170141183460469231731687303715884105727", IntConst(2**127 - 1)),
        ("ptr null", NullConst()),
        ("%t zeroinitializer", NullConst()),
        ("i32 undef", UndefConst()),
        ("ptr poison", UndefConst()),
        ('[4 x i8] c"a\\5C\\0A\\FF"', BytesConst(b"a\\\n\xff")),
        ("[2 x i32] [i32 0, i32 1]", AggregateConst((ZERO, ONE))),
        ("%t { i32 1, ptr @v }", AggregateConst((ONE, V))),
        ("<{ i32 }> <{ i32 1 }>", AggregateConst((ONE,))),
        ("double 1.500000e+00", OtherConst("1.500000e+00")),
        ("double 0x7FF8000000000000", OtherConst("0x7FF8000000000000")),
        ("x86_fp80 0xK3FFF8000000000000000", OtherConst("0xK3FFF8000000000000000")),
        ("<2 x i32> <i32 1, i32 2>", OtherConst("a vector")),
        ("<2 x i32> splat (i32 7)", OtherConst("splat")),
        ("ptr blockaddress(@f, %b)", OtherConst("blockaddress")),
        ("ptr dso_local_equivalent @f", GlobalName("f")),
        ("ptr no_cfi @f", GlobalName("f")),
        ("ptr getelementptr inbounds (i8, ptr @v, i64 2)", gep(I8, V, 2)),
        ("ptr getelementptr inbounds nuw (%t, ptr @v, i64 0, i64 1)", gep(NamedType("t"), V, 0, 1)),
        ("i8* getelementptr (i8, i8* @v, inrange i64 2)", gep(I8, V, 2)),
        ("ptr getelementptr inbounds inrange(-16, 8) (i8, ptr @v, i64 2)", gep(I8, V, 2)),
        ("i64 ptrtoint (ptr @v to i64)", ConstExpr(Cast("", "ptrtoint", V, I64, None))),
        ("i64 ptrtoaddr (ptr @v to i64)", ConstExpr(Cast("", "ptrtoint", V, I64, None))),
        ("i32* bitcast (i8* @v to i32*)", ConstExpr(Cast("", "bitcast", V, PTR, None))),
        ("i32 add nsw (i32 0, i32 1)", ConstExpr(BinaryInst("", "add", ZERO, ONE, None))),
        ("i1 icmp ult (i32 0, i32 1)", ConstExpr(CompareInst("", "ult", ZERO, ONE, None))),
        (
            "i32 select (i1 true, i32 0, i32 1)",
            ConstExpr(SelectInst("", Operand(I1, IntConst(1)), ZERO, ONE, None)),
        ),
    ],
)
def test_constants(text: str, value: Value) -> None:
    rest = "%t = type { i32, ptr }\n@v = global i32 0\ndeclare void @f()\n"
    assert read(f"{rest}@x = global {text}, align 8\n").globals["x"].initial == value


# Functions


def test_headers() -> None:
    module = read(
        "%t = type { i64, i64 }\n"
        "declare i32 @printf(ptr noundef, ...) local_unnamed_addr #1\n"
        "declare !dbg !3 noalias ptr @malloc(i64 noundef allocalign) allocsize(0) nounwind\n"
        "define internal fastcc noundef zeroext range(i32 0, 2) i8 @f("
        "ptr noundef byval(%t) align 8 captures(none) initializes((0, 8)) %0, "
        "ptr dead_on_return new_word(3) sret(%t) %out, i32 signext) unnamed_addr #0 "
        'section ".x" comdat align 16 gc "g" prefix i32 3 personality ptr @p !dbg !1 { ret i8 0 }\n'
        "declare i32 @p(...)\n"
        "define weak_odr void @w(i32* %x) personality i8* bitcast (i32 (...)* @p to i8*) "
        "{ ret void }"
    )
    assert module.functions["printf"].variadic and not module.functions["printf"].blocks
    assert module.functions["malloc"].parameters == (Parameter("0", I64),)
    found = module.functions["f"]
    assert found.result == I8 and found.internal and not found.weak
    assert found.parameters == (
        Parameter("0", PTR, NamedType("t")),
        Parameter("out", PTR),
        Parameter("1", I32),
    )
    assert list(found.blocks) == ["2"]
    assert module.functions["w"].weak and module.functions["w"].result == VoidType()


def test_numbers_are_shared_by_parameters_blocks_and_results() -> None:
    found = function(
        "%3 = add i32 %0, 1\ncall void @h()\ncall i32 @g()\nbr label %5\n"
        "5:\n%6 = add i32 %4, %3\nbr label %e\ne:\nret void",
        "void @f(i32, i32 %1)",
        "declare void @h()\ndeclare i32 @g()",
    )
    assert list(found.blocks) == ["2", "5", "e"]
    assert [getattr(each, "result", None) for each in found.blocks["2"]] == ["3", "", "4", None]


def test_a_block_without_a_label_follows_an_end() -> None:
    found = function("ret void\n%3 = add i32 %0, 1\nret void", "void @f(i32)")
    assert list(found.blocks) == ["1", "2"]


# Instructions


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("%r = alloca i32, align 4", Alloca("r", I32, None, None)),
        ("%r = alloca i32, i32 %a, align 4, addrspace(5)", Alloca("r", I32, A, None)),
        ("%r = alloca [2 x i8]", Alloca("r", ArrayType(2, I8), None, None)),
        ("%r = load i32, ptr %p, align 4, !tbaa !3", LoadInst("r", I32, P, "", False, None)),
        ("%r = load i32, i32* %p", LoadInst("r", I32, P, "", False, None)),
        ("%r = load volatile i32, ptr %p", LoadInst("r", I32, P, "", True, None)),
        (
            '%r = load atomic volatile i32, ptr %p syncscope("x") acquire, align 4',
            LoadInst("r", I32, P, "acquire", True, None),
        ),
        ("store i32 %a, ptr @v, align 4", StoreInst(A, V, "", False, None)),
        ("store volatile i32 1, i32* %p", StoreInst(ONE, P, "", True, None)),
        ("store atomic i32 1, ptr %p release, align 4", StoreInst(ONE, P, "release", False, None)),
        (
            "%r = cmpxchg weak volatile ptr %p, i32 0, i32 %a acq_rel monotonic, align 4",
            Cmpxchg("r", P, ZERO, A, "acq_rel", "monotonic", True, None),
        ),
        (
            '%r = cmpxchg i32* %p, i32 0, i32 1 syncscope("singlethread") seq_cst acquire',
            Cmpxchg("r", P, ZERO, ONE, "seq_cst", "acquire", False, None),
        ),
        (
            "%r = atomicrmw volatile add ptr %p, i32 1 seq_cst, align 4",
            AtomicRmw("r", "add", P, ONE, "seq_cst", None),
        ),
        (
            "%r = atomicrmw usub_sat ptr %p, i32 1 monotonic",
            AtomicRmw("r", "usub_sat", P, ONE, "monotonic", None),
        ),
        ("fence acq_rel", FenceInst("acq_rel", False, None)),
        ('fence syncscope("singlethread") seq_cst', FenceInst("seq_cst", True, None)),
        (
            "%r = getelementptr inbounds nuw { i32, i8 }, ptr %p, i32 0, i32 1",
            Gep("r", StructType((I32, I8)), P, (ZERO, ONE), None),
        ),
        ("%r = getelementptr i8, i8* %p, i32 %a", Gep("r", I8, P, (A,), None)),
        ("%r = add nuw nsw i32 %a, 1", BinaryInst("r", "add", A, ONE, None)),
        ("%r = or disjoint i32 %a, 1", BinaryInst("r", "or", A, ONE, None)),
        ("%r = udiv exact i32 %a, 1", BinaryInst("r", "udiv", A, ONE, None)),
        ("%r = icmp samesign ult i32 %a, 0", CompareInst("r", "ult", A, ZERO, None)),
        ("%r = icmp eq ptr %p, @v", CompareInst("r", "eq", P, V, None)),
        ("%r = zext nneg i32 %a to i64", Cast("r", "zext", A, I64, None)),
        ("%r = trunc nuw nsw i32 %a to i8", Cast("r", "trunc", A, I8, None)),
        ("%r = ptrtoaddr ptr %p to i64", Cast("r", "ptrtoint", P, I64, None)),
        ("%r = bitcast i8* %p to i32 (i32)*", Cast("r", "bitcast", P, PTR, None)),
        ("%r = freeze i32 %a", Cast("r", "freeze", A, I32, None)),
        (
            "%r = select i1 true, i32 %a, i32 0",
            SelectInst("r", Operand(I1, IntConst(1)), A, ZERO, None),
        ),
        (
            "%r = extractvalue { i32, i1 } undef, 1",
            ExtractValue("r", Operand(PAIR, UndefConst()), (1,), None),
        ),
        (
            "%r = insertvalue { i32, i1 } poison, i32 %a, 0",
            InsertValue("r", Operand(PAIR, UndefConst()), A, (0,), None),
        ),
        ("ret void", Return(None, None)),
        ("unreachable", Unreachable(None)),
        ("%r = fadd fast double 1.0, 2.0, !fpmath !3", Unknown("r", "fadd", None)),
        ("%r = fcmp uno double 1.0, 2.0", Unknown("r", "fcmp", None)),
        ("%r = va_arg ptr %p, i32", Unknown("r", "va_arg", None)),
        ("%r = extractelement <2 x i32> undef, i32 0", Unknown("r", "extractelement", None)),
        (
            "%r = landingpad { ptr, i32 } cleanup\n  catch ptr getelementptr (i8, ptr @v, i64 1)",
            Unknown("r", "landingpad", None),
        ),
        ("resume { ptr, i32 } undef", Unknown("", "resume", None)),
        ("indirectbr ptr %p, [label %x, label %y]", Unknown("", "indirectbr", None)),
    ],
)
def test_instructions(text: str, meant: LlvmInstruction) -> None:
    assert instruction(text) == meant


def call(
    callee: Value, *arguments: Operand, result: str = "r", kind: Type = I32
) -> LlvmInstruction:
    return CallInst(result, callee, kind, arguments, None)


G = GlobalName("g")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("%r = call i32 @g(i32 %a)", call(G, A)),
        ("%r = tail call fastcc noundef zeroext i32 @g(i32 noundef %a) #3", call(G, A)),
        (
            "%r = musttail call cc 10 range(i32 0, 2) i32 @g(i32 noundef range(i32 0, 9) %a)",
            call(G, A),
        ),
        (
            "%r = notail call i32 (i32, ...) @g(i32 0, i32 1) nounwind memory(none)",
            call(G, ZERO, ONE),
        ),
        ("%r = call nnan ninf i32 %p(ptr align 8 new(1, 2) %p)", call(Local("p"), P)),
        ('%r = call i32 @g(i32 "k"="v" %a) [ "b"(i32 1, ptr %p) ]', call(G, A)),
        (
            "%r = call i32 bitcast (i32* @v to i32 (...)*)()",
            call(ConstExpr(Cast("", "bitcast", V, PTR, None))),
        ),
        (
            "call void @g(ptr byval({ i8 }) align 4 %p)",
            call(G, Operand(PTR, Local("p"), StructType((I8,))), result="", kind=VoidType()),
        ),
        (
            'call void asm sideeffect inteldialect "nop\\0A", "~{memory}"() #1',
            call(InlineAsm("nop\n", "~{memory}"), result="", kind=VoidType()),
        ),
        (
            "call void @g(metadata ptr %p, metadata !3)",
            call(
                G,
                *[Operand(OtherType("metadata"), OtherConst("metadata"))] * 2,
                result="",
                kind=VoidType(),
            ),
        ),
    ],
)
def test_calls(text: str, meant: LlvmInstruction) -> None:
    assert instruction(text) == meant


def test_ends_of_blocks() -> None:
    found = function(
        "switch i32 %a, label %x [\n  i32 -2, label %y\n  i32 7, label %x\n]\n"
        "x:\nbr i1 true, label %y, label %z\n"
        "y:\n%r = phi i32 [ 1, %0 ], [ %a, %x ]\nbr label %z, !llvm.loop !2\n"
        "z:\n%i = invoke i32 @g(i32 %a)\n  to label %end unwind label %pad\n"
        "end:\nret void\n"
        "pad:\n%l = landingpad { ptr, i32 } cleanup\nresume { ptr, i32 } %l",
        module="declare i32 @g(i32)",
    )
    last = {name: instructions[-1] for name, instructions in found.blocks.items()}
    assert last == {
        "0": SwitchInst(A, "x", ((-2, "y"), (7, "x")), None),
        "x": CondJump(Operand(I1, IntConst(1)), "y", "z", None),
        "y": Jump("z", None),
        "z": CallInst("i", G, I32, (A,), None, "end"),
        "end": Return(None, None),
        "pad": Unknown("", "resume", None),
    }
    assert found.blocks["y"][0] == Phi("r", I32, ((IntConst(1), "0"), (Local("a"), "x")), None)


def test_a_pointer_to_a_function_is_returned() -> None:
    found = function("ret void (i8*)* null", "void (i8*)* @f()")
    assert found.blocks["0"] == (Return(Operand(PTR, NullConst()), None),)


# Whole texts


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_read(name: str) -> None:
    module = read(SAMPLES[name])
    assert module.globals
    assert "main" in module.functions or name.startswith("sizes")


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_spellings_of_14_and_22(level: str) -> None:
    """Both compilers make the same memory accesses of the same program."""
    found = []
    for version in ("14", "22"):
        module = read(SAMPLES[f"stack.{level}.{version}"])
        kinds = [
            (type(each).__name__, each.order if not isinstance(each, Cmpxchg) else each.success)
            for name in ("worker", "stop")
            for instructions in module.functions[name].blocks.values()
            for each in instructions
            if isinstance(each, AtomicRmw | Cmpxchg | FenceInst)
        ]
        found.append(sorted(kinds))
        assert module.destructors == ("stop",)
        assert module.globals["mine"].thread_local and module.globals["head"].internal
    assert found[0] == found[1] != []
