"""Each construct of the .prog language and the instructions that it means."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybrid.frontend.prog import load_prog, parse_program, reserved_words
from hybrid.program import condition as cond
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.memory import FIRST, GAP, STEP
from hybrid.program.program import Program
from hybrid.program.tags import ANNOTATIONS, FENCES
from hybrid.source import Source

X, Y = FIRST, FIRST + GAP + STEP  # where the first two single locations lie
FIGURE_1 = """
x = 0 y = 0
thread P: L0: r0 := x;  L1: y := r0 + 1;
thread Q: L2: r1 := y;  L3: x := 1;
exists (P:r0 = 1 /\\ Q:r1 = 2)
"""


def parse(text: str) -> Program:
    return parse_program(Source("t.prog", text))


def code(text: str, declarations: str = "x = 0; y = 0; a[3] = 0\n") -> tuple[ins.Instruction, ...]:
    """The code of a thread P that is given by its text."""
    return parse(f"{declarations}thread P(r = 0, s = 0): {text}").threads[0].code


def one(text: str) -> ins.Instruction:
    (instruction,) = code(text)
    return instruction


def expression(text: str) -> str:
    """An expression over r and s, with all its parentheses."""
    instruction = one(f"r := {text};")
    assert isinstance(instruction, ins.Assign)
    return ex.show(instruction.value, 1)


def test_figure_1() -> None:
    program = parse(FIGURE_1)
    assert program.name == "t"
    assert [(v.name, v.address, v.initial) for v in program.locations] == [
        ("x", X, 0),
        ("y", Y, 0),
    ]
    p, q = program.threads
    assert (p.name, q.name) == ("P", "Q")
    load, store = p.code
    assert isinstance(load, ins.Load) and isinstance(store, ins.Store)
    assert (load.label, load.register, load.tags) == ("L0", "r0", {"NA"})
    assert load.guard is None and not load.exclusive
    assert isinstance(load.address, ex.Const) and load.address.value == X
    assert isinstance(store.address, ex.Const) and store.address.value == Y
    assert ex.show(store.value) == "r0 + 1"
    assert program.condition is not None
    assert program.condition.quantifier is cond.Quantifier.EXISTS
    assert cond.show(program.condition.formula) == "P:r0=1 /\\ Q:r1=2"
    assert [term.name for term in program.terms] == ["P:r0", "Q:r1"]


def test_spans() -> None:
    program = parse(FIGURE_1)
    load, store = program.threads[0].code
    assert (str(store.span), store.span.text) == ("t.prog:3:29", "y := r0 + 1")
    assert load.span.text == "r0 := x"
    assert isinstance(store, ins.Store) and store.value.span.text == "r0 + 1"
    assert program.threads[1].span.text == "Q"
    assert program.condition is not None
    assert program.condition.formula.span.text == "P:r0 = 1 /\\ Q:r1 = 2"
    assert program.locations[1].span.column == 7


def test_comments_name_and_description() -> None:
    program = parse('(* a ** b *) "says \\"hi\\"\\n\\\\" # c\nprogram "2+2W" // d\nthread P: skip;')
    assert (program.name, program.description) == ("2+2W", 'says "hi"\n\\')
    assert parse_program(Source("t.prog", "thread P:"), "given").name == "given"
    assert parse_program(Source("t.prog", "program N thread P:"), "given").name == "N"


def test_load_program_takes_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "LB+data.prog"
    path.write_text(FIGURE_1, encoding="utf-8")
    assert load_prog(path).name == "LB+data"
    assert load_prog(str(path)).locations[0].span.source.name == str(path)


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("x = 0 y = 0", {"x": X, "y": Y}),
        ("x at 1 = 0; y = 0; z = 0", {"x": 1, "y": X, "z": Y}),
        ("a[2] = 0; x at 1 = 0; y = 0", {"a[0]": X, "a[1]": X + 1, "x": 1, "y": Y}),
        ("x = 0; a[64] = 0; b[65] = 0; y = 0", {"x": X, "a[0]": Y, "b[0]": Y + 128, "y": Y + 320}),
        (f"y = 0; x at {X + 4} = 0; z = 0", {"y": Y, "x": X + 4, "z": Y + 128}),
        (f"y = 0; x at {X + 65} = 0", {"y": X, "x": X + 65}),
        (f"y = 0; x at {X + 64} = 0", {"y": X + 192, "x": X + 64}),
        (f"y = 0; a[2] at {X - 66} = 0", {"y": X, "a[0]": X - 66, "a[1]": X - 65}),
        (f"y = 0; a[2] at {X - 65} = 0", {"y": X + 64, "a[0]": X - 65, "a[1]": X - 64}),
        ("x at -8 = 0; y at 0x10 = 0", {"x": -8, "y": 16}),
    ],
)
def test_addresses(text: str, addresses: dict[str, int]) -> None:
    program = parse(f"{text}\nthread P:")
    found = {v.name: v.address for v in program.locations}
    assert {name: found[name] for name in addresses} == addresses


def test_initial_values() -> None:
    program = parse(
        "x = &a[1]; a[3] = {1, -2, 0xffffffffffffffff}; b[2] = 7\n"
        "P:p = &b\n1:q = -1\nthread P(r = &x, s = 3):\nthread Q:"
    )
    by_name = {v.name: v for v in program.locations}
    initial = {v.name: v.initial for v in program.locations}
    a, b = (by_name[f"{name}[0]"].address for name in "ab")
    assert initial == {"x": a + 1, "a[0]": 1, "a[1]": -2, "a[2]": -1, "b[0]": 7, "b[1]": 7}
    assert by_name["x"].initial_name == "&a[1]"
    assert program.threads[0].initial == {"p": b, "r": by_name["x"].address, "s": 3}
    assert program.threads[0].initial_names == {"p": "&b", "r": "&x"}
    assert program.threads[1].initial == {"q": -1}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1 + 2 * r", "(1 + (2 * r))"),
        ("1 - 2 - 3", "((1 - 2) - 3)"),
        ("r | s ^ 1 & 2", "(r | (s ^ (1 & 2)))"),
        ("r & 1 == s", "(r & (1 = s))"),
        ("r = 1 && s != 2 || r < s", "(((r = 1) && (s != 2)) || (r < s))"),
        ("r << 1 + 2 >> s", "((r << (1 + 2)) >> s)"),
        ("r <= s >= 1 > 2", "(((r <= s) >= 1) > 2)"),
        ("r / 2 % 3", "((r / 2) % 3)"),
        ("-r + ~s", "(-r + ~s)"),
        ("!(r + 1)", "!(r + 1)"),
        ("- -1", "--1"),
        ("min(r, 1) + max(s, r + 1)", "(min(r, 1) + max(s, r + 1))"),
        ("0x1F - -9223372036854775808", "(31 - -9223372036854775808)"),
        ("&x + &a", "(&x + &a)"),
        ("&a[1] + &a[r]", "(&a[1] + (&a + r))"),
    ],
)
def test_expressions(text: str, shown: str) -> None:
    assert expression(text) == shown


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("r := x;", "&x"),
        ("r := (x);", "&x"),
        ("r := [r + 1];", "(r + 1)"),
        ("r := [&y];", "&y"),
        ("r := a[1 + 1];", "&a[2]"),
        ("r := a[r];", "(&a + r)"),
        ("a[s] := 1;", "(&a + s)"),
        ("[r ^ r] := 1;", "(r ^ r)"),
        ("faa(a[r], 1);", "(&a + r)"),
        ("await([r] = 1);", "r"),
    ],
)
def test_places(text: str, address: str) -> None:
    instruction = one(text)
    assert isinstance(instruction, ins.Access)
    assert ex.show(instruction.address, 1) == address


@pytest.mark.parametrize("name", ANNOTATIONS)
def test_annotations(name: str) -> None:
    instruction = one(f"r := xchg(x, 1) @{name};")
    assert isinstance(instruction, ins.Rmw)
    assert instruction.tags == {ANNOTATIONS[name]}


def tags(text: str) -> list[frozenset[str]]:
    return [i.tags for i in code(text) if isinstance(i, ins.Access | ins.Fence)]


def test_annotations_of_loads_and_stores() -> None:
    assert tags("r := x @A @X; x := 1 @rel; [r] := 1;") == [{"A", "X"}, {"REL"}, {"NA"}]


@pytest.mark.parametrize("word", FENCES)
def test_fences(word: str) -> None:
    instruction = one(f"{word};")
    assert isinstance(instruction, ins.Fence)
    assert instruction.tags == FENCES[word]


def test_c11_fences() -> None:
    assert tags("fence @sc; fence @acqrel; fence @SYNC;") == [{"SC"}, {"ACQ_REL"}, {"SYNC"}]


@pytest.mark.parametrize(
    ("text", "op", "expected", "register"),
    [
        ("r := xchg(x, 2);", "xchg", None, "r"),
        ("r := cas(x, 1, 2);", "cas", "1", "r"),
        ("faa(x, 2);", "+", None, None),
        ("_ := fetch_add(x, 2);", "+", None, None),
        ("r := fetch_sub(x, 2);", "-", None, "r"),
        ("r := fetch_and(x, 2);", "&", None, "r"),
        ("r := fetch_or(x, 2);", "|", None, "r"),
        ("r := fetch_xor(x, 2);", "^", None, "r"),
        ("r := fetch_min(x, 2);", "min", None, "r"),
        ("r := fetch_max(x, 2);", "max", None, "r"),
    ],
)
def test_read_modify_writes(text: str, op: str, expected: str | None, register: str | None) -> None:
    rmw = one(text)
    assert isinstance(rmw, ins.Rmw)
    assert (rmw.op, rmw.register, ex.show(rmw.operand)) == (op, register, "2")
    assert (None if rmw.expected is None else ex.show(rmw.expected)) == expected
    assert rmw.guard is None


def test_exclusives() -> None:
    load, store, annotated = code("r := lr(x); s := sc(x, r + 1) @rel; lr(y) @acq;")
    assert isinstance(load, ins.Load) and load.exclusive and load.tags == {"NA", "X"}
    assert isinstance(store, ins.StoreConditional) and store.tags == {"REL", "X"}
    assert (store.status, ex.show(store.value)) == ("s", "r + 1")
    assert isinstance(annotated, ins.Load) and annotated.register is None
    assert annotated.tags == {"ACQ", "X"}
    (arm,) = code("s := stx(x, 1);")
    assert not store.free
    assert isinstance(arm, ins.StoreConditional) and arm.free


@pytest.mark.parametrize("op", ["=", "==", "!=", "<", "<=", ">", ">="])
def test_awaits(op: str) -> None:
    kept, dropped, exchange, add = code(
        f"r := await(x {op} s + 1) @acq; await(x {op} s + 1);"
        f"r := xchgawait(x {op} s + 1, := 5); r := faa(x, 5) await {op} s + 1;"
    )
    assert isinstance(kept, ins.Load) and kept.register == "r" and kept.tags == {"ACQ"}
    assert isinstance(dropped, ins.Load) and dropped.register is None
    assert isinstance(exchange, ins.Rmw) and exchange.op == "xchg"
    assert isinstance(add, ins.Rmw) and add.op == "+"
    assert ex.show(exchange.operand) == ex.show(add.operand) == "5"
    for instruction in (kept, dropped, exchange, add):
        assert instruction.guard is not None
        assert instruction.guard.op == ("==" if op == "=" else op)
        assert ex.show(instruction.guard.value) == "s + 1"


def test_assume_and_assert() -> None:
    assumption, claim = code("assume r = 1; assert s;")
    assert isinstance(assumption, ins.Assume) and ex.show(assumption.condition) == "r = 1"
    assert isinstance(claim, ins.Assert) and ex.show(claim.condition) == "s"


def targets(instructions: tuple[ins.Instruction, ...]) -> list[tuple[int, str, int]]:
    """The jumps in a code: index, condition (empty of a goto), target."""
    return [
        (index, "" if isinstance(i, ins.Goto) else ex.show(i.condition), i.target)
        for index, i in enumerate(instructions)
        if isinstance(i, ins.Branch | ins.Goto)
    ]


def test_labels_and_jumps() -> None:
    instructions = code("A: B: r := x; if r = 0 goto A; goto End; if s goto B; End:")
    assert [i.label for i in instructions] == ["A", "P1", "P2", "P3"]
    assert targets(instructions) == [(1, "r = 0", 0), (2, "", 4), (3, "s", 0)]


def test_made_up_labels_avoid_written_ones() -> None:
    program = parse(
        "thread P: skip; r := 1; r := 2;\nthread Q: P1: s := 1; Q0: s := 2; s := 3;\n"
        "thread 7: t := 1;"
    )
    labels = [[i.label for i in t.code] for t in program.threads]
    assert labels == [["P0", "P1_"], ["P1", "Q0", "Q2"], ["T7_0"]]


def test_end_label_before_the_next_thread() -> None:
    program = parse("thread P: r := 1; if r goto L14; r := 2; L14:\nthread Q: s := 1;")
    assert targets(program.threads[0].code) == [(1, "r", 3)]


def test_if() -> None:
    assert targets(code("if (r = 1) { x := 1; } y := 1;")) == [(0, "r != 1", 2)]
    both = code("if r { x := 1; } else { y := 1; y := 2; } y := 3;")
    assert targets(both) == [(0, "!r", 3), (2, "", 5)]
    chain = code("if r < 1 { x := 1; } else if r >= 2 { x := 2; } else { x := 3; }")
    assert targets(chain) == [(0, "r >= 1", 3), (2, "", 7), (3, "r < 2", 6), (5, "", 7)]


def test_loops() -> None:
    assert targets(code("while (r > s) { r := x; } y := 1;")) == [(0, "r <= s", 3), (2, "", 0)]
    assert targets(code("do { r := x; } while (r != 1); y := 1;")) == [(1, "r != 1", 0)]
    nested = code("while 1 { L: do { r := x; } while r; if s goto Out; goto L; } Out:")
    assert targets(nested) == [(0, "!1", 6), (2, "r", 1), (3, "s", 6), (4, "", 1), (5, "", 0)]


def test_conditions() -> None:
    program = parse(
        "x = 0; a[2] = 0\nthread P: r := x;\nthread Q: s := x;\n"
        "forall (P:r = 1 \\/ not 1:s != &x && ([x] <= 2 || a[1] > P:r) /\\ true \\/ ~false)"
    )
    assert program.condition is not None
    assert program.condition.quantifier is cond.Quantifier.FORALL
    shown = cond.show(program.condition.formula)
    assert shown == "P:r=1 \\/ (~(Q:s!=&x) /\\ (x<=2 \\/ a[1]>P:r) /\\ true) \\/ ~(false)"
    assert [t.name for t in program.terms] == ["P:r", "Q:s", "x", "a[1]"]


def test_not_exists_and_observed() -> None:
    program = parse("x = 0; a[2] = 0\nthread P: r := x;\n~ exists (x = 1)\nlocations [P:r; a[1];]")
    assert program.condition is not None
    assert program.condition.quantifier is cond.Quantifier.NOT_EXISTS
    assert [t.name for t in program.observed] == ["P:r", "a[1]"]
    assert [t.name for t in program.terms] == ["x", "P:r", "a[1]"]


def test_expectations() -> None:
    program = parse(
        "x = 0\nthread P: r := x;\nexists (x = 1)\n"
        "expect sc: FORBIDDEN 3 traces, power: ALLOWED 1 trace\n  tso: ALLOWED\n"
        'expect "m/a.cat": BOUNDED'
    )
    assert [(e.model, e.verdict, e.traces) for e in program.expectations] == [
        ("sc", "FORBIDDEN", 3),
        ("power", "ALLOWED", 1),
        ("tso", "ALLOWED", None),
        ("m/a.cat", "BOUNDED", None),
    ]
    found = program.expectation("sc")
    assert found is not None and found.span.text == "sc: FORBIDDEN 3 traces"
    found = program.expectation("a")  # the name of a model in that file
    assert found is not None and found.verdict == "BOUNDED"
    assert program.expectation("m/a") is None


def test_names_that_begin_like_reserved_words() -> None:
    program = parse("atx = 0; iffy = 0\nthread thread1: gotox := atx; whiles := gotox; do_ := 1;")
    assert len(program.threads[0].code) == 3
    assert {"thread", "if", "await", "at"} <= reserved_words()
    assert not {"sync", "lr", "sc", "min", "fence"} & reserved_words()
