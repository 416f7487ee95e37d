"""A drawing of a trace for Graphviz: one cluster a thread, the edges and colours of the SVG
drawing."""

from __future__ import annotations

from hybrid.execution.trace import EventId, TraceData
from hybrid.witness.graph import ACROSS, COLOURS, MARKED, DrawnEdge, DrawnNode, Emphasis, graph_of


def draw_dot(data: TraceData, title: str, emphasis: Emphasis | None = None) -> str:
    """A `digraph` that `dot` draws: threads as clusters, program order downwards, the outcome below
    the title, what `emphasis` names in bold."""
    graph = graph_of(data, emphasis)
    label = "".join(_escape(line) + "\\l" for line in (title, *graph.notes))
    lines = [
        "digraph trace {",
        (
            f'  graph [label="{label}", labelloc=t, labeljust=l, fontname="monospace", '
            "splines=true, nodesep=0.6, ranksep=0.5];"
        ),
        (
            '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", '
            'color="#3d444d", fontname="monospace", fontsize=11];'
        ),
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


def _node(node: DrawnNode) -> str:
    step = node.step
    label = _escape(node.head) + (f"\\n{_escape(node.body)}" if node.body else "")
    edge = ', color="#1b1f24", penwidth=2.8' if node.bold else ""
    if step.initial:
        look = ', fillcolor="#fafafa"' + (edge or ', color="#8a8f98"')
    elif step.failed or step.wait is not None:
        look = ', style="rounded,dashed"' + edge
    elif step.other is not None:
        look = ', fillcolor="#f4f4f4"' + (edge or ', color="#8a8f98"') + ", height=0.25"
    else:
        look = f', fillcolor="{"#fff6ea" if step.write else "#f3f8ff"}"' + edge
    return f'{_name(node.id)} [label="{label}"{look}];'


def _edge(edge: DrawnEdge) -> str:
    name = edge.relation
    colour = COLOURS[name]
    look = f'color="{colour}"'
    if name == "po":
        look += ", weight=10"
    else:
        look += f', fontcolor="{colour}", label="{_escape(edge.text)}"'
        # program order alone decides the rank within a thread; other edges follow
        look += ", constraint=false" if edge.source[0] >= 0 else ""
        look += "" if name in (*ACROSS, MARKED) or edge.bold else ", style=dashed"
    if edge.bold:
        look += ', penwidth=3.4, fontname="monospace bold"'
    return f"{_name(edge.source)} -> {_name(edge.target)} [{look}];"
