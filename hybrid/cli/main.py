"""`hybrid VERB …`: finds the verb's module, runs it, and turns every error into a message and an
exit code.

A verb is a module with `configure(parser)`, which adds its arguments, and `run(args)`, which
returns the exit code.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import importlib
import io
import os
import shlex
import sys
import traceback
from dataclasses import dataclass
from types import ModuleType

from hybrid.compiled import manner_and_why
from hybrid.errors import InputError, InternalError, Stopped
from hybrid.garbage import look_rarely
from hybrid.report.screen import screens
from hybrid.verdict import Verdict
from hybrid.versions import __version__

LONGEST_LINE = 100  # of a help text


@dataclass(frozen=True, slots=True)
class Verb:
    name: str
    title: str

    @property
    def module(self) -> str:
        return f"hybrid.cli.{self.name}"


VERBS = (
    Verb("demo", "show what hybrid is for, in half a minute"),
    Verb("verify", "explore programs and answer their final conditions"),
    Verb("explain", "show why an outcome is allowed, or which axiom forbids it"),
    Verb("trace", "print or draw one trace of a program"),
    Verb("replay", "re-check a witness"),
    Verb("certify", "re-check a certificate"),
    Verb("models", "list the memory models, or show one"),
    Verb("show", "print a program as engines see it, loops and all"),
    Verb("crosscheck", "compare all engines and oracles on programs"),
    Verb("fuzz", "compare engines on random programs"),
    Verb("generate", "write litmus tests from critical cycles"),
    Verb("serve", "a page on this machine for trying things in a browser"),
    Verb("completion", "print a script by which a shell completes command lines"),
    Verb("bench", "measure what engines, oracles and processes cost"),
)

EXIT_CODES = """exit codes:
  0   the claim holds; the question is answered; the answer is the one that --expect or the file
      names
  1   a claim is violated, or the answer is not the one that --expect or the file names
  2   the input is at fault
  3   no answer: a loop bound, a limit, a time-out or Ctrl-C came first
  4   two engines disagree
  70  a bug in hybrid
  130 and 141, as shells have them: Ctrl-C came, or the reader of the output went, before there
      was an answer
A batch exits with its worst."""

FLAGS = "compiler_flags"  # what a verb that compiles gets of the words behind `--`
INTERRUPTED = 130  # Ctrl-C outside an exploration: 128 + SIGINT, as shells have it
# the reader of the output has gone: 128 + SIGPIPE; 0 would say that the claim holds
CLOSED_PIPE = 141
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what only writing meets


def main(argv: list[str] | None = None) -> int:
    """Runs the command line `argv` (without the program's name) and returns its exit code."""
    if sys.stdout is None:  # closed by the caller, who wants the exit code alone
        # open as long as the process lives
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # a terminal without UTF-8 shows escapes, no failure
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with screens():
        return _guarded(sys.argv[1:] if argv is None else argv)


def _guarded(arguments: list[str]) -> int:
    """Turns whatever the verb raises into a message and an exit code."""
    try:
        code = dispatch(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:  # argparse: a usage error (2), --help or --version (0)
        return stop.code if isinstance(stop.code, int) else 2
    except InputError as error:
        _complain(error.render())
        return error.exit_code
    except BrokenPipeError:
        _drop_output()
        return CLOSED_PIPE
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except Stopped as stop:
        _complain(f"stopped: {stop.told or 'the time is up'}")
        return Verdict.INCONCLUSIVE.exit_code
    except MemoryError:
        _complain("error: out of memory")
        return Verdict.INCONCLUSIVE.exit_code
    except OSError as error:
        if error.errno not in UNWRITABLE:
            return _bug(error)
        _drop_output()
        _complain(f"error: cannot write the output: {error.strerror}")
        return InputError.exit_code
    except Exception as error:
        return _bug(error)


def dispatch(arguments: list[str]) -> int:
    """Runs the verb that the arguments name."""
    verbs = {verb.name: verb for verb in VERBS}
    if not arguments or arguments[0] not in verbs:
        parser = _top_parser()
        parser.parse_args(arguments)
        parser.print_help(sys.stderr)
        return 2
    verb = verbs[arguments[0]]
    parser = parser_of(verb.name)
    ours, flags = arguments[1:], None
    if "--" in ours and parser.get_default(FLAGS) is not None:  # what follows is for the compiler
        place = ours.index("--")
        ours, flags = ours[:place], ours[place + 1 :]
    args = parser.parse_args(ours)
    if flags is not None:
        setattr(args, FLAGS, flags)
    args.command_line = shlex.join(["hybrid", *arguments])
    code: int = _load(verb.module).run(args)
    return code


class _Help(argparse.RawDescriptionHelpFormatter):
    """Texts as they are written, with long lines wrapped."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from textwrap import fill

        whole = super()._fill_text(text, width, indent)
        lines = whole.split("\n")
        return "\n".join(
            fill(line, LONGEST_LINE) if len(line) > LONGEST_LINE else line for line in lines
        )


def parser_of(verb: str) -> argparse.ArgumentParser:
    """What reads the arguments of a verb."""
    parser = argparse.ArgumentParser(
        prog=f"hybrid {verb}",
        formatter_class=_Help,
        allow_abbrev=False,
    )
    _load(Verb(verb, "").module).configure(parser)
    return parser


def _load(name: str) -> ModuleType:
    """Loads a module with all that it needs. There is no garbage meanwhile, and what is loaded
    stays, so it is never looked for there."""
    if name in sys.modules or not gc.isenabled():
        return importlib.import_module(name)
    gc.disable()
    try:
        return importlib.import_module(name)
    finally:
        look_rarely()
        gc.enable()


def _top_parser() -> argparse.ArgumentParser:
    width = max(len(verb.name) for verb in VERBS)
    listing = "\n".join(f"  {verb.name:<{width}}  {verb.title}" for verb in VERBS)
    parser = argparse.ArgumentParser(
        prog="hybrid",
        usage="hybrid VERB [options] …",
        description="Checks concurrent programs under weak memory models.",
        epilog=f"verbs:\n{listing}\n\n`hybrid VERB --help` says more.\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"hybrid {__version__} ({manner_and_why()})"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "verb",
        metavar="VERB",
        nargs="?",
        choices=[verb.name for verb in VERBS],
        help=argparse.SUPPRESS,
    )
    return parser


def _drop_output() -> None:
    """Python flushes stdout at exit; gives it somewhere to flush to."""
    with contextlib.suppress(OSError, ValueError):  # not a file: in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: Exception) -> int:
    """Tells of a bug in hybrid; HYBRID_DEBUG=1 adds the traceback."""
    if isinstance(error, InternalError):
        message = error.render()
    else:
        message = (
            "internal error (a bug in hybrid, please report it): "
            f"{type(error).__name__}: {error}".rstrip(": ")
        )
    if os.environ.get("HYBRID_DEBUG", "") not in ("", "0"):
        message = "".join(traceback.format_exception(error)) + message
    else:
        message += (
            "\n  with HYBRID_DEBUG=1 in the environment the same command shows where it happened;"
            "\n  a report needs that, the command line and the input files"
        )
    _complain(message)
    return 70


def _complain(message: str) -> None:
    with contextlib.suppress(OSError):  # where stderr is gone, the exit code still tells
        print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
