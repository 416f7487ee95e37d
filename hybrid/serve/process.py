"""The process of one run, as the server sees it: started, looked after, stopped.

A run that is asked to stop may still say what it has found; one that does not end then, or long
after its time, is killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hybrid.files import size
from hybrid.report.result import INTERRUPTED, TIME_OUT
from hybrid.serve.answers import Answer, broken, unfinished
from hybrid.serve.progress_file import COLUMNS, read_progress
from hybrid.serve.request import RunRequest

LOOK: Final = 0.05  # seconds between looks
GRACE: Final = 3.0  # seconds for a run that is to stop
MARGIN: Final = 30.0  # seconds after the time of a run: compiling, making the report
_KEPT: Final = (  # of the environment
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PYTHONPATH"),
    *("XDG_CACHE_HOME", "HYBRID_CACHE", "HYBRID_CLANG", "HYBRID_DEBUG", "LD_LIBRARY_PATH"),
    *("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR", "PYTHONHOME", "VIRTUAL_ENV"),
)
_FULL: Final = ("SIGKILL", "SIGABRT", "SIGSEGV", "SIGBUS")  # how a lack of memory may end a process


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What a run may take."""

    seconds: float
    memory: int  # bytes


class RunProcess:
    """One run. `wait` is called once, `stop` at any time and from any thread."""

    def __init__(self, asked: RunRequest, limits: RunLimits) -> None:
        self._asked = asked
        self._limits = limits
        self._stop = threading.Event()
        self._folder = ""  # while it runs

    def stop(self) -> None:
        self._stop.set()

    @property
    def progress(self) -> str:
        """How far it has come, in words; empty: it does not say."""
        return read_progress(self._folder) if self._folder else ""

    def wait(self) -> Answer:
        """Runs it, and gives what came of it."""
        with tempfile.TemporaryDirectory(prefix="hybrid-serve-") as folder:
            self._folder = folder
            given = {
                "run": self._asked.as_json(),
                "seconds": self._limits.seconds,
                "memory": self._limits.memory,
            }
            with tempfile.TemporaryFile() as request:  # a pipe would have to be fed
                request.write(json.dumps(given).encode())
                request.seek(0)
                process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "hybrid.serve.worker"],
                    stdin=request,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=folder,
                    env=environment(folder),
                    start_new_session=True,
                )
            with process:
                try:
                    output, complaint, late = self._attend(process)
                except BaseException:
                    _kill(process)
                    raise
        return self._answer(output, complaint, process.returncode, late)

    def _attend(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes, bool]:
        """What the process writes, and whether its time was over."""
        deadline = time.monotonic() + self._limits.seconds + MARGIN
        stopping = False
        while True:
            try:
                output, complaint = process.communicate(timeout=LOOK)
                return output, complaint, False
            except subprocess.TimeoutExpired:
                pass
            if self._stop.is_set() and not stopping:
                stopping = True
                deadline = min(deadline, time.monotonic() + GRACE)
                with contextlib.suppress(OSError, ValueError):  # ValueError: on Windows
                    process.send_signal(signal.SIGINT)
            if time.monotonic() > deadline:
                _kill(process)
                output, complaint = process.communicate()
                return output, complaint, not stopping

    def _answer(self, output: bytes, complaint: bytes, code: int, late: bool) -> Answer:
        if late:
            return unfinished(f"{TIME_OUT} after {self._limits.seconds:.3g} s; it was killed")
        with contextlib.suppress(ValueError):
            found: Any = json.loads(output)
            if isinstance(found, dict):
                return found
        if self._stop.is_set():
            return unfinished(INTERRUPTED)
        ended = f"exit code {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                ended = signal.Signals(-code).name
        if ended == "SIGXCPU":
            return unfinished(f"{TIME_OUT}: more computing than {self._limits.seconds:.3g} s")
        said = complaint.decode("utf-8", "replace")
        if ended in _FULL or "MemoryError" in said or "bad_alloc" in said:
            limit = size(self._limits.memory)
            return unfinished(f"its process ended ({ended}), as beyond the memory limit of {limit}")
        return broken(f"the process of the run ended with {ended}", said)


def environment(folder: str) -> dict[str, str]:
    """That of a run: few things of ours, and where hybrid is."""
    found = {name: value for name, value in os.environ.items() if name in _KEPT}
    if os.path.dirname(found.get("HYBRID_CLANG", "")):  # a run is in another folder
        found["HYBRID_CLANG"] = os.path.abspath(found["HYBRID_CLANG"])
    package = str(Path(__file__).resolve().parents[2])
    before = [path for path in found.get("PYTHONPATH", "").split(os.pathsep) if path]
    return found | {
        "PYTHONPATH": os.pathsep.join([package, *map(os.path.abspath, before)]),
        "PYTHONIOENCODING": "utf-8",
        "TMPDIR": folder,
        "COLUMNS": str(COLUMNS),
    }


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends it and what it has started: politely first, so that it ends its compiler itself."""
    with contextlib.suppress(OSError):
        process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1.0)
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
