"""Instructions of 32-bit Arm: values, memory, dependencies, barriers, refusals; and small tests
under armv7."""

from __future__ import annotations

import pytest
from golden_files import check_golden
from machine_runs import dependencies, litmus, refusal, results
from support import model

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.frontend.litmus.arm import ARM
from hybrid.frontend.load import default_model, parse_litmus
from hybrid.program import instructions as ins
from hybrid.report.summary import summarise
from hybrid.source import Source
from hybrid.verdict import Verdict

# code and what R0 holds then; R1 is 12, R2 is -7
REGISTERS: dict[str, int] = {
    "MOV R0,#1": 1,
    "MOV R0,#0xffffffff": -1,
    "mov R0,1": 1,
    "ADD R0,R1,4": 16,
    "MOVW R0,#0xffff": 0xFFFF,
    "MOVT R0,#1": 0x10000,
    "MOV R0,#0x12345678; MOVT R0,#0x8000": 0x5678 - 2**31,
    "MOVW R0,#7; MOVT R0,#0xffff": 7 - 0x10000,
    "B .+8; MOV R0,#1": 0,
    "CMP R1,R1; BNE .+8; MOV R0,#1": 1,
    "MOV R0,R1": 12,
    "MVN R0,R1": -13,
    "MVN R0,#0": -1,
    "ADD R0,R1,R2": 5,
    "ADD R0,R1,#4": 16,
    "ADD R0,R1,#0x7fffffff": 11 - 2**31,
    "SUB R0,R2,#0x7fffffff": 2**31 - 6,
    "SUB R0,R1,R2": 19,
    "RSB R0,R1,#2": -10,
    "EOR R0,R1,R2": 12 ^ -7,
    "AND R0,R1,#5": 4,
    "ORR R0,R1,#3": 15,
    "eor r0,r1,r1": 0,
    "NOP": 0,
    "MOV LR,#3; MOV SP,LR; MOV R0,SP": 3,
    "MOV R12,#9; MOV R0,R12": 9,
}

# a branch after CMP R1,R2: R1, R2 and whether it jumps
BRANCHES: dict[str, list[tuple[int, int, bool]]] = {
    "BEQ": [(1, 1, True), (1, 2, False)],
    "BNE": [(1, 1, False), (1, 2, True)],
    "BLT": [(-1, 1, True), (1, 1, False), (-(2**31), 2**31 - 1, True)],
    "BLE": [(1, 1, True), (2, 1, False)],
    "BGT": [(2, 1, True), (1, 1, False), (2**31 - 1, -(2**31), True)],
    "BGE": [(1, 1, True), (-1, 1, False)],
    "B": [(0, 0, True)],
}

# code, type and first value of v (to which R3 points), what R0 and v hold then; R1 is 12, R2 is -7
MEMORY: dict[str, tuple[str, int, int, int]] = {
    "LDR R0,[R3]": ("int", -2, -2, -2),
    "ldr R0,R3": ("int", -2, -2, -2),
    "str R2,R3": ("int", 0, 0, -7),
    "LDRB R0,[R3]": ("int8_t", -2, 254, -2),
    "LDRSB R0,[R3]": ("int8_t", -2, -2, -2),
    "LDRH R0,[R3]": ("int16_t", -2, 65534, -2),
    "LDRSH R0,[R3]": ("int16_t", -2, -2, -2),
    "STR R2,[R3]": ("int", 0, 0, -7),
    "STRB R2,[R3]": ("int8_t", 0, 0, -7),
    "STRH R2,[R3]": ("int16_t", 0, 0, -7),
    "SUB R4,R3,#4; LDR R0,[R4,#4]": ("int", 6, 6, 6),
    "ADD R4,R3,#4; LDR R0,[R4, #-4]": ("int", 6, 6, 6),
    "EOR R4,R1,R1; LDR R0,[R4,R3]": ("int", 6, 6, 6),
    "EOR R4,R1,R1; STR R1,[R3,R4]": ("int", 6, 0, 12),
}


@pytest.mark.parametrize("code", REGISTERS)
def test_registers(code: str) -> None:
    assert results("ARM", code, {"R1": 12, "R2": -7}, "0:R0;") == {(REGISTERS[code],)}


@pytest.mark.parametrize("name", BRANCHES)
def test_branches(name: str) -> None:
    for left, right, jumps in BRANCHES[name]:
        code = f"CMP R1,R2; {name} L; MOV R0,#1; L: ; MOV R3,#2"
        found = results("ARM", code, {"R1": left, "R2": right}, "0:R0; 0:R3;")
        assert found == {(0 if jumps else 1, 2)}


@pytest.mark.parametrize("code", MEMORY)
def test_memory(code: str) -> None:
    type_, before, register, after = MEMORY[code]
    start: dict[str, int | str] = {f"{type_} v": before, "R1": 12, "R2": -7, "R3": "v"}
    assert results("ARM", code, start, "0:R0; v;") == {(register, after)}


def test_large_initial_values_are_signed() -> None:
    code = "CMP R1,#-1; BEQ L; MOV R0,#1; L: ; ADD R2,R1,#0"
    assert results("ARM", code, {"R1": 0xFFFFFFFF}, "0:R0; 0:R2;") == {(0, -1)}


def test_exclusives() -> None:
    code = "LDREX R0,[R3]; ADD R1,R0,#1; STREX R2,R1,[R3]"
    start: dict[str, int | str] = {"int v": 3, "R3": "v"}
    assert results("ARM", code, start, "0:R2; v;") == {(0, 4), (1, 3)}


@pytest.mark.parametrize(
    ("code", "held"),
    [
        ("LDM R3,{R0,R1,R2}", (5, 6, 7)),
        ("LDMIA R3,{R2,R0,R1}", (5, 6, 7)),
        ("ldm r3,{r0-r2}", (5, 6, 7)),
        ("LDM R3,{R0,R2}", (5, 0, 6)),
        ("LDM R3!,{R0,R1}; LDR R2,[R3]", (5, 6, 7)),
        ("LDM R3,{R1-R4}; MOV R0,R3", (7, 5, 6)),
    ],
)
def test_loads_of_several_registers(code: str, held: tuple[int, ...]) -> None:
    start: dict[str, int | str] = {"int v[4]": "{5,6,7,8}", "R3": "v"}
    assert results("ARM", code, start, "0:R0; 0:R1; 0:R2;") == {held}


def test_loads_of_several_registers_are_loads_in_order() -> None:
    code = litmus("ARM", "LDM R10,{R0,R1}", "0:R10=v; int v[2];").threads[0].code
    assert [type(each) for each in code] == [ins.Load, ins.Load]
    found = dependencies(
        "ARM",
        "LDR R0,[R11]; EOR R0,R0,R0; ADD R10,R10,R0; LDM R10,{R1,R2}; STR R2,[R12]",
        "0:R10=v; 0:R11=w; 0:R12=u; int v[2];",
    )
    assert found == [{("addr", 0, 1), ("addr", 0, 2), ("data", 2, 3)}]


def test_jumps_out_of_the_code_are_told() -> None:
    for code in ("B .+12; NOP", "B .-4"):
        said = refusal("ARM", code, unsupported=False)
        assert "a jump out of the thread's code" in said


def test_every_instruction_is_run_or_looked_at() -> None:
    run = {part.split()[0].upper() for code in (*REGISTERS, *MEMORY) for part in code.split(";")}
    other = {*BRANCHES, "CMP", "LDREX", "STREX", "DMB", "DSB", "ISB", "LDM", "LDMIA"}
    assert set(ARM.table) == run | other


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("DMB", "DMB.SY"),
        ("DMB SY", "DMB.SY"),
        ("DMB ISH", "DMB.SY"),
        ("DMB ST", "DMB.ST"),
        ("dmb ishst", "DMB.ST"),
        ("DSB", "DSB.SY"),
        ("DSB OSHST", "DSB.ST"),
        ("ISB", "ISB"),
        ("ISB SY", "ISB"),
    ],
)
def test_barriers(code: str, tag: str) -> None:
    (fence,) = litmus("ARM", code, "").threads[0].code
    assert isinstance(fence, ins.Fence)
    assert fence.tags == {tag}


X = "0:R10=v; 0:R11=w; 0:R12=u;"


@pytest.mark.parametrize(
    ("code", "edges"),
    [
        ("LDR R0,[R10]; STR R0,[R11]", {("data", 0, 1)}),
        ("LDR R0,[R10]; EOR R1,R0,R0; LDR R2,[R1,R11]", {("addr", 0, 1)}),
        ("LDR R0,[R10]; CMP R0,#0; BNE L; L: ; STR R1,[R11]", {("ctrl", 0, 2)}),
        ("LDR R0,[R10]; CMP R0,R0; LDR R1,[R11]; CMP R1,#0; BNE L; L: ; STR R1,[R12]",
         {("data", 1, 3), ("ctrl", 1, 3)}),
        ("LDR R0,[R10]; MOV R0,#1; STR R0,[R11]", set()),
        ("LDR R0,[R10]; CMP R0,#0; STR R1,[R11]", set()),
    ],
)  # fmt: skip
def test_dependencies(code: str, edges: set[tuple[str, int, int]]) -> None:
    for found in dependencies("ARM", code, X):
        assert found == edges


def test_the_result_of_a_store_exclusive_carries_no_dependency() -> None:
    code = "LDREX R0,[R10]; STREX R1,R0,[R10]; STR R1,[R11]"
    fails, succeeds = dependencies("ARM", code, X)
    assert (fails, succeeds) == (set(), {("data", 0, 1)})


REFUSED = [
    "MOVNE R0,#1",
    "LDREQ R0,[R3]",
    "ADDS R0,R1,#1",
    "MOV R0,x",
    "MOVT R0,#0x10000",
    "MOVW R0,#-1",
    "LDM R3,{}",
    "LDM R3,{R1,R1}",
    "LDM R3,{R5-R4}",
    "LDM R3,R1",
    "LDM R3!,{R3,R4}",
    "B .+6",
    "MOV R0,#0x100000000",
    "MOV PC,LR",
    "LDRB R0,R3",
    "LDR R0,[R3],#4",
    "LDR R0,[R3,#4]!",
    "LDR R0,[R3,R1,LSL #2]",
    "LDREX R0,[R3,#4]",
    "STREX R0,[R3]",
    "LDRD R0,R1,[R3]",
    "LDRB R0,[R3]",
    "ADD R0,R1",
    "DMB LD",
    "BHI L",
    "BL f",
    "LDA R0,[R3]",
    "SWP R0,R1,[R3]",
]


def test_refusals() -> None:
    """Each is named with its place; v is an int."""
    parts = [f"--- {code}\n{refusal('ARM', code, '0:R3=v; int v;')}\n" for code in REFUSED]
    check_golden("litmus/arm_refusals.txt", "\n".join(parts))


WRITER = ("MOV R0,#1", "STR R0,[R1]", "DMB", "STR R0,[R2]")
READERS = {
    "po": (("LDR R3,[R2]", "LDR R4,[R1]"), Verdict.ALLOWED),
    "addr": (("LDR R3,[R2]", "EOR R5,R3,R3", "LDR R4,[R5,R1]"), Verdict.FORBIDDEN),
    "ctrl": (("LDR R3,[R2]", "CMP R3,#1", "BNE L", "L:", "LDR R4,[R1]"), Verdict.ALLOWED),
    "ctrlisb": (("LDR R3,[R2]", "CMP R3,#1", "BNE L", "L: ISB", "LDR R4,[R1]"), Verdict.FORBIDDEN),
    "dmb.st": (("LDR R3,[R2]", "DMB ST", "LDR R4,[R1]"), Verdict.ALLOWED),
    "dsb": (("LDR R3,[R2]", "DSB", "LDR R4,[R1]"), Verdict.FORBIDDEN),
}


@pytest.mark.parametrize("name", READERS)
def test_message_passing(name: str) -> None:
    reader, verdict = READERS[name]
    height = max(len(WRITER), len(reader))
    rows = zip(
        WRITER + ("",) * (height - len(WRITER)),
        reader + ("",) * (height - len(reader)),
        strict=True,
    )
    lines = "\n".join(f" {left} | {right} ;" for left, right in rows)
    text = (
        f"ARM MP+dmb+{name}\n{{ 0:R1=x; 0:R2=y; 1:R1=x; 1:R2=y; }}\n P0 | P1 ;\n{lines}\n"
        "exists (1:R3=1 /\\ 1:R4=0)\n"
    )
    program = parse_litmus(Source("mp.litmus", text))
    assert default_model(program) == "armv7"
    assert summarise(program, model("armv7"), Enumerate(), Limits()).answer is verdict
