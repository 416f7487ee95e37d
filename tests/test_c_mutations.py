"""Damaged C programs, and damaged texts of LLVM, made into programs: an input error, something that
is not taken, or a program that can be explored; never anything else, and soon.

HYBRID_MUTATIONS=10000 tries that many texts of LLVM, and one of C for each twenty; the seed is
fixed.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from llvm_damage import bare, damaged

from hybrid.crosscheck.c_form import c_form
from hybrid.crosscheck.random_programs import random_program
from hybrid.crosscheck.shape import C_PROFILES
from hybrid.data import bundled
from hybrid.engine.api import Limits, Stopped
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.errors import InputError
from hybrid.frontend.c import lower as lowering
from hybrid.frontend.c import thread
from hybrid.frontend.c.clang import NoCompilerError, compile_file, find_compiler
from hybrid.frontend.c.directives import read_directives
from hybrid.frontend.c.lower import lower
from hybrid.frontend.c_print import c_text
from hybrid.frontend.compiler_options import NO_OPTIONS
from hybrid.frontend.llvm.read import read_module
from hybrid.frontend.load import load_program
from hybrid.model.load import load_model
from hybrid.parsing import read_source
from hybrid.program.program import Program
from hybrid.source import Source
from hybrid.time_limit import time_limit

pytestmark = pytest.mark.sample(2)

COUNT = int(os.environ.get("HYBRID_MUTATIONS", "240"))
C_COUNT = max(12, COUNT // 20)
PARTS = 4
SEED = 5
SECONDS = 60.0  # of the processor for each text, more than any of them takes with these bounds:
STEPS, INSTRUCTIONS = 100_000, 5_000  # that are run for a thread, and that it may become
EXPLORED = 4  # one program in so many is explored …
EXPLORING = 1.0  # … for so many seconds
PATIENCE = 10  # times as long by the clock, on a machine that does other things, too
RANDOM = 7  # random programs, next to those below
ALONE = ("msqueue", "treiber", "spsc", "rcu", "seqlock")  # of textbook: they include no others
OTHERS = (
    "structures/queue.c",
    "awaits/mutex-2.c",
    "awaits/sortnet-2.c",
    "dpor/sigma-4.c",
    "power/peterson-fences.c",
)
PROGRAMS = bundled("litmus") / "programs"


@cache
def c_texts() -> list[str]:
    """Texts in C that include only headers of the system."""
    found = [_random_text(number) for number in range(RANDOM)]
    paths = [PROGRAMS / "textbook" / f"{name}.c" for name in ALONE]
    return found + [path.read_text(encoding="utf-8") for path in paths]


def _random_text(number: int) -> str:
    shape = list(C_PROFILES.values())[number % len(C_PROFILES)]
    return c_text(c_form(random_program(SEED, number, shape))).text


@pytest.fixture(scope="module")
def llvm_texts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    try:
        compiler = find_compiler(NO_OPTIONS)
    except NoCompilerError:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("sources")
    paths = [PROGRAMS / name for name in OTHERS]
    for number, text in enumerate(c_texts()):
        paths.append(folder / f"{number}.c")
        paths[-1].write_text(text, encoding="utf-8")
    found: list[str] = []
    for path in paths:
        flags = read_directives(read_source(path)).flags
        text = compile_file(path, compiler, flags).text
        found += (text, bare(text), bare(text))
    return found


@pytest.fixture(autouse=True)
def low_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops that go round for ever, which damage makes, are cut sooner than elsewhere."""
    monkeypatch.setattr(lowering, "MOST_STEPS", STEPS)
    monkeypatch.setattr(thread, "MOST_CODE", INSTRUCTIONS)


def explore(program: Program) -> None:
    limits = Limits(2, time.monotonic() + EXPLORING)
    try:
        for _ in Rsmc().explore(program, load_model("rc20"), limits):
            pass
    except (InputError, Stopped):
        pass


@contextmanager
def within_time(number: int) -> Iterator[None]:
    """Fails if it takes too long."""
    start = time.process_time()
    try:
        with time_limit(PATIENCE * SECONDS):
            yield
    except Stopped:
        raise AssertionError(f"number {number} does not end") from None
    assert time.process_time() - start < SECONDS, f"number {number} takes too long"


def numbers(part: int, count: int) -> Sequence[int]:
    return range(part, count, PARTS)


@pytest.mark.large
@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_llvm(part: int, llvm_texts: list[str]) -> None:
    taken = 0
    for number in numbers(part, COUNT):
        rng = random.Random(f"{SEED}/{number}")
        text = damaged(rng.choice(llvm_texts), rng)
        try:
            with within_time(number):
                program = lower(read_module(Source("damaged.ll", text)), "damaged", {})
        except InputError as error:
            assert error.render()
            continue
        taken += 1
        if number % EXPLORED == 0:
            explore(program)
    assert taken


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_c(part: int, llvm_texts: list[str], tmp_path: Path) -> None:
    texts = c_texts()
    for number in numbers(part, C_COUNT):
        rng = random.Random(f"{SEED}/c/{number}")
        path = tmp_path / f"damaged{number}.c"
        text = damaged(rng.choice(texts), rng)
        path.write_text(text, encoding="utf-8", errors="replace")
        try:
            with within_time(number):
                program = load_program(path)
        except InputError as error:
            assert error.render()
            continue
        if number % EXPLORED == 0:
            explore(program)
