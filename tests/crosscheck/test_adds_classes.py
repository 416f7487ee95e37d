"""Classes of traces that differ in the order of independent fetch-and-adds, in comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from support import make_engine, model, program

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck import compare as comparing
from hybrid.crosscheck.adds_classes import adds_class
from hybrid.crosscheck.compare import Comparison, crosscheck
from hybrid.crosscheck.disputes import dispute
from hybrid.engine.api import Limits
from hybrid.engine.odpor.engine import Odpor
from hybrid.engine.odpor.independent_adds import independent_adds
from hybrid.execution.trace import Trace
from hybrid.verdict import Verdict

ADDS = "x = 0 thread P: A: faa(x, 1); thread Q: B: faa(x, 2); thread R: C: r := x;"
WAITS = """x = 0 thread P: A: faa(x, 1); thread Q: B: r := faa(x, 2); thread R: faa(x, 4);
thread S: await(x = 9);"""


def classes(text: str) -> list[int]:
    """How many traces each class has."""
    source = program(text)
    adds = independent_adds(source)
    found: dict[object, int] = {}
    for trace in make_engine("enumerate").explore(source, model("sc"), Limits()):
        name = adds_class(trace.data(), adds)
        found[name] = found.get(name, 0) + 1
    return sorted(found.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ADDS, [1, 1, 2, 2]),  # a load between the two tells them apart
        (WAITS, [6]),
        ("x = 0 thread P: r := faa(x, 1); x := r; thread Q: faa(x, 2);", [1, 1, 1]),
        ("x = 0 thread P: faa(x, 1); faa(x, 1); thread Q: faa(x, 2);", [3]),
        # an exchange comes between, a failed compare-and-swap too
        ("x = 0 thread P: faa(x, 1); thread Q: faa(x, 2); thread R: xchg(x, 7);", [1, 1, 2, 2]),
        ("x = 0 thread P: faa(x, 1); thread Q: faa(x, 2); thread R: cas(x, 9, 7);", [1, 1, 2, 2]),
        # two locations, in the same order or not
        ("x = 0 y = 0 thread P: faa(x, 1); faa(y, 1); thread Q: faa(y, 2); faa(x, 2);", [3]),
    ],
)
def test_classes(text: str, expected: list[int]) -> None:
    assert classes(text) == expected


def compared(text: str, engines: str) -> Comparison:
    return crosscheck(program(text), model("sc"), parse_configurations(engines), Limits())


@pytest.mark.parametrize("text", [ADDS, WAITS])
def test_classes_are_the_projection(text: str) -> None:
    result = compared(text, "enumerate,odpor+faa,odpor-source+faa,odpor,rsmc+rf")
    assert result.verdict is Verdict.HOLDS, result.differences
    counts = [len(found.traces) + len(found.waiting) for found in result.findings]
    assert counts[1] == counts[2] == len(classes(text)) < counts[0] == counts[3]


def altered(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[list[Trace]], list[Trace]], trace: bool
) -> None:
    """Lets odpor find something else; with `trace` all traces where it should find classes."""
    original = Odpor.explore

    def explore(self: Odpor, *arguments: object) -> Iterator[Trace]:
        self.equivalence = "trace" if trace else self.equivalence
        yield from change(list(original(self, *arguments)))  # type: ignore[arg-type]

    monkeypatch.setattr(Odpor, "explore", explore)


@pytest.mark.interpreted
@pytest.mark.parametrize("text", [ADDS, WAITS])
def test_a_class_met_again(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    altered(monkeypatch, lambda traces: traces, trace=True)
    result = compared(text, "enumerate,odpor+faa")
    assert [each.kind for each in result.differences] == [comparing.DUPLICATE]


@pytest.mark.interpreted
def test_a_missing_class(monkeypatch: pytest.MonkeyPatch) -> None:
    altered(monkeypatch, lambda traces: traces[:-1], trace=False)
    result = compared(ADDS, "enumerate,odpor+faa")
    [difference] = result.differences
    assert difference.kind == comparing.MISSING
    found = dispute(result, difference)
    assert found is not None
    assert (found.has, found.lacks) == (("enumerate",), ("odpor+faa",))


@pytest.mark.interpreted
def test_a_missing_waiting_class(monkeypatch: pytest.MonkeyPatch) -> None:
    altered(monkeypatch, lambda traces: [], trace=False)
    result = compared(WAITS, "enumerate,odpor+faa")
    assert [each.kind for each in result.differences] == [comparing.WAITING]


def test_classes_of_two_kinds_are_not_compared() -> None:
    result = compared(ADDS, "rsmc+rf,odpor+faa")
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.open == ["odpor+faa: nothing to compare its classes with"]
