"""Certificates for tests: of programs given as text, and changed on purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from support import model, program

from hybrid.batch.explore import Explorer, Exploring
from hybrid.catalogue.choice import AUTO
from hybrid.certificate.certify import Certified, certify
from hybrid.certificate.make import CertificateOptions, make_certificate
from hybrid.certificate.manifest import Manifest, digest, read_manifest, written
from hybrid.certificate.store import MANIFEST
from hybrid.engine.configuration import Configuration
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.report.result import Result

SB = """x = 0; y = 0
thread P: L0: x := 1; L1: r0 := y;
thread Q: L2: y := 1; L3: r1 := x;
exists (P:r0 = 0 /\\ Q:r1 = 0)
"""
COUNTER = """x = 0
thread P: L0: r0 := faa(x, 1);
thread Q: L1: r0 := faa(x, 1);
~exists (x = 1)
"""
LOOP = """x = 0
thread P: L0: r0 := x; L1: if r0 = 0 goto L0; L2: r1 := 1;
thread Q: L3: x := 1;
~exists (P:r1 = 2)
"""
VERDICT_ONLY = Configuration("bmc", equivalence="witness")

Files = dict[str, bytes]


def explored(
    source: str | Program, under: str | Model, how: Configuration | None = None, first: bool = False
) -> Result:
    asked = Exploring(how or Configuration(AUTO), first=first)
    read = program(source) if isinstance(source, str) else source
    judged = model(under) if isinstance(under, str) else under
    return Explorer(asked).explore(read, judged, None)


def made(
    source: str | Program,
    under: str | Model,
    how: Configuration | None = None,
    first: bool = False,
    options: CertificateOptions | None = None,
) -> Files:
    """The files of a certificate; with `first` by bmc, of the verdict alone."""
    if first:
        how = replace(how or Configuration(AUTO), engine="bmc")
    result = explored(source, under, how, first)
    return make_certificate(result, options or CertificateOptions()).files


def manifest_of(files: Files) -> Manifest:
    return read_manifest(files[MANIFEST], "test")


def checked(files: Files, checker: str = "") -> Certified:
    return certify(files, "test", checker)


def resealed(files: Files, change: Callable[[Manifest], Manifest] = lambda it: it) -> Files:
    """The same with hashes and seal made to fit, as somebody would who wants to deceive."""
    found = {name: data for name, data in files.items() if name != MANIFEST}
    manifest = change(manifest_of(files))
    listed = {name: (len(data), digest(data)) for name, data in found.items()}
    return {MANIFEST: written(replace(manifest, files=listed)), **found}


def with_text(files: Files, name: str, old: str, new: str) -> Files:
    """The same with a text changed in one place, and resealed."""
    text = files[name].decode()
    assert old in text, text
    return resealed({**files, name: text.replace(old, new, 1).encode()})


def with_json(files: Files, name: str, change: Callable[[dict[str, object]], None]) -> Files:
    """The same with a JSON file changed, and resealed."""
    value = json.loads(files[name])
    change(value)
    return resealed({**files, name: json.dumps(value).encode()})
