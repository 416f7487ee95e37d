"""The fixture that runs `hybrid`."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import Hybrid


@pytest.fixture
def hybrid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Hybrid:
    return Hybrid(tmp_path, capsys)
