"""`--format sarif`: every violation with its file and line, and what has no answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import compiled_programs as compiled
import pytest
from sarif_structure import wrong
from support import model

from hybrid.catalogue.spelling import parse_configuration
from hybrid.cli.main import main
from hybrid.engine.configuration import Configuration
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.report.row import Row
from hybrid.report.sarif import SarifFormat
from hybrid.source import nowhere

RC11 = model("rc11")
FORM = SarifFormat()


def of_compiled(program: Program, liveness: bool = False) -> list[dict[str, Any]]:
    """The findings, of a document that is as it should be."""
    configuration = parse_configuration("rsmc")
    if liveness:
        configuration = Configuration("rsmc", liveness=True)
    result = explore(configuration, program, RC11)
    document = json.loads(FORM.whole([FORM.result(result, "queue.c", Row.of(result))], True))
    return checked(document)


def checked(document: dict[str, Any]) -> list[dict[str, Any]]:
    assert wrong("log", document) == ""
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    found: list[dict[str, Any]] = run["results"]
    assert sorted({each["ruleId"] for each in found}) == rules
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in found)
    return found


def line_of(found: dict[str, Any]) -> tuple[str, int]:
    place = found["locations"][0]["physicalLocation"]
    return place["artifactLocation"]["uri"], place.get("region", {}).get("startLine", 0)


@pytest.mark.parametrize(
    ("program", "rule", "level"),
    [
        (compiled.PASSING, "assertion", "error"),
        (compiled.RACING, "race", "error"),
        (compiled.STRAYING, "", "error"),
        (compiled.LEAKING, "memory-leak", "note"),
        (compiled.MIXING, "unsupported", "error"),
    ],
)
def test_findings_of_a_compiled_program(program: Program, rule: str, level: str) -> None:
    found = of_compiled(program)
    assert found and (not rule or rule in {each["ruleId"] for each in found})
    for each in found:
        if each["ruleId"] == rule or not rule:
            assert each["level"] == level
            file, line = line_of(each)
            assert file.endswith(".c") and (line > 0 or rule == "unsupported")


def test_an_execution_is_a_code_flow() -> None:
    (found,) = [each for each in of_compiled(compiled.PASSING) if each["ruleId"] == "assertion"]
    ((flow,),) = [each["threadFlows"] for each in found["codeFlows"]]
    orders = [step["executionOrder"] for step in flow["locations"]]
    assert orders == sorted(orders) and len(orders) > 2
    assert all(step["location"]["message"]["text"] for step in flow["locations"])


def test_threads_that_wait() -> None:
    (claim,) = [each for each in of_compiled(compiled.LOCKING, True) if "lock" in each["ruleId"]]
    assert claim["level"] == "error"
    (note,) = [each for each in of_compiled(compiled.LOCKING) if "lock" in each["ruleId"]]
    assert note["level"] == "note" and line_of(note) == line_of(claim)


def test_nothing_is_wrong() -> None:
    assert of_compiled(compiled.SAFE) == []


PROGRAMS = {
    "claim.prog": "x = 0\nthread P: x := 1;\nthread Q: r := x;\n~exists (Q:r = 1)\n",
    "assert.prog": "x = 0\nthread P: x := 1;\nthread Q:\n  r := x;\n  assert r = 0;\n",
    "expected.prog": "x = 0\nthread P: x := 1;\n~exists (x = 1)\nexpect sc: VIOLATED\n",
    "unexpected.prog": "x = 0\nthread P: x := 1;\nexists (x = 1)\nexpect sc: FORBIDDEN\n",
    "bounded.prog": "x = 0\nthread P: do { r := x; x := r + 1; } while r != 9;\nthread Q: x := 5;",
    "bad name.prog": "x = 0\nthread P: x = 1;\n",
    "fine.prog": "x = 0\nthread P: x := 1;\nforall (x = 1)\n",
}


def run(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, Any]:
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text, encoding="utf-8")
    code = main(["verify", str(folder), "--model", "sc", "--format", "sarif", *options])
    return code, json.loads(capsys.readouterr().out)


def test_a_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(tmp_path, capsys)
    assert code == 2  # that of the file that cannot be read
    found = {Path(line_of(each)[0]).name: each for each in checked(document)}
    told = {name: (each["ruleId"], each["level"], line_of(each)[1]) for name, each in found.items()}
    assert told == {
        "claim.prog": ("condition", "error", 4),
        "assert.prog": ("assertion", "error", 5),
        "expected.prog": ("condition", "note", 3),
        "unexpected.prog": ("unexpected-answer", "error", 0),
        "bounded.prog": ("no-answer", "warning", 0),
        "bad%20name.prog": ("input-error", "error", 2),
    }
    region = found["bad%20name.prog"]["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (13, 14)
    assert "The file expects FORBIDDEN" in found["unexpected.prog"]["message"]["text"]


def test_by_processes_and_from_a_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p").mkdir()
    one = run(tmp_path / "p", capsys)
    journal = str(tmp_path / "journal")
    two = run(tmp_path / "p", capsys, "-j", "2", "--resume", journal)
    again = run(tmp_path / "p", capsys, "--resume", journal)
    assert one == two == again


def test_one_program_with_its_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "assert.prog"
    path.write_text(PROGRAMS["assert.prog"], encoding="utf-8")
    drawn = tmp_path / "w.svg"
    options = ["--format", "sarif", "--witness", str(drawn), "-o", str(tmp_path / "out.sarif")]
    assert main(["verify", str(path), "--model", "sc", *options]) == 1
    assert capsys.readouterr().out == "" and drawn.exists()
    (found,) = checked(json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8")))
    assert found["occurrenceCount"] == 1


@pytest.mark.large
def test_a_time_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    threads = (f"thread P{i}: r0 := x; x := {i}; r1 := x; x := r1 + 1;" for i in range(6))
    (tmp_path / "long.prog").write_text("\n".join(["x = 0", *threads]), encoding="utf-8")
    options = ["--model", "sc", "--format", "sarif", "--timeout", "0.5"]
    assert main(["verify", str(tmp_path / "long.prog"), *options]) == 3
    (found,) = checked(json.loads(capsys.readouterr().out))
    assert found["ruleId"] == "no-answer" and "time-out" in found["message"]["text"]


def one(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> tuple[Any, bool]:
    """The place of the only finding, and whether the run was successful."""
    main(["verify", str(path), "--format", "sarif", *options])
    document = json.loads(capsys.readouterr().out)
    (found,) = checked(document)
    ((told,),) = [run["invocations"] for run in document["runs"]]
    return found["locations"][0]["physicalLocation"], told["executionSuccessful"]


@pytest.mark.parametrize(
    ("name", "text", "start"),
    [
        ("empty.prog", "", (1, 1)),
        ("empty.litmus", "", (1, 1)),
        ("bad.c", "int main() { return foo }\n", (1, 21)),
    ],
)
def test_an_input_at_fault_has_its_line_and_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, start: tuple[int, int]
) -> None:
    if name.endswith(".c"):
        pytest.importorskip("ziglang")
    (tmp_path / name).write_text(text, encoding="utf-8")
    place, successful = one(capsys, tmp_path / name)
    assert place["artifactLocation"]["uri"].endswith(name)
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == start
    assert not successful


def test_success_is_that_every_program_was_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {}
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        main(["verify", str(tmp_path / name), "--model", "sc", "--format", "sarif"])
        (run_,) = json.loads(capsys.readouterr().out)["runs"]
        told[name] = run_["invocations"][0]["executionSuccessful"]
    assert [name for name, successful in told.items() if not successful] == ["bad name.prog"]
    assert not one(capsys, tmp_path / "gone.prog")[1]


def test_what_no_text_spells_has_no_line() -> None:
    row = Row.error("a", "-")
    (found,) = json.loads(FORM.failure(row, "a.c", "wrong", span=nowhere("a")))
    place = found["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "a.c"}}


def test_the_check_finds_what_it_looks_for() -> None:
    bad: list[dict[str, Any]] = [
        {"version": "2.0.0", "runs": []},
        {"version": "2.1.0"},
        {"version": "2.1.0", "runs": [{}]},
        {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": ""}}}]},
    ]
    place = {"physicalLocation": {"artifactLocation": {"uri": "a b.c"}}}
    for result in ({"locations": []}, {"message": {"text": "x"}, "locations": [place]}):
        run_ = {"tool": {"driver": {"name": "hybrid"}}, "results": [result]}
        bad.append({"version": "2.1.0", "runs": [run_]})
    assert all(wrong("log", each) for each in bad)


RACE = """
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int ready; int data;
void *writer(void *x) { data = 1; atomic_store_explicit(&ready, 1, memory_order_relaxed); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
"""


@pytest.mark.large
def test_a_c_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ziglang")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "race.c").write_text(RACE, encoding="utf-8")
    assert main(["verify", "src/race.c", "--format", "sarif"]) == 1
    found = checked(json.loads(capsys.readouterr().out))
    told = {each["ruleId"]: line_of(each) for each in found if each["level"] == "error"}
    file = "src/race.c"
    assert told["assertion"] == (file, 11) and told["race"] in {(file, 6), (file, 11)}
    stacks = [stack for each in found for stack in each.get("stacks", ())]
    frames = [frame["location"] for stack in stacks for frame in stack["frames"]]
    assert any(frame["message"]["text"] == "main" for frame in frames)
