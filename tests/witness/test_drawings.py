"""SVG, DOT and text: golden files, well-formedness, and that nothing in a drawing covers anything
else."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import pytest
from drawing_checks import faults
from explored import PROGRAMS, traces
from golden_files import check_golden
from trace_samples import SAMPLES

from hybrid.execution.trace import TraceData
from hybrid.witness.dot import draw_dot
from hybrid.witness.geometry import Rect
from hybrid.witness.graph import (
    COLOURS,
    DARK_COLOURS,
    DASHES,
    MARKED,
    MEANINGS,
    Emphasis,
    from_read,
    graph_of,
)
from hybrid.witness.layout import Drawing, lay_out
from hybrid.witness.steps import steps_of
from hybrid.witness.svg import draw_svg, wrap
from hybrid.witness.text import trace_text

pytestmark = pytest.mark.large


@cache
def drawn() -> tuple[tuple[TraceData, Drawing], ...]:
    return tuple(
        (data, lay_out(graph_of(data, emphasis)))
        for data in everything()
        for emphasis in (None, around(data))
    )


def around(data: TraceData) -> Emphasis:
    """From the first event of each thread to its last as if over a fence, and all communication."""
    edges = []
    for thread in range(len(data.program.threads)):
        own = [event.id for event in data.events if event.thread == thread]
        if len(own) > 1:
            edges.append((own[0], "fence rw,rw", own[-1]))
    edges += [(source, "rfe", load) for load, source in data.rf.items()]
    edges += [(load, "fre", store) for load, store in from_read(data)]
    return Emphasis(tuple(edges), note="forbidden by axiom external: …")


def everything() -> Iterator[TraceData]:
    for make in SAMPLES.values():
        yield make()
    for name in PROGRAMS:
        yield from traces(name, "coherence")[:10]


@pytest.mark.parametrize("name", SAMPLES)
def test_golden_drawings(name: str) -> None:
    data = SAMPLES[name]()
    title = f"{data.program.name} under power"
    check_golden(f"witness/{name}.svg", draw_svg(data, title))
    check_golden(f"witness/{name}.dot", draw_dot(data, title))
    check_golden(f"witness/{name}.trace.txt", trace_text(data))


@pytest.mark.large
def test_boxes_and_labels_are_apart() -> None:
    for data, drawing in drawn():
        solid = [*drawing.boxes.values(), *drawing.headers]
        labels = [wire.label for wire in drawing.wires if wire.label is not None]
        rects = [*solid, *labels]
        for at, rect in enumerate(rects):
            assert rect.x >= 0 and rect.right <= drawing.width
            assert rect.y >= 0 and rect.bottom <= drawing.height
            for other in rects[at + 1 :]:
                assert not rect.overlaps(other), (data.program.name, rect, other)


@pytest.mark.large
def test_nothing_covers_a_label() -> None:
    for data, drawing in drawn():
        assert faults(drawing) == [], data.program.name


def test_a_covered_label_is_noticed() -> None:
    """That the check above can fail."""
    _, drawing = drawn()[0]
    labelled = next(wire for wire in drawing.wires if wire.label is not None)
    over = replace(drawing, wires=(*drawing.wires, replace(labelled, label=None)))
    assert any("runs over" in fault for fault in faults(over))
    twice = replace(drawing, wires=(*drawing.wires, labelled))
    assert any("the labels of" in fault for fault in faults(twice))


@pytest.mark.large
def test_wires_pass_no_box() -> None:
    for _, drawing in drawn():
        for wire in drawing.wires:
            for x, y in wire.path.samples():
                point = Rect(x, y, 0, 0)
                for event_id, box in drawing.boxes.items():
                    assert not box.grown(-0.5).overlaps(point), (wire.edge, event_id)
                assert 0 <= x <= drawing.width and 0 <= y <= drawing.height


def test_wires_end_at_their_boxes() -> None:
    for _, drawing in drawn():
        for wire in drawing.wires:
            for end, point in (
                (wire.edge.source, wire.path.start),
                (wire.edge.target, wire.path.end),
            ):
                rect = Rect(point[0], point[1], 0.01, 0.01)
                assert drawing.boxes[end].grown(1.5).overlaps(rect), wire.edge


def test_wires_run_on_tracks_of_their_own() -> None:
    """Two edges may cross, but do not run on top of each other."""
    for data, drawing in drawn():
        found: dict[tuple[int, int], set[int]] = {}
        for index, wire in enumerate(drawing.wires):
            for x, y in wire.path.samples():
                found.setdefault((round(x / 2), round(y / 2)), set()).add(index)
        shared = Counter(
            pair for wires in found.values() for pair in combinations(sorted(wires), 2)
        )
        for (first, second), points in shared.items():
            edges = drawing.wires[first].edge, drawing.wires[second].edge
            assert points < 12, (data.program.name, *edges)


@pytest.mark.large
def test_svg_is_xml_with_title_and_description() -> None:
    for data in everything():
        text = draw_svg(data, 'a <b> & "c" \x01')
        root = ElementTree.fromstring(text)
        space = "{http://www.w3.org/2000/svg}"
        title, desc = root.find(f"{space}title"), root.find(f"{space}desc")
        assert title is not None and title.text == 'a <b> & "c" \N{REPLACEMENT CHARACTER}'
        assert desc is not None and desc.text
        background = root.find(f"{space}rect")
        assert background is not None and background.get("fill") == "#ffffff"
        assert background.get("width") == root.get("width")
        assert draw_svg(data, 'a <b> & "c" \x01') == text
        assert "href" not in text and "script" not in text


def test_what_is_emphasised_is_bold() -> None:
    """The events and edges of a cycle, the ones that are drawn anyway and those that only the cycle
    has."""
    data = SAMPLES["mp"]()
    edges = (((0, 0), "sync[L1]", (0, 2)), ((0, 2), "rfe", (1, 0)), ((1, 0), "po", (1, 1)))
    emphasis = Emphasis(
        (*edges, ((1, 1), "fre", (0, 0))), frozenset({(0, 1)}), "the cycle", "forbidden"
    )
    graph = graph_of(data, emphasis)
    bold = {(e.source, e.text, e.target) for e in graph.edges if e.bold}
    assert bold == {
        ((0, 0), "sync[L1]", (0, 2)),
        ((0, 2), "rf", (1, 0)),
        ((1, 0), "", (1, 1)),
        ((1, 1), "fr", (0, 0)),
    }
    plain = graph_of(data)
    assert {(e.source, e.target, e.relation) for e in graph.edges if e.relation != MARKED} == {
        (e.source, e.target, e.relation) for e in plain.edges
    }
    assert not any(e.bold for e in plain.edges) and plain.bold == ""
    marked = {node.id for nodes in graph.threads for node in nodes if node.bold}
    assert marked == {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)}
    svg, dot = draw_svg(data, "t", emphasis), draw_dot(data, "t", emphasis)
    assert svg.count('class="arrow wire bold"') == 4  # the legend's included
    assert svg.count('class="arrow po bold"') == 1
    assert svg.count('bold" x=') - svg.count('label bold" x=') == 5
    assert ">sync[L1]</text>" in svg and ">bold: the cycle</text>" in svg
    assert 'class="note bad"' in svg
    assert dot.count("penwidth=3.4") == 4 and dot.count("penwidth=2.8") == 5
    for text in (draw_svg(data, "t"), draw_dot(data, "t")):
        assert 'bold"' not in text.replace("font-weight:bold", "") and "penwidth" not in text


def test_every_step_and_edge_is_drawn() -> None:
    for data in everything():
        graph = graph_of(data)
        drawn = {node.id for nodes in graph.threads for node in nodes}
        assert drawn == {step.id for step in steps_of(data).values() if not step.initial}
        text = draw_svg(data, "t")
        dot = draw_dot(data, "t")
        assert text.count("marker-end") == len(graph.edges) + len(graph.relations)
        assert dot.count(" -> ") - dot.count("RMW") == len(graph.edges)
        for load, source in data.rf.items():
            steps = steps_of(data)
            if steps[load] is not steps[source]:
                ends = (steps[source].id, steps[load].id)
                assert any((e.source, e.target, e.relation) == (*ends, "rf") for e in graph.edges)


def test_from_read_goes_to_the_next_store_only() -> None:
    graph = graph_of(SAMPLES["loop_rmw"]())
    found = {(e.source, e.target) for e in graph.edges if e.relation == "fr"}
    assert found == {((0, 0), (1, 7)), ((1, 1), (1, 5)), ((1, 4), (1, 5))}


def test_ctrl_goes_to_the_first_event_only() -> None:
    graph = graph_of(SAMPLES["loop_rmw"]())
    found = {(e.source, e.target) for e in graph.edges if e.relation == "ctrl"}
    assert found == {((0, 0), (0, 3)), ((1, 1), (1, 4)), ((1, 4), (1, 7))}


def test_only_initial_writes_that_are_read_are_drawn() -> None:
    assert [node.head for node in graph_of(SAMPLES["mp"]()).initial] == ["init_x"]
    assert graph_of(SAMPLES["lb_data"]()).initial == ()


def test_dot_quotes() -> None:
    text = draw_dot(SAMPLES["mp"](), 'a "b" \\ \n c')
    assert r'label="a \"b\" \\ ' in text
    assert all(len(re.findall(r'(?<!\\)"', line)) % 2 == 0 for line in text.splitlines())


def test_every_relation_has_a_colour() -> None:
    used = {relation for data in everything() for relation in graph_of(data).relations}
    more = {"race", MARKED}  # test_cli_races.py, test_what_is_emphasised_is_bold
    assert used | more == set(COLOURS) == set(MEANINGS)


@pytest.mark.parametrize(("colours", "page"), [(COLOURS, "#ffffff"), (DARK_COLOURS, "#15181d")])
def test_colours_can_be_told_apart(colours: dict[str, str], page: str) -> None:
    """By everybody: as seen with each kind of colour blindness. Names in them can be read."""
    assert set(colours) == set(COLOURS)
    looks = [(colour, DASHES.get(name)) for name, colour in colours.items()]
    assert len(set(looks)) == len(looks)  # dependencies have one colour: their dashes differ
    kinds = sorted(set(colours.values()))
    for one, other in combinations(kinds, 2):
        for sight in SIGHTS:
            apart = math.dist(lab(seen(linear(one), sight)), lab(seen(linear(other), sight)))
            assert apart > 20, (one, other, sight)
    for colour in kinds:
        light, dark = sorted((luminance(colour), luminance(page)))
        assert (dark + 0.05) / (light + 0.05) > 4.5, colour  # WCAG AA


# How colours are seen, in linear RGB: by most people, and without one of the three kinds of cones
# (Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", 2009).
SIGHTS = (
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
)
Triple = tuple[float, float, float]


def linear(colour: str) -> Triple:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def seen(colour: Triple, sight: tuple[Triple, ...]) -> Triple:
    rows = [sum(a * b for a, b in zip(row, colour, strict=True)) for row in sight]
    red, green, blue = (min(1.0, max(0.0, value)) for value in rows)
    return red, green, blue


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lab(colour: Triple) -> Triple:
    """CIE L*a*b*, in which distances are about as the eye sees them."""
    red, green, blue = colour
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def test_dependencies_have_dashes_of_their_own() -> None:
    text = draw_svg(SAMPLES["loop_rmw"](), "t")
    ruled = dict(re.findall(r"\n\.(\w+) \.dep\{stroke-dasharray:([\d ]+)\}", text))
    drawn = set(re.findall(r'<g class="edge (\w+)"[^>]*><path class="arrow dep', text))
    assert drawn == set(ruled) and len(set(ruled.values())) == len(ruled) > 1


def test_a_trace_without_events() -> None:
    data = SAMPLES["mp"]()
    initial = tuple(event for event in data.events if event.thread < 0)
    empty = replace(
        data,
        program=replace(data.program, condition=None),
        events=initial,
        by_id={},
        rf={},
        co={},
        registers=({}, {}),
    )
    ElementTree.fromstring(draw_svg(empty, "empty"))
    assert "(no events)" in trace_text(empty)


def test_many_ends_at_one_box_stay_apart() -> None:
    """A store that is read many times: its box grows, the ends keep their distance."""
    drawing = lay_out(graph_of(SAMPLES["long_one"]()))
    ends: dict[tuple[float, float], int] = {}
    for wire in drawing.wires:
        if wire.edge.relation != "po":
            for point in (wire.path.start, wire.path.end):
                ends[point] = ends.get(point, 0) + 1
    assert max(ends.values()) == 1


def test_wrap() -> None:
    assert wrap("a bb ccc", 4) == ["a bb", "  ccc"]
    assert wrap("a", 1) == ["a"]
    assert wrap("abcdef", 3) == ["abcdef"]
