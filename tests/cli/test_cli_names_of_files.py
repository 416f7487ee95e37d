"""Names of files that are not UTF-8, in whatever is written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_helpers import PROGRAMS, Hybrid

NAME = os.fsdecode(b"bad\xff")
C = """
#include <assert.h>
int main(int n, char **arguments) { assert(arguments[0][3] != -1); return 0; }
"""
TEXTS = {".prog": PROGRAMS["sb"].partition("expect")[0], ".c": C}


@pytest.fixture
def here(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> Hybrid:
    monkeypatch.chdir(hybrid.folder)
    for suffix, text in TEXTS.items():
        Path(NAME + suffix).write_text(text, encoding="utf-8")
    return hybrid


@pytest.mark.parametrize("form", ["text", "json", "herd", "sarif", "junit"])
@pytest.mark.parametrize(("suffix", "code"), [(".prog", 0), (".c", 1)])
def test_formats(suffix: str, code: int, form: str, here: Hybrid) -> None:
    if form == "herd" and suffix == ".c":
        pytest.skip("herd has no such programs")
    run = here("verify", NAME + suffix, "--model", "tso", "--format", form)
    assert (run.code, run.err) == (code, "")


def test_sarif_has_the_bytes_of_the_name(here: Hybrid) -> None:
    run = here("verify", NAME + ".prog", "--model", "tso", "--limit", "1", "--format", "sarif")
    (found,) = json.loads(run.out)["runs"][0]["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bad%FF.prog"


@pytest.mark.parametrize("suffix", TEXTS)
def test_files(suffix: str, here: Hybrid) -> None:
    source = [NAME + suffix, "--model", "tso"]
    code = here("verify", *source).code
    for option, target in {
        "--certificate": "c.zip",
        "--witness": "w.json",
        "--html": "a.html",
        "--checkpoint": "a.checkpoint",
    }.items():
        assert here("verify", *source, option, target).code == code, option
    assert here("certify", "c.zip").code == 0
    assert here("replay", "w.json").code == 0
