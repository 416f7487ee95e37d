"""Workers of a Dask cluster (M. Rocklin, "Dask", SciPy 2015), which exists already: `--cluster
ADDRESS` names its scheduler.

The scheduler itself gives the unit of a worker that is gone to another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import pickle
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from hybrid.engine.api import Stopped
from hybrid.errors import InputError, InternalError
from hybrid.parallel.coordinator import Gone, Lost
from hybrid.parallel.unit import Worker
from hybrid.parallel.work import Job, Part, WorkUnit
from hybrid.versions import __version__

INSTALL = "pip install 'hybrid-mc[cluster]'"

_FAREWELL: Final = 5.0  # seconds to wait for a scheduler that does not answer
_ASK: Final = 2.0  # seconds between looks for workers
_PATIENCE: Final = 60.0  # seconds without any, after which none are expected
# as text, since it runs where hybrid may be missing
_VERSION: Final = "__import__('hybrid').__version__"
_NAP: Final = 0.005  # seconds between looks at what has come in

_workers: dict[tuple[str, int], Worker] = {}  # on a worker, by job and thread: the last one


class Cluster:
    """The workers of the scheduler at an address."""

    def __init__(self, job: Job, address: str, name: str, seconds: float = 10.0) -> None:
        """`name` tells the job from others; `seconds` is how long to wait for the scheduler and a
        first worker."""
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise InputError("--cluster needs Dask, which is not installed", hint=INSTALL) from None
        self._distributed = distributed
        self._units: dict[int, Any] = {}  # futures by number
        self._address = address
        try:
            self._client = distributed.Client(address, timeout=seconds)
        except Stopped:
            raise
        except Exception as error:  # of many kinds: the address is for Dask to understand
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(
                f"no cluster answers at {address}: {why}",
                hint="expected the address of a scheduler, as tcp://HOST:8786",
            ) from None
        try:
            self._look_around(seconds)
        except BaseException as error:
            self.close()
            if isinstance(error, Gone):
                raise InputError(str(error)) from None
            raise
        # It goes with every unit, as bytes: what a cluster is given to keep is gone with the worker
        # that keeps it.
        self._job = pickle.dumps(job)
        self._name = name
        self._handed = 0
        self._asked = self._seen = (
            time.monotonic()
        )  # when workers were asked for, and when there were some

    def _look_around(self, seconds: float) -> None:
        """Complains if there are no workers, or if hybrid is missing or another one somewhere: a
        unit would end such a worker."""
        try:
            self._client.wait_for_workers(1, timeout=seconds)
        except TimeoutError:
            raise InputError(
                f"the scheduler at {self._address} has no workers",
                hint=f"start some where hybrid is installed: dask worker {self._address}",
            ) from None
        with self._asking():
            found = self._client.run(eval, _VERSION, on_error="return")
            try:
                found["scheduler"] = self._client.run_on_scheduler(eval, _VERSION)
            except ImportError as error:
                found["scheduler"] = error
        for where, version in found.items():
            who = f"the {where}" if where == "scheduler" else f"the worker at {where}"
            if version != __version__:
                has = (
                    f"has hybrid {version}" if isinstance(version, str) else "does not find hybrid"
                )
                raise InputError(
                    f"{who} {has}, this is hybrid {__version__}",
                    hint=f"the scheduler and all workers need the same version: {INSTALL}",
                )

    def _look_for_workers(self) -> None:
        now = time.monotonic()
        if now - self._asked < _ASK:
            return
        with self._asking():
            there = bool(self._client.nthreads())
        self._asked = now
        if there:
            self._seen = now
        elif now - self._seen > _PATIENCE:
            raise Gone(f"the scheduler at {self._address} has had no workers for {_PATIENCE:g} s")

    @property
    def capacity(self) -> int:
        with self._asking():
            threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except (KeyboardInterrupt, Stopped):
            raise
        except (Exception, asyncio.CancelledError):  # of many kinds, as the connection breaks
            raise Gone(f"the scheduler at {self._address} does not answer any more") from None

    def wait_for(self, workers: int, seconds: float) -> None:
        """Waits until so many workers are there."""
        self._client.wait_for_workers(workers, timeout=seconds)

    def busy(self) -> list[str]:
        """The names of the workers that have something to do."""
        info = self._client.scheduler_info(n_workers=-1)["workers"]
        working: dict[str, Any] = self._client.processing()
        return sorted(
            str(info[each]["name"]) for each, units in working.items() if units and each in info
        )

    def submit(self, unit: WorkUnit) -> int:
        self._handed += 1
        with self._asking():
            self._units[self._handed] = self._client.submit(
                explore_unit, self._job, self._name, unit, __version__, pure=False, retries=3
            )
        return self._handed

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
        self._look_for_workers()
        end = time.monotonic() + seconds
        while True:
            done = [(number, f) for number, f in self._units.items() if f.status != "pending"]
            if done or time.monotonic() > end:
                break
            time.sleep(_NAP)
        for number, _ in done:
            del self._units[number]
        return [(number, self._part(future)) for number, future in done]

    def _part(self, future: Any) -> Part | Lost:
        if future.status == "finished":
            with self._asking():
                part = future.result()
            assert isinstance(part, Part)
            return part
        error = None
        if future.status == "error":
            with self._asking():
                error = future.exception()
        if error is None or isinstance(error, self._distributed.KilledWorker):
            return Lost(f"the cluster lost it ({future.status})")
        if isinstance(error, InputError):
            raise error
        raise InternalError(f"a worker of the cluster failed: {type(error).__name__}: {error}")

    def close(self) -> None:
        with contextlib.suppress(Exception, asyncio.CancelledError):
            for future in self._units.values():
                future.cancel()
            self._client.close(timeout=_FAREWELL)


def explore_unit(job: bytes, name: str, unit: WorkUnit, version: str) -> Part:
    """Runs on a worker of the cluster."""
    if version != __version__:
        raise InputError(f"a worker of the cluster has hybrid {__version__}, this is {version}")
    place = (name, threading.get_ident())
    worker = _workers.get(place)
    if worker is None:
        for other in [key for key in _workers if key[1] == place[1]]:
            del _workers[other]
        worker = _workers[place] = Worker(pickle.loads(job))
    return worker(unit)
