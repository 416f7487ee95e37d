"""Bad .prog input: the catalogue of messages, extremes of size and depth, unreadable files, random
damage."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from golden_files import check_golden
from prog_error_inputs import ERRORS

from hybrid.errors import InputError
from hybrid.frontend.prog import load_prog, parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.source import Source

pytestmark = pytest.mark.sample(4)


def message(text: str) -> str:
    """What hybrid says of a bad text, placed within it."""
    with pytest.raises(InputError) as caught:
        parse_program(Source("bad.prog", text))
    span = caught.value.span
    assert span is not None
    assert 1 <= span.line <= text.count("\n") + 1
    return caught.value.render()


def test_catalogue() -> None:
    """Each text's exact message."""
    assert len(ERRORS) >= 35
    parts = [f"--- {name}\n{text}\n>>>\n{message(text)}\n" for name, text in ERRORS.items()]
    check_golden("prog_errors/catalogue.txt", "\n".join(parts))


X = "x = 0\nthread P:\n  "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (X + "r := " + "9" * 5000 + ";", "does not fit 64 bits"),
        (X + "r := 0x" + "f" * 5000 + ";", "does not fit 64 bits"),
        (X + "r := " + "-" * 5000 + "1;", "nested too deeply"),
        (X + "r := 1" + " + 1" * 5000 + ";", "nested too deeply"),
        (X + "r := 1" + " + 1" * 180 + ";", "nested too deeply"),
        (X + "r := 0; r := " + "[" * 3000 + "r" + "]" * 3000 + ";", "nested too deeply"),
        (X + "r := " + "min(1, " * 3000 + "1" + ")" * 3000 + ";", "nested too deeply"),
        (X + "if 1 { " * 3000 + "}" * 3000, "nested too deeply"),
        (X + "if 1 {}" + " else if 1 {}" * 3000, "nested too deeply"),
        (X + "skip;\nexists (" + "~" * 3000 + "true)", "nested too deeply"),
        (X + "r := " + "(" * 5000 + "1;", "expected `)`"),
        (X + "r := \x00;", r"unexpected character `\x00`"),
        (X + "r := 1;\x0c\u2028\x85", "unexpected character"),
    ],
)
def test_extremes(text: str, expected: str) -> None:
    assert expected in message(text)


def test_parentheses_may_be_deep() -> None:
    program = parse_program(Source("t", X + "r := " + "(" * 9000 + "1" + ")" * 9000 + ";"))
    assert "r := 1;" in print_program(program)


def test_nested_formula_parentheses_may_be_deep() -> None:
    program = parse_program(Source("t", f"{X} skip; exists {'(' * 9000}x = 1{')' * 9000}"))
    assert "exists (x = 1)" in print_program(program)


@pytest.mark.parametrize("name", ["missing.prog", "", "a\0b"])
def test_file_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_prog(str(tmp_path / name))


def test_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.prog"
    path.write_bytes(b"x = 0\n// caf\xe9\n")
    with pytest.raises(InputError, match=r"not UTF-8 text \(byte 0xe9 in line 2\)"):
        load_prog(path)


def test_file_with_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "dos.prog"
    path.write_bytes(b"\xef\xbb\xbfx = 0\r\nthread P:\r\n  x := r;\r\n")
    with pytest.raises(InputError) as caught:
        load_prog(path)
    assert caught.value.render().splitlines()[:3] == [
        f"{path}:3:8: error: unknown variable `r`",
        "    x := r;",
        "         ^",
    ]


VALID = (
    '"two threads" program "LB+data"\n'
    "x = 0; y at 16 = 1; a[3] = {1, -2, &x} // cells\n"
    "Q:p = &y\n"
    "thread P(r9 = &a[1]): L0: r0 := x @acq; L1: y := r0 + 1 @rel;\n"
    "  if (r0 = 1) { a[r0 & 1] := 2; lwsync; } else { assume r0 <= 2 || !r9; }\n"
    "  while (r0 < 3) { r0 := r0 + 0x1; do { skip; } while 0; }\n"
    "  r1 := cas(x, 0, 1) @acqrel; faa([p0], 2); p0 := &x; L9:\n"
    "thread Q: L2: r1 := lr(y); s := sc(y, -r1); (* retry *) if s goto L2;\n"
    "  fence @sc; dmb.st; r2 := await(x != 0) @acq; r3 := xchgawait(x = 1, := 2);\n"
    "  assert min(r2, r3) >= 0; goto L8; L8: _ := [p ^ 0];\n"
    "~exists (P:r0 = 1 /\\ (Q:r1 = 2 \\/ ~ [x] = &y) /\\ not a[1] != -2)\n"
    "locations [x; P:r9; a[2];]\n"
    "expect sc: HOLDS 3 traces, power: VIOLATED # so\n"
)
PIECES = [
    ";",
    ":",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "@",
    "&",
    '"',
    "(*",
    "thread",
    "x",
    "0",
    "\n",
    "~",
]


def damaged(text: str, chance: random.Random) -> str:
    """`text` with one to three random edits of its bytes or pieces."""
    data = bytearray(text.encode())
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data))
        end = min(len(data), at + chance.choice([1, 1, 2, 5, 20]))
        kind = chance.randrange(5)
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del data[at:end]
        elif kind == 2:
            data[at:at] = data[at:end]
        elif kind == 3:
            data[at:at] = chance.choice(PIECES).encode()
        else:
            data[at:end] = chance.choice(PIECES).encode()
        if not data:
            break
    return data.decode("utf-8", "replace")


def run_damaged(count: int, seed: int) -> tuple[int, int]:
    """How many of `count` damaged texts were refused and how many were programs still; anything
    else raises."""
    chance = random.Random(seed)
    refused = accepted = 0
    for _ in range(count):
        text = damaged(VALID, chance)
        try:
            program = parse_program(Source("damaged.prog", text))
        except InputError as error:
            assert error.span is not None and error.render(), text
            refused += 1
        else:
            print_program(program)
            accepted += 1
    return refused, accepted


@pytest.mark.large
def test_random_damage() -> None:
    parse_program(Source("valid.prog", VALID))
    refused, accepted = run_damaged(300, seed=1)
    assert refused > 100
    assert accepted > 10
