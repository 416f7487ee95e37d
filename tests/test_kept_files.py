"""What is kept from run to run, and what is not relied on."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybrid.kept_files import VARIABLE, keep, kept, name_of

VALUE = {"a": [1, 2, (3, None)], "b": "text"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_it_is_found_again(folder: Path) -> None:
    name = name_of("this", 1)
    assert kept(name) is None
    keep(name, VALUE)
    assert kept(name) == VALUE
    assert kept(name_of("this", 2)) is None
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_have_written_is_not_read(folder: Path, mode: int) -> None:
    keep("name", VALUE)
    (folder / "name").chmod(mode)
    assert kept("name") is None
    keep("name", VALUE)
    assert kept("name") == VALUE


def test_a_file_of_another_user_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep("name", VALUE)
    owner = (folder / "name").stat().st_uid
    monkeypatch.setattr("os.geteuid", lambda: owner + 1)
    assert kept("name") is None


def test_what_cannot_be_written_is_not_kept(folder: Path) -> None:
    keep("name", VALUE)
    keep("name", object())
    assert kept("name") == VALUE
    assert [path.name for path in folder.iterdir()] == ["name"]


def test_nothing_is_kept_where_the_folder_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv("HOME", str(tmp_path))
    keep("name", VALUE)
    assert kept("name") is None
    assert list(tmp_path.iterdir()) == []
