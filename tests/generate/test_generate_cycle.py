"""Tests of random cycles: the same for every rotation, readable, impossible under sequential
consistency and possible without axioms."""

from __future__ import annotations

import pytest
from cycle_samples import NAMES, cycles, explored, impossible, lawless, program_of, sequential
from hypothesis import HealthCheck, given, settings

from hybrid.errors import InputError
from hybrid.generate.bundle import bundle
from hybrid.generate.cycle import Cycle, parse_cycles
from hybrid.generate.layout import lay_out
from hybrid.generate.litmus import GeneratedTest, litmus_test
from hybrid.generate.vocabularies import vocabulary_of

pytestmark = pytest.mark.sample(2)

RELAXED = [HealthCheck.too_slow, HealthCheck.filter_too_much]


def test_of(cycle: Cycle) -> GeneratedTest | None:
    """None: the architecture has no such read-modify-write, or too few registers."""
    try:
        return litmus_test(cycle)
    except InputError:
        return None


test_of.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.large
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=RELAXED)
@given(cycles(most_steps=3))
def test_every_rotation_gives_the_same_test(cycle: Cycle) -> None:
    test = test_of(cycle)
    if test is None:
        return
    words = str(cycle).split()
    for at in range(len(words)):
        text = " ".join(words[at:] + words[:at])
        (again,) = parse_cycles(text, cycle.vocabulary)
        assert litmus_test(again) == test


@pytest.mark.large
@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=RELAXED)
@given(cycles())
def test_condition_tells_the_cycle(cycle: Cycle) -> None:
    """No interleaving has the cycle; without axioms it is possible, so the condition contradicts
    nothing but order."""
    test = test_of(cycle)
    if test is None:
        return
    program = program_of(test)
    assert program.name == test.name
    assert len(program.threads) == cycle.threads
    assert explored(program, sequential()).observation == "Never", test.text
    assert not impossible(program, lawless()), test.text


@pytest.mark.large
@pytest.mark.parametrize("arch", NAMES)
def test_bundled_tests_tell_their_cycles(arch: str) -> None:
    for test in bundle(arch)[::9]:
        program = program_of(test)
        assert explored(program, sequential()).observation == "Never", test.text
        assert not impossible(program, lawless()), test.text


def test_coherence_of_three_writes_is_observed() -> None:
    """Only the final value of three writes by three threads is seen without further reads; each
    writer but the last two looks once more."""
    (cycle,) = parse_cycles("Wse Wse Rfe SyncdRW Rfe SyncdRR Fre", vocabulary_of("PPC"))
    layout = lay_out(cycle)
    assert layout.finals == [("x", 3)]
    assert [(o.location, o.values) for o in layout.observers] == [("x", (2, 3))]
    test = litmus_test(cycle)
    assert "(0:r3=2 \\/ 0:r3=3)" in test.text
    assert explored(program_of(test), sequential()).observation == "Never"


def test_order_within_a_thread_needs_no_observation() -> None:
    (cycle,) = parse_cycles("PodWW Wsi Wsi Rfe PodRR Fre", vocabulary_of("X86"))
    layout = lay_out(cycle)
    assert not layout.finals and not layout.observers
