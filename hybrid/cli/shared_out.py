"""The options of one exploration by several processes or a cluster."""

from __future__ import annotations

import argparse
from pathlib import Path

from hybrid.errors import InputError
from hybrid.parallel.sharing import Sharing
from hybrid.report.output import check_writable


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


def sharing_of(args: argparse.Namespace, single: bool, alone: bool) -> Sharing:
    """What the options ask for; complains of those that do not go together. `single`: there is one
    program and one model; `alone`: its own output is wanted."""
    checkpoint = None if args.checkpoint is None else Path(args.checkpoint)
    asked = Sharing(args.jobs, args.cluster, checkpoint, args.max_memory)
    for option in asked.demanded:
        if not single:
            raise InputError(f"--{option} needs one program and one model")
        if not alone:
            raise InputError(
                f"--{option} is for one program alone: "
                "it does not go with a summary of known answers"
            )
    if args.limit is not None and asked.demanded:
        raise InputError(f"--limit and --{asked.demanded[0]} do not go together")
    if args.checkpoint is not None:
        check_writable(args.checkpoint)
    return asked
