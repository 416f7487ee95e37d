"""Carets under a span, on short lines and on long ones."""

from __future__ import annotations

import pytest

from hybrid.source import SHOWN, Source, Span


def caret(line: str, start: int, end: int) -> list[str]:
    return Span(Source("text", line), 1, start + 1, 1, end + 1).caret().split("\n")


def test_a_short_line_is_shown_whole() -> None:
    assert caret("\tr := x;", 6, 7) == ["\tr := x;", "\t     ^"]


@pytest.mark.parametrize("start", [0, 5, 59, 60, 61, 500, 9_900, 9_997])
def test_of_a_long_line_the_part_around_the_fault_is_shown(start: int) -> None:
    line = "".join(chr(ord("a") + i % 26) for i in range(10_000))
    shown, below = caret(line, start, start + 3)
    assert len(shown) <= SHOWN + 2
    assert shown[below.index("^") : len(below)] == line[start : start + 3]
    assert shown.startswith("…") == (start > SHOWN // 2)
    assert shown.endswith("…") == (start < 10_000 - SHOWN // 2)


def test_a_long_span_ends_with_what_is_shown() -> None:
    shown, below = caret("x" * 10_000, 100, 9_000)
    assert len(below) <= len(shown) <= SHOWN + 2
    shown, below = caret("x" * 10_000, 10_000, 10_001)  # behind the end
    assert below == " " * len(shown) + "^"
