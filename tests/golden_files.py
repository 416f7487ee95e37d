"""Golden files: expected output kept under tests/golden/. `HYBRID_UPDATE_GOLDEN=1 pytest` writes
them anew."""

from __future__ import annotations

import os
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"
UPDATE = "HYBRID_UPDATE_GOLDEN"


def check_golden(name: str, text: str) -> None:
    """Fails unless `text` is what tests/golden/`name` holds; with HYBRID_UPDATE_GOLDEN=1 writes it
    there instead."""
    path = GOLDEN / name
    if os.environ.get(UPDATE) == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    assert path.exists(), f"no golden file {path}; make it with {UPDATE}=1"
    assert text == path.read_text(encoding="utf-8"), f"differs from {path} (renew: {UPDATE}=1)"
