"""A drawing of a trace for Graphviz: one cluster a thread, the edges and colours of the SVG drawing."""

from __future__ import annotations

from hybrid.execution.trace import EventId, TraceData
from hybrid.witness.graph import ACROSS, COLOURS, Edge, Node, graph_of


def draw_dot(data: TraceData, title: str) -> str:
    """A `digraph` that `dot` draws: threads as clusters, program order downwards, the outcome below the title."""
    graph = graph_of(data)
    label = "".join(_escape(line) + "\\l" for line in (title, *graph.notes))
    lines = [
        "digraph trace {",
        f'  graph [label="{label}", labelloc=t, labeljust=l, fontname="monospace", splines=true, nodesep=0.6, ranksep=0.5];',
        '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#3d444d", fontname="monospace", fontsize=11];',
        '  edge [fontname="monospace", fontsize=10];',
    ]
    lines += [f"  {_node(node)}" for node in graph.initial]
    for index, (name, nodes) in enumerate(zip(graph.names, graph.threads, strict=True)):
        lines.append(f"  subgraph cluster_{index} {{")
        lines.append(f'    label="{_escape(name)}"; color="#c9ced6";')
        lines += [f"    {_node(node)}" for node in nodes]
        lines.append("  }")
    lines += [f"  {_edge(edge)}" for edge in graph.edges]
    return "\n".join((*lines, "}")) + "\n"


def _name(event_id: EventId) -> str:
    thread, index = event_id
    return f"init{index}" if thread < 0 else f"t{thread}_{index}"


def _escape(text: str) -> str:
    """`text` inside a quoted DOT string."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _node(node: Node) -> str:
    step = node.step
    label = _escape(node.head) + (f"\\n{_escape(node.body)}" if node.body else "")
    if step.initial:
        look = ', fillcolor="#fafafa", color="#8a8f98"'
    elif step.failed:
        look = ', style="rounded,dashed"'
    elif step.other is not None:
        look = ', fillcolor="#f4f4f4", color="#8a8f98", height=0.25'
    else:
        look = f', fillcolor="{"#fff6ea" if step.write else "#f3f8ff"}"'
    return f'{_name(node.id)} [label="{label}"{look}];'


def _edge(edge: Edge) -> str:
    name = edge.relation
    colour = COLOURS[name]
    look = f'color="{colour}"'
    if name == "po":
        look += ", weight=10"
    else:
        look += f', fontcolor="{colour}", label="{name}"'
        # program order alone decides the rank within a thread; other edges follow
        look += ", constraint=false" if edge.source[0] >= 0 else ""
        look += "" if name in ACROSS else ", style=dashed"
    return f"{_name(edge.source)} -> {_name(edge.target)} [{look}];"
