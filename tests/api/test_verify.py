"""`hybrid.verify` and what it gives back: states, verdicts, traces, witnesses; limits; errors."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import hybrid
from hybrid import Verdict
from hybrid.api import inputs
from hybrid.data import bundled
from hybrid.execution.trace import key_of
from hybrid.time_limit import _does_harm

MP = str(bundled("litmus") / "classic" / "MP.prog")
LONG = "\n".join(
    [
        "x = 0",
        *(f"thread P{i}: r0 := x; x := {i}; r1 := x; x := r1 + 1; r2 := x;" for i in range(6)),
    ]
)
SHARED = "\n".join(["x = 0", *(f"thread P{i}: r := x; x := {i};" for i in range(4))])
HEAVY = ("z3", "lark", "networkx", "pysat", "hybrid.api", "hybrid.cli", "hybrid.engine")


def test_a_question() -> None:
    found = hybrid.verify(MP, model="power")
    assert found.verdict is Verdict.ALLOWED and found.conclusive and found.exit_code == 0
    assert found.count == 4 and found.observation == "Sometimes"
    assert [state.traces for state in found.states] == [1, 1, 1, 1]
    assert [dict(state.values) for state in found.states if state.satisfies] == [
        {"Q:r0": 1, "Q:r1": 0}
    ]
    assert found.states[0]["Q:r0"] == 0
    assert (found.partial, found.faults, found.waiting) == ("", (), None)


def test_results_are_frozen() -> None:
    found = hybrid.verify(MP, "tso")
    for each in (found, found.states[0], hybrid.explain(MP, "tso"), next(found.traces)):
        name = dataclasses.fields(each)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(each, name, 1)
    with pytest.raises(TypeError):
        found.states[0].values["Q:r0"] = 7  # type: ignore[index]


def test_the_witness() -> None:
    witness = hybrid.verify(MP, "power").witness
    assert witness is not None and witness.status == "complete"
    assert dict(witness.state) == {"Q:r0": 1, "Q:r1": 0}
    assert dict(witness.memory) == {"x": 1, "y": 1} and witness.registers["Q:r0"] == 1
    assert ElementTree.fromstring(witness.svg()).tag.endswith("svg")
    assert witness.dot().startswith("digraph") and "L0[0]" in witness.table()
    assert json.loads(witness.json())["program"]
    assert "rf" in witness.text() and str(witness) == witness.text()


@pytest.mark.large
def test_a_witness_is_saved_and_replayed(tmp_path: Path) -> None:
    witness = hybrid.verify(MP, "power").witness
    assert witness is not None
    path = tmp_path / "mp.json"
    witness.save(str(path))
    command = [sys.executable, "-m", "hybrid", "replay", str(path)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    with pytest.raises(hybrid.InputError, match="extension"):
        witness.save(str(tmp_path / "mp.png"))


@pytest.mark.parametrize("engine", ["auto", "enumerate", "rsmc", "bmc"])
def test_traces_are_those_that_are_counted(engine: str) -> None:
    found = hybrid.verify(MP, "power", engine=engine)
    keys = [key_of(trace.data) for trace in found.traces]
    assert len(keys) == len(set(keys)) == found.count == 4
    states = [dict(trace.state) for trace in found.traces]
    assert all(dict(state.values) in states for state in found.states)


def test_filtered_traces_do_not_count() -> None:
    text = "x = 0 thread P: x := 1; thread Q: r := x; filter (Q:r = 1) exists (x = 1)"
    found = hybrid.verify(hybrid.parse(text), "sc")
    assert found.count == len(list(found.traces)) == 1


def test_traces_come_one_by_one() -> None:
    found = hybrid.verify(hybrid.parse(LONG), "sc", limit=3)
    assert found.count == 3 and found.verdict is Verdict.INCONCLUSIVE
    start = time.monotonic()
    first = next(iter(found.traces))
    assert first.status == "complete" and time.monotonic() - start < 20


def test_a_fault_has_its_place() -> None:
    found = hybrid.verify(hybrid.parse("x = 0\nthread P: x := 1;\nthread Q: r := x; assert r = 0;"))
    assert found.verdict is Verdict.VIOLATED and found.exit_code == 1
    assert [(fault.kind, fault.line) for fault in found.faults] == [("assertion", 3)]


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "options"), [("classic/MP.prog", ["--model", "power"]), ("ppc/MP.litmus", [])]
)
def test_what_the_command_line_says(name: str, options: list[str], tmp_path: Path) -> None:
    path = tmp_path / Path(name).name  # away from known answers
    path.write_bytes((bundled("litmus") / name).read_bytes())
    found = hybrid.verify(path, *options[1:])
    command = [sys.executable, "-m", "hybrid", "verify", str(path), *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    strip = [line for line in run.stdout.splitlines() if not line.startswith("Time")]
    assert [line for line in str(found).splitlines() if not line.startswith("Time")] == strip
    run = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    theirs, ours = json.loads(run.stdout), found.json()
    del theirs["seconds"], ours["seconds"]
    assert ours == theirs


@pytest.mark.large
def test_by_several_processes() -> None:
    program = hybrid.parse(SHARED)
    alone = hybrid.verify(program, "sc", engine="rsmc")
    shared = hybrid.verify(program, "sc", engine="rsmc", jobs=2)
    perhaps = hybrid.verify(program, "sc", engine="rsmc", jobs="auto")
    assert (alone.states, alone.count) == (shared.states, shared.count)
    assert (alone.states, alone.count) == (perhaps.states, perhaps.count)
    assert shared.notes == () and len(list(shared.traces)) == shared.count


@pytest.mark.large
def test_a_c_program(tmp_path: Path) -> None:
    pytest.importorskip("ziglang")
    (tmp_path / "lib.h").write_text("#include <assert.h>\nstatic void f(void) { assert(N); }\n")
    path = tmp_path / "a.c"
    path.write_text('#include "lib.h"\nint main(void) { f(); return 0; }\n', encoding="utf-8")
    found = hybrid.verify(path, flags=["-DN=0"])
    (fault,) = found.faults
    assert (fault.file, fault.line, fault.thread) == (str(tmp_path / "lib.h"), 2, "main")
    assert hybrid.verify(path, flags=["-DN=1"]).verdict is Verdict.HOLDS
    with pytest.raises(hybrid.InputError, match="undeclared"):
        hybrid.verify(path)


def test_for_notebooks() -> None:
    program = hybrid.parse("x = 0\nthread P: x := 1;\nexists (x = 1)", name="<b>bold")
    found = hybrid.verify(program, "sc")
    assert found.report().startswith("<!DOCTYPE html>") and "ALLOWED" in found.report()
    page = found._repr_html_()
    assert "&lt;b&gt;bold" in page and "<b>bold" not in page
    assert "ALLOWED" in page and "<td>1 *</td>" in page and "data:image/svg+xml;base64," in page
    assert "<pre>" in hybrid.explain(program, "sc")._repr_html_()
    assert "EQUAL" in hybrid.crosscheck(program, "sc", engines="enumerate,rsmc")._repr_html_()


# Models


def test_a_model_from_text() -> None:
    model = hybrid.Model.from_text("acyclic po | rf | co | fr as mine", name="strict")
    assert model.name == "strict" and model.axioms == ("mine",) and model.flags == ()
    found = hybrid.verify(MP, model)
    assert (found.verdict, found.model) == (Verdict.FORBIDDEN, "strict")
    assert [axiom.name for axiom in hybrid.explain(MP, model).axioms] == ["mine"]
    assert hybrid.crosscheck(MP, model, engines="enumerate,rsmc").agree


def test_a_model_by_name_and_by_path() -> None:
    by_name = hybrid.Model.load("tso")
    by_path = hybrid.Model.load(bundled("encodings") / "tso.cat")
    assert by_name.core == by_path.core and "race" in hybrid.Model.load("rc11").flags
    assert hybrid.verify(MP, by_name).verdict is Verdict.FORBIDDEN


def test_an_error_in_a_model_has_its_place() -> None:
    with pytest.raises(hybrid.InputError) as caught:
        hybrid.Model.from_text("let x = po\nacyclic poo as mine", name="bad")
    error = caught.value
    assert (error.file, error.line, error.column) == ("<bad>", 2, 9)
    assert error.hint and "poo" in error.message


def test_includes_of_a_model(tmp_path: Path) -> None:
    (tmp_path / "own.cat").write_text("let order = po | rf | co | fr\n", encoding="utf-8")
    text = 'include "own.cat"\nacyclic order as mine'
    with pytest.raises(hybrid.InputError, match="included file"):
        hybrid.Model.from_text(text)
    assert hybrid.Model.from_text(text, folder=tmp_path).axioms == ("mine",)


def test_a_model_from_text_reads_no_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "out.cat").write_text("let order = po | rf | co | fr\n", encoding="utf-8")
    (folder / "out.cat").symlink_to(tmp_path / "out.cat")
    (folder / "in.cat").write_text('include "cos.cat"\ninclude "sub/on.cat"\n', encoding="utf-8")
    (folder / "sub" / "on.cat").write_text('include "../deep.cat"\n', encoding="utf-8")
    (folder / "deep.cat").write_text("let order = po | rf | co | fr\n", encoding="utf-8")
    (folder / "up.cat").write_text('include "../out.cat"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def read(name: str, folder: Path | None) -> hybrid.Model:
        text = f'include "{name}"\nacyclic order as mine'
        return hybrid.Model.from_text(text, folder=folder)

    for name in (str(tmp_path / "out.cat"), "out.cat", "./out.cat"):
        with pytest.raises(hybrid.InputError, match=r"hybrid's own files|cannot find"):
            read(name, None)
    for name in (str(tmp_path / "out.cat"), "../out.cat", "sub/../../out.cat", "out.cat", "up.cat"):
        with pytest.raises(hybrid.InputError, match="cannot include") as caught:
            read(name, folder)
        assert caught.value.hint == f"files of {folder} can be included, and hybrid's own"
    with pytest.raises(hybrid.InputError, match="cannot find the included file"):
        read("gone.cat", folder)
    assert read("in.cat", folder).axioms == ("mine",)
    assert hybrid.Model.load(folder / "up.cat").axioms == ()  # a file that the user names


# Input


def test_an_error_in_a_program_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.prog"
    path.write_text("x = 0\nthread P: x = 1;\n", encoding="utf-8")
    for ask in (hybrid.verify, hybrid.explain, hybrid.crosscheck, hybrid.load):
        with pytest.raises(hybrid.InputError) as caught:
            ask(path)
        error = caught.value
        assert (error.file, error.line, error.column) == (str(path), 2, 13)
        assert error.hint == "memory and registers are assigned with `:=`"


def test_an_error_without_a_place() -> None:
    with pytest.raises(hybrid.InputError) as caught:
        hybrid.verify("nowhere.prog")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("", 0, 0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"engine": "rsmx"}, "rsmx"),
        ({"oracle": "z4"}, "z4"),
        ({"model": "powr"}, "powr"),
        ({"unroll": -1}, "unroll: -1"),
        ({"unroll": True}, "unroll: True"),
        ({"timeout": 0}, "timeout: 0"),
        ({"timeout": float("nan")}, "timeout: nan"),
        ({"limit": 0}, "limit: 0"),
        ({"timeout": "1"}, "timeout: '1'"),
        ({"jobs": 0}, "jobs: 0"),
        ({"jobs": "many"}, "jobs: 'many'"),
        ({"expect": "FORBIDEN"}, "FORBIDEN"),
        ({"loops": "never"}, "never"),
        ({"races": "maybe"}, "maybe"),
        ({"flags": ["-DN=3"]}, "none of the files is in C"),
    ],
)
def test_bad_options(options: dict[str, object], told: str) -> None:
    with pytest.raises(hybrid.InputError, match=told):
        hybrid.verify(MP, **options)  # type: ignore[arg-type]


def test_messages_name_keywords() -> None:
    for options, told in (
        ({"memory": "linear", "engine": "rsmc"}, "memory is for engine trust, not for rsmc"),
        ({"clang": "/nowhere"}, "clang: none of the files is in C or C++"),
    ):
        with pytest.raises(hybrid.InputError) as caught:
            hybrid.verify(MP, "tso", **options)  # type: ignore[arg-type]
        assert caught.value.message == told and told in str(caught.value)
    with pytest.raises(hybrid.InputError, match=r"^error: memory is for engine"):
        hybrid.explain(MP, "tso", memory="linear", engine="rsmc")
    with pytest.raises(hybrid.InputError, match=r"^error: clang: none"):
        hybrid.crosscheck(MP, "tso", clang="/nowhere")


def test_an_option_that_there_is_not() -> None:
    with pytest.raises(TypeError, match="engine"):
        hybrid.verify(MP, enigne="rsmc")  # type: ignore[call-arg]


def test_an_expected_answer() -> None:
    found = hybrid.verify(MP, "power", expect="forbidden")
    assert (found.answer, found.exit_code) == (Verdict.ALLOWED, 1)
    assert hybrid.verify(MP, "power", expect="ALLOWED").exit_code == 0
    assert hybrid.verify(MP, "power", expect=Verdict.ALLOWED).exit_code == 0
    assert hybrid.verify(MP, "power", expect=Verdict.FORBIDDEN).exit_code == 1
    for word in ("PERHAPS", Verdict.DISAGREE, 1):
        with pytest.raises(hybrid.InputError, match="verdict"):
            hybrid.verify(MP, "power", expect=word)  # type: ignore[arg-type]


@pytest.mark.parametrize("copied", [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy])
def test_results_can_be_copied(copied: Callable[[Any], Any]) -> None:
    found = hybrid.verify(MP, "power")
    again: hybrid.Verified = copied(found)
    assert again == found
    assert (again.text(), again.json()) == (found.text(), found.json())
    assert [trace.state for trace in again.traces] == [trace.state for trace in found.traces]
    with pytest.raises(dataclasses.FrozenInstanceError):
        again.states[0].traces = 7  # type: ignore[misc]
    with pytest.raises(TypeError):
        again.states[0].values["x"] = 7  # type: ignore[index]
    model = hybrid.Model.from_text("acyclic po | rf | co | fr as mine")
    others = [hybrid.explain(MP, "power"), hybrid.crosscheck(MP, "power", engines="rsmc"), model]
    assert [copied(other) for other in others] == others


def test_texts() -> None:
    litmus = (bundled("litmus") / "ppc" / "MP+syncs.litmus").read_text(encoding="utf-8")
    assert hybrid.verify(hybrid.parse(litmus, "litmus")).verdict is Verdict.FORBIDDEN
    with pytest.raises(hybrid.InputError, match="no language"):
        hybrid.parse(litmus, "ppc")


def test_a_program_that_is_read_is_not_compiled() -> None:
    with pytest.raises(hybrid.InputError, match="read already"):
        hybrid.verify(hybrid.load(MP), flags=["-DN=3"])


def test_a_string_is_no_list() -> None:
    with pytest.raises(hybrid.InputError, match=r"flags: .*list") as caught:
        hybrid.verify("a.c", flags="-DN=1 -O1")
    assert caught.value.hint == "flags=['-DN=1', '-O1']"
    with pytest.raises(hybrid.InputError, match=r"link: .*list") as caught:
        hybrid.load("a.c", link="my b.c")
    assert caught.value.hint == "link=['my b.c']"


# Limits


@pytest.mark.large
def test_a_time_limit_gives_a_partial_result() -> None:
    start = time.monotonic()
    found = hybrid.verify(hybrid.parse(LONG), "sc", timeout=1, engine="rsmc")
    assert time.monotonic() - start < 10
    assert found.verdict is Verdict.INCONCLUSIVE and not found.conclusive and found.exit_code == 3
    assert found.partial.startswith("time-out") and found.count > 0


@pytest.mark.large
def test_a_time_limit_in_another_thread() -> None:
    """There are no timers there, but engines look at the clock."""
    found: list[hybrid.Verified] = []
    program = hybrid.parse(LONG)
    work = threading.Thread(
        target=lambda: found.append(hybrid.verify(program, "sc", timeout=1, engine="rsmc"))
    )
    work.start()
    work.join(60)
    assert found and found[0].verdict is Verdict.INCONCLUSIVE


def test_a_time_limit_before_the_exploration(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> None:
        time.sleep(20)

    monkeypatch.setattr(inputs, "load_program", slow)
    found = hybrid.verify("wide.prog", "power", timeout=0.05)
    assert found.verdict is Verdict.INCONCLUSIVE and found.partial == "time-out after 0.05 s"
    assert (found.name, found.model, found.result, found.count) == ("wide", "-", None, 0)
    assert "Partial result" in str(found) and found.json()["verdict"] == "INCONCLUSIVE"
    with pytest.raises(TimeoutError, match="not explored"):
        next(found.traces)
    with pytest.raises(TimeoutError, match="reading"):
        hybrid.load("wide.prog", timeout=0.05)


@pytest.mark.large
def test_traces_that_take_too_long() -> None:
    found = hybrid.verify(hybrid.parse(LONG), "sc", timeout=0.5, engine="rsmc")
    with pytest.raises(TimeoutError):
        for _ in found.traces:
            pass


def test_the_callers_own_timer_stays() -> None:
    def mine(*_: object) -> None: ...

    before = signal.signal(signal.SIGALRM, mine)
    try:
        hybrid.verify(MP, "power", timeout=5)
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


def test_no_exception_where_it_would_only_be_reported() -> None:
    """Python tells of an exception in what a weak reference calls, and goes on."""
    for name, harm in (("_weakrefset", True), ("z3.z3core", True), ("mine", False)):
        module = {"__name__": name, "sys": sys}
        exec("frame = sys._getframe()", module)
        assert _does_harm(module["frame"]) is harm  # type: ignore[arg-type]


INTERRUPTED = """
import os, signal, sys, threading, hybrid
from hybrid.report.tally import Tally

def counted(self, trace, add=Tally.add):
    seen.set()
    add(self, trace)

def interrupt():
    seen.wait()
    os.kill(os.getpid(), signal.SIGINT)

seen, Tally.add = threading.Event(), counted
threading.Thread(target=interrupt).start()
program = hybrid.parse(open(sys.argv[1]).read())
try:
    found = hybrid.verify(program, "sc", engine="rsmc", keep_partial=len(sys.argv) > 2)
except KeyboardInterrupt:
    print("raised")
else:
    print(found.verdict.value, found.partial, found.count > 0)
"""


@pytest.mark.large
@pytest.mark.parametrize(
    ("more", "told"), [([], "raised\n"), (["partial"], "INCONCLUSIVE interrupted True\n")]
)
def test_ctrl_c(tmp_path: Path, more: list[str], told: str) -> None:
    path = tmp_path / "long.prog"
    path.write_text(LONG, encoding="utf-8")
    command = [sys.executable, "-c", INTERRUPTED, str(path), *more]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr) == (told, "")


# The package


def test_importing_is_light() -> None:
    code = f"import sys, hybrid; print([n for n in {HEAVY} if n in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_all_names_are_there() -> None:
    for name in hybrid.__all__:
        assert getattr(hybrid, name) is not None
    assert set(dir(hybrid)) == set(hybrid.__all__)
    with pytest.raises(AttributeError, match="verfy"):
        hybrid.verfy  # type: ignore[attr-defined]  # noqa: B018


def test_functions_are_not_hidden_by_packages() -> None:
    from hybrid.crosscheck import compare
    from hybrid.explain import search

    assert callable(hybrid.explain) and callable(hybrid.crosscheck)
    assert callable(compare.crosscheck) and callable(search.search)


NOISY = """
import hybrid
hybrid.verify("{mp}", "power"); hybrid.explain("{mp}", "tso"); hybrid.crosscheck("{mp}", "sc")
for wrong in ({{"model": "x"}}, {{"engine": "y"}}):
    try:
        hybrid.verify("{mp}", **wrong)
    except hybrid.InputError:
        pass
"""


@pytest.mark.large
def test_nothing_is_printed() -> None:
    """Not even on a terminal, where the command line shows how far it has come."""
    import pty

    reader, writer = pty.openpty()
    code = NOISY.format(mp=MP)
    run = subprocess.run([sys.executable, "-c", code], stdout=writer, stderr=writer, check=False)
    os.close(writer)
    try:
        written = os.read(reader, 1000)
    except OSError:  # as Linux says that nothing more comes
        written = b""
    os.close(reader)
    assert (run.returncode, written) == (0, b"")
