"""RISC-V's instructions: values, memory, dependencies, tags, refusals."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from golden_files import check_golden
from machine_runs import dependencies, litmus, refusal, results
from support import model

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.frontend.litmus.riscv import RISCV
from hybrid.frontend.load import load_program
from hybrid.program import instructions as ins
from hybrid.report.summary import summarise

pytestmark = pytest.mark.sample(2)

M = -(2**63)
A, B = 0x123456789, -7  # what x5 and x6 hold at first

# code and what x7 holds then
REGISTERS: dict[str, int] = {
    "add x7,x5,x6": A + B,
    "sub x7,x5,x6": A - B,
    "and x7,x5,x6": A & B,
    "or x7,x5,x6": A | B,
    "xor x7,x5,x6": A ^ B,
    "sll x7,x6,x5": -7 << (A & 63),
    "srl x7,x6,x8": 2**62 - 2,  # x8 is 2
    "sra x7,x6,x8": -2,
    "slt x7,x6,x5": 1,
    "slt x7,x5,x6": 0,
    "sltu x7,x6,x5": 0,
    "sltu x7,x5,x6": 1,
    "sgt x7,x5,x6": 1,
    "sgtu x7,x5,x6": 0,
    "mul x7,x5,x6": A * B,
    "div x7,x5,x6": -(A // 7),
    "div x7,x5,x0": -1,
    "rem x7,x5,x6": A % 7,
    "rem x7,x5,x0": A,
    "addi x7,x5,-1": A - 1,
    "andi x7,x5,0xf": 9,
    "andi x7,x5,-16": A - 9,
    "ori x7,x0,1": 1,
    "ori x7,x6,2": -5,
    "xori x7,x5,-1": ~A,
    "slti x7,x6,-6": 1,
    "slti x7,x6,-7": 0,
    "sltiu x7,x6,-6": 1,
    "sltiu x7,x5,-6": 1,
    "sltiu x7,x6,5": 0,
    "slli x7,x6,3": -56,
    "srli x7,x6,60": 15,
    "srai x7,x6,1": -4,
    "addw x7,x5,x5": 0x2468ACF12 - 2**33,
    "subw x7,x6,x5": -7 - 0x23456789,
    "mulw x7,x5,x8": 0x2468ACF12 - 2**33,
    "divw x7,x5,x6": -(0x23456789 // 7),
    "divw x7,x5,x0": -1,
    "remw x7,x6,x8": -1,
    "sllw x7,x5,x9": 0x23456789 * 8 - 2**32,  # x9 is 35: by its low five bits
    "srlw x7,x6,x9": 2**29 - 1,
    "sraw x7,x6,x9": -1,
    "addiw x7,x5,1": 0x2345678A,
    "slliw x7,x5,4": 0x34567890,
    "srliw x7,x6,4": 2**28 - 1,
    "sraiw x7,x6,1": -4,
    "lui x7,1": 4096,
    "lui x7,0x80000": -(2**31),
    "li x7,-3": -3,
    "li x7,0x8000000000000000": M,
    "mv x7,x5": A,
    "not x7,x5": ~A,
    "neg x7,x6": 7,
    "negw x7,x5": -0x23456789,
    "sext.b x7,x5": -119,
    "sext.h x7,x5": 0x6789,
    "sext.w x7,x5": 0x23456789,
    "zext.b x7,x6": 249,
    "zext.h x7,x6": 65529,
    "zext.w x7,x6": 2**32 - 7,
    "seqz x7,x5": 0,
    "seqz x7,x0": 1,
    "snez x7,x5": 1,
    "sltz x7,x6": 1,
    "sgtz x7,x6": 0,
    "nop": 0,
    "add x0,x5,x6; mv x7,x0": 0,
    "li x7,1; mv x0,x7; add x7,x7,zero": 1,
    "add t2,t0,t1": A + B,  # x7, x5, x6 by their other names
}  # fmt: skip

# a comparison of x5 with x6, and whether it jumps
BRANCHES: dict[str, tuple[int, int, bool]] = {
    "beq x5,x6,L": (1, 1, True),
    "beq x5,x6,L ": (1, 2, False),
    "bne x5,x6,L": (1, 2, True),
    "bne x5,x6,L ": (1, 1, False),
    "blt x5,x6,L": (-1, 1, True),
    "blt x5,x6,L ": (1, 1, False),
    "bge x5,x6,L": (1, 1, True),
    "bge x5,x6,L ": (-1, 1, False),
    "bgt x5,x6,L": (1, -1, True),
    "ble x5,x6,L": (1, -1, False),
    "bltu x5,x6,L": (-1, 1, False),
    "bltu x5,x6,L ": (1, -1, True),
    "bgeu x5,x6,L": (-1, 1, True),
    "bgeu x5,x6,L ": (0, 1, False),
    "bgtu x5,x6,L": (-1, 1, True),
    "bleu x5,x6,L": (-1, 1, False),
    "beqz x5,L": (0, 1, True),
    "bnez x5,L": (0, 1, False),
    "bltz x5,L": (-1, 0, True),
    "bgez x5,L": (0, 0, True),
    "bgtz x5,L": (0, 0, False),
    "blez x5,L": (0, 0, True),
    "j L": (0, 0, True),
}

# code, the type and first value of v (to which x10 points), what x7 and v hold then
MEMORY: dict[str, tuple[str, int, int, int]] = {
    "lw x7,0(x10)": ("int", -2, -2, -2),
    "lwu x7,(x10)": ("int", -2, 2**32 - 2, -2),
    "ld x7,0(x10)": ("int64_t", -2, -2, -2),
    "lh x7,0(x10)": ("int16_t", -2, -2, -2),
    "lhu x7,0(x10)": ("int16_t", -2, 65534, -2),
    "lb x7,0(x10)": ("int8_t", -2, -2, -2),
    "lbu x7,0(x10)": ("int8_t", -2, 254, -2),
    "addi x11,x10,8; lw x7,-8(x11)": ("int", 5, 5, 5),
    "sw x5,0(x10)": ("int", 0, 0, 0x23456789),
    "sd x5,0(x10)": ("int64_t", 0, 0, A),
    "sh x6,0(x10)": ("int16_t", 0, 0, -7),
    "sb x5,0(x10)": ("int8_t", 0, 0, -119),
    "sw zero,0(a0)": ("int", 3, 0, 0),
    "lw x0,0(x10); mv x7,x0": ("int", 3, 0, 3),
    "amoswap.w x7,x5,(x10)": ("int", -2, -2, 0x23456789),
    "amoadd.w x7,x5,(x10)": ("int", 2**31 - 1, 2**31 - 1, 0x23456789 - 2**31 - 1),
    "amoand.w x7,x6,(x10)": ("int", 15, 15, 9),
    "amoor.w x7,x6,0(x10)": ("int", 2, 2, -5),
    "amoxor.w x7,x6,(x10)": ("int", 1, 1, -8),
    "amomin.w x7,x6,(x10)": ("int", 1, 1, -7),
    "amomax.w x7,x6,(x10)": ("int", 1, 1, 1),
    "amominu.w x7,x6,(x10)": ("int", 1, 1, 1),
    "amomaxu.w x7,x6,(x10)": ("int", 1, 1, -7),
    "amoswap.d x7,x5,(x10)": ("int64_t", -2, -2, A),
    "amoadd.d x7,x5,(x10)": ("int64_t", 1, 1, A + 1),
    "amomaxu.d x7,x6,(x10)": ("int64_t", 1, 1, -7),
    "amoor.w x0,x6,(x10)": ("int", 0, 0, -7),
    "amoadd.w x7,x0,(x10)": ("int", 4, 4, 4),
}  # fmt: skip


@pytest.mark.parametrize("code", REGISTERS)
def test_registers(code: str) -> None:
    start: dict[str, int | str] = {"x5": A, "x6": B, "x8": 2, "x9": 35}
    value = (REGISTERS[code] + 2**63) % 2**64 - 2**63
    assert results("RISCV", code, start, "0:x7;") == {(value,)}


@pytest.mark.parametrize("code", BRANCHES)
def test_branches(code: str) -> None:
    left, right, jumps = BRANCHES[code]
    text = f"{code}; li x7,1; L: ; addi x8,x0,5"
    found = results("RISCV", text, {"x5": left, "x6": right}, "0:x7; 0:x8;")
    assert found == {(0 if jumps else 1, 5)}


@pytest.mark.parametrize("code", MEMORY)
def test_memory(code: str) -> None:
    type_, before, register, after = MEMORY[code]
    start: dict[str, int | str] = {f"{type_} v": before, "x5": A, "x6": B, "x10": "v"}
    assert results("RISCV", code, start, "0:x7; v;") == {(register, after)}


def test_every_instruction_is_run_or_looked_at() -> None:
    """Of accesses with suffixes the tags are tested below, of fences their kinds."""
    run = {
        part.split(":")[-1].split()[0]
        for code in (*REGISTERS, *BRANCHES, *MEMORY)
        for part in code.split(";")
        if part.strip()
    }
    suffixed = {name for name in RISCV.table if name.endswith((".aq", ".rl", ".aqrl"))}
    other = {"fence", "fence.tso", "fence.i", "lr.w", "lr.d", "sc.w", "sc.d"}
    wide = {f"amo{op}.d" for op in ("and", "or", "xor", "min", "max", "minu")}
    assert set(RISCV.table) - run - suffixed - other - wide == set()


def test_all_names_of_registers() -> None:
    names = (
        "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 "
        "s11 t3 t4 t5 t6"
    )
    for number, name in enumerate(names.split()):
        assert RISCV.register(name) == RISCV.register(f"x{number}") is not None
    assert RISCV.register("fp") == RISCV.register("s0")
    assert all(RISCV.register(name) is None for name in ("x32", "x05", "t7", "s12", "X5", "x", "5"))


@pytest.mark.parametrize(
    ("suffix", "tag"),
    [("", "NA"), (".aq", "Acq"), (".rl", "Rel"), (".aq.rl", "AcqRel"), (".aqrl", "AcqRel")],
)
def test_suffixes(suffix: str, tag: str) -> None:
    for name in [n for n in RISCV.table if n.startswith("amo") and n.endswith(f".w{suffix}")]:
        (amo,) = litmus("RISCV", f"{name} x5,x6,(x7)", "0:x7=x;").threads[0].code
        assert isinstance(amo, ins.Rmw)
        assert (amo.tags, amo.bits) == ({tag}, 64 if amo.op == "xchg" else 32)
    code = f"lr.w{suffix} x5,(x7); sc.w{suffix} x8,x5,0(x7)"
    reserve, conditional = litmus("RISCV", code, "0:x7=x;").threads[0].code
    assert isinstance(reserve, ins.Load)
    assert reserve.exclusive
    assert isinstance(conditional, ins.StoreConditional)
    assert conditional.by_store
    assert conditional.status == "x8"
    assert reserve.tags == conditional.tags == {"X"} | ({tag} if suffix else set())
    if suffix != ".rl":
        (load,) = litmus("RISCV", f"lw{suffix} x5,0(x7)", "0:x7=x;").threads[0].code
        assert isinstance(load, ins.Load)
        assert load.tags == {tag}
    if suffix != ".aq":
        (store,) = litmus("RISCV", f"sw{suffix} x5,0(x7)", "0:x7=x;").threads[0].code
        assert isinstance(store, ins.Store)
        assert store.tags == {tag}


@pytest.mark.parametrize(
    ("code", "tags"),
    [
        ("fence", ["Fence.rw.rw"]),
        ("fence rw,rw", ["Fence.rw.rw"]),
        ("fence iorw,iorw", ["Fence.rw.rw"]),
        ("fence r,rw", ["Fence.r.rw"]),
        ("fence rw , w", ["Fence.rw.w"]),
        ("fence w,r", ["Fence.w.r"]),
        ("fence ow,ir", ["Fence.w.r"]),
        ("fence io,rw", []),
        ("fence r,o", []),
        ("fence.tso", ["Fence.tso"]),
        ("fence.i", ["Fence.i"]),
    ],
)
def test_fences(code: str, tags: list[str]) -> None:
    found = litmus("RISCV", code, "").threads[0].code
    assert [fence.tags for fence in found if isinstance(fence, ins.Fence)] == [{t} for t in tags]
    assert len(found) == len(tags)


def test_exclusive_pairs() -> None:
    code = "lr.w x5,0(x10); addi x6,x5,1; sc.w x7,x6,0(x10)"
    start: dict[str, int | str] = {"int v": 3, "x10": "v"}
    assert results("RISCV", code, start, "0:x7; v;") == {(0, 4), (1, 3)}
    other = "lr.w x5,0(x10); sc.w x7,x5,0(x11)"
    start |= {"int w": 0, "x11": "w"}
    assert results("RISCV", other, start, "0:x7; w;") == {(1, 0)}
    assert results("RISCV", "sc.w x7,x5,0(x10)", start, "0:x7; v;") == {(1, 3)}


X = "0:x10=v; 0:x11=w; 0:x12=u;"


@pytest.mark.parametrize(
    ("code", "edges"),
    [
        ("lw x5,0(x10); sw x5,0(x11)", {("data", 0, 1)}),
        ("lw x5,0(x10); xor x6,x5,x5; add x7,x6,x11; lw x8,0(x7)", {("addr", 0, 1)}),
        ("lw x5,0(x10); xor x6,x5,x5; add x7,x6,x11; sw x0,0(x7)", {("addr", 0, 1)}),
        ("lw x5,0(x10); bne x5,x0,L; L: ; sw x6,0(x11)", {("ctrl", 0, 2)}),
        ("lw x5,0(x10); and x6,x5,x0; sw x6,0(x11)", {("data", 0, 1)}),
        ("lw x5,0(x10); ori x5,x0,1; sw x5,0(x11)", set()),
        ("lw x5,0(x10); li x5,1; sw x5,0(x11)", set()),
        ("lw x5,0(x10); add x0,x5,x5; sw x0,0(x11)", set()),
        ("lw x0,0(x10); add x6,x0,x0; sw x6,0(x11)", set()),
        ("lw x5,0(x10); beq x0,x0,L; L: ; sw x6,0(x11)", set()),
        ("lw x5,0(x10); lw x6,0(x11); sub x7,x5,x6; sw x7,0(x12)",
         {("data", 0, 2), ("data", 1, 2)}),
        ("lwu x5,0(x10); sw x5,0(x11)", {("data", 0, 1)}),
        ("lw x5,0(x10); lw x6,0(x11); sltu x7,x6,x6; sw x7,0(x12)", {("data", 1, 2)}),
        # an AMO takes its operand as it starts; its result comes from its load, which feeds what it
        # stores
        ("lw x5,0(x10); amoadd.w x6,x5,(x11); sw x6,0(x12)",
         {("data", 0, 1), ("data", 0, 2), ("data", 1, 2), ("data", 1, 3)}),
        ("lw x5,0(x10); amoswap.w x6,x5,(x11); sw x6,0(x12)",
         {("data", 0, 1), ("data", 0, 2), ("data", 1, 3)}),
    ],
)  # fmt: skip
def test_dependencies(code: str, edges: set[tuple[str, int, int]]) -> None:
    for found in dependencies("RISCV", code, X):
        assert found == edges


def test_the_result_of_a_store_conditional_depends_on_its_store() -> None:
    code = (
        "lr.w x5,(x10); sc.w x6,x5,(x10); xor x7,x6,x6; sw x7,0(x11); bnez x6,L; L: ; sw x0,0(x12)"
    )
    fails, succeeds = dependencies("RISCV", code, X)
    assert fails == set()
    assert succeeds == {("data", 0, 1), ("data", 1, 2), ("ctrl", 1, 4)}


REFUSED = [
    "amocas.w x5,x6,(x10)",
    "amoadd.b x5,x6,(x10)",
    "amoadd.w x5,x6,4(x10)",
    "amoadd.w.rl.aq x5,x6,(x10)",
    "lr.w x5,8(x10)",
    "sc.w x5,(x10)",
    "lw.rl x5,0(x10)",
    "sw.aq x5,0(x10)",
    "lw x5,x10",
    "lw x5,2048(x10)",
    "lw x32,0(x10)",
    "lw x5,0(x10),x6",
    "LW X5,0(x10)",
    "ori x5,x0,2048",
    "ori x5,1",
    "slli x5,x6,64",
    "slliw x5,x6,32",
    "lui x5,-1",
    "fence wr,rw",
    "fence rw",
    "fence rw,",
    "fence.tso rw,rw",
    "fence.rw.rw",
    "jal x1,L",
    "auipc x5,1",
    "divu x5,x6,x7",
    "flw f5,0(x10)",
    "csrr x5,cycle",
    "ecall",
    "lh x5,0(x10)",
    "sd x5,0(x10)",
]


def test_refusals() -> None:
    """Each is named with its place; v is an int."""
    parts = [f"--- {code}\n{refusal('RISCV', code, '0:x10=v; int v;')}\n" for code in REFUSED]
    check_golden("litmus/riscv_refusals.txt", "\n".join(parts))


def test_labels() -> None:
    parts = [
        refusal("RISCV", "bne x5,x0,LC01; LC00: ; nop", unsupported=False),
        refusal("RISCV", "L: ; nop; L: ; nop", unsupported=False),
        refusal("RISCV", "nop", "0:x0=1;", unsupported=False),
    ]
    check_golden("litmus/riscv_labels.txt", "\n".join(parts) + "\n")


CORPUS = Path(os.environ.get("HYBRID_CORPUS", Path(__file__).parents[4] / "shared" / "corpus"))


@pytest.mark.skipif(not (CORPUS / "riscv").is_dir(), reason="no corpus of litmus tests here")
def test_some_of_the_corpus() -> None:
    """Every sixteenth test: observation, numbers of executions and of states."""
    with (CORPUS / "riscv" / "expected.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    for row in rows[::16]:
        program = load_program(CORPUS / "riscv" / row["file"])
        result = summarise(program, model("riscv"), Enumerate(), Limits())
        positive = result.satisfying
        found = (positive, result.traces - positive, len(result.outcomes))
        names = ("traces_satisfying", "traces_not_satisfying", "states")
        assert found == tuple(int(row[name]) for name in names), row["file"]
