"""`hybrid replay`: check a witness again, with the enumerator's checker."""

from __future__ import annotations

import argparse
import sys

from hybrid.cli import options
from hybrid.errors import InputError
from hybrid.files import DATA_BYTES
from hybrid.frontend.compiler_options import CompilerOptions, check_flags
from hybrid.model.load import load_model
from hybrid.parsing import read_source
from hybrid.witness.as_json import from_json
from hybrid.witness.replay import replay
from hybrid.witness.run import run_text

EXAMPLES = """examples:
  hybrid verify SB.prog --model tso --witness sb.json
  hybrid replay sb.json
  hybrid replay sb.json --model sc     is it allowed there too?

The sources of a C program are read again, as they were named: from the same folder.

exit codes: 0 the witness is confirmed, 1 it is not, 2 the file is not a witness
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Checks a witness again: its program is parsed anew (one in C: compiled anew, from the "
        "same sources), its trace judged by the checker of the enumerator, and all that the file "
        "says compared with what comes out."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("witness", metavar="WITNESS", help="a JSON file that hybrid wrote")
    parser.add_argument(
        "--model", metavar="MODEL", help="judge under this model; default: the one in the file"
    )
    options.add_compiler_options(parser, link=False)


def run(args: argparse.Namespace) -> int:
    witness = from_json(read_source(args.witness, most=DATA_BYTES).text, args.witness)
    try:
        model = load_model(args.model or witness.model)
    except InputError as error:
        if args.model is None and error.span is None:  # not there: a fault in its text has a place
            error.hint = (
                f"the witness was made under {witness.model}: say where that is, --model FILE.cat"
            )
        raise
    compiling = CompilerOptions(args.clang, tuple(args.compiler_flags))
    if witness.compiled is None:
        check_flags([], compiling)
    result = replay(witness, model, compiling)
    if result.note:
        print(f"note: {result.note}", file=sys.stderr)
    if result.data is not None:
        print(run_text(result.data))
    if result.agrees:
        print(f"{witness.name} under {result.model}: confirmed")
        return 0
    print(f"{witness.name} under {result.model}: not confirmed")
    for difference in result.differences:
        print(f"  {difference}")
    return 1
