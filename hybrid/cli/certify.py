"""`hybrid certify`: check certificates again."""

from __future__ import annotations

import argparse
import sys
import time

from hybrid.certificate.certify import Certified, certify
from hybrid.certificate.checkers import CHECKERS, NoChecker
from hybrid.certificate.manifest import OptionsRecord
from hybrid.certificate.store import read_certificate
from hybrid.cli import options
from hybrid.engine.races import Races
from hybrid.errors import InputError, Stopped
from hybrid.memory import memory_limit
from hybrid.time_limit import time_limit
from hybrid.verdict import worst_code

EXAMPLES = """examples:
  hybrid verify MP+syncs.litmus --certificate mp.zip
  hybrid certify mp.zip
  hybrid certify a.zip b.zip folder --timeout 60
  hybrid certify mp.zip --checker dratify-python

The formulas are made anew from the program and the model in the certificate and compared with
those in it; their proofs go to a checker that is not part of hybrid. Witnesses and traces are run
again. docs/certificates.md says what is left to be trusted.

exit codes:
  0   the certificate is valid
  1   it is refused, with what is wrong
  2   it cannot be read
  3   no answer: there is no checker of proofs, or the time was over
Several certificates: the worst of these.
"""
NO_ANSWER = 3


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Checks certificates again: what they claim, by the program and the model in them alone."
    )
    parser.epilog = EXAMPLES
    parser.add_argument(
        "certificates",
        metavar="CERTIFICATE",
        nargs="+",
        help="a folder or a .zip that `hybrid verify --certificate` wrote",
    )
    parser.add_argument(
        "--checker", choices=CHECKERS, default="", help="who checks proofs; default: who is there"
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=options.seconds,
        help="give up on a certificate after that time; default: never",
    )
    parser.add_argument(
        "--max-memory",
        metavar="SIZE",
        type=options.memory,
        help="the most memory that hybrid itself may take, as 2G",
    )


def run(args: argparse.Namespace) -> int:
    limits = args.timeout, args.max_memory
    codes = [_one(path, args.checker, *limits) for path in args.certificates]
    return worst_code(codes)


def _one(path: str, checker: str, seconds: float | None, max_memory: int | None) -> int:
    """Checks one, says what came of it, and returns its exit code."""
    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        with time_limit(seconds), memory_limit(max_memory):
            done = certify(read_certificate(path), path, checker, deadline)
    except NoChecker as error:
        print(f"{path}: not checked", file=sys.stderr)
        print(error.render(), file=sys.stderr)
        return NO_ANSWER
    except InputError as error:
        print(f"{path}: unreadable", file=sys.stderr)
        print(error.render(), file=sys.stderr)
        return error.exit_code
    except Stopped as stop:
        print(f"{path}: stopped: {stop.told or 'the time is up'}", file=sys.stderr)
        return NO_ANSWER
    except MemoryError:
        print(f"{path}: stopped: out of memory", file=sys.stderr)
        return NO_ANSWER
    print(certified_text(path, done))
    return 0 if done.valid else 1


def _options(options: OptionsRecord) -> list[str]:
    """What the answer depends on beside the texts and the bound."""
    found: list[str] = []
    if options.mapped:
        found.append(f"C11's orders are mapped to {options.mapped}")
    if options.loops:
        found.append(f"loops: {' '.join(options.loops)}")
    if options.races is Races.ERROR:
        found.append("a data race is an error")
    if options.liveness:
        found.append("no thread may wait for ever")
    return found


def certified_text(path: str, done: Certified) -> str:
    """What came of one certificate, in lines."""
    manifest = done.manifest
    if not done.valid:
        return f"{path}: refused\n  {done.refused}"
    own = "" if done.own_model else ", in a text that is not hybrid's own"
    lines = [
        f"{path}: valid",
        f"  {manifest.answer.value}: {manifest.program.name} under {manifest.model.name}{own}",
    ]
    if manifest.claim:
        lines.append(f"  {manifest.claim}")
    taken = _options(manifest.options)
    if taken:
        lines.append(f"  {'; '.join(taken)}")
    bound = f"--unroll {manifest.options.unroll}, --max-steps {manifest.options.max_steps}"
    if manifest.bound_is_unreachable:
        lines.append(f"  the bound ({bound}) is never reached")
    elif manifest.proofs:
        lines.append(f"  within the bound: {bound}")
    return "\n".join([*lines, *(f"  {fact}" for fact in done.facts)])
