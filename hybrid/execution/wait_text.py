"""Runs in which threads wait for ever, in words."""

from __future__ import annotations

from hybrid.execution.trace import Wait, is_deadlock
from hybrid.program.program import Program

DEADLOCK = "deadlock"
LIVELOCK = "livelock"


def kind_of(waiting: tuple[Wait, ...]) -> str:
    return DEADLOCK if is_deadlock(waiting) else LIVELOCK


def until(wait: Wait) -> str:
    """What the location would have to hold: `= 0`, `!= 1`, `satisfies (_ & 1) = 0`; at an assume
    what it demands."""
    if wait.address is None:
        return wait.test
    if wait.test:
        return f"satisfies {wait.test}"
    return f"{'=' if wait.op == '==' else wait.op} {wait.wanted}"


def place_of(program: Program, wait: Wait) -> str:
    """The name of the location that the thread would read; empty: it waits at an assume."""
    return "" if wait.address is None else program.by_address[wait.address].name


def wait_text(program: Program, wait: Wait) -> str:
    """As `P at L3 (line 4) for y = 0`, at an assume `P at L5 (line 6) until r0 = 1 || r1 = 1`; of a
    compiled program `main at queue.c:70 joins worker#1`."""
    name = program.threads[wait.thread].name
    wanted = f"for {place_of(program, wait)} {until(wait)}"
    if wait.address is None:
        wanted = f"until {wait.test}"
    origin = program.origins.get(wait.label)
    if origin is None:
        return f"{name} at {wait.label}{_line(program, wait)} {wanted}"
    if origin.message:
        return f"{name} at {origin.place} {origin.message}"
    text = f" ({origin.text})" if origin.text else ""
    return f"{name} at {origin.place}{text} {wanted}"


def _line(program: Program, wait: Wait) -> str:
    """Where the text of the program, if it has one, has what the thread waits at: ` (line 4)`."""
    code = program.threads[wait.thread].code
    span = next((each.span for each in code if each.label == wait.label), None)
    return f" (line {span.line})" if span is not None and span.source.text else ""


def waits_text(program: Program, waiting: tuple[Wait, ...]) -> str:
    """As `deadlock: P at L3 for y = 0, Q at L7 for x = 0`."""
    return f"{kind_of(waiting)}: {', '.join(wait_text(program, wait) for wait in waiting)}"


def over_text(program: Program, waiting: tuple[Wait, ...]) -> str:
    """Of a run in which the program is over before these threads go on."""
    return f"the program ends while {', '.join(wait_text(program, wait) for wait in waiting)}"


def waiting_note(
    program: Program, deadlocks: int, livelocks: int, waiting: tuple[Wait, ...], counted: bool
) -> str:
    """What a result says of its waiting runs, of which `waiting` is one. Unless `counted`, that
    there are some, not how many."""
    runs = deadlocks + livelocks
    listed = ", ".join(wait_text(program, wait) for wait in waiting)
    kinds = kind_of(waiting)
    if deadlocks and livelocks:
        kinds = "deadlocks and livelocks"
        if counted:
            kinds = f"{_count(deadlocks, DEADLOCK)}, {_count(livelocks, LIVELOCK)}"
        listed = f"in one {listed}"
    if not counted:
        return f"threads can wait for ever ({kinds}): {listed}"
    ends = "run ends" if runs == 1 else "runs end"
    threads = "a thread that waits" if runs == 1 and len(waiting) == 1 else "threads that wait"
    return f"{runs} {ends} with {threads} for ever ({kinds}): {listed}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
