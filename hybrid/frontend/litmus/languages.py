"""Litmus tests in languages that hybrid does not read: told by their first word, or by their words,
before anything else is looked at."""

from __future__ import annotations

import re

from hybrid.errors import Unsupported
from hybrid.frontend.litmus.c.functions import LINUX
from hybrid.frontend.litmus.scan import Scanner

# First words of tests that other tools read, in capitals, and what they stand for.
OTHERS: dict[str, str] = {
    "ASL": "Arm's specification language",
    "BPF": "Linux's BPF",
    "CPP": "C++",
    "CPP11": "C++",
    "GPU_PTX": "NVIDIA's PTX",
    "HSA": "HSA's virtual machine",
    "JAVA": "Java",
    "KVM": "the kernel's virtual machines",
    "LISA": "herd's generic assembly",
    "LKMM": "the Linux kernel's dialect of C",
    "LLVM": "LLVM's intermediate representation",
    "MIPS": "MIPS",
    "OPENCL": "OpenCL",
    "PTX": "NVIDIA's PTX",
    "SPARC": "SPARC",
    "SPIRV": "SPIR-V",
    "THUMB": "Thumb",
    "VULKAN": "Vulkan",
    "WASM": "WebAssembly",
}
_KERNEL = re.compile(rf"\b((?:{'|'.join(LINUX)})[A-Za-z0-9_]*)\s*[({{]", re.ASCII)
_COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_WORD = re.compile(r"[A-Za-z0-9_]+(?=\s)", re.ASCII)
_THREADS = re.compile(r"\bP[0-9]+\s*\(", re.ASCII)


def refuse_language(scanner: Scanner) -> None:
    """Raises Unsupported if the first word of the test, at which the scanner stands, or its code is
    of a language that is known and not read."""
    first = _WORD.match(scanner.text, scanner.position)
    if first is None:
        return
    meant = OTHERS.get(first[0].upper())
    if meant is not None:
        span = scanner.span(first.start(), first.end())
        raise Unsupported(f"unsupported architecture `{first[0]}`: {meant}", span)
    if first[0] != "C":
        return
    threads = _THREADS.search(scanner.text, scanner.position)
    if threads is None:
        return
    blanked = _COMMENTS.sub(lambda match: " " * len(match[0]), scanner.text)
    word = _KERNEL.search(blanked, threads.start())
    if word is not None:
        span = scanner.span(word.start(1), word.end(1))
        what = "the Linux kernel's dialect of C, which has a model of its own"
        raise Unsupported(f"unsupported function `{word[1]}`: {what}", span)
