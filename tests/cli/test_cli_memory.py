"""`--max-memory`: the limit ends a run as a time-out does, wherever it is reached, with what was
found so far."""

from __future__ import annotations

import json
import mmap
from pathlib import Path

import pytest
from cli_helpers import Hybrid, write

from hybrid import memory
from hybrid.api import inputs
from hybrid.cli import options
from hybrid.errors import Stopped
from hybrid.memory import MemoryReached, memory_limit, out_of_memory, resident
from hybrid.time_limit import time_limit

pytestmark = pytest.mark.large

REACHED = "memory limit of 500 MB reached"


def test_memory_that_grows_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory._State, "first", None)  # what earlier tests left counts here
    held: list[mmap.mmap] = []  # pages of their own: an allocator may have some left to give out
    with pytest.raises(Stopped) as stop, memory_limit(resident() + 50_000_000):
        while len(held) < 1000:
            held.append(_megabyte())
            sum(range(20_000))
    assert stop.value.told.startswith("memory limit of ")
    assert 40 < len(held) < 1000
    with memory_limit(None):
        held.extend(_megabyte() for _ in range(60))


def test_within_a_time_limit_it_is_not_told_as_a_time_out() -> None:
    with pytest.raises(MemoryReached) as stop, time_limit(60), memory_limit(1_000_000):
        while True:
            pass
    assert stop.value.told == "memory limit of 1 MB reached"


def _megabyte() -> mmap.mmap:
    pages = mmap.mmap(-1, 1_000_000)
    pages.write(b"x" * 1_000_000)
    return pages


def test_what_an_earlier_run_left_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    has = [100]
    monkeypatch.setattr(memory, "resident", lambda: has[0])
    monkeypatch.setattr(memory._State, "first", None)
    with memory_limit(150):
        memory._look(0, None)
        has[0] = 200
        with pytest.raises(MemoryReached):
            memory._look(0, None)
    with memory_limit(150):
        memory._look(0, None)
        has[0] = 260
        with pytest.raises(MemoryReached):
            memory._look(0, None)


@pytest.mark.parametrize(
    "engine",
    [
        *("enumerate", "rsmc", "trust", "trust-linear", "revisit", "stateful"),
        *("bmc --oracle z3", "bmc --oracle sat", "rsmc --oracle z3", "rsmc --oracle pysat"),
    ],
)
def test_every_engine_stops(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """The memory grows beyond the limit with the first look at it."""
    looks = iter(range(0, 10**12, 600_000_000))
    monkeypatch.setattr(memory, "resident", lambda: next(looks))
    monkeypatch.setattr(memory, "LOOK", 0.01)
    options = ("--model", "sc", "--engine", *engine.split(), "--max-memory", "500M", "--json")
    run = hybrid.on("verify", "many", *options)
    found = json.loads(run.out)
    assert (run.code, found["verdict"], found["partial"]) == (3, "INCONCLUSIVE", REACHED)
    assert "rror" not in run.err


def test_z3_gives_up_at_the_limit(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "resident", lambda: 0)  # nobody else looks
    options = ("--model", "sc", "--engine", "bmc", "--oracle", "z3", "--max-memory", "1M")
    run = hybrid.on("verify", "many", *options, "--json")
    found = json.loads(run.out)
    assert (run.code, found["partial"]) == (3, "memory limit of 1 MB reached")
    assert hybrid.on("verify", "sb", "--model", "sc", "--engine", "bmc").code == 0


@pytest.mark.large
def test_several_processes(hybrid: Hybrid) -> None:
    point = str(hybrid.folder / "point")
    options = ("--model", "sc", "--engine", "trust", "-j", "2", "--max-memory", "1M")
    run = hybrid.on("verify", "many", *options, "--checkpoint", point, "--json")
    found = json.loads(run.out)
    assert (run.code, found["partial"]) == (3, "memory limit of 1 MB reached")
    # Without the limit it goes on; to its end would take an hour.
    rest = ("--checkpoint", point, "--json", "--timeout", "3")
    again = json.loads(hybrid.on("verify", "many", *options[:-2], *rest).out)
    assert "time-out" in again["partial"] and again["traces"] > found.get("traces", 0)


@pytest.mark.large
def test_the_other_verbs(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "resident", lambda: 10**12)
    monkeypatch.setattr(memory._State, "first", 0)
    monkeypatch.setattr(memory, "LOOK", 0.001)
    monkeypatch.setattr(memory, "over", lambda limit: limit is not None)
    limit = ("--model", "sc", "--max-memory", "500M")
    run = hybrid.on("explain", "many", *limit)
    assert run.code == 3 and REACHED in run.out + run.err
    run = hybrid.on("trace", "many", "--number", "100000", *limit)
    assert run.code == 3 and REACHED in run.out + run.err
    run = hybrid.on("crosscheck", "many", *limit, "--engines", "enumerate,rsmc", "--json")
    assert run.code == 3 and REACHED in run.out
    run = hybrid("fuzz", *limit, "--count", "2")
    assert run.code == 3 and "not finished: the time limit, or the memory" in run.out


def test_reading_is_limited_too(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: Path, *rest: object) -> None:
        raise MemoryReached(500_000_000)

    monkeypatch.setattr(inputs, "load_program", read)
    run = hybrid("verify", *write(hybrid.folder, "sb"), "--max-memory", "500M")
    assert run.code == 3 and f"Partial result: {REACHED}" in run.out


@pytest.mark.parametrize(
    ("text", "value"),
    [("500M", 500 * 10**6), ("2G", 2 * 10**9), ("1.5GB", 1_500_000_000), ("2000000", 2_000_000)],
)
def test_sizes(text: str, value: int) -> None:
    assert options.memory(text) == value


@pytest.mark.parametrize("text", ["", "0", "-1G", "M", "5X", "1e9", "nan", "10", "٣G", "9" * 50])
def test_what_is_not_a_size(hybrid: Hybrid, text: str) -> None:
    run = hybrid.on("verify", "sb", f"--max-memory={text}")
    assert run.code == 2 and "is not a size of at least 1 MB" in run.err


def test_other_errors_are_not_taken_for_it() -> None:
    assert out_of_memory(ValueError("out of memory")) == ""
    assert out_of_memory(MemoryError()) == "out of memory"
