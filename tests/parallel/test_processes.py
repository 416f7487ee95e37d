"""Explorations by several processes, interrupted, killed and resumed: the totals stay the same."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from support import model, program

from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.execution.trace import Trace
from hybrid.frontend import generators
from hybrid.parallel import processes
from hybrid.parallel.checkpoint import Checkpoint
from hybrid.parallel.coordinator import Coordinator
from hybrid.parallel.processes import Processes
from hybrid.parallel.summarise import summarise_parallel
from hybrid.parallel.unit import Worker
from hybrid.parallel.work import Job, Part, WorkUnit
from hybrid.program.program import Program
from hybrid.report.tally import Tally
from hybrid.verdict import Verdict

pytestmark = pytest.mark.large

PAUSE = 0.001  # seconds after each trace: a unit has a hundred of them, however fast the kernel is
LASTZERO = 9  # (n + 3) * 2 ** (n - 2) traces
TRACES = (LASTZERO + 3) * 2 ** (LASTZERO - 2)
UNROLL = 20


def lastzero(size: int = LASTZERO) -> Program:
    return program(generators.lastzero(size))


def job(text: Program, engine: str = "rsmc") -> Job:
    return Job(text, model("sc"), replace(parse_configuration(engine), unroll=UNROLL))


def slow_down(patch: pytest.MonkeyPatch) -> None:
    """Workers then take their time, so that there is some to interrupt and to kill them."""
    add = Tally.add

    def add_and_wait(tally: Tally, trace: Trace) -> None:
        add(tally, trace)
        time.sleep(PAUSE)

    patch.setattr(Tally, "add", add_and_wait)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_down(monkeypatch)


@pytest.mark.parametrize("engine", ["rsmc", "trust"])
def test_two_processes(engine: str) -> None:
    result = summarise_parallel(job(lastzero(), engine), Limits(UNROLL), 2)
    assert (result.traces, result.counters.complete) == (TRACES, TRACES)
    assert not result.partial and not result.messages


@pytest.mark.usefixtures("slow")
def test_a_killed_process_loses_nothing() -> None:
    of = job(lastzero())
    workers = Processes(of, 2)
    killed: list[int] = []

    def kill_one(coordinator: Coordinator) -> None:
        if not killed and coordinator.tally.result.traces > 50 and coordinator.out:
            killed.append(workers.pids[0])
            os.kill(workers.pids[0], signal.SIGKILL)

    result = summarise_parallel(of, Limits(UNROLL), workers, tick=kill_one)
    assert killed
    assert result.traces == TRACES


@pytest.mark.parametrize(
    ("trouble", "said"),
    [("raise MemoryError", "out of memory"), ("os._exit(9)", "ended with exit code 9")],
)
def test_workers_that_always_die(
    trouble: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(worker: Worker, unit: WorkUnit) -> Part:
        exec(trouble)
        raise AssertionError

    monkeypatch.setattr(Worker, "__call__", fail)
    file = tmp_path / "point.json"
    result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)
    assert result.answer is Verdict.INCONCLUSIVE
    assert result.partial.startswith("20 workers were lost one after the other")
    assert result.partial.endswith(said)
    monkeypatch.undo()
    result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)
    assert (result.traces, result.partial) == (TRACES, "")


@pytest.mark.usefixtures("slow")
def test_too_many_processes() -> None:
    """Workers come as there is work; these take long enough with theirs that more are needed."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    spare = os.dup(0)
    os.close(spare)
    workers = Processes(job(lastzero()), 50)
    try:
        for more in (12, 13, 14, 15):  # whatever needs the one too many
            resource.setrlimit(resource.RLIMIT_NOFILE, (spare + more, before[1]))
            with pytest.raises(InputError, match=r"cannot start worker process .*open files"):
                summarise_parallel(job(lastzero()), Limits(UNROLL), workers)
            assert not workers.pids
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("slow")
def test_the_first_answer_stops_the_rest(tmp_path: Path) -> None:
    text = program(generators.lastzero(12) + "\nexists (a[1] = 1)")
    file = tmp_path / "point.json"
    result = summarise_parallel(job(text), Limits(UNROLL), 2, first=True, checkpoint=file)
    assert result.answer is Verdict.ALLOWED
    assert result.partial == "stopped at the first answer"
    assert result.traces < 15360
    again = summarise_parallel(job(text), Limits(UNROLL), 2, first=True, checkpoint=file)
    assert (again.answer, again.partial, again.traces) == (
        result.answer,
        result.partial,
        result.traces,
    )


@pytest.mark.usefixtures("slow")
def test_the_deadline_leaves_a_partial_result_and_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "point.json"
    total = 0
    rounds = 0
    while True:
        limits = Limits(UNROLL, time.monotonic() + 0.5)
        result = summarise_parallel(job(lastzero()), limits, 2, checkpoint=file)
        rounds += 1
        assert result.traces >= total
        total = result.traces
        if not result.partial:
            break
        assert result.partial.startswith("time-out")
    assert rounds > 1 and total == TRACES
    again = summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)
    assert (again.traces, again.partial) == (TRACES, "")


_RUN = """
import sys
from pathlib import Path
sys.path[:0] = {paths!r}
import pytest
from test_processes import job, lastzero, slow_down
from hybrid.engine.api import Limits
from hybrid.parallel import summarise as parallel
parallel.EVERY = 0.1
slow_down(pytest.MonkeyPatch())
parallel.summarise_parallel(job(lastzero()), Limits({unroll}), 2, checkpoint=Path({file!r}))
"""


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "point.json"
    here = Path(__file__).parent
    paths = [str(here), str(here.parent)]
    code = _RUN.format(paths=paths, unroll=UNROLL, file=str(file))
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            if file.exists() and json.loads(file.read_text())["counts"]["traces"] > 20:
                break
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    seen = json.loads(file.read_text())["counts"]["traces"]
    assert 20 < seen <= TRACES
    result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)
    assert (result.traces, result.partial) == (TRACES, "")


@pytest.mark.usefixtures("slow")
def test_an_interrupt_while_a_part_is_counted_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "point.json"
    take_in = Coordinator._take_in
    sent: list[int] = []

    def interrupt_and_take_in(coordinator: Coordinator, part: Part) -> None:
        if len(sent) < 4 and len(part.left.tasks) > 1:
            sent.append(len(part.left.tasks))
            os.kill(os.getpid(), signal.SIGINT)
        take_in(coordinator, part)

    monkeypatch.setattr(Coordinator, "_take_in", interrupt_and_take_in)
    for _ in range(4):
        result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)
        if not result.partial:
            break
        assert result.partial == "interrupted"
    result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)
    assert sent and (result.traces, result.partial) == (TRACES, "")


_forks: list[int] = []  # who gets a Ctrl-C at the next fork
os.register_at_fork(after_in_parent=lambda: _forks and os.kill(_forks.pop(), signal.SIGINT))


def test_an_interrupt_while_a_process_is_started() -> None:
    _forks.append(os.getpid())
    try:
        result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2)
    finally:
        _forks.clear()
    assert result.partial == "interrupted"


def test_an_interrupt_in_a_new_process(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = processes._serve

    def interrupted(pipe: Connection, others: list[Connection], of: Job, parent: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        serve(pipe, others, of, parent)

    monkeypatch.setattr(processes, "_serve", interrupted)
    result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2)
    assert (result.traces, result.partial, result.messages) == (TRACES, "", [])
    assert capfd.readouterr().err == ""


def test_a_full_disk_costs_the_checkpoint_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "point.json"
    save = Checkpoint._write
    left = [1]  # writings that succeed

    def fill(checkpoint: Checkpoint, text: str) -> None:
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left.pop()
        save(checkpoint, text)

    monkeypatch.setattr(Checkpoint, "_write", fill)
    result = summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)
    assert (result.traces, result.partial) == (TRACES, "")
    assert f"cannot write the checkpoint {file}: No space left on device" in result.messages[0]
    assert json.loads(file.read_text())["counts"]["traces"] == 0
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(InputError, match="cannot write the checkpoint"):
        summarise_parallel(job(lastzero()), Limits(UNROLL), 2, checkpoint=file)


def test_a_checkpoint_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="it is not a file"):
        summarise_parallel(job(lastzero()), Limits(UNROLL), 1, checkpoint=tmp_path / "pipe")


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "point.json"
    small = program("x = 0; thread P: A: x := 1; thread Q: B: r := x; exists (Q:r = 1)")
    result = summarise_parallel(job(small), Limits(UNROLL), 1, checkpoint=file)
    assert (result.answer, result.traces) == (Verdict.ALLOWED, 2)
    again = summarise_parallel(job(small), Limits(UNROLL), 1, checkpoint=file)
    assert again.witness is not None and result.witness is not None
    assert again.witness.data() == result.witness.data()
    with pytest.raises(InputError, match="of another run: program"):
        summarise_parallel(job(lastzero()), Limits(UNROLL), 1, checkpoint=file)
    other = program("x = 0; thread P: A: x := 1; thread Q: B: r := x; exists (Q:r = 0)")
    with pytest.raises(InputError, match="the program or the model has changed"):
        summarise_parallel(job(other), Limits(UNROLL), 1, checkpoint=file)
    whole = json.loads(file.read_text())
    for damage in (
        "{",
        "[]",
        json.dumps(whole | {"tasks": [3]}),
        json.dumps(whole | {"counts": {}}),
    ):
        file.write_text(damage)
        with pytest.raises(InputError, match="cannot be used"):
            summarise_parallel(job(small), Limits(UNROLL), 1, checkpoint=file)


_SETTINGS = """
import sys
from pathlib import Path
sys.path[:0] = {paths!r}
from test_processes import job
from hybrid.parallel.summarise import settings_of
from hybrid.frontend.load import load_program
print(settings_of(job(load_program(Path(sys.argv[1])))))
"""


def test_a_checkpoint_is_of_the_same_run_in_every_process_and_folder(tmp_path: Path) -> None:
    text = "x = 0; thread P: A: r := lr(x) @acq @Q; B: s := sc(x, 1) @rel @L; exists (P:r = 1)"
    (tmp_path / "tags.prog").write_text(text)
    here = Path(__file__).parent
    code = _SETTINGS.format(paths=[str(here), str(here.parent)])
    found = {
        subprocess.run(
            [sys.executable, "-c", code, name],
            cwd=tmp_path,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(here.parents[1])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, name in (
            ("1", "tags.prog"),
            ("2", "tags.prog"),
            ("3", str(tmp_path / "tags.prog")),
        )
    }
    assert len(found) == 1
