"""What the tests around the C compiler share: a source, and a stand-in for what makes programs of
modules, so that the tests speak of the compiler and the command line alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from hybrid.frontend.c import compiled
from hybrid.frontend.llvm.module import Module
from hybrid.frontend.prog import parse_program
from hybrid.program.program import Program
from hybrid.source import Source

MP = """#include <pthread.h>
#include <stdatomic.h>
int x;
atomic_int y;
int main(void) { x = 1; atomic_store_explicit(&y, 1, memory_order_release); return 0; }
"""
# What every C program is for these tests: message passing, right in C, wrong without its orders.
PROG = """x = 0; y = 0
thread P: L0: x := 1 @na; L1: y := 1 @rel;
thread Q: L2: r := y @acq; if r == 0 goto E; L3: s := x @na; assert s == 1; E: skip;
"""


def lowered(
    module: Module, name: str, sources: Mapping[str, Source], recursion: int = 8
) -> Program:
    return parse_program(Source(name, PROG), name)


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """No module is looked at."""
    monkeypatch.setattr(compiled, "lower", lowered)


def put(folder: Path, name: str, text: str = MP) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def script(folder: Path, name: str, code: str) -> str:
    """A program that can be run, in place of a compiler."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{code}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)
