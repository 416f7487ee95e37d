"""`hybrid models`: the memory models that hybrid knows, or one of them in full."""

from __future__ import annotations

import argparse

from hybrid.catalogue.engines import engines_for
from hybrid.cli import options
from hybrid.data import builtin_models
from hybrid.model.core import Axiom, Model
from hybrid.model.load import load_model
from hybrid.model.show import show_expr
from hybrid.report.output import output

EXAMPLES = """examples:
  hybrid models
  hybrid models power
  hybrid models my.cat      checks a model of your own
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = "Lists the built-in memory models, or shows one."
    parser.epilog = EXAMPLES
    parser.add_argument(
        "model", metavar="MODEL", nargs="?", help="a built-in model or a .cat file, to see it whole"
    )
    options.add_output_option(parser.add_argument, "write there")


def run(args: argparse.Namespace) -> int:
    text = listing() if args.model is None else whole(load_model(args.model))
    with output(args.output) as stream:
        stream.write(text)
    return 0


def listing() -> str:
    """One line per built-in model: name, engines, commit-before, title."""
    rows = [("Model", "Engines", "Commit-before", "Title")]
    for name in builtin_models():
        model = load_model(name)
        rows.append(
            (
                name,
                ", ".join(engines_for(model)),
                model.commit_before_origin if model.commit_before is not None else "none",
                model.title,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "".join(
        "  ".join(
            [*(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=False)), row[3]]
        ).rstrip()
        + "\n"
        for row in rows
    )


def whole(model: Model) -> str:
    """Everything about a model, as it is executed: included files and functions are in their
    places."""
    lines = [f"{model.name}: {model.title}" if model.title else model.name]
    lines.append(f"read from {model.path}")
    lines += [f"note: {note}" for note in model.notes]
    lines.append(f"engines: {', '.join(engines_for(model))}")
    if model.commit_before is None:
        lines.append(f"no commit-before: {model.commit_before_origin}")
    else:
        order = show_expr(model.commit_before, model)
        lines.append(f"commit-before ({model.commit_before_origin}): {order}")
    if model.forward is not None:
        lines.append(f"forward: {show_expr(model.forward, model)}")
    if model.look_ahead is not None:
        lines.append(f"look-ahead: {show_expr(model.look_ahead, model)}")
    lines += ["", *definition_lines(model), ""]
    lines += [axiom_text(axiom, model) for axiom in model.axioms]
    return "\n".join(lines) + "\n"


def definition_lines(model: Model) -> list[str]:
    """The definitions as cat text; those of a recursive group one under the other."""
    lines: list[str] = []
    group: int | None = None
    for definition in model.definitions:
        if definition.group is None:
            word = "let"
        else:
            word = "and" if definition.group == group else "let rec"
        group = definition.group
        lines.append(f"{word} {definition.name} = {show_expr(definition.expr, model)}")
    return lines


def axiom_text(axiom: Axiom, model: Model) -> str:
    """`acyclic po | com as sc`, a flag with its word before it."""
    flag = "flag " if axiom.flag else ""
    negated = "~" if axiom.negated else ""
    return f"{flag}{negated}{axiom.test.value} {show_expr(axiom.expr, model)} as {axiom.name}"
