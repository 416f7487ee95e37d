"""Instructions of X86 and X86_64: values, memory, flags, atomicity; locked instructions and fences
under tso."""

from __future__ import annotations

import pytest
from machine_runs import litmus, refusal, results
from support import make_engine, model

from hybrid.engine.api import Limits
from hybrid.frontend.litmus.x86 import X86, X86_64
from hybrid.frontend.load import default_model, parse_litmus
from hybrid.frontend.prog import parse_program
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.source import Source

# code and what EAX holds then; EBX is 12, ECX is 0xfffffff9 (-7)
REGISTERS: dict[str, int] = {
    "MOV EAX,$1": 1,
    "mov eax,1": 1,
    "MOV EAX,$-1": 2**32 - 1,
    "MOV EAX,EBX": 12,
    "MOVL EAX,ECX": 2**32 - 7,
    "ADD EBX,ECX; MOV EAX,EBX": 5,
    "SUB EBX,$13; MOV EAX,EBX": 2**32 - 1,
    "MOV EAX,EBX; AND EAX,$6": 4,
    "MOV EAX,EBX; OR EAX,$3": 15,
    "MOV EAX,EBX; XOR EAX,EAX": 0,
    "MOV EAX,EBX; XOR EAX,$5": 9,
    "MOV EAX,EBX; NOT EAX": 2**32 - 13,
    "MOV EAX,EBX; NEG EAX": 2**32 - 12,
    "MOV EAX,EBX; INC EAX": 13,
    "DEC EAX": 2**32 - 1,
    "XCHG EAX,EBX": 12,
    "MOV EAX,$0x1234; MOV AL,CL": 0x12F9,
    "MOV EAX,$0x12345; MOV AX,CX": 0x1FFF9,
    "MOV EAX,$0x100; MOV AL,$-1": 0x1FF,
    "LEA EAX,[EBX]": 12,
    "LEA EAX,4[EBX]": 16,
    "LEA EAX,[EBX-4]": 8,
    "LEA EAX,1(EBX,EBX,2)": 37,
    "NOP; PAUSE; ENDBR64; MOV EAX,$2": 2,
}

# code, type and first value of v, what EAX and v hold then; EBX is 12, EDX points to v
MEMORY: dict[str, tuple[str, int, int, int]] = {
    "MOV EAX,[v]": ("int", -2, 2**32 - 2, -2),
    "MOV EAX,[EDX]": ("int", 5, 5, 5),
    "MOV EAX,(EDX)": ("int", 5, 5, 5),
    "MOV EAX,(v)": ("int", 5, 5, 5),
    "MOVB AL,[v]": ("int8_t", -2, 254, -2),
    "MOV AX,[v]": ("int16_t", -2, 65534, -2),
    "MOV [v],EBX": ("int", 0, 0, 12),
    "MOV [v],$-1": ("int", 0, 0, -1),
    "MOV [EDX],$255": ("uint8_t", 0, 0, -1),  # as wide as the location
    "MOVL [v],$7": ("int", 0, 0, 7),
    "MOVW [v],$7": ("int16_t", 0, 0, 7),
    "MOV BL,$9; MOV [v],BL": ("int8_t", 0, 0, 9),
    "ADD [v],EBX": ("int", 3, 0, 15),
    "SUB [v],$1": ("int", 3, 0, 2),
    "AND [v],$2": ("int", 3, 0, 2),
    "OR [v],$4": ("int", 3, 0, 7),
    "XOR [v],$1": ("int", 3, 0, 2),
    "INC [v]": ("int", 2**31 - 1, 0, -(2**31)),
    "DEC [v]": ("int", 3, 0, 2),
    "NOT [v]": ("int", 3, 0, -4),
    "NEG [v]": ("int", 3, 0, -3),
    "ADD EAX,[v]": ("int", 3, 3, 3),
    "LOCK ADD [v],EBX": ("int", 3, 0, 15),
    "lock sub [v],1": ("int", 3, 0, 2),
    "LOCK AND [v],$2": ("int", 3, 0, 2),
    "LOCK OR [v],$4": ("int", 3, 0, 7),
    "LOCK XOR [v],$1": ("int", 3, 0, 2),
    "LOCK INC [v]": ("int", 2**31 - 1, 0, -(2**31)),
    "LOCK DEC [v]": ("int", 3, 0, 2),
    "LOCK NOT [v]": ("int", 3, 0, -4),
    "XCHG [v],EBX; MOV EAX,EBX": ("int", 3, 3, 12),
    "XCHG EBX,[v]; MOV EAX,EBX": ("int", 3, 3, 12),
    "LOCK XCHG [v],EBX; MOV EAX,EBX": ("int", 3, 3, 12),
    "UXCH [v],EBX; MOV EAX,EBX": ("int", 3, 3, 12),
    "XADD [v],EBX; MOV EAX,EBX": ("int", 3, 3, 15),
    "LOCK XADD [v],EBX; MOV EAX,EBX": ("int", 3, 3, 15),
    "CMPXCHG [v],EBX": ("int", 3, 3, 3),  # EAX is 0: not equal
    "LOCK CMPXCHG [v],EBX": ("int", 3, 3, 3),
    "MOV EAX,$3; CMPXCHG [v],EBX": ("int", 3, 3, 12),
    "MOV EAX,$3; LOCK CMPXCHG [v],EBX": ("int", 3, 3, 12),
    "MOV EAX,$-3; LOCK CMPXCHG [v],EBX": ("int", -3, 2**32 - 3, 12),
}

# what sets the flags (EAX and EBX as given), and which jumps are then taken of those in JUMPS
FLAGS: list[tuple[str, int, int, str]] = [
    ("CMP EAX,EBX", 1, 1, "E LE GE AE BE NS"),
    ("CMP EAX,EBX", 1, 2, "NE L LE B BE S"),
    ("CMP EAX,EBX", 2, 1, "NE G GE A AE NS"),
    ("CMP EAX,EBX", 0xFFFFFFFF, 1, "NE L LE A AE S"),  # -1 below 1, but above it unsigned
    ("CMP EAX,EBX", 0x80000000, 1, "NE L LE A AE NS"),  # overflow: less, yet the result is positive
    ("CMP EAX,$2", 2, 0, "E LE GE AE BE NS"),
    ("TEST EAX,EBX", 4, 3, "E LE GE AE BE NS"),
    ("TEST EAX,EAX", 0xFFFFFFFF, 0, "NE L LE A AE S"),
    ("ADD EAX,EBX", 0x7FFFFFFF, 1, "NE G GE A AE S"),  # overflow: the sign is wrong
    ("ADD EAX,EBX", 0xFFFFFFFF, 1, "E LE GE B BE NS"),  # carry
    ("SUB EAX,EBX", 1, 2, "NE L LE B BE S"),
    ("AND EAX,EBX", 1, 2, "E LE GE AE BE NS"),
    ("DEC EAX", 1, 0, "E LE GE AE BE NS"),
    ("INC EAX", 0xFFFFFFFE, 0, "NE L LE A AE S"),
    ("NEG EAX", 0, 0, "E LE GE AE BE NS"),
    ("NEG EAX", 1, 0, "NE L LE B BE S"),
    ("MOV [v],EAX; LOCK DEC [v]", 1, 0, "E LE GE AE BE NS"),
    ("MOV [v],EAX; LOCK XADD [v],EBX", 1, 2, "NE G GE A AE NS"),
    ("MOV [v],EAX; CMP [v],$1", 1, 2, "E LE GE AE BE NS"),
    ("LOCK CMPXCHG [v],EBX", 0, 1, "E LE GE AE BE NS"),
    ("LOCK CMPXCHG [v],EBX", 1, 1, "NE G GE A AE NS"),
]
JUMPS = {
    "E": "JE JZ", "NE": "JNE JNZ", "L": "JL JLT JNGE", "LE": "JLE JNG", "G": "JG JGT JNLE",
        "GE": "JGE JNL",
    "B": "JB JC JNAE", "BE": "JBE JNA", "A": "JA JNBE", "AE": "JAE JNC JNB", "S": "JS", "NS": "JNS",
}  # fmt: skip


@pytest.mark.parametrize("code", REGISTERS)
def test_registers(code: str) -> None:
    given = {"EBX": 12, "ECX": 0xFFFFFFF9}
    assert results("X86", code, given, "0:EAX") == {(REGISTERS[code],)}


@pytest.mark.parametrize("code", MEMORY)
def test_memory(code: str) -> None:
    kind, before, register, after = MEMORY[code]
    given = {f"{kind} v": before, "EBX": 12, "EDX": "v"}
    assert results("X86", code, given, "0:EAX; v") == {(register, after)}


@pytest.mark.large
@pytest.mark.parametrize(("code", "left", "right", "taken"), FLAGS)
def test_flags(code: str, left: int, right: int, taken: str) -> None:
    lines = [code]
    names = [(meaning, jump) for meaning, jumps in JUMPS.items() for jump in jumps.split()]
    for number, (_, jump) in enumerate(names):
        lines += [f"{jump} L{number}", f"MOV [w{number}],$1", f"L{number}:"]
    observed = "; ".join(f"w{number}" for number in range(len(names)))
    expected = tuple(int(meaning not in taken.split()) for meaning, _ in names)
    found = results("X86", "; ".join(lines), {"EAX": left, "EBX": right}, observed)
    assert found == {expected}


# X86_64: the source comes first
WIDE: dict[str, tuple[str, int, int, int]] = {
    "movq $-1,%rax": ("int64_t", 0, -1, 0),
    "movq $-1,%rax; movl $1,%eax": ("int64_t", 0, 1, 0),
    "movq $-1,%rax; movl %ebx,%eax": ("int64_t", 0, 12, 0),
    "movq (v),%rax": ("int64_t", -5, -5, -5),
    "movq %rbx,(v)": ("int64_t", 0, 0, 12),
    "movl $1,(v)": ("int", 0, 0, 1),
    "movl (v),%eax": ("int", -1, 2**32 - 1, -1),
    "MOV $3,[v]": ("int64_t", 0, 0, 3),
    "subq $1,(v)": ("int64_t", 0, 0, -1),
    "lock addq %rbx,(v)": ("int64_t", 1, 0, 13),
    "lock xaddq %rbx,(v); movq %rbx,%rax": ("int64_t", 1, 1, 13),
    "lock cmpxchgq %rbx,(v)": ("int64_t", 0, 0, 12),
    "lock cmpxchgq (v),%rbx": ("int64_t", 1, 1, 1),
    "xchgq %rbx,(v); movq %rbx,%rax": ("int64_t", 1, 1, 12),
    "leaq 4(%rbx),%rax": ("int64_t", 0, 16, 0),
    "movq %rbx,%r8; movl %r8d,%eax": ("int64_t", 0, 12, 0),
    "cmpq $13,%rbx; jl L; movq $1,%rax; L:": ("int64_t", 0, 0, 0),
}


@pytest.mark.parametrize("code", WIDE)
def test_x86_64(code: str) -> None:
    kind, before, register, after = WIDE[code]
    given = {f"{kind} v": before, "RBX": 12, "RDX": "v"}
    assert results("X86_64", code, given, "0:rax; v") == {(register, after)}


def test_array() -> None:
    code, state = (
        "movq 0(%rax,%ebx,8),%rcx",
        "int64_t t[2]={1,-1}; 0:rax=t; 0:rbx=1; int64_t 0:rcx;",
    )
    program = litmus("X86_64", code, state, "forall 0:rcx=-1")
    assert run(program).observation == "Always"


def test_every_instruction_is_tried() -> None:
    """The tests above name each mnemonic, some suffix of it at least."""
    texts = [*REGISTERS, *MEMORY, *WIDE, *(code for code, *_ in FLAGS), *JUMPS.values()]
    words = " ".join(texts).replace(";", " ").upper().replace("LOCK ", "LOCK_").split()
    tried = {word.replace("_", " ") for word in words} | {"JMP", "MFENCE", "LFENCE", "SFENCE"}
    for table in (X86.table, X86_64.table):
        missing = [
            name
            for name in table
            if name not in tried and not (name[-1] in "BWLQ" and name[:-1] in table)
        ]
        assert not missing


def test_flags_that_nobody_reads_are_not_computed() -> None:
    program = litmus("X86", "ADD EAX,$1; CMP EAX,$1; MOV [x],EAX", "")
    assert len(program.threads[0].code) == 2


def run(program: object, engine: str = "rsmc") -> Result:
    parsed = parse_litmus(Source("t.litmus", program)) if isinstance(program, str) else program
    assert parsed.arch == "X86"
    name = default_model(parsed)
    assert name == "tso"
    return summarise(parsed, model(name), make_engine(engine), Limits())


def two(left: str, right: str, final: str, initial: str = "") -> str:
    rows = zip(left.split(";"), right.split(";"), strict=True)
    code = "".join(f" {a} | {b} ;\n" for a, b in rows)
    return f"X86 t\n{{ {initial} }}\n P0 | P1 ;\n{code}{final}\n"


@pytest.mark.parametrize(
    ("code", "final"),
    [("INC [x]", 1), ("ADD [x],$1", 1), ("XADD [x],EBX", 1), ("CMPXCHG [x],EBX", 1)],
)
def test_only_locked_instructions_are_atomic(code: str, final: int) -> None:
    """Both threads may read 0 and so lose one of the two additions, or both compare-exchanges
    succeed."""
    state = "0:EBX=1; 1:EBX=1;"
    if code.startswith("CMPXCHG"):
        jump = f"{code}; JNE L; MOV ECX,$1; L:"
        question = "exists (0:ECX=1 /\\ 1:ECX=1)"
    else:
        jump, question = code, f"exists (x={final})"
    for engine in ("rsmc", "enumerate"):
        plain = two(jump, jump, question, state)
        assert run(plain, engine).observation == "Sometimes"
        assert run(plain.replace(code, f"LOCK {code}"), engine).observation == "Never"


STORE_BUFFERING = "exists (0:ECX=0 /\\ 1:ECX=0)"


@pytest.mark.parametrize(
    ("between", "observation"),
    [
        ("NOP", "Sometimes"),
        ("MFENCE", "Never"),
        ("SFENCE", "Sometimes"),
        ("LFENCE", "Sometimes"),
        ("XCHG [z],EDX", "Never"),
        ("LOCK INC [z]", "Never"),
        ("INC [z]", "Sometimes"),
        ("LOCK XADD [z],EDX", "Never"),
        ("LOCK CMPXCHG [z],EDX", "Never"),  # it stores, or another thread has changed z
        ("LOCK CMPXCHG [w],EDX", "Never"),  # w is 5 and EAX is 0: it never stores, and is a fence
        ("CMPXCHG [w],EDX", "Sometimes"),
    ],
)
def test_store_buffering(between: str, observation: str) -> None:
    left = f"MOV [x],$1; {between}; MOV ECX,[y]"
    right = f"MOV [y],$1; {between}; MOV ECX,[x]"
    text = two(left, right, STORE_BUFFERING, "w=5; 0:EDX=7; 1:EDX=8;")
    for engine in ("rsmc", "enumerate"):
        assert run(text, engine).observation == observation


@pytest.mark.parametrize(("tag", "observation"), [("", "Sometimes"), ("@lock", "Never")])
@pytest.mark.parametrize("name", ["tso", "pso"])
def test_a_cas_that_fails_is_a_fence_if_locked(name: str, tag: str, observation: str) -> None:
    """`w` is 5: neither compare-and-swap stores."""
    text = (
        f"x = 0; y = 0; w = 5\nthread P: x := 1; cas(w, 0, 1) {tag}; r := y;\n"
        f"thread Q: y := 1; cas(w, 0, 1) {tag}; r := x;\nexists (P:r = 0 /\\ Q:r = 0)"
    )
    parsed = parse_program(Source("t.prog", text))
    for engine in ("rsmc", "enumerate"):
        result = summarise(parsed, model(name), make_engine(engine), Limits())
        assert result.observation == observation


def test_refusals() -> None:
    assert "unsupported instruction `movnti`" in refusal("X86", "movnti [x],EAX")
    assert "operands of different widths" in refusal("X86", "MOV EAX,BL")
    assert "LOCK without a memory operand" in refusal("X86", "LOCK INC EAX")
    assert "two memory operands" in refusal("X86", "XCHG [x],[y]")
    assert "unsupported instruction" in refusal("X86", "MOV [x],[y]")
    assert "unsupported instruction" in refusal("X86", "MOV RAX,$1")
    assert "unsupported instruction" in refusal("X86_64", "movl (x),$1")
    assert "expected memory and a register" in refusal("X86", "XADD EAX,EBX")
    mixed = refusal("X86", "MOV AL,[x]; MOV EAX,[x]")
    assert "mixed sizes are not supported" in mixed
