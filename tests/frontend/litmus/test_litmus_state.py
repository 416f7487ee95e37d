"""What names mean: addresses, arrays, types, widths; extensions that are dropped; terms,
conditions, loading."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest
from support import make_engine, model

from hybrid.engine.api import Limits
from hybrid.errors import InputError, Unsupported
from hybrid.frontend.litmus.widths import Widths
from hybrid.frontend.load import ARCHITECTURES, default_model, load_program, parse_litmus
from hybrid.frontend.prog import parse_program
from hybrid.frontend.prog_print import print_program
from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program import values
from hybrid.program.condition import show
from hybrid.program.memory import FIRST, GAP, STEP
from hybrid.program.program import Program
from hybrid.report.result import Result
from hybrid.report.summary import summarise
from hybrid.source import Source
from hybrid.verdict import Verdict


def ppc(state: str, code: str = "nop", final: str = "") -> Program:
    rows = "".join(f" {row} ;\n" for row in code.split(";"))
    return parse_litmus(Source("t.litmus", f"PPC t\n{{ {state} }}\n P0 ;\n{rows}{final}"))


def run(program: Program) -> Result:
    return summarise(program, model("power"), make_engine("rsmc"), Limits())


# Memory


def test_addresses_lie_apart() -> None:
    program = ppc("x=1; uint64_t y; int a[20]={" + ",".join("7" * 20) + "}; z=2;")
    places = {location.name: location for location in program.locations}
    assert places["x"].address == FIRST
    assert places["y"].address == FIRST + GAP + STEP
    assert places["a[1]"].address - places["a[0]"].address == 4
    assert places["z"].address >= places["a[19]"].address + 4 + GAP
    assert (places["x"].initial, places["y"].initial, places["a[19]"].initial) == (1, 0, 7)


def test_locations_begin_where_they_are_named() -> None:
    program = ppc("0:r1=p; int *q=&s; %a=u; v;", "nop", "locations [u;]\nexists (v=0 /\\ 0:r2=p)")
    assert [location.name for location in program.locations] == ["q", "v", "s", "p", "u"]
    assert program.by_address[program.locations[0].initial].name == "s"
    text = "X86 t\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)"
    assert [place.name for place in parse_litmus(Source("t", text)).locations] == ["x"]


@pytest.mark.parametrize(
    "final",
    ["exists (z=0)", "exists (0:r1=z)", "forall ([z]=0)", "locations [z;]", "filter (z=1)"],
)
def test_the_final_part_names_no_new_location(final: str) -> None:
    texts = [
        f"PPC t\n{{ 0:r1=x; }}\n P0 ;\n nop ;\n{final}\n",
        f"X86 t\n{{ }}\n P0 ;\n MOV [x],$1 ;\n{final.replace('r1', 'AX')}\n",
        f"C t\n{{ }}\nP0 (int* x) {{ int r1 = *x; }}\n\n{final}\n",
    ]
    for text in texts:
        with pytest.raises(InputError) as caught:
            parse_litmus(Source("t.litmus", text))
        span = caught.value.span
        assert caught.value.message == "the test has no location `z`"
        assert "the initial state or the code" in caught.value.hint
        assert span is not None
        assert (span.line, span.column) == (5, final.index("z" if "[z]" not in final else "[z") + 1)
        for state in ("z; ", "int z=0; ", "int *p=z; "):  # declared, or named there
            parse_litmus(Source("t.litmus", text.replace("{ ", f"{{ {state}", 1)))


def test_no_condition_is_forall_true() -> None:
    """As in herd: every execution is as it should be, and the observation is Always."""
    result = run(ppc("0:r1=x;", "lwz r2,0(r1)", "locations [x;]"))
    assert (result.verdict, result.observation) == (Verdict.HOLDS, "Always")
    assert (result.satisfying, result.negative) == (1, 0)


def test_cells_by_arithmetic() -> None:
    """An index times the size of an int, added to an address."""
    program = ppc(
        "int a[3]={5,6,7}; 0:r1=a; 0:r2=&a[2];",
        "lwz r3,4(r1); lwz r4,-8(r2); lwz r5,0(r2)",
        "forall (0:r3=6 /\\ 0:r4=5 /\\ 0:r5=7 /\\ a={5,6,7} /\\ 0:r2=&a[2] /\\ 0:r1=a)",
    )
    assert run(program).observation == "Always"


def test_a_wrong_address_is_an_error_of_the_program() -> None:
    result = run(ppc("int a[2]; 0:r1=a;", "lwz r3,8(r1)", "exists (true)"))
    assert result.counters.errors == 1
    assert result.messages[0].endswith(": access to &a+8, which is past the end of a")


def test_pointers_in_memory() -> None:
    program = ppc(
        "int *p=&x; x=4; 0:r1=p;", "ld r2,0(r1); lwz r3,0(r2)", "forall (0:r3=4 /\\ 0:r2=x /\\ p=x)"
    )
    assert run(program).observation == "Always"


def test_narrow_values() -> None:
    """A location holds its value signed; conditions take either spelling."""
    program = ppc(
        "uint32_t x=0xffffffff; uint8_t b=200;", final="forall (x=0xffffffff /\\ x=-1 /\\ b=200)"
    )
    assert [location.initial for location in program.locations] == [-1, -56]
    assert run(program).observation == "Always"


@pytest.mark.parametrize(
    ("state", "condition", "holds"),
    [
        ("0:r1=-1;", "0:r1=-1", True),
        ("0:r1=0xffffffff;", "0:r1=-1", True),
        ("0:r1=0xffffffff;", "0:r1!=-1", False),
        ("0:r1=-1;", "0:r1=0xffffffff", True),
        ("uint64_t 0:r1=0xffffffff;", "0:r1=-1", False),
        ("uint64_t 0:r1=0xffffffff;", "0:r1=0xffffffff", True),
        ("0:r1=0x1ffffffff;", "0:r1=-1", False),
    ],
)
def test_registers_are_compared_as_ints(state: str, condition: str, holds: bool) -> None:
    result = run(ppc(state, final=f"exists ({condition})"))
    assert result.observation == ("Always" if holds else "Never")


# Widths


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("int x; 0:r1=x;", "ld r2,0(r1)"),
        ("uint64_t x; 0:r1=x;", "lwz r2,0(r1)"),
        ("0:r1=x;", "lwz r2,0(r1); std r2,0(r1)"),
        ("int a[2]; 0:r1=a;", "ld r2,0(r1)"),
        ("uint64_t x; 0:r1=x; 0:r3=y;", "lwz r4,0(r3); xor r5,r4,r4; lwzx r2,r5,r1"),
        ("int *p=&z; int8_t z; 0:r1=p;", "ld r2,0(r1); lwz r3,0(r2)"),
    ],
)
def test_mixed_sizes_are_refused(state: str, code: str) -> None:
    with pytest.raises(Unsupported, match=r"unsupported instruction .*bits") as caught:
        ppc(state, code)
    assert "mixed sizes" in caught.value.hint
    assert caught.value.span is not None


def test_a_location_without_a_type_is_as_wide_as_its_accesses() -> None:
    program = ppc("x=0x100000000; 0:r1=x;", "ld r2,0(r1)", "forall (0:r2=0x100000000)")
    assert run(program).observation == "Always"
    with pytest.raises(InputError, match="does not fit 32 bits"):
        ppc("x=0x100000000; 0:r1=x;", "lwz r2,0(r1)")


def extensions(program: Program) -> int:
    """How many `s32(…)` and the like are left."""
    found = 0
    for instruction in program.threads[0].code:
        if isinstance(instruction, ins.Assign | ins.Store):
            value = instruction.value
            found += isinstance(value, ex.Unary) and value.op in values.EXTENSIONS
    return found


@pytest.mark.parametrize(
    ("state", "code", "count"),
    [
        ("0:r1=x;", "lwz r2,0(r1); addi r2,r2,1; stw r2,0(r1)", 2),  # it may count up for ever
        ("0:r1=x; 0:r3=y;", "lwz r2,0(r1); addi r2,r2,1; stw r2,0(r3)", 0),
        ("0:r1=x;", "lwz r2,0(r1); xor r3,r2,r2; addi r3,r3,1; stw r3,0(r1)", 0),
        ("0:r1=x; x=-1;", "lwz r2,0(r1)", 1),
        ("0:r1=x; 0:r3=y;", "lwz r2,0(r1); neg r2,r2; stw r2,0(r3); lwz r2,0(r3)", 0),
        ("0:r1=x; 0:r3=y; x=1;", "lwz r2,0(r1); neg r2,r2; stw r2,0(r3); lwz r2,0(r3)", 1),
    ],
)
def test_extensions_that_change_nothing_are_dropped(state: str, code: str, count: int) -> None:
    assert extensions(ppc(state, code)) == count


def test_jumps_survive_what_is_dropped() -> None:
    program = ppc(
        "0:r1=x; 0:r2=y; x=1;",
        "lwz r3,0(r1); cmpwi r3,1; beq L; li r4,7; L: lwz r5,0(r2); addi r4,r4,1",
        "forall (0:r4=1)",
    )
    assert run(program).observation == "Always"
    labels = [i.label for i in program.threads[0].code]
    assert labels == [f"P0_{n}" for n in range(len(labels))]


# Terms


def test_terms_are_named_as_they_are_written() -> None:
    program = ppc("0:r1=1; x; y;", final="locations [x; 0:r7;]\nexists (P0:r1=1 /\\ [y]=0)")
    assert [term.name for term in program.terms] == ["0:r1", "y", "x", "0:r7"]
    result = run(program)
    assert list(result.outcomes) == [(1, 0, 0, 0)]


def test_filter_and_description() -> None:
    program = parse_litmus(
        Source("t", 'PPC t\n"Some words"\nCom=Rf\n{ x; }\n P0 ;\nfilter x=0\nforall (x=0)')
    )
    assert program.filter is not None
    assert show(program.filter) == "x=0"
    assert (program.description, program.arch, program.meta) == ("Some words", "PPC", {"Com": "Rf"})


def test_kinds_are_expectations() -> None:
    text = "PPC t\n{ x; }\n P0 ;\nfinal (x=1) with sc: ~exists; power: exists; default: exists"
    program = parse_litmus(Source("t", text))
    assert [(e.model, e.verdict) for e in program.expectations] == [
        ("sc", "FORBIDDEN"),
        ("power", "ALLOWED"),
    ]


def test_numbers_of_threads() -> None:
    text = (
        "PPC t\n{ 3:r1=4; }\n P3 | P1 ;\n li r2,1 | li r2,2 ;\n"
        "forall (3:r1=4 /\\ 3:r2=1 /\\ 1:r2=2)"
    )
    program = parse_litmus(Source("t", text))
    assert [thread.name for thread in program.threads] == ["P3", "P1"]
    assert run(program).observation == "Always"


# Loading


def test_by_extension(tmp_path: Path) -> None:
    litmus, prog = tmp_path / "a.litmus", tmp_path / "b.prog"
    litmus.write_text("X86 t\n{}\n P0 ;\n MOV [x],$1 ;\nforall x=1", encoding="utf-8")
    prog.write_text("x = 0\nthread P: x := 1;", encoding="utf-8")
    first, second = load_program(litmus), load_program(str(prog))
    assert (first.arch, default_model(first)) == ("X86", "tso")
    assert (second.arch, default_model(second)) == ("", None)
    (tmp_path / "c.txt").touch()
    with pytest.raises(InputError, match=r"of type '.txt'"):
        load_program(tmp_path / "c.txt")
    with pytest.raises(Unsupported, match="unsupported architecture `VAX`"):
        parse_litmus(Source("t", "VAX t\n{}\n P0 ;\n"))
    with pytest.raises(Unsupported, match="unsupported architecture `VAX`"):  # before all else
        parse_litmus(Source("t", "VAX t\n{ x=?; }\n code of another kind"))


def test_each_architecture_has_its_model() -> None:
    models = {name: known.model for name, known in ARCHITECTURES.items()}
    assert models["PPC"] == "power"
    assert models["X86"] == models["X86_64"] == "tso"
    for name, known in ARCHITECTURES.items():
        assert callable(known.compile), name
        assert model(known.model).name == known.model


def test_as_prog() -> None:
    """A litmus test, printed as .prog and read again, has as many traces."""
    program = ppc(
        "0:r1=x; 0:r2=y; int a[2]={1,2}; x=-1;",
        "lwz r3,0(r1); cmpwi r3,1; beq L; stw r3,0(r2); L: lwarx r4,r0,r1; stwcx. r4,r0,r1",
        "exists (0:r3=-1 /\\ y=-1)",
    )
    again = parse_program(Source("t.prog", print_program(program)))
    assert run(again).traces == run(program).traces == 2
    assert run(again).satisfying == run(program).satisfying == 2


INSTRUCTIONS = (
    *("lwz r{a},0(r8)", "lwz r{a},0(r9)", "stw r{a},0(r8)", "stw r{a},0(r9)") * 2,
    *("neg r{a},r{b}", "add r{a},r{b},r{c}", "subf r{a},r{b},r{c}", "xor r{a},r{b},r{c}"),
    *("and r{a},r{b},r{c}", "slwi r{a},r{b},31", "srwi r{a},r{b},1", "srawi r{a},r{b},1"),
    *("li r{a},1", "mullw r{a},r{b},r{c}", "extsw r{a},r{b}", "nor r{a},r{b},r{c}"),
)


def execute(program: Program) -> tuple[dict[str, int], dict[int, int]]:
    """Registers and memory after the only thread has run alone."""
    memory = {location.address: location.initial for location in program.locations}
    (thread,) = program.threads
    registers = defaultdict(int, thread.initial)
    at = 0
    while at < len(thread.code):
        instruction = thread.code[at]
        at += 1
        if isinstance(instruction, ins.Assign):
            registers[instruction.register] = ex.evaluate(instruction.value, registers)
        elif isinstance(instruction, ins.Load):
            assert instruction.register is not None
            registers[instruction.register] = memory[ex.evaluate(instruction.address, registers)]
        elif isinstance(instruction, ins.Store):
            address = ex.evaluate(instruction.address, registers)
            memory[address] = ex.evaluate(instruction.value, registers)
        else:
            assert isinstance(instruction, ins.Branch)
            if ex.evaluate(instruction.condition, registers):
                at = instruction.target
    return registers, memory


def random_code(rng: random.Random) -> str:
    def lines(count: int) -> list[str]:
        names = [{name: rng.randint(1, 3) for name in "abc"} for _ in range(count)]
        return [rng.choice(INSTRUCTIONS).format(**chosen) for chosen in names]

    jump = [f"{rng.choice(('cmpw', 'cmplw'))} r1,r2", f"{rng.choice(('blt', 'bge'))} L"]
    return "; ".join([*lines(8), *jump, *lines(4), "L:", *lines(4)])


@pytest.mark.large
def test_what_is_dropped_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random code with and without the extensions that seem needless does the same."""
    rng = random.Random(1)
    cases: list[tuple[str, str]] = []
    for _ in range(250):
        first, second = (rng.choice([0, 1, 5, 2**31 - 1, -1]) for _ in range(2))
        cases.append((f"0:r8=x; 0:r9=y; x={first}; y={second};", random_code(rng)))
    short = [ppc(*case) for case in cases]
    monkeypatch.setattr(Widths, "_drop", lambda _, __, expression: expression)
    long = [ppc(*case) for case in cases]
    dropped = 0
    for case, one, other in zip(cases, short, long, strict=True):
        assert execute(one) == execute(other), case
        dropped += extensions(other) - extensions(one)
    assert dropped > 300
