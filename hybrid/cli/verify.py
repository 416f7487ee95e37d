"""`hybrid verify`: explore programs under models and answer their final conditions, one by one or
in a batch."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.api.options import EXPECTED, configuration_of, demanded_verdict
from hybrid.batch.expected import NAME, find_tables
from hybrid.batch.explore import Exploring
from hybrid.batch.models import Models, Unnamed
from hybrid.batch.pool import cores
from hybrid.cli import options
from hybrid.cli.engine_options import add_engine_options, add_race_option
from hybrid.cli.main import EXIT_CODES
from hybrid.cli.verify_files import VerifyRequest, verify_batch, verify_program
from hybrid.data import bundled
from hybrid.errors import InputError
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.find_programs import program_paths
from hybrid.parallel.sharing import Sharing, divisible
from hybrid.report.formats import DEFAULT, FORMATS, OF_BUNDLE
from hybrid.report.output import check_outputs, check_writable
from hybrid.report.output_format import OutputFormat
from hybrid.report.trace_formats import EXTENSIONS, format_of
from hybrid.versions import __version__

if TYPE_CHECKING:
    from hybrid.cli.verify_certificate import CertificateRequest

EXAMPLES = f"""examples:
  hybrid verify                              the bundled programs, one line per folder
  hybrid verify --table                      the same, one line per program and model
  hybrid verify SB.prog --model tso          one program under one model
  hybrid verify SB.prog --model sc,tso,my.cat
  hybrid verify MP.litmus                    under the model of its architecture
  hybrid verify queue.c                      a C program, under rc20
  hybrid verify --model power spinlock.c     the same as compiled for POWER
  hybrid verify a.c b.c -- -DN=3             two programs, with a flag for the compiler
  hybrid verify --link a.c b.c               one program of two files
  hybrid verify tests/ --table --timeout 10  all programs below a folder
  hybrid verify @all -j 4 --format herd      those that the file `all` lists, by four processes,
                                             in herd's form
  hybrid verify src/*.c --format sarif       findings with file and line, for code scanning
  hybrid verify tests/ --format junit        a test report, for continuous integration
  hybrid verify ppc/ --resume ppc.journal    goes on where it was stopped
  hybrid verify MP.prog --first --witness mp.svg
  hybrid verify SB.prog --html sb.html       a report to look at and to send on
  hybrid verify tests/ -j 4 --html tests.html
  hybrid verify SB.prog --engine rsmc --oracle z3
  hybrid verify SB.prog --engine bmc --first  one formula, its answer, no enumeration
  hybrid verify large.prog -j 8 --checkpoint large.json
                                             by eight processes; if it is stopped, the same
                                             command goes on from there
  hybrid verify SB.prog --json -o sb.json
  hybrid verify MP.litmus --certificate mp.zip
                                             with a proof, which `hybrid certify mp.zip` checks
  hybrid verify SB.prog --expect FORBIDDEN   exits 1 on any other answer, for scripts

A file may state what it expects under a model. An answer that differs from it is VIOLATED; one that
is equal to it is shown `(as expected)` and counts as 0 in the exit code, an expected VIOLATED or
BOUNDED included. The same holds of known answers in a table, {NAME} beside the tests or
--expected.
--expect VERDICT takes the place of what files expect: every program must get that answer, or the
exit code is 1. A table is compared as well.
"""
SETTINGS = (  # the options that decide what comes of a test
    "engine",
    "oracle",
    "sat_solver",
    "policy",
    "equivalence",
    "memory",
    "seed",
    "unroll",
    "max_steps",
    "loops",
    "timeout",
    "limit",
    "max_memory",
    "first",
    "expect",
    "races",
    "liveness",
    "map",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Explores programs under memory models and answers their final conditions."
    parser.epilog = f"{EXAMPLES}\n{EXIT_CODES}"
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="programs, folders of programs, or @LIST for a file of their paths; none: the bundled "
        "ones, under the models they have expectations for",
    )
    parser.add_argument(
        "--model",
        metavar="MODEL",
        action="append",
        help="a built-in model or a .cat file; several: again, or with commas; default: "
        + options.WHICH_MODEL,
    )
    add_engine_options(parser)
    add_race_option(parser)
    options.add_map_option(parser)
    options.add_compiler_options(parser)
    claims = parser.add_argument_group("claims")
    claims.add_argument(
        "--liveness",
        action=argparse.BooleanOptionalAction,
        help="a run in which a thread waits for ever is a violation (exit code 1), not only a "
        "note; default: in C programs",
    )
    stop = parser.add_argument_group("when to stop")
    stop.add_argument(
        "--limit", metavar="N", type=options.positive, help="stop after N complete traces"
    )
    which = stop.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="explore everything (the default)")
    which.add_argument("--first", action="store_true", help="stop at the first trace that answers")
    _add_batch_options(parser)
    _add_output_options(parser)


def _add_batch_options(parser: argparse.ArgumentParser) -> None:
    batch = parser.add_argument_group("batches")
    batch.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=options.processes_or_auto,
        help="processes: each takes one file after the other; a single exploration is "
        f"shared out ({divisible()}); auto: one per core, for a single exploration once it has "
        "taken some seconds; default 1, and for the bundled programs one per core",
    )
    batch.add_argument(
        "--expected",
        metavar="FILE",
        help=f"a table of known answers to compare with; default: {NAME} in the tests' folder",
    )
    batch.add_argument(
        "--expect",
        metavar="VERDICT",
        help=f"exit with 1 if the answer for any program is another one: {', '.join(EXPECTED)}",
    )
    options.add_resume_option(batch.add_argument)
    large = parser.add_argument_group("one large exploration")
    large.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="share it out on the Dask cluster whose scheduler is there, as tcp://HOST:8786",
    )
    large.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=options.file_name,
        help="save what is left every few seconds; if the file is there, go on from it",
    )


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    out = parser.add_argument_group("output")
    how = out.add_mutually_exclusive_group()
    how.add_argument(
        "--format",
        metavar="NAME",
        choices=list(FORMATS),
        help=f"{', '.join(FORMATS)}; default {DEFAULT}",
    )
    for form in FORMATS.values():
        if form.shortcut:
            how.add_argument(
                f"--{form.name}",
                dest="format",
                action="store_const",
                const=form.name,
                help=form.shortcut,
            )
    options.add_output_option(out.add_argument, "write there, not to standard output")
    out.add_argument(
        "--witness",
        metavar="FILE",
        type=options.file_name,
        help=f"also write the witness, as its extension says: {', '.join(EXTENSIONS)}",
    )
    options.add_html_option(out.add_argument)
    out.add_argument(
        "--certificate",
        metavar="OUT",
        type=options.file_name,
        help="also write a certificate of the answer, a folder or a .zip, for `hybrid certify`",
    )
    out.add_argument(
        "--twice",
        action="store_true",
        help="in the certificate, prove each formula by two encodings of acyclicity",
    )


def run(args: argparse.Namespace) -> int:
    if args.witness is not None:
        format_of(args.witness)  # complains before the work, not after
        check_writable(args.witness)
    configuration = configuration_of(vars(args))
    demanded = demanded_verdict(args.expect, "--expect")
    of_bundle = not args.files
    files = args.files or [str(bundled("litmus"))]
    compiling = CompilerOptions(args.clang, tuple(args.compiler_flags))
    paths, compiling = options.programs_to_read(
        program_paths(files), of_bundle, args.link, compiling
    )
    tables = find_tables(args.expected, files, paths)
    grows = args.jobs == options.AUTO_JOBS
    jobs = cores() if grows or (of_bundle and args.jobs is None) else args.jobs or 1
    sharing = Sharing(jobs, args.cluster, _path(args.checkpoint), args.max_memory, grows)
    written = {
        "--output": args.output,
        "--witness": args.witness,
        "--html": args.html,
        "--certificate": args.certificate,
        "--resume": args.resume,
        "--checkpoint": args.checkpoint,
    }
    check_outputs(written, [*paths, *compiling.linked, *(table.path for table in tables)])
    names = options.model_names(args.model)
    settings = {name: getattr(args, name) for name in SETTINGS}
    settings["equivalence"] = configuration.equivalence
    given = args.equivalence or args.html or args.certificate  # which count, or are of all traces
    form = FORMATS[args.format or (OF_BUNDLE if of_bundle else DEFAULT)]
    asked = VerifyRequest(
        paths,
        tables,
        compiling,
        Models(names, Unnamed.EXPECTED if of_bundle else Unnamed.OWN),
        Exploring(
            configuration,
            args.timeout,
            args.max_memory,
            args.first,
            args.limit,
            demanded or "",
            bool(given or tables or _counts(form, args.first)),
        ),
        form,
        args.output,
        jobs,
        args.resume,
        {"hybrid": __version__, **settings, "expect": demanded},
        args.command_line,
        options.html_file(args.html),
        _certificate(args.certificate, args.twice, (args.timeout, args.max_memory), args.clang),
    )
    one = not of_bundle and len(paths) == 1 and len(names or [""]) == 1
    apart = one and not asked.form.batch and not any(table.whole for table in tables)
    _check_for_one(asked, sharing, args.witness, one, apart)
    return verify_program(asked, sharing, args.witness) if apart else verify_batch(asked)


def _counts(form: OutputFormat, first: bool) -> bool:
    """Whether numbers of traces are wanted: not where the user asks for verdicts alone, or for the
    first trace that answers, as people read it."""
    return form.counts and not (first and form.name == DEFAULT)


def _certificate(
    file: str | None, twice: bool, limits: tuple[float | None, int | None], clang: str | None
) -> CertificateRequest | None:
    """What --certificate and --twice ask for."""
    if file is None and not twice:
        return None
    from hybrid.cli.verify_certificate import requested

    return requested(file, twice, *limits, clang)


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _check_for_one(
    asked: VerifyRequest, sharing: Sharing, witness: str | None, one: bool, apart: bool
) -> None:
    """Complains of options that are for one program alone. `one`: there is one program and one
    model; `apart`: its own output is wanted, and not that of a batch."""
    demanded = [*(["witness"] if witness is not None else []), *sharing.demanded]
    for option in [*demanded, *(["certificate"] if asked.certificate is not None else [])]:
        if not one:
            raise InputError(f"--{option} needs one program and one model")
        if not apart:
            raise InputError(
                f"--{option} is for one program alone: "
                "it does not go with a summary of known answers"
            )
    for what, wanted in (("witness", witness), ("certificate", asked.certificate)):
        if wanted is not None and asked.resume is not None:
            raise InputError(f"--{what} and --resume do not go together")
    if asked.exploring.max_traces is not None and sharing.demanded:
        raise InputError(f"--limit and --{sharing.demanded[0]} do not go together")
    if sharing.checkpoint is not None:
        check_writable(str(sharing.checkpoint))
