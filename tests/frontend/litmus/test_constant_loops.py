"""Loops on constants in every dialect: they run to their end, whatever the bound is."""

from __future__ import annotations

import pytest
from support import make_engine, model

from hybrid.bmc.engine import Bmc
from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.frontend.load import default_model, parse_litmus
from hybrid.report.summary import summarise
from hybrid.source import Source
from hybrid.verdict import Verdict

TESTS = {
    "AArch64": """AArch64 loop
{0:X1=x; 1:X1=x;}
 P0              | P1          ;
 MOV W0,#10      | LDR W0,[X1] ;
 L0:             |             ;
 SUB W0,W0,#1    |             ;
 CBNZ W0,L0      |             ;
 MOV W2,#1       |             ;
 STR W2,[X1]     |             ;
exists (1:X0=1 /\\ 0:X0=0)""",
    "PPC": """PPC loop
{0:r1=x; 1:r1=x;}
 P0            | P1          ;
 li r3,10      | lwz r0,0(r1) ;
 L0:           |             ;
 addi r3,r3,-1 |             ;
 cmpwi r3,0    |             ;
 bne L0        |             ;
 li r2,1       |             ;
 stw r2,0(r1)  |             ;
exists (1:r0=1 /\\ 0:r3=0)""",
    "RISCV": """RISCV loop
{0:x6=x; 1:x6=x;}
 P0            | P1          ;
 ori x5,x0,10  | lw x5,0(x6) ;
 L0:           |             ;
 addi x5,x5,-1 |             ;
 bne x5,x0,L0  |             ;
 ori x7,x0,1   |             ;
 sw x7,0(x6)   |             ;
exists (1:x5=1 /\\ 0:x5=0)""",
    "X86": """X86 loop
{}
 P0           | P1         ;
 MOV EAX,$10  | MOV EAX,[x];
 L0:          |            ;
 SUB EAX,$1   |            ;
 CMP EAX,$0   |            ;
 JNE L0       |            ;
 MOV [x],$1   |            ;
exists (1:EAX=1 /\\ 0:EAX=0)""",
    "C": """C loop
{}
P0 (atomic_int* x) {
  int s = 0;
  for (int i = 0; i < 10; i++) s += i;
  if (s == 45) atomic_store_explicit(x, 1, memory_order_relaxed);
}
P1 (atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1)""",
}
ENGINES = {
    "enumerate": Enumerate,
    "rsmc": lambda: make_engine("rsmc"),
    "bmc": lambda: Bmc("sat"),
}


@pytest.mark.parametrize("unroll", [0, 2, 5])
@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("arch", TESTS)
def test_the_loop_runs_to_its_end(arch: str, name: str, unroll: int) -> None:
    program = parse_litmus(Source(f"{arch}.litmus", TESTS[arch]))
    engine: Engine = ENGINES[name]()
    result = summarise(program, model(default_model(program)), engine, Limits(unroll))
    assert result.answer is Verdict.ALLOWED
    assert (result.traces, result.counters.cut) == (2, 0)
    bounded = summarise(
        program, model(default_model(program)), ENGINES[name](), Limits(unroll, max_steps=9)
    )
    assert (bounded.traces, bounded.answer) == (0, Verdict.BOUNDED)
    assert "--max-steps 9" in bounded.messages[0]
