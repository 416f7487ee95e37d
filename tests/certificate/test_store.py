"""Certificates on disk: what is read, and what is refused."""

from __future__ import annotations

import os
import stat
import zipfile
from pathlib import Path

import pytest

from hybrid.certificate import store
from hybrid.certificate.store import MANIFEST, check_target, read_certificate, write_certificate
from hybrid.errors import InputError

LISTED = b'{"format": "hybrid-certificate", "files": {"a.cnf": {}, "empty": {}}}'
FILES = {MANIFEST: LISTED, "a.cnf": b"p cnf 0 0\n" * 100, "empty": b""}


def archive(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members:
            made.writestr(name, data, zipfile.ZIP_DEFLATED)
    return str(path)


@pytest.mark.parametrize("name", ["c.zip", "folder"])
def test_what_is_written_is_read(name: str, tmp_path: Path) -> None:
    target = str(tmp_path / name)
    write_certificate(target, FILES)
    assert read_certificate(target) == FILES
    write_certificate(target, {MANIFEST: b"[]"})  # an older one gives way
    assert read_certificate(target) == {MANIFEST: b"[]"}


def test_an_archive_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        write_certificate(str(tmp_path / name), FILES)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_targets_that_are_taken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.txt").write_text("years of work")
    (tmp_path / "folder.zip").mkdir()
    for name, said in (
        ("file", "it is a file"),
        ("folder", "other files"),
        ("folder.zip", "it is a folder"),
        ("nowhere/c.zip", "there is no folder"),
    ):
        with pytest.raises(InputError, match=said):
            check_target(str(tmp_path / name))
    assert (tmp_path / "folder" / "thesis.txt").exists()
    with pytest.raises(InputError, match="without a name"):
        check_target("")


@pytest.mark.parametrize(
    "manifest", [b"", b"[]", b"{}", b'{"files": {"a.js": {}}}', LISTED, b'"format"', b"\xff", b"1"]
)
def test_a_folder_that_merely_looks_like_a_certificate_is_left_alone(
    manifest: bytes, tmp_path: Path
) -> None:
    (tmp_path / MANIFEST).write_bytes(manifest)
    (tmp_path / "a.js").write_text("years of work")
    with pytest.raises(InputError, match="the folder has other files in it"):
        write_certificate(str(tmp_path), FILES)
    assert (tmp_path / "a.js").read_text() == "years of work"
    assert (tmp_path / MANIFEST).read_bytes() == manifest


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "a/b", "..", ".hidden", "a\\b", "C:x", "x" * 200, "a\nb", "é", ""],
)
def test_names_that_lead_elsewhere(name: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "c.zip", (MANIFEST, b"{}"), (name or "/", b""))
    with pytest.raises(InputError, match="no file of a certificate is called"):
        read_certificate(path)
    assert sorted(os.listdir(tmp_path)) == ["c.zip"]


def test_a_file_twice(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        path = archive(tmp_path / "c.zip", (MANIFEST, b"{}"), (MANIFEST, b"[]"))
    with pytest.raises(InputError, match="two files"):
        read_certificate(path)


def test_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive(tmp_path / "c.zip", (MANIFEST, b"{}"), ("bomb", bytes(50_000_000)))
    with pytest.raises(InputError, match="a bomb"):
        read_certificate(path)
    monkeypatch.setattr(store, "MOST_BYTES", 1000)
    path = archive(tmp_path / "d.zip", (MANIFEST, b"{}"), ("large", os.urandom(2000)))
    with pytest.raises(InputError, match="more than 1 kB"):
        read_certificate(path)
    write_certificate(str(tmp_path / "folder"), {MANIFEST: b"{}", "large": os.urandom(2000)})
    with pytest.raises(InputError, match="more than"):
        read_certificate(str(tmp_path / "folder"))


def test_a_size_that_is_not_the_one_it_says(tmp_path: Path) -> None:
    path = Path(archive(tmp_path / "c.zip", (MANIFEST, b"{}"), ("large", bytes(5000))))
    data = path.read_bytes()
    size = (5000).to_bytes(4, "little")
    for smaller in (100, 0, 4_000_000_000):
        path.write_bytes(data.replace(size, smaller.to_bytes(4, "little")))
        with pytest.raises(InputError):
            read_certificate(str(path))


def test_too_many_files(tmp_path: Path) -> None:
    members = [(f"f{i}", b"") for i in range(store.MOST_FILES)]
    with pytest.raises(InputError, match="more than 1000 files"):
        read_certificate(archive(tmp_path / "c.zip", (MANIFEST, b"{}"), *members))


def test_links_and_other_things(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write_certificate(str(folder), FILES)
    (folder / "passwd").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match="passwd is a link"):
        read_certificate(str(folder))
    (folder / "passwd").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(InputError, match="pipe is not a file"):
        read_certificate(str(folder))
    info = zipfile.ZipInfo("passwd")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = archive(tmp_path / "c.zip", (MANIFEST, b"{}"), (info, b"/etc/passwd"))
    with pytest.raises(InputError, match="not a plain file"):
        read_certificate(path)


def test_encrypted_and_other_methods(tmp_path: Path) -> None:
    path = Path(archive(tmp_path / "c.zip", (MANIFEST, b"{}")))
    data = bytearray(path.read_bytes())
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="encrypted"):
        read_certificate(str(path))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as made:
        made.writestr(MANIFEST, b"{}")
    with pytest.raises(InputError, match="packed in a way"):
        read_certificate(str(path))


def test_an_archive_that_ends_too_early(tmp_path: Path) -> None:
    path = Path(archive(tmp_path / "c.zip", *FILES.items()))
    data = path.read_bytes()
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(InputError):
            read_certificate(str(path))


def test_what_is_no_certificate_at_all(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    (tmp_path / "empty").mkdir()
    for name, said in (
        ("nothing", "cannot read"),
        ("text", "not a certificate"),
        ("empty", "no manifest"),
    ):
        with pytest.raises(InputError, match=said):
            read_certificate(str(tmp_path / name))
