"""The C compiler: finding one, and running it.

Any clang will do. The package `ziglang` of PyPI has one with all headers in it, for every system on
which pip runs. The target is the same everywhere, so that no answer depends on the machine that
gives it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from hybrid.errors import InputError
from hybrid.files import is_file, read_bytes
from hybrid.frontend.compiler_options import SOURCE_BYTES, VARIABLE, CompilerOptions, is_cpp
from hybrid.printable import on_one_line
from hybrid.source import Source, Span

INCLUDE = Path(__file__).resolve().parent / "include"  # hybrid.h
SECONDS = 120.0  # for one file
VERSION_SECONDS = 20.0
MOST_LINES = 80  # of the compiler's complaints that are shown
MOST_CHARACTERS = 300  # of one such line
INSTALL = (
    "pip install 'hybrid-mc[c]' brings a compiler; "
    f"any clang will do: --clang PATH, or {VARIABLE}=PATH in the environment"
)
_ZIG_TARGET, _TARGET = "x86_64-linux-gnu", "x86_64-unknown-linux-gnu"
_FLAGS = (
    *("-g", "-O0", "-fno-sanitize=all", "-fno-stack-protector"),
    *("-Xclang", "-disable-O0-optnone", "-w", "-fno-color-diagnostics", "-D__HYBRID__=1"),
    "-UNDEBUG",  # zig defines it where -O1 or more is asked for, and asserts would be gone
    *("-isystem", str(INCLUDE)),
)
_LAST_FLAGS = ("-fno-vectorize", "-fno-slp-vectorize")  # -O2 behind them would undo them
_C_FLAGS = ("-std=gnu17",)
# With the second one shared_ptr of libstdc++ counts as it does for sanitizers: it does not read its
# two counters of 4 bytes at once, by 8.
_CPP_FLAGS = ("-std=gnu++20", "-D_GLIBCXX_TSAN=1")
# Flags that say what the compiler is to write, or where: that is for us to say.
_OURS = re.compile(
    r"-(?:[cESo]|o.+|MM?|MM?D|MF.*|M[GPTQ].*|fsyntax-only|emit-llvm|emit-ast|save-temps.*|###|v|"
    r"-version|-help)|--(?:version|help|compile|assemble|preprocess|output.*|save-temps.*)"
)
PATH_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter", "-include")
_HARMLESS = re.compile(
    r"-[DUI].+|-(?:isystem|iquote|idirafter|include).+|-std=[\w+]+|-O[0-3sz]?|-pthread|-ansi|-w|"
    r"-W[\w=+-]*|-pedantic|-nostdinc|-f(?:no-)?(?:strict-aliasing|wrapv|signed-char|unsigned-char|"
    r"exceptions|rtti|builtin|short-enums|common|ms-extensions|gnu89-inline)"
)
_ERROR = re.compile(
    r"^(?P<file>[^\n:]+):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9}): (?:fatal )?error: ", re.M
)
_ESCAPE = re.compile(r"\\([ #\\:])|\$(\$)")  # in what -MM writes


class CompilerError(InputError):
    """The compiler refuses a file: the place of the first error, if it names one; the hint is all
    that it says, line by line."""

    def render(self) -> str:
        lines = self.hint.split("\n")
        shown = [on_one_line(_cut(line)) for line in lines[:MOST_LINES]]
        if len(lines) > MOST_LINES:
            shown.append(f"… and {len(lines) - MOST_LINES} lines more")
        return "\n".join([InputError(self.message).render(), *shown])


class NoCompilerError(InputError):
    """There is no compiler here, or not the one that the user names."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A clang, or zig, which has one in it."""

    program: tuple[str, ...]
    is_zig: bool

    def command(self, cpp: bool) -> list[str]:
        """Its words up to the flags. Which headers zig takes, its first word decides."""
        if self.is_zig:
            return [*self.program, "c++" if cpp else "cc", "-target", _ZIG_TARGET]
        return [*self.program, f"--target={_TARGET}"]

    @property
    def version(self) -> str:
        """As it calls itself: `clang version 17.0.6`."""
        return _version(self)


@dataclass(frozen=True, slots=True)
class LlvmText:
    """What the compiler made of a file."""

    text: str
    sources: tuple[str, ...]  # the file, and all that it includes but for the headers of the system


def find_compiler(options: CompilerOptions) -> Compiler:
    """The compiler that the user names, else the one of ziglang, else a clang; a NoCompilerError
    where there is none."""
    for origin, named in (("--clang", options.clang), (VARIABLE, os.environ.get(VARIABLE))):
        if named:
            return _named(origin, named)
        if named is not None and origin == "--clang":
            raise NoCompilerError("--clang: the path is empty")
    zig = _zig()
    if zig is not None:
        return Compiler(zig, is_zig=True)
    found = shutil.which("clang")
    if found is not None:
        return Compiler((found,), is_zig=False)
    raise NoCompilerError("there is no C compiler here", hint=INSTALL)


def _named(origin: str, name: str) -> Compiler:
    found = shutil.which(name)
    if found is None:
        raise NoCompilerError(f"{origin}: there is no program '{name}' to run", hint=INSTALL)
    is_zig = Path(found).stem == "zig"
    compiler = Compiler((found,), is_zig)
    if "clang" not in compiler.version.lower():
        raise NoCompilerError(
            f"{origin}: {name} is not a clang: it calls itself '{compiler.version}'", hint=INSTALL
        )
    return compiler


def _zig() -> tuple[str, ...] | None:
    """How the zig of the package is run; None: it is not installed."""
    try:
        spec = find_spec("ziglang")
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    binary = Path(spec.origin).with_name("zig.exe" if os.name == "nt" else "zig")
    if is_file(binary):
        return (str(binary),)
    return (sys.executable, "-P", "-m", "ziglang")  # -P: not one that lies in this folder


@cache
def _version(compiler: Compiler) -> str:
    with tempfile.TemporaryDirectory(prefix="hybrid-") as folder:
        word = ["cc"] if compiler.is_zig else []
        command = [*compiler.program, *word, "--version"]
        ran = _run(command, VERSION_SECONDS, _environment(compiler, folder))
    lines = (ran.output or ran.complaint).split("\n")
    return on_one_line(_cut(lines[0].strip()))


def compile_file(path: Path, compiler: Compiler, flags: Sequence[str]) -> LlvmText:
    """The file in LLVM's language, compiled with the user's flags behind ours."""
    check_user_flags(flags)
    name = str(path)
    if name.startswith(("-", "@")):  # no flag, and no file of flags
        name = os.path.join(os.curdir, name)
    cpp = is_cpp(path)
    own = _CPP_FLAGS if cpp else _C_FLAGS
    command = [*compiler.command(cpp), *_FLAGS, *own, *flags, *_LAST_FLAGS, *_asserting(flags)]
    with tempfile.TemporaryDirectory(prefix="hybrid-") as folder:
        around = _environment(compiler, folder)
        text, rules = Path(folder, "program.ll"), Path(folder, "program.d")
        _succeed([*command, "-S", "-emit-llvm", "-o", str(text), name], path, around)
        _succeed([*command, "-MM", "-o", str(rules), name], path, around)
        written = read_bytes(text, SOURCE_BYTES) if is_file(text) else b""
        if not written.startswith((b";", b"source_filename", b"target")):
            raise CompilerError(
                f"the compiler makes no LLVM text of {path}", hint="do its flags forbid that?"
            )
        included = read_bytes(rules, SOURCE_BYTES) if is_file(rules) else b""
    sources = _prerequisites(included.decode("utf-8", "surrogateescape"))
    return LlvmText(written.decode("utf-8", "replace"), sources or (name,))


def _asserting(flags: Sequence[str]) -> list[str]:
    """Zig leaves asserts out from -O1 on. We do not, unless the user wants it so."""
    words = " ".join(flags).replace("-D ", "-D").split()
    defined = any(word == "-DNDEBUG" or word.startswith("-DNDEBUG=") for word in words)
    return [] if defined else ["-Xclang", "-UNDEBUG"]


def check_user_flags(flags: Sequence[str]) -> None:
    for flag in flags:
        if _OURS.fullmatch(flag):
            raise InputError(
                f"`{flag}` is not for hybrid: it changes what the compiler writes, and where",
                hint="as in: hybrid verify queue.c -- -DN=3 -Iinclude",
            )


def check_written_flags(flags: Sequence[str], where: str) -> None:
    """Complains of flags in a file that hybrid did not get from its user, and that could do more
    than change the meaning of the program: load code, write files."""
    check_user_flags(flags)
    words = iter(flags)
    for flag in words:
        if flag in PATH_FLAGS or flag in ("-D", "-U"):
            next(words, None)
        elif not _HARMLESS.fullmatch(flag):
            raise InputError(
                f"`{flag}` is not taken from {where}", hint=f"give it after `--`: -- {flag}"
            )


def _prerequisites(rules: str) -> tuple[str, ...]:
    """The files that a rule for make names after the colon."""
    _, _, names = rules.replace("\\\r\n", " ").replace("\\\n", " ").partition(": ")
    words = re.findall(r"(?:\\.|[^\s\\])+", names)
    found = (_ESCAPE.sub(lambda match: match[1] or match[2], word) for word in words)
    return tuple(dict.fromkeys(found))


def _succeed(command: list[str], path: Path, around: Mapping[str, str]) -> None:
    ran = _run(command, SECONDS, around)
    if ran.code:
        said = (ran.complaint or ran.output).rstrip() or f"the compiler ended with {ran.ended}"
        raise CompilerError(f"{path} does not compile", _place_of_error(said, path), said)


def _place_of_error(said: str, path: Path) -> Span | None:
    """Where the first error is of which the compiler complains. It counts bytes, not characters."""
    found = _ERROR.search(said)
    if found is None:
        return None
    name, number, column = found["file"], int(found["line"]), int(found["column"])
    if os.path.normpath(name) == os.fsencode(path).decode("utf-8", "replace"):
        name = str(path)
        with contextlib.suppress(InputError):
            text = Source(name, read_bytes(path, SOURCE_BYTES).decode("utf-8", "replace"))
            before = text.line(number).encode()[: column - 1]
            column = len(before.decode("utf-8", "replace")) + 1
    return Span(Source(name, ""), number, column, number, column + 1)


# ---- processes


@dataclass(frozen=True, slots=True)
class _Ran:
    code: int
    output: str
    complaint: str

    @property
    def ended(self) -> str:
        if self.code < 0:
            with contextlib.suppress(ValueError):
                return signal.Signals(-self.code).name
        return f"exit code {self.code}"


def _run(command: list[str], seconds: float, around: Mapping[str, str]) -> _Ran:
    """Runs the compiler, for at most so many seconds, in the environment `around`."""
    with _started(command, around) as process:
        try:
            output, complaint = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise CompilerError(
                f"the compiler does not end within {seconds:.0f} s",
                hint="it ran: " + on_one_line(" ".join(command)),
            ) from None
    return _Ran(process.returncode, *(t.decode("utf-8", "replace") for t in (output, complaint)))


@contextlib.contextmanager
def _started(command: list[str], around: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The running compiler; whatever ends the block early (Ctrl-C, the time limit of a test) ends
    it and its children as well."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=around,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        _cannot_run(command[0], error)
    with process:
        try:
            yield process
        except BaseException:
            with contextlib.suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            raise


def _cannot_run(program: str, error: Exception) -> NoReturn:
    reason = getattr(error, "strerror", None) or error
    raise NoCompilerError(f"cannot run the compiler {program}: {reason}", hint=INSTALL) from None


def _environment(compiler: Compiler, folder: str) -> dict[str, str]:
    """Ours; but zig, which never ends where it cannot write its cache, gets another one in the
    folder."""
    found = dict(os.environ)
    if not compiler.is_zig:
        return found
    home = found.get("XDG_CACHE_HOME") or (
        os.path.join(found["HOME"], ".cache") if found.get("HOME") else ""
    )
    usual = os.path.join(home, "zig") if home else ""
    for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        if not _writable(found.get(name) or usual):
            found[name] = os.path.join(folder, "cache")
    return found


@cache
def _writable(folder: str) -> bool:
    if not folder:
        return False
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except (OSError, ValueError):
        return False


def _cut(line: str) -> str:
    return line if len(line) <= MOST_CHARACTERS else f"{line[:MOST_CHARACTERS]}…"
