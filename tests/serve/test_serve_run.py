"""One run: the answer, and the place of an error in each kind of text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_helpers import ENDLESS, SB, SECRET, run_here, secret_file

from hybrid.batch import explore
from hybrid.serve.app import compiler_version
from hybrid.serve.bundle import text_of_test

needs_compiler = pytest.mark.skipif(not compiler_version(), reason="there is no C compiler here")
RACE_FREE = "#include <assert.h>\nint main(void) { assert(1 + 1 == 2); return 0; }\n"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    monkeypatch.chdir(folder)


def place(answer: dict[str, Any]) -> tuple[object, ...]:
    error = answer["error"]
    return error["in"], error["line"], error["column"]


def test_an_answer() -> None:
    answer = run_here(SB, model="tso")
    assert (answer["verdict"], answer["exit_code"], answer["error"]) == ("ALLOWED", 0, None)
    assert answer["model"] == "tso" and "Observation program Sometimes 1 3" in answer["text"]
    assert answer["sentence"].startswith("Under tso, some execution ends with")
    assert answer["html"].startswith("<!DOCTYPE html>")
    assert "hybrid verify program.prog --model tso" in answer["html"]
    assert run_here(SB, model="sc")["verdict"] == "FORBIDDEN"


def test_a_report_that_takes_too_long_leaves_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> str:
        while True:
            pass

    monkeypatch.setattr("hybrid.serve.run._report", endless)
    monkeypatch.setattr("hybrid.serve.run.REPORT_SECONDS", 0.1)
    answer = run_here(SB, model="tso")
    assert answer["verdict"] == "ALLOWED" and answer["text"] and not answer["html"]


def test_a_violation_has_its_exit_code() -> None:
    answer = run_here(SB.replace("exists", "~exists"), model="tso")
    assert (answer["verdict"], answer["exit_code"]) == ("VIOLATED", 1)


def test_engine_and_oracle() -> None:
    answer = run_here(SB, model="tso", engine="rsmc", oracle="z3")
    assert answer["verdict"] == "ALLOWED" and "oracle z3" in answer["text"]
    assert run_here(SB, model="power", engine="odpor")["error"]["message"]


def test_all_engines_compared() -> None:
    answer = run_here(SB, model="tso", engine="all", unroll=2)
    assert (answer["verdict"], answer["word"], answer["exit_code"]) == ("HOLDS", "EQUAL", 0)
    assert "enumerate" in answer["text"] and "bmc:sat" in answer["text"]
    assert "hybrid crosscheck program.prog --model tso --unroll 2" in answer["html"]


def test_an_outcome_explained() -> None:
    answer = run_here(SB, model="sc", outcome="P:r0 = 0 /\\ Q:r1 = 0")
    assert (answer["verdict"], answer["exit_code"]) == ("FORBIDDEN", 0)
    assert "Forbidden by axiom" in answer["text"] and "cycle" in answer["html"]
    answer = run_here(SB, model="sc", outcome="P:r0 = 1")
    assert answer["verdict"] == "ALLOWED"
    assert "hybrid explain program.prog --model sc --outcome" in answer["html"]
    error = run_here(SB, outcome="P:r7 = ")["error"]
    assert error["in"] is None and "outcome" in error["rendered"]


def test_a_litmus_test_has_the_model_of_its_architecture() -> None:
    answer = run_here(text_of_test("ppc/MP+syncs.litmus") or "", ".litmus", name="MP+syncs")
    assert (answer["verdict"], answer["model"]) == ("FORBIDDEN", "power")


def test_a_model_of_ones_own() -> None:
    cat = '"mine"\ninclude "cos.cat"\nacyclic po | rf | co | fr as mine\n'
    assert run_here(SB, cat=cat)["verdict"] == "FORBIDDEN"
    assert run_here(SB, cat='"free"\nacyclic po-loc | rf | co | fr as coherent\n')["verdict"] == (
        "ALLOWED"
    )


def test_the_place_of_an_error() -> None:
    assert place(run_here("x = 0\nthread P: L0: x := ;\n")) == ("program", 2, 20)
    assert place(run_here(SB, cat='"mine"\nacyclic po | nothing as a\n')) == ("model", 2, 14)
    text = (text_of_test("ppc/MP+syncs.litmus") or "").replace("lwz", "lwzz", 1)
    answer = run_here(text, ".litmus")
    assert place(answer)[0] == "program" and answer["error"]["line"] > 1
    assert answer["exit_code"] == 2 and "lwzz" in answer["error"]["rendered"]


def test_an_error_without_a_place() -> None:
    assert run_here("")["error"]["message"]
    error = run_here(SB, engine="trust", model="power")["error"]
    assert error["in"] is None and "trust" in error["message"]


@needs_compiler
def test_c() -> None:
    answer = run_here(RACE_FREE, ".c")
    assert (answer["verdict"], answer["model"]) == ("HOLDS", "rc20")
    wrong = RACE_FREE.replace("1 + 1", "1 + + nothing")
    answer = run_here(wrong, ".c")
    assert place(answer) == ("program", 2, 31) and "undeclared" in answer["error"]["message"]
    answer = run_here(wrong.replace("int main", "/* ¹²³ */ int main"), ".c")
    assert place(answer) == ("program", 2, 41)  # characters, not bytes


@needs_compiler
def test_a_bundled_program_finds_its_header() -> None:
    text = text_of_test("programs/trust/lastzero-5.c") or ""
    assert '#include "lastzero.h"' in text
    assert run_here(text, ".c", folder="programs/trust")["error"] is None
    assert run_here(text, ".c")["error"]["message"].startswith("'lastzero.h' file not found")


@pytest.mark.large
def test_a_time_limit() -> None:
    answer = run_here(ENDLESS, seconds=0.5)
    assert (answer["verdict"], answer["exit_code"]) == ("INCONCLUSIVE", 3)
    assert answer["partial"] == "time-out after 0.5 s"


def test_ctrl_c_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is how the server stops a run."""
    inner = explore.make

    class Interrupting:
        """An engine until its third trace."""

        def __init__(self, configuration: Any) -> None:
            self._engine = inner(configuration)
            self.name, self.counters = self._engine.name, self._engine.counters

        def explore(self, *given: Any) -> Iterator[Any]:
            for number, trace in enumerate(self._engine.explore(*given)):
                if number == 3:
                    raise KeyboardInterrupt
                yield trace

    monkeypatch.setattr(explore, "make", Interrupting)
    answer = run_here(ENDLESS, model="sc", engine="enumerate")
    assert (answer["verdict"], answer["partial"]) == ("INCONCLUSIVE", "interrupted")
    assert "Traces 3" in answer["text"] and answer["html"]


# ---- texts that name files


@pytest.mark.parametrize(
    "include",
    ["{path}", "../secret.cat", "./secret.cat", "secret.cat", "include/cos.cat", "{path}x"],
)
def test_models_include_only_bundled_ones(tmp_path: Path, include: str) -> None:
    path = secret_file(tmp_path, "secret.cat")
    secret_file(Path(), "secret.cat")  # nor one that happens to lie in the folder of the run
    answer = run_here(SB, cat=f'"mine"\ninclude "{include.format(path=path)}"\n')
    assert place(answer) == ("model", 2, 9)
    assert "cannot" in answer["error"]["message"] and SECRET not in str(answer)


def test_an_included_model_that_is_not_a_model(tmp_path: Path) -> None:
    path = secret_file(tmp_path, "secret.txt")
    answer = run_here(SB, cat=f'"mine"\ninclude "{path}"\n')
    assert answer["error"]["in"] == "model" and SECRET not in str(answer)


def test_expectations_do_not_read_models(tmp_path: Path) -> None:
    path = secret_file(tmp_path, "secret.cat")
    for text in (f"{SB}expect {path}: ALLOWED\n", f'{SB}expect "{path}": ALLOWED\n'):
        answer = run_here(text)
        assert answer["error"] is not None or answer["verdict"] == "ALLOWED"
        assert SECRET not in str(answer)


@pytest.mark.parametrize("kind", [".prog", ".litmus"])
def test_programs_include_nothing(tmp_path: Path, kind: str) -> None:
    path = secret_file(tmp_path, "secret.h")
    for line in (f'#include "{path}"', f'include "{path}"', f"@{path}", f"//@ flags -I{path}"):
        text = f"{line}\n{SB}" if kind == ".prog" else f'PPC t\n"{line}"\n{line}\n{{}}\n'
        with_it = run_here(text, kind)
        path.unlink()
        without = run_here(text, kind)  # the same, whether the file is there or not
        secret_file(tmp_path, "secret.h")
        assert SECRET not in str(with_it) and with_it["error"] == without["error"]


@needs_compiler
@pytest.mark.parametrize(
    "line",
    [
        '#include "{path}"',
        '#line 1 "{path}"',
        "//@ flags -include {path}",
        '#if __has_include("{path}")\n#error there\n#endif',
    ],
)
def test_c_includes_headers_only(tmp_path: Path, line: str) -> None:
    path = secret_file(tmp_path, "secret.h")
    answer = run_here(f"{line.format(path=path)}\n{RACE_FREE}", ".c")
    assert answer["error"]["in"] == "program" and answer["error"]["line"] == 1
    assert SECRET not in str(answer) and "error: there" not in str(answer)
