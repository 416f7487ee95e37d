"""Colours: on a terminal alone, never from a program's text, never in what is kept."""

from __future__ import annotations

import io

import pytest

from hybrid.report.colour import has_colour, in_report
from hybrid.report.quiet import QuietFormat
from hybrid.report.screen import Screen, write_coloured
from hybrid.report.table import TableFormat

GREEN, RED, YELLOW, DIM, END = "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("word", "colour"),
    [
        ("HOLDS", GREEN),
        ("FORBIDDEN (as expected)", GREEN),
        ("VIOLATED", RED),
        ("VIOLATED (as expected)", GREEN),
        ("BOUNDED", YELLOW),
        ("INCONCLUSIVE (unexpected)", RED),
        ("INTERNAL ERROR", RED),
    ],
)
def test_a_verdict_has_its_colour(word: str, colour: str) -> None:
    painted = f"{colour}{word}{END}"
    assert in_report(f"Verdict SB {word}\n") == f"Verdict SB {painted}\n"
    assert in_report(f"{word}: so it is\n") == f"{painted}: so it is\n"
    assert QuietFormat().paint(f"SB sc {word}\n") == f"SB sc {painted}\n"
    row = "SB  sc        rsmc       {}  1  0  0.00 s\n"
    assert TableFormat().paint(row.format(word)) == row.format(painted)


def test_headings_are_dim_and_states_are_not() -> None:
    assert in_report("Test SB Allowed\n") == f"{DIM}Test SB Allowed{END}\n"
    state = "1     *>P:r0=0; Q:r1=0;\n"
    assert in_report(state) == state


def test_only_a_terminal_has_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_colour(Terminal())
    assert not has_colour(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colour(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "")  # empty: not set, says the convention
    assert has_colour(Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour(Terminal())


@pytest.mark.parametrize("wrapped", [False, True])
def test_codes_in_the_text_are_escaped_and_ours_are_not(wrapped: bool) -> None:
    terminal = Terminal()
    stream = Screen(terminal) if wrapped else terminal
    write_coloured(stream, "Verdict \x1b[32mevil HOLDS\n", in_report)  # type: ignore[arg-type]
    assert terminal.getvalue() == f"Verdict \\x1b[32mevil {GREEN}HOLDS{END}\n"


def test_a_pipe_gets_plain_text() -> None:
    pipe = io.StringIO()
    write_coloured(pipe, "Verdict SB HOLDS\n", in_report)
    assert pipe.getvalue() == "Verdict SB HOLDS\n"
