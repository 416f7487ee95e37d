"""Places in the source of the program, and names of its variables."""

from __future__ import annotations

import pytest
from llvm_samples import SAMPLES, read

from hybrid.errors import InputError
from hybrid.frontend.llvm.module import DebugPlace, LlvmFunction

META = """
!0 = !DIFile(filename: "a\\5Cb.c", directory: "/src")
!1 = distinct !DISubprogram(name: "outer", scope: !0, file: !0, line: 3, type: !9, unit: !8)
!2 = distinct !DISubprogram(name: "inner", linkageName: "_Zinner", file: !0, line: 9)
!3 = distinct !DILexicalBlock(scope: !1, file: !0, line: 4, column: 2)
!4 = !DILocation(line: 5, column: 7, scope: !3)
!5 = !DILocation(line: 10, column: 1, scope: !2, inlinedAt: !4)
!6 = !DILocalVariable(name: "v", scope: !1, file: !0, line: 4, type: !9)
!7 = !DILocalVariable(name: "p", arg: 1, scope: !1, file: !0, line: 3, type: !9)
!8 = distinct !DICompileUnit(language: DW_LANG_C11, file: !0)
!9 = !DIBasicType(name: "line: 77", size: 32)
!10 = !DILexicalBlockFile(scope: !3, file: !11, discriminator: 2)
!11 = !DIFile(filename: "other.h", directory: "/include")
!12 = !DILocation(line: 0, scope: !10)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "state", scope: !1, file: !0, line: 2, isLocal: true)
"""


def only(body: str, extra: str = "") -> LlvmFunction:
    text = f"define void @f(i32 %0) !dbg !1 {{\n{body}\nret void\n}}\n{META}{extra}"
    return read(text).functions["f"]


def place_of(node: str, extra: str = "") -> DebugPlace | None:
    return only(f"%2 = alloca i32, !dbg {node}", extra).blocks["1"][0].place


OUTER = DebugPlace("a\\b.c", "/src", 5, 7, "outer")


@pytest.mark.parametrize(
    ("node", "place"),
    [
        ("!4", OUTER),
        ("!5", DebugPlace("a\\b.c", "/src", 10, 1, "inner", OUTER)),
        ("!12", DebugPlace("other.h", "/include", 0, 0, "outer")),
        ("!99", None),
        ("!0", None),
        ("!DILocation(line: 1, scope: !1)", None),
    ],
)
def test_places(node: str, place: DebugPlace | None) -> None:
    assert place_of(node) == place


def test_places_of_functions_and_variables() -> None:
    module = read(
        "@f.state = internal global i32 0, !dbg !13\n"
        f"define void @f() !dbg !1 {{ ret void }}\ndeclare !dbg !2 void @g(){META}"
    )
    assert module.functions["f"].place == DebugPlace("a\\b.c", "/src", 3, 0, "outer")
    assert module.functions["g"].place == DebugPlace("a\\b.c", "/src", 9, 0, "inner")
    state = module.globals["f.state"]
    assert state.source_name == "state"
    assert state.place == DebugPlace("a\\b.c", "/src", 2, 0, "outer")
    assert module.files == (("a\\b.c", "/src"),)


@pytest.mark.parametrize(
    "record",
    [
        "#dbg_declare(ptr %2, !6, !DIExpression(), !4)",
        "#dbg_value(ptr %2, !6, !DIExpression(DW_OP_deref), !4)",
        "#dbg_assign(i1 poison, !6, !DIExpression(), !20, ptr %2, !DIExpression(), !4)",
        "call void @llvm.dbg.declare(metadata ptr %2, metadata !6, metadata !DIExpression())",
        "tail call void @llvm.dbg.declare(metadata i32* %2, metadata !6, metadata "
        "!DIExpression()) #2, !dbg !4",
    ],
)
def test_variables_of_allocas(record: str) -> None:
    found = only(f"%2 = alloca i32\n{record}\nstore i32 0, ptr %2")
    assert found.variables == {"2": "v"}
    assert len(found.blocks["1"]) == 3


@pytest.mark.parametrize(
    ("record", "variables"),
    [
        ("#dbg_value(i32 %0, !7, !DIExpression(), !4)", {"0": "p"}),
        ("#dbg_value(i32 %0, !6, !DIExpression(), !4)", {}),
        ("#dbg_value(i32 %0, !7, !DIExpression(DW_OP_plus_uconst, 4), !4)", {}),
        ("#dbg_value(i32 0, !7, !DIExpression(), !4)", {}),
        ("#dbg_value(!DIArgList(i32 %0, i32 1), !7, !DIExpression(DW_OP_LLVM_arg, 0), !4)", {}),
        ("#dbg_label(!6, !4)", {}),
        ("#dbg_declare(ptr poison, !6, !DIExpression(), !4)", {}),
        (
            "call void @llvm.dbg.value(metadata i32 %0, metadata !7, metadata !DIExpression())",
            {"0": "p"},
        ),
    ],
)
def test_variables_of_parameters(record: str, variables: dict[str, str]) -> None:
    assert only(record).variables == variables


def test_inlined_places_do_not_end() -> None:
    extra = "!20 = !DILocation(line: 1, column: 1, scope: !1, inlinedAt: !21)\n"
    extra += "!21 = !DILocation(line: 2, column: 1, scope: !1, inlinedAt: !20)\n"
    with pytest.raises(InputError, match="inlined at do not end") as error:
        place_of("!20", extra)
    assert error.value.span is not None
    assert error.value.span.source.line(error.value.span.line).startswith("!20 =")


def test_scopes_do_not_end() -> None:
    extra = "!20 = !DILocation(line: 1, scope: !21)\n!21 = !DILexicalBlock(scope: !21, file: !0)\n"
    with pytest.raises(InputError, match="scopes of this one do not end"):
        place_of("!20", extra)


@pytest.mark.parametrize("version", ["14", "22"])
def test_of_samples(version: str) -> None:
    module = read(SAMPLES[f"stack.O0.{version}"])
    worker = module.functions["worker"]
    assert set(worker.variables.values()) == {"arg", "n", "i"}
    assert worker.place is not None
    assert (worker.place.file, worker.place.folder, worker.place.line) == ("stack.c", "/src", 34)
    assert module.globals["head"].source_name == "head"
    optimised = read(SAMPLES[f"stack.O2.{version}"])
    inlined = [
        each.place.inlined_at
        for instructions in optimised.functions["worker"].blocks.values()
        for each in instructions
        if each.place is not None and each.place.function == "push"
    ]
    assert inlined and all(each is not None and each.function == "worker" for each in inlined)
