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
_LOOKS = 60  # about so many places for a label are looked at on each path


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

    def holds(self, other: Rect) -> bool:
        return (
            self.x <= other.x
            and other.right <= self.right
            and self.y <= other.y
            and other.bottom <= self.bottom
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


@dataclass(frozen=True, slots=True)
class LabelPlaces:
    """Where labels are placed, and how many of them something else runs over."""

    places: list[Rect | None]
    covered: int


def place_labels(
    paths: Sequence[Curve],
    sizes: Sequence[tuple[float, float] | None],
    obstacles: Sequence[Rect],
    within: Rect,
) -> LabelPlaces:
    """A rectangle of the given size on each path or beside it (None where the size is None),
    `within` what is drawn, off the obstacles, the other labels and the other paths where possible.
    Shorter paths choose first, as they have less choice."""
    placing = _Placing([path.samples() for path in paths], obstacles, within)
    places: list[Rect | None] = [None] * len(paths)
    covered = 0
    for index in sorted(range(len(paths)), key=lambda i: (len(placing.sampled[i]), i)):
        size = sizes[index]
        if size is not None:
            place, free = placing.place(index, size)
            places[index] = place
            placing.taken.add(place)
            covered += not free
    return LabelPlaces(places, covered)


class _Placing:
    """Looks for places of labels."""

    def __init__(self, sampled: list[list[Point]], obstacles: Sequence[Rect], within: Rect) -> None:
        self.sampled = sampled
        self.within = within
        self.cells: dict[tuple[int, int], set[int]] = defaultdict(set)  # paths, by where they are
        for index, points in enumerate(sampled):
            for x, y in points:
                self.cells[int(x // _CELL), int(y // _CELL)].add(index)
        self.solid, self.taken = _Rects(), _Rects()
        for obstacle in obstacles:
            self.solid.add(obstacle)

    def place(self, index: int, size: tuple[float, float]) -> tuple[Rect, bool]:
        """The best place for the label of a path, and whether nothing else is there."""
        points = self.sampled[index]
        width, height = size
        last = max(1, len(points) - 1)
        costs = [
            8 * abs(at / last - 0.5)
            + 30 * ((len(points) - 1 - at) * _PITCH < width / 2 + 16)  # at the arrowhead
            + 30 * (at * _PITCH < width / 2 + 4)
            for at in range(len(points))
        ]
        some = range(0, len(points), 1 + len(points) // _LOOKS)
        order = sorted(some, key=costs.__getitem__)  # the best first
        best: tuple[float, Rect, bool] | None = None
        for moves in (((0.0, 0.0),), _around(width, height)):  # on the path, then beside it
            for at in order:
                if best is not None and costs[at] >= best[0]:
                    break
                for dx, dy in moves:
                    x, y = points[at]
                    rect = Rect(x - width / 2 + dx, y - height / 2 + dy, width, height)
                    limit = math.inf if best is None else best[0] - costs[at]
                    more, free = self._cost(index, rect, limit)
                    if best is None or costs[at] + more < best[0]:
                        best = (costs[at] + more, rect, free)
            if best is not None and best[2]:
                break
        assert best is not None
        return best[1], best[2]

    def _cost(self, index: int, rect: Rect, limit: float) -> tuple[float, bool]:
        """What speaks against a place, all of it if that is below the limit, and whether nothing
        runs over it."""
        clear, wide, touched = rect.grown(1), rect.grown(3), set[int]()
        for column in range(int(wide.x // _CELL), int(wide.right // _CELL) + 1):
            for row in range(int(wide.y // _CELL), int(wide.bottom // _CELL) + 1):
                touched |= self.cells.get((column, row), set())
        others = len(touched - {index})
        if 40 * others >= limit:
            return limit, False
        hits = self.solid.hits(clear) + self.taken.hits(clear) + (not self.within.holds(rect))
        near = 4 * bool(self.taken.hits(rect.grown(9)))
        return 40 * others + near + 1000 * hits, not others and not hits


def _around(width: float, height: float) -> tuple[tuple[float, float], ...]:
    """From a point of a path to the middles of labels beside it."""
    right, below = width / 2 + 3, height / 2 + 3
    return (right, 0.0), (-right, 0.0), (0.0, -below), (0.0, below)


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
