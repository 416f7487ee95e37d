"""Texts of LLVM's intermediate language for tests: what clang 14 and clang 22 made of a few C and
C++ programs, without attributes and without the types for debuggers."""

from __future__ import annotations

from pathlib import Path

from hybrid.frontend.llvm.module import LlvmFunction, LlvmInstruction, Module
from hybrid.frontend.llvm.read import read_module
from hybrid.source import Source

FOLDER = Path(__file__).parent / "samples"
SAMPLES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.ll"))}


def read(text: str) -> Module:
    return read_module(Source("test.ll", text))


def function(body: str, header: str = "void @f(i32 %a, ptr %p)", module: str = "") -> LlvmFunction:
    """The function of a text; its blocks are `body`."""
    return read(f"{module}\ndefine {header} {{\n{body}\n}}\n").functions["f"]


def instruction(text: str, header: str = "void @f(i32 %a, ptr %p)") -> LlvmInstruction:
    """The first instruction of a function."""
    blocks = function(f"{text}\nunreachable", header, "declare i32 @g(i32, ...)\n@v = global i32 0")
    return next(iter(blocks.blocks.values()))[0]
