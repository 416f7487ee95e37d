"""`hybrid serve`: a page on this machine for trying things in a browser."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from hybrid.cli import options
from hybrid.errors import InputError

PORT = 8017
SECONDS = 60.0
MEMORY = "2G"
NEEDED = ("starlette", "uvicorn")  # of the extra `web`

EXAMPLES = f"""examples:
  hybrid serve                    prints the address of the page, http://127.0.0.1:{PORT}/
  hybrid serve --open             and opens it in a browser
  hybrid serve --port 0           on any port that is free
  hybrid serve --timeout 300 --memory 4G

The page has an editor for programs (.prog, .litmus and, where there is a compiler, .c) and models
(.cat), and the bundled ones to start from. Runs wait for each other; each has a process of its own,
which can be stopped. Only this machine can reach the page. Texts include hybrid's own models and
the compiler's headers, and no other file. Ctrl-C ends it.

exit codes:
  0   Ctrl-C ended it
  2   the port is in use, or something has to be installed first
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Serves a page on this machine for trying programs and models."
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--port",
        metavar="N",
        type=_port,
        default=PORT,
        help="of 127.0.0.1; 0: any that is free; default %(default)s",
    )
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=options.seconds,
        default=SECONDS,
        help="how long a run may take; default %(default)g",
    )
    parser.add_argument(
        "--memory",
        "--max-memory",
        metavar="SIZE",
        type=options.memory,
        default=MEMORY,
        help="how much memory a run may take, as 500M or 4G; default %(default)s",
    )
    browser = parser.add_mutually_exclusive_group()
    browser.add_argument("--open", action="store_true", help="open the page in a browser")
    browser.add_argument(
        "--no-browser",
        dest="open",
        action="store_false",
        help="print its address alone (the default)",
    )


def run(args: argparse.Namespace) -> int:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            f"`hybrid serve` needs {' and '.join(missing)}", hint="pip install 'hybrid-mc[web]'"
        )
    from hybrid.serve.process import RunLimits
    from hybrid.serve.server import serve

    serve(args.port, RunLimits(args.timeout, args.memory), args.open)
    return 0


def _port(text: str) -> int:
    value = options.natural(text)
    if value > 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port: from 0 to 65535")
    return value
