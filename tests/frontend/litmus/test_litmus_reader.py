"""The reader of .litmus texts: header, initial state, code, final part, and where each stands."""

from __future__ import annotations

import pytest

from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.reader import read_litmus
from hybrid.program.condition import Quantifier
from hybrid.source import Source


def read(text: str) -> sx.LitmusTest:
    return read_litmus(Source("dir/file.litmus", text))


def state(text: str) -> tuple[sx.Init, ...]:
    return read(f"PPC t\n{{{text}}}\n P0 ;\n").initial


def formula(text: str) -> str:
    """The final formula, with all its parentheses."""
    final = read(f"PPC t\n{{}}\n P0 ;\nexists {text}").final
    assert final is not None
    return shown(final.formula)


def shown(node: sx.Formula) -> str:
    if isinstance(node, sx.CompareClause):
        return f"{side(node.left)}{node.op}{side(node.right)}"
    if isinstance(node, sx.NotClause):
        return f"~{shown(node.operand)}"
    if isinstance(node, sx.Undefined):
        return "Undef"
    if isinstance(node, sx.ImpliesClause):
        return f"({shown(node.left)} => {shown(node.right)})"
    if isinstance(node, sx.Cells):
        return f"{side(node.place)}{node.op}{{{','.join(map(side, node.values))}}}"
    joint = " and " if isinstance(node, sx.AndClause) else " or "
    return f"({joint.join(map(shown, node.operands))})"


def side(operand: sx.Operand) -> str:
    if isinstance(operand, sx.Number):
        return str(operand.value)
    if isinstance(operand, sx.RegisterPlace):
        return f"{operand.thread}:{operand.register}"
    index = "" if operand.index is None else f"[{operand.index}]"
    if isinstance(operand, sx.Address):
        offset = f"+{operand.offset}" if operand.offset else ""
        return f"&{operand.name}{index}{offset}"
    return f"{operand.name}{index}"


# Header


def test_header() -> None:
    test = read(
        '(* first *)\nX86 a/b-1+[c] (Tex) "What it\nis"\nCycle=Rfe Fre\nHash = 12 \n'
        "some words\n{ }\n P0 ;\n"
    )
    assert (test.arch, test.name, test.doc) == ("X86", "a/b-1+[c]", "What it is")
    assert test.meta == {"Cycle": "Rfe Fre", "Hash": "12"}
    assert test.notes == ("some words",)
    assert str(test.span) == "dir/file.litmus:2:1"


def test_name_of_the_file() -> None:
    assert read("PPC --\n{}\n P0 ;\n").name == "file"


def test_brace_in_the_text_in_quotes() -> None:
    assert read('PPC t\n"a { b"\n{}\n P0 ;\n').doc == "a { b"


# Initial state


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x=1", ("x", None, None, [1])),
        ("x", ("x", None, None, None)),
        ("[x]=1;", ("x", None, None, [1])),
        ("x=-1", ("x", None, None, [-1])),
        ("x=0xFFFFFFFFFFFFFFFF", ("x", None, None, [-1])),
        ("a[1]=3", ("a", 1, None, [3])),
        ("int a[2]", ("a", None, 2, None)),
        ("int a[2] = {1, 2}", ("a", None, 2, [1, 2])),
        ("a[2] = {1, 2}", ("a", None, 2, [1, 2])),
        ("atomic_int x = ATOMIC_INIT(4)", ("x", None, None, [4])),
    ],
)
def test_locations(
    text: str, expected: tuple[str, int | None, int | None, list[int] | None]
) -> None:
    (init,) = state(text)
    assert isinstance(init, sx.LocationInit)
    values = init.values
    given = None if values is None else [v.value for v in values if isinstance(v, sx.Number)]
    assert (init.name, init.index, init.length, given) == expected


@pytest.mark.parametrize(
    ("text", "bits", "signed", "pointers", "atomic"),
    [
        ("int x", 32, True, 0, False),
        ("uint64_t x=1", 64, False, 0, False),
        ("unsigned long x", 64, False, 0, False),
        ("unsigned x", 32, False, 0, False),
        ("long long int x", 64, True, 0, False),
        ("volatile int8_t x", 8, True, 0, False),
        ("_Atomic int x", 32, True, 0, True),
        ("atomic_ulong x", 64, False, 0, True),
        ("int *x", 32, True, 1, False),
        ("int** x = y", 32, True, 2, False),
        ("*x", 32, True, 1, False),
    ],
)
def test_types(text: str, bits: int, signed: bool, pointers: int, atomic: bool) -> None:
    (init,) = state(text)
    assert isinstance(init, sx.LocationInit)
    assert init.type is not None
    kind = init.type
    assert (kind.bits, kind.signed, kind.pointers, kind.atomic) == (bits, signed, pointers, atomic)


def test_registers_and_addresses() -> None:
    inits = state("0:r1=x; P1:r2=&a[1]; uint64_t 2:X3; 0:r4=x+4;; 0:%s=7")
    found = [
        (i.place.thread, i.place.register, None if i.value is None else side(i.value))
        for i in inits
        if isinstance(i, sx.RegisterInit)
    ]
    assert found == [
        (0, "r1", "&x"),
        (1, "r2", "&a[1]"),
        (2, "X3", None),
        (0, "r4", "&x+4"),
        (0, "%s", "7"),
    ]
    assert [(i.span.column, i.span.text) for i in inits][1] == (10, "P1:r2=&a[1]")


# Code


def test_cells_and_their_places() -> None:
    test = read("PPC t\n{};\n P0 | P3 ;\n li r1,1 | (* a | b ; *) L: nop ;\n | L2: ;\n")
    assert [(c.number, [cell.text for cell in c.cells]) for c in test.columns] == [
        (0, ["li r1,1"]),
        (3, ["L: nop", "L2:"]),
    ]
    cell = test.columns[1].cells[0]
    assert (cell.span.line, cell.span.column, cell.span.text) == (4, 26, "L: nop")


def test_functions_of_c() -> None:
    text = (
        "C t\n{ [x]=0; }\nP0 (atomic_int* x) {\n  if (*x) { /* } */ } // }\n}\nP1 () {}\n"
        "exists (x=1)\n"
    )
    test = read(text)
    first, second = test.functions
    assert (first.number, second.number) == (0, 1)
    assert text[first.parameters.start : first.parameters.end] == "atomic_int* x"
    assert text[first.body.start : first.body.end] == "\n  if (*x) { /* } */ } // }\n"
    assert (first.body.span.line, first.body.span.column) == (3, 21)
    assert text[second.body.start : second.body.end] == ""
    assert not test.columns


# The final part


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0:r1=1 /\\ x=2 \\/ y=3", "((0:r1==1 and x==2) or y==3)"),
        ("0:r1=1 /\\ (x=2 \\/ y=3)", "(0:r1==1 and (x==2 or y==3))"),
        ("not x=1 /\\ ~y=2", "(~x==1 and ~y==2)"),
        ("~~x=1", "x==1"),
        ("x=1 => y=2 /\\ z=3", "((x==1 => y==2) and z==3)"),
        ("x=1 => y=2 => z=3", "(x==1 => (y==2 => z==3))"),
        ("(true \\/ false)", "(() or ())"),
        ("[x]=1 /\\ *y==2 /\\ a[1]!=3 /\\ z<>4", "(x==1 and y==2 and a[1]!=3 and z!=4)"),
        (
            "0:r1=x /\\ 0:r2=&y /\\ 0:r3=[z] /\\ 0:r4=1:r5",
            "(0:r1==&x and 0:r2==&y and 0:r3==z and 0:r4==1:r5)",
        ),
        ("a={1,-2}", "a=={1,-2}"),
        ("a!={1,2}", "a!={1,2}"),
        ("x=-1 \\/ P1:r0=0x10", "(x==-1 or 1:r0==16)"),
        ("Undef", "Undef"),
    ],
)
def test_formulas(text: str, expected: str) -> None:
    assert formula(text) == expected


@pytest.mark.parametrize(
    ("text", "quantifier", "others"),
    [
        ("exists (x=1);", Quantifier.EXISTS, {}),
        ("~ exists x=1", Quantifier.NOT_EXISTS, {}),
        ("not exists x=1", Quantifier.NOT_EXISTS, {}),
        ("forall x=1\n<<\nshow )( 0\n>>\n<<>>", Quantifier.FORALL, {}),
        ("final (x=1)", Quantifier.EXISTS, {}),
        ("final (x=1) with default: ~exists;", Quantifier.NOT_EXISTS, {}),
        (
            "exists (x=1); with sc: ~exists; tso: exists",
            Quantifier.EXISTS,
            {"sc": Quantifier.NOT_EXISTS, "tso": Quantifier.EXISTS},
        ),
    ],
)
def test_quantifiers(text: str, quantifier: Quantifier, others: dict[str, Quantifier]) -> None:
    final = read(f"PPC t\n{{}}\n P0 ;\n{text}").final
    assert final is not None
    assert (final.quantifier, final.others, shown(final.formula)) == (quantifier, others, "x==1")


def test_locations_and_filter() -> None:
    test = read(
        "PPC t\n{}\n P0 ;\nlocations [x; 0:r1; *y; a[1] int*; [z]]\nfilter 0:r1=1\nforall true"
    )
    assert [side(place) for place in test.locations] == ["x", "0:r1", "y", "a[1]", "z"]
    assert test.filter is not None
    assert shown(test.filter) == "0:r1==1"


def test_without_a_condition() -> None:
    test = read("PPC t\n{}\n P0 ;\n sync ;\n")
    assert test.final is None
    assert test.filter is None
