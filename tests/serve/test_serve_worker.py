"""The process of a run: an answer whatever comes, within its limits."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from serve_helpers import ENDLESS, SB, run_worker

from hybrid.serve.app import compiler_version
from hybrid.serve.bundle import text_of_test
from hybrid.serve.worker import answer_to

MB = 1_000_000


@pytest.mark.large
def test_an_answer(tmp_path: Path) -> None:
    answer = run_worker(tmp_path, SB, model="tso")
    assert answer["verdict"] == "ALLOWED"
    assert [path.name for path in tmp_path.iterdir()] == ["program.prog"]


@pytest.mark.large
def test_parsers_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that is made before nothing can be made any more."""
    monkeypatch.setenv("HYBRID_CACHE", str(tmp_path / "new" / "cache"))
    (tmp_path / "run").mkdir()
    assert run_worker(tmp_path / "run", SB, model="tso")["verdict"] == "ALLOWED"
    assert list((tmp_path / "new" / "cache").iterdir())


@pytest.mark.large
@pytest.mark.parametrize(
    ("engine", "oracle"), [("rsmc", "z3"), ("rsmc", "pysat"), ("bmc", "sat"), ("bmc", "z3")]
)
def test_solvers_work_within_the_limits(tmp_path: Path, engine: str, oracle: str) -> None:
    answer = run_worker(tmp_path, SB, model="tso", engine=engine, oracle=oracle)
    assert (answer["verdict"], answer["engine"]) == ("ALLOWED", engine)


@pytest.mark.large
@pytest.mark.skipif(not compiler_version(), reason="there is no C compiler here")
def test_the_compiler_works_within_the_limits(tmp_path: Path) -> None:
    text = text_of_test("programs/trust/lamport-2.c") or ""
    answer = run_worker(tmp_path, text, ".c", folder="programs/trust")
    assert answer["error"] is None and answer["model"] == "rc20"


def test_a_memory_limit(tmp_path: Path) -> None:
    answer = run_worker(tmp_path, ENDLESS, memory=2 * MB, engine="stateful", model="sc")
    assert (answer["verdict"], answer["exit_code"]) == ("INCONCLUSIVE", 3)
    assert answer["partial"] == "memory limit of 2 MB reached"


BOMB = "#define A0 x x x x x x x x x x\n"
BOMB += "".join(f"#define A{i + 1} {f'A{i} ' * 10}\n" for i in range(12))
BOMB += "int main(void) { int x; A12; return 0; }\n"
ITSELF = '#include "program.c"\n#include "program.c"\nint main(void) { return 0; }\n'


@pytest.mark.large
@pytest.mark.skipif(not compiler_version(), reason="there is no C compiler here")
@pytest.mark.parametrize("text", [BOMB, ITSELF])
def test_c_that_never_ends_to_compile(tmp_path: Path, text: str) -> None:
    answer = run_worker(tmp_path, text, ".c", seconds=2)
    told = answer["partial"] or answer["error"]["message"]
    assert told in ("time-out after 2 s", "#include nested too deeply")
    assert answer["error"] is None or len(answer["error"]["hint"]) < 50_000


def test_a_bad_request_is_an_answer() -> None:
    answer = json.loads(
        subprocess.run(
            [sys.executable, "-m", "hybrid.serve.worker"],
            input=b'{"run": {"kind": ".exe", "text": ""}, "seconds": 5, "memory": 1000000000}',
            capture_output=True,
            check=True,
        ).stdout
    )
    assert answer["exit_code"] == 2 and answer["error"]["message"] == "no such kind of program"


def test_a_bug_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("hybrid.serve.worker.limit_process", fail)
    answer = answer_to({}, 1, 1)
    assert answer["exit_code"] == 70 and "KeyError: 'oops'" in answer["error"]["message"]
    assert answer["text"] == ""
    monkeypatch.setenv("HYBRID_DEBUG", "1")
    assert "Traceback" in answer_to({}, 1, 1)["text"]
