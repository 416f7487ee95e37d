"""Where everything of a trace's drawing goes.

Threads are columns, steps rows; between the columns run corridors, between the rows gaps. An edge
to the neighbouring column is a curve in the corridor between them; one that goes further crosses
the columns on its way in a gap, each on a track of its own; one within a thread is an arc in the
corridor beside it: communication at the right, dependencies at the left. Edges from initial writes
come down the corridors. So no edge runs over a box.

A corridor is made of, from left to right: the arcs of the column before it, tracks from initial
writes to that column, the curves, tracks from initial writes to the column after it, and that
column's arcs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from hybrid.execution.trace import EventId
from hybrid.witness.captions import shortened
from hybrid.witness.geometry import Curve, Rect, place_labels
from hybrid.witness.graph import ACROSS, DrawnEdge, DrawnGraph, DrawnNode

CHAR = 7.25  # width of a character of the boxes' font
LABEL_CHAR = 6.7  # and of the labels'
LONGEST = 44  # characters of a box; longer text is cut (the whole stands in its tooltip)
MARGIN = 18.0
TOP = 46.0  # below the title
_FULL, _SLIM, _HEADER = 40.0, 24.0, 24.0  # heights
_GAP = 26.0  # least distance of two rows
_TRACK = 16.0  # distance of parallel tracks
_PORT = 9.0  # least distance of two ends at a box's side
LEFT, RIGHT = 0, 1
_SPREADS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0)  # how far things are apart; the first that is enough


@dataclass(frozen=True, slots=True)
class Wire:
    """An edge as it is drawn."""

    edge: DrawnEdge
    path: Curve
    label: Rect | None  # None where there is no text


@dataclass(frozen=True, slots=True)
class Drawing:
    width: float
    height: float
    boxes: dict[EventId, Rect]
    headers: tuple[Rect, ...]  # of the threads
    wires: tuple[Wire, ...]


def clip(text: str) -> str:
    """`text`, cut to what a box holds."""
    return shortened(text, LONGEST)


def lay_out(graph: DrawnGraph) -> Drawing:
    """Places for all nodes, edges and labels of `graph`. Where a label finds no place of its own,
    what runs side by side is moved apart until it does."""
    best: tuple[int, Drawing] | None = None
    for spread in _SPREADS:
        drawing, covered = _Layout(graph, spread).drawing()
        if best is None or covered < best[0]:
            best = (covered, drawing)
        if not covered:
            break
    assert best is not None
    return best[1]


def _label_width(edge: DrawnEdge) -> float:
    return len(edge.text) * (LABEL_CHAR + 0.6 * edge.bold) + 4


class _Layout:
    def __init__(self, graph: DrawnGraph, spread: float) -> None:
        self.graph = graph
        self.track = _TRACK * spread  # distance of parallel tracks
        self.gap = _GAP * spread  # least distance of two rows
        self.spread = spread
        self.row: dict[EventId, int] = {}
        self.nodes: dict[EventId, DrawnNode] = {node.id: node for node in graph.initial}
        for nodes in graph.threads:
            for row, node in enumerate(nodes):
                self.row[node.id] = row
                self.nodes[node.id] = node
        self.columns = len(graph.threads)
        self.rows = max((len(nodes) for nodes in graph.threads), default=0)
        self.po = [edge for edge in graph.edges if edge.relation == "po"]
        rest = [edge for edge in graph.edges if edge.relation != "po"]
        self.from_initial = [edge for edge in rest if edge.source[0] < 0]
        self.arcs = [edge for edge in rest if edge.source[0] == edge.target[0]]
        self.across = [edge for edge in rest if -1 < edge.source[0] != edge.target[0]]
        self.arc_side = {edge: RIGHT if edge.relation in ACROSS else LEFT for edge in self.arcs}
        self.arc_track = self._arc_tracks()
        self.initial_side = self._initial_sides()
        self.initial_track = self._initial_tracks()
        self.gap_of, self.gap_track = self._gaps()
        self.port_place, ports = self._ports()
        self.boxes: dict[EventId, Rect] = {}
        self.headers: list[Rect] = []
        self.column_left: list[float] = []
        self.column_right: list[float] = []
        self.gap_top: list[float] = []
        self.turns: dict[int, dict[DrawnEdge, float]] = {}  # by corridor, see _turn
        self._place_columns()
        self._place_rows(ports)
        self._place_initial()

    # What goes where, in terms of sides and tracks.

    def _arc_tracks(self) -> dict[DrawnEdge, int]:
        """Tracks of the arcs: short ones inside; arcs whose rows overlap have different tracks."""
        tracks: dict[DrawnEdge, int] = {}
        placed: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
        for edge in sorted(self.arcs, key=lambda e: (abs(self._reach(e)), e)):
            low, high = sorted((self.row[edge.source], self.row[edge.target]))
            track = 0
            column, side = edge.source[0], self.arc_side[edge]
            while any(low <= b and a <= high for a, b in placed[column, side, track]):
                track += 1
            placed[column, side, track].append((low, high))
            tracks[edge] = track
        return tracks

    def _reach(self, edge: DrawnEdge) -> int:
        return self.row[edge.target] - self.row[edge.source]

    def _initial_sides(self) -> dict[DrawnEdge, int]:
        """The side at which an edge from an initial write reaches its load: outside for the outer
        columns."""
        sides: dict[DrawnEdge, int] = {}
        used: Counter[int] = Counter(edge.target[0] for edge in self.across)
        for edge in self.from_initial:
            column = edge.target[0]
            if column == 0 or column == self.columns - 1:
                sides[edge] = LEFT if column == 0 else RIGHT
            else:
                sides[edge] = LEFT if used[column] <= used[column + 1] else RIGHT
            used[column + sides[edge]] += 1
        return sides

    def _initial_tracks(self) -> dict[DrawnEdge, int]:
        """Tracks of the edges from initial writes: the deeper the load, the further from its
        column."""
        tracks: dict[DrawnEdge, int] = {}
        used: Counter[tuple[int, int]] = Counter()
        for edge in sorted(self.from_initial, key=lambda e: (self.row[e.target], e)):
            where = (edge.target[0], self.initial_side[edge])
            tracks[edge] = used[where]
            used[where] += 1
        return tracks

    def _gaps(self) -> tuple[dict[DrawnEdge, int], dict[DrawnEdge, int]]:
        """For edges over more than one corridor: the gap (gap g is above row g) and the track
        within it."""
        gaps: dict[DrawnEdge, int] = {}
        tracks: dict[DrawnEdge, int] = {}
        used: Counter[int] = Counter()
        placed: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for edge in self.across:
            first, last = sorted((edge.source[0], edge.target[0]))
            if last - first < 2:
                continue
            low, high = sorted((self.row[edge.source], self.row[edge.target]))
            choice = range(low + 1, high + 1) if low < high else range(low, low + 2)
            middle = (low + high + 1) / 2
            gap = min(choice, key=lambda g: (used[g], abs(g - middle), -g))
            used[gap] += 1
            track = 0
            while any(first < b and a < last for a, b in placed[gap, track]):
                track += 1
            placed[gap, track].append((first, last))
            gaps[edge], tracks[edge] = gap, track
        return gaps, tracks

    def _ports(self) -> tuple[dict[tuple[DrawnEdge, bool], int], Counter[tuple[EventId, int]]]:
        """For each end of an edge (True: its source) its rank at the side of its box, from the top,
        and how many ends each side has."""
        ends: dict[tuple[EventId, int], list[tuple[tuple[float, ...], DrawnEdge, bool]]] = (
            defaultdict(list)
        )
        for edge in self.from_initial:
            ends[edge.target, self.initial_side[edge]].append(((0.0, 0.0), edge, False))
        for edge in self.arcs:
            down = self._reach(edge) > 0
            side = self.arc_side[edge]
            rows = (float(self.row[edge.source]), float(self.row[edge.target]))
            ends[edge.source, side].append(((3.0 if down else 1.0, -rows[1]), edge, True))
            ends[edge.target, side].append(((1.0 if down else 3.0, -rows[0]), edge, False))
        for edge in self.across:
            rightwards = edge.source[0] < edge.target[0]
            turn = self.gap_of[edge] - 0.5 if edge in self.gap_of else None
            to = float(self.row[edge.target]) if turn is None else turn
            back = float(self.row[edge.source]) if turn is None else turn
            ends[edge.source, int(rightwards)].append(((2.0, to), edge, True))
            ends[edge.target, int(not rightwards)].append(((2.0, back), edge, False))
        places: dict[tuple[DrawnEdge, bool], int] = {}
        counts: Counter[tuple[EventId, int]] = Counter()
        for where, found in ends.items():
            counts[where] = len(found)
            for rank, (_, edge, is_source) in enumerate(
                sorted(found, key=lambda end: (end[0], end[1].relation, end[1]))
            ):
                places[edge, is_source] = rank
        self.port_count = counts
        return places, counts

    # Coordinates.

    def _arc_zone(self, column: int, side: int) -> float:
        tracks = [
            t
            for e, t in self.arc_track.items()
            if (e.source[0], self.arc_side[e]) == (column, side)
        ]
        return 2 * self._arc_base(column, side) + self.track * max(tracks) if tracks else 8.0

    def _arc_base(self, column: int, side: int) -> float:
        """The distance of the first track of arcs from its column: room for half of the longest
        label."""
        labels = [
            _label_width(e) for e in self.arcs if (e.source[0], self.arc_side[e]) == (column, side)
        ]
        return max(16.0, max(labels, default=0.0) / 2 + 0.6)

    def _initial_zone(self, column: int, side: int) -> float:
        where = (column, side)
        tracks = [
            t for e, t in self.initial_track.items() if (e.target[0], self.initial_side[e]) == where
        ]
        return self.track * (max(tracks) + 1) if tracks else 0.0

    def _curve_zone(self, corridor: int) -> float:
        crossing = sum(
            min(e.source[0], e.target[0]) < corridor <= max(e.source[0], e.target[0])
            for e in self.across
        )
        longest = max(
            (
                _label_width(e)
                for e in self.across
                if min(e.source[0], e.target[0]) < corridor <= max(e.source[0], e.target[0])
            ),
            default=0.0,
        )
        wide = max(min(150.0, 52 + 9.0 * crossing), longest + 16) if crossing else 10.0
        return wide * self.spread

    def _place_columns(self) -> None:
        x = MARGIN
        for column, nodes in enumerate(self.graph.threads):
            if column > 0:
                x += self._arc_zone(column - 1, RIGHT) + self._initial_zone(column - 1, RIGHT)
                x += self._curve_zone(column)
            x += self._initial_zone(column, LEFT) + self._arc_zone(column, LEFT)
            texts = [self.graph.names[column]]
            texts += [clip(text) for node in nodes for text in (node.head, node.body)]
            width = max(70.0, max(map(len, texts)) * CHAR + 18)
            self.column_left.append(x)
            x += width
            self.column_right.append(x)
        if self.columns:
            x += self._arc_zone(self.columns - 1, RIGHT)
            x += self._initial_zone(self.columns - 1, RIGHT)
        self.width = x + MARGIN

    def _place_rows(self, ports: Counter[tuple[EventId, int]]) -> None:
        y = TOP
        if self.graph.initial:
            y += _FULL + 44  # the initial writes and the room below them
        for left, right in zip(self.column_left, self.column_right, strict=True):
            self.headers.append(Rect(left, y, right - left, _HEADER))
        y += _HEADER
        for row in range(self.rows + 1):
            used = [t + 1 for e, t in self.gap_track.items() if self.gap_of[e] == row]
            self.gap_top.append(y)
            if row < self.rows or used:
                y += max(self.gap, self.track * max(used, default=0) + 18)
            heights: dict[EventId, float] = {}
            for nodes in self.graph.threads:
                if row < len(nodes):
                    node = nodes[row]
                    most = max(ports[node.id, LEFT], ports[node.id, RIGHT])
                    heights[node.id] = max(_FULL if node.body else _SLIM, _PORT * most + 8)
            tallest = max(heights.values(), default=0.0)
            for event_id, height in heights.items():
                left, right = self.column_left[event_id[0]], self.column_right[event_id[0]]
                top = y + (tallest - height) / 2
                self.boxes[event_id] = Rect(left, top, right - left, height)
            y += tallest
        self.height = y + 6

    def _place_initial(self) -> None:
        """Each initial write above the middle of the tracks that leave it, side by side without
        overlap."""
        wanted: list[tuple[float, DrawnNode]] = []
        for node in self.graph.initial:
            tracks = [self._track_x(edge) for edge in self.from_initial if edge.source == node.id]
            wanted.append((sum(tracks) / max(1, len(tracks)), node))
        placed: list[Rect] = []
        end = MARGIN
        for middle, node in sorted(wanted, key=lambda pair: (pair[0], pair[1].id)):
            width = max(len(clip(node.head)), len(clip(node.body))) * CHAR + 18
            left = max(end, middle - width / 2)
            placed.append(Rect(left, TOP, width, _FULL))
            end = left + width + 16
        limit = max(self.width - MARGIN, end - 16)
        self.width = max(self.width, limit + MARGIN)
        order = sorted(wanted, key=lambda pair: (pair[0], pair[1].id))
        for at in range(len(placed) - 1, -1, -1):  # back from the right edge
            rect = placed[at]
            rect = Rect(min(rect.x, limit - rect.width), rect.y, rect.width, rect.height)
            self.boxes[order[at][1].id] = rect
            limit = rect.x - 16

    def _track_x(self, edge: DrawnEdge) -> float:
        """Where an edge from an initial write comes down."""
        column, side = edge.target[0], self.initial_side[edge]
        away = self._arc_zone(column, side) + self.track * self.initial_track[edge] + 6
        return self.column_left[column] - away if side == LEFT else self.column_right[column] + away

    def _port(self, edge: DrawnEdge, is_source: bool, side: int) -> tuple[float, float]:
        """The point at which an edge meets its box."""
        event_id = edge.source if is_source else edge.target
        box = self.boxes[event_id]
        count = self.port_count[event_id, side]
        share = (self.port_place[edge, is_source] + 1) / (count + 1)
        return (box.x if side == LEFT else box.right), box.y + box.height * share

    # Paths.

    def drawing(self) -> tuple[Drawing, int]:
        """The drawing, and how many labels something else runs over."""
        edges: list[DrawnEdge] = []
        paths: list[Curve] = []
        for group, make in (
            (self.po, self._po_path),
            (self.from_initial, self._initial_path),
            (self.arcs, self._arc_path),
            (self.across, self._across_path),
        ):
            for edge in group:
                edges.append(edge)
                paths.append(make(edge))
        sizes = [(_label_width(edge), 13.0) if edge.text else None for edge in edges]
        whole = Rect(0, 0, self.width, self.height)
        labels = place_labels(paths, sizes, [*self.boxes.values(), *self.headers], whole)
        wires = tuple(Wire(*parts) for parts in zip(edges, paths, labels.places, strict=True))
        drawing = Drawing(self.width, self.height, self.boxes, tuple(self.headers), wires)
        return drawing, labels.covered

    def _po_path(self, edge: DrawnEdge) -> Curve:
        source, target = self.boxes[edge.source], self.boxes[edge.target]
        x = source.middle[0]
        return Curve((x, source.bottom)).line((x, target.y - 1))

    def _initial_path(self, edge: DrawnEdge) -> Curve:
        siblings = sorted(
            (e for e in self.from_initial if e.source == edge.source), key=self._track_x
        )
        box = self.boxes[edge.source]
        x = box.x + box.width * (siblings.index(edge) + 1) / (len(siblings) + 1)
        track, top = self._track_x(edge), self.headers[0].y
        side = self.initial_side[edge]
        end, y = self._port(edge, False, side)
        turn = 8.0 if side == LEFT else -8.0
        path = Curve((x, box.bottom)).downwards((track, top)).line((track, y - 8))
        return path.corner((track, y), (track + turn, y)).line((end, y))

    def _arc_path(self, edge: DrawnEdge) -> Curve:
        side = self.arc_side[edge]
        x, start = self._port(edge, True, side)
        _, end = self._port(edge, False, side)
        sign = -1 if side == LEFT else 1
        base = self._arc_base(edge.source[0], side)
        track = x + sign * (base + self.track * self.arc_track[edge])
        bend = min(16.0, abs(end - start) / 2)
        step = bend if end > start else -bend
        path = Curve((x, start)).line((track - sign * bend, start))
        path.corner((track, start), (track, start + step)).line((track, end - step))
        return path.corner((track, end), (track - sign * bend, end)).line((x, end))

    def _across_path(self, edge: DrawnEdge) -> Curve:
        """Straight through the zones of arcs, curved in the zones of curves, straight across
        columns."""
        rightwards = edge.source[0] < edge.target[0]
        path = Curve(self._port(edge, True, int(rightwards)))
        ends = self._crossings(edge)
        for corridor, (left_y, right_y) in ends if rightwards else reversed(ends):
            left, right = self._curve_span(corridor)
            if rightwards:
                enter, leave, y = left, right, right_y
            else:
                enter, leave, y = right, left, left_y
            path.line((enter, path.end[1]))
            path.sideways((leave, y), left + (right - left) * self._turn(corridor)[edge])
        return path.line(self._port(edge, False, int(not rightwards)))

    def _crossings(self, edge: DrawnEdge) -> list[tuple[int, tuple[float, float]]]:
        """The corridors that an edge crosses, from left to right, with its heights at their left
        and right."""
        rightwards = edge.source[0] < edge.target[0]
        first, last = sorted((edge.source[0], edge.target[0]))
        start = self._port(edge, rightwards, RIGHT)[1]
        end = self._port(edge, not rightwards, LEFT)[1]
        between = 0.0
        if edge in self.gap_of:
            track = self.gap_track[edge]
            between = self.gap_top[self.gap_of[edge]] + 9 + self.track * (track + 0.5)
        return [
            (c, (start if c == first + 1 else between, end if c == last else between))
            for c in range(first + 1, last + 1)
        ]

    def _curve_span(self, corridor: int) -> tuple[float, float]:
        left = self.column_right[corridor - 1]
        left += self._arc_zone(corridor - 1, RIGHT) + self._initial_zone(corridor - 1, RIGHT)
        return left, left + self._curve_zone(corridor)

    def _turn(self, corridor: int) -> dict[DrawnEdge, float]:
        """Where in a corridor (0 left, 1 right) each edge turns: one after the other, so that
        parallel ones stay apart."""
        if corridor not in self.turns:
            order: list[tuple[float, DrawnEdge]] = []
            for edge in self.across:
                for at, (left_y, right_y) in self._crossings(edge):
                    if at == corridor:
                        middle = (left_y + right_y) / 2
                        order.append((-middle if right_y > left_y else middle, edge))
            order.sort()
            self.turns[corridor] = {
                edge: 0.2 + 0.6 * (rank + 0.5) / len(order) for rank, (_, edge) in enumerate(order)
            }
        return self.turns[corridor]
