"""Certificates on disk: a folder, or a .zip of the same files. Reading trusts nothing: names lead
nowhere, sizes are bounded before anything is unpacked, and every fault is an InputError."""

from __future__ import annotations

import json
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from hybrid.errors import InputError
from hybrid.files import is_file, is_folder, read_bytes, size, unreadable

ZIP: Final = ".zip"
MANIFEST: Final = "manifest.json"
FORMAT: Final = "hybrid-certificate"  # as the manifest says
MOST_FILES: Final = 1000
MOST_BYTES: Final = 1_000_000_000  # of all files together, unpacked
# A file of more than SMALL bytes that is packed by more than RATIO is not one of ours.
SMALL: Final = 1_000_000
RATIO: Final = 200
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_DATE: Final = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive

Files = Mapping[str, bytes]
T = TypeVar("T")


# ---- writing


def check_target(path: str) -> None:
    """Complains of a place where a certificate cannot be written, before the work."""
    target = Path(path)
    if not path:
        raise InputError("cannot write a certificate to a place without a name")
    if not is_folder(target.parent):
        raise InputError(f"cannot write {path}: there is no folder {target.parent}")
    if target.suffix == ZIP:
        if is_folder(target):
            raise InputError(f"cannot write {path}: it is a folder")
        return
    if is_file(target):
        raise InputError(
            f"cannot write {path}: it is a file", hint="a certificate is a folder or a .zip"
        )
    if is_folder(target):
        replaceable = _of_certificate(target)
        others = [name for name in _entries(target) if name not in replaceable]
        if others:
            raise InputError(f"cannot write {path}: the folder has other files in it: {others[0]}")


def write_certificate(path: str, files: Files) -> None:
    """Writes the files; those of an older certificate in the same place go."""
    check_target(path)
    target = Path(path)
    try:
        if target.suffix == ZIP:
            _write_zip(target, files)
            return
        target.mkdir(exist_ok=True)
        for name in _entries(target):
            if name not in files:
                (target / name).unlink()
        for name, data in files.items():
            (target / name).write_bytes(data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot write {path}: {reason}") from None


def _of_certificate(folder: Path) -> frozenset[str]:
    """The files in a folder that may be replaced: those that the manifest of an older certificate
    names. A file of another kind may be called manifest.json, too."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["format"] != FORMAT:
            return frozenset()
        return frozenset([MANIFEST, *filter(_NAME.fullmatch, manifest["files"])])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return frozenset()


def _write_zip(target: Path, files: Files) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)


def _entries(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise unreadable(folder, error) from None


# ---- reading


def read_certificate(path: str) -> dict[str, bytes]:
    """The files of a certificate by their names, the manifest among them. InputError where it
    cannot be read, or is not to be unpacked."""
    found = _read_folder(Path(path)) if is_folder(path) else _read_zip(path)
    if MANIFEST not in found:
        raise InputError(f"{path} is not a certificate: it has no {MANIFEST}")
    return found


def _read_folder(folder: Path) -> dict[str, bytes]:
    names = _entries(folder)
    _check_names(str(folder), names)
    found: dict[str, bytes] = {}
    left = MOST_BYTES
    for name in names:
        path = folder / name
        try:
            mode = os.lstat(path).st_mode
        except OSError as error:
            raise unreadable(path, error) from None
        if not stat.S_ISREG(mode):
            kind = "a link" if stat.S_ISLNK(mode) else "not a file"
            raise InputError(f"{folder}: {name} is {kind}; a certificate has plain files alone")
        found[name] = read_bytes(path, left)
        left -= len(found[name])
    return found


def _read_zip(path: str) -> dict[str, bytes]:
    with _open_zip(path) as archive:
        members = archive.infolist()
        names = [member.filename for member in members]
        _check_names(path, names)
        total = sum(member.file_size for member in members)
        if total > MOST_BYTES:
            raise InputError(f"{path}: unpacked it has more than {size(MOST_BYTES)}")
        return {member.filename: _unpacked(archive, member, path) for member in members}


def _open_zip(path: str) -> zipfile.ZipFile:
    if not is_file(path):
        read_bytes(path, 0)  # complains of what it is instead
    return _guarded(path, lambda: zipfile.ZipFile(path))


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str) -> bytes:
    name = member.filename
    if member.flag_bits & 1:
        raise InputError(f"{path}: {name} is encrypted")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{path}: {name} is packed in a way that certificates are not")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise InputError(f"{path}: {name} is not a plain file")
    if member.file_size > SMALL and member.file_size > RATIO * max(member.compress_size, 1):
        raise InputError(f"{path}: {name} unpacks to {size(member.file_size)}, a bomb")

    def read() -> bytes:
        with archive.open(member) as stream:
            return stream.read(member.file_size + 1)

    data = _guarded(path, read)
    if len(data) != member.file_size:
        raise InputError(f"{path}: {name} has another size than it says")
    return data


def _guarded(path: str, work: Callable[[], T]) -> T:
    """What `work` gives; whatever a damaged archive raises becomes an InputError."""
    try:
        return work()
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        ValueError,
        IndexError,
        KeyError,
        OverflowError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"{path} is not a certificate that can be read: {reason}") from None


def _check_names(path: str, names: list[str]) -> None:
    if len(names) > MOST_FILES:
        raise InputError(f"{path} has more than {MOST_FILES} files")
    for name in names:
        if not _NAME.fullmatch(name):
            raise InputError(f"{path}: no file of a certificate is called {name!r}")
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{path} has two files called {twice!r}")
