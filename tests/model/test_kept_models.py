"""Models that were kept are those that were read; anything else in their place is passed over."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hybrid.data import builtin_models, bundled
from hybrid.kept_files import VARIABLE, keep
from hybrid.model import kept_models, read
from hybrid.model.core import Model
from hybrid.model.kept_models import kept_model, name_of_model, written
from hybrid.model.load import load_model
from hybrid.source import Source, Span


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> Source:
        raise AssertionError(f"{path} is read again")

    monkeypatch.setattr(read, "read_text", refuse)


@pytest.mark.parametrize("name", builtin_models())
def test_a_kept_model_is_the_one_that_was_read(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_model(name)
    forbid_reading(monkeypatch)
    again = load_model(name)
    assert again is not first
    assert again == first
    assert written(again) == written(first)  # places in the text, which == passes over, included


def test_a_model_of_the_user_is_read_each_time(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.cat"
    path.write_text('"own"\nacyclic po | rf as one\n', encoding="utf-8")
    load_model(str(path))
    assert not folder.exists()
    forbid_reading(monkeypatch)
    with pytest.raises(AssertionError, match="is read again"):
        load_model(str(path))


def test_what_the_name_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encodings = tmp_path / "encodings"
    shutil.copytree(bundled("encodings"), encodings)
    names = {name_of_model(encodings / "sc.cat"), name_of_model(encodings / "tso.cat")}
    for changed in ("stdlib.cat", "sc.cat"):
        with (encodings / changed).open("a", encoding="utf-8") as file:
            file.write("\n")
        names.add(name_of_model(encodings / "sc.cat"))
    monkeypatch.setattr(kept_models, "_code", lambda: [("other.py", 1, 2)])
    names.add(name_of_model(encodings / "sc.cat"))
    assert len(names) == 5


def test_the_code_that_reads_models_counts() -> None:
    names = {Path(path).name for path, _, _ in kept_models._code()}
    assert {"elaborate.py", "read.py", "cat.lark", "tags.py", "parsing.py"} <= names


@pytest.mark.parametrize(
    "contents",
    [
        None,
        7,
        [],
        [("Model", ["name"])],
        [("Path", ["/etc/passwd"])],
        [("Span", [("part", 3), 1, 1, 1, 1])],
        [("Source", ["name", ("member", "Kind", "none")])],
        [("Source", ["a text", "and no model", True])],
    ],
)
def test_other_contents_are_no_model(contents: object, folder: Path) -> None:
    keep("name", contents)
    assert kept_model("name") is None


def test_parts_that_are_in_several_places_are_written_once(folder: Path) -> None:
    model = load_model("sc")
    parts = written(model)
    texts = [values for name, values in parts if name == Source.__name__]
    assert len(texts) == len({values[0] for values in texts})
    assert [name for name, _ in parts][-1] == Model.__name__
    assert any(name == Span.__name__ for name, _ in parts)
