"""Plane geometry of drawings: rectangles, smooth paths, and labels placed so that they cover
nothing."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

Point = tuple[float, float]

_CELL = 6.0  # side of the cells in which paths are looked up
_BLOCK = 64.0  # and in which rectangles are
_PITCH = 3.0  # distance of the samples of a path


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    def overlaps(self, other: Rect) -> bool:
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )

    def grown(self, by: float) -> Rect:
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


@dataclass(slots=True)
class Curve:
    """A line of straight pieces and cubic curves, from `start`."""

    start: Point
    pieces: list[tuple[Point, ...]] = field(
        default_factory=list
    )  # one point: straight; three: cubic

    @property
    def end(self) -> Point:
        return self.pieces[-1][-1] if self.pieces else self.start

    def line(self, to: Point) -> Curve:
        self.pieces.append((to,))
        return self

    def curve(self, first: Point, second: Point, to: Point) -> Curve:
        self.pieces.append((first, second, to))
        return self

    def sideways(self, to: Point, turn: float) -> Curve:
        """A curve that leaves and arrives horizontally and is steepest about the abscissa
        `turn`."""
        return self.curve((turn, self.end[1]), (turn, to[1]), to)

    def downwards(self, to: Point) -> Curve:
        """A curve that leaves and arrives vertically."""
        (x, y), half = self.end, (to[1] - self.end[1]) / 2
        return self.curve((x, y + half), (to[0], to[1] - half), to)

    def corner(self, at: Point, to: Point) -> Curve:
        """A rounded corner towards `at`, ending in `to`."""
        x, y = self.end
        ratio = 0.55
        first = (x + (at[0] - x) * ratio, y + (at[1] - y) * ratio)
        second = (to[0] + (at[0] - to[0]) * ratio, to[1] + (at[1] - to[1]) * ratio)
        return self.curve(first, second, to)

    def svg(self) -> str:
        """The `d` attribute of an SVG path."""
        pieces = (("L" if len(p) == 1 else "C") + " ".join(map(_point, p)) for p in self.pieces)
        return f"M{_point(self.start)}" + "".join(pieces)

    def samples(self) -> list[Point]:
        """Points along the path, about evenly spaced."""
        points = [self.start]
        for piece in self.pieces:
            x, y = points[-1]
            corners = (points[-1], *piece)
            length = sum(math.dist(a, b) for a, b in pairwise(corners))
            count = max(1, math.ceil(length / _PITCH))
            for step in range(1, count + 1):
                t = step / count
                if len(piece) == 1:
                    points.append((x + (piece[0][0] - x) * t, y + (piece[0][1] - y) * t))
                else:
                    points.append(_cubic(corners, t))
        return points


def _point(point: Point) -> str:
    return f"{number(point[0])},{number(point[1])}"


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def _cubic(corners: Sequence[Point], t: float) -> Point:
    s = 1 - t
    weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    x = sum(w * c[0] for w, c in zip(weights, corners, strict=True))
    y = sum(w * c[1] for w, c in zip(weights, corners, strict=True))
    return x, y


def place_labels(
    paths: Sequence[Curve], sizes: Sequence[tuple[float, float] | None], obstacles: Sequence[Rect]
) -> list[Rect | None]:
    """A rectangle of the given size on each path (None where the size is None), off the obstacles
    and the other labels, and off the other paths where possible. Shorter paths choose first, as
    they have less choice."""
    sampled = [path.samples() for path in paths]
    cells: dict[tuple[int, int], set[int]] = defaultdict(set)
    for index, points in enumerate(sampled):
        for x, y in points:
            cells[int(x // _CELL), int(y // _CELL)].add(index)
    solid, taken = _Rects(), _Rects()
    for obstacle in obstacles:
        solid.add(obstacle)
    labels: list[Rect | None] = [None] * len(paths)
    for index in sorted(range(len(paths)), key=lambda i: (len(sampled[i]), i)):
        size = sizes[index]
        if size is None:
            continue
        points = sampled[index]
        best: tuple[float, Rect] | None = None
        for at, (x, y) in enumerate(points):
            cost = 8 * abs(at / max(1, len(points) - 1) - 0.5)
            near_head = (len(points) - 1 - at) * _PITCH < size[0] / 2 + 16
            near_tail = at * _PITCH < size[0] / 2 + 4
            cost += 30 * (near_head + near_tail)
            if best is not None and cost >= best[0]:
                continue
            rect = Rect(x - size[0] / 2, y - size[1] / 2, *size)
            clear, wide, touched = rect.grown(1), rect.grown(3), {index}
            for column in range(int(wide.x // _CELL), int(wide.right // _CELL) + 1):
                for row in range(int(wide.y // _CELL), int(wide.bottom // _CELL) + 1):
                    touched |= cells.get((column, row), set())
            cost += 10 * (len(touched) - 1) + 4 * bool(taken.hits(rect.grown(9)))
            cost += 1000 * (solid.hits(clear) + taken.hits(clear))
            if best is None or cost < best[0]:
                best = (cost, rect)
        if best is not None:
            labels[index] = best[1]
            taken.add(best[1])
    return labels


class _Rects:
    """Rectangles, looked up by place."""

    def __init__(self) -> None:
        self.by_cell: dict[tuple[int, int], set[Rect]] = defaultdict(set)

    @staticmethod
    def _cells(rect: Rect) -> Iterator[tuple[int, int]]:
        for column in range(int(rect.x // _BLOCK), int(rect.right // _BLOCK) + 1):
            for row in range(int(rect.y // _BLOCK), int(rect.bottom // _BLOCK) + 1):
                yield column, row

    def add(self, rect: Rect) -> None:
        for cell in self._cells(rect):
            self.by_cell[cell].add(rect)

    def hits(self, rect: Rect) -> int:
        """How many of the rectangles overlap `rect`."""
        near: set[Rect] = set()
        for cell in self._cells(rect):
            near |= self.by_cell.get(cell, set())
        return sum(rect.overlaps(other) for other in near)
