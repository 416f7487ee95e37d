"""Certificates from Python: what `hybrid.verify` writes with `certificate`, `hybrid.certify`."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace

from hybrid.api.inputs import FileName, timeouts
from hybrid.api.options import time_above_zero, whole_number
from hybrid.api.verified import Verified
from hybrid.certificate.certify import certify as certify_files
from hybrid.certificate.checkers import CHECKERS
from hybrid.certificate.make import CertificateOptions, make_certificate
from hybrid.certificate.store import check_target, read_certificate, write_certificate
from hybrid.errors import InputError, Stopped
from hybrid.memory import memory_limit
from hybrid.time_limit import time_limit
from hybrid.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CheckedCertificate:
    """What `hybrid.certify` gives back."""

    path: str
    valid: bool
    refused: str  # what is wrong with it; empty if it is valid
    answer: Verdict  # what it claims …
    claim: str  # … about this condition; empty: the program has none
    program: str  # names
    model: str
    own_model: bool  # whether the model's text is hybrid's own of that name
    traces: int | None  # of a complete certificate: their number
    facts: tuple[str, ...]  # what was checked, line by line

    @property
    def exit_code(self) -> int:
        """That of the command line."""
        return 0 if self.valid else 1


def certify(
    certificate: FileName,
    *,
    checker: str = "",
    timeout: float | None = None,
    max_memory: int | None = None,
) -> CheckedCertificate:
    """Re-checks a certificate, a folder or a .zip. InputError if it cannot be read, or where there
    is no checker of proofs; TimeoutError or MemoryError where a limit comes first."""
    time_above_zero("timeout", timeout)
    whole_number("max_memory", max_memory, 1)
    if checker and checker not in CHECKERS:
        raise InputError(
            f"no checker of proofs is called '{checker}'", hint=f"known: {', '.join(CHECKERS)}"
        )
    path = os.fspath(certificate)
    deadline = None if timeout is None else time.monotonic() + timeout
    with timeouts(f"the certificate {path}"), time_limit(timeout), memory_limit(max_memory):
        done = certify_files(read_certificate(path), path, checker, deadline)
    manifest = done.manifest
    return CheckedCertificate(
        path,
        done.valid,
        done.refused,
        manifest.answer,
        manifest.claim,
        manifest.program.name,
        manifest.model.name,
        done.own_model,
        None if done.counts is None else done.counts.traces,
        done.facts,
    )


def target_of(certificate: FileName) -> str:
    """Where one is to be written; complaints come before the work."""
    path = os.fspath(certificate)
    check_target(path)
    return path


def with_certificate(
    found: Verified,
    path: str,
    clang: str | None,
    timeout: float | None,
    max_memory: int | None,
) -> Verified:
    """The answer, with a certificate of it that is written; where there is none, its notes say
    why."""
    if found.result is None:
        return found
    deadline = None if timeout is None else time.monotonic() + timeout
    try:
        with time_limit(timeout), memory_limit(max_memory):
            options = CertificateOptions(clang=clang, deadline=deadline)
            made = make_certificate(found.result, options)
    except InputError as error:
        why = error.message
    except Stopped as stop:
        why = f"no certificate: {stop.told or 'the time is up'}"
    except MemoryError:
        why = "no certificate: out of memory"
    else:
        write_certificate(path, made.files)
        return replace(found, certificate=path, notes=(*found.notes, *made.notes))
    return replace(found, notes=(*found.notes, why))
