"""The loop of a batch: every file once, here or by a pool of processes, and what came of it shown
in the order of the files.

`verify` and `crosscheck` differ in what they do with a file (a FileWork) and in how they show what
came of it; both may keep a journal, from which a later batch goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from hybrid.batch.journal import BatchJournal
from hybrid.batch.pool import Pool
from hybrid.report.progress import Bar
from hybrid.report.screen import terminal


class FileResult(Protocol):
    """What came of one file under one model."""

    @property
    def name(self) -> str:
        """Of the program."""
        ...

    @property
    def interrupted(self) -> bool:
        """Ctrl-C came while it was made: nothing more is run."""
        ...

    @property
    def trouble(self) -> str:
        """One word about a bad result, shown while the batch goes on; empty for a good one."""
        ...


R = TypeVar("R", bound=FileResult)


class FileWork(Protocol[R]):
    """What a batch does with one file. A worker process has a copy of its own."""

    at: str  # what is being run
    own_progress: bool  # here, in this process, it shows how far it has come

    @property
    def seconds(self) -> float | None:
        """How long a file may take; None: no limit, or it is not known before the file is read."""
        ...

    def each(self, path: Path) -> Iterator[R]:
        """The file under each of its models, in this process."""
        ...

    def __call__(self, path: Path) -> list[R]:
        """The same in a worker process."""
        ...

    def lost(self, path: Path, reason: str) -> list[R]:
        """What stands for the results of a file whose worker is gone."""
        ...


class Batch(Generic[R]):
    def __init__(
        self,
        paths: Sequence[Path],
        work: FileWork[R],
        show: Callable[[R], None],
        jobs: int = 1,
        journal: BatchJournal[R] | None = None,
        progress: bool = True,
    ) -> None:
        """With `progress`, standard error says how far it has come."""
        self.interrupted = ""  # how Ctrl-C ended it, as a sentence that begins with `interrupted`
        self._paths = paths
        self._work = work
        self._show_one = show
        self._jobs = jobs
        self._journal = journal
        self._progress = progress
        # what an earlier batch found, by the number of the file, until it is shown
        self._known = {} if journal is None else _known(journal, paths)
        self.resumed = len(self._known)  # files

    def run(self) -> None:
        """Runs what is not known yet, and shows everything."""
        todo = [number for number in range(len(self._paths)) if number not in self._known]
        pooled = self._jobs > 1 and len(todo) > 1
        wanted = self._progress and (pooled or not self._work.own_progress)
        bar = Bar(len(self._paths), terminal(), wanted, by_itself=not pooled)
        bar.done = bar.before = self.resumed
        try:
            if pooled:
                self._by_pool(todo, bar)
            else:
                self._here(todo, bar)
            self._show_known(len(self._paths), bar)
        finally:
            bar.end()

    def _here(self, todo: list[int], bar: Bar) -> None:
        try:
            for number in todo:
                self._show_known(number, bar)
                path = self._paths[number]
                bar.now = path.stem
                found: list[R] = []
                for result in self._work.each(path):
                    found.append(result)
                    self._show(result, bar)
                    if result.interrupted:
                        self.interrupted = f"interrupted: nothing was run after {result.name}"
                        return
                self._finished(path, found, bar)
        except KeyboardInterrupt:
            self.interrupted = f"interrupted at {self._work.at}: what follows was not run"

    def _by_pool(self, todo: list[int], bar: Bar) -> None:
        paths = [self._paths[number] for number in todo]
        pool = Pool(
            paths,
            self._work,
            self._work.lost,
            self._jobs,
            self._work.seconds,
            arrived=lambda place, found: self._finished(paths[place], found, bar),
            tick=bar.draw,
        )
        ran = 0
        for place, found in pool.results():
            self._show_known(todo[place], bar)
            ran += 1
            for result in found:
                self._show(result, bar)
        if pool.interrupted:
            left = f"{len(todo) - ran} of {len(self._paths)} files were not run"
            self.interrupted = f"interrupted: {left}"

    def _finished(self, path: Path, found: list[R], bar: Bar) -> None:
        """A file is done, though its turn to be shown may not have come."""
        if self._journal is not None:
            self._journal.add(path, found)
        bar.count([result.trouble for result in found if result.trouble])

    def _show_known(self, number: int, bar: Bar) -> None:
        """What an earlier batch found of the files before that one."""
        for place in sorted(place for place in self._known if place < number):
            for result in self._known.pop(place):
                self._show(result, bar)

    def _show(self, result: R, bar: Bar) -> None:
        bar.erase()
        self._show_one(result)


def _known(journal: BatchJournal[R], paths: Sequence[Path]) -> dict[int, list[R]]:
    found = {number: journal.before(path) for number, path in enumerate(paths)}
    return {number: results for number, results in found.items() if results is not None}
