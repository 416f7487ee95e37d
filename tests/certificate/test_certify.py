"""Certificates end to end: those of every kind of answer are valid, and changes are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from certificates import (
    COUNTER,
    LOOP,
    SB,
    checked,
    explored,
    made,
    manifest_of,
    resealed,
    with_json,
    with_text,
)
from support import model_of

from hybrid.certificate.make import CertificateOptions, make_certificate
from hybrid.certificate.manifest import IMPOSSIBLE, LEFT_OUT, PROVED, Manifest
from hybrid.certificate.store import MANIFEST
from hybrid.data import bundled
from hybrid.engine.configuration import Configuration
from hybrid.engine.races import Races
from hybrid.errors import InputError, InternalError
from hybrid.frontend.load import load_program
from hybrid.model.load import load_model
from hybrid.verdict import Verdict

KEEP = Configuration("auto", loops="keep")
WAITS = "x = 0\nthread P: r0 := await(x = 1);\nexists (x = 0)\n"
MAYBE = "x = 0\nthread P: r0 := await(x = 1);\nthread Q: x := 1;\nexists (x = 1)\n"
RACE = "x = 0\nthread P: x := 1 @na;\nthread Q: r0 := x @na;\n~exists (x = 2)\n"
ERRORS = Configuration("auto", races=Races.ERROR)
LIVE = Configuration("auto", liveness=True)

CASES: list[tuple[str, str, Configuration | None, str]] = [
    (SB, "sc", None, "FORBIDDEN"),
    (SB, "tso", None, "ALLOWED"),
    (COUNTER, "power", None, "HOLDS"),
    (COUNTER.replace("x = 1)", "x = 2)"), "rc11", None, "VIOLATED"),
    (COUNTER.replace("~exists", "forall"), "rc11", None, "VIOLATED"),
    (LOOP, "sc", None, "HOLDS"),
    (LOOP, "power", KEEP, "BOUNDED"),
    ("x = 0\nthread P: r0 := x; assert r0 = 0;\nthread Q: x := 1;\n", "sc", None, "VIOLATED"),
    ("x = 0\nthread P: r0 := x; r1 := [&x + r0];\nthread Q: x := 1;\n", "sc", None, "VIOLATED"),
    (WAITS, "sc", None, "FORBIDDEN"),
    (WAITS, "sc", LIVE, "VIOLATED"),
    (MAYBE, "tso", LIVE, "ALLOWED"),
    (RACE, "rc11", None, "HOLDS"),
    (RACE, "rc11", ERRORS, "VIOLATED"),
    (RACE.replace("@na", "@rlx"), "rc11", ERRORS, "HOLDS"),
]


@pytest.mark.parametrize("first", [False, True], ids=["complete", "verdict"])
@pytest.mark.parametrize(("text", "under", "how", "answer"), CASES)
def test_every_answer(
    text: str, under: str, how: Configuration | None, answer: str, first: bool
) -> None:
    files = made(text, under, how, first)
    manifest = manifest_of(files)
    assert manifest.answer.value == answer
    assert bool(manifest.traces) is not first
    assert bool(manifest.witness) is (answer in ("ALLOWED", "VIOLATED"))
    assert manifest.bound_is_unreachable is (
        answer in ("HOLDS", "FORBIDDEN") or (answer == "ALLOWED" and manifest.options.liveness)
    )
    done = checked(files)
    assert done.valid, done.refused
    assert done.own_model


def test_a_count_is_certified() -> None:
    done = checked(made(SB, "tso"))
    assert done.counts is not None
    assert (done.counts.traces, done.counts.satisfying, len(done.counts.outcomes)) == (4, 1, 4)


def test_a_question_that_is_reached_and_still_open() -> None:
    """With --liveness it is ALLOWED only if no thread waits for ever, which the bound leaves
    open."""
    text = LOOP.replace("~exists (P:r1 = 2)", "exists (P:r1 = 1)")
    files = made(text, "sc", replace(KEEP, liveness=True))
    manifest = manifest_of(files)
    assert manifest.answer is Verdict.BOUNDED
    assert manifest.witness
    assert "condition" not in manifest.excluded
    assert checked(files).valid


def test_twice() -> None:
    files = made(SB, "power", options=CertificateOptions(twice=True))
    proofs = manifest_of(files).proofs
    assert [proof.acyclicity for proof in proofs] == ["elimination", "order"]
    done = checked(made(SB, "sc", options=CertificateOptions(twice=True)))
    assert done.valid
    assert sum("no solution" in fact for fact in done.facts) == 2


def test_circular_values() -> None:
    text = """x = 0; y = 0
thread P: L0: r0 := x; L1: y := r0;
thread Q: L2: r1 := y; L3: x := r1;
exists (P:r0 = 1)
"""
    files = made(text, "power")
    assert manifest_of(files).circles == PROVED
    assert checked(files).valid
    lawless = model_of("acyclic po | rf as x\n")
    assert manifest_of(made(text, lawless)).circles == IMPOSSIBLE
    allowing = model_of("acyclic co as x\n")
    files = made(text.replace("r0 = 1", "r0 = 0"), allowing, Configuration("enumerate"))
    assert manifest_of(files).circles == LEFT_OUT
    done = checked(files)
    assert done.valid
    assert not done.own_model
    assert any("left out" in fact for fact in done.facts)


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "own.cat").write_text('"own"\ninclude "part.cat"\nacyclic all as sc\n')
    (tmp_path / "part.cat").write_text("let all = po | rf | co | (rf^-1 ; co)\n")
    files = made(SB, load_model(str(tmp_path / "own.cat")))
    for path in tmp_path.iterdir():
        path.unlink()
    assert checked(files).valid
    refused = checked(with_text(files, "include-0.cat", "| (rf^-1 ; co)", ""))
    assert "is not the formula" in refused.refused


@pytest.mark.parametrize(
    ("text", "under", "races", "said"),
    [
        (RACE, "rc11", Races.IGNORE, "data races are ignored: whether there are any is not shown"),
        (RACE, "rc11", Races.NOTE, "data races are noted only: whether there are any is not shown"),
        (RACE, "rc11", Races.ERROR, ""),
        (RACE.replace("@na", "@rlx"), "rc11", Races.ERROR, ""),
        (
            RACE.replace("~exists (x = 2)", "exists (x = 1)"),
            "rc11",
            Races.ERROR,
            "whether there are data races is not shown: ALLOWED does not depend on it",
        ),
        (SB, "tso", Races.IGNORE, ""),
    ],
)
def test_races_that_are_not_excluded_are_told(
    text: str, under: str, races: Races, said: str
) -> None:
    done = checked(made(text, under, Configuration("auto", races=races)))
    assert done.valid, done.refused
    assert [fact for fact in done.facts if "data race" in fact] == [said] * bool(said)


def test_changed_files_of_hybrids_own_are_told() -> None:
    text = 'include "cos.cat"\nacyclic po | rf | co | fr as sc\n'
    files = made(SB, model_of(text))
    assert not [fact for fact in checked(files).facts if "own text" in fact]
    for name, told in {"stdlib.cat": "stdlib.cat", "include-0.cat": "cos.cat"}.items():
        done = checked(resealed({**files, name: files[name] + b"(* changed *)\n"}))
        assert done.valid, done.refused
        said = [fact for fact in done.facts if "own text" in fact]
        assert said == [f"{told} is not hybrid's own text of that name"]


def test_a_file_of_ones_own_is_not_compared(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "own.cat").write_text('include "sub/cos.cat"\nacyclic all as sc\n')
    (tmp_path / "sub" / "cos.cat").write_text("let all = po | rf | co | (rf^-1 ; co)\n")
    done = checked(made(SB, load_model(str(tmp_path / "own.cat"))))
    assert done.valid, done.refused
    assert not [fact for fact in done.facts if "own text" in fact]


@pytest.mark.large
@pytest.mark.parametrize("name", ["textbook/spinlock.cpp", "textbook/seqlock-plain.c"])
@pytest.mark.parametrize("first", [False, True])
def test_c_without_a_compiler(name: str, first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    files = made(load_program(bundled("litmus") / "programs" / name), "rc20", first=first)
    monkeypatch.setenv("HYBRID_CLANG", "/nowhere/clang")
    done = checked(files)
    assert done.valid, done.refused


def test_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    result = explored(SB, "sc")
    result.answer = Verdict.INCONCLUSIVE
    with pytest.raises(InputError, match="no certificate: the answer is INCONCLUSIVE"):
        make_certificate(result, CertificateOptions())


def test_an_answer_that_the_formula_contradicts() -> None:
    result = explored(SB, "tso")
    result.answer, result.equivalence = Verdict.FORBIDDEN, "witness"
    with pytest.raises(InternalError, match="the formula has a run"):
        make_certificate(result, CertificateOptions())


def test_with_many_traces_the_verdict_alone_is_certified() -> None:
    made_ = make_certificate(explored(SB, "sc"), CertificateOptions(most_traces=2))
    assert "not their number" in made_.notes[0]
    assert not manifest_of(made_.files).traces
    assert checked(made_.files).valid


# ---- what is refused


def refused(files: dict[str, bytes]) -> str:
    done = checked(files)
    assert not done.valid
    return done.refused


def test_files_that_were_changed() -> None:
    files = made(SB, "sc", first=True)
    for name in files.keys() - {MANIFEST}:
        assert f"{name} has been changed" in refused({**files, name: files[name] + b" "})
        assert "missing" in refused({n: data for n, data in files.items() if n != name})
    assert "does not name" in refused({**files, "more": b""})
    assert "what this file is for" in refused(resealed({**files, "more": b""}))


def test_the_seal() -> None:
    files = made(SB, "sc", first=True)
    text = files[MANIFEST].decode()
    for old, new in (('"unroll": 5', '"unroll": 6'), ("FORBIDDEN", "HOLDS"), ('"sc"', '"tso"')):
        assert old in text
        with pytest.raises(InputError, match="seal"):
            checked({**files, MANIFEST: text.replace(old, new).encode()})


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("program.prog", "x := 1", "x := 2", "is not the formula"),
        ("program.prog", "L1: r0 := y", "L1: r0 := x", "is not the formula"),
        ("program.prog", "exists (P:r0 = 0", "exists (P:r0 = 1", "it claims"),
        ("program.prog", "thread", "tread", "unexpected"),
        ("model.cat", "acyclic", "irreflexive", "is not the formula"),
        ("model.cat", "acyclic", "cyclic", "error"),
        ("verdict.cnf", "-2 ", "2 ", "is not the formula: line"),
        ("verdict.cnf", "p cnf", "p  cnf", "it begins with"),
        ("verdict.vars", "rf(L2,L1)", "rf(L2,L3)", "other meanings"),
    ],
)
def test_parts_that_were_changed_with_care(name: str, old: str, new: str, said: str) -> None:
    assert said in refused(with_text(made(SB, "sc", first=True), name, old, new))


def test_proofs_that_were_changed() -> None:
    files = made(COUNTER, "power")
    lines = files["complete.drat"].decode().splitlines(keepends=True)
    for kept in (lines[:-1], lines[-1:], [], ["x", *lines], ["7 0\n", *lines]):
        changed = {**files, "complete.drat": "".join(kept).encode()}
        assert "is not a proof, says dratify" in refused(resealed(changed)), kept
    names = [name for name in files if name.startswith(("complete.", "circles."))]
    without = {name: data for name, data in files.items() if name not in names}
    assert "no proof of its statement" in refused(
        resealed(without, lambda it: replace(it, proofs=()))
    )


def test_clauses_left_out_or_in_another_order() -> None:
    files = made(SB, "sc", first=True)
    lines = files["verdict.cnf"].decode().splitlines(keepends=True)
    moved = "".join([lines[0], *reversed(lines[1:])]).encode()
    assert "another order" in refused(resealed({**files, "verdict.cnf": moved}))
    fewer = "".join(lines[:-1]).encode()
    assert "is not the formula" in refused(resealed({**files, "verdict.cnf": fewer}))


CHANGES: list[tuple[Callable[[Manifest], Manifest], str]] = [
    (lambda it: replace(it, answer=Verdict.HOLDS), "not an answer"),
    (lambda it: replace(it, answer=Verdict.ALLOWED), "without a witness"),
    (lambda it: replace(it, answer=Verdict.BOUNDED), "does not show"),
    (lambda it: replace(it, claim="exists (x=7)"), "it claims"),
    (lambda it: replace(it, excluded=("errors", "bound")), "does not show"),
    (lambda it: replace(it, excluded=()), "does not show"),
    (lambda it: replace(it, circles=PROVED), "circular"),
    (lambda it: replace(it, traces="verdict.vars"), "not JSON"),
    (lambda it: replace(it, witness="verdict.vars"), "has no witness"),
    (lambda it: replace(it, program=replace(it.program, kind="litmus")), "litmus"),
    (lambda it: replace(it, program=replace(it.program, files=("nowhere",))), "program.prog"),
    (lambda it: replace(it, model=replace(it.model, file="verdict.vars")), "model.cat"),
    (lambda it: replace(it, model=replace(it.model, stdlib="model.cat")), "stdlib.cat"),
    (lambda it: replace(it, options=replace(it.options, mapped="PPC")), "mapped"),
    (lambda it: replace(it, options=replace(it.options, loops=("await",))), "loops"),
    (lambda it: replace(it, options=replace(it.options, liveness=True)), "does not show"),
    (lambda it: replace(it, options=replace(it.options, races=Races.ERROR)), "does not show"),
]


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_claims_that_were_changed_with_care(
    change: Callable[[Manifest], Manifest], said: str
) -> None:
    files = resealed(made(SB, "sc", first=True), change)
    done = checked(files)
    assert not done.valid
    assert said in done.refused, done.refused


def test_a_witness_does_not_make_forbidden_what_it_shows() -> None:
    """Somebody proves that there are no errors, and shows a run that reaches the condition."""
    files = made(MAYBE, "tso", LIVE, first=True)
    for answer in (Verdict.FORBIDDEN, Verdict.HOLDS, Verdict.BOUNDED):
        changed = resealed(files, lambda it, answer=answer: replace(it, answer=answer))
        assert not checked(changed).valid


def test_a_witness_that_was_changed() -> None:
    files = made(SB, "tso", first=True)

    def value(of: dict[str, object]) -> None:
        of["events"][3]["value"] = 7  # type: ignore

    def source(of: dict[str, object]) -> None:
        of["rf"][0]["source"] = [0, 0]  # type: ignore

    def text(of: dict[str, object]) -> None:
        of["program"]["text"] += "\n"  # type: ignore

    assert "not confirmed" in refused(with_json(files, "witness.json", value))
    assert "not confirmed" in refused(with_json(files, "witness.json", source))
    assert "another program" in refused(with_json(files, "witness.json", text))
    sc = {**files, "model.cat": made(SB, "sc")["model.cat"]}
    assert "not confirmed" in refused(resealed(sc))


def test_a_witness_of_something_else() -> None:
    """A run of the program, and allowed, but not one that reaches the condition."""
    other = SB.replace("r0 = 0 /", "r0 = 1 /")
    files, others = made(SB, "tso", first=True), made(other, "tso", first=True)

    def moved(of: dict[str, object]) -> None:
        of["program"]["text"] = files["program.prog"].decode()  # type: ignore

    swapped = with_json({**files, "witness.json": others["witness.json"]}, "witness.json", moved)
    assert "not confirmed" in refused(swapped)


def test_traces_that_were_changed() -> None:
    files = made(SB, "sc")

    def fewer(of: dict[str, object]) -> None:
        del of["complete"][0]  # type: ignore

    def twice(of: dict[str, object]) -> None:
        of["complete"].append(of["complete"][0])  # type: ignore

    def counts(of: dict[str, object]) -> None:
        of["counts"]["traces"] = 4  # type: ignore

    def other(of: dict[str, object]) -> None:
        of["complete"][0]["rf"][0][1] = [1, 1]  # type: ignore

    for change, said in (
        (fewer, "other counts"),
        (twice, "twice"),
        (counts, "other counts"),
        (other, "complete trace 1 is not one"),
    ):
        assert said in refused(with_json(files, "traces.json", change))


def test_a_trace_left_out_with_care() -> None:
    """The list and its counts fit each other, but one trace is missing: no proof is."""
    files = made(SB, "sc")

    def fewer(of: dict[str, object]) -> None:
        gone = of["complete"].pop()  # type: ignore
        assert gone
        counts = of["counts"]
        counts["traces"] -= 1  # type: ignore
        of["counts"] = counts

    value = json.loads(files["traces.json"])
    for outcome in range(len(value["counts"]["outcomes"])):

        def change(of: dict[str, object], outcome: int = outcome) -> None:
            fewer(of)
            del of["counts"]["outcomes"][outcome]  # type: ignore

        assert not checked(with_json(files, "traces.json", change)).valid


def test_by_both_engines_of_the_checker() -> None:
    files = made(COUNTER, "power")
    for checker in ("dratify", "dratify-python"):
        assert checked(files, checker).valid
