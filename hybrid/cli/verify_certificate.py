"""What `hybrid verify --certificate` writes, beside the answer."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from hybrid.certificate.make import CertificateOptions, make_certificate
from hybrid.certificate.store import check_target, write_certificate
from hybrid.errors import InputError, Stopped
from hybrid.memory import memory_limit
from hybrid.report.result import Result
from hybrid.time_limit import time_limit

NOT_MADE = 3  # the exit code where there is an answer, but no certificate of it


@dataclass(frozen=True, slots=True)
class CertificateRequest:
    target: str  # a folder, or a .zip
    twice: bool = False
    seconds: float | None = None
    max_memory: int | None = None
    clang: str | None = None


def requested(
    target: str | None,
    twice: bool,
    seconds: float | None,
    max_memory: int | None,
    clang: str | None,
) -> CertificateRequest | None:
    """What the options ask for; complaints come before the work."""
    if target is None:
        if twice:
            raise InputError("--twice is for certificates: --certificate says where they go")
        return None
    check_target(target)
    return CertificateRequest(target, twice, seconds, max_memory, clang)


def certify_answer(result: Result, asked: CertificateRequest) -> int:
    """Makes and writes the certificate; the exit code that this alone would have."""
    seconds = asked.seconds
    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        with time_limit(seconds), memory_limit(asked.max_memory):
            options = CertificateOptions(asked.twice, asked.clang, deadline)
            made = make_certificate(result, options)
    except InputError as error:
        print(error.render(), file=sys.stderr)
        return NOT_MADE
    except Stopped as stop:
        print(f"no certificate: {stop.told or 'the time is up'}", file=sys.stderr)
        return NOT_MADE
    except MemoryError:
        print("no certificate: out of memory", file=sys.stderr)
        return NOT_MADE
    for note in made.notes:
        print(f"note: {note}", file=sys.stderr)
    write_certificate(asked.target, made.files)
    return 0
