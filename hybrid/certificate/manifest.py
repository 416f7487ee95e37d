"""The manifest: what is in a certificate, and what it claims, as JSON. docs/certificates.md has the
format.

`files` has the size and SHA-256 of every other file, `seal` the SHA-256 of the rest of the
manifest. They find accidents; that an answer is right, the re-checking alone shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from hybrid.certificate.claim import CERTIFIABLE, EXCLUDABLE
from hybrid.certificate.formulas import STATEMENTS
from hybrid.certificate.store import FORMAT, MANIFEST
from hybrid.encoding.acyclic import ENCODINGS
from hybrid.engine.races import Races
from hybrid.errors import InputError
from hybrid.verdict import Verdict
from hybrid.versions import CERTIFICATE, __version__, check_version
from hybrid.witness.json_node import JsonNode

PROG, LITMUS, LLVM = "prog", "litmus", "llvm"
KINDS: Final = (PROG, LITMUS, LLVM)
# Values that justify themselves in a circle.
IMPOSSIBLE: Final = "impossible"  # neither program nor model have what it takes
PROVED: Final = "proved"  # a formula with a proof says that there are none
LEFT_OUT: Final = "left out"  # the model allows some; nothing is said of them
CIRCULAR: Final = (IMPOSSIBLE, PROVED, LEFT_OUT)
_LARGEST: Final = 10**18


@dataclass(frozen=True, slots=True)
class ProgramRecord:
    name: str
    kind: str  # PROG, LITMUS or LLVM
    files: tuple[str, ...]  # its text; of a compiled program one per file that was compiled
    recursion: int = 0  # of a compiled program: how deep it is followed
    compiler: str = ""  # which one made its text
    # of a compiled program: (name, file) of each source, for people and for captions
    sources: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ModelRecord:
    name: str
    file: str
    stdlib: str  # file
    files: tuple[str, ...] = ()  # that are included
    includes: tuple[tuple[str, int], ...] = ()  # as they are spelled, to places in `files`


@dataclass(frozen=True, slots=True)
class OptionsRecord:
    """What else the answer depends on."""

    mapped: str  # the machine to which C11's orders were mapped; empty: to none
    loops: tuple[str, ...]  # what was done with loops; empty: nothing
    unroll: int
    max_steps: int
    races: Races
    liveness: bool


@dataclass(frozen=True, slots=True)
class ProofRecord:
    statement: str
    acyclicity: str
    cnf: str  # file
    proof: str  # file
    table: str  # file: what the variables mean
    variables: int
    clauses: int


@dataclass(frozen=True, slots=True)
class Manifest:
    program: ProgramRecord
    model: ModelRecord
    options: OptionsRecord
    answer: Verdict
    claim: str  # the final condition; empty: there is none
    excluded: tuple[str, ...] = ()  # what the proofs show to be impossible
    circles: str = IMPOSSIBLE
    witness: str = ""  # file; empty: there is none
    traces: str = ""  # file; empty: the certificate does not say how many there are
    # file: what is expected of runs, for the formulas to be small; empty: they are about all that
    # the texts allow
    expected: str = ""
    proofs: tuple[ProofRecord, ...] = ()
    made_by: str = __version__
    engine: str = ""
    prover: str = ""
    files: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # sizes and hashes

    @property
    def bound_is_unreachable(self) -> bool:
        return "bound" in self.excluded


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# ---- writing


def written(manifest: Manifest) -> bytes:
    """The text of a manifest, sealed."""
    body = _body(manifest)
    return (json.dumps({**body, "seal": _seal(body)}, indent=1) + "\n").encode()


def _seal(body: Mapping[str, object]) -> str:
    return digest(json.dumps(body, sort_keys=True).encode())


def _body(manifest: Manifest) -> dict[str, object]:
    options = manifest.options
    return {
        "format": FORMAT,
        "version": CERTIFICATE,
        "hybrid": manifest.made_by,
        "answer": manifest.answer.value,
        "claim": manifest.claim,
        "excluded": list(manifest.excluded),
        "bound": {
            "unroll": options.unroll,
            "max_steps": options.max_steps,
            "unreachable": manifest.bound_is_unreachable,
        },
        "circles": manifest.circles,
        "program": {
            **asdict(manifest.program),
            "files": list(manifest.program.files),
            "sources": [list(pair) for pair in manifest.program.sources],
        },
        "model": {
            **asdict(manifest.model),
            "files": list(manifest.model.files),
            "includes": [list(pair) for pair in manifest.model.includes],
        },
        "options": {
            "mapped": options.mapped,
            "loops": list(options.loops),
            "races": options.races.value,
            "liveness": options.liveness,
        },
        "engine": manifest.engine,
        "prover": manifest.prover,
        "witness": manifest.witness,
        "traces": manifest.traces,
        "expected": manifest.expected,
        "proofs": [asdict(proof) for proof in manifest.proofs],
        "files": {
            name: {"bytes": length, "sha256": value}
            for name, (length, value) in sorted(manifest.files.items())
        },
    }


# ---- reading


def read_manifest(data: bytes, where: str) -> Manifest:
    """The manifest, its seal checked; an InputError where it is not one."""
    name = f"{where}: {MANIFEST}"
    try:
        value = json.loads(data.decode("utf-8"))
    except RecursionError:
        raise InputError(f"{name}: the JSON is nested too deeply") from None
    except ValueError as error:  # bytes that are not UTF-8, no JSON, a number that is too long
        raise InputError(f"{name}: not JSON: {error}") from None
    top = JsonNode(value, "$", name)
    if top["format"].string() != FORMAT:
        raise top["format"].wrong(f'expected "{FORMAT}"')
    version = top["version"].value
    check_version(name, version, CERTIFICATE, "make it again: hybrid verify --certificate")
    seal = top["seal"].string()
    assert isinstance(value, dict)
    if seal != _seal({word: part for word, part in value.items() if word != "seal"}):
        raise InputError(f"{name} has been changed: its seal is another one")
    manifest = _manifest(top)
    if _body(manifest) != {word: part for word, part in value.items() if word != "seal"}:
        raise InputError(f"{name} says more than a manifest does, or contradicts itself")
    return manifest


def _manifest(top: JsonNode) -> Manifest:
    return Manifest(
        program=_program(top["program"]),
        model=_model(top["model"]),
        options=_options(top["options"], top["bound"]),
        answer=Verdict(_word(top["answer"], [verdict.value for verdict in CERTIFIABLE])),
        claim=top["claim"].string(),
        excluded=tuple(_word(node, EXCLUDABLE) for node in top["excluded"].items()),
        circles=_word(top["circles"], CIRCULAR),
        witness=top["witness"].string(),
        traces=top["traces"].string(),
        expected=top["expected"].string(),
        proofs=tuple(_proof(node) for node in top["proofs"].items()),
        made_by=top["hybrid"].string(),
        engine=top["engine"].string(),
        prover=top["prover"].string(),
        files=_files(top["files"]),
    )


def _word(node: JsonNode, known: tuple[str, ...] | list[str]) -> str:
    if node.string() not in known:
        raise node.wrong(f"expected one of {', '.join(known)}")
    return node.string()


def _number(node: JsonNode, least: int = 0) -> int:
    if not least <= node.integer() <= _LARGEST:
        raise node.wrong(f"expected a number from {least}")
    return node.integer()


def _name(node: JsonNode) -> str:
    """That of a program, which may be that of a file, and so need not be UTF-8."""
    try:
        node.string().encode(errors="surrogateescape")
    except UnicodeEncodeError:
        raise node.wrong("expected a name") from None
    return node.string()


def _strings(node: JsonNode) -> tuple[str, ...]:
    return tuple(item.string() for item in node.items())


def _pair(node: JsonNode) -> tuple[JsonNode, JsonNode]:
    parts = node.items()
    if len(parts) != 2:
        raise node.wrong("expected a pair")
    return parts[0], parts[1]


def _program(node: JsonNode) -> ProgramRecord:
    files = _strings(node["files"])
    kind = _word(node["kind"], KINDS)
    if not files or (kind != LLVM and len(files) != 1):
        raise node["files"].wrong("expected a file")
    pairs = [_pair(item) for item in node["sources"].items()]
    return ProgramRecord(
        _name(node["name"]),
        kind,
        files,
        _number(node["recursion"]),
        node["compiler"].string(),
        tuple((name.string(), file.string()) for name, file in pairs),
    )


def _model(node: JsonNode) -> ModelRecord:
    files = _strings(node["files"])
    pairs = [_pair(item) for item in node["includes"].items()]
    includes = tuple((name.string(), _number(place)) for name, place in pairs)
    if any(place >= len(files) for _, place in includes):
        raise node["includes"].wrong("there is no such file")
    return ModelRecord(
        node["name"].string(), node["file"].string(), node["stdlib"].string(), files, includes
    )


def _options(node: JsonNode, bound: JsonNode) -> OptionsRecord:
    return OptionsRecord(
        node["mapped"].string(),
        _strings(node["loops"]),
        _number(bound["unroll"]),
        _number(bound["max_steps"], 1),
        Races(_word(node["races"], [races.value for races in Races])),
        node["liveness"].boolean(),
    )


def _proof(node: JsonNode) -> ProofRecord:
    return ProofRecord(
        _word(node["statement"], STATEMENTS),
        _word(node["acyclicity"], tuple(ENCODINGS)),
        node["cnf"].string(),
        node["proof"].string(),
        node["table"].string(),
        _number(node["variables"]),
        _number(node["clauses"]),
    )


def _files(node: JsonNode) -> dict[str, tuple[int, str]]:
    if not isinstance(node.value, dict):
        raise node.fail("an object")
    return {
        name: (_number(node[name]["bytes"]), node[name]["sha256"].string()) for name in node.value
    }
