"""What the tests of the page share: texts, requests, a run in this process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hybrid.serve.process import environment
from hybrid.serve.request import read_request
from hybrid.serve.run import run_request

SB = r"""x = 0; y = 0
thread P: L0: x := 1; L1: r0 := y;
thread Q: L2: y := 1; L3: r1 := x;
exists (P:r0 = 0 /\ Q:r1 = 0)
"""
# Many traces: no engine is done with it soon.
ENDLESS = (
    "x = 0\n"
    + "".join(f"thread T{t}: " + "".join(f"x := {t}{i};" for i in range(1, 9)) for t in range(1, 5))
    + "exists (x = 0)\n"
)
SECRET = "swordfish"  # in a file that no run may read


def run_here(text: str, kind: str = ".prog", seconds: float = 20, **more: Any) -> dict[str, Any]:
    """What comes of a run in the present folder, without a process of its own."""
    asked = read_request({"kind": kind, "text": text, **more})
    return run_request(asked, seconds, 2_000_000_000)


def run_worker(
    place: Path,
    text: str,
    kind: str = ".prog",
    seconds: float = 20,
    memory: int = 2_000_000_000,
    before: str = "",
    **more: Any,
) -> dict[str, Any]:
    """The same by the process of a run; `before` is Python that it executes first."""
    asked = {"run": {"kind": kind, "text": text, **more}, "seconds": seconds, "memory": memory}
    code = f"{before}\nimport sys\nfrom hybrid.serve.worker import main\nsys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input=json.dumps(asked).encode(),
        capture_output=True,
        cwd=place,
        env=environment(str(place)),
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def secret_file(folder: Path, name: str) -> Path:
    """A file that a hostile text would like to see."""
    path = folder / name
    path.write_text(f"{SECRET} = 1\n", encoding="utf-8")
    return path


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
