"""Litmus tests of the command line's tests, one or two an architecture."""

from __future__ import annotations

from pathlib import Path

LITMUS = {
    "MP": r"""PPC MP
"a message without fences"
Hash=0123456789abcdef0123456789abcdef
{
0:r2=x; 0:r4=y;
1:r2=y; 1:r4=x;
}
 P0           | P1           ;
 li r1,1      | lwz r1,0(r2) ;
 stw r1,0(r2) | lwz r3,0(r4) ;
 li r3,1      |              ;
 stw r3,0(r4) |              ;
exists (1:r1=1 /\ 1:r3=0)
""",
    "claim": r"""PPC claim
{
0:r2=x; 0:r4=y; 1:r2=x; 1:r4=y; x=3;
}
 P0           | P1           ;
 li r1,1      | lwz r1,0(r2) ;
 stw r1,0(r2) | stw r1,0(r4) ;
locations [x; y; 1:r1]
~exists (1:r1=3 /\ y=3)
""",
    "SB": r"""X86 SB
{ }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
forall (0:EAX=1 \/ 1:EAX=1)
""",
    "SB+dmbs": r"""AArch64 SB+dmbs
{
0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x;
}
 P0          | P1          ;
 MOV W0,#1   | MOV W0,#1   ;
 STR W0,[X1] | STR W0,[X1] ;
 DMB SY      | DMB SY      ;
 LDR W2,[X3] | LDR W2,[X3] ;
exists (0:X2=0 /\ 1:X2=0)
""",
    "LB": r"""RISCV LB
{
0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x;
}
 P0           | P1           ;
 lw x5,0(x6)  | lw x5,0(x6)  ;
 ori x7,x0,1  | ori x7,x0,1  ;
 sw x7,0(x8)  | sw x7,0(x8)  ;
exists (0:x5=1 /\ 1:x5=1)
""",
    "race": r"""C race
{ }
P0 (int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1 (int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  if (r0) {
    int r1 = *x;
  }
}
exists (1:r0=1)
""",
    "pointer": r"""PPC pointer
{
x=y; 0:r2=x;
}
 P0           ;
 lwz r1,0(r2) ;
exists (0:r1=y)
""",
    "strange": r"""PPC strange
{
0:r2=x;
}
 P0           ;
 lfd f1,0(r2) ;
exists (x=1)
""",
    "broken": "PPC broken\n{ 0:r2=x; \n P0 ;\n nop ;\nexists (x=1)\n",
}


def write_litmus(folder: Path, *names: str) -> list[str]:
    """The named tests as files in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name in names:
        path = folder / f"{name}.litmus"
        path.write_text(LITMUS[name], encoding="utf-8")
        found.append(str(path))
    return found
