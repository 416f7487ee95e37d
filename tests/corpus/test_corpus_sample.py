"""A sample of the litmus tests with known answers, where they are (CORPUS, or ../shared/corpus);
`make corpus` runs them all."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from hybrid.cli.main import main

CORPUS = Path(os.environ.get("CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
EVERY = 29  # one test in so many


@pytest.mark.large
@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"there is no corpus at {CORPUS}")
@pytest.mark.parametrize("folder", ["aarch64", "c11", "ppc", "riscv", "x86"])
def test_known_answers(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = CORPUS / folder
    with open(place / "expected.csv", encoding="utf-8") as stream:
        names = [row["file"] for row in csv.DictReader(stream)][::EVERY]
    assert names
    chosen = tmp_path / "chosen"
    chosen.write_text("".join(f"{place / name}\n" for name in names), encoding="utf-8")
    code = main(["verify", f"@{chosen}", "--format", "summary", "--timeout", "60"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert f"{len(names)} tests, {len(names)} agree, 0 disagree" in out
