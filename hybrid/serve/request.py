"""What the page asks for: a run, as JSON says it, checked word by word."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, Final

from hybrid.catalogue.choice import AUTO, check
from hybrid.catalogue.spelling import ALL
from hybrid.data import MODEL_EXTENSION, builtin_models
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.serve.bundle import program_folders

PROG, LITMUS, C = ".prog", ".litmus", ".c"
KINDS: Final = (PROG, LITMUS, C)
MOST_TEXT: Final = 400_000  # characters of a program or a model
MOST_UNROLL: Final = 1_000
_NAME: Final = re.compile(r"\w[\w+.@=-]{0,79}", re.ASCII)
_STRINGS: Final = (
    *("kind", "text", "name", "folder", "model", "cat", "engine", "oracle", "outcome"),
)
UNNAMED: Final = "program"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A program, a model, and how to explore."""

    kind: str  # of KINDS
    text: str
    name: str = UNNAMED  # of the program, without its extension
    folder: str = ""  # of the bundled programs whose headers a C program may include
    model: str = ""  # a built-in one; empty: the one that suits the program
    cat: str = ""  # the text of a model, which then takes the place of `model`
    engine: str = AUTO  # or ALL: all of them, compared
    oracle: str = ""
    unroll: int | None = None
    outcome: str = ""  # to explain; empty: the program's own condition is answered

    @property
    def file(self) -> str:
        return f"{self.name}{self.kind}"

    @property
    def model_file(self) -> str:
        return f"{self.model or 'my'}{MODEL_EXTENSION}"

    @property
    def configuration(self) -> Configuration:
        return Configuration(engine=self.engine, oracle=self.oracle, unroll=self.unroll)

    @property
    def command(self) -> list[str]:
        """How to ask the same on the command line, if the texts are saved as files."""
        words = [("--model", self.model_file if self.cat else self.model)]
        if self.engine not in (AUTO, ALL):
            words.append(("--engine", self.engine))
        if self.engine != ALL:
            words.append(("--oracle", self.oracle))
        words.append(("--unroll", "" if self.unroll is None else str(self.unroll)))
        given = [word for option, value in words if value for word in (option, value)]
        if self.outcome:
            return ["hybrid", "explain", self.file, *given, "--outcome", self.outcome]
        return ["hybrid", "crosscheck" if self.engine == ALL else "verify", self.file, *given]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_request(data: object) -> RunRequest:
    """The request that a JSON value is; an InputError says what is wrong with it."""
    if not isinstance(data, dict):
        raise InputError("the request is not a JSON object")
    unknown = sorted(set(map(str, data)) - {*_STRINGS, "unroll"})
    if unknown:
        raise InputError(f"the request has a field `{unknown[0]}`, which is not known")
    for field in ("kind", "text"):
        if field not in data:
            raise InputError(f"the request has no `{field}`")
    for field in _STRINGS:
        _check_string(field, data.get(field, ""))
    unroll = data.get("unroll")
    whole = isinstance(unroll, int) and not isinstance(unroll, bool)
    if unroll is not None and not (whole and 0 <= unroll <= MOST_UNROLL):
        raise InputError(f"`unroll` is not a whole number from 0 to {MOST_UNROLL}")
    asked = RunRequest(**{"name": UNNAMED, "engine": AUTO, **data})
    _check_words(asked)
    return asked


def _check_string(field: str, value: object) -> None:
    if not isinstance(value, str):
        raise InputError(f"`{field}` is not a text")
    if len(value) > MOST_TEXT:
        raise InputError(f"`{field}` has more than {MOST_TEXT} characters")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"`{field}` is not Unicode text") from None


def _check_words(asked: RunRequest) -> None:
    """Names are names here, never paths."""
    if asked.kind not in KINDS:
        raise InputError("no such kind of program", hint=f"known: {', '.join(KINDS)}")
    if not _NAME.fullmatch(asked.name):
        raise InputError("the program's name has other signs than letters, digits and _+.@=-")
    if asked.model and asked.model not in builtin_models():
        raise InputError(
            "no built-in model has that name", hint=f"known: {', '.join(builtin_models())}"
        )
    if asked.folder and asked.folder not in program_folders():
        raise InputError("no folder of bundled programs has that name")
    if asked.engine != ALL:
        check(asked.configuration)
    elif asked.outcome:
        raise InputError("an outcome is explained by one engine, not by all")
    elif asked.oracle:
        raise InputError("all engines are compared with all oracles: none can be named")
