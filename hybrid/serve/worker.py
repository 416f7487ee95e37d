"""The process of one run: a request comes in as JSON, an answer goes out as JSON.

    python -m hybrid.serve.worker < request > answer

The request is an object with `run` (see request.py), `seconds` and `memory`. The process limits
itself and takes the disk from itself before it looks at the texts.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import Final

from hybrid.errors import InputError
from hybrid.frontend.compiler_options import NO_OPTIONS
from hybrid.kept_files import VARIABLE
from hybrid.serve.answers import Answer, broken, faulty
from hybrid.serve.confine import confine, needed_folders
from hybrid.serve.limits import end_with_parent, limit_process
from hybrid.serve.request import C, RunRequest, read_request
from hybrid.serve.run import run_request

LATER: Final = 30.0  # seconds of computing after the time of the run: compiling, the report


def main() -> int:
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    end_with_parent()
    given = json.load(sys.stdin)
    answer = answer_to(given["run"], float(given["seconds"]), int(given["memory"]))
    json.dump(answer, sys.stdout)
    return 0


def answer_to(run: object, seconds: float, memory: int) -> Answer:
    """Never raises: a bug of hybrid is an answer, too."""
    try:
        limit_process(memory, seconds + LATER)
        asked = read_request(run)
        caches = _caches()
        for folder in caches:  # afterwards nobody can make them
            with contextlib.suppress(OSError):
                os.makedirs(folder, mode=0o700, exist_ok=True)
        confine(needed_folders(_compiler(asked)), [Path.cwd(), *caches])
        return run_request(asked, seconds, memory)
    except InputError as error:
        return faulty(error)
    except Exception as error:
        return broken(f"{type(error).__name__}: {error}".rstrip(": "), traceback.format_exc())


def _compiler(asked: RunRequest) -> str:
    """The path of the compiler, where one is needed and there."""
    if asked.kind != C:
        return ""
    from hybrid.frontend.c.clang import find_compiler

    return find_compiler(NO_OPTIONS).program[0]


def _caches() -> list[str]:
    """Of parsers' tables, and of zig."""
    home = os.environ.get("HOME", "")
    base = os.environ.get("XDG_CACHE_HOME") or (os.path.join(home, ".cache") if home else "")
    found = [os.path.join(base, name) for name in ("hybrid", "zig")] if base else []
    named = (VARIABLE, "ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")
    return [*found, *filter(None, map(os.environ.get, named))]


def _end(number: int, frame: FrameType | None) -> None:
    """Ends the process and, on the way out, a compiler that it has started."""
    raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
