"""A drawing of a trace as SVG, made of text alone: no external program, no script, no font to
fetch."""

from __future__ import annotations

from hybrid.execution.trace import TraceData
from hybrid.witness.geometry import Rect, number
from hybrid.witness.graph import (
    ACROSS,
    COLOURS,
    MARKED,
    MEANINGS,
    DrawnEdge,
    DrawnGraph,
    DrawnNode,
    Emphasis,
    graph_of,
)
from hybrid.witness.layout import CHAR, MARGIN, Drawing, Wire, clip, lay_out

_FONT = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"
_LINE = 18.0  # height of a line of notes
_STYLE = f"""text{{font-family:{_FONT};font-size:12px;fill:#1b1f24;text-anchor:middle}}
.title{{font-size:15px;font-weight:bold;text-anchor:start}}
.head{{font-weight:bold}}
.note,.key{{text-anchor:start}}
.bad{{fill:#a8071a;font-weight:bold}}
.thread{{fill:#eef0f3}}
.box{{fill:#ffffff;stroke:#3d444d;stroke-width:1.2}}
.read{{fill:#f3f8ff}}
.write{{fill:#fff6ea}}
.slim{{fill:#f4f4f4;stroke:#8a8f98}}
.failed{{fill:#ffffff;stroke:#8a8f98;stroke-dasharray:4 3}}
.initial{{fill:#fafafa;stroke:#8a8f98}}
.wire{{fill:none;stroke-width:1.7}}
.dep{{fill:none;stroke-width:1.1;stroke-dasharray:5 3}}
.po{{fill:none;stroke-width:1.1}}
.label{{font-size:11px;font-weight:bold}}
.plate{{fill:#ffffff;fill-opacity:0.92}}"""
_BOLD_STYLE = """
.wire.bold,.dep.bold,.po.bold{stroke-width:3.4;stroke-dasharray:none}
.box.bold{stroke:#1b1f24;stroke-width:2.8}
.label.bold{font-size:12px}"""


def draw_svg(data: TraceData, title: str, emphasis: Emphasis | None = None) -> str:
    """An SVG document that shows the trace: threads as columns, program order downwards, rf, co and
    fr as coloured arrows, dependencies dashed, the outcome at the bottom, what `emphasis` names in
    bold."""
    graph = graph_of(data, emphasis)
    drawing = lay_out(graph)
    foot, foot_width, foot_height = _foot(graph, drawing.height + 10, drawing.width)
    width = max(drawing.width, foot_width, len(title) * 9.1 + 2 * MARGIN, 260.0)
    height = drawing.height + 10 + foot_height + MARGIN
    shift = (width - drawing.width) / 2
    size = (
        f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} '
        f'{number(height)}"'
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
        f'<title id="title">{_text(title)}</title>',
        f'<desc id="desc">{_text(_description(graph))}</desc>',
        f"<style>{_STYLE}{_BOLD_STYLE if graph.bold else ''}</style>",
        f"<defs>{_arrowheads(graph)}</defs>",
        f'<rect width="{number(width)}" height="{number(height)}" fill="#ffffff"/>',
        f'<text class="title" x="{number(MARGIN)}" y="28">{_text(title)}</text>',
        f'<g transform="translate({number(shift)} 0)">',
    ]
    parts += [_header(name, rect) for name, rect in zip(graph.names, drawing.headers, strict=True)]
    parts += [_box(node, drawing) for nodes in (graph.initial, *graph.threads) for node in nodes]
    parts += [_wire(wire) for wire in drawing.wires]
    parts += [_label(wire) for wire in drawing.wires]
    parts += ["</g>", *foot, "</svg>"]
    return "\n".join(parts) + "\n"


def _text(text: str) -> str:
    """`text` escaped for XML; characters that XML does not have become replacement characters."""
    shown = "".join(c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in text)
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _description(graph: DrawnGraph) -> str:
    names = {node.id: node.step.name for nodes in (graph.initial, *graph.threads) for node in nodes}
    parts = [
        f"{thread}: " + ", ".join(f"{n.head} ({n.body})" if n.body else n.head for n in nodes)
        for thread, nodes in zip(graph.names, graph.threads, strict=True)
    ]
    shown = [e for e in graph.edges if e.relation != "po"]
    parts += [f"{names[e.source]} -{e.text}-> {names[e.target]}" for e in shown]
    return "; ".join((*parts, *graph.notes))


def _arrowheads(graph: DrawnGraph) -> str:
    heads = [_arrowhead(f"to-{name}", name, 8) for name in graph.relations]
    bold = {edge.relation for edge in graph.edges if edge.bold}
    if graph.bold:
        heads += [_arrowhead(f"to-bold-{name}", name, 13) for name in sorted(bold | {MARKED})]
    return "".join(heads)


def _arrowhead(name: str, relation: str, size: int) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="{size}" '
        f'markerHeight="{size}" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0.8L8,4L0,7.2z" '
        f'fill="{COLOURS[relation]}"/></marker>'
    )


def _rect(rect: Rect, kind: str, radius: float) -> str:
    place = (
        f'x="{number(rect.x)}" y="{number(rect.y)}" width="{number(rect.width)}" '
        f'height="{number(rect.height)}"'
    )
    return f'<rect class="{kind}" {place} rx="{number(radius)}"/>'


def _line(text: str, x: float, y: float, kind: str) -> str:
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{_text(text)}</text>'


def _header(name: str, rect: Rect) -> str:
    x, y = rect.middle
    return _rect(rect, "thread", 4) + _line(clip(name), x, y + 4, "head")


def _box(node: DrawnNode, drawing: Drawing) -> str:
    rect, step = drawing.boxes[node.id], node.step
    if step.initial:
        kind = "box initial"
    elif step.failed or step.wait is not None:
        kind = "box failed"
    elif step.other is not None:
        kind = "box slim"
    else:
        kind = "box write" if step.write is not None else "box read"
    kind += " bold" if node.bold else ""
    x, y = rect.middle
    parts = [f"<g><title>{_text(node.head)}</title>", _rect(rect, kind, 5)]
    if node.body:
        parts += [
            _line(clip(node.head), x, y - 4, "head"),
            _line(clip(node.body), x, y + 13, "body"),
        ]
    else:
        parts.append(_line(clip(node.head), x, y + 4, "body"))
    return "".join((*parts, "</g>"))


def _look(edge: DrawnEdge) -> tuple[str, str]:
    """The class of an edge's line, and its arrowhead."""
    name = edge.relation
    kind = name if name == "po" else "wire" if name in (*ACROSS, MARKED) else "dep"
    return (f"{kind} bold", f"to-bold-{name}") if edge.bold else (kind, f"to-{name}")


def _wire(wire: Wire) -> str:
    kind, head = _look(wire.edge)
    colour = COLOURS[wire.edge.relation]
    return (
        f'<path class="{kind}" d="{wire.path.svg()}" stroke="{colour}" marker-end="url(#{head})"/>'
    )


def _label(wire: Wire) -> str:
    if wire.label is None:
        return ""
    x, y = wire.label.middle
    kind = "label bold" if wire.edge.bold else "label"
    colour = f'class="{kind}" style="fill:{COLOURS[wire.edge.relation]}"'
    return (
        _rect(wire.label, "plate", 2)
        + f'<text {colour} x="{number(x)}" y="{number(y + 4)}">{_text(wire.edge.text)}</text>'
    )


def _foot(graph: DrawnGraph, top: float, width: float) -> tuple[list[str], float, float]:
    """The legend and the notes, from `top`; with the width that they need and their height."""
    parts: list[str] = []
    x, y, widest = MARGIN, top + 10, 0.0
    key = [
        (DrawnEdge((0, 0), (0, 0), name), f"{name}: {MEANINGS[name]}") for name in graph.relations
    ]
    if graph.bold:
        key.append((DrawnEdge((0, 0), (0, 0), MARKED, bold=True), f"bold: {graph.bold}"))
    for edge, text in key:
        wide = 34 + len(text) * CHAR + 16
        if x > MARGIN and x + wide > max(width, 420.0):
            x, y = MARGIN, y + _LINE
        kind, head = _look(edge)
        ends = f'd="M{number(x)},{number(y)}L{number(x + 26)},{number(y)}"'
        parts.append(
            f'<path class="{kind}" {ends} stroke="{COLOURS[edge.relation]}" '
            f'marker-end="url(#{head})"/>'
        )
        parts.append(_line(text, x + 34, y + 4, "key"))
        x += wide
        widest = max(widest, x)
    y += _LINE + 8
    columns = int((max(width, 420.0) - 2 * MARGIN) / CHAR)
    for note in graph.notes:
        bad = note in graph.warnings
        for line in wrap(note, columns):
            parts.append(_line(line, MARGIN, y, "note bad" if bad else "note"))
            widest = max(widest, 2 * MARGIN + len(line) * CHAR)
            y += _LINE
    return parts, widest, y - _LINE - top


def wrap(text: str, columns: int) -> list[str]:
    """`text` in lines of at most `columns` characters where its spaces allow; later lines are
    indented."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if line.strip() and len(line) + 1 + len(word) > columns:
            lines.append(line)
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
