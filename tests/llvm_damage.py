"""Damage to texts of LLVM's intermediate language, and of C."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

PIECE = re.compile(r'[%@!#]?[\w.$-]+|"[^"]*"|[ \t]+|\n|.')
ODD = (
    *("9" * 5000, "99999999999", "-1", "0", "i0", "i999", "i32", "ptr", "i8*", "null", "undef"),
    *(
        "%x",
        "%0",
        "@x",
        "!0",
        "!dbg",
        "#dbg_value",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        "(",
        ")",
        "*",
        "=",
    ),
    *(
        '"',
        ":",
        ",",
        "x",
        "define",
        "type",
        "label",
        "align",
        "getelementptr",
        "{" * 200,
        "[1 x " * 200,
    ),
)
CHARACTERS = "0123456789abrxyz:=;,()[]{}@&|*!<>\\\"' \n\t_#%$\x00\xff\u0663"


def damaged_lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        kind = rng.randrange(3)
        if kind == 0:
            lines[one] = ""
        elif kind == 1:
            lines.insert(one, lines[other])
        else:
            lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def damaged_tokens(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    start, end = max(0, at - 300), at + 300
    pieces = PIECE.findall(text[start:end])
    for _ in range(rng.randint(1, 4)):
        one, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        kind = rng.randrange(4)
        if kind == 0:
            pieces[one] = ""
        elif kind == 1:
            pieces.insert(one, pieces[other])
        elif kind == 2:
            pieces[one], pieces[other] = pieces[other], pieces[one]
        else:
            pieces[one] = rng.choice(ODD)
    return text[:start] + "".join(pieces) + text[end:]


def damaged_characters(text: str, rng: random.Random) -> str:
    characters = list(text)
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(characters))
        characters[at] = rng.choice(("", rng.choice(CHARACTERS), characters[at] * 2))
    return "".join(characters)


KINDS = (damaged_lines, damaged_tokens, damaged_characters)


WORDS = re.compile(r"[%@][\w.]+|\b[a-z_]\w*|\b\d+")
INSTRUCTIONS = {
    each: row
    for row in (
        ("add", "sub", "mul", "shl", "and", "or", "xor", "udiv", "sdiv", "urem", "ashr", "lshr"),
        ("monotonic", "acquire", "release", "acq_rel", "seq_cst"),
        ("i1", "i8", "i16", "i32", "i64", "i128", "ptr", "double", "void", "[2 x i8]", "{ i32 }"),
        ("eq", "ne", "slt", "sgt", "ule", "uge"),
        ("trunc", "zext", "sext", "ptrtoint", "inttoptr", "bitcast"),
        ("xchg", "nand", "umax", "uinc_wrap"),
    )
    for each in row
}


def damaged_words(text: str, rng: random.Random) -> str:
    """Words of instructions become others of their kind, so that much of it can still be read."""
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if line.startswith("  ")] or range(len(lines))
    for _ in range(rng.randint(1, 3)):
        at = rng.choice(places)
        words = list(WORDS.finditer(lines[at]))
        if not words:
            continue
        word = rng.choice(words)
        start, end = word.span()
        lines[at] = lines[at][:start] + _other(word[0], lines, places, rng) + lines[at][end:]
    return "\n".join(lines)


def _other(word: str, lines: list[str], places: Sequence[int], rng: random.Random) -> str:
    if word in INSTRUCTIONS:
        return rng.choice(INSTRUCTIONS[word])
    if word.isdigit() and rng.random() < 0.5:
        return rng.choice(("0", "1", "-1", "7", "8", "64", "255", "4096", "99999999999"))
    near = [each[0] for place in rng.choices(places, k=20) for each in WORDS.finditer(lines[place])]
    same = [each for each in near if each[0] == word[0] or (each.isdigit() and word.isdigit())]
    return rng.choice(same or [word])


def damaged(text: str, rng: random.Random) -> str:
    kind = rng.choice((*KINDS, damaged_words, damaged_words, damaged_words))
    return kind(text, rng)


def bare(text: str) -> str:
    """A text of LLVM without what says where things are in the source, and without attributes: most
    of it is instructions."""
    lines = [line for line in text.split("\n") if not line.startswith("!") and "#dbg_" not in line]
    shorter = re.sub(r",? !dbg !\d+", "", "\n".join(lines))
    return re.sub(r"(attributes #\d+ =) \{.*\}", r"\1 { nounwind }", shorter)
