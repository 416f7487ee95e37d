"""Programs and their C: they agree; and a fault planted in the writing or in the reading of C is
found on random programs, and shrunk."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import model

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck import c_compare
from hybrid.crosscheck.c_compare import CComparison, CQuarrel, compare_with_c
from hybrid.crosscheck.c_form import c_form, is_in_c_form
from hybrid.crosscheck.c_sizes import sized
from hybrid.crosscheck.compare import ENDING, EXTRA, MISSING, OUTCOME
from hybrid.crosscheck.fuzz import C, Task, fuzz
from hybrid.crosscheck.random_programs import drawn_shape, random_program
from hybrid.crosscheck.shape import C_PROFILES
from hybrid.crosscheck.shrink import save, shrink
from hybrid.crosscheck.vocabulary import C11, c_vocabulary
from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.frontend import c_print
from hybrid.frontend.c import access, calls, emitter, execute, lower, operands, segments
from hybrid.frontend.c.clang import NoCompilerError, find_compiler
from hybrid.frontend.c.library import mutexes
from hybrid.frontend.c_print import c_text
from hybrid.frontend.compiler_options import NO_OPTIONS
from hybrid.frontend.prog import load_prog, parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.program.program import Program
from hybrid.source import Source

try:
    find_compiler(NO_OPTIONS)
except NoCompilerError:
    pytest.skip("there is no C compiler here", allow_module_level=True)

PROGRAMS = 150  # at most so many are tried
SHAPES = tuple(replace(shape, words=C11, candidates=500) for shape in C_PROFILES.values())
LOCK = "xchgawait(l32 = 0, := {}) @acq"
LIMITS = Limits(unroll=2)
RSMC = parse_configurations("rsmc")


def drawn(number: int, under: str = "rc11") -> Program:
    words = c_vocabulary(model(under))
    shape = replace(drawn_shape(21, number, SHAPES), words=words)
    return c_form(sized(random_program(21, number, shape), random.Random(number)))


def compared(text: str, name: str = "rc11", engines: str = "rsmc") -> CComparison:
    program = parse_program(Source("<test>", text))
    assert is_in_c_form(program)
    return compare_with_c(program, model(name), parse_configurations(engines), LIMITS)


# ---- the form of programs in C


@pytest.mark.large
def test_every_program_has_a_form_in_c() -> None:
    for number in range(300):
        program = drawn(number, "power" if number % 2 else "rc11")
        check_program(program)
        assert is_in_c_form(program)
        c_text(program)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x = 0 thread P: r := await(x = 1) @acq;", ["r := x @acq", "assume r = 1"]),
        (
            "x = 0 thread P: L: await(x != 2); x := 1; r := x @rlx; if r = 1 goto L;",
            ["w0 := x @rlx", "assume w0 != 2", "x := 1", "r := x @rlx", "if r = 1 goto L"],
        ),
        ("x = 0 thread P: x := 1; lwsync;", ["x := 1", "lwsync"]),
        ("l32 = 0 thread P: xchgawait(l32 = 0, := 1) @sc;", [LOCK.format(2)]),
        (
            "l32 = 0 thread P: xchgawait(l32 = 1, := 1) @sc;",
            ["w0 := xchg(l32, 1) @sc", "assume w0 = 1"],
        ),
        (
            "l = 0 thread P: xchgawait(l = 0, := 1) @sc;",
            ["w0 := xchg(l, 1) @sc", "assume w0 = 0"],
        ),
        ("x = 0 thread P: r := 1; assert r = 1; x := r;", ["r := 1", "x := r"]),
        (
            "x = 0 thread P: L: r := cas_weak(x, 0, 1) @sc; if r = 0 goto L;",
            ["r := cas(x, 0, 1) @sc", "if r = 0 goto L"],
        ),
        (
            "x = 0 thread P: c := 0; L: x := c; c := c - 1; if c != 0 goto L;",
            ["c := 0", "x := c", "c := c - 1"],
        ),
        ("x = 0 thread P: r := x;", ["r := x @rlx"]),
        (
            "x = 0 thread P: r := x; if r = 0 goto E; x := 1; E: skip;",
            ["r := x @rlx", "if r = 0 goto P_end", "x := 1"],
        ),
    ],
)
def test_what_c_cannot_say_becomes_something_else(text: str, code: list[str]) -> None:
    program = c_form(parse_program(Source("<test>", text)))
    lines = print_program(program).split("\n")
    found = [line.split(": ", 1)[-1].strip(" ;") for line in lines if line.endswith(";")]
    assert found == code
    assert is_in_c_form(program)
    c_text(program)


@pytest.mark.parametrize(
    "text",
    [
        "x = 0 thread P: await(x = 1);",
        "x = 0 thread P: xchgawait(x = 0, := 2) @acq;",
        "x32 = 0 thread P: xchgawait(x32 = 1, := 2) @acq;",
        "x32 = 0; y16 = 0 thread P: r := x32 @rlx; [&x32 + ((r & 1) << 7)] := 1;",
        "x = 0 thread P: r := lr(x); s := sc(x, 1);",
        "x = 0 thread P: fetch_add32(x, 1) @sc;",
        "x = 0 thread P: r := x; [&x + 2 * r + 2] := 1;",
        "x = 0 thread P: s := 1; r := select(s = 0, s, 2);",
    ],
)
def test_the_printer_refuses_the_rest(text: str) -> None:
    program = parse_program(Source("<test>", text))
    with pytest.raises(InputError, match="cannot be written in C"):
        c_text(program)


# ---- agreement


BOTH_KINDS = """x = 0; y = 0
thread P: x := 1; y := 1 @rel; fence @sc; r := cas_weak(y, 1, 2) @acqrel @fail.rlx; assume r < 2;
thread Q: L: r := y @acq; if r = 0 goto L; s := x; assert s = 1; t := fetch_max(y, s + 2) @rlx;
"""


@pytest.mark.large
@pytest.mark.parametrize("name", ["sc", "tso", "rc11", "rc20", "power", "aarch64"])
def test_a_program_agrees_with_its_c(name: str) -> None:
    result = compared(BOTH_KINDS, name, "rsmc,bmc:sat")
    assert not result.differences and not result.unfinished
    assert result.compared == 2 and result.traces


def test_addresses() -> None:
    chosen = """x = 0; y = 1
thread P: r := y @rlx; [&x + ((r & 1) << 7)] := 3 @rlx; s := [&y + (r ^ r)] @rlx;
thread Q: y := 0 @rlx; x := 1;
"""
    followed = """x = 0; p = &x
thread P: r := p @rlx; if r = 0 goto E; s := [r] @rlx; E: skip;
thread Q: p := 0 @rlx; p := &p @rlx; x := 1 @rlx;
"""
    for text in (chosen, followed):
        result = compare_with_c(
            c_form(parse_program(Source("<test>", text))), model("power"), RSMC, LIMITS
        )
        assert not result.differences and result.traces > 2


def test_both_operands_of_and_and_or_count() -> None:
    text = """x = 0; y = 0
thread P: r := x @rlx; s := y @rlx; if r = 1 && s goto E; y := (r || s = 2) + 1 @rlx; E: skip;
thread Q: y := 1 @rlx; x := 1 @rlx;
"""
    result = compared(text, "power")
    assert not result.differences and result.traces > 2


@pytest.mark.parametrize(
    ("code", "weak"),
    [
        ("L: o, s := cas_weak(x, 0, 1) @rlx; if s = 0 goto L;", False),
        ("r := 0; L: r := r + 1; o, s := cas_weak(x, 0, 1) @rlx; if s = 0 goto L; y := r;", True),
        ("L: o, s := cas_weak(x, 0, 1) @rlx; y := s; u := y @rlx; if u = 5 goto L;", True),
    ],
)
def test_weak_compare_exchanges_in_loops(code: str, weak: bool) -> None:
    """Where what was tried before shows, a failure without a reason does."""
    text = f"x = 0; y = 0 thread P: {code} thread Q: x := 1 @rlx; y := 5; x := 0 @rlx;"
    program = c_form(parse_program(Source("<test>", text)))
    exchange = next(each for each in program.threads[0].code if isinstance(each, ins.Rmw))
    assert exchange.weak is weak
    result = compare_with_c(program, model("rc11"), RSMC, LIMITS)
    assert not result.differences and result.traces


def test_sizes() -> None:
    text = """x8 = 1; y16 = 0; z32 = 2
thread P: r := x8 @rlx; y16 := r - 3; s := fetch_sub(z32, r + 5) @rlx; x8 := s + s;
thread Q: r := y16 @rlx; s := cas(z32, -4, r) @sc @fail.rlx; t := [&x8 + (s ^ s)] @rlx;
"""
    result = compared(text, "power", "rsmc,enumerate")
    assert not result.differences and result.traces > 2 and result.compared == 2
    for line in ("short y16 = 0;", "int z32 = 2;", "signed char x8 = 1;", "int old = -4;"):
        assert line in result.text.text


def test_elements_of_fewer_bits() -> None:
    text = """x16 = 0; y16 = 1
thread P: r := y16 @rlx; [&x16 + ((r & 1) << 7)] := 3 @rlx; s := [&y16 + (r ^ r)] @rlx;
thread Q: y16 := 0 @rlx; x16 := 1;
"""
    result = compared(text, "power")
    assert not result.differences and result.traces > 2
    assert "short cell[2]" in result.text.text and "<< 1" in result.text.text


@pytest.mark.large
@pytest.mark.parametrize("name", ["rc11", "aarch64"])
def test_locks(name: str) -> None:
    """Two that are taken in either order: both sides have the deadlock."""
    take, other = (f"xchgawait({lock}32 = 0, := {{}}) @acq;" for lock in "lk")
    text = f"""l32 = 0; k32 = 0; x8 = 0
thread P: {take.format(2)} {other.format(2)} x8 := 1; k32 := 0 @rel; l32 := 0 @rel;
thread Q: {other.format(3)} {take.format(3)} x8 := 2; l32 := 0 @rel; k32 := 0 @rel;
"""
    result = compared(text, name, "rsmc,enumerate,bmc:sat")
    assert not result.differences and not result.unfinished
    assert result.compared == 3 and result.traces == 2


@pytest.mark.large
def test_fences_of_machines() -> None:
    for name, fences in (
        ("power", "sync; lwsync; isync; eieio;"),
        ("aarch64", "dmb; dmb.ld; dmb.st; isb;"),
        ("riscv", "fence.rw.w; fence.tso; fence.r.rw;"),
        ("tso", "mfence; lfence; sfence;"),
    ):
        text = f"x = 0 thread P: x := 1; {fences} thread Q: r := x @acq;"
        result = compared(text, name)
        assert not result.differences and result.traces == 2
        assert result.text.text.count("__asm__") == fences.count(";")


@pytest.mark.large
@pytest.mark.parametrize("name", ["sc", "rc11", "power"])
def test_random_programs_agree_with_their_c(name: str) -> None:
    words = c_vocabulary(model(name))
    shapes = tuple(replace(shape, words=words) for shape in SHAPES)
    task = Task(("rsmc", "enumerate"), name, 22, shapes, 2, None, language=C)
    summary = fuzz(task, 40, 1)
    assert summary.programs == 40 and not summary.alone and not summary.stopped
    assert not summary.disagreements, [each.differences for each in summary.disagreements]


# ---- planted faults

Plant = Callable[[pytest.MonkeyPatch], None]


def around(owner: Any, name: str, change: Callable[..., Any]) -> Plant:
    """`change` gets the real function and its arguments, and answers in its place."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        real = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *a, **k: change(real, *a, **k))

    return plant


def no_fence(real: Callable[..., str], self: Any, each: ins.Instruction) -> str:
    return ";" if isinstance(each, ins.Fence) else real(self, each)


def weaker_order(real: Callable[..., str], tags: frozenset[str]) -> str:
    return real(frozenset({"RLX"}) if tags == {"ACQ"} else tags)


def lost_store(real: Callable[..., None], t: Any, pointer: Any, *rest: Any) -> None:
    if t.state.shares and rest[1] == 2 and access.own_object(t, pointer, rest[0]) is None:
        return
    real(t, pointer, *rest)


def other_value(real: Callable[..., None], t: Any, pointer: Any, size: int, *rest: Any) -> None:
    value, *more = rest
    own = access.own_object(t, pointer, size)
    real(t, pointer, size, 3 if value == 2 and own is None else value, *more)


def folded(real: Callable[..., Any], op: str, left: Any, right: Any, bits: int) -> Any:
    return 0 if op == "xor" and left == right else real(op, left, right, bits)


def same_failure(real: Callable[..., None], self: Any, each: ins.Instruction) -> None:
    real(self, replace(each, failed_tags=None) if isinstance(each, ins.Rmw) else each)


def other_way(real: Callable[..., None], self: Any, each: ins.Instruction) -> None:
    if isinstance(each, ins.Assume):
        return
    real(self, each)


def no_guard(real: Callable[..., Any], *args: Any, **named: Any) -> Any:
    return real(*args, **{**named, "guard": None})


def all_strong(
    real: object, code: Sequence[ins.Instruction], unshared: object
) -> list[ins.Instruction]:
    return [replace(each, weak=False) if isinstance(each, ins.Rmw) else each for each in code]


UNSIGNED = {8: "unsigned char", 16: "unsigned short", 32: "unsigned", 64: "long"}
SWAPPED = "registers set one after the other"


FAULTS: dict[str, tuple[str, Plant, set[str]]] = {
    "a fence not written": (
        "sc",
        around(c_print._CPrinter, "_statement", no_fence),
        {c_compare.DIFFERENT},
    ),
    "an order written as a weaker one": (
        "rc11",
        around(c_print, "_order", weaker_order),
        {c_compare.DIFFERENT, EXTRA},
    ),
    "a store lost": (
        "rc11",
        around(access, "store_cell", lost_store),
        {MISSING, EXTRA, c_compare.DIFFERENT},
    ),
    "another value stored": (
        "sc",
        around(access, "store_cell", other_value),
        {c_compare.DIFFERENT, MISSING, EXTRA, OUTCOME},
    ),
    "a dependency folded away": (
        "power",
        around(operands, "llvm_binary", folded),
        {c_compare.DIFFERENT, EXTRA},
    ),
    "the order of a failed cas forgotten": (
        "rc11",
        around(emitter.CodeEmitter, "emit", same_failure),
        {c_compare.DIFFERENT, EXTRA, MISSING},
    ),
    "a weak cas taken for a strong one": (
        "sc",
        around(lower, "strengthened", all_strong),
        {MISSING, ENDING},
    ),
    "an assert lost": (
        "sc",
        around(emitter.CodeEmitter, "check", lambda *_: None),
        {OUTCOME, ENDING},
    ),
    "a fence not read": (
        "sc",
        around(execute.access, "fence", lambda *_: None),
        {c_compare.DIFFERENT},
    ),
    "a fence of a machine not read": (
        "power",
        around(calls, "assembly", lambda *_: 0),
        {c_compare.DIFFERENT, EXTRA},
    ),
    "a lock that does not wait": (
        "rc11",
        around(mutexes.access, "rmw_cell", no_guard),
        {MISSING, EXTRA, ENDING, c_compare.DIFFERENT},
    ),
    "a type without signs": (
        "rc11",
        lambda monkeypatch: monkeypatch.setattr(c_print, "_TYPES", UNSIGNED),
        {MISSING, EXTRA, ENDING, OUTCOME, c_compare.DIFFERENT},
    ),
    SWAPPED: (
        "sc",
        around(segments, "in_turn", lambda real, settings, names: settings),
        {c_compare.DIFFERENT, MISSING, EXTRA, c_compare.REFUSED_C},
    ),
}


def first_disagreement(name: str) -> CComparison:
    for number in range(PROGRAMS):
        result = compare_with_c(drawn(number, name), model(name), RSMC, LIMITS)
        if result.differences:
            return result
    raise AssertionError(f"not found on {PROGRAMS} programs")


@pytest.mark.large
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.interpreted
def test_a_fault_is_found_and_shrunk(
    fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name, plant, kinds = FAULTS[fault]
    with monkeypatch.context() as context:
        plant(context)
        result = first_disagreement(name)
        difference = result.differences[0]
        assert difference.kind in kinds
        quarrel = CQuarrel(result.model, tuple(RSMC), difference.kind, LIMITS, 5.0)
        small = shrink(result.program, quarrel, seconds=20)
        most = 12 if fault == SWAPPED else 6
        assert sum(len(thread.code) for thread in small.program.threads) <= most
        path = tmp_path / "small.prog"
        assert save(small.program, quarrel, path)[0].kind == difference.kind
    # It is the fault, nothing else, that the saved program shows.
    assert not compare_with_c(load_prog(path), model(name), RSMC, LIMITS).differences
