"""Re-checks a certificate. Nothing that it says is believed: the formulas are made anew from the
program and the model in it, the proofs go to a checker that others have written, witness and traces
are run again by the checker of the ground truth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hybrid.bmc.expected import Expected
from hybrid.certificate.checkers import NoChecker, find_checker
from hybrid.certificate.claim import RACES, Subject, excluded, may_be_reached, needs_witness
from hybrid.certificate.expectation import from_json as expected_from_json
from hybrid.certificate.formulas import (
    CIRCLES,
    CIRCLES_OF_VALUES,
    COMPLETE,
    VERDICT,
    make_formula,
    may_be_circular,
)
from hybrid.certificate.manifest import (
    IMPOSSIBLE,
    LEFT_OUT,
    LLVM,
    PROVED,
    Manifest,
    ProofRecord,
    digest,
    read_manifest,
)
from hybrid.certificate.store import MANIFEST, Files
from hybrid.certificate.subject import changed_files, data_of, read_subject, text_of
from hybrid.certificate.traces import TraceCounts, from_json, judge
from hybrid.data import builtin_models
from hybrid.engine.api import TRACE
from hybrid.engine.races import Races
from hybrid.errors import InputError, InternalError
from hybrid.execution.trace import DataTrace, Key
from hybrid.files import DATA_BYTES
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.model.prefixes import allows_prefixes
from hybrid.printable import number_of
from hybrid.program.condition import show_condition
from hybrid.report.result import Result
from hybrid.report.tally import Tally
from hybrid.verdict import Verdict
from hybrid.witness.as_json import from_json as witness_from_json
from hybrid.witness.replay import replay_in


class _Refusal(Exception):
    """What is wrong with a certificate that can be read."""


@dataclass(frozen=True, slots=True)
class Certified:
    """What came of re-checking a certificate."""

    manifest: Manifest
    refused: str  # what is wrong; empty: the certificate is valid
    facts: tuple[str, ...]  # what was checked, line by line
    counts: TraceCounts | None = None  # of a complete certificate
    own_model: bool = False  # the model's text is hybrid's own of that name

    @property
    def valid(self) -> bool:
        return not self.refused


def certify(
    files: Files, where: str, checker: str = "", deadline: float | None = None
) -> Certified:
    """Re-checks the certificate with these files; `where` is where it was found, for messages.
    InputError if it cannot be read at all, NoChecker if nobody can check its proofs, Stopped when
    the time is over."""
    manifest = read_manifest(files[MANIFEST], where)
    work = _Certify(manifest, files, checker, deadline)
    refused = ""
    try:
        work.run()
    except _Refusal as refusal:
        refused = str(refusal)
    except NoChecker:
        raise
    except InputError as error:
        refused = error.render().removeprefix("error: ")
    except InternalError as error:  # texts that were made up may lead anywhere
        refused = f"its program or model cannot be encoded: {error}"
    own = False if work.subject is None else _is_own(work.subject)
    return Certified(manifest, refused, tuple(work.facts), work.counts, own)


def _is_own(subject: Subject) -> bool:
    name = subject.model.name
    return name in builtin_models() and load_model(name).texts == subject.model.texts


class _Certify:
    def __init__(
        self, manifest: Manifest, files: Files, checker: str, deadline: float | None
    ) -> None:
        self.manifest = manifest
        self.files = files
        self.deadline = deadline
        self.wanted = checker
        self.facts: list[str] = []
        self.counts: TraceCounts | None = None
        self.subject: Subject | None = None

    def run(self) -> None:
        manifest = self.manifest
        self._check_files()
        subject = self.subject = read_subject(manifest, self.files, self.deadline)
        self._check_claim(subject)
        reached = self._check_witness(subject)
        if excluded(subject, manifest.answer, reached) != manifest.excluded:
            raise _Refusal(
                f"what it excludes ({', '.join(manifest.excluded) or 'nothing'}) does not show "
                f"{manifest.answer.value}"
            )
        keys = self._check_traces(subject)
        self._check_statements(keys is not None)
        self._check_circles(subject)
        expected = self._read_expected(subject)
        for proof in manifest.proofs:
            self._check_proof(subject, proof, keys or (), expected)
        self.facts += _not_said(manifest, subject.model)
        self.facts += (
            f"{name} is not hybrid's own text of that name" for name in changed_files(subject.model)
        )

    # ---- what it is about

    def _check_files(self) -> None:
        """Every file is as the manifest says, and there is no other."""
        listed = self.manifest.files
        for name in sorted(listed.keys() | (self.files.keys() - {MANIFEST})):
            if name not in listed:
                raise _Refusal(f"{name}: the manifest does not name this file")
            if name not in self.files:
                raise _Refusal(f"{name}: the file is missing")
            length, value = listed[name]
            data = self.files[name]
            if (len(data), digest(data)) != (length, value):
                raise _Refusal(f"{name} has been changed: its SHA-256 is another one")
        unused = sorted(listed.keys() - set(_named(self.manifest)))
        if unused:
            raise _Refusal(f"{unused[0]}: the certificate does not say what this file is for")

    def _check_claim(self, subject: Subject) -> None:
        manifest, program = self.manifest, subject.program
        condition = program.condition
        claim = "" if condition is None else show_condition(condition)
        if claim != manifest.claim:
            raise _Refusal(f"it claims `{manifest.claim}`, the program says `{claim}`")
        questions = (Verdict.ALLOWED, Verdict.FORBIDDEN)
        if manifest.answer in questions and not subject.is_question:
            raise _Refusal(f"{manifest.answer.value} is not an answer to `{claim}`")
        if manifest.answer is Verdict.HOLDS and subject.is_question:
            raise _Refusal(f"HOLDS is not an answer to `{claim}`")
        if program.name != manifest.program.name:
            raise _Refusal(f"it is of {manifest.program.name}, the program is {program.name}")

    # ---- runs

    def _check_witness(self, subject: Subject) -> bool:
        """Whether a run satisfies the question, which the witness shows."""
        manifest = self.manifest
        if not manifest.witness:
            if needs_witness(manifest.answer, False):
                raise _Refusal(f"{manifest.answer.value} without a witness")
            return False
        reached = may_be_reached(subject, manifest.answer)
        if not reached and manifest.answer is not Verdict.VIOLATED:
            raise _Refusal(f"{manifest.answer.value} has no witness")
        text = text_of(self.files, manifest.witness, DATA_BYTES)
        witness = witness_from_json(text, manifest.witness)
        program = subject.program
        own = "" if manifest.program.kind == LLVM else self._program_text()
        same = (
            (witness.name, program.name),
            (witness.text, own),
            (witness.mapped, program.mapped),
            (witness.loops, program.loops),
            (witness.unroll, subject.limits.unroll),
            (witness.max_steps, subject.limits.max_steps),
        )
        if any(said != found for said, found in same):
            raise _Refusal("the witness is of another program, or of other bounds")
        result = replay_in(program, witness, subject.model)
        if result.data is None or not result.agrees:
            raise _Refusal(f"the witness is not confirmed: {'; '.join(result.differences)}")
        answer = _answer_of(subject, DataTrace(result.data))
        if answer is not (Verdict.ALLOWED if reached else Verdict.VIOLATED):
            raise _Refusal(f"the witness does not show {manifest.answer.value}")
        self.facts.append("the witness is a run of the program that the model allows, and shows it")
        return reached

    def _program_text(self) -> str:
        return text_of(self.files, self.manifest.program.files[0])

    def _check_traces(self, subject: Subject) -> tuple[Key, ...] | None:
        manifest = self.manifest
        if not manifest.traces:
            return None
        text = text_of(self.files, manifest.traces, DATA_BYTES)
        listed, said = from_json(text, subject.program, manifest.traces)
        result, counts = judge(subject, listed, manifest.answer is Verdict.BOUNDED)
        if counts != said:
            raise _Refusal(f"{manifest.traces}: the traces come to other counts than it says")
        if manifest.excluded and result.answer is not manifest.answer:
            raise _Refusal(f"with these traces the answer is {result.answer.value}")
        self.counts = counts
        told = (
            f"{number_of(counts.traces, 'trace')} with {number_of(len(counts.outcomes), 'outcome')}"
        )
        if counts.waiting:
            told += f", {number_of(counts.waiting, 'run')} in which threads wait for ever"
        self.facts.append(f"each is a run that the model allows: {told}")
        return listed.keys

    # ---- proofs

    def _check_statements(self, complete: bool) -> None:
        """The proofs are those that the claim needs."""
        found = {proof.statement for proof in self.manifest.proofs}
        needed = COMPLETE if complete else VERDICT if self.manifest.excluded else ""
        if needed and needed not in found:
            raise _Refusal(f"there is no proof of its statement `{needed}`")
        known = {needed, CIRCLES, CIRCLES_OF_VALUES}
        if not found <= known:
            raise _Refusal("it has proofs of statements that are not its own")

    def _check_circles(self, subject: Subject) -> None:
        manifest = self.manifest
        found = {proof.statement for proof in manifest.proofs} & {CIRCLES, CIRCLES_OF_VALUES}
        if bool(found) != (manifest.circles == PROVED):
            raise _Refusal("what it says of circular values is not what it has a proof of")
        if manifest.circles == IMPOSSIBLE and manifest.proofs and may_be_circular(subject):
            raise _Refusal("it says that values cannot be circular, but for all it shows they can")
        if manifest.circles == LEFT_OUT:
            self.facts.append("executions whose values justify themselves are left out")

    def _read_expected(self, subject: Subject) -> Expected | None:
        name = self.manifest.expected
        if not name:
            return None
        if not allows_prefixes(subject.model):
            raise _Refusal(
                f"{name}: with {subject.model.name} a formula about what is expected is not about "
                "all runs"
            )
        return expected_from_json(text_of(self.files, name, DATA_BYTES), subject.program, name)

    def _check_proof(
        self,
        subject: Subject,
        record: ProofRecord,
        keys: tuple[Key, ...],
        expected: Expected | None,
    ) -> None:
        checker = find_checker(self.wanted)
        if record.statement not in (VERDICT, COMPLETE):
            expected = None
        formula = make_formula(
            subject, record.statement, record.acyclicity, self.manifest.excluded, keys, expected
        )
        cnf = formula.logic.dimacs()
        size = (len(formula.logic.names), formula.logic.clauses)
        said = data_of(self.files, record.cnf)
        if digest(said) != digest(cnf.encode()) or size != (record.variables, record.clauses):
            raise _Refusal(f"{record.cnf} is not the formula: {_first_difference(said, cnf)}")
        if data_of(self.files, record.table) != formula.table(subject).encode():
            raise _Refusal(f"{record.table} gives other meanings than the variables have")
        proof = text_of(self.files, record.proof, DATA_BYTES)
        wrong = checker.check(cnf, proof, self.deadline)
        if wrong:
            raise _Refusal(f"{record.proof} is not a proof, says {checker}: {wrong}")
        self.facts.append(
            f"{record.statement}: {size[0]} variables, {size[1]} clauses, made anew "
            f"({record.acyclicity}); no solution, the proof checked by {checker}"
        )


def _not_said(manifest: Manifest, model: Model) -> Iterator[str]:
    """That there may be data races, of a model that knows what one is."""
    if not model.races or RACES in manifest.excluded:
        return
    races = manifest.options.races
    if races is Races.IGNORE:
        yield "data races are ignored: whether there are any is not shown"
    elif races is Races.NOTE:
        yield "data races are noted only: whether there are any is not shown"
    elif manifest.answer is not Verdict.VIOLATED:
        answer = manifest.answer.value
        yield f"whether there are data races is not shown: {answer} does not depend on it"


def _named(manifest: Manifest) -> Iterator[str]:
    """The files that have a use."""
    yield from manifest.program.files
    yield from (file for _, file in manifest.program.sources)
    yield from (manifest.model.file, manifest.model.stdlib, *manifest.model.files)
    yield from (manifest.witness, manifest.traces, manifest.expected)
    for proof in manifest.proofs:
        yield from (proof.cnf, proof.proof, proof.table)


def _answer_of(subject: Subject, trace: DataTrace) -> Verdict:
    """What one run alone answers."""
    result = Result(
        subject.program,
        subject.model,
        "certificate",
        "",
        TRACE,
        subject.limits,
        asked_races=subject.races,
    )
    result.liveness = subject.liveness
    tally = Tally(result)
    tally.add(trace)
    tally.finish()
    return result.answer


def _first_difference(said: bytes, made: str) -> str:
    """How two texts of clauses differ."""
    theirs = said.decode("utf-8", "replace").split("\n")
    ours = made.split("\n")
    if theirs[0] != ours[0]:
        return f"it begins with `{theirs[0][:80]}`, made anew with `{ours[0]}`"
    if sorted(theirs) == sorted(ours):
        return "its clauses are in another order"
    for number, (a, b) in enumerate(zip(theirs, ours, strict=False), 1):
        if a != b:
            return f"line {number} is `{a[:80]}`, made anew `{b[:80]}`"
    return f"it has {len(theirs)} lines, made anew {len(ours)}"
