"""Random programs: configurations agree on them; the summary counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

import pytest
from support import MODELS, model

from hybrid.catalogue.spelling import CONFIGURATIONS, parse_configurations
from hybrid.crosscheck import compare
from hybrid.crosscheck.compare import MISSING, Difference, crosscheck
from hybrid.crosscheck.fuzz import Finding, Task, compare_program, fuzz
from hybrid.crosscheck.kept_loops import LoopQuarrel
from hybrid.crosscheck.random_programs import Shape, estimate, random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.engine.api import Limits, Stopped
from hybrid.engine.configuration import Configuration
from hybrid.engine.enumerate import Enumerate
from hybrid.engine.prepare import setting_for
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.program.passes.pipeline import eliminate
from hybrid.program.passes.setting import ASSUME, AWAIT, KEEP
from hybrid.source import Source

pytestmark = pytest.mark.large

PROGRAMS = 25  # a model and policy
PARTS = 3  # so that the work is shared out
SOLVED = 50  # programs a model that all configurations get; every fifth also the strongest check


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", MODELS)
def test_rsmc_equals_brute_force(name: str, part: int) -> None:
    policy = ("first", "last", "random")[part]
    configurations = parse_configurations(f"enumerate,rsmc/{policy},rsmc+rf/{policy}")
    for number in range(part * PROGRAMS, (part + 1) * PROGRAMS):
        program = random_program(2, number, Shape(candidates=1500, cycles=0.25))
        result = crosscheck(program, model(name), configurations, Limits(unroll=2), seed=number)
        assert result.agree and not result.open, f"{result.differences}\n{print_program(program)}"


@pytest.mark.large
@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("name", MODELS)
def test_all_configurations_and_the_formula_are_equal(name: str, part: int) -> None:
    for number in range(part, SOLVED, 5):
        complete = number % 5 == number // 5 % 5
        program = random_program(3, number, Shape(candidates=300, cycles=0.4))
        result = crosscheck(
            program, model(name), CONFIGURATIONS, Limits(unroll=2), complete=complete
        )
        assert result.agree and not result.open, f"{result.differences}\n{print_program(program)}"
        assert bool(result.complete) == complete


def test_programs_depend_on_seed_and_number_alone() -> None:
    texts = [print_program(random_program(7, n)) for n in range(5)]
    assert texts == [print_program(random_program(7, n)) for n in range(5)]
    assert len(set(texts)) == 5
    assert texts[0] != print_program(random_program(8, 0))


@pytest.mark.large
def test_programs_are_valid_bounded_and_varied() -> None:
    kinds: set[str] = set()
    observed: set[int] = set()
    for number in range(300):
        program = random_program(3, number)
        check_program(program)
        assert estimate(program) <= Shape().candidates
        assert 2 <= len(program.threads) <= 4
        observed.add(len(program.observed))
        for thread in program.threads:
            assert 2 <= len(thread.code) <= 5
            kinds |= {type(i).__name__ for i in thread.code}
        again = parse_program(Source("<again>", print_program(program)))
        assert len(again.threads) == len(program.threads)
    wanted = (ins.Load, ins.Store, ins.Rmw, ins.StoreConditional, ins.Fence, ins.Branch)
    assert kinds >= {t.__name__ for t in (*wanted, ins.Assume, ins.Assign, ins.Select)}
    assert observed >= {0, 1, 2}


def test_critical_cycles_are_forbidden_and_allowed() -> None:
    """Each thread shares a location with the next; what goes once around is told apart by the
    models."""
    verdicts: set[tuple[int, int]] = set()
    for number in range(60):
        program = random_program(5, number, Shape(cycles=1.0))
        check_program(program)
        assert len(program.locations) == len(program.threads)
        counts = [
            len(list(Enumerate().explore(program, model(name), Limits())))
            for name in ("sc", "power")
        ]
        verdicts.add((counts[0] < counts[1], counts[0] == counts[1]))
    assert verdicts == {(True, False), (False, True)}


TASK = Task(("enumerate", "rsmc"), "sc", 4, (Shape(candidates=300),), 2, None)


def test_the_summary_counts() -> None:
    summary = fuzz(TASK, 12, 1)
    assert summary.programs == 12
    assert summary.traces > 12
    assert not summary.disagreements and not summary.alone and not summary.left_out
    parallel = fuzz(TASK, 12, 2)
    assert (parallel.traces, parallel.blocked) == (summary.traces, summary.blocked)


def test_programs_that_are_done_are_left_out() -> None:
    seen: list[Finding] = []
    whole = fuzz(TASK, 8, 1, on_finding=seen.append)
    assert [finding.number for finding in seen] == list(range(8))
    later: list[Finding] = []
    rest = fuzz(TASK, 8, 1, done=[seen[6], *seen[:4]], on_finding=later.append)
    assert [finding.number for finding in later] == [4, 5, 7]
    assert (rest.programs, rest.before, rest.traces) == (8, 5, whole.traces)
    fewer = fuzz(TASK, 3, 1, done=seen)
    assert (fewer.programs, fewer.before) == (3, 3)


def test_ctrl_c_gives_a_partial_summary() -> None:
    def interrupt(finding: Finding) -> None:
        if finding.number == 2:
            raise KeyboardInterrupt

    summary = fuzz(TASK, 8, 1, on_finding=interrupt)
    assert summary.interrupted and summary.programs == 3


def test_a_program_that_takes_too_long_is_counted() -> None:
    task = Task(("enumerate", "rsmc"), "power", 4, (Shape(),), 2, 1e-9)
    assert fuzz(task, 3, 1).stopped > 0


def test_a_disagreement_stays_where_the_time_ends_at_the_loops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are looked at when the configurations are done."""

    def differ(*_: object) -> list[Difference]:
        return [Difference(MISSING, "rsmc", "enumerate", "a trace is lost")]

    def late(*_: object) -> list[Difference]:
        raise Stopped

    task = replace(TASK, engines=("enumerate", "rsmc"))
    monkeypatch.setattr(compare, "differences", differ)
    monkeypatch.setattr(LoopQuarrel, "differences", late)
    summary = fuzz(task, 3, 1)
    assert summary.stopped == 3 and summary.traces > 0
    assert [each.differences for each in summary.disagreements] == [("a trace is lost",)] * 3


def test_a_program_that_is_not_run_with_other_places_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: object) -> str:
        raise Stopped

    monkeypatch.setattr(compare, "differs_elsewhere", late)
    assert fuzz(replace(TASK, engines=("enumerate", "rsmc")), 3, 1).stopped == 3
    found = compare_program(TASK, 0)
    assert found.open[-1] == "with the locations in other places: no time"


def test_a_configuration_that_does_not_take_a_program_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def only_enumerate(configuration: Configuration, *_: object) -> str:
        return "" if configuration.engine == "enumerate" else "not today"

    monkeypatch.setattr(compare, "not_applicable", only_enumerate)
    summary = fuzz(TASK, 3, 1)
    assert summary.alone == 3
    assert summary.left_out == {("rsmc", "not today"): 3}


def test_random_loops_are_of_every_kind() -> None:
    """Of the profile `waits`: what is in them, and how many of their iterations change nothing."""
    shape = PROFILES["waits"]
    seen = dict.fromkeys(
        ("a load alone", "cas", "xchg", "a ticket", "a store", "all ways", "some ways", "no way"), 0
    )
    for number in range(120):
        source = random_program(3, number, shape)
        for thread in source.threads:
            drawn = {each.register for each in thread.code if is_add(each)}
            for at, each in enumerate(thread.code):
                body = thread.code[min(each.targets, default=at + 1) : at + 1]
                rmws = {one.op for one in body if isinstance(one, ins.Rmw)}
                stores = any(isinstance(one, ins.Store) for one in body)
                loads = any(isinstance(one, ins.Load) for one in body)
                seen["a load alone"] += loads and not rmws and not stores
                seen["cas"] += "cas" in rmws
                seen["xchg"] += "xchg" in rmws
                seen["a ticket"] += bool(body) and bool(each.uses & drawn)
                seen["a store"] += stores
        for report in eliminate(source, setting_for(model("sc"), AWAIT)).reports:
            some = "some ways" if report.reasons else "all ways"
            seen[some if report.done else "no way"] += 1
    assert min(seen.values()) >= 5, seen


def is_add(each: ins.Instruction) -> TypeGuard[ins.Rmw]:
    return isinstance(each, ins.Rmw) and each.op == "+" and each.register is not None


def test_loops_are_treated_in_turn_or_as_asked() -> None:
    task = Task(("rsmc", "enumerate"), "sc", 3, (PROFILES["waits"],), 2, None, loops="")
    assert [task.loops_of(number) for number in range(3)] == [KEEP, AWAIT, KEEP]
    assert {replace(task, loops=ASSUME).loops_of(number) for number in range(3)} == {ASSUME}
    treated = [bool(compare_program(task, number).program.loops) for number in range(8)]
    assert not any(treated[::2]) and any(treated[1::2])
