"""What files of long-lived collections are like: registers with names of the test's own, old
conditions, odd header lines, Latin-1."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import model

from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.errors import InputError, Unsupported
from hybrid.frontend.litmus.reader import read_litmus
from hybrid.frontend.load import load_program, parse_litmus
from hybrid.program.program import Program
from hybrid.report.summary import summarise
from hybrid.source import Source


def parse(text: str) -> Program:
    return parse_litmus(Source("test.litmus", text))


def states(program: Program) -> set[tuple[int, ...]]:
    """The final values of the terms, under sc."""
    traces = Enumerate().explore(program, model("sc"), Limits())
    return {tuple(trace.value_of(term) for term in program.terms) for trace in traces}


# Registers that the test names

NAMED = {
    "PPC": ("li %one,1 ; stw %one,0(%p) ; lwz %got,0(%p)", "%p", "%got"),
    "RISCV": ("li %one,1 ; sw %one,0(%p) ; lw %got,0(%p)", "%p", "%got"),
    "ARM": ("MOV %one,#1 ; STR %one,[%p] ; LDR %got,[%p]", "%p", "%got"),
    "AArch64": ("MOV W%one,#1 ; STR W%one,[X%p] ; LDR W%got,[%p]", "X%p", "X%got"),
}


@pytest.mark.parametrize("arch", NAMED)
@pytest.mark.parametrize("thread", ["0:", "P0:", ""])
def test_registers_may_have_names_of_the_tests_own(arch: str, thread: str) -> None:
    code, pointer, got = NAMED[arch]
    program = parse(
        f"{arch} t\n{{ {thread}{pointer}=x; x=5; }}\n P0 ;\n {code} ;\nexists (0:{got}=1 /\\ x=1)"
    )
    assert states(program) == {(1, 1)}


def test_a_named_register_without_a_thread_starts_in_the_threads_that_use_it() -> None:
    program = parse(
        "PPC t\n{ %a=x; uint64_t %b=7; }\n P0 | P1 | P2 ;\n"
        " lwz r1,0(%a) | mr r1,%b | lwz r1,0(%a) ;\n | | mr r2,%b ;\nexists (1:r1=7)"
    )
    x = program.locations[0].address
    assert [dict(thread.initial) for thread in program.threads] == [
        {"%a": x},
        {"%b": 7},
        {"%a": x, "%b": 7},
    ]


def test_a_wide_named_register_is_compared_with_all_its_bits() -> None:
    text = "PPC t\n{{ {type} %b=0xffffffff; }}\n P0 ;\n mr r1,%b ;\nforall (0:%b=-1)"
    wide = parse(text.format(type="uint64_t")).condition
    narrow = parse(text.format(type="int")).condition
    assert str(wide.formula) != str(narrow.formula)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("%a=x; %a=y;", "two initial values"),
        ("0:%a=x; %a=y;", "two initial values"),
        ("%a[1]=x;", "is a register"),
        ("x=%a;", "is a register"),
        ("X%a=x;", "is not a register"),
    ],
)
def test_named_registers_in_wrong_places(state: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse(f"PPC t\n{{ {state} }}\n P0 ;\n lwz r1,0(%a) ;\nexists (x=1)")


def test_a_named_register_needs_its_thread_in_the_condition() -> None:
    with pytest.raises(InputError, match="is a register"):
        parse("PPC t\n{}\n P0 ;\n li %a,1 ;\nexists (%a=1)")


def test_c_has_no_named_registers() -> None:
    with pytest.raises(InputError, match="`%a` is not a variable"):
        parse("C t\n{ %a=x; }\nP0 (int *x) { *x = 1; }\nexists (x=1)")


# Mnemonics, labels


@pytest.mark.parametrize(
    ("arch", "code"),
    [
        ("RISCV", "ORI x5,x0,3 ; MV x6,x5 ; J Out ; li x6,1 ; Out:"),
        ("PPC", "LI r6,3 ; B Out ; li r6,1 ; Out:"),
        ("X86", "mov eax,3 ; Jmp Out ; MOV EAX,$1 ; Out:"),
        ("AArch64", "mov w6,#3 ; b Out ; MOV W6,#1 ; Out:"),
    ],
)
def test_mnemonics_in_capitals_or_not(arch: str, code: str) -> None:
    register = {"RISCV": "x6", "PPC": "r6", "X86": "EAX", "AArch64": "X6"}[arch]
    program = parse(f"{arch} t\n{{}}\n P0 ;\n {code} ;\nlocations [0:{register};]")
    assert states(program) == {(3,)}


def test_labels_with_dashes_and_slashes() -> None:
    program = parse(
        "AArch64 t\n{}\n P0 ;\n B L-1/2 ;\n MOV W0,#1 ;\n L-1/2: MOV W1,#1 ;\n"
        "locations [0:X0; 0:X1;]"
    )
    assert states(program) == {(0, 1)}


@pytest.mark.parametrize(("name", "taken"), [("BEQ", True), ("BNE", False), ("BLT", False)])
def test_branches_of_a64_without_a_dot(name: str, taken: bool) -> None:
    program = parse(
        f"AArch64 t\n{{}}\n P0 ;\n CMP W0,#0 ;\n {name} L ;\n MOV W0,#1 ;\n L: ;\nlocations [0:X0;]"
    )
    assert states(program) == {(0 if taken else 1,)}


# Conditions


@pytest.mark.parametrize("word", ["observed", "Observed"])
def test_observed_states(word: str) -> None:
    program = parse(
        "X86 t\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\n"
        f"{word}\n 1:EAX=0; x=1; and 1:EAX=1; x=0;\n"
    )
    result = summarise(program, model("sc"), Enumerate(), Limits())
    assert (result.satisfying, result.traces) == (1, 2)


def test_observed_states_need_semicolons() -> None:
    with pytest.raises(InputError, match="expected `;`"):
        parse("X86 t\n{}\n P0 ;\n MOV [x],$1 ;\nobserved x=1")


# Lines before the state, threads, text


def test_keys_with_dots_and_slashes() -> None:
    test = read_litmus(Source("t.litmus", "PPC t\nA.b/c-d=x {y}\nPlain=1\n{ x=2; }\n P0 ;\n"))
    assert dict(test.meta) == {"A.b/c-d": "x {y}", "Plain": "1"}
    assert len(test.initial) == 1


@pytest.mark.parametrize("head", ["P0.F", "P0@cta 0", "P1 @ (0,1)"])
def test_threads_of_other_kinds_are_unsupported(head: str) -> None:
    with pytest.raises(Unsupported) as caught:
        parse(f"AArch64 t\n{{}}\n P0 | {head} ;\n NOP | NOP ;\n")
    assert f"unsupported thread `{head}`" in caught.value.render()


def test_latin_1_in_comments(tmp_path: Path) -> None:
    path = tmp_path / "old.litmus"
    path.write_bytes("PPC t\r\n(* déjà vu *)\r\n{ 0:r2=x; }\r\n P0 ;\r\n".encode("latin-1"))
    path.write_bytes(path.read_bytes() + b" li r1,1 ;\r\n stw r1,0(r2) ;\r\nexists (x=1)")
    assert states(load_program(path)) == {(1,)}


# Parts of locations

MIXED = {
    "second half": ("x=0;", "LDRH W0,[X1] ; STRH W0,[X1,#2]", "from byte 2 on"),
    "register offset": ("0:X2=1;", "LDRB W0,[X1] ; STRB W0,[X1,X2]", "from byte 1 on"),
    "behind an int": ("int x;", "LDR W0,[X1] ; STR W0,[X1,#4]", "from byte 4 on"),
    "pair": ("", "LDP W0,W2,[X1]", "from byte 4 on"),
    "within a cell": ("int16_t x[2];", "LDRH W0,[X1,#1]", "from byte 1 on"),
    "wide value": ("x=0x101;", "LDRB W0,[X1]", "accesses of 8 bits"),
}


@pytest.mark.parametrize("case", MIXED)
def test_accesses_to_parts_of_locations_are_refused(case: str) -> None:
    state, code, said = MIXED[case]
    with pytest.raises(Unsupported) as caught:
        parse(f"AArch64 t\n{{ {state} 0:X1=x; }}\n P0 ;\n {code} ;\n")
    shown = caught.value.render()
    assert said in shown
    assert "mixed sizes are not supported" in shown


def test_cells_and_bytes_that_are_no_parts() -> None:
    program = parse(
        "AArch64 t\n{ int a[2]={1,2}; y=0x81; 0:X1=a; 0:X2=y; }\n P0 ;\n"
        " LDP W3,W4,[X1] ;\n LDRB W5,[X2] ;\nlocations [0:X3; 0:X4; 0:X5;]"
    )
    assert states(program) == {(1, 2, 0x81)}


@pytest.mark.parametrize(
    "prose",
    ['"a text', 'it says "so', "(* a comment", "it (* goes on", '"closed" and "open', '(* "'],
)
def test_prose_may_have_quotes_and_comments_that_are_never_closed(prose: str) -> None:
    text = f"PPC t\n{prose}\nOrig=a\n{{ 0:r1=x; }}\n P0 ;\n lwz r2,0(r1) ; (* fine *)\nexists (x=0)"
    program = parse(text)
    assert program.meta["Orig"] == "a"
    assert len(program.threads[0].code) == 1


def test_texts_and_comments_of_several_lines() -> None:
    test = read_litmus(Source("t", 'PPC t\n"one\n two" (* three\n {} (* four *) *)\n{}\n P0 ;\n'))
    assert test.doc == "one two" and not test.notes and not test.initial


@pytest.mark.parametrize(
    "type_", ["atomic_intptr_t", "atomic_uintptr_t", "atomic_size_t", "ptrdiff_t"]
)
def test_types_as_wide_as_pointers(type_: str) -> None:
    call = "atomic_store(x, 1L << 40)" if type_.startswith("atomic") else "*x = 1L << 40"
    program = parse(f"C t\n{{}}\nP0 ({type_}* x) {{ {call}; }}\nlocations [x;]")
    assert states(program) == {(1 << 40,)}
