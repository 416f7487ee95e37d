"""The code that a thread becomes: pieces that end where ways part or meet, and how they are put
into one list of instructions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hybrid.frontend.c.state import LoweringState, Meeting, Path
from hybrid.frontend.c.values import SPAN, Scalar, as_expr, register
from hybrid.program import instructions as ins
from hybrid.program.expr import Binary, Expr, Register, Unary, registers


@dataclass(eq=False, slots=True)
class Way:
    """A way from the end of a segment to the start of one."""

    state: LoweringState  # where it arrives
    target: Path
    label: str  # of the jump


@dataclass(eq=False, slots=True)
class Segment:
    """Straight code that begins at a meeting."""

    key: Path
    order: tuple[int, ...]
    meeting: Meeting
    code: list[ins.Instruction] = field(default_factory=list)
    condition: Expr | None = None  # two edges: the first is taken where it is not 0
    edges: list[Way] = field(default_factory=list)  # none: the thread ends here
    cut: str = ""  # the label of a place beyond which nothing is known: a bound was reached
    waiting: bool = True  # it is to be lowered, or lowered again
    arrived: list[LoweringState] = field(default_factory=list)  # the states of all ways that came


def assemble(
    root: Path, segments: dict[Path, Segment], label: Iterator[str]
) -> list[ins.Instruction]:
    """The code of a thread. `label` gives labels for what is added."""
    ordered = sorted(reachable(root, segments), key=lambda each: each.order)
    _drop_unused(ordered, segments)
    if ordered and ordered[0].key != root:
        ordered.sort(key=lambda each: each.key != root)
    code: list[ins.Instruction] = []
    starts: dict[Path, int] = {}
    jumps: list[tuple[int, Path | None]] = []  # instructions whose targets are to be filled in
    for place, segment in enumerate(ordered):
        following = ordered[place + 1].key if place + 1 < len(ordered) else None
        starts[segment.key] = len(code)
        code += segment.code
        if segment.cut:
            code.append(ins.Goto(SPAN, segment.cut, len(code)))
        elif not segment.edges:
            if following is not None:
                jumps.append((len(code), None))
                code.append(ins.Goto(SPAN, next(label), 0))
        elif segment.condition is None:
            _follow(segment.edges[0], segments, code, jumps, label, following)
        else:
            _part(segment, segments, code, jumps, label, following)
    for at, key in jumps:
        code[at] = _to(code[at], len(code) if key is None else starts[key])
    return code


def _drop_unused(ordered: list[Segment], segments: dict[Path, Segment]) -> None:
    """Takes registers out of meetings that nobody uses."""
    needed = {name for each in ordered for one in each.code for name in one.uses}
    sources: dict[str, set[str]] = {}  # by register: those that it is set from
    for segment in ordered:
        for edge in segment.edges:
            for name, value in settings_of(edge, segments):
                sources.setdefault(name, set()).update(registers(as_expr(value)))
    todo = list(needed)
    while todo:
        for name in sources.get(todo.pop(), ()):
            if name not in needed:
                needed.add(name)
                todo.append(name)
    for segment in ordered:
        held = segment.meeting.registers
        segment.meeting.registers = {v: name for v, name in held.items() if name in needed}


def _to(jump: ins.Instruction, target: int) -> ins.Instruction:
    return jump.with_targets(lambda _: target)


def reachable(root: Path, segments: dict[Path, Segment]) -> list[Segment]:
    found = {root}
    todo = [root]
    while todo:
        for edge in segments[todo.pop()].edges:
            if edge.target not in found:
                found.add(edge.target)
                todo.append(edge.target)
    return [segments[key] for key in segments if key in found]


def _part(
    segment: Segment,
    segments: dict[Path, Segment],
    code: list[ins.Instruction],
    jumps: list[tuple[int, Path | None]],
    label: Iterator[str],
    following: Path | None,
) -> None:
    """The end of a segment with two edges."""
    yes, no = segment.edges
    branch = segment.code[-1] if segment.code else None
    assert segment.condition is not None and branch is not None
    code.pop()
    at = len(code)
    code.append(branch)
    if not settings_of(yes, segments):
        jumps.append((at, yes.target))
        _follow(no, segments, code, jumps, label, following)
        return
    _follow(no, segments, code, jumps, label, None)
    code[at] = _to(branch, len(code))
    _follow(yes, segments, code, jumps, label, following)


def settings_of(edge: Way, segments: dict[Path, Segment]) -> list[tuple[str, Scalar]]:
    return segments[edge.target].meeting.settings(edge.state)


def _follow(
    edge: Way,
    segments: dict[Path, Segment],
    code: list[ins.Instruction],
    jumps: list[tuple[int, Path | None]],
    label: Iterator[str],
    following: Path | None,
) -> None:
    """What an edge does: sets registers, all at once, and jumps."""
    for name, value in in_turn(settings_of(edge, segments), label):
        code.append(ins.Assign(SPAN, next(label), name, as_expr(value)))
    if edge.target != following:
        jumps.append((len(code), edge.target))
        code.append(ins.Goto(SPAN, edge.label, 0))


def in_turn(settings: list[tuple[str, Scalar]], names: Iterator[str]) -> list[tuple[str, Scalar]]:
    """Settings that happen at once, as ones that happen one after the other."""
    done: list[tuple[str, Scalar]] = []
    rest = list(settings)
    while rest:
        for place, (name, _) in enumerate(rest):
            others = rest[:place] + rest[place + 1 :]
            if not any(name in registers(as_expr(value)) for _, value in others):
                done.append(rest.pop(place))
                break
        else:  # they go round: the first is kept aside
            name, value = rest.pop(0)
            aside = f"{name}.old"
            done.append((aside, register(name)))
            rest = [(n, _replaced(v, name, aside)) for n, v in rest]
            rest.insert(0, (name, value))
    return done


def _replaced(value: Scalar, name: str, new: str) -> Scalar:
    if isinstance(value, Register):
        return register(new) if value.name == name else value
    if isinstance(value, Unary):
        return Unary(value.span, value.op, as_expr(_replaced(value.operand, name, new)))
    if isinstance(value, Binary):
        left, right = _replaced(value.left, name, new), _replaced(value.right, name, new)
        return Binary(value.span, value.op, as_expr(left), as_expr(right))
    return value
