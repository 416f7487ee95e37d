"""The builder: the same program as the parser gives, and errors at the Python call."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rebuild import rebuilt

import hybrid
from hybrid import ProgramBuilder, Verdict
from hybrid.data import bundled
from hybrid.execution.trace import key_of
from hybrid.frontend.prog_print import print_program
from hybrid.source import Span, nowhere

PROGRAMS = sorted(bundled("litmus").rglob("*.prog"))
NOWHERE = nowhere()


def bare(value: object) -> object:
    """The same without places."""
    if isinstance(value, Span):
        return None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: bare(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return type(value).__name__, fields
    if isinstance(value, tuple | list):
        return [bare(each) for each in value]
    return dict(value) if isinstance(value, dict) else value


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_builder_makes_what_the_parser_makes(path: Path) -> None:
    read = hybrid.load(path)
    built = rebuilt(read)
    assert print_program(built) == print_program(read)
    assert bare(built) == bare(read)


SMALL = ["classic/MP.prog", "classic/SB+mfences.prog", "papers/rsmc-fig2.prog"]


@pytest.mark.parametrize("name", SMALL)
def test_traces_are_the_same(name: str) -> None:
    read = hybrid.load(bundled("litmus") / name)
    for model in ("sc", "power"):
        ours, theirs = (hybrid.verify(each, model) for each in (rebuilt(read), read))
        assert (ours.verdict, ours.states) == (theirs.verdict, theirs.states)
        keys = [{key_of(trace.data) for trace in found.traces} for found in (ours, theirs)]
        assert keys[0] == keys[1] and len(keys[0]) == ours.count


def mp(fence: str = "", acquire: str = "rlx") -> hybrid.Program:
    b = ProgramBuilder("MP")
    x, y = b.locations("x y")
    p = b.thread("P")
    p.store(x, 1, "rlx")
    if fence:
        p.fence(fence)
    p.store(y, 1, "rlx")
    q = b.thread("Q")
    flag = q.load(y, acquire)
    data = q.load(x, "rlx")
    b.exists((flag == 1) & (data == 0))
    return b.build()


def test_message_passing() -> None:
    assert hybrid.verify(mp(), "rc11").verdict is Verdict.ALLOWED
    assert hybrid.verify(mp("rel", "acq"), "rc11").verdict is Verdict.FORBIDDEN
    text = print_program(mp("rel", "acq"))
    assert "P1: fence @rel;" in text and "r0 := y @acq;" in text
    assert "exists (Q:r0 = 1 /\\ Q:r1 = 0)" in text


def test_a_built_program_has_its_text(tmp_path: Path) -> None:
    program = mp("rel", "acq")
    again = hybrid.parse(program.threads[0].span.source.text)
    assert bare(dataclasses.replace(again, name="MP")) == bare(program)
    assert program.threads[1].span.text == "Q"
    allowed = hybrid.verify(mp(), "rc11").witness
    assert allowed is not None
    path = tmp_path / "w.json"
    allowed.save(str(path))
    from hybrid.cli.main import main

    assert main(["replay", str(path)]) == 0


def equal(build: Callable[[ProgramBuilder], None], text: str) -> None:
    b = ProgramBuilder("p")
    build(b)
    assert bare(b.build()) == bare(hybrid.parse(text, name="p"))


def test_structured_statements() -> None:
    def build(b: ProgramBuilder) -> None:
        x = b.location("x")
        p = b.thread("P", n=3)
        n = p.register("n")
        with p.while_(n > 0):
            with p.if_(n == 2):
                p.store(x, n)
            with p.else_(), p.if_(n == 1):
                p.store(x, 7)
            p.assign(n - 1, into=n)
        with p.do_while(p.register("r") == 0):
            p.load(x, into="r")
        with p.if_(n):
            p.assert_(n != 5)

    equal(
        build,
        """x = 0
        thread P(n = 3):
          while n > 0 { if n = 2 { x := n; } else { if n = 1 { x := 7; } } n := n - 1; }
          do { r := x; } while r = 0;
          if n { assert n != 5; }""",
    )


def test_memory() -> None:
    def build(b: ProgramBuilder) -> None:
        a = b.array("a", 2, [1, 2])
        x = b.location("x", a.address, at=5000)
        p = b.thread("P")
        r = p.load(x, into="r")
        p.load(p.at(r), into="s")
        p.load(a[1], into="t")
        p.load(a[p.register("t")], into="u")
        p.store(p.at(x.address + (r ^ r)), 1)
        p.load(a[0], into="_")
        b.exists((x == a.address) & (a[1] == 2))

    equal(
        build,
        """a[2] = {1, 2}
        x at 5000 = &a
        thread P: r := x; s := [r]; t := a[1]; u := a[t]; [&x + (r ^ r)] := 1; _ := a[0];
        exists (x = &a /\\ a[1] = 2)""",
    )


def test_accesses() -> None:
    def build(b: ProgramBuilder) -> None:
        x = b.location("x")
        p = b.thread("0")
        p.await_(x == 1, "acq")
        p.await_((x & 1) == 0, into="e")
        p.xchg(x, 1, until=x == 0, into="_")
        p.fetch("add", x, 2, "sc", into="f")
        p.fetch("max", x, 2, bits=8, into="g")
        p.cas(x, 0, 1, "acqrel", failed=["acq"], into="h", success="ok")
        p.cas(x, 0, 1, weak=True, into="_")
        p.load_reserve(x, into="l")
        p.store_conditional(x, 3, into="st", kind="stx")
        p.assume(p.register("st") == 0)
        p.select(p.register("h"), 1, -2, into="z")
        p.assign(b.op("min", p.register("z"), ~p.register("h")), into="y")
        p.label("End")
        p.branch(p.register("y") < 0, "End")

    equal(
        build,
        """x = 0
        thread 0:
          await(x = 1) @acq; e := await(x satisfies (_ & 1) = 0); xchgawait(x = 0, := 1);
          f := faa(x, 2) @sc; g := fetch_max8(x, 2); h, ok := cas(x, 0, 1) @acqrel @fail.acq;
          cas_weak(x, 0, 1); l := lr(x); st := stx(x, 3); assume st = 0;
          z := select(h, 1, -2); y := min(z, ~h); End: if y < 0 goto End;""",
    )


def test_the_rest() -> None:
    def build(b: ProgramBuilder) -> None:
        x = b.location("x")
        p, q = b.thread("P"), b.thread("Q")
        p.store(x, 1, label="L0")
        r = q.load(x)
        b.forall(~((r == 2) | (x != 1)) & b.all())
        b.filter(r >= 0)
        b.observe(x)
        b.expect("sc", Verdict.HOLDS, 2)

    equal(
        build,
        """x = 0
        thread P: L0: x := 1;
        thread Q: r0 := x;
        forall (~(Q:r0 = 2 \\/ x != 1) /\\ true)
        filter (Q:r0 >= 0) locations [x] expect sc: HOLDS 2 traces""",
    )


# Errors


def declare_twice(b: ProgramBuilder) -> None:
    b.location("x")
    b.location("x")  # here


def other_threads_register(b: ProgramBuilder) -> None:
    r = b.thread("P").assign(1)
    b.thread("Q").assign(r + 1)  # here


def two_accesses(b: ProgramBuilder) -> None:
    x = b.location("x")
    b.thread("P").assign(x + 1)  # here


def truth(b: ProgramBuilder) -> None:
    r = b.thread("P").assign(1)
    if r == 1:  # here
        pass


def unknown_label(b: ProgramBuilder) -> None:
    p = b.thread("P")
    p.assign(1, label="Loop")
    p.goto("Lop")  # here


def unknown_register(b: ProgramBuilder) -> None:
    p = b.thread("P")
    p.assign(p.register("nix"))  # here


def unknown_annotation(b: ProgramBuilder) -> None:
    b.thread("P").load(b.location("x"), "acqu")  # here


def acquire_store(b: ProgramBuilder) -> None:
    b.thread("P").store(b.location("x"), 1, "acq")  # here


def unknown_fence(b: ProgramBuilder) -> None:
    b.thread("P").fence("synk")  # here


def no_value(b: ProgramBuilder) -> None:
    b.thread("P").assign(1.5)  # type: ignore[arg-type]  # here


def too_large(b: ProgramBuilder) -> None:
    b.thread("P").assign(2**63)  # here


def no_condition(b: ProgramBuilder) -> None:
    r = b.thread("P").assign(1)
    b.exists(r + 1)  # here


def out_of_range(b: ProgramBuilder) -> None:
    a = b.array("a", 2)
    b.thread("P").load(a[2])  # here


def else_alone(b: ProgramBuilder) -> None:
    p = b.thread("P")
    with p.else_():  # here
        pass


def reserved(b: ProgramBuilder) -> None:
    b.location("while")  # here


def strange_name(b: ProgramBuilder) -> None:
    b.thread("P").register("a b")  # here


def register_and_location(b: ProgramBuilder) -> None:
    b.location("x")
    b.thread("P").assign(1, into="x")  # here


def no_place(b: ProgramBuilder) -> None:
    b.thread("P").load(77)  # here


def clash(b: ProgramBuilder) -> None:
    b.location("x", at=5000)
    b.location("y", at=5000)  # here
    b.thread("P")


def waits_for_nothing(b: ProgramBuilder) -> None:
    p = b.thread("P")
    p.await_(p.assign(1) == 1)  # here


def waits_elsewhere(b: ProgramBuilder) -> None:
    x, y = b.locations("x y")
    b.thread("P").xchg(x, 1, until=y == 0)  # here


def other_location(b: ProgramBuilder) -> None:
    x = ProgramBuilder().location("x")
    b.location("x")
    b.thread("P").store(x, 1)  # here


def other_address(b: ProgramBuilder) -> None:
    x = ProgramBuilder().location("x")
    b.thread("P").assign(x.address)  # here


def other_cell(b: ProgramBuilder) -> None:
    a = ProgramBuilder().array("a", 2)
    p = b.thread("P")
    p.load(a[p.assign(1)])  # here


def other_initial_value(b: ProgramBuilder) -> None:
    b.thread("P")
    b.location("y", ProgramBuilder().array("a", 2).address)  # here


def other_register(b: ProgramBuilder) -> None:
    r = ProgramBuilder().thread("P").assign(1)
    b.thread("P").assign(r + 1)  # here


def other_target(b: ProgramBuilder) -> None:
    r = ProgramBuilder().thread("P").assign(1)
    b.thread("P").assign(1, into=r)  # here


def other_in_a_condition(b: ProgramBuilder) -> None:
    x = ProgramBuilder().location("x")
    b.thread("P")
    b.exists(x == 1)  # here


def other_observed(b: ProgramBuilder) -> None:
    r = ProgramBuilder().thread("Q").assign(1)
    b.thread("P")
    b.observe(r)  # here


def unknown_model(b: ProgramBuilder) -> None:
    b.expect("powr", "ALLOWED")  # here


def unknown_verdict(b: ProgramBuilder) -> None:
    b.expect("power", "PERHAPS")  # here


def two_conditions(b: ProgramBuilder) -> None:
    x = b.location("x")
    b.exists(x == 1)
    b.exists(x == 2)  # here


WRONG = [
    (declare_twice, "`x` is declared twice"),
    (other_threads_register, "a register of thread P"),
    (two_accesses, "a memory access inside an expression"),
    (truth, "neither true nor false"),
    (unknown_label, "undefined label `Lop`"),
    (unknown_register, "unknown register `nix`"),
    (unknown_annotation, "unknown annotation `acqu`"),
    (acquire_store, "a store cannot be `@acq`"),
    (unknown_fence, "unknown fence `synk`"),
    (no_value, "1.5 is not a value"),
    (too_large, "does not fit 64 bits"),
    (no_condition, "this is not a condition"),
    (out_of_range, "index 2 is out of range"),
    (else_alone, "an else_ without an if_"),
    (reserved, "`while` has a meaning"),
    (strange_name, "`a b` cannot be the name of a register"),
    (register_and_location, "`x` is a location, no register"),
    (no_place, "access to"),
    (clash, "already has address 5000"),
    (waits_for_nothing, "does not depend on a value read"),
    (waits_elsewhere, "a memory access inside an expression"),
    (other_location, "`x` is of another ProgramBuilder"),
    (other_address, "`x` is of another ProgramBuilder"),
    (other_cell, "`a` is of another ProgramBuilder"),
    (other_initial_value, "`a` is of another ProgramBuilder"),
    (other_register, "`r0` is of another ProgramBuilder"),
    (other_target, "`r0` is of another ProgramBuilder"),
    (other_in_a_condition, "`x` is of another ProgramBuilder"),
    (other_observed, "`r0` is of another ProgramBuilder"),
    (unknown_model, "unknown model `powr`"),
    (unknown_verdict, "unknown verdict `PERHAPS`"),
    (two_conditions, "a program has one condition"),
]


@pytest.mark.parametrize(("build", "told"), WRONG, ids=[each.__name__ for each, _ in WRONG])
def test_errors_point_at_the_call(build: Callable[[ProgramBuilder], None], told: str) -> None:
    b = ProgramBuilder()
    with pytest.raises(hybrid.InputError, match=re.escape(told)) as caught:
        build(b)
        b.build()
    lines = Path(__file__).read_text(encoding="utf-8").split("\n")
    first = build.__code__.co_firstlineno
    here = next(number for number in range(first, len(lines)) if "# here" in lines[number - 1])
    assert (caught.value.file, caught.value.line) == (__file__, here)


def test_columns() -> None:
    b = ProgramBuilder()
    with pytest.raises(hybrid.InputError) as caught:
        _ = [b, b.thread("P").fence("synk")]
    assert caught.value.span is not None
    assert caught.value.span.text == 'b.thread("P").fence("synk")'
    assert "did you mean" in caught.value.hint


def test_a_program_without_threads() -> None:
    with pytest.raises(hybrid.InputError, match="needs a thread"):
        ProgramBuilder().build()
    with pytest.raises(hybrid.InputError, match="cannot be empty"):
        ProgramBuilder("")


def test_a_failing_assert_is_in_the_python_file() -> None:
    b = ProgramBuilder()
    x = b.location("x")
    b.thread("P").store(x, 1)
    q = b.thread("Q")
    q.assert_(q.load(x) == 0)  # fails
    (fault,) = hybrid.verify(b.build(), "sc").faults
    lines = Path(__file__).read_text(encoding="utf-8").split("\n")
    assert fault.file == __file__ and lines[fault.line - 1].endswith("# fails")


def test_a_loop_over_an_array_ends() -> None:
    b = ProgramBuilder()
    assert len(list(b.array("a", 3))) == 3  # type: ignore[call-overload]
