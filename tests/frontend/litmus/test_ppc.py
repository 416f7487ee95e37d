"""Instructions of PPC: values, memory, condition fields, dependencies, fences; and small tests
under power."""

from __future__ import annotations

import pytest
from machine_runs import dependencies, litmus, refusal, results
from support import make_engine, model

from hybrid.engine.api import Limits
from hybrid.frontend.litmus.ppc import PPC
from hybrid.frontend.load import default_model, parse_litmus
from hybrid.program import instructions as ins
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.source import Source

# code and what r0 holds then; r1 is 12, r2 is -7, r4 is 0xffffffff
REGISTERS: dict[str, int] = {
    "li r0,-5": -5,
    "li r0,0x7fff": 0x7FFF,
    "lis r0,1": 65536,
    "lis r0,0x8000": -(2**31),
    "mr r0,r1": 12,
    "add r0,r1,r2": 5,
    "addi r0,r1,4": 16,
    "addi r3,r1,0; addi r0,r0,7": 7,  # r0 as base of addi is 0
    "subi r0,r1,2": 10,
    "sub r0,r1,r2": 19,
    "subf r0,r1,r2": -19,
    "neg r0,r1": -12,
    "not r0,r1": -13,
    "xor r0,r1,r2": 12 ^ -7,
    "xori r0,r1,5": 9,
    "or r0,r1,r2": 12 | -7,
    "ori r0,r1,3": 15,
    "and r0,r1,r2": 12 & -7,
    "andi. r0,r1,6": 4,
    "nor r0,r1,r2": ~(12 | -7),
    "nand r0,r1,r2": ~(12 & -7),
    "eqv r0,r1,r2": ~(12 ^ -7),
    "mullw r0,r1,r2": -84,
    "mulli r0,r2,-3": 21,
    "divw r0,r1,r2": -1,
    "slwi r0,r1,2": 48,
    "slwi r0,r2,1": 2**32 - 14,
    "srwi r0,r2,28": 15,
    "srawi r0,r2,1": -4,
    "li r3,33; slw r0,r1,r3": 0,
    "li r3,2; slw r0,r1,r3": 48,
    "li r3,28; srw r0,r2,r3": 15,
    "li r3,40; sraw r0,r2,r3": -1,
    "addis r0,r1,2": 12 + 0x20000,
    "addis r0,r0,1": 0x10000,  # r0 as base is 0
    "addis r0,r1,0xffff": 12 - 0x10000,
    "clrldi r0,r2,32": 2**32 - 7,
    "clrldi r0,r2,60": 9,
    "clrldi r0,r2,0": -7,
    "rlwinm r0,r1,0,0,31": 12,
    "rlwinm r0,r1,31,0,31": 6,
    "rlwinm r0,r1,29,0,31": 2**31 + 1,
    "rlwinm r0,r2,4,28,31": 15,
    "rlwinm r0,r2,0,28,30": 8,
    "rlwinm r0,r4,16,0,15": 0xFFFF0000,
    "mullw. r3,r1,r2; bgt L; li r0,1; L:": 1,
    "divw. r3,r1,r2; bgt L; li r0,1; L:": 1,
    "MULLW r0,r1,r2": -84,
    "extsw r0,r4": -1,
    "extsh r0,r4": -1,
    "extsb r0,r4": -1,
    "nop": 0,
}

# a comparison of r1 with r2 (or a number), their values, and which of lt, eq, gt it finds
COMPARISONS: list[tuple[str, int, int, str]] = [
    ("cmpw r1,r2", 1, 2, "lt"),
    ("cmpw r1,r2", 2, 2, "eq"),
    ("cmpw r1,r2", 3, -2, "gt"),
    ("cmpw r1,r2", 2**32 - 1, 0, "lt"),  # the low half is -1
    ("cmplw r1,r2", -1, 0, "gt"),
    ("cmpd r1,r2", 2**32 - 1, 0, "gt"),
    ("cmpd r1,r2", -(2**63), 2**63 - 1, "lt"),
    ("cmpld r1,r2", -1, 5, "gt"),
    ("cmpwi r1,7", 7, 0, "eq"),
    ("cmplwi r1,7", -1, 0, "gt"),
    ("cmpdi r1,-1", -1, 0, "eq"),
    ("add. r3,r1,r2", 3, -3, "eq"),
    ("subf. r3,r1,r2", 3, 1, "lt"),
    ("sub. r3,r1,r2", 3, 1, "gt"),
    ("xor. r3,r1,r2", 3, 3, "eq"),
    ("or. r3,r1,r2", 1, -4, "lt"),
    ("and. r3,r1,r2", 3, 1, "gt"),
    ("nor. r3,r1,r2", 1, 2, "lt"),
    ("nand. r3,r1,r2", -1, -1, "eq"),
    ("eqv. r3,r1,r2", -1, 1, "gt"),
    ("andi. r3,r1,2", 1, 0, "eq"),
    ("addi. r3,r1,-2", 1, 0, "lt"),
    ("mr. r3,r1", 1, 0, "gt"),
    ("neg. r3,r1", 1, 0, "lt"),
    ("cmpldi r1,7", -1, 0, "gt"),
]
JUMPS = {"beq": "eq", "bne": "lt gt", "blt": "lt", "bgt": "gt", "ble": "lt eq", "bge": "gt eq"}
JUMPS |= {"bng": "lt eq", "bnl": "gt eq"}

# code, type and first value of v (to which r3 points), what r0 and v hold then; r1 is 12, r2 is -7,
# r4 is 0
MEMORY: dict[str, tuple[str, int, int, int]] = {
    "lwz r0,0(r3)": ("int", -2, 2**32 - 2, -2),
    "lwz r0,0,r3": ("int", 5, 5, 5),
    "lwa r0,0(r3)": ("int", -2, -2, -2),
    "lwzx r0,r4,r3": ("int", 5, 5, 5),
    "lwax r0,r4,r3": ("int", -2, -2, -2),
    "lbzx r0,r4,r3": ("int8_t", -2, 254, -2),
    "lhzx r0,r4,r3": ("int16_t", -2, 65534, -2),
    "stdx r2,r4,r3": ("int64_t", 0, 0, -7),
    "stbx r2,r4,r3": ("int8_t", 0, 0, -7),
    "sthx r2,r4,r3": ("int16_t", 0, 0, -7),
    "lbz r0,0(r3)": ("int8_t", -2, 254, -2),
    "lhz r0,0(r3)": ("int16_t", -2, 65534, -2),
    "lha r0,0(r3)": ("int16_t", -2, -2, -2),
    "ld r0,0(r3)": ("int64_t", -2, -2, -2),
    "ldx r0,r4,r3": ("int64_t", -2, -2, -2),
    "stw r2,0(r3)": ("int", 0, 0, -7),
    "stwx r2,r4,r3": ("int", 0, 0, -7),
    "std r2,0(r3)": ("int64_t", 0, 0, -7),
    "stb r1,0(r3)": ("int8_t", 0, 0, 12),
    "sth r2,0(r3)": ("uint16_t", 0, 0, -7),
    "addi r3,r3,-4; lwzu r0,4(r3); lwz r0,0(r3)": ("int", 9, 9, 9),
    "addi r3,r3,-4; stwu r1,4(r3); lwz r0,0(r3)": ("int", 9, 12, 12),
}


@pytest.mark.parametrize("code", REGISTERS)
def test_registers(code: str) -> None:
    given = {"r1": 12, "r2": -7, "r4": 0xFFFFFFFF}
    assert results("PPC", code, given, "0:r0") == {(REGISTERS[code],)}


@pytest.mark.parametrize(("code", "left", "right", "found"), COMPARISONS)
def test_comparisons(code: str, left: int, right: int, found: str) -> None:
    for jump, taken in JUMPS.items():
        text = f"{code}; {jump} L; li r9,1; L:"
        fell = 0 if found in taken.split() else 1
        assert results("PPC", text, {"r1": left, "r2": right}, "0:r9") == {(fell,)}, jump


def test_fields() -> None:
    """Two comparisons in two fields; a branch asks the one that it names."""
    code = "cmpwi cr1,r1,1; cmpwi cr0,r1,2; bne cr1,L; li r9,1; L: bne M; li r8,1; M:"
    assert results("PPC", code, {"r1": 1}, "0:r9; 0:r8") == {(1, 0)}
    assert results("PPC", code, {"r1": 2}, "0:r9; 0:r8") == {(0, 1)}


@pytest.mark.parametrize("code", MEMORY)
def test_memory(code: str) -> None:
    kind, before, register, after = MEMORY[code]
    given = {f"{kind} v": before, "r1": 12, "r2": -7, "r3": "v"}
    assert results("PPC", code, given, "0:r0; v") == {(register, after)}


def test_exclusives() -> None:
    """A store-conditional may always fail; cr0 tells."""
    code = "lwarx r4,r0,r3; addi r4,r4,1; stwcx. r4,r0,r3; bne L; li r9,1; L:"
    assert results("PPC", code, {"int v": 3, "r3": "v"}, "0:r9; v") == {(1, 4), (0, 3)}
    wide = code.replace("lwarx", "ldarx").replace("stwcx", "stdcx")
    assert results("PPC", wide, {"int64_t v": 3, "r3": "v"}, "0:r9; v") == {(1, 4), (0, 3)}


def test_symbolic_registers() -> None:
    program = litmus("PPC", "lwz %v,0(%x); addi %v,%v,1", "0:%x=x; x=4;", "exists (0:%v=5)")
    result = summarise(program, model("power"), make_engine("rsmc"), Limits())
    assert result.observation == "Always"


def test_r0_is_no_base() -> None:
    """In an address r0 stands for 0, as a source it does not."""
    assert results("PPC", "li r0,8; lwzx r5,r0,r3", {"int v": 3, "r3": "v"}, "0:r5") == {(3,)}


X = "0:r2=x; 0:r4=y; 0:r6=z;"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("lwz r1,0(r2); xor r3,r1,r1; lwzx r5,r3,r4", {("addr", 0, 1)}),
        ("lwz r1,0(r2); stw r1,0(r4)", {("data", 0, 1)}),
        ("lwz r1,0(r2); xor r3,r1,r1; stwx r4,r3,r4", {("addr", 0, 1)}),
        ("lwz r1,0(r2); cmpw r1,r1; beq L; L: stw r5,0(r4)", {("ctrl", 0, 2)}),
        # a later comparison breaks the chain …
        ("lwz r1,0(r2); cmpw r1,r1; cmpw r7,r7; beq L; L: stw r5,0(r4)", set()),
        # … but one in another field does not
        ("lwz r1,0(r2); cmpw cr1,r1,r1; cmpw r7,r7; beq cr1,L; L: stw r5,0(r4)", {("ctrl", 0, 2)}),
        # a register that is written anew carries nothing
        ("lwz r1,0(r2); li r1,0; stw r1,0(r4)", set()),
        # the branch decides, not the comparison
        ("lwz r1,0(r2); cmpw r1,r1; stw r5,0(r4)", set()),
        ("lwz r1,0(r2); and. r3,r1,r1; bne L; L: stw r5,0(r4)", {("ctrl", 0, 2)}),
        # the base of an access with update
        ("lwz r1,0(r2); xor r3,r1,r1; add r4,r4,r3; lwzu r5,0(r4); stw r7,0(r4)",
         {("addr", 0, 1), ("addr", 0, 2)}),
    ],
)  # fmt: skip
def test_dependencies(code: str, expected: set[tuple[str, int, int]]) -> None:
    assert dependencies("PPC", code, X)[-1] == expected


def test_fences() -> None:
    program = litmus("PPC", "sync; lwsync; isync; eieio; hwsync; dsync", "")
    fences = [i for i in program.threads[0].code if isinstance(i, ins.Fence)]
    assert [sorted(fence.tags) for fence in fences] == [
        ["SYNC"], ["LWSYNC"], ["ISYNC"], ["EIEIO"], ["SYNC"], ["SYNC"],
    ]  # fmt: skip


def test_every_instruction_is_tried() -> None:
    """The tests above name each mnemonic of the table."""
    texts = [*REGISTERS, *MEMORY, *JUMPS, *(code for code, *_ in COMPARISONS)]
    tried = {word for text in texts for word in text.split()}
    tried |= {"lwarx", "stwcx.", "ldarx", "stdcx."}  # test_exclusives
    tried |= {"sync", "lwsync", "isync", "eieio", "hwsync", "dsync", "b"}  # test_fences, test_goto
    assert set(PPC.table) == tried & set(PPC.table)


def test_goto() -> None:
    assert results("PPC", "b L; li r9,1; L: li r8,1", {}, "0:r9; 0:r8") == {(0, 1)}


def run(text: str, engine: str = "rsmc") -> Result:
    program = parse_litmus(Source("t.litmus", text))
    assert program.arch == "PPC"
    name = default_model(program)
    assert name == "power"
    return summarise(program, model(name), make_engine(engine), Limits())


MP = """PPC MP
{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }
 P0           | P1           ;
 li r1,1      | lwz r1,0(r2) ;
 stw r1,0(r2) | READER       ;
 WRITER       | lwz r3,0(r4) ;
 stw r1,0(r4) |              ;
exists (1:r1=1 /\\ 1:r3=0)
"""


@pytest.mark.parametrize(
    ("writer", "reader", "observation", "counts"),
    [
        ("nop", "nop", "Sometimes", (1, 3)),
        ("sync", "nop", "Sometimes", (1, 3)),
        ("sync", "sync", "Never", (0, 3)),
        ("lwsync", "lwsync", "Never", (0, 3)),
        ("eieio", "isync", "Sometimes", (1, 3)),
    ],
)
def test_message_passing(
    writer: str, reader: str, observation: str, counts: tuple[int, int]
) -> None:
    for engine in ("rsmc", "enumerate"):
        result = run(MP.replace("WRITER", writer).replace("READER", reader), engine)
        assert (result.observation, (result.satisfying, result.negative)) == (observation, counts)
        assert len(result.outcomes) == sum(counts)


def test_refusals() -> None:
    assert "unsupported instruction `frobnicate`" in refusal("PPC", "frobnicate r1")
    assert "`li register, 16-bit number`" in refusal("PPC", "li r1,0x8000")
    assert "register" in refusal("PPC", "add r1,r2,r32")
    assert "it writes r1 twice" in refusal("PPC", "lwzu r1,0(r1)", "0:r1=x;")
    mixed = refusal("PPC", "ld r1,0(r2)", "int x; 0:r2=x;")
    assert "an access of 64 bits to `x` of type int, which has 32" in mixed
