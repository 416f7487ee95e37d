"""Takes the rest of the disk away from a process and what it starts: Landlock, of Linux 5.19 and
later.

Landlock is a part of the kernel that any process may ask to refuse it files, for good. What remains
here can be read: Python, hybrid with the bundled texts, the compiler with its headers, and the
libraries of the system. Two kinds of folders can also be written to: that of the run, and caches.
Elsewhere there is only what the other modules check of the texts themselves.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hybrid.data import bundled

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_PR_SET_NO_NEW_PRIVS: Final = 38
_VERSION: Final = 1  # asks for the version instead
_PATH_BENEATH: Final = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_READING: Final = _READ_FILE | _READ_DIR
_WRITE_FILE, _REFER, _TRUNCATE = 1 << 1, 1 << 13, 1 << 14
_WRITING: Final = _WRITE_FILE | _REFER | sum(1 << bit for bit in range(4, 13))  # making, removing
_LEAST: Final = 2  # the version that lets files be moved from one folder to another
SYSTEM: Final = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec"),
    *("/usr/include", "/usr/local/include", "/usr/local/lib"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/dev/urandom", "/dev/zero"),
    *("/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/sys/devices/system/cpu"),
)


def can_confine() -> bool:
    """Whether this system can."""
    return _version() >= _LEAST


def _version() -> int:
    return _call(_CREATE_RULESET, None, 0, _VERSION) if sys.platform == "linux" else 0


def confine(readable: Iterable[str | Path], writable: Iterable[str | Path]) -> bool:
    """From now on this process and its children read what is below `readable`, and read and write
    what is below `writable`, and no other file. False where the system cannot do that."""
    if not can_confine():
        return False
    everything = _READING | _WRITING | (_TRUNCATE if _version() > _LEAST else 0)
    wanted = struct.pack("=Q", everything)
    rules = _call(_CREATE_RULESET, wanted, len(wanted), 0)
    if rules < 0:
        return False
    try:
        for paths, rights in ((readable, _READING), ((*writable, os.devnull), everything)):
            for path in paths:
                _allow(rules, path, rights)
        libc = ctypes.CDLL(None)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            return False
        return _call(_RESTRICT_SELF, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(rules: int, path: str | Path, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not on this system
        return
    try:
        if not os.path.isdir(path):
            rights &= _READ_FILE | _WRITE_FILE  # what is not a folder has no others
        rule = struct.pack("=Qi", rights, place)
        _call(_ADD_RULE, rules, _PATH_BENEATH, rule, 0)
    finally:
        os.close(place)


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(libc.syscall(ctypes.c_long(number), *words))


def needed_folders(compiler: str) -> list[str]:
    """What a run has to read besides its own folder: Python, hybrid, the system, and the compiler
    (a path, or empty)."""
    paths = sysconfig.get_paths()
    places = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    package = Path(__file__).resolve().parent.parent
    places += [str(package), str(bundled("encodings")), str(bundled("litmus"))]
    places += [os.path.join(sys.base_prefix, "lib"), os.path.join(sys.prefix, "pyvenv.cfg")]
    places += [entry for entry in sys.path if "packages" in entry]
    if compiler:
        home = Path(compiler).resolve().parent
        places += [str(home), *(str(home.parent / name) for name in ("lib", "lib64", "include"))]
    return list(dict.fromkeys([*SYSTEM, *places]))
