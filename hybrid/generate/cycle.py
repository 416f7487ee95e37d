"""Cycles of edges: from text, checked, with their annotations resolved, and turned to their
canonical rotation.

A cycle is a sequence of edges, the last of which leads back to the source of the first. It has as
many threads as external edges (and one for each Leave … Back), and stays at one location or changes
it at least twice.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hybrid.errors import InputError
from hybrid.generate.vocabularies import VOCABULARIES
from hybrid.generate.vocabulary import (
    BACK,
    DEP,
    DIRECTIONS,
    EXTERNAL,
    FENCE,
    LEAVE,
    PO,
    CycleEdge,
    Vocabulary,
    read_edge,
)
from hybrid.source import Source, Span

MAX_EDGES = 100
MAX_CHOICES = 10_000  # that are looked at for the wildcards of one cycle

_WORD = re.compile(r"\[|\]|[^\s\[\],]+|,")


@dataclass(frozen=True, slots=True)
class Cycle:
    """A valid cycle in its canonical rotation. Every edge says the annotations of its accesses."""

    vocabulary: Vocabulary
    edges: tuple[CycleEdge, ...]

    def __str__(self) -> str:
        return " ".join(self.vocabulary.spelled(edge) for edge in self.edges)

    @property
    def threads(self) -> int:
        return sum(edge.place in (EXTERNAL, LEAVE) for edge in self.edges)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a cycle's text: alternatives of edge sequences, or an annotation of the access at
    this place."""

    text: str
    span: Span
    choices: tuple[tuple[CycleEdge, ...], ...]  # empty: an annotation


def parse_cycles(text: str, vocabulary: Vocabulary, name: str = "cycle") -> list[Cycle]:
    """The cycles that a text spells: one, or with wildcards all that fit."""
    words = read_words(text, vocabulary, name)
    if not words:
        raise InputError("a cycle without edges", hint='as in "Rfe PodRR Fre PodWW"')
    finder = _Finder(words, vocabulary)
    found = finder.search()
    if not found and finder.fault is not None:
        raise finder.fault
    return list(dict.fromkeys(found))


def read_words(text: str, vocabulary: Vocabulary, name: str) -> list[Word]:
    """The words of a cycle or of a list of edges; `[A,B]` is one word of two edges."""
    source = Source(name, text)
    words: list[Word] = []
    group: list[Word] | None = None  # the words of an open bracket
    opened: Span | None = None
    comma = True  # a word may follow, within a bracket
    for number, line in enumerate(text.split("\n"), 1):
        for match in _WORD.finditer(line):
            span = Span(source, number, match.start() + 1, number, match.end() + 1)
            token = match.group()
            if token == "[":
                if group is not None:
                    raise InputError("a bracket within a bracket", span)
                group, opened, comma = [], span, True
            elif token in ("]", ","):
                if group is None:
                    hint = "edges stand with blanks between them; `[A,B]` makes one of two"
                    raise InputError(f"`{token}` outside a bracket", span, hint)
                if comma:
                    raise InputError("an edge is missing here", span)
                if token == ",":
                    comma = True
                    continue
                assert opened is not None
                words.append(_composed(group, opened.to(span), vocabulary))
                group = None
            elif group is not None:
                if not comma:
                    raise InputError("a comma is missing before this edge", span)
                group.append(_word(token, span, vocabulary))
                comma = False
            else:
                words.append(_word(token, span, vocabulary))
    if group is not None:
        raise InputError("this bracket is never closed", opened, "expected `]`")
    return words


def _word(token: str, span: Span, vocabulary: Vocabulary) -> Word:
    if token in vocabulary.reads or token in vocabulary.writes:
        return Word(token, span, ())
    try:
        return Word(token, span, tuple(read_edge(token, vocabulary)))
    except InputError as error:
        others = _others(token, vocabulary)
        if others:
            message = (
                f"{vocabulary.arch} has no edge `{token}`: it is one of {' and '.join(others)}"
            )
            raise InputError(message, span, error.hint) from None
        raise InputError(error.message, span, error.hint) from None


def _others(token: str, vocabulary: Vocabulary) -> list[str]:
    """The other architectures that have this edge."""
    found: list[str] = []
    for name, other in VOCABULARIES.items():
        if other is not vocabulary:
            with contextlib.suppress(InputError):
                read_edge(token, other)
                found.append(name)
    return found


def _composed(group: list[Word], span: Span, vocabulary: Vocabulary) -> Word:
    """One word for the edges of a bracket, which must fit each other."""
    choices: list[tuple[CycleEdge, ...]] = [()]
    for word in group:
        if not word.choices:
            hint = "annotate its edges instead, as in PodRRAA"
            raise InputError("an annotation within a bracket", word.span, hint)
        longer = [
            (*left, *right)
            for left in choices
            for right in word.choices
            if not left or misfit(left[-1], right[0], vocabulary) is None
        ]
        if not longer:
            raise InputError(
                misfit(choices[0][-1], word.choices[0][0], vocabulary) or "", word.span
            )
        choices = longer
    return Word(span.text, span, tuple(choices))


def misfit(left: CycleEdge, right: CycleEdge, vocabulary: Vocabulary) -> str | None:
    """Why `right` cannot follow `left`, in words; None when it can."""
    ends = f"{vocabulary.spelled(left)} ends in a"
    starts = f"{vocabulary.spelled(right)} starts with a"
    if left.target != right.source:
        return f"{ends} {DIRECTIONS[left.target]} and {starts} {DIRECTIONS[right.source]}"
    if left.after and right.before and left.after != right.before:
        words = vocabulary.annotations(left.target)
        kind = DIRECTIONS[left.target]
        return (
            f"{ends} {kind} that is {words[left.after]} "
            f"and {starts} {kind} that is {words[right.before]}"
        )
    return None


class _Finder:
    """Searches the choices of words for cycles in which all neighbours fit; keeps the fault met
    furthest to the right."""

    def __init__(self, words: list[Word], vocabulary: Vocabulary) -> None:
        self.words = words
        self.vocabulary = vocabulary
        self.fault: InputError | None = None
        self.depth = -1

    def search(self) -> list[Cycle]:
        if not any(word.choices for word in self.words):
            raise InputError("a cycle without edges", self.words[0].span)
        found: list[Cycle] = []
        stack: list[tuple[int, tuple[tuple[CycleEdge, Word], ...]]] = [(0, ())]
        looked = 0
        while stack:
            at, chosen = stack.pop()
            looked += 1
            if looked > MAX_CHOICES or len(chosen) > MAX_EDGES:
                over = len(chosen) > MAX_EDGES
                message = f"more than {MAX_EDGES} edges" if over else "too many wildcards"
                raise InputError(message, self.words[0].span.to(self.words[-1].span))
            if at == len(self.words):
                cycle = self._close(chosen)
                if cycle is not None:
                    found.append(cycle)
                continue
            word = self.words[at]
            if not word.choices:
                stack.append((at + 1, chosen))
                continue
            for choice in reversed(word.choices):
                why = misfit(chosen[-1][0], choice[0], self.vocabulary) if chosen else None
                if why is None:
                    stack.append((at + 1, (*chosen, *((edge, word) for edge in choice))))
                else:
                    self._note(at, InputError(why, word.span))
        return found

    def _note(self, at: int, fault: InputError) -> None:
        if at > self.depth:
            self.depth, self.fault = at, fault

    def _close(self, chosen: tuple[tuple[CycleEdge, Word], ...]) -> Cycle | None:
        end = len(self.words)
        first, last = chosen[0], chosen[-1]
        why = misfit(last[0], first[0], self.vocabulary)
        if why is not None:
            self._note(end, InputError(f"{why}, at which the cycle closes", first[1].span))
            return None
        try:
            edges = self._annotate(chosen)
            return make_cycle(edges, self.vocabulary, [word.span for _, word in chosen])
        except InputError as error:
            self._note(end + 1, error)
            return None

    def _annotate(self, chosen: tuple[tuple[CycleEdge, Word], ...]) -> list[CycleEdge]:
        """The edges, with the annotations that stand between words put into them."""
        edges = [edge for edge, _ in chosen]
        for word in self.words:
            if word.choices:
                continue
            place = sum(_start(other) < _start(word.span) for _, o in chosen if (other := o.span))
            following, before = place % len(edges), (place - 1) % len(edges)
            if word.text not in self.vocabulary.annotations(edges[following].source):
                kind = DIRECTIONS[edges[following].source]
                raise InputError(
                    f"`{word.text}` annotates no {kind}, "
                    f"and {self.vocabulary.spelled(edges[following])} starts with one",
                    word.span,
                )
            for said in (edges[following].before, edges[before].after):
                if said not in ("", word.text):
                    raise InputError(f"this access is already annotated, with {said}", word.span)
            edges[following] = replace(edges[following], before=word.text)
            edges[before] = replace(edges[before], after=word.text)
        return edges


def _start(span: Span) -> tuple[int, int]:
    return span.line, span.column


def make_cycle(
    edges: Sequence[CycleEdge], vocabulary: Vocabulary, spans: Sequence[Span] | None = None
) -> Cycle:
    """The cycle of edges that fit each other, checked and canonical; `spans` tell where they
    stand."""
    _check_shape(edges, spans)
    _check_visits(edges, spans)
    resolved = [
        replace(
            edge,
            before=edge.before or edges[at - 1].after or vocabulary.plain,
            after=edge.after or edges[(at + 1) % len(edges)].before or vocabulary.plain,
        )
        for at, edge in enumerate(edges)
    ]
    return Cycle(vocabulary, canonical(resolved, vocabulary))


def _fault(
    message: str, spans: Sequence[Span] | None, at: int | None = None, hint: str = ""
) -> InputError:
    """An error at edge `at`, or at all of them; without a place if none is known."""
    if spans is None:
        return InputError(message, None, hint)
    return InputError(message, spans[0].to(spans[-1]) if at is None else spans[at], hint)


def _check_shape(edges: Sequence[CycleEdge], spans: Sequence[Span] | None) -> None:
    """The cycle leaves its thread, is ordered somewhere, and comes back to its location."""
    if not any(edge.place == EXTERNAL for edge in edges):
        hint = "communication does: Rfe, Fre, Wse"
        raise _fault("no edge leads to another thread", spans, hint=hint)
    if not any(edge.ordered for edge in edges):
        message = "nothing but communication: such a cycle contradicts itself"
        hint = "program order, a fence or a dependency is needed, as PodWR"
        raise _fault(message, spans, hint=hint)
    changes = [at for at, edge in enumerate(edges) if not edge.same]
    if len(changes) == 1:
        message = (
            f"only {edges[changes[0]].name} changes the location, "
            "and the cycle must come back to the first"
        )
        raise _fault(message, spans, changes[0], "none or at least two edges with `d`")


def _check_visits(edges: Sequence[CycleEdge], spans: Sequence[Span] | None) -> None:
    """Every Leave has its Back, with no change of thread between them, and the other way round."""
    start = next(at for at, edge in enumerate(edges) if edge.place == EXTERNAL) + 1
    away: int | None = None  # where the open Leave stands
    for step in range(len(edges)):
        at = (start + step) % len(edges)
        place = edges[at].place
        if place == LEAVE and away is None:
            away = at
        elif place == BACK and away is not None:
            away = None
        elif place == BACK:
            message = f"{edges[at].name} comes back, but nothing left before it"
            raise _fault(message, spans, at, "RfLeave, FrLeave, WsLeave leave")
        elif place in (LEAVE, EXTERNAL) and away is not None:
            message = f"{edges[at].name} before the way back of {edges[away].name}"
            raise _fault(message, spans, at, "RfBack, FrBack, WsBack come back")


def thread_parts(edges: Sequence[CycleEdge]) -> list[tuple[CycleEdge, ...]]:
    """The edges of each thread, visits to other threads included, of a cycle that ends in an
    external edge; a thread of one access has none."""
    parts: list[tuple[CycleEdge, ...]] = []
    part: list[CycleEdge] = []
    for edge in edges:
        if edge.place == EXTERNAL:
            parts.append(tuple(part))
            part = []
        else:
            part.append(edge)
    return parts


def directions(edges: Sequence[CycleEdge]) -> tuple[str, ...]:
    """For each thread the directions of its first and last access, or of its only one."""
    found: list[str] = []
    first = edges[0].source
    alone = True
    for edge in edges:
        if edge.place == EXTERNAL:
            found.append(first if alone else first + edge.source)
            first, alone = edge.target, True
        else:
            alone = False
    return tuple(found)


_PREFERRED = ("W", "WW", "RR", "RW", "WR", "R")  # how the classic names begin and go on


def canonical(edges: Sequence[CycleEdge], vocabulary: Vocabulary) -> tuple[CycleEdge, ...]:
    """The rotation after which a cycle is named: threads as in the classic names, then short ones,
    fences, dependencies and plain program order in this order."""

    def rank(edge: CycleEdge) -> tuple[int, int, str]:
        kinds = (FENCE, DEP, PO)
        words = vocabulary.fences if edge.kind == FENCE else vocabulary.dependencies
        place = words.index(edge.detail) if edge.kind in (FENCE, DEP) else 0
        kind = kinds.index(edge.kind) if edge.kind in kinds else len(kinds)
        return kind, place, vocabulary.suffix(edge)

    def key(rotated: tuple[CycleEdge, ...]) -> tuple[object, ...]:
        threads = tuple(_PREFERRED.index(d) for d in directions(rotated))
        inner = tuple((len(part), tuple(map(rank, part))) for part in thread_parts(rotated))
        return threads, inner, tuple(map(vocabulary.spelled, rotated))

    rotations = [
        (*edges[at + 1 :], *edges[: at + 1])
        for at, edge in enumerate(edges)
        if edge.place == EXTERNAL
    ]
    return min(rotations, key=key)
