"""A real Dask scheduler and real workers on the loopback; one worker is killed in mid-run."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_processes import UNROLL, job, lastzero

from hybrid.engine.api import Limits
from hybrid.errors import InputError
from hybrid.parallel import cluster as cluster_module
from hybrid.parallel.cluster import Cluster
from hybrid.parallel.coordinator import Coordinator
from hybrid.parallel.summarise import job_name, summarise_parallel

pytestmark = pytest.mark.large

HOST = "127.0.0.1"


class Loopback:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes = [
            self._start(
                "dask_scheduler",
                *("--host", HOST, "--port", "0", "--no-dashboard", "--dashboard-address", ":0"),
            )
        ]
        end = time.monotonic() + 60
        while not self.file.exists() and time.monotonic() < end:
            time.sleep(0.05)
        for number in range(workers):
            self.processes.append(
                self._start(
                    "dask_worker",
                    *("--name", f"worker {number}"),
                    *("--host", HOST, "--nthreads", "1", "--nworkers", "1", "--no-nanny"),
                    *("--no-dashboard", "--local-directory", str(folder)),
                )
            )

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def _start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        return subprocess.Popen(
            [*command, "--scheduler-file", str(self.file)],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture
def loopback(tmp_path: Path) -> Iterator[Loopback]:
    cluster = Loopback(tmp_path, 2)
    yield cluster
    cluster.close()


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[Loopback]:
    cluster = Loopback(tmp_path, 0)
    yield cluster
    cluster.close()


@pytest.mark.large
def test_a_killed_worker_loses_nothing(loopback: Loopback) -> None:
    of = job(lastzero(10))
    cluster = Cluster(of, loopback.address, job_name(of), seconds=60)
    cluster.wait_for(2, 60)
    killed: list[int] = []

    def kill_one(coordinator: Coordinator) -> None:
        busy = cluster.busy()
        if not killed and coordinator.tally.result.traces > 50 and busy:
            number = int(busy[0].split()[1])
            killed.append(number)
            loopback.processes[1 + number].send_signal(signal.SIGKILL)

    result = summarise_parallel(of, Limits(UNROLL), cluster, tick=kill_one)
    assert killed
    assert (result.traces, result.counters.complete, result.partial) == (3328, 3328, "")


def test_nobody_answers() -> None:
    of = job(lastzero())
    with pytest.raises(InputError, match="no cluster answers at tcp"):
        Cluster(of, "tcp://127.0.0.1:1", job_name(of), seconds=0.5)


def test_nobody_works(idle: Loopback) -> None:
    of = job(lastzero())
    with pytest.raises(InputError, match="has no workers"):
        Cluster(of, idle.address, job_name(of), seconds=2)


def test_an_address_that_dask_cannot_use() -> None:
    of = job(lastzero())
    with pytest.raises(InputError, match="no cluster answers at tls"):
        Cluster(of, "tls://127.0.0.1:1", job_name(of), seconds=0.5)


@pytest.mark.large
def test_another_version_and_a_scheduler_that_dies(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    of = job(lastzero(13))
    with monkeypatch.context() as other:
        other.setattr(cluster_module, "__version__", "0.0")
        with pytest.raises(InputError, match=r"the worker at tcp.* this is hybrid 0\.0"):
            Cluster(of, loopback.address, job_name(of), seconds=60)
    cluster = Cluster(of, loopback.address, job_name(of), seconds=60)
    cluster._client._timeout = 1  # to come back to the scheduler
    file = tmp_path / "point.json"

    def kill_it(coordinator: Coordinator) -> None:
        if coordinator.tally.result.traces > 20:
            loopback.processes[0].kill()

    result = summarise_parallel(of, Limits(UNROLL), cluster, checkpoint=file, tick=kill_it)
    assert result.partial.endswith("does not answer any more")
    assert 20 < result.traces < 32768
    assert json.loads(file.read_text())["counts"]["traces"] == result.traces
