"""A drawing of a trace as plain data: boxes, lines and labels with their places.

The SVG file of a trace and the page of a report are both made of this, so they show the same
picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.execution.trace import EventId, TraceData
from hybrid.witness.geometry import Rect
from hybrid.witness.graph import (
    ACROSS,
    MARKED,
    MEANINGS,
    DrawnEdge,
    DrawnGraph,
    DrawnNode,
    Emphasis,
    graph_of,
)
from hybrid.witness.layout import Wire, clip, lay_out


@dataclass(frozen=True, slots=True)
class PictureBox:
    """A step, or an initial write."""

    key: str  # `0.1`: the thread and the po index; `init.0`
    label: str  # of the instruction; empty for an initial write
    kind: str  # initial, failed, slim, write or read
    head: str  # the whole text; what is drawn of it may be cut
    body: str
    place: Rect
    bold: bool


@dataclass(frozen=True, slots=True)
class PictureLine:
    """An edge."""

    relation: str
    kind: str  # wire, dep or po
    source: str  # keys of boxes
    target: str
    path: str  # the `d` of an SVG path
    text: str  # empty: it has no label
    place: Rect | None  # of the label
    bold: bool


@dataclass(frozen=True, slots=True)
class Picture:
    width: float
    height: float
    threads: tuple[tuple[str, Rect], ...]  # names and places of their headers
    boxes: tuple[PictureBox, ...]
    lines: tuple[PictureLine, ...]
    relations: tuple[tuple[str, str], ...]  # those that occur, with what they mean
    bold: str  # what is bold in it; empty: nothing is
    description: str  # all of it in words
    notes: tuple[str, ...]  # outcome, claim, failed asserts, why something is bold
    warnings: tuple[str, ...]  # those of the notes that tell of something bad


def key_of_event(event: EventId) -> str:
    """The key of a box by the first event of its step."""
    thread, index = event
    return f"init.{index}" if thread < 0 else f"{thread}.{index}"


def picture_of(data: TraceData, emphasis: Emphasis | None = None) -> Picture:
    """The drawing of `data`, with what `emphasis` names in bold."""
    graph = graph_of(data, emphasis)
    drawing = lay_out(graph)
    nodes = [node for nodes in (graph.initial, *graph.threads) for node in nodes]
    return Picture(
        drawing.width,
        drawing.height,
        tuple(zip(map(clip, graph.names), drawing.headers, strict=True)),
        tuple(_box(node, drawing.boxes[node.id]) for node in nodes),
        tuple(map(_line, drawing.wires)),
        tuple((name, MEANINGS[name]) for name in graph.relations),
        graph.bold,
        _description(graph),
        graph.notes,
        graph.warnings,
    )


def _box(node: DrawnNode, place: Rect) -> PictureBox:
    step = node.step
    if step.initial:
        kind = "initial"
    elif step.failed or step.wait is not None:
        kind = "failed"
    elif step.other is not None:
        kind = "slim"
    else:
        kind = "write" if step.write is not None else "read"
    return PictureBox(
        key_of_event(node.id), step.label, kind, node.head, node.body, place, node.bold
    )


def kind_of(edge: DrawnEdge) -> str:
    """How an edge is drawn."""
    name = edge.relation
    return name if name == "po" else "wire" if name in (*ACROSS, MARKED) else "dep"


def _line(wire: Wire) -> PictureLine:
    edge = wire.edge
    return PictureLine(
        edge.relation,
        kind_of(edge),
        key_of_event(edge.source),
        key_of_event(edge.target),
        wire.path.svg(),
        edge.text,
        wire.label,
        edge.bold,
    )


def _description(graph: DrawnGraph) -> str:
    names = {node.id: node.step.name for nodes in (graph.initial, *graph.threads) for node in nodes}
    parts = [
        f"{thread}: " + ", ".join(f"{n.head} ({n.body})" if n.body else n.head for n in nodes)
        for thread, nodes in zip(graph.names, graph.threads, strict=True)
    ]
    shown = [e for e in graph.edges if e.relation != "po"]
    parts += [f"{names[e.source]} -{e.text}-> {names[e.target]}" for e in shown]
    return "; ".join((*parts, *graph.notes))
