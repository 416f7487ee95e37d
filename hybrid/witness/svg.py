"""A drawing of a trace as SVG, made of text alone: no external program, no script, no font to
fetch."""

from __future__ import annotations

from hybrid.execution.trace import TraceData
from hybrid.witness.geometry import Rect, number
from hybrid.witness.graph import COLOURS, DASHES, MARKED, Emphasis
from hybrid.witness.layout import CHAR, MARGIN, clip
from hybrid.witness.picture import Picture, PictureBox, PictureLine, picture_of

FONT = "DejaVu Sans Mono, Menlo, Consolas, Liberation Mono, monospace"
_LINE = 18.0  # height of a line of notes
_STYLE = f"""text{{font-family:{FONT};font-size:12px;fill:#1b1f24;text-anchor:middle}}
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
.dep{{fill:none;stroke-width:1.1}}
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
    return svg_document(picture_of(data, emphasis), title)


def svg_document(picture: Picture, title: str) -> str:
    """A picture as a document of its own, with its legend and its notes."""
    foot, foot_width, foot_height = _foot(picture, picture.height + 10, picture.width)
    width = max(picture.width, foot_width, len(title) * 9.1 + 2 * MARGIN, 260.0)
    height = picture.height + 10 + foot_height + MARGIN
    shift = (width - picture.width) / 2
    size = (
        f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} '
        f'{number(height)}"'
    )
    names = [name for name, _ in picture.relations]
    bold = sorted({line.relation for line in picture.lines if line.bold} | {MARKED})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(picture.description)}</desc>',
        f"<style>{_STYLE}{_dashes(names)}{_BOLD_STYLE if picture.bold else ''}"
        f"{_colours(names)}</style>",
        f"<defs>{arrowheads(names, bold if picture.bold else ())}</defs>",
        f'<rect width="{number(width)}" height="{number(height)}" fill="#ffffff"/>',
        f'<text class="title" x="{number(MARGIN)}" y="28">{escape(title)}</text>',
        f'<g transform="translate({number(shift)} 0)">',
        *svg_body(picture),
    ]
    return "\n".join([*parts, "</g>", *foot, "</svg>"]) + "\n"


def svg_body(picture: Picture) -> list[str]:
    """The elements of the picture itself. Boxes and edges have classes and `data-` attributes, by
    which a page finds them; what these look like is for a style sheet to say."""
    parts = [_header(name, rect) for name, rect in picture.threads]
    parts += [_box(box) for box in picture.boxes]
    parts += [_wire(line) for line in picture.lines]
    return parts + [_label(line) for line in picture.lines if line.place is not None]


def escape(text: str) -> str:
    """`text` escaped for XML, in attributes too; characters that XML does not have become
    replacement characters."""
    shown = text
    if not text.isprintable():
        shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        shown = shown.replace(character, entity)
    return shown


def _dashes(names: list[str]) -> str:
    """The dashes of the relations that occur."""
    return "".join(
        f"\n.{name} .dep{{stroke-dasharray:{DASHES[name]}}}" for name in names if name in DASHES
    )


def _colours(names: list[str]) -> str:
    """The colours of the relations that occur."""
    return "".join(
        f"\n.{name} .arrow{{stroke:{COLOURS[name]}}}"
        f".{name} .label,.tip.{name}{{fill:{COLOURS[name]}}}"
        for name in (*names, MARKED)
    )


def arrowheads(names: list[str], bold: list[str] | tuple[str, ...]) -> str:
    """The markers at the ends of edges: of these relations, and of these in bold."""
    heads = [_arrowhead(f"to-{name}", name, 8) for name in names]
    return "".join((*heads, *(_arrowhead(f"to-bold-{name}", name, 13) for name in bold)))


def _arrowhead(name: str, relation: str, size: int) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="{size}" '
        f'markerHeight="{size}" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0.8L8,4L0,7.2z" '
        f'class="tip {relation}"/></marker>'
    )


def _rect(rect: Rect, kind: str, radius: float) -> str:
    place = (
        f'x="{number(rect.x)}" y="{number(rect.y)}" width="{number(rect.width)}" '
        f'height="{number(rect.height)}"'
    )
    return f'<rect class="{kind}" {place} rx="{number(radius)}"/>'


def _text(text: str, x: float, y: float, kind: str) -> str:
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{escape(text)}</text>'


def _header(name: str, rect: Rect) -> str:
    x, y = rect.middle
    return _rect(rect, "thread", 4) + _text(name, x, y + 4, "head")


def _box(box: PictureBox) -> str:
    x, y = box.place.middle
    kind = f"box {box.kind}" + (" bold" if box.bold else "")
    parts = [
        f'<g class="event" data-key="{escape(box.key)}" data-label="{escape(box.label)}">',
        f"<title>{escape(box.head)}</title>",
        _rect(box.place, kind, 5),
    ]
    if box.body:
        parts += [
            _text(clip(box.head), x, y - 4, "head"),
            _text(clip(box.body), x, y + 13, "body"),
        ]
    else:
        parts.append(_text(clip(box.head), x, y + 4, "body"))
    return "".join((*parts, "</g>"))


def _edge(line: PictureLine, inside: str) -> str:
    ends = f'data-from="{escape(line.source)}" data-to="{escape(line.target)}"'
    return f'<g class="edge {line.relation}" {ends}>{inside}</g>'


def _wire(line: PictureLine) -> str:
    return _edge(line, _arrow(line.relation, line.kind, line.bold, line.path))


def _arrow(relation: str, kind: str, bold: bool, path: str) -> str:
    looks = f"arrow {kind}" + (" bold" if bold else "")
    head = f"to-bold-{relation}" if bold else f"to-{relation}"
    return f'<path class="{looks}" d="{escape(path)}" marker-end="url(#{head})"/>'


def _label(line: PictureLine) -> str:
    assert line.place is not None
    x, y = line.place.middle
    kind = "label bold" if line.bold else "label"
    return _edge(line, _rect(line.place, "plate", 2) + _text(line.text, x, y + 4, kind))


def _foot(picture: Picture, top: float, width: float) -> tuple[list[str], float, float]:
    """The legend and the notes, from `top`; with the width that they need and their height."""
    parts: list[str] = []
    x, y, widest = MARGIN, top + 10, 0.0
    kinds = {line.relation: line.kind for line in picture.lines}
    key = [(name, kinds[name], False, f"{name}: {means}") for name, means in picture.relations]
    if picture.bold:
        key.append((MARKED, "wire", True, f"bold: {picture.bold}"))
    for name, kind, bold, text in key:
        wide = 34 + len(text) * CHAR + 16
        if x > MARGIN and x + wide > max(width, 420.0):
            x, y = MARGIN, y + _LINE
        ends = f"M{number(x)},{number(y)}L{number(x + 26)},{number(y)}"
        parts.append(f'<g class="{name}">{_arrow(name, kind, bold, ends)}</g>')
        parts.append(_text(text, x + 34, y + 4, "key"))
        x += wide
        widest = max(widest, x)
    y += _LINE + 8
    columns = int((max(width, 420.0) - 2 * MARGIN) / CHAR)
    for note in picture.notes:
        bad = note in picture.warnings
        for line in wrap(note, columns):
            parts.append(_text(line, MARGIN, y, "note bad" if bad else "note"))
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
