"""Checkpoints that are damaged, forged or of another program: refused in plain words, never
believed, never a crash."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import model, program

from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.frontend.generators import lastzero
from hybrid.parallel import coordinator
from hybrid.parallel.checkpoint import CHECK, _checksum
from hybrid.parallel.coordinator import Coordinator
from hybrid.parallel.summarise import summarise_parallel
from hybrid.parallel.work import Job
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.verdict import Verdict
from hybrid.versions import CHECKPOINT

pytestmark = pytest.mark.large

UNROLL = 20
CLAIM = "forall (a1 >= 0)"
ENGINES = ("rsmc", "trust")


@cache
def text(size: int = 8) -> Program:
    return program(lastzero(size))


def job(engine: str, of: Program | None = None, unroll: int = UNROLL) -> Job:
    return Job(of or text(), model("sc"), replace(parse_configuration(engine), unroll=unroll))


def run(of: Job, file: Path, limits: Limits | None = None) -> Result:
    return summarise_parallel(of, limits or of.configuration.limits(), 1, checkpoint=file)


@cache
def whole(engine: str) -> Result:
    return summarise_parallel(job(engine), Limits(UNROLL), 1)


@cache
def unfinished(engine: str) -> dict[str, Any]:
    """What a run leaves that was interrupted early."""
    import tempfile

    file = Path(tempfile.mkdtemp()) / "point"

    def interrupt(run: Coordinator) -> None:
        if run.tally.result.traces and run.progress.tasks:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coordinator, "SHORT", 0.005)  # so that a fast machine is not done after one
        result = summarise_parallel(job(engine), Limits(UNROLL), 1, checkpoint=file, tick=interrupt)
    assert (result.answer, result.saved) == (Verdict.INCONCLUSIVE, str(file))
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert len(found["tasks"]) > 1 and 0 < found["counts"]["traces"] < whole(engine).traces
    return found


def sealed(found: dict[str, Any]) -> str:
    """The text of a forged checkpoint, with a checksum that fits."""
    content = {name: value for name, value in found.items() if name != CHECK}
    content[CHECK] = _checksum(content)
    return json.dumps(content)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_result_that_goes_on_says_so(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "point"
    file.write_text(sealed(unfinished(engine)), encoding="utf-8")
    result = run(job(engine), file)
    expected = whole(engine)
    assert (result.answer, result.traces) == (expected.answer, expected.traces)
    assert result.outcomes == expected.outcomes
    assert result.continued == str(file)
    assert any("goes on from the checkpoint" in message for message in result.messages)
    again = run(job(engine), file)
    assert (again.answer, again.traces, again.continued) == (
        expected.answer,
        expected.traces,
        str(file),
    )
    assert not whole(engine).continued and not whole(engine).messages


Change = Callable[[dict[str, Any]], object]


def change_task(found: dict[str, Any], place: int, value: Any) -> None:
    found["tasks"][-1][place] = value


FORGERIES: dict[str, Change] = {
    "no tasks": lambda found: found.update(tasks=[]),
    "a task less": lambda found: found["tasks"].pop(),
    "a task twice": lambda found: found["tasks"].append(found["tasks"][0]),
    "one of them for another": lambda found: found["tasks"].__setitem__(0, found["tasks"][1]),
    "a task of another kind": lambda found: change_task(found, 1, ["some"]),
    "a task with a text": lambda found: found["tasks"].__setitem__(0, ["a", "b"]),
    "an empty task": lambda found: found["tasks"].__setitem__(0, []),
    "a number for a task": lambda found: found["tasks"].__setitem__(0, 3),
    "a path to nowhere": lambda found: change_task(found, 0, [[0, 10**6, 0, 0, 0, 0, 0]]),
    "a path backwards": lambda found: change_task(found, 0, [[0, -1, 0]]),
    "a deep task": lambda found: change_task(found, 0, json.loads("[" * 300 + "]" * 300)),
    "more traces": lambda found: found["counts"].update(traces=10**6),
    "fewer traces": lambda found: found["counts"].update(traces=0),
    "negative traces": lambda found: found["counts"].update(traces=-1),
    "half a trace": lambda found: found["counts"].update(traces=1.5),
    "true traces": lambda found: found["counts"].update(traces=True),
    "more complete ones": lambda found: found["counters"].update(complete=10**6),
    "satisfying ones": lambda found: found["counts"].update(satisfying=1),
    "failing ones": lambda found: found["counts"].update(failing=1),
    "errors": lambda found: found["counters"].update(errors=1),
    "no states": lambda found: found["counts"].update(outcomes=[]),
    "states of other terms": lambda found: found["counts"]["outcomes"][0][0].append(1),
    "states that are not numbers": lambda found: found["counts"]["outcomes"].append([["a"], 0]),
    "flags": lambda found: found["counts"].update(flags={"race": 1}),
    "an offence": lambda found: found["counts"].update(offence={}),
    "seconds": lambda found: found.update(seconds=-1.0),
    "endless seconds": lambda found: found.update(seconds=float("inf")),
    "a list for counts": lambda found: found.update(counts=[]),
    "no counters": lambda found: found.pop("counters"),
    "offers": lambda found: found.update(taken=["xyz"]),
    "another engine": lambda found: found["settings"].update(engine="other"),
    "other settings": lambda found: found.update(settings=[]),
    "another bound": lambda found: found["settings"].update(unroll="3"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_refused(engine: str, name: str, tmp_path: Path) -> None:
    found = copy.deepcopy(unfinished(engine))
    FORGERIES[name](found)
    file = tmp_path / "point"
    file.write_text(sealed(found), encoding="utf-8")
    with pytest.raises(InputError, match="cannot be used"):
        run(job(engine), file)


@pytest.mark.parametrize("engine", ENGINES)
def test_tasks_of_another_program_are_refused(engine: str, tmp_path: Path) -> None:
    """The counts and the settings are those of this program, the tasks are not."""
    other = program(
        "x = 0; y = 0\nthread P: x := 1; r := y;\nthread Q: y := 1; s := x;\nexists (P:r = 0)"
    )
    file = tmp_path / "point"
    run(job(engine, other), file)
    found = json.loads(file.read_text(encoding="utf-8"))
    found["tasks"] = unfinished(engine)["tasks"]
    found["made"] = found["explored"] + len(found["tasks"])
    file.write_text(sealed(found), encoding="utf-8")
    with pytest.raises(InputError, match="cannot be used"):
        run(job(engine, other), file)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_traces_to_show_are_judged_again(engine: str, tmp_path: Path) -> None:
    of = program("x = 0\nthread P: A: x := 1;\nthread Q: B: r := x;\nforall (Q:r = 1)")
    file = tmp_path / "point"
    result = run(job(engine, of), file)
    assert result.answer is Verdict.VIOLATED
    assert run(job(engine, of), file).answer is Verdict.VIOLATED
    good = file.read_text(encoding="utf-8")
    for what, value in (
        ("rf", [[[1, 0], [0, 0]]]),
        ("status", "error"),
        ("registers", [{}, {"r": 5}]),
    ):
        found = json.loads(good)
        found["counts"]["offence"][what] = value
        file.write_text(sealed(found), encoding="utf-8")
        with pytest.raises(InputError, match="cannot be used"):
            run(job(engine, of), file)


def test_the_bound_and_the_model_are_those_of_the_run(tmp_path: Path) -> None:
    file = tmp_path / "point"
    file.write_text(sealed(unfinished("trust")), encoding="utf-8")
    with pytest.raises(InputError, match="unroll is 20 there and 19 here"):
        run(job("trust", unroll=19), file)
    with pytest.raises(InputError, match="of another run"):
        run(job("trust", text(7)), file)


DAMAGE = {
    "empty": "",
    "two headers": sealed({"kind": "hybrid checkpoint", "version": CHECKPOINT}) * 2,
    "a pickle": "cos\nsystem\n(S'touch pickled'\ntR.",
    "deep": "[" * 100_000,
    "a list": "[]",
    "null": "null",
    "NaN": "NaN",
    "no fields": sealed({"kind": "hybrid checkpoint", "version": CHECKPOINT}),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_is_not_a_checkpoint(name: str, tmp_path: Path) -> None:
    file = tmp_path / "point"
    file.write_text(DAMAGE[name], encoding="utf-8")
    with pytest.raises(InputError, match="cannot be used"):
        run(job("trust"), file)
    assert file.read_text(encoding="utf-8") == DAMAGE[name]


def test_flipped_bits_and_missing_ends(tmp_path: Path) -> None:
    file = tmp_path / "point"
    good = sealed(unfinished("trust")).encode()
    chance = random.Random(5)
    for _ in range(60):
        data = bytearray(good)
        if chance.random() < 0.5:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        else:
            del data[chance.randrange(len(data)) :]
        file.write_bytes(data)
        with pytest.raises(InputError):
            run(job("trust"), file)
