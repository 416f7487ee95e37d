"""What `hybrid bench kernel` writes: its numbers as CSV, and a drawing of the cost of an execution
against the size of the program, one panel for each program and one line for each model."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from html import escape

from hybrid.cli.bench_case import KernelRow
from hybrid.witness.geometry import number

COLUMNS = (
    *("program", "orders", "model", "engine", "size", "executions", "finished", "blocked"),
    *("checks", "refused", "seconds", "microseconds", "peak_kilobytes"),
)

_ACROSS = 4  # panels in a row
_WIDTH, _HEIGHT = 260.0, 190.0  # of a panel
_LEFT, _TOP, _RIGHT, _BOTTOM = 56.0, 26.0, 12.0, 30.0  # around the lines of a panel
_KEY = 22.0  # height of the key above all panels
_COLOURS = ("#1b1f24", "#1f6feb", "#cf222e", "#e8893b", "#8250df", "#bf6bd1", "#1a7f37", "#6e7781")
_STYLE = """text{font-family:sans-serif;font-size:11px;fill:#1b1f24;text-anchor:middle}
.title{font-size:12px;font-weight:bold}.key{text-anchor:start}.cost{text-anchor:end}
.frame{fill:none;stroke:#8a8f98}.grid{stroke:#d8dbe0}.line{fill:none;stroke-width:1.8}"""

Line = tuple[str, str, str]  # model, annotations, engine


def csv_text(rows: list[KernelRow]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        case = row.case
        numbers = (row.blocked, row.checks, row.refused)
        cost = (f"{row.seconds:.6f}", f"{row.microseconds:.3f}", row.kilobytes)
        finished = "yes" if row.finished else "no"
        what = (case.program, case.orders, case.model, case.engine, row.size)
        writer.writerow((*what, row.executions, finished, *numbers, *cost))
    return text.getvalue()


def _line_of(row: KernelRow) -> Line:
    return row.case.model, row.case.orders, row.case.engine


def plot_text(rows: list[KernelRow]) -> str:
    """An SVG document, of text alone; the cost is on a logarithmic scale."""
    panels: dict[str, dict[Line, list[KernelRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.executions:
            panels[row.case.program][_line_of(row)].append(row)
    lines = list(dict.fromkeys(_line_of(row) for row in rows))
    colours = {line: _COLOURS[i % len(_COLOURS)] for i, line in enumerate(lines)}
    columns = max(1, min(_ACROSS, len(panels)))
    key_rows = math.ceil(len(lines) / columns)
    top = key_rows * _KEY + 12
    width = columns * _WIDTH
    height = top + math.ceil(len(panels) / columns) * _HEIGHT
    size = f'width="{number(width)}" height="{number(height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {number(width)} {number(height)}">',
        "<title>µs of processor time for one execution, against the size of the program</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{number(width)}" height="{number(height)}" fill="#ffffff"/>',
    ]
    for i, line in enumerate(lines):
        x, y = i % columns * _WIDTH + 12, i // columns * _KEY + 18
        parts.append(_key(line, colours[line], x, y))
    for i, (program, series) in enumerate(panels.items()):
        x, y = i % columns * _WIDTH, top + i // columns * _HEIGHT
        parts += _panel(program, series, colours, x, y)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _key(line: Line, colour: str, x: float, y: float) -> str:
    model, orders, engine = line
    words = escape(f"{model}{'' if orders == 'plain' else f' {orders}'}, {engine}")
    return (
        f'<path class="line" stroke="{colour}" d="M{number(x)} {number(y)}h24"/>'
        f'<text class="key" x="{number(x + 30)}" y="{number(y + 4)}">{words}</text>'
    )


def _panel(
    program: str,
    series: dict[Line, list[KernelRow]],
    colours: dict[Line, str],
    left: float,
    top: float,
) -> list[str]:
    """The lines of one program, between the powers of ten around its costs."""
    rows = [row for line in series.values() for row in line]
    sizes = sorted({row.size for row in rows})
    least = math.floor(math.log10(max(1e-3, min(row.microseconds for row in rows))))
    most = math.ceil(math.log10(max(1e-3, max(row.microseconds for row in rows))))
    most = max(most, least + 1)
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    spread = max(1, sizes[-1] - sizes[0])

    def across(size: int) -> float:
        return left + _LEFT + wide * (size - sizes[0]) / spread

    def down(cost: float) -> float:
        return top + _TOP + high * (most - math.log10(max(1e-3, cost))) / (most - least)

    parts = [
        f'<text class="title" x="{number(left + _WIDTH / 2)}" y="{number(top + 16)}">'
        f"{escape(program)}</text>"
    ]
    for power in range(least, most + 1):
        y = down(10.0**power)
        parts.append(
            f'<path class="grid" d="M{number(left + _LEFT)} {number(y)}h{number(wide)}"/>'
            f'<text class="cost" x="{number(left + _LEFT - 5)}" y="{number(y + 4)}">'
            f"{10.0**power:g} µs</text>"
        )
    parts += [
        f'<text x="{number(across(size))}" y="{number(top + _HEIGHT - _BOTTOM + 16)}">{size}</text>'
        for size in sizes
    ]
    parts.append(
        f'<rect class="frame" x="{number(left + _LEFT)}" y="{number(top + _TOP)}" '
        f'width="{number(wide)}" height="{number(high)}"/>'
    )
    for line, points in series.items():
        places = [(number(across(row.size)), number(down(row.microseconds))) for row in points]
        path = "L".join(f"{x} {y}" for x, y in places)
        parts.append(f'<path class="line" stroke="{colours[line]}" d="M{path}"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colours[line]}"/>' for x, y in places]
    return parts
