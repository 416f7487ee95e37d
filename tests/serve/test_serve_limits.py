"""The limits that the kernel keeps."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hybrid.serve.limits import FILE_BYTES, MARGIN

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")


def run(code: str) -> subprocess.CompletedProcess[str]:
    start = "from hybrid.serve.limits import *\nlimit_process(50_000_000, 1)\n"
    return subprocess.run(
        [sys.executable, "-c", start + code], capture_output=True, text=True, check=False
    )


def test_memory() -> None:
    assert run("x = bytearray(20_000_000)").returncode == 0
    done = run(f"x = bytearray({50_000_000 + MARGIN})")
    assert done.returncode == 1 and "MemoryError" in done.stderr


def test_memory_of_what_it_starts() -> None:
    code = f"import subprocess, sys\ncode = 'bytearray({50_000_000 + MARGIN})'\n"
    done = run(f"{code}subprocess.run([sys.executable, '-c', code])")
    assert "MemoryError" in done.stderr


@pytest.mark.large
def test_computing_time() -> None:
    assert run("while True: pass").returncode in (-9, -24)  # SIGKILL, SIGXCPU


def test_files() -> None:
    code = f"import os\nos.ftruncate(os.open('/dev/shm', os.O_TMPFILE | os.O_RDWR), {FILE_BYTES})\n"
    assert run(code).returncode == 0
    assert run(code.replace(str(FILE_BYTES), str(FILE_BYTES + 1))).returncode != 0
    assert "Too many open files" in run("x = [open('/dev/null') for _ in range(300)]").stderr


def test_lower_limits_stay() -> None:
    done = run("limit_process(10_000_000_000, 1000)\nx = bytearray(400_000_000)")
    assert "MemoryError" in done.stderr
