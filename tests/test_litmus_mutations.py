"""Damaged litmus tests end to end: an input error or a run that ends in its time, never anything
else.

HYBRID_MUTATIONS=10000 runs that many; HYBRID_CORPUS=FOLDER damages the tests below that folder
instead of ours. The seed is fixed.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from test_mutations import damage

from hybrid.api.verify_file import Verifier, VerifyWork
from hybrid.batch.done import ANSWERED, BUG, FAULTY, TIMED_OUT, UNSUPPORTED
from hybrid.batch.explore import Explorer, Exploring
from hybrid.batch.models import Models, Unnamed
from hybrid.catalogue.choice import AUTO
from hybrid.data import bundled
from hybrid.engine.configuration import Configuration
from hybrid.report.herd import HerdFormat

pytestmark = pytest.mark.sample(2)

COUNT = int(os.environ.get("HYBRID_MUTATIONS", "240"))
CORPUS = os.environ.get("HYBRID_CORPUS", "")
PARTS = 4
SEED = 4
SECONDS = 2.0  # the time limit of a test
SLACK = 3.0  # on a busy machine

OWN = (
    r"""PPC mp+lwsync+ctrl
"Rfe DpCtrldR Fre"
Cycle=Rfe
{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; int z[2]={1,2}; }
 P0           | P1             ;
 li r1,1      | lwz r1,0(r2)   ;
 stw r1,0(r2) | cmpwi r1,1     ;
 lwsync       | bne L0         ;
 li r3,2      | L0:            ;
 stw r3,0(r4) | lwzx r3,r0,r4  ;
locations [z[0]; 1:r3]
exists (1:r1=2 /\ ~(1:r3=1 \/ x=0))
""",
    r"""X86 sb+xchg
{ int x=1; }
 P0          | P1            ;
 MOV [x],$1  | XCHG [y],EAX  ;
 MFENCE      | (* nothing *) ;
 MOV EAX,[y] | MOV EBX,[x]   ;
~exists (0:EAX=0 /\ 1:EBX=0)
""",
    r"""AArch64 lb+cas
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; uint64_t x; }
 P0           | P1              ;
 LDR X0,[X1]  | LDXR X0,[X1]    ;
 CBNZ X0,L    | EOR X4,X0,X0    ;
 L:           | ADD X4,X4,#1    ;
 MOV X2,#1    | STXR W5,X4,[X1] ;
 STLR X2,[X3] | DMB SY          ;
 ISB          | LDAR X6,[X3]    ;
exists (0:X0=1 /\ 1:X6=1)
""",
    r"""RISCV sb+amo
{ 0:x6=x; 0:x8=y; 1:x6=y; 1:x8=x; }
 P0             | P1                   ;
 ori x5,x0,1    | amoswap.w x5,x7,(x6) ;
 sw x5,0(x6)    | lr.w x9,0(x8)        ;
 fence rw,rw    | sc.w x10,x9,0(x8)    ;
 lw x7,0(x8)    | bne x9,x0,L0         ;
 xor x9,x7,x7   | L0:                  ;
filter (0:x9=0)
forall (0:x7=0 \/ 1:x9=1)
""",
    r"""C mp+rel+acq
{ [y]=0; }
P0 (int* x, atomic_int* y) {
  *x = 1; // the message
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (int* x, atomic_int* y) {
  int r1 = -1; int one = 1;
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  if (r0 == 1) { r1 = *x; } else { atomic_fetch_add(y, 2); }
  while (r0 > 5) { r0 = atomic_compare_exchange_strong(y, &one, 3); }
  atomic_thread_fence(memory_order_seq_cst);
}
exists (1:r0=1 /\ 1:r1=0)
""",
)


def texts() -> list[bytes]:
    if not CORPUS:
        bundle = [path.read_bytes() for path in sorted(bundled("litmus").rglob("*.litmus"))[::40]]
        return [text.encode() for text in OWN] + bundle
    found = [path.read_bytes() for path in sorted(Path(CORPUS).rglob("*.litmus"))]
    assert found, f"no litmus tests below {CORPUS}"
    return found


def runner() -> VerifyWork:
    asked = Exploring(Configuration(AUTO, unroll=2), seconds=SECONDS, max_traces=30)
    return VerifyWork(Verifier(Explorer(asked), Models(None, Unnamed.OWN), (), HerdFormat()))


@pytest.mark.parametrize("text", OWN, ids=lambda text: text.split()[0])
def test_undamaged_tests_are_valid(text: str, tmp_path: Path) -> None:
    path = tmp_path / "whole.litmus"
    path.write_text(text)
    (done,) = runner()(path)
    assert (done.complaint, done.end) == ("", ANSWERED)


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_litmus_tests(part: int, tmp_path: Path) -> None:
    whole, run = texts(), runner()
    path = tmp_path / "damaged.litmus"
    ends: dict[str, int] = {}
    for number in range(part, COUNT, PARTS):
        rng = random.Random(f"{SEED}/litmus/{number}")
        path.write_bytes(damage(rng.choice(whole), rng))
        start = time.monotonic()
        (done,) = run(path)
        seconds = time.monotonic() - start
        told = f"mutation {number}: {done.complaint}\n{path.read_bytes()!r}"
        assert done.end != BUG, told
        assert seconds < SECONDS + SLACK, told
        assert "out of stack" not in done.row.partial, told
        if done.end in (FAULTY, UNSUPPORTED):
            assert "damaged.litmus" in done.complaint, told
        ends[done.end] = ends.get(done.end, 0) + 1
    if COUNT >= 100:
        assert ends.get(ANSWERED, 0) and ends.get(FAULTY, 0)
        assert ends.get(TIMED_OUT, 0) < COUNT / PARTS / 2
