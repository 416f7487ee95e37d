"""One exploration by several processes or on a cluster, or saved as it goes: what is asked for, and
whether an engine can do it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.catalogue.engines import ENTRIES, entry_of
from hybrid.engine.api import Counters, Limits
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.model.core import Model
from hybrid.program.program import Program
from hybrid.report.progress import Progress
from hybrid.report.result import Result
from hybrid.report.screen import terminal
from hybrid.report.watch import watch_for

if TYPE_CHECKING:
    from hybrid.parallel.coordinator import Coordinator, Workers


@dataclass(slots=True)
class _Shown:
    """What the progress line shows."""

    counters: Counters


def divisible() -> str:
    """The names of the engines whose work can be shared out."""
    return ", ".join(entry.name for entry in ENTRIES if entry.divisible)


@dataclass(frozen=True, slots=True)
class Sharing:
    jobs: int = 1  # processes
    cluster: str | None = None  # the address of its scheduler; None: processes of this machine
    checkpoint: Path | None = None  # where what is left is saved
    max_memory: int | None = None  # bytes that a worker may have
    grows: bool = False  # `-j auto`: by one process until it turns out to be long

    @property
    def demanded(self) -> list[str]:
        """The options that cannot be passed over where the engine does not do it."""
        given = (("cluster", self.cluster), ("checkpoint", self.checkpoint))
        return [option for option, value in given if value is not None]

    def wanted(self, configuration: Configuration, limited: bool) -> tuple[bool, str]:
        """Whether the exploration is to be shared out; and a note where -j cannot be followed.
        `limited`: it ends after so many traces (`--limit`)."""
        entry = entry_of(configuration.engine)
        if not self.demanded and (self.jobs == 1 or (self.grows and not entry.divisible)):
            return False, ""
        if self.demanded and not entry.divisible:
            option = self.demanded[0]
            raise InputError(
                f"--{option} does not go with {entry.name}, which explores with one process",
                hint=f"engines that share their work out: {divisible()}",
            )
        if not entry.divisible:
            return False, f"-j has no effect: {entry.name} explores one program with one process"
        if limited:
            return False, "" if self.grows else "-j has no effect with --limit"
        if self.cluster is not None and self.jobs > 1 and not self.grows:
            return True, "-j has no effect with --cluster: all its workers are used"
        return True, ""

    def explore(
        self,
        program: Program,
        model: Model,
        configuration: Configuration,
        limits: Limits,
        first: bool,
        shows: bool = True,
    ) -> Result:
        """Explores it so; with `shows`, lines on standard error say how far it has come."""
        from hybrid.parallel.summarise import job_name, summarise_parallel
        from hybrid.parallel.work import Job

        job = Job(program, model, configuration, self.max_memory)
        workers: Workers | int = self.jobs
        if self.cluster is not None:
            from hybrid.parallel.cluster import Cluster

            workers = Cluster(job, self.cluster, job_name(job))
        elif self.grows:
            from hybrid.parallel.growing import Growing

            workers = Growing(job, self.jobs)
        shown = _Shown(Counters())
        how = configuration
        watch = watch_for(program, model, limits, how.equivalence, how.seed, elsewhere=True)

        def count(coordinator: Coordinator) -> None:
            shown.counters = coordinator.progress.counters
            watch.look()

        with Progress(shown, program.name, terminal(), shows, watch):
            return summarise_parallel(
                job,
                limits,
                workers,
                first=first,
                checkpoint=self.checkpoint,
                tick=count,
                watch=watch,
            )
