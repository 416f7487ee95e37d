"""The source of a program with its events marked, and pieces of a model's text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from hybrid.model import core
from hybrid.program.instructions import (
    Assume,
    Branch,
    Fence,
    Load,
    Rmw,
    Store,
    StoreConditional,
)
from hybrid.program.program import Program
from hybrid.report.html.views import (
    AxiomView,
    DefinitionView,
    EdgeView,
    RelationView,
    SourcePiece,
    SourceView,
)
from hybrid.source import Span

_EVENTS = (Load, Store, Rmw, StoreConditional, Fence, Branch, Assume)

_WORD = re.compile(r"\w+|\S")

Mark = tuple[int, int, str]  # columns from 0, the end exclusive, and the label


def source_views(program: Program, texts: Mapping[str, str]) -> tuple[SourceView, ...]:
    """The text of a program; of a compiled one those of `texts`, by file, that its events come
    from."""
    if program.compiled:
        return _compiled(program, texts)
    text = program.threads[0].span.source if program.threads else None
    if text is None or not text.text:
        return ()
    marks: dict[int, list[Mark]] = {}
    for thread in program.threads:
        for instruction in thread.code:
            span = instruction.span
            if isinstance(instruction, _EVENTS) and span.source == text:
                for line, first, last in _lines_of(span):
                    marks.setdefault(line, []).append((first, last, instruction.label))
    return (_marked(PurePath(text.name).name, text.text, marks),)


def _compiled(program: Program, texts: Mapping[str, str]) -> tuple[SourceView, ...]:
    marks: dict[str, dict[int, list[Mark]]] = {}
    lines = {name: text.split("\n") for name, text in texts.items()}
    for label, origin in program.origins.items():
        if origin.line and origin.file in texts:
            first = max(0, origin.column - 1)
            text = _of_source(origin.text, lines[origin.file], origin.line, first)
            here = marks.setdefault(origin.file, {}).setdefault(origin.line, [])
            here.append((first, first + len(text), label))
    return tuple(_marked(name, texts[name], found) for name, found in sorted(marks.items()))


def _of_source(text: str, lines: Sequence[str], number: int, first: int) -> str:
    """The piece of source that an instruction comes from: its text or, where that is not in the
    source (`end of run`), one word."""
    line = lines[number - 1] if number <= len(lines) else ""
    if line.startswith(text.removesuffix("…"), first):
        return text
    word = _WORD.match(line, first)
    return word[0] if word is not None else ""


def _lines_of(span: Span) -> list[tuple[int, int, int]]:
    """The lines of a span, with columns from 0."""
    found = []
    for line in range(span.line, span.end_line + 1):
        text = span.source.line(line)
        first = span.column - 1 if line == span.line else len(text) - len(text.lstrip())
        last = span.end_column - 1 if line == span.end_line else len(text)
        if first < last:
            found.append((line, first, last))
    return found


def _marked(name: str, text: str, marks: Mapping[int, list[Mark]]) -> SourceView:
    lines = [line.removesuffix("\r") for line in text.rstrip("\n").split("\n")]
    return SourceView(
        name, tuple(_pieces(line, marks.get(n, [])) for n, line in enumerate(lines, 1))
    )


def _pieces(line: str, marks: list[Mark]) -> tuple[SourcePiece, ...]:
    """A line cut at its marks; of marks that overlap, the first gets the labels of the others."""
    joined: list[tuple[int, int, tuple[str, ...]]] = []
    for first, last, label in sorted(marks, key=lambda mark: (mark[0], -mark[1])):
        first, last = min(first, len(line)), min(last, len(line))
        if first == last:
            continue
        if joined and first < joined[-1][1]:
            start, end, labels = joined[-1]
            labels = labels if label in labels else (*labels, label)
            joined[-1] = (start, max(end, last), labels)
        else:
            joined.append((first, last, (label,)))
    pieces: list[SourcePiece] = []
    at = 0
    for first, last, labels in joined:
        pieces += [SourcePiece(line[at:first])] if at < first else []
        pieces.append(SourcePiece(line[first:last], labels))
        at = last
    return (*pieces, SourcePiece(line[at:])) if at < len(line) or not pieces else tuple(pieces)


# ---- the model


def axiom_view(
    model: core.Model, name: str, cycle: tuple[EdgeView, ...], cycle_text: str, counted: str
) -> AxiomView:
    """The axiom of that name, with the definitions that it speaks of."""
    axiom = next(axiom for axiom in model.constraints if axiom.name == name)
    definitions = [
        DefinitionView(each.name, place_of(each.span), definition_text(each))
        for each in _spoken_of(model, axiom.expr)
    ]
    place, text = place_of(axiom.span), whole_text(axiom.span)
    return AxiomView(name, place, text, tuple(definitions), cycle, cycle_text, counted)


def place_of(span: Span) -> str:
    """`power.cat:41`"""
    return f"{PurePath(span.source.name).name}:{span.line}"


def whole_text(span: Span) -> str:
    """All lines of a span."""
    lines = [span.source.line(line) for line in range(span.line, span.end_line + 1)]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    return "\n".join([lines[0][span.column - 1 :], *lines[1:]])


def definition_text(definition: core.Definition) -> str:
    """`let hb = ppo | fence | rfe`, as the text has it."""
    name, value = definition.span, definition.expr.span
    if name.source != value.source or value.line < name.line:  # a function's body, told elsewhere
        return f"let {name.source.line(name.line)[name.column - 1 :]}"
    return f"let {whole_text(name.to(value))}"


def relation_view(definition: core.Definition, pairs: Sequence[str], count: int) -> RelationView:
    """A relation that the model names."""
    place, text = place_of(definition.span), definition_text(definition)
    return RelationView(definition.name, place, text, tuple(pairs), count)


def _spoken_of(model: core.Model, expr: core.Expr) -> list[core.Definition]:
    """The definitions that an expression is made of, in the order of the text; those of the
    library, which every model has, come last."""
    found: dict[int, None] = {}
    todo = [expr]
    while todo:
        each = todo.pop()
        if isinstance(each, core.Ref):
            if each.index not in found:
                found[each.index] = None
                todo.append(model.definitions[each.index].expr)
        else:
            todo.extend(core.children(each))
    own = [index for index in sorted(found) if _is_own(model, model.definitions[index])]
    rest = [index for index in sorted(found) if index not in own]
    return [model.definitions[index] for index in (*own, *rest)]


def _is_own(model: core.Model, definition: core.Definition) -> bool:
    return definition.span.source.name == model.path
