"""Random programs: engines agree on them, and a planted fault is found."""

from __future__ import annotations

import pytest
from support import MODELS, model

from hybrid.crosscheck.compare import compare
from hybrid.crosscheck.fuzz import Task, engine_named, fuzz
from hybrid.crosscheck.random_programs import Shape, estimate, random_program
from hybrid.engine import rsmc
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.rsmc import Rsmc
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.oracle.graph import GraphOracle
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.source import Source

PROGRAMS = 60  # a model and policy
PARTS = 3  # so that the work is shared out


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", MODELS)
def test_rsmc_equals_brute_force(name: str, part: int) -> None:
    policy = ("first", "last", "random")[part]
    for number in range(part * PROGRAMS, (part + 1) * PROGRAMS):
        program = random_program(2, number, Shape(candidates=1500))
        engines = [("enumerate", Enumerate()), (policy, Rsmc(policy=policy, seed=number))]
        result = compare(program, model(name), engines, Limits(unroll=2))
        assert result.agree, f"{result.differences}\n{print_program(program)}"


def test_programs_depend_on_seed_and_number_alone() -> None:
    texts = [print_program(random_program(7, n)) for n in range(5)]
    assert texts == [print_program(random_program(7, n)) for n in range(5)]
    assert len(set(texts)) == 5
    assert texts[0] != print_program(random_program(8, 0))


def test_programs_are_valid_bounded_and_varied() -> None:
    kinds: set[str] = set()
    for number in range(300):
        program = random_program(3, number)
        check_program(program)
        assert estimate(program) <= Shape().candidates
        assert 2 <= len(program.threads) <= 4
        for thread in program.threads:
            assert 2 <= len(thread.code) <= 5
            kinds |= {type(i).__name__ for i in thread.code}
        again = parse_program(Source("<again>", print_program(program)))
        assert len(again.threads) == len(program.threads)
    wanted = (ins.Load, ins.Store, ins.Rmw, ins.StoreConditional, ins.Fence, ins.Branch)
    assert kinds >= {t.__name__ for t in (*wanted, ins.Assume, ins.Assign)}


def test_the_summary_counts() -> None:
    task = Task(("enumerate", "rsmc"), "sc", 4, Shape(candidates=300), 2, None)
    summary = fuzz(task, 12, 1)
    assert summary.programs == 12
    assert summary.traces > 12
    assert not summary.disagreements
    parallel = fuzz(task, 12, 2)
    assert (parallel.traces, parallel.blocked) == (summary.traces, summary.blocked)


def test_a_program_that_takes_too_long_is_counted() -> None:
    task = Task(("enumerate", "rsmc"), "power", 4, Shape(), 2, 1e-9)
    assert fuzz(task, 3, 1).stopped > 0


# ---- planted faults


def faulty_run_disagrees(name: str = "power", programs: int = 60) -> bool:
    task = Task(("enumerate", "rsmc"), name, 11, Shape(candidates=300), 2, None)
    return bool(fuzz(task, programs, 1).disagreements)


def test_without_a_fault_the_same_programs_agree() -> None:
    assert not faulty_run_disagrees()


def test_a_race_that_is_not_detected_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rsmc._Exploration, "_detect_races", lambda *_: None)
    assert faulty_run_disagrees()


def test_a_lost_place_in_coherence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    places = rsmc._Exploration._places
    monkeypatch.setattr(rsmc._Exploration, "_places", lambda *args: places(*args)[:1])
    assert faulty_run_disagrees()


def test_a_lost_source_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    candidates = rsmc._Exploration._candidates

    def lose(self: rsmc._Exploration, step: rsmc.Step) -> list[int]:
        found = candidates(self, step)
        return found[1:] if step.kind == rsmc.LOAD and len(found) > 2 else found

    monkeypatch.setattr(rsmc._Exploration, "_candidates", lose)
    assert faulty_run_disagrees()


def test_a_forgotten_template_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Templates that are not recognised again are explored twice."""
    detect = rsmc._Exploration._detect_races

    def forget(self: rsmc._Exploration, *args: int) -> None:
        for frame in self.frame_of.values():
            if len(frame.templates) < 6:
                frame.known.clear()
        detect(self, *args)

    monkeypatch.setattr(rsmc._Exploration, "_detect_races", forget)
    assert faulty_run_disagrees()


def test_an_axiom_dropped_in_one_engine_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = GraphOracle._judge

    def lenient(self: GraphOracle) -> bool:
        self._checks = [c for c in self._checks if c.axiom.name != "sc-per-location"]
        return judge(self)

    monkeypatch.setattr(GraphOracle, "_judge", lenient)
    assert faulty_run_disagrees()


def test_engines_by_name() -> None:
    assert engine_named("rsmc/last", 0).name == "rsmc"
