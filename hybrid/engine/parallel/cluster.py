"""Workers of a Dask cluster (M. Rocklin, "Dask", SciPy 2015), which exists already: `--cluster ADDRESS` names its scheduler.

The scheduler itself gives the unit of a worker that is gone to another one.
"""

from __future__ import annotations

import importlib
import pickle
import threading
import time
from typing import Any, Final

from hybrid import __version__
from hybrid.engine.parallel.coordinator import Lost
from hybrid.engine.parallel.unit import Worker
from hybrid.engine.parallel.work import Job, Part, Unit
from hybrid.errors import InputError, InternalError

INSTALL = "pip install 'hybrid-mc[cluster]'"

_NAP: Final = 0.005  # seconds between looks at what has come in

_workers: dict[tuple[str, int], Worker] = {}  # on a worker, by job and thread: the last one


class Cluster:
    """The workers of the scheduler at an address."""

    def __init__(self, job: Job, address: str, name: str, seconds: float = 10.0) -> None:
        """`name` tells the job from others; `seconds` is how long to wait for the scheduler and a first worker."""
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise InputError("--cluster needs Dask, which is not installed", hint=INSTALL) from None
        self._distributed = distributed
        try:
            self._client = distributed.Client(address, timeout=seconds)
            self._client.wait_for_workers(1, timeout=seconds)
        except (OSError, TimeoutError, ValueError) as error:
            message = f"no cluster answers at {address}: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
            raise InputError(
                message, hint="expected the address of a scheduler, as tcp://HOST:8786"
            ) from None
        # It goes with every unit, as bytes: what a cluster is given to keep is gone with the worker that keeps it.
        self._job = pickle.dumps(job)
        self._name = name
        self._units: dict[int, Any] = {}  # futures by number
        self._handed = 0

    @property
    def capacity(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

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

    def submit(self, unit: Unit) -> int:
        self._handed += 1
        self._units[self._handed] = self._client.submit(
            explore_unit, self._job, self._name, unit, __version__, pure=False, retries=3
        )
        return self._handed

    def wait(self, seconds: float) -> list[tuple[int, Part | Lost]]:
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
            part = future.result()
            assert isinstance(part, Part)
            return part
        error = future.exception() if future.status == "error" else None
        if error is None or isinstance(error, self._distributed.KilledWorker):
            return Lost(f"the cluster lost it ({future.status})")
        if isinstance(error, InputError):
            raise error
        raise InternalError(f"a worker of the cluster failed: {type(error).__name__}: {error}")

    def close(self) -> None:
        for future in self._units.values():
            future.cancel()
        self._client.close()


def explore_unit(job: bytes, name: str, unit: Unit, version: str) -> Part:
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
