"""Texts of models: reading, includes, and what the finished model keeps."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from hybrid.data import MODEL_EXTENSION, STDLIB, bundled
from hybrid.errors import InputError, InternalError
from hybrid.files import TEXT_BYTES, real, size
from hybrid.model import core
from hybrid.model.commit_before import ANNOTATED, default_commit_before
from hybrid.model.core import Definition, Expr, Model, ModelTexts
from hybrid.model.elaborate import Elaborator
from hybrid.model.messages import OutsideDialect
from hybrid.model.parse import parse
from hybrid.model.reach import base_names
from hybrid.model.scope import base_scope
from hybrid.model.syntax import (
    COMMIT_BEFORE,
    FORWARD,
    IMPLIED,
    LOOK_AHEAD,
    MACHINE,
    OPERATIONAL,
    File,
    Include,
    Name,
    nodes_in,
)
from hybrid.parsing import read_source
from hybrid.source import Source, Span, nowhere


def read_text(path: Path) -> Source:
    """The text of a model. Only files that are named as one are looked at, so that no message shows
    a line of another."""
    if path.suffix != MODEL_EXTENSION:
        raise InputError(
            f"cannot read {path} as a model", hint=f"a model's name ends in {MODEL_EXTENSION}"
        )
    if (target := real(path)).suffix != MODEL_EXTENSION:
        raise InputError(f"cannot read {path}: it leads to {target}, which is not named as a model")
    return read_source(path, latin=True)


def parse_model(
    source: Source, name: str, search: list[Path] | None, confined: bool = False
) -> Model:
    """The model that `source` spells. Includes are looked for in `search`, then among hybrid's own
    files; `confined`: no path leads out of these folders."""
    return _parse(source, name, _Includes(search, confined))


def model_of_texts(texts: ModelTexts, name: str) -> Model:
    """The model that these texts spell; no file is read."""
    source = Source(f"{name}{MODEL_EXTENSION}", texts.main)
    return _parse(source, name, _GivenIncludes(texts))


def _parse(source: Source, name: str, includes: _Includes | _GivenIncludes) -> Model:
    elaborator = Elaborator(base_scope(nowhere()), includes)
    elaborator.file(includes.stdlib(), 1)
    elaborator.mentioned.clear()  # it names everything
    elaborator.arm = False
    elaborator.given_co = elaborator.scope.get("co0")
    file = parse(source)
    elaborator.file(file)
    notes = (*includes.notes, *elaborator.notes)
    model = _finished(elaborator, file.title, name, source)
    model = replace(model, notes=notes, texts=includes.texts(source))
    if not elaborator.arm and "A" in base_names(model, (axiom.expr for axiom in model.axioms)):
        raise InputError(
            (
                "`A` has several meanings: AArch64's load-acquire, the locked accesses of "
                "x86, the atomic ones of C"
            ),
            next((n.span for n in nodes_in(file) if isinstance(n, Name) and n.name == "A"), None),
            "nothing else in the text tells which: define it, as in `let A = LOCK | RMW`",
        )
    return model


@cache
def _stored(path: Path, _changed: int) -> tuple[File, str]:
    """The syntax tree of one of hybrid's own files, and its text, read once as long as it does not
    change."""
    source = read_text(path)
    return parse(source), source.text


class _Includes:
    """Finds included files and gives each once.

    A file that lies beside the model and is outside the dialect, as herd's `cos.cat` is, gives way
    to ours of the same name, if there is one, and a note says so.
    """

    def __init__(self, search: list[Path] | None, confined: bool) -> None:
        own = bundled("encodings")
        self.own = (own, own / "include")
        self.only_own = search is None
        self.search = (*(search or ()), *self.own)
        self.confined = confined
        self.seen: dict[Path, int | None] = {}  # to places in `files`; None: outside the dialect
        self.files: list[str] = []  # the texts, the standard library's first
        self.spelled: dict[str, int] = {}  # names of includes, to places in `files`
        self.ambiguous = False  # one name stands for two files
        self.length = 0  # characters of the files so far, hybrid's own left out
        self.notes: list[str] = []

    def __call__(self, include: Include) -> File | None:
        places = self.search
        including = Path(include.span.source.name)
        if self.only_own:
            self.check_plain(include)
        elif self.find(including.name, (including.parent,)) is not None:  # not from elsewhere
            places = (including.parent, *places)
        if Path(include.path).suffix != MODEL_EXTENSION:
            message = f"cannot include `{include.path}`"
            raise InputError(message, include.span, f"a model's name ends in {MODEL_EXTENSION}")
        inside = tuple(place for place in places if self.may_read(place / include.path))
        path = self.find(include.path, inside)
        if path is None and inside != places:
            raise InputError(
                f"cannot include `{include.path}`: it is not in the folder of the model",
                include.span,
                f"files of {', '.join(map(str, self.search[: -len(self.own)]))} can be included, "
                "and hybrid's own",
            )
        if path is None:
            raise InputError(
                f"cannot find the included file `{include.path}`",
                include.span,
                f"looked in {', '.join(dict.fromkeys(str(place) for place in places))}",
            )
        try:
            return self.once(path, include.path)
        except OutsideDialect as refused:
            own = self.find(include.path, self.own)
            if own is None or real(own) == real(path):
                raise
            self.notes.append(
                f"{refused.span}: {refused.message}, so hybrid's own `{include.path}` is "
                "read instead"
            )
            return self.once(own, include.path)
        except InputError as error:
            if error.span is None:  # it cannot be read: say where it is asked for
                raise InputError(error.message, include.span, error.hint) from None
            raise

    def may_read(self, path: Path) -> bool:
        """Whether it is in one of the folders, where it has to be."""
        folders = {real(folder) for folder in self.search} if self.confined else set()
        return not self.confined or not folders.isdisjoint(real(path).parents)

    def check_plain(self, include: Include) -> None:
        """A path could lead out of hybrid's own folders."""
        if Path(include.path).name != include.path:
            raise InputError(
                f"cannot include `{include.path}`: only hybrid's own files can be included here",
                include.span,
                'as in include "cos.cat"',
            )

    def stdlib(self) -> File:
        path = self.find(STDLIB + ".cat", self.own)
        file = None if path is None else self.once(path)
        if file is None:
            raise InternalError(f"{STDLIB}.cat is missing in {self.own[0]}")
        return file

    def find(self, name: str, places: tuple[Path, ...]) -> Path | None:
        for place in places:
            path = place / name
            try:
                if path.exists() or path.is_symlink():
                    return path
            except (OSError, ValueError):
                continue
        return None

    def once(self, path: Path, spelled: str = "") -> File | None:
        place = real(path)
        if place in self.seen:
            self.note(spelled, self.seen[place])
            return None
        self.seen[place] = None
        if place.parent in {real(folder) for folder in self.own}:
            file, text = _stored(path, path.stat().st_mtime_ns)
        else:
            source = read_text(path)
            self.length += len(source.text)
            if self.length > TEXT_BYTES:
                raise InputError(f"the included files have more than {size(TEXT_BYTES)} together")
            file, text = parse(source), source.text
        self.seen[place] = len(self.files)
        self.note(spelled, len(self.files))
        self.files.append(text)
        return file

    def note(self, spelled: str, number: int | None) -> None:
        if number is not None and self.spelled.setdefault(spelled, number) != number:
            self.ambiguous = True

    def texts(self, main: Source) -> ModelTexts | None:
        """What was read; None where a name alone does not tell the file."""
        if self.ambiguous:
            return None
        stdlib, *files = self.files
        names = {name: number - 1 for name, number in self.spelled.items() if number}
        return ModelTexts(main.text, stdlib, tuple(files), tuple(names.items()))


class _GivenIncludes:
    """Finds included files among texts that were read before, and gives each once."""

    def __init__(self, texts: ModelTexts) -> None:
        self.given = texts
        self.names = dict(texts.includes)
        self.seen: set[int] = set()
        self.notes: list[str] = []

    def __call__(self, include: Include) -> File | None:
        number = self.names.get(include.path)
        if number is None:
            raise InputError(
                f"the included file `{include.path}` is not among the texts", include.span
            )
        if number in self.seen:
            return None
        self.seen.add(number)
        return parse(Source(include.path, self.given.files[number]))

    def stdlib(self) -> File:
        return parse(Source(f"{STDLIB}{MODEL_EXTENSION}", self.given.stdlib))

    def texts(self, main: Source) -> ModelTexts | None:
        return self.given


def _finished(elaborator: Elaborator, title: str, name: str, source: Source) -> Model:
    """The model, with the definitions that its axioms and its commit-before need."""
    definitions = tuple(elaborator.definitions)
    axioms = tuple(elaborator.axioms)
    annotated = _annotated(elaborator)
    origin = ANNOTATED
    if COMMIT_BEFORE not in annotated:
        default, origin = default_commit_before(axioms, definitions, nowhere(source.name))
        if default is not None:
            annotated = {COMMIT_BEFORE: default}
    roots = [axiom.expr for axiom in axioms] + list(annotated.values())
    needed = sorted(_reachable(roots, definitions))
    place = {old: new for new, old in enumerate(needed)}
    groups = dict.fromkeys(
        definitions[index].group for index in needed if definitions[index].group is not None
    )
    group_place = {old: new for new, old in enumerate(groups)}
    said = {word: _renumbered(expr, place) for word, expr in annotated.items()}
    return Model(
        name,
        title,
        source.name,
        tuple(_moved(definitions[index], place, group_place) for index in needed),
        tuple(replace(axiom, expr=_renumbered(axiom.expr, place)) for axiom in axioms),
        said.get(COMMIT_BEFORE),
        origin,
        forward=said.get(FORWARD),
        look_ahead=said.get(LOOK_AHEAD),
        machine=next(iter(_names(elaborator, MACHINE)), ""),
        implied=frozenset(_names(elaborator, IMPLIED)),
        operational=next(iter(_names(elaborator, OPERATIONAL)), ""),
    )


def _names(elaborator: Elaborator, word: str) -> tuple[str, ...]:
    """What a special comment of names says: the text's own, else that of the nearest file that it
    includes."""
    found = [(level, said.names) for level, said in elaborator.said if said.word == word]
    return min(found, key=lambda each: each[0])[1] if found else ()


def _annotated(elaborator: Elaborator) -> dict[str, Expr]:
    """The special comments by word: the text's own, else those of the files that it includes."""
    found = elaborator.annotated
    if not found:
        return {}
    level = min(level for level, _, _ in found)
    nearest = [(exprs, span) for depth, exprs, span in found if depth == level]
    if level > 0 and len(nearest) > 1:
        (_, first), (_, second) = nearest[:2]
        raise _two(first, second)
    return nearest[0][0]


def _two(first: Span, second: Span) -> InputError:
    return InputError(
        "two included files name a commit-before",
        second,
        f"the other is at {first}; name one in the model itself",
    )


def _reachable(roots: list[Expr], definitions: tuple[Definition, ...]) -> set[int]:
    found: set[int] = set()
    todo = list(roots)
    while todo:
        expr = todo.pop()
        if isinstance(expr, core.Ref) and expr.index not in found:
            found.add(expr.index)
            todo.append(definitions[expr.index].expr)
        todo += core.children(expr)
    return found


def _moved(
    definition: Definition, place: dict[int, int], groups: dict[int | None, int]
) -> Definition:
    group = None if definition.group is None else groups[definition.group]
    return replace(definition, expr=_renumbered(definition.expr, place), group=group)


def _renumbered(expr: Expr, place: dict[int, int]) -> Expr:
    """`expr` with its references at their new places."""
    if isinstance(expr, core.Ref):
        return replace(expr, index=place[expr.index])
    if isinstance(expr, core.Union | core.Inter | core.Diff | core.Seq | core.Product):
        return replace(
            expr, left=_renumbered(expr.left, place), right=_renumbered(expr.right, place)
        )
    if isinstance(expr, core.Base | core.Empty):
        return expr
    return replace(expr, operand=_renumbered(expr.operand, place))
