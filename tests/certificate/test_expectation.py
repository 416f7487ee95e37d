"""What is expected of runs: it makes formulas small, and nothing in it has to be right."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from certificates import COUNTER, LOOP, SB, checked, explored, made, manifest_of, resealed
from decoded import BRUTE_FORCE
from support import model, model_of, program

from hybrid.bmc.expected import ADDRESS, READ, WRITTEN, Expected
from hybrid.bmc.symbolic import symbolic
from hybrid.certificate import expectation, formulas
from hybrid.certificate.claim import Subject
from hybrid.certificate.expectation import (
    expected_runs,
    from_json,
    has_many_events,
    to_json,
)
from hybrid.certificate.formulas import COMPLETE, make_formula
from hybrid.certificate.make import CertificateOptions, make_certificate
from hybrid.certificate.prove import prove
from hybrid.certificate.traces import collect
from hybrid.crosscheck.complete import literals_of
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import PROFILES
from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.engine.races import Races
from hybrid.errors import InputError
from hybrid.execution.trace import Key
from hybrid.frontend.load import load_program
from hybrid.program.program import Program

MODELS = ("sc", "ra", "rc11", "rc20")
MESSAGE = """x = 0; y = 0
thread P: L0: x := 7; L1: y := 1 @rel;
thread Q: L2: r0 := y @acq; L3: if r0 = 0 goto L5; L4: r1 := x; L5: r2 := 1;
~exists (Q:r0 = 1 /\\ Q:r1 = 0)
"""
POINTER = """p = &x; x = 0; y = 0
thread P: L0: p := &y;
thread Q: L1: r := p; L2: [r] := 5;
thread R: L3: s := cas(y, 5, 6); L4: await(p = &y);
forall (y = 0 \\/ x = 0)
"""
SPIN = """x = 0; y = 0
thread P: i := 0; L0: r := x; i := i + 1; if i < 3 goto L0; L1: y := r + i;
thread Q: L2: x := 1; L3: x := 2;
~exists (y = 9)
"""


def subject(source: Program, under: str) -> Subject:
    return Subject(source, model(under), Limits(), Races.IGNORE, False)


def expectation_of(about: Subject, how: str = BRUTE_FORCE) -> Expected:
    found = expected_runs(about, Configuration(how))
    assert found is not None
    return found


def keys_of(about: Subject) -> tuple[Key, ...]:
    listed = collect(about, Configuration(BRUTE_FORCE))
    assert listed is not None
    return listed.keys


def has_more(about: Subject, keys: tuple[Key, ...], expected: Expected) -> bool:
    """Whether the formula has a run besides these, or a run that is not expected."""
    made_ = make_formula(about, COMPLETE, "", (), keys, expected)
    return prove(made_.logic) is None


def expected_keys(about: Subject, keys: tuple[Key, ...], expected: Expected) -> tuple[Key, ...]:
    """Those in which nothing happens that is not expected."""
    made_ = make_formula(about, COMPLETE, "", (), (), expected)
    return tuple(key for key in keys if literals_of(made_.formula, made_.formula.program, key))


def a_part(expected: Expected, rng: random.Random) -> Expected:
    """With each visit and value left out at times, and others that make no sense."""
    found, rest = Expected(), rng.random()
    for visit in expected:
        if rng.random() < rest:
            continue
        found.add(visit)
        for aspect in (ADDRESS, READ, WRITTEN):
            for value in expected.values(visit, aspect):
                if rng.random() < 0.9:
                    found.add(visit, aspect, value)
                if rng.random() < 0.1:
                    found.add(visit, aspect, rng.choice((-1, 0, 1, 2, 4096)))
    return found


@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize("text", [SB, COUNTER, LOOP, MESSAGE, POINTER, SPIN])
def test_no_run_does_anything_else(text: str, under: str) -> None:
    about = subject(program(text), under)
    keys = keys_of(about)
    assert keys
    expected = expectation_of(about)
    assert not has_more(about, keys, expected)
    for left_out in range(len(keys)):
        assert has_more(about, keys[:left_out] + keys[left_out + 1 :], expected)


@pytest.mark.large
@pytest.mark.parametrize("under", MODELS)
@pytest.mark.parametrize("part", range(4))
def test_whatever_is_expected_no_run_is_lost(under: str, part: int) -> None:
    """Of a random program all traces but one are given; that one, or a run that is not expected,
    is a solution."""
    rng = random.Random(f"{under}/{part}")
    compared = narrower = 0
    for number in range(part, 100, 4):
        about = subject(random_program(21, number, PROFILES["mixed"]), under)
        keys = keys_of(about)
        if not 0 < len(keys) <= 60:
            continue
        expected = expectation_of(about)
        assert not has_more(about, keys, expected), about.program.name
        for _ in range(4):
            missing = rng.randrange(len(keys))
            others = keys[:missing] + keys[missing + 1 :]
            assert has_more(about, others, expected), about.program.name
            part_ = a_part(expected, rng)
            left = expected_keys(about, others, part_)
            assert has_more(about, left, part_), about.program.name
            narrower += len(left) < len(others)
        compared += 1
    assert compared > 10
    assert narrower > 10


def test_threads_stop_for_what_comes_first_elsewhere() -> None:
    """No load may read an initial store, so Q comes to its end only if P has stored to y; and P
    does not, once its load has read what nobody expects."""
    text = "x = 0; y = 0\nthread P: r := x; y := 1;\nthread Q: x := 1; s := y;\n"
    about = subject(program(text), "sc")
    strict = model_of("acyclic po | rf | co | fr as order\nempty [IW] ; rf as written-first\n")
    about = replace(about, model=strict)
    (key,) = keys_of(about)
    expected = expectation_of(about)
    assert not has_more(about, (key,), expected)
    nothing_read = Expected()
    for visit in expected:
        nothing_read.add(visit)
        for aspect in (ADDRESS, WRITTEN) if visit[0] == 0 else (ADDRESS, READ, WRITTEN):
            for value in expected.values(visit, aspect):
                nothing_read.add(visit, aspect, value)
    assert has_more(about, (), nothing_read)


def test_blocked_runs_do_more_than_traces() -> None:
    """Only in a run that ends at the assume does Q store 5: a solver finds it."""
    text = "x = 0; y = 0\nthread P: x := 1;\nthread Q: r := x; y := 5 - r; assume r = 1;\n"
    expected = expectation_of(subject(program(text), "sc"))
    written = {v for visit in expected if visit[0] == 1 for v in expected.values(visit, WRITTEN)}
    assert written == {4, 5}


def test_rounds_of_a_loop_are_told_apart() -> None:
    about = subject(program(SPIN), "sc")
    expected = expectation_of(about)
    loads = [visit for visit in expected if visit[0] == 0 and expected.values(visit, READ)]
    assert len(loads) == 3
    assert len({at for _, at, _ in loads}) == 1


def test_models_that_may_need_what_is_to_come() -> None:
    assert expected_runs(subject(program(SB), "power"), Configuration(BRUTE_FORCE)) is None


def test_few_events_need_no_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    about = subject(program(SB), "sc")
    assert not has_many_events(about)
    assert "expected.json" not in made(SB, "sc")
    events = sum(slot.thread >= 0 for slot in symbolic(about.program, about.limits).slots)
    monkeypatch.setattr(expectation, "MANY_EVENTS", events)
    assert not has_many_events(about)
    monkeypatch.setattr(expectation, "MANY_EVENTS", events - 1)
    assert has_many_events(about)


@pytest.mark.large
@pytest.mark.parametrize("first", [False, True], ids=["complete", "verdict"])
@pytest.mark.parametrize("text", [COUNTER, LOOP, MESSAGE, POINTER, SPIN])
def test_certificates(text: str, first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = made(text, "rc11", first=first)
    monkeypatch.setattr(expectation, "MANY_EVENTS", 0)
    files = made(text, "rc11", first=first)
    assert manifest_of(files).expected == "expected.json"
    assert manifest_of(files).answer == manifest_of(plain).answer
    monkeypatch.undo()  # the certificate says that it is used
    done = checked(files)
    assert done.valid, done.refused
    assert done.counts == checked(plain).counts


@pytest.mark.large
def test_an_expectation_that_some_run_disappoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its formula has a solution, and no proof is one."""
    monkeypatch.setattr(expectation, "MANY_EVENTS", 0)
    files = made(SB, "rc11", Configuration("auto"), first=False)
    visits = json.loads(files["expected.json"])
    for number in range(len(visits)):
        fewer = visits[:number] + visits[number + 1 :]
        done = checked(resealed({**files, "expected.json": json.dumps(fewer).encode()}))
        assert "no place in the formula" in done.refused or "is not the formula" in done.refused


def test_the_model_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectation, "MANY_EVENTS", 0)
    files = made(SB, "power")
    assert not manifest_of(files).expected
    monkeypatch.setattr(expectation, "allows_prefixes", lambda _: True)
    files = made(SB, "power")
    assert "not about all runs" in checked(files).refused


def test_json() -> None:
    about = subject(program(POINTER), "sc")
    expected = expectation_of(about)
    text = to_json(expected)
    assert to_json(from_json(text, about.program, "expected.json")) == text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "expected"),
        ("[[0, 0, 0]]", "expected a visit with its addresses and values"),
        ("[[9, 0, 0, [], [], []]]", "no such instruction"),
        ("[[0, 99, 0, [], [], []]]", "no such instruction"),
        ('[[0, 0, 0, ["x"], [], []]]', "expected"),
        ("[[0, 0, 0, [0.5], [], []]]", "expected"),
        (f"[[0, 0, 0, [], [{1 << 63}], []]]", "expected a number of 64 bits"),
        (f"[[0, 0, 0, [], [], [{-(1 << 63) - 1}]]]", "expected a number of 64 bits"),
    ],
)
def test_what_is_no_expectation(text: str, wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        from_json(text, program(SB), "expected.json")


@pytest.mark.large
def test_a_program_with_many_events() -> None:
    source = load_program(bundled("litmus") / "programs" / "structures" / "queue.c")
    found = make_certificate(explored(source, "rc20"), CertificateOptions())
    done = checked(found.files)
    assert manifest_of(found.files).expected
    assert done.valid, done.refused
    assert done.counts is not None
    assert done.counts.traces == 121


def test_values_that_cannot_be_circular_take_no_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the model keeps po and rf acyclic; of a large program there would be too many."""
    monkeypatch.setattr(formulas, "symbolic", lambda *_: pytest.fail("terms were made"))
    assert not formulas.may_be_circular(subject(program(SB), "rc11"))
