"""A64 code that is refused: the exact messages, each with its place."""

from __future__ import annotations

import pytest
from aarch64_helpers import litmus
from golden_files import check_golden

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.load import parse_litmus
from hybrid.source import Source

# name: the code, and the initial state next to the pointers X20, X21 and X22
UNSUPPORTED: dict[str, tuple[str, str]] = {
    "unknown instruction": ("MOV W0,#1; FMOV D0,D1", ""),
    "misspelt instruction": ("LDRR W0,[X20]", ""),
    "exclusive pair of registers": ("LDXP X0,X1,[X20]", ""),
    "compare and swap of pairs": ("CASPAL X0,X1,X2,X3,[X20]", ""),
    "store exclusive of pairs": ("STLXP W5,X0,X1,[X20]", ""),
    "odd pair": ("CASP W1,W2,W4,W5,[X20]", "int64_t x;"),
    "torn pair": ("CASP W0,W2,W4,W5,[X20]", "int64_t x;"),
    "exclusive pair loaded twice": ("LDXP W0,W0,[X20]", "int64_t x;"),
    "status of a pair and operand": ("STXP W1,W0,W1,[X20]", "int64_t x;"),
    "exclusive pair in two locations": ("LDXP W0,W1,[X20]", "int x[2];"),
    "bits too high": ("UBFM W0,W1,#32,#3", ""),
    "more bits than there are": ("UBFX W0,W1,#8,#25", ""),
    "a distance of no instructions": ("B .+2", ""),
    "non-temporal": ("STNP W0,W1,[X20]", ""),
    "call": ("BL f", ""),
    "system": ("MRS X0,NZCV", ""),
    "mixed registers": ("ADD W0,X1,W2", ""),
    "64-bit unsigned division": ("UDIV X0,X1,X2", ""),
    "no such register": ("MOV X31,#1", ""),
    "vector register": ("LDR Q0,[X20]", ""),
    "stack pointer": ("LDR X0,[SP]", ""),
    "base is not an X register": ("LDR W0,[W20]", ""),
    "zero register as base": ("LDR W0,[XZR]", ""),
    "index without extension": ("LDR W0,[X20,W1]", ""),
    "wrong extension": ("LDR W0,[X20,W1,SXTX]", ""),
    "offset of an acquire": ("LDAR W0,[X20,#4]", "int x[2];"),
    "register offset of a pair": ("LDP W0,W1,[X20,X2]", "int x[2];"),
    "unknown barrier": ("DMB NSH", ""),
    "barrier without option": ("DSB", ""),
    "unknown condition": ("CSEL W0,W1,W2,XX", ""),
    "shift too far": ("LSL W0,W1,#32", ""),
    "shifted operand too far": ("ADD W0,W1,W2,LSL #40", ""),
    "bit too high": ("TBZ W0,#32,L; L:", ""),
    "wide move": ("MOVZ X0,#65536", ""),
    "wide move by too much": ("MOVZ W0,#1,LSL #32", ""),
    "number of more than 32 bits": ("MOV W0,#0x100000000", ""),
    "too few operands": ("LDADD W0,[X20]", ""),
    "base written twice": ("LDR X20,[X20],#8", "int64_t x;"),
    "stored and written back": ("STR X20,[X20,#8]!", "int64_t x[2];"),
    "pair loaded twice": ("LDP W0,W0,[X20]", "int x[2];"),
    "status and operand": ("STXR W1,W1,[X20]", ""),
    "mixed sizes, one location": ("LDRB W0,[X20]", "int x;"),
    "mixed sizes, two accesses": ("STR W0,[X20]; LDR X1,[X20]", ""),
    "mixed sizes, a pair": ("LDP W0,W1,[X20]", "int64_t x;"),
}  # fmt: skip
WRONG: dict[str, tuple[str, str]] = {
    "unknown label": ("CBZ W0,Exit; Exit1:", ""),
    "label twice": ("L: NOP; L: NOP", ""),
    "a distance out of the code": ("CBZ W0,.-4", ""),
}


def message(code: str, initial: str, kind: type[InputError]) -> str:
    with pytest.raises(InputError) as caught:
        parse_litmus(Source("bad.litmus", litmus(code, initial)))
    assert type(caught.value) is kind
    assert caught.value.span is not None
    return caught.value.render()


def test_messages() -> None:
    parts = [
        f"--- {name}\n{message(*inputs, kind)}\n"
        for kind, table in ((Unsupported, UNSUPPORTED), (InputError, WRONG))
        for name, inputs in table.items()
    ]
    check_golden("litmus/aarch64_refusals.txt", "\n".join(parts))
