"""`--format herd`: what herd prints, construct by construct (golden); no `Ok` for a test that
errs."""

from __future__ import annotations

import pytest
from cli_helpers import Hybrid, Run
from golden_files import check_golden

# One test each; what it is about is in its name.
TESTS = {
    "arrays": r"""PPC arrays
        { int x[2]={1,2}; int y[3]; int z[2]; 0:r1=x; 0:r2=z; 0:r3=7; }
         P0           ;
         stw r3,4(r1) ;
         stw r3,4(r2) ;
        locations [x; z[1];]
        exists (x={1,7} /\ y[2]=0)
        """,
    "a_cell_and_its_array": r"""PPC cells
        { int x[2]={1,-2}; }
         P0  ;
         nop ;
        locations [x;]
        forall (x[1]=-2)
        """,
    "pointers": r"""AArch64 pointers
        { int x[2]={1,2}; int *p=&x[1]; int *q=y; uint64_t 0:X7; 0:X1=x; }
         P0           ;
         ADD X2,X1,#4 ;
         ADD X3,X1,#8 ;
         MOV X4,X1    ;
        locations [p; q; 0:X7; 0:X4;]
        exists (0:X2=&x[1] /\ 0:X3=x+8 /\ p=x+4 /\ q=y)
        """,
    "signs": r"""AArch64 signs
        { uint8_t a=200; int8_t b=200; uint16_t c=-1; int16_t d=-1; uint32_t e=-1;
          int f=-1; uint64_t g=-1; int64_t h=-1; i=-1;
          uint32_t 0:X6=0xffffffff; uint64_t 0:X7=-1; int64_t 0:X8=-1; }
         P0         ;
         MVN W0,WZR ;
         MVN X1,XZR ;
         MOV X2,#1  ;
         LSL X3,X2,#40 ;
        locations [a; b; c; d; e; f; g; h; i; 0:X0; 0:X1; 0:X3; 0:X6; 0:X7; 0:X8;]
        exists (a=200 /\ 0:X0=-1 /\ f=0xffffffff /\ e=0xffffffff /\ 0:X7=0xffffffffffffffff)
        """,
    "signs_in_c": r"""C signs
        { uint8_t x=255; int y=-1; }
        P0 (uint8_t* x, int* y) {
          uint8_t r0 = *x;
          int r1 = *y;
          unsigned int r2 = *y;
          uint64_t r3 = 0 - 1;
          int8_t r4 = -2;
        }
        locations [x; y; 0:r2; 0:r3; 0:r4;]
        exists (0:r0=255 /\ 0:r1=-1)
        """,
    "registers_of_x86": r"""X86_64 registers
        { }
         P0            | P1            ;
         movl $1,(x)   | movl $1,(y)   ;
         movl (y),%eax | movl (x),%ebx ;
                       | movl $3,%ebp  ;
                       | movl $4,%esi  ;
        locations [1:ebp; 1:rsi;]
        exists (0:eax=0 /\ 1:RBX=0)
        """,
    "registers_of_riscv": r"""RISCV registers
        { 0:a1=x; 1:x6=x; }
         P0          | P1          ;
         li a0,1     | lw t0,0(x6) ;
         sw a0,0(a1) | lw x7,0(x6) ;
        exists (0:a0=1 /\ 1:x5=1 /\ 1:t2=0)
        """,
    "registers_of_aarch64": r"""AArch64 registers
        { 0:X1=x; 1:X1=x; }
         P0          | P1          ;
         MOV W0,#1   | LDR W2,[X1] ;
         STR W0,[X1] | LDR W11,[X1] ;
        exists (1:W2=1 /\ 1:X11=0 /\ P0:w0=1)
        """,
    "conditions": r"""PPC conditions
        { x=0; y=0; }
         P0  ;
         nop ;
        exists (((x=0)) /\ (y=0 \/ 0:r1=1) \/ ~(x=1 /\ y = 2)
          /\ (x=1 => y=1 => 0:r1=0x10) /\ (true \/ x<>3))
        """,
    "negations": r"""PPC negations
        { x=0; y=0; }
         P0  ;
         nop ;
        ~exists (not x=1 /\ (x=0 /\ y=0) /\ not (false))
        """,
    "no_condition": r"""PPC none
        { x=3; 0:r1=x; }
         P0           ;
         lwz r2,0(r1) ;
        locations [0:r2; x;]
        """,
    "threads": r"""PPC threads
        { 3:r10=1; 1:r9=1; x=1; }
         P3  | P1  ;
         nop | nop ;
        locations [x; 3:r10; 3:r9; 1:r9;]
        exists (3:r9=0)
        """,
}


def herd(hybrid: Hybrid, text: str, *options: str) -> Run:
    path = hybrid.folder / "t.litmus"
    path.write_text(
        "\n".join(line[8:] if line[:8].isspace() else line for line in text.split("\n"))
    )
    return hybrid("verify", str(path), "--format", "herd", *options)


@pytest.mark.parametrize("name", TESTS)
def test_constructs(name: str, hybrid: Hybrid) -> None:
    run = herd(hybrid, TESTS[name])
    assert run.code in (0, 1)
    check_golden(f"cli/herd_{name}.txt", run.out)


ASTRAY = r"""PPC astray
        { 0:r1=100; x=0; }
         P0           ;
         lwz r2,0(r1) ;
        QUANTIFIER
        """


@pytest.mark.parametrize("quantifier", ["exists (x=0)", "~exists (x=1)", "forall (x=0)", ""])
@pytest.mark.parametrize("engine", ["rsmc", "enumerate", "bmc"])
def test_errors_are_never_ok(quantifier: str, engine: str, hybrid: Hybrid) -> None:
    """Every execution has an access to no location: VIOLATED, whatever is asked."""
    run = herd(hybrid, ASTRAY.replace("QUANTIFIER", quantifier), "--engine", engine)
    assert run.code == 1
    lines = run.out.split("\n")
    assert lines[1:5] == ["States 0", "No", "Witnesses", "Positive: 0 Negative: 0"]
    assert "Observation astray Never 0 0" in lines


def test_some_errors_are_not_ok_either(hybrid: Hybrid) -> None:
    text = r"""PPC some
        { 0:r1=x; 1:r1=x; int x=0; }
         P0           | P1             ;
         lwz r2,0(r1) | li r3,100      ;
         cmpwi r2,0   | stw r3,0(r1)   ;
         beq L        |                ;
         lwz r4,0(r2) |                ;
         L:           |                ;
        exists (0:r2=0)
        """
    run = herd(hybrid, text)
    assert run.code == 1
    assert "\nNo\n" in run.out and "Observation some Always 1 0\n" in run.out


def test_asserts_that_fail_are_not_ok(hybrid: Hybrid) -> None:
    run = hybrid.on("verify", "assert_fails", "--model", "sc", "--format", "herd")
    assert (run.code, "\nNo\n" in run.out) == (1, True)


def test_the_condition_is_the_same_in_all_formats(hybrid: Hybrid) -> None:
    text = TESTS["conditions"]
    shown = next(
        line for line in herd(hybrid, text).out.split("\n") if line.startswith("Condition ")
    )
    assert shown in hybrid("verify", str(hybrid.folder / "t.litmus")).out.split("\n")
