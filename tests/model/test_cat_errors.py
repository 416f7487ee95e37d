"""Bad models: the catalogue of messages, extremes of size and depth, unreadable files, random
damage."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cat_error_inputs import ERRORS
from golden_files import check_golden

from hybrid.data import bundled
from hybrid.errors import InputError
from hybrid.model import builtin_models, load_model, parse_model, show_expr
from hybrid.model.core import Model
from hybrid.source import Source

pytestmark = pytest.mark.sample(6)


def read(text: str) -> Model:
    return parse_model(Source("bad.cat", text), "bad", [])


def message(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    span = caught.value.span
    assert span is not None
    assert 1 <= span.line <= text.count("\n") + 1
    return caught.value.render().replace(str(bundled("encodings")), "encodings")


def test_catalogue() -> None:
    """Each text's exact message."""
    assert len(ERRORS) >= 60
    parts = [f"--- {name}\n{text}\n>>>\n{message(text)}\n" for name, text in ERRORS.items()]
    check_golden("cat_errors/catalogue.txt", "\n".join(parts))


@pytest.mark.parametrize(
    "text",
    [
        "acyclic " + "(" * 5_000 + "po" + ")" * 5_000,
        "acyclic " + " | ".join(["po"] * 5_000),
        "acyclic " + " ; ".join(["po"] * 5_000),
        "let a0 = po\n"
        + "\n".join(f"let a{n + 1} = a{n} | rf" for n in range(1_000))
        + "\nacyclic a1000",
        "(*" * 5_000 + "*)" * 5_000 + "acyclic po",
        "let rec "
        + "\nand ".join(f"a{n} = po | a{(n + 1) % 300}" for n in range(300))
        + "\nacyclic a0",
    ],
)
def test_large_but_good(text: str) -> None:
    assert len(read(text).axioms) == 1


@pytest.mark.parametrize(
    "text",
    [
        "acyclic po" + "?" * 5_000,
        "acyclic " + "~" * 5_000 + "po",
        "acyclic " + "[domain(" * 5_000 + "po" + ")]" * 5_000,
        "acyclic po" + " \\ rf" * 5_000,
        "acyclic " + "let a = po in " * 5_000 + "a",
        "let f = " + "fun x -> " * 5_000 + "x",
        "let f0 x = x?\n"
        + "\n".join(f"let f{n + 1} x = f{n}(f{n} x)" for n in range(8))
        + "\nacyclic f8 po",
        "let f0 x = x? ; x\n"
        + "\n".join(f"let f{n + 1} x = f{n}(f{n} x)" for n in range(60))
        + "\nacyclic f60 po",
        "let f0 x = po\n"
        + "\n".join(f"let f{n + 1} x = f{n}(f{n} x)" for n in range(60))
        + "\nacyclic f60 po",
        "let f0 x = x\n"
        + "\n".join(f"let f{n + 1} x = f{n}(f{n} x)" for n in range(60))
        + "\nlet rec a = f60 a",
    ],
)
def test_too_deep_or_too_large(text: str) -> None:
    with pytest.raises(InputError, match=r"too deep|too large|calls of functions"):
        read(text)


def test_unknown_model() -> None:
    with pytest.raises(InputError) as caught:
        load_model("powre")
    assert caught.value.render() == (
        "error: unknown model `powre`\n  did you mean `power`? the built-in models are "
        f"{', '.join(builtin_models())}; a file's name ends in .cat"
    )


def test_include_only_files_are_no_models() -> None:
    for name in ("stdlib", "cos", ""):
        with pytest.raises(InputError, match="unknown model"):
            load_model(name)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_model(str(tmp_path / "none.cat"))
    with pytest.raises(InputError, match="cannot read"):
        load_model(str(tmp_path))
    (tmp_path / "bytes.cat").write_bytes(b"acyclic \xff\xfe")
    with pytest.raises(InputError, match="unexpected character"):
        load_model(str(tmp_path / "bytes.cat"))
    (tmp_path / "own.cat").write_text('include "bytes.cat"')
    with pytest.raises(InputError, match="unexpected character") as caught:
        load_model(str(tmp_path / "own.cat"))
    assert caught.value.span is not None


def test_an_error_in_an_included_file_is_placed_there(tmp_path: Path) -> None:
    (tmp_path / "part.cat").write_text("let a = po\nlet b = W ; a\n")
    (tmp_path / "own.cat").write_text('include "part.cat"\nacyclic b')
    with pytest.raises(InputError) as caught:
        load_model(str(tmp_path / "own.cat"))
    assert str(caught.value.span) == f"{tmp_path / 'part.cat'}:2:9"


PIECES = [
    *"|&;\\*+?~[](){}=,_0'\"\n^ -", "^-1", "(*", "*)", "(*%", "//", "#", "let ", "rec ", "and ",
        " in ", "fun ", "->", "acyclic ", "empty ",
    "flag ", "as ", "include ", "with ", "po", "rf", "W", "R", "domain", "fencerel", "procedure ",
        "try ", "\t", "\0", "é", "\u2028", "commit-before ",
]  # fmt: skip


def damaged(rng: random.Random, text: str) -> str:
    """`text` with a few random cuts, insertions, copies and swaps."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((1, 1, 2, 5, 30)))
        what = rng.randrange(4)
        if what == 0:
            text = text[:start] + text[end:]
        elif what == 1:
            text = text[:start] + rng.choice(PIECES) + text[start:]
        elif what == 2:
            text = text[:start] + rng.choice(PIECES) + text[end:]
        else:
            other = rng.randrange(len(text) + 1)
            text = text[:other] + text[start:end] + text[other:]
    return text


@pytest.mark.large
def test_random_damage() -> None:
    """Whatever the text, there is a model or an InputError that points into it."""
    rng = random.Random(2)
    texts = [
        path.read_text(encoding="utf-8") for path in sorted(bundled("encodings").rglob("*.cat"))
    ]
    good = bad = 0
    for _ in range(300):
        text = damaged(rng, rng.choice(texts))
        try:
            model = read(text)
        except InputError as error:
            bad += 1
            assert error.span is not None
            assert error.render()
        else:
            good += 1
            for definition in model.definitions:
                assert show_expr(definition.expr, model)
    assert good > 20
    assert bad > 20
