"""One queue: jobs run one after the other, and can be stopped before and while they run."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from serve_helpers import SB

from hybrid.serve import jobs as module
from hybrid.serve.answers import Answer, unfinished
from hybrid.serve.jobs import JobQueue, JobState, QueuedRun, QueueFull
from hybrid.serve.process import RunLimits
from hybrid.serve.request import RunRequest

ASKED = RunRequest(".prog", SB)


class Slow:
    """A run that ends when it is stopped, or `free` is set."""

    running = 0
    most = 0
    free = threading.Event()

    def __init__(self, asked: RunRequest, limits: RunLimits) -> None:
        self._stop = threading.Event()

    def stop(self) -> None:
        self._stop.set()

    def wait(self) -> Answer:
        Slow.running += 1
        Slow.most = max(Slow.most, Slow.running)
        while not self._stop.is_set() and not Slow.free.is_set():
            time.sleep(0.005)
        Slow.running -= 1
        return unfinished("stopped" if self._stop.is_set() else "free")


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    Slow.free.clear()
    Slow.most = 0
    monkeypatch.setattr(module, "RunProcess", Slow)
    found = JobQueue(RunLimits(1, 1))
    yield found
    found.close()


def started(job: QueuedRun) -> None:
    deadline = time.monotonic() + 10
    while job.state is JobState.WAITING and time.monotonic() < deadline:
        time.sleep(0.005)
    assert job.state is not JobState.WAITING


def test_one_after_the_other(queue: JobQueue) -> None:
    first, second, third = (queue.add(ASKED) for _ in range(3))
    started(first)
    assert [queue.before(job) for job in (first, second, third)] == [0, 1, 2]
    Slow.free.set()
    assert all(job.ended.wait(10) for job in (first, second, third))
    assert Slow.most == 1
    assert all(job.answer is not None and job.answer["partial"] == "free" for job in (first, third))


def test_stopping(queue: JobQueue) -> None:
    first, second, third = (queue.add(ASKED) for _ in range(3))
    started(first)
    queue.stop(second)
    assert second.state is JobState.DONE and queue.before(third) == 1
    queue.stop(first)
    assert first.ended.wait(10) and first.answer == unfinished("stopped")
    started(third)
    queue.stop(third)
    assert third.ended.wait(10)
    queue.stop(third)  # once more does no harm


def test_a_queue_has_an_end(queue: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    started(queue.add(ASKED))
    queue.add(ASKED)
    queue.add(ASKED)
    with pytest.raises(QueueFull):
        queue.add(ASKED)


def test_old_answers_are_forgotten(queue: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    Slow.free.set()
    jobs = []
    for _ in range(4):
        jobs.append(queue.add(ASKED))
        assert jobs[-1].ended.wait(10)
    assert [queue.find(job.number) is not None for job in jobs] == [False, False, True, True]
    assert len({job.number for job in jobs}) == 4 and queue.find("1") is None


def test_what_nobody_asks_about_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    Slow.free.clear()
    monkeypatch.setattr(module, "RunProcess", Slow)
    monkeypatch.setattr(module, "FORGOTTEN", 0.2)
    queue = JobQueue(RunLimits(1, 1))
    kept, lost = queue.add(ASKED), queue.add(ASKED)
    for _ in range(100):
        queue.find(kept.number)
        if lost.ended.wait(0.01):
            break
    assert lost.state is JobState.DONE and kept.state is JobState.RUNNING
    assert kept.ended.wait(10) and kept.answer == unfinished("stopped")
    queue.close()


def test_closing(queue: JobQueue) -> None:
    first, second = queue.add(ASKED), queue.add(ASKED)
    started(first)
    queue.close()
    assert first.state is second.state is JobState.DONE
    with pytest.raises(QueueFull):
        queue.add(ASKED)


def test_a_run_that_cannot_start_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Slow):
        def wait(self) -> Answer:
            raise OSError("no processes left")

    monkeypatch.setattr(module, "RunProcess", Broken)
    queue = JobQueue(RunLimits(1, 1))
    jobs = [queue.add(ASKED), queue.add(ASKED)]  # and the queue goes on
    assert all(job.ended.wait(10) for job in jobs)
    assert jobs[1].answer is not None and "no processes left" in str(jobs[1].answer["error"])
    queue.close()
