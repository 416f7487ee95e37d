"""The bundled C programs: each says where it is from and what it expects, under sc and rc20 at
least, with the number of traces; and comes out like that."""

from __future__ import annotations

import re
import runpy
from functools import cache
from math import factorial
from pathlib import Path

import pytest

from hybrid.batch.explore import Explorer, Exploring
from hybrid.data import bundled
from hybrid.engine.configuration import Configuration
from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.load import load_program
from hybrid.model.core import Model
from hybrid.model.load import load_model
from hybrid.program.program import Program
from hybrid.report.result import Result

RESULTS = Path(__file__).parent.parent / "results"
PROGRAMS = bundled("litmus") / "programs"
FILES = sorted(path for path in PROGRAMS.rglob("*") if path.suffix in (".c", ".cpp"))
MANY = 100  # traces: tests of programs with more of them are large
EXPECTED = re.compile(r"(\w+): (\w+) ([0-9]+) traces")
model = cache(load_model)


def expected(path: Path) -> dict[str, tuple[str, int]]:
    """By model, what the text says."""
    text = path.read_text(encoding="utf-8")
    lines = re.findall(r"^//@ expect (.*)$", text, re.MULTILINE)
    return {name: (verdict, int(n)) for name, verdict, n in EXPECTED.findall(", ".join(lines))}


def is_quick(path: Path) -> bool:
    few = all(number <= MANY for _, number in expected(path).values())
    return few and FILES.index(path) % 5 == 0


def name_of(path: Path) -> str:
    return str(path.relative_to(PROGRAMS))


def parameters() -> list[object]:
    """One program in five is among the quick tests, if it has few traces."""
    large = pytest.mark.large
    return [
        pytest.param(path, id=name_of(path), marks=() if is_quick(path) else large)
        for path in FILES
    ]


def load(path: Path, *flags: str) -> Program:
    return load_program(path, CompilerOptions(None, flags))


def explored(program: Program, under: Model, engine: str = "auto") -> Result:
    return Explorer(Exploring(Configuration(engine))).explore(program, under, None)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_program_says_where_it_is_from_and_what_it_expects(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("//")
    stated = re.findall(r"(\w+): [A-Z]+", " ".join(re.findall(r"^//@ expect (.*)$", text, re.M)))
    assert list(expected(path)) == stated  # each with a number
    assert {"sc", "rc20"} <= set(stated)
    assert path.parent.name != "power" or "power" in stated


@pytest.mark.large
@pytest.mark.parametrize("path", parameters())
def test_a_program_does_what_it_expects(path: Path) -> None:
    program = load(path)
    for name, (verdict, number) in expected(path).items():
        result = explored(program, model(name))
        assert (result.answer.value, result.traces) == (verdict, number), name
        assert result.as_expected, name


@pytest.mark.parametrize("folder", ["textbook", "structures"])
def test_tables_say_what_programs_expect(folder: str) -> None:
    rows = re.findall(
        r"^\| `([^`]+)` \| .* \| (\w+) \| (\w+) \|$",
        (PROGRAMS / folder / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    found = {name if "." in name else f"{name}.c": (rc20, sc) for name, rc20, sc in rows}
    assert found == {
        path.name: (expected(path)["rc20"][0], expected(path)["sc"][0])
        for path in FILES
        if path.parent.name == folder
    }


def test_what_was_found_stands_beside_what_papers_say() -> None:
    """`python results/c_programs.py HYBRID --readme` writes it."""
    refreshed = runpy.run_path(str(RESULTS / "c_programs.py"))["refreshed"]
    text = (PROGRAMS / "README.md").read_text(encoding="utf-8")
    assert refreshed(text, PROGRAMS) == text


def test_another_number_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "counter-4.c"
    for name in ("counter.h", "counter-4.c"):
        text = (PROGRAMS / "dpor" / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace("sc: HOLDS 24", "sc: HOLDS 25"), encoding="utf-8")
    result = explored(load(path), model("sc"))
    assert not result.as_expected
    with pytest.raises(AssertionError):
        test_a_program_does_what_it_expects(path)


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "size", "number"),
    [
        ("trust/lastzero-5.c", 10, 3_328),
        ("trust/exp-mem-4.c", 5, 2 * factorial(5)),
        ("dpor/readers-8.c", 10, 2**10),
        ("dpor/writers-5.c", 6, 7 * factorial(6)),
        ("dpor/counter-5.c", 6, factorial(6)),
        ("dpor/indexer-12.c", 13, 64),
        ("dpor/fib_bench-3.c", 4, 19_605),
    ],
)
def test_larger_sizes(name: str, size: int, number: int) -> None:
    """As the literature states them; results/c-counts.txt has larger ones and other models."""
    result = explored(load(PROGRAMS / name, f"-DN={size}"), model("sc"), "trust")
    assert (result.answer.value, result.traces) == ("HOLDS", number)
