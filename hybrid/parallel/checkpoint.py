"""A file from which an exploration that was ended goes on: the tasks that are left and what was
counted so far.

It is JSON, replaced as a whole every few seconds, so that whatever moment the process dies at
leaves a file that can be used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, astuple, fields
from pathlib import Path
from typing import Any, Final

from hybrid.engine.api import Counters
from hybrid.errors import InputError
from hybrid.execution.trace import Event, Status, StrayAccess, TraceData, Wait
from hybrid.files import DATA_BYTES, is_file, read_bytes
from hybrid.parallel.coordinator import ExplorationProgress
from hybrid.program.program import Program
from hybrid.report.sightings import Sighting
from hybrid.report.tally import Counts
from hybrid.versions import CHECKPOINT, check_version

KIND: Final = "hybrid checkpoint"
CHECK: Final = "check"  # the field that holds a checksum of all others
CONTENT: Final = "content"  # the setting that stands for the whole program and the whole model
EVERY: Final = 5.0  # seconds between two writings

_PAIRS: Final = ("addr", "data", "ctrl", "pick", "amo", "lxsx")


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, separators=(",", ":"))


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.blake2b(_text(content).encode(), digest_size=16).hexdigest()


class Checkpoint:
    """The file at `path`; `settings` are what a run must share with the one that wrote it."""

    def __init__(self, path: Path, settings: dict[str, Any], program: Program) -> None:
        self.path = path
        self.settings = settings
        self.program = program

    def load(self) -> tuple[ExplorationProgress, Counts] | None:
        """What the file holds; None when there is none yet."""
        try:
            os.stat(self.path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise self.fault(getattr(error, "strerror", None) or str(error)) from None
        if not is_file(self.path):
            raise InputError(f"{self.path} cannot be a checkpoint: it is not a file")
        data = read_bytes(self.path, DATA_BYTES)
        try:
            found = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            raise self.fault("it is not JSON text") from None
        if not isinstance(found, dict) or found.get("kind") != KIND:
            raise self.fault("it was not written by hybrid")
        check_version(
            f"the checkpoint {self.path}",
            found.get("version"),
            CHECKPOINT,
            "give another file, or remove this one to begin anew",
        )
        if found.pop(CHECK, None) != _checksum(found):
            raise self.fault("it is damaged")
        there = found.get("settings")
        for name, value in self.settings.items():
            other = there.get(name) if isinstance(there, dict) else None
            if other != value:
                what = f"{name} is {other} there and {value} here"
                if name == CONTENT:
                    what = "the program or the model has changed"
                raise self.fault(f"it is of another run: {what}")
        try:
            return self._progress(found), self._counts(found["counts"])
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
            raise self.fault("it is damaged") from None

    def save(
        self, progress: ExplorationProgress, tasks: list[Any], counts: Counts, seconds: float
    ) -> None:
        """`tasks` are all that are not counted; `seconds` is the time of the exploration so far."""
        content: dict[str, Any] = {
            "kind": KIND,
            "version": CHECKPOINT,
            "settings": self.settings,
            "seconds": seconds,
            "lost": progress.lost,
            "made": progress.made,
            "explored": progress.explored,
            "counters": asdict(progress.counters),
            "counts": _counts_as_json(counts),
            "tasks": tasks,
            "taken": sorted(mark.hex() for mark in progress.taken),
        }
        content[CHECK] = _checksum(content)
        try:
            self._write(_text(content))
        except OSError as error:
            why = error.strerror or error
            raise InputError(f"cannot write the checkpoint {self.path}: {why}") from None

    def _write(self, text: str) -> None:
        new = self.path.with_name(self.path.name + ".new")
        try:
            new.write_text(text, encoding="utf-8")
            os.replace(new, self.path)
        except BaseException:
            with contextlib.suppress(OSError):
                new.unlink()
            raise

    def fault(self, why: str) -> InputError:
        return InputError(
            f"the checkpoint {self.path} cannot be used: {why}",
            hint="give another file, or remove this one to begin anew",
        )

    def _progress(self, found: dict[str, Any]) -> ExplorationProgress:
        counters = Counters(
            **{each.name: _number(found["counters"][each.name]) for each in fields(Counters)}
        )
        tasks = _as_tuples(found["tasks"])
        if not all(isinstance(task, tuple) for task in tasks):
            raise ValueError("a task is not a list")
        return ExplorationProgress(
            list(tasks),
            {bytes.fromhex(mark) for mark in found["taken"]},
            counters,
            float(found["seconds"]),
            _number(found["lost"]),
            _number(found["made"]),
            _number(found["explored"]),
        )

    def _counts(self, found: dict[str, Any]) -> Counts:
        return Counts(
            {tuple(map(_number, outcome)): _number(n) for outcome, n in found["outcomes"]},
            _number(found["traces"]),
            _number(found["filtered"]),
            _number(found["satisfying"]),
            _number(found["failing"]),
            {str(flag): _number(traces) for flag, traces in found["flags"].items()},
            self._trace(found["offence"]),
            str(found["offence_is"]),
            self._trace(found["example"]),
            self._trace(found["race"]),
            {_as_tuples(cut): _number(runs) for cut, runs in found["cuts"]},
            self._trace(found["waiting"]),
            {
                (str(kind), str(file), _number(line), str(which)): Sighting(*seen)
                for (kind, file, line, which), seen in found["sites"]
            },
            _number(found["mixed"]),
            self._trace(found["mixing"]),
        )

    def _trace(self, found: dict[str, Any] | None) -> TraceData | None:
        if found is None:
            return None
        pairs: dict[str, Any] = {name: frozenset(_as_tuples(found[name])) for name in _PAIRS}
        return TraceData(
            program=self.program,
            events=tuple(
                Event(tuple(id_), kind, label, address, value, frozenset(tags))
                for id_, kind, label, address, value, tags in found["events"]
            ),
            rf=dict(_as_tuples(found["rf"])),
            co={address: _as_tuples(stores) for address, stores in found["co"]},
            registers=tuple(dict(each) for each in found["registers"]),
            memory=dict(_as_tuples(found["memory"])),
            failed=tuple(found["failed"]),
            status=Status(found["status"]),
            error=str(found["error"]),
            run=_as_tuples(found["run"]),
            flags=tuple(found["flags"]),
            cut=_as_tuples(found["cut"]),
            waiting=tuple(Wait(*each) for each in found["waiting"]),
            strays=tuple(StrayAccess(*each) for each in found["strays"]),
            **pairs,
        )


def _counts_as_json(counts: Counts) -> dict[str, Any]:
    return {
        "outcomes": [[list(outcome), traces] for outcome, traces in counts.outcomes.items()],
        "traces": counts.traces,
        "filtered": counts.filtered,
        "satisfying": counts.satisfying,
        "failing": counts.failing,
        "flags": counts.flags,
        "offence": _trace_as_json(counts.offence),
        "offence_is": counts.offence_is,
        "example": _trace_as_json(counts.example),
        "race": _trace_as_json(counts.race),
        "cuts": [[cut, runs] for cut, runs in counts.cuts.items()],
        "waiting": _trace_as_json(counts.waiting),
        "sites": [[site, astuple(seen)] for site, seen in counts.sites.items()],
        "mixed": counts.mixed,
        "mixing": _trace_as_json(counts.mixing),
    }


def _trace_as_json(data: TraceData | None) -> dict[str, Any] | None:
    if data is None:
        return None
    content: dict[str, Any] = {name: sorted(getattr(data, name)) for name in _PAIRS}
    content |= {
        "events": [
            [event.id, event.kind, event.label, event.address, event.value, sorted(event.tags)]
            for event in data.events
        ],
        "rf": sorted(data.rf.items()),
        "co": sorted(data.co.items()),
        "registers": [dict(each) for each in data.registers],
        "memory": sorted(data.memory.items()),
        "failed": data.failed,
        "status": data.status.value,
        "error": data.error,
        "run": data.run,
        "flags": data.flags,
        "cut": data.cut,
        "waiting": [list(astuple(wait)) for wait in data.waiting],
        "strays": [list(astuple(stray)) for stray in data.strays],
    }
    return content


def _number(found: Any) -> int:
    if type(found) is not int:
        raise TypeError("not a whole number")
    return found


def _as_tuples(found: Any) -> Any:
    """Lists, at any depth, as tuples."""
    return tuple(_as_tuples(each) for each in found) if isinstance(found, list) else found
