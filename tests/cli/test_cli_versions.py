"""What programs read carries the version of its format, and files of another version are
refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import Hybrid, write

from hybrid import versions

pytestmark = pytest.mark.large

BATCH = ("verify", "sb.prog", "--model", "sc", "--resume", "file")
CHECKPOINT = ("verify", "sb.prog", "--model", "sc", "--engine", "rsmc", "--checkpoint", "file")
FUZZ = ("fuzz", "--model", "sc", "--count", "1", "--resume", "file")
CROSSCHECK = (
    *("crosscheck", "sb.prog", "--model", "sc", "--engines", "enumerate,rsmc"),
    *("--resume", "file"),
)
WITNESS = ("verify", "sb.prog", "--model", "power", "--witness", "file.json")
# Who writes the file, who reads it, and its version.
FILES = {
    "batch journal": (BATCH, BATCH, "file", versions.BATCH_JOURNAL),
    "fuzz journal": (FUZZ, FUZZ, "file", versions.FUZZ_JOURNAL),
    "crosscheck journal": (CROSSCHECK, CROSSCHECK, "file", versions.COMPARISON_JOURNAL),
    "checkpoint": (CHECKPOINT, CHECKPOINT, "file", versions.CHECKPOINT),
    "witness": (WITNESS, ("replay", "file.json"), "file.json", versions.WITNESS),
}


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_json_has_a_version(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "sb broken", "--json")
    assert [found["version"] for found in objects(run.out)] == [versions.RESULT] * 2
    run = hybrid.on("verify", "many", "--json", "--timeout", "0.000001")
    assert [found["version"] for found in objects(run.out)] == [versions.RESULT]
    run = hybrid.on(
        "crosscheck", "sb broken", "--json", "--model", "sc", "--engines", "enumerate,rsmc"
    )
    assert [found["version"] for found in objects(run.out)] == [versions.COMPARISON] * 2


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", [-1, 1, None, "two", True])
def test_another_version_is_refused(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch, name: str, change: object
) -> None:
    monkeypatch.chdir(hybrid.folder)
    write(hybrid.folder, "sb")
    writes, reads, place, version = FILES[name]
    assert hybrid(*writes).code == 0
    text = Path(place).read_text(encoding="utf-8")
    assert hybrid(*reads).code == 0
    other = version + change if type(change) is int else change
    changed = re.sub(r'"version": ?\d+', f'"version": {json.dumps(other)}', text, count=1)
    assert changed != text
    Path(place).write_text(changed, encoding="utf-8")
    run = hybrid(*reads)
    assert (run.code, run.out if name != "fuzz journal" else "") == (2, "")
    assert "version" in run.err and place in run.err and "Traceback" not in run.err
    if type(change) is int and version > 1:
        assert f"has version {other}, from {'an older' if change == -1 else 'a newer'}" in run.err
    assert Path(place).read_text(encoding="utf-8") == changed  # left alone


def test_journals_of_a_hybrid_without_format_versions_are_refused(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hybrid.folder)
    write(hybrid.folder, "sb")
    Path("file").write_text('{"journal": "hybrid verify", "version": "0.9"}\n', encoding="utf-8")
    run = hybrid(*BATCH)
    assert run.code == 2 and "the journal file has no version that hybrid knows" in run.err


def test_the_documents_name_the_versions() -> None:
    page = (Path(__file__).parents[2] / "docs" / "batch.md").read_text(encoding="utf-8")
    section = page.split("## Versions of formats", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| (.+?) \| (\d+) \|", section, re.MULTILINE)
    names = ("RESULT", "COMPARISON", "WITNESS", "CERTIFICATE", "BATCH_JOURNAL")
    names += ("COMPARISON_JOURNAL", "FUZZ_JOURNAL", "CHECKPOINT")
    assert [int(number) for _, number in rows] == [getattr(versions, name) for name in names]
