"""`-` in place of a file that is written: standard output where that is where a verb writes anyway,
elsewhere a complaint; never a file of that name."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_helpers import PROGRAMS

from hybrid.batch.pool import cores
from hybrid.cli.main import main, parser_of

VERBS_TO_STDOUT = (
    "verify FILE --model tso --quiet",
    "trace FILE --model tso",
    "show FILE",
    "explain FILE --model tso",
    "models sc",
    "generate --arch PPC Rfe PodRR Fre PodWW",
)
REFUSED = (
    "verify FILE --witness -",
    "verify FILE --html -",
    "verify FILE --certificate -",
    "verify FILE --resume -",
    "verify FILE --checkpoint -",
    "explain FILE --html -",
    "crosscheck FILE -o -",
    "crosscheck FILE --html -",
    "crosscheck FILE --resume -",
    "fuzz -o -",
    "fuzz --resume -",
    "bench kernel --csv -",
    "bench kernel --plot -",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where files are written that are named without a folder."""
    monkeypatch.chdir(tmp_path)
    Path("sb.prog").write_text(PROGRAMS["sb"])
    return tmp_path


@pytest.mark.parametrize("line", VERBS_TO_STDOUT)
def test_standard_output(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = line.replace("FILE", "sb.prog").split()
    code = main(words)
    plain = capsys.readouterr().out
    assert plain
    assert main([*words, "-o", "-"]) == code
    assert capsys.readouterr().out == plain
    assert [path.name for path in folder.iterdir()] == ["sb.prog"]


@pytest.mark.parametrize("line", REFUSED)
def test_no_standard_output(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.replace("FILE", "sb.prog").split()) == 2
    error = capsys.readouterr().err
    assert "'-' is not the name of a file" in error
    assert "./- is a file of that name" in error
    assert [path.name for path in folder.iterdir()] == ["sb.prog"]


def test_a_file_of_that_name(folder: Path) -> None:
    assert main(["trace", "sb.prog", "--model", "tso", "-o", "./-", "--format", "text"]) == 0
    assert "P" in (folder / "-").read_text()


@pytest.mark.parametrize("line", ["crosscheck sb.prog", "fuzz", "generate --arch PPC"])
def test_a_process_for_each_core(line: str) -> None:
    verb, *words = line.split()
    parser = parser_of(verb)
    assert parser.parse_args([*words, "-j", "auto"]).jobs == cores()
    assert parser.parse_args([*words, "-j", "3"]).jobs == 3
    assert parser.parse_args(words).jobs == 1


def test_crosscheck_by_a_process_for_each_core(capsys: pytest.CaptureFixture[str]) -> None:
    Path("again.prog").write_text(PROGRAMS["sb"])
    line = "crosscheck sb.prog again.prog --model sc,tso --engines enumerate,rsmc --table"
    assert main([*line.split(), "-j", "auto"]) == 0
    assert "4 compared, 4 equal" in capsys.readouterr().out
