"""What must hold of every drawing: nothing covers a label, and all of it is inside."""

from __future__ import annotations

from itertools import combinations, pairwise

from hybrid.witness.geometry import Point, Rect
from hybrid.witness.layout import Drawing


def faults(drawing: Drawing) -> list[str]:
    """What is wrong with a drawing, as the eye sees it."""
    labels = [(w, w.label) for w in drawing.wires if w.label is not None]
    solid = [*drawing.boxes.values(), *drawing.headers]
    whole = Rect(0, 0, drawing.width, drawing.height)
    found = [f"{wire.edge}: outside" for wire, label in labels if not whole.holds(label)]
    for (one, first), (other, second) in combinations(labels, 2):
        if first.overlaps(second):
            found.append(f"the labels of {one.edge} and {other.edge}")
    for wire, label in labels:
        if any(label.overlaps(rect) for rect in solid):
            found.append(f"the label of {wire.edge} and a box")
    for other in drawing.wires:
        points = other.path.samples()
        around = _around(points)
        for wire, label in labels:
            if wire is not other and label.overlaps(around) and _crosses(points, label):
                found.append(f"{other.edge} runs over the label of {wire.edge}")
    return found


def _around(points: list[Point]) -> Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(0.1)


def _crosses(points: list[Point], rect: Rect) -> bool:
    return any(_meets(a, b, rect) for a, b in pairwise(points))


def _meets(start: Point, end: Point, rect: Rect) -> bool:
    """Whether a straight piece goes through a rectangle (Liang and Barsky)."""
    first, last = 0.0, 1.0
    dx, dy = end[0] - start[0], end[1] - start[1]
    for towards, room in (
        (-dx, start[0] - rect.x),
        (dx, rect.right - start[0]),
        (-dy, start[1] - rect.y),
        (dy, rect.bottom - start[1]),
    ):
        if towards == 0:
            if room <= 0:
                return False
        elif towards < 0:
            first = max(first, room / towards)
        else:
            last = min(last, room / towards)
    return first < last
