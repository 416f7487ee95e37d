"""`--format junit`: one test case per program and model."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from hybrid.cli.main import main
from hybrid.report.junit import JunitFormat
from hybrid.report.row import Row
from hybrid.verdict import Verdict

PROGRAMS = {
    "violated.prog": "x = 0\nthread P: x := 1;\n~exists (x = 1)\n",
    "expected.prog": "x = 0\nthread P: x := 1;\n~exists (x = 1)\nexpect sc: VIOLATED\n",
    "open.prog": "x = 0\nthread P: do { r := x; x := r + 1; } while r != 9;\nthread Q: x := 5;\n",
    "bad.prog": "x = 0\nthread P: x = 1;\n",
    "fine.prog": "x = 0\nthread P: x := 1;\nforall (x = 1)\n",
}


def suite_of(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    for name in ("tests", "failures", "errors", "time"):
        assert root.get(name) == suite.get(name)
    cases = list(suite)
    assert suite.get("tests") == str(len(cases))
    assert all(case.tag == "testcase" and case.get("name") for case in cases)
    for tag, name in (("failure", "failures"), ("error", "errors")):
        assert suite.get(name) == str(sum(case.find(tag) is not None for case in cases))
    return suite


@pytest.mark.parametrize("options", [[], ["-j", "2"]])
def test_a_batch(tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["verify", str(tmp_path), "--model", "sc", "--format", "junit", *options]) == 2
    suite = suite_of(capsys.readouterr().out)
    found = {}
    for case in suite:
        (inner,) = case
        found[case.get("name")] = (inner.tag, inner.get("type"))
    assert found == {
        "violated (sc)": ("failure", "VIOLATED"),
        "expected (sc)": ("system-out", None),
        "open (sc)": ("error", "BOUNDED"),
        "bad": ("error", "ERROR"),
        "fine (sc)": ("system-out", None),
    }
    failed = suite.find("testcase/failure")
    assert failed is not None and "Verdict violated VIOLATED" in (failed.text or "")
    wrong = [case.find("error") for case in suite if case.get("name") == "bad"]
    assert wrong[0] is not None and "unexpected `=`" in str(wrong[0].get("message"))


def test_several_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fine.prog"
    path.write_text(PROGRAMS["fine.prog"], encoding="utf-8")
    assert main(["verify", str(path), "--model", "sc,tso", "--format", "junit"]) == 0
    suite = suite_of(capsys.readouterr().out)
    assert [case.get("name") for case in suite] == ["fine (sc)", "fine (tso)"]
    assert {case.get("classname") for case in suite} == {".".join(tmp_path.parts[1:])}
    assert {case.get("file") for case in suite} == {str(path)}


def test_what_xml_cannot_have() -> None:
    form = JunitFormat()
    row = Row.error('a<b>&"\x00\x1b\ud800\uffff', "-")
    text = form.whole([form.failure(row, "p/q.prog", "]]> <x>\x07\ufffe", "a & b")], True)
    (case,) = suite_of(text)
    assert str(case.get("name")).startswith('a<b>&"')
    assert "]]> <x>" in str(case[0].get("message"))


def test_an_interrupted_batch_says_so() -> None:
    form = JunitFormat()
    row = Row("p", "sc", "-", Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE, partial="time-out")
    suite = suite_of(form.whole([form.stopped(row, "p.prog")], False))
    assert suite.get("errors") == "2" and suite[1].get("name") == "the rest of the batch"
    assert suite_of(form.whole([], True)).get("tests") == "0"
