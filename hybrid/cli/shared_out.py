"""One exploration by several processes or a cluster: the options of it, and how `verify` runs it."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from hybrid.catalogue.engines import ENTRIES, entry_of
from hybrid.engine.api import Counters, Limits
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.parallel.coordinator import Coordinator, Workers
from hybrid.parallel.summarise import job_name, summarise_parallel
from hybrid.parallel.work import Job
from hybrid.program.program import Program
from hybrid.report.output import check_writable
from hybrid.report.progress import Progress
from hybrid.report.result import Result

ALONE = ("cluster", "checkpoint")  # options that need one program and one model


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("one large exploration")
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="share it out on the Dask cluster whose scheduler is there, as tcp://HOST:8786",
    )
    group.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="save what is left every few seconds; if the file is there, go on from it",
    )


def check(args: argparse.Namespace, single: bool, alone: bool) -> None:
    """Complains of options that do not go together. `single`: there is one program and one model;
    `alone`: its own output is wanted."""
    for option in ALONE:
        if getattr(args, option) is not None and not alone:
            raise InputError(
                f"--{option} is for one program alone: it does not go with a summary of known answers"
                if single
                else f"--{option} needs one program and one model"
            )
    if args.limit is not None:
        for option in ALONE:
            if getattr(args, option) is not None:
                raise InputError(f"--limit and --{option} do not go together")
    if args.checkpoint is not None:
        check_writable(args.checkpoint)


def able() -> str:
    """The engines whose work can be shared out."""
    return ", ".join(entry.name for entry in ENTRIES if entry.divisible)


def wanted(args: argparse.Namespace, configuration: Configuration) -> tuple[bool, str]:
    """Whether the exploration is to be shared out; and a note where -j cannot be followed."""
    asked = [option for option in ALONE if getattr(args, option) is not None]
    if not asked and args.jobs == 1:
        return False, ""
    entry = entry_of(configuration.engine)
    if asked and not entry.divisible:
        raise InputError(
            f"--{asked[0]} does not go with {entry.name}, which explores with one process",
            hint=f"engines that share their work out: {able()}",
        )
    if not entry.divisible:
        return False, f"-j has no effect: {entry.name} explores one program with one process"
    if args.limit is not None:
        return False, "-j has no effect with --limit"
    if args.cluster is not None and args.jobs > 1:
        return True, "-j has no effect with --cluster: all its workers are used"
    return True, ""


@dataclass(slots=True)
class _Shown:
    """What the progress line shows."""

    counters: Counters


def explore(
    args: argparse.Namespace,
    program: Program,
    model: Model,
    configuration: Configuration,
    limits: Limits,
) -> Result:
    job = Job(program, model, configuration, args.max_memory)
    shown = _Shown(Counters())
    workers: Workers | int = args.jobs
    if args.cluster is not None:
        from hybrid.parallel.cluster import Cluster

        workers = Cluster(job, args.cluster, job_name(job))

    def count(coordinator: Coordinator) -> None:
        shown.counters = coordinator.progress.counters

    with Progress(shown, program.name, sys.stderr):
        return summarise_parallel(
            job,
            limits,
            workers,
            first=args.first,
            checkpoint=None if args.checkpoint is None else Path(args.checkpoint),
            tick=count,
        )
