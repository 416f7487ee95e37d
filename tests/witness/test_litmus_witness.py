"""Witnesses of litmus tests speak the language of the test."""

from __future__ import annotations

from pathlib import Path

from support import model

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.frontend.load import load_program
from hybrid.witness.text import trace_text

TEST = """PPC SB
{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }
 P0           | P1           ;
 li r1,1      | li r1,1      ;
 stw r1,0(r2) | stw r1,0(r2) ;
 lwz r3,0(r4) | lwz  r3,0(r4) ;
exists (0:r3=0 /\\ 1:r3=0)
"""


def test_instructions_as_written_and_addresses_by_name(tmp_path: Path) -> None:
    path = tmp_path / "SB.litmus"
    path.write_text(TEST)
    trace = next(iter(Enumerate().explore(load_program(path), model("power"), Limits())))
    text = trace_text(trace.data())
    assert "P0_1: stw r1,0(r2)  W x = 1" in text
    assert "P1_2: lwz r3,0(r4)  R x" in text
    assert "final P0      r1 = 1, r2 = &x, r3 =" in text
    assert "final memory  x = 1, y = 1" in text
