"""Shrinking: what it removes and simplifies, that it ends, what it writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import model, program

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck import shrink as shrinking
from hybrid.crosscheck.compare import Difference
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.reduce import PASSES, weight
from hybrid.crosscheck.rename import renamed
from hybrid.crosscheck.shrink import Quarrel, described, free_path, save, shrink
from hybrid.errors import InputError, InternalError
from hybrid.frontend.prog import load_prog, parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.program.instructions import Fence, Rmw, Store
from hybrid.program.program import Program
from hybrid.source import Source

QUARREL = Quarrel(model("sc"), parse_configurations("enumerate,rsmc"), "extra", "rsmc", 2)

LARGE = r"""
    "A large one."
    a[2] = {3, 4}; b = 7; c = 0
    thread first(s = 5, t = -6):
      A: r1 := a[0] @sc;
      B: if r1 = 3 goto D;
      C: b := r1 + (s ^ s) @rel;
      D: sync;
      E: r2 := cas(c, t, r1 * 2) @acqrel;
    thread second:
      F: r1 := lr(c) @acq;
      G: r3 := sc(c, r1 + 2);
      H: assume r3 = 0;
      I: r4 := await(b != 7);
    thread third:
      J: a[1] := 9;
      K: fence @sc;
      M: [&a + (0 * 2)] := -8;
    exists (first:r1 = 3 /\ ~(c = 4 \/ second:r4 = 1))
    expect sc: FORBIDDEN
    """


def small_by(monkeypatch: pytest.MonkeyPatch, stays: Callable[[Program], bool]) -> Program:
    monkeypatch.setattr(Quarrel, "differences", lambda _, candidate: [1] * stays(candidate))
    result = shrink(program(LARGE), QUARREL)
    assert result.finished and stays(result.program)
    return result.program


def code_of(source: Program) -> list[object]:
    return [instruction for thread in source.threads for instruction in thread.code]


def test_everything_goes_when_nothing_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_by(monkeypatch, lambda _: True)
    assert print_program(small).split("\n", 1)[1].strip() == "thread P:"


def test_what_is_needed_stays_and_is_simplified(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_a_sc_fence_and_a_store(candidate: Program) -> bool:
        code = code_of(candidate)
        return any(isinstance(i, Store) for i in code) and any(isinstance(i, Fence) for i in code)

    small = small_by(monkeypatch, has_a_sc_fence_and_a_store)
    lines = [line.strip() for line in print_program(small).split("\n")[1:] if line]
    assert lines == ["x = 0", "thread P:", "L0: fence @acq;", "L1: x := 0;"]


def test_an_rmw_becomes_an_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_by(monkeypatch, lambda c: any(isinstance(i, Rmw) for i in code_of(c)))
    assert "L0: r0 := xchg(x, 0);" in print_program(small)
    assert len(code_of(small)) == len(small.locations) == 1


def test_a_condition_that_is_needed_follows_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_by(monkeypatch, lambda c: "second:r4" in terms_of(c) or "P:r0" in terms_of(c))
    assert len(small.threads) == 1
    assert terms_of(small) == ["P:r0"]


def terms_of(source: Program) -> list[str]:
    return [term.name for term in source.terms]


def test_it_is_deterministic_and_bounded_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def stays(candidate: Program) -> bool:
        return sum(isinstance(i, Store) for i in code_of(candidate)) >= 2

    texts = {print_program(small_by(monkeypatch, stays)) for _ in range(3)}
    assert len(texts) == 1
    result = shrink(program(LARGE), QUARREL, seconds=0.0)
    assert not result.finished and result.tried == 0


def test_ctrl_c_keeps_what_was_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0

    def stays(_: Quarrel, candidate: Program) -> bool:
        nonlocal seen
        seen += 1
        if seen == 4:
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(Quarrel, "differences", stays)
    result = shrink(program(LARGE), QUARREL)
    assert not result.finished and result.kept == 3


@pytest.mark.large
def test_every_pass_gives_programs_that_are_printed_and_read_again() -> None:
    tried = 0
    for number in range(12):
        source = random_program(21, number)
        for simpler in PASSES:
            for candidate in simpler(source):
                if weight(candidate) >= weight(source):
                    continue
                try:
                    shrinking.check_program(candidate)
                except InputError:
                    continue
                tried += 1
                again = parse_program(Source("<again>", print_program(candidate)))
                # Registers that are only read get their 0 written, addresses their names.
                assert weight(again)[:9] == weight(candidate)[:9]
    assert tried > 300


def test_renaming_keeps_the_shape() -> None:
    text = print_program(renamed(program(LARGE)))
    assert "a[" not in text and "first" not in text
    again = parse_program(Source("<again>", text))
    assert [len(t.code) for t in again.threads] == [5, 4, 3]
    assert terms_of(again) == ["P:r0", "a", "Q:r2"]


# ---- saving


def test_names_that_are_free(tmp_path: Path) -> None:
    assert free_path("SB+po", tmp_path).name == "SB+po-shrunk.prog"
    (tmp_path / "SB+po-shrunk.prog").write_text("")
    assert free_path("SB+po", tmp_path).name == "SB+po-shrunk-2.prog"
    assert free_path("../a b", tmp_path).parent == tmp_path
    assert free_path("///", tmp_path).name == "program-shrunk.prog"


def test_a_saved_program_is_checked_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    difference = Difference("extra", "rsmc", "enumerate", "they differ")
    source = described(random_program(1, 1), difference, model("sc"))
    monkeypatch.setattr(Quarrel, "differences", lambda *_: [difference])
    path = tmp_path / "a.prog"
    assert save(source, QUARREL, path) == [difference]
    assert load_prog(path).description == "Under sc: they differ."
    text = path.read_text()
    with pytest.raises(InputError, match="it exists"):
        save(source, QUARREL, path)
    assert path.read_text() == text
    with pytest.raises(InputError, match="cannot write"):
        save(source, QUARREL, tmp_path / "no" / "a.prog")
    monkeypatch.setattr(Quarrel, "differences", lambda *_: [])
    with pytest.raises(InternalError, match="does not show"):
        save(source, QUARREL, tmp_path / "b.prog")
