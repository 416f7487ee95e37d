"""Certificates for answers: `make_certificate` turns what an exploration said into files."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hybrid.bmc.expected import Expected
from hybrid.certificate.claim import CERTIFIABLE, Subject, excluded, may_be_reached, needs_witness
from hybrid.certificate.expectation import expected_runs, has_many_events
from hybrid.certificate.expectation import to_json as expected_json
from hybrid.certificate.formulas import (
    CIRCLES,
    CIRCLES_OF_VALUES,
    COMPLETE,
    VERDICT,
    UnplacedTrace,
    make_formula,
    may_be_circular,
)
from hybrid.certificate.manifest import (
    IMPOSSIBLE,
    LEFT_OUT,
    PROVED,
    Manifest,
    OptionsRecord,
    ProofRecord,
    digest,
    written,
)
from hybrid.certificate.prove import PROVER, prove
from hybrid.certificate.store import MANIFEST
from hybrid.certificate.subject import read_subject, record_model, record_program
from hybrid.certificate.traces import MOST_TRACES, collect, judge, to_json
from hybrid.engine.api import FAA, RF, TRACE
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError, InternalError
from hybrid.execution.trace import Key
from hybrid.program.condition import show_condition
from hybrid.report.result import Result
from hybrid.report.trace_formats import TRACE_FORMATS, Shown
from hybrid.verdict import Verdict

FIRST = "elimination"  # the encoding of acyclicity that is used
EXPECTED = "expected.json"
SECOND = "order"  # and the other one, of `twice`: hybrid/encoding/README.md compares them


@dataclass(frozen=True, slots=True)
class CertificateOptions:
    twice: bool = False  # each formula by two encodings of acyclicity
    clang: str | None = None  # of a C program: the compiler
    deadline: float | None = None  # in time.monotonic() seconds
    most_traces: int = MOST_TRACES  # with more than that, the verdict alone is certified


@dataclass(frozen=True, slots=True)
class MadeCertificate:
    files: dict[str, bytes]
    notes: tuple[str, ...]  # what it does not say, for the user


def make_certificate(result: Result, options: CertificateOptions) -> MadeCertificate:
    """The certificate of the answer. InputError if there can be none, Stopped when the time is
    over."""
    answer = result.answer
    if answer not in CERTIFIABLE:
        raise InputError(f"no certificate: the answer is {answer.value}")
    files: dict[str, bytes] = {}
    program = result.program
    condition = program.condition
    manifest = Manifest(
        record_program(program, options.clang, files),
        record_model(result.model, files),
        OptionsRecord(
            program.mapped,
            program.loops,
            result.limits.unroll,
            result.limits.max_steps,
            result.races,
            result.liveness,
        ),
        answer,
        "" if condition is None else show_condition(condition),
        engine=result.engine,
    )
    subject = read_subject(manifest, files, options.deadline)
    reached = may_be_reached(subject, answer) and bool(result.satisfying)
    manifest = replace(manifest, excluded=excluded(subject, answer, reached))
    if needs_witness(answer, reached):
        manifest = replace(manifest, witness=_add_witness(result, files))
    return _Maker(result, options, subject, manifest, files).run()


def _add_witness(result: Result, files: dict[str, bytes]) -> str:
    if result.witness is None:
        raise InternalError(f"{result.answer.value} without a witness")
    shown = Shown(result.witness.data(), result.model, result.engine, result.limits)
    text = TRACE_FORMATS["json"](shown)
    files["witness.json"] = text.encode(errors="backslashreplace")  # names need not be UTF-8
    return "witness.json"


class _Maker:
    def __init__(
        self,
        result: Result,
        options: CertificateOptions,
        subject: Subject,
        manifest: Manifest,
        files: dict[str, bytes],
    ) -> None:
        self.result = result
        self.options = options
        self.subject = subject
        self.manifest = manifest
        self.files = files
        self.proofs: list[ProofRecord] = []
        self.notes: list[str] = []
        self.how = Configuration(result.engine, oracle=result.oracle, races=result.races)
        self.expected: Expected | None = None  # once it was asked for

    def run(self) -> MadeCertificate:
        if self._add_traces():
            pass  # they show the verdict as well
        elif self.manifest.excluded:
            self._prove(VERDICT)
        circles = self._circles() if self.proofs else IMPOSSIBLE
        listed = {name: (len(data), digest(data)) for name, data in self.files.items()}
        manifest = replace(
            self.manifest,
            circles=circles,
            proofs=tuple(self.proofs),
            prover=PROVER if self.proofs else "",
            files=listed,
        )
        return MadeCertificate({MANIFEST: written(manifest), **self.files}, tuple(self.notes))

    def _add_traces(self) -> bool:
        """Makes the certificate complete; False if it is to be of the verdict alone."""
        result, most = self.result, self.options.most_traces
        if result.equivalence in (RF, FAA):
            self.notes.append("where classes are counted, the verdict is certified and no number")
        if result.equivalence != TRACE or result.partial or result.counters.stuck:
            return False
        if result.traces + result.filtered > most:
            self.notes.append(
                f"with more than {most} traces, the verdict is certified and not their number"
            )
            return False
        listed = collect(self.subject, self.how)
        if listed is None:
            return False
        _, counts = judge(self.subject, listed, self.result.answer is Verdict.BOUNDED)
        try:
            self._prove(COMPLETE, listed.keys)
        except UnplacedTrace as unplaced:
            self.notes.append(f"{unplaced.message}: the verdict is certified and not their number")
            return False
        self.files["traces.json"] = to_json(self.subject.program, listed, counts).encode()
        self.manifest = replace(self.manifest, traces="traces.json")
        return True

    def _circles(self) -> str:
        if not may_be_circular(self.subject):
            return IMPOSSIBLE
        if self._prove(CIRCLES, must=False) or self._prove(CIRCLES_OF_VALUES, must=False):
            return PROVED
        self.notes.append(
            "executions whose values justify themselves in a circle are left out: "
            f"{self.subject.model.name} allows some"
        )
        return LEFT_OUT

    def _prove(self, statement: str, keys: tuple[Key, ...] = (), must: bool = True) -> bool:
        """Adds the formulas of a statement, with their proofs; False where there is none."""
        found: list[tuple[ProofRecord, dict[str, bytes]]] = []
        expected = self._expectation() if statement in (VERDICT, COMPLETE) else None
        for acyclicity in (FIRST, SECOND) if self.options.twice else (FIRST,):
            formula = make_formula(
                self.subject, statement, acyclicity, self.manifest.excluded, keys, expected
            )
            proof = prove(formula.logic, self.options.deadline)
            if proof is None:
                if must:
                    raise InternalError(
                        f"{self.subject.program.name}: the formula has a run that "
                        f"{self.result.engine} did not find; hybrid crosscheck may show it"
                    )
                return False
            stem = statement if acyclicity == FIRST else f"{statement}-{acyclicity}"
            names = f"{stem}.cnf", f"{stem}.drat", f"{stem}.vars"
            texts = formula.logic.dimacs(), proof, formula.table(self.subject)
            size = len(formula.logic.names), formula.logic.clauses
            record = ProofRecord(statement, acyclicity, *names, *size)
            encoded = (text.encode() for text in texts)
            found.append((record, dict(zip(names, encoded, strict=True))))
        for record, added in found:
            self.proofs.append(record)
            self.files.update(added)
        return True

    def _expectation(self) -> Expected | None:
        """Of a program with many events, what is expected of its runs."""
        if self.expected is None and has_many_events(self.subject):
            self.expected = expected_runs(self.subject, self.how)
            if self.expected is not None:
                self.files[EXPECTED] = expected_json(self.expected).encode()
                self.manifest = replace(self.manifest, expected=EXPECTED)
        return self.expected
