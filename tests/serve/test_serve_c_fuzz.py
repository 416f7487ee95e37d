"""Random C texts that would like to include a file: what the check lets through, the compiler's
preprocessor does not find it in.

HYBRID_INCLUDES=N in the environment tries so many.
"""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from serve_helpers import SECRET, secret_file

from hybrid.errors import InputError
from hybrid.frontend.c.clang import find_compiler
from hybrid.frontend.compiler_options import NO_OPTIONS
from hybrid.serve.app import compiler_version
from hybrid.serve.c_text import check_c_text
from hybrid.source import Source

pytestmark = [
    pytest.mark.large,
    pytest.mark.skipif(not compiler_version(), reason="there is no C compiler here"),
]
COUNT = int(os.environ.get("HYBRID_INCLUDES", "40"))
TOGETHER = 10  # texts that one run of the compiler gets
WORDS = ("include", "include_next", "import", "embed", "inc", "lude", "define F", "F", "line 1")
SIGNS = (
    *("#", "%:", "??=", "\n", "\n", "\r", "\r\n", "\\\n", "\\ \n", "\\\r\n", "??/\n"),
    *(
        "/*",
        "*/",
        "//",
        " ",
        "\t",
        "\u00a0",
        '"',
        "'",
        "<",
        ">",
        "(",
        'R"(',
        ')"',
        "\\u0069",
        "#if 1",
    ),
    *("#endif", "#else", "#if 0", "_Pragma", "__has_include", "##", "1", "a", ";", "\ufeff", "\\"),
)


def texts(seed: int, path: str) -> str:
    """Pieces in any order; often a directive with something in it that should not matter."""
    luck = random.Random(seed)
    pieces: list[str] = []
    for _ in range(luck.randint(1, 5)):
        between = [luck.choice(SIGNS) if luck.random() < 0.3 else "" for _ in range(5)]
        sharp = luck.choice(("#", "#", "%:", "??="))
        word = luck.choice(("include", "include", "include", *WORDS))
        cut = luck.randint(0, len(word))
        split = luck.choice(("", "", "\\\n", "\\  \n", "??/\n"))
        pieces += [between[0], sharp, between[1], word[:cut], split, word[cut:]]
        pieces += [between[2], luck.choice((" ", "")), luck.choice((f'"{path}"', "F", f"<{path}>"))]
        pieces += [between[3], luck.choice(("\n", "\n", "\r", " ")), between[4]]
    return "".join(pieces)


def taken(text: str) -> bool:
    try:
        check_c_text(Source("t.c", text))
    except InputError:
        return False
    return True


def test_what_is_taken_reads_nothing(tmp_path: Path) -> None:
    path = secret_file(tmp_path, "secret.h")
    compiler = find_compiler(NO_OPTIONS)
    good: list[str] = []
    seed = 0
    while len(good) < COUNT:
        text = texts(seed, str(path))
        seed += 1
        if SECRET not in text and str(path) in text and taken(text):
            good.append(text)
    for number, text in enumerate(good):
        (tmp_path / f"{number}.c").write_text(text, encoding="utf-8", newline="")
    for standard in ("gnu17", "c11", "gnu23"):
        for start in range(0, COUNT, TOGETHER):
            names = [f"{number}.c" for number in range(start, min(COUNT, start + TOGETHER))]
            command = [*compiler.command(False), "-E", "-w", f"-std={standard}", *names]
            done = subprocess.run(
                command, cwd=tmp_path, capture_output=True, check=False, timeout=120
            )
            assert SECRET.encode() not in done.stdout + done.stderr, names


def test_the_texts_are_hostile(tmp_path: Path) -> None:
    """Without the check, some of them do read it."""
    path = secret_file(tmp_path, "secret.h")
    compiler = find_compiler(NO_OPTIONS)
    names = [f"{seed}.c" for seed in range(20)]
    for seed, name in enumerate(names):
        (tmp_path / name).write_text(texts(seed, str(path)), encoding="utf-8", newline="")
    read = 0
    for name in names:
        command = [*compiler.command(False), "-E", "-w", "-std=c11", name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
        read += SECRET.encode() in done.stdout
    assert read >= 2
