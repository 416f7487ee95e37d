"""How often processes that explore look for garbage."""

from __future__ import annotations

import subprocess
import sys

import pytest

CHECK = (
    "import gc; assert gc.get_freeze_count() and gc.get_threshold()[0] > 10_000, gc.get_threshold()"
)


@pytest.mark.large
@pytest.mark.parametrize(
    "before",
    [
        "from hybrid.garbage import look_rarely; look_rarely()",
        "from hybrid.cli.main import main; main(['models', 'sc'])",
        "from hybrid.cli import bench_case; text = bench_case._CHILD; import json, sys\n"
        "sys.argv[1:] = [json.dumps([dict(program='readers', orders='plain', model='sc', "
        "engine='trust'), [2], 1, 1.0])]; exec(text)",
    ],
    ids=["itself", "command", "bench"],
)
def test_rarely(before: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", f"{before}\n{CHECK}"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
