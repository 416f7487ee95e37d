"""Tables of parsers are kept from run to run; a file that is not as it should be does no harm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import lark
import pytest

from hybrid import kept_files
from hybrid.data import bundled
from hybrid.errors import InputError
from hybrid.frontend import outcome, prog
from hybrid.frontend.litmus.c import tree
from hybrid.kept_files import VARIABLE
from hybrid.model import parse
from hybrid.parser_tables import make_parser
from hybrid.source import Source

GRAMMAR = """start: word*
word: NAME ["!" NUMBER] | "begin" word* "end"
formula: NAME "=" NUMBER
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore " "
"""
TEXT = "a b ! 12 begin c end d"
WRONG = "x = 0 thread P: r := x", "thread", "x = 0 thread P: x := 1;)", "x = 0 thread if: x := 1;"
# What the parser with callbacks refuses.
WRONG_MODELS = (
    "acyclic 'a",
    "let p = acyclic",
    "acyclic po ++",
    "procedure f() = x end",
    "let = 1",
)


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    place = tmp_path / "words.lark"
    place.write_text(GRAMMAR, encoding="utf-8")
    return place


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "a" / "cache"))
    return tmp_path / "a" / "cache"


def forbid_making(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the tables are made again")

    monkeypatch.setattr(lark.Lark, "__init__", refuse)


def test_tables_are_made_once(folder: Path, grammar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_parser(grammar)
    (kept,) = folder.iterdir()
    assert kept.stat().st_mode & 0o077 == 0
    forbid_making(monkeypatch)
    found = make_parser(grammar)
    assert found.parse(TEXT) == made.parse(TEXT)
    with pytest.raises(AssertionError):
        make_parser(grammar, start=["formula"])


def test_what_a_file_depends_on(folder: Path, grammar: Path, tmp_path: Path) -> None:
    make_parser(grammar)
    make_parser(grammar, start=["formula"])
    make_parser(grammar, maybe_placeholders=False)
    make_parser(grammar, callbacks={"NAME": lambda token: token})
    other = tmp_path / "other.lark"
    other.write_text(GRAMMAR + "\n// changed", encoding="utf-8")
    make_parser(other)
    assert len(list(folder.iterdir())) == 5


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "short": lambda data: data[:-1],
    "digest": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "contents": lambda data: data[:500] + bytes([data[500] ^ 1]) + data[501:],
    "other contents": lambda data: _with_digest(b"i\x00\x00\x00\x00"),
    "other tables": lambda data: _with_digest(b")\x02{0{0"),
    "not marshalled": lambda data: _with_digest(b"what is this"),
}


def _with_digest(data: bytes) -> bytes:
    return kept_files.hashlib.sha256(data).digest() + data


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_made_anew(
    kind: str, folder: Path, grammar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = make_parser(grammar).parse(TEXT)
    (kept,) = folder.iterdir()
    kept.write_bytes(DAMAGE[kind](kept.read_bytes()))
    assert make_parser(grammar).parse(TEXT) == tree
    assert list(folder.iterdir()) == [kept]
    forbid_making(monkeypatch)
    assert make_parser(grammar).parse(TEXT) == tree


def test_places_where_nothing_can_be_kept(
    tmp_path: Path, grammar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for place in (str(file), str(file / "below"), "", "/dev/null/x"):
        monkeypatch.setenv(VARIABLE, place)
        assert make_parser(grammar).parse(TEXT)
    (tmp_path / "cache").mkdir()
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    make_parser(grammar)
    (kept,) = (tmp_path / "cache").iterdir()
    kept.unlink()
    kept.mkdir()  # where the file should be
    assert make_parser(grammar).parse(TEXT)
    assert sorted(tmp_path.iterdir()) == [tmp_path / "cache", file, grammar]


def test_the_folder_of_the_user(
    tmp_path: Path, grammar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for base, place in (
        (None, tmp_path / "home" / ".cache" / "hybrid"),
        ("not/absolute", tmp_path / "home" / ".cache" / "hybrid"),
        (str(tmp_path / "base"), tmp_path / "base" / "hybrid"),
    ):
        if base is None:
            monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        else:
            monkeypatch.setenv("XDG_CACHE_HOME", base)
        make_parser(grammar)
        assert len(list(place.iterdir())) == 1


# What the parsers with callbacks say of texts that they refuse.
WRONG_MODELS = (
    "acyclic 'a",
    "let p = acyclic",
    "acyclic po ++",
    "procedure f() = x end",
    "let = 1",
)


@pytest.mark.large
def test_kept_parsers_say_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def all_said() -> list[object]:
        for module in (parse, prog, outcome, tree):
            module._parser.cache_clear()
        said: list[object] = [parse._parser().parse("acyclic po | rf as a", start="file")]
        said += [
            parse.parse(Source(path.name, path.read_text(encoding="utf-8")))
            for path in sorted(bundled("encodings").glob("*.cat"))
        ]
        for text in WRONG_MODELS:
            with pytest.raises(InputError) as raised:
                parse.parse(Source("wrong.cat", f'"wrong"\n{text}'))
            said.append(raised.value.render())
        for text in WRONG:
            with pytest.raises(InputError) as raised:
                prog.parse_program(Source("wrong.prog", text))
            said.append(raised.value.render())
        said.append(outcome._parser().parse("x = 1 /\\ P:r = 2"))
        said.append(tree._parser().parse("{ int r = atomic_load(x); *y = r; }", start="start"))
        return said

    made = all_said()
    assert len(list(folder.iterdir())) == 4
    forbid_making(monkeypatch)
    assert all_said() == made
    for module in (parse, prog, outcome, tree):
        module._parser.cache_clear()
