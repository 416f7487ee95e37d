"""Loops to awaits and assumes: what becomes of them, and when an iteration is pure."""

from __future__ import annotations

import pytest

from hybrid.frontend.prog import parse_program
from hybrid.program.check import check_program
from hybrid.program.passes.pipeline import Eliminated, eliminate
from hybrid.program.passes.setting import Setting
from hybrid.program.show import show_instruction
from hybrid.source import Source

STRICT = Setting(dependencies=True, pairs=True, races=False)
FREE = Setting(dependencies=False, races=False)
ASSUMES = Setting(awaits=False, dependencies=False, races=False)


def eliminated(code: str, setting: Setting = FREE) -> Eliminated:
    text = f"x = 0; y = 0; z = 0; p = &x\nthread P: {code}\nthread Q: Q0: x := 1; Q1: y := 1;"
    found = eliminate(parse_program(Source("<t>", text)), setting)
    check_program(found.program)
    return found


def code_of(found: Eliminated) -> list[str]:
    code = found.program.threads[0].code
    return [f"{each.label}: {show_instruction(each, code)}" for each in code]


FIG6 = "do { A: a := x; B: b := y; C: if a = 4 { D: z := 1; } } while a >= 4;"
TTAS = "do { do { R: r := x; } while r != 0; X: a := xchg(x, 1); } while a != 0; U: x := 0;"
# by name: the code, the purity condition, what becomes of it where no model knows dependencies
CASES: dict[str, tuple[str, tuple[str, ...], list[str]]] = {
    "fig2": (
        "A: a := x; B: if a != 1 goto A; C: b := y;",
        ("a != 1",),
        ["A: a := await(x = 1)", "C: b := y"],
    ),
    "fig6": (
        FIG6,
        ("a > 4",),
        [
            "A: a := await(x <= 4)",
            "B: b := y",
            "C: if a != 4 goto P4",
            "D: z := 1",
            "P4: if a >= 4 goto A",
        ],
    ),
    "test and test and set": (
        TTAS,
        ("(a = 1) && (r = 0)", "r != 0"),
        [
            "R: r := await(x = 0)",
            "X: a := xchg(x, 1) await != 1 while (x = r)",
            "P3: if a != 0 goto R",
            "U: x := 0",
        ],
    ),
    "a failed cas": (
        "L: a, s := cas(x, 0, 1); B: if s = 0 goto L; U: x := 0;",
        ("s = 0",),
        ["L: a, s := cas(x, 0, 1) await = 0", "U: x := 0"],
    ),
    "a weak cas": (
        "L: a, s := cas_weak(x, 0, 1); B: if s = 0 goto L; U: x := 0;",
        ("s = 0",),
        ["L: a, s := cas(x, 0, 1) await = 0", "U: x := 0"],
    ),
    "a cas by what it reads": (
        "L: a := cas(x, 0, 1); B: if a != 0 goto L; U: x := 0;",
        ("a != 0",),
        ["L: a := cas(x, 0, 1) await = 0", "U: x := 0"],
    ),
    "an increment": (
        "L: a := x; C: b, s := cas(x, a, a + 1); B: if s = 0 goto L;",
        ("s = 0",),
        ["L: a := x", "C: b, s := cas(x, a, a + 1) await = a while (x = a)"],
    ),
    "a way out": (
        "do { A: a := x; B: if a = 1 goto E; C: b := y; } while b != 1; E: skip;",
        ("(b != 1) && (a != 1)",),
        ["A: a := x", "B: if a = 1 goto end", "C: b := await(y = 1) while (x = a)"],
    ),
    "a predicate": (
        "do { A: a := x; B: c := a & 1; } while c; D: b := y;",
        ("(a & 1) != 0",),
        ["A: a := await(x satisfies (_ & 1) = 0)", "B: c := a & 1", "D: b := y"],
    ),
    "two loads": (
        "do { A: a := x; B: b := y; } while a != 1 && b != 1; E: skip;",
        ("(a != 1) && (b != 1)",),
        ["A: a := x", "B: b := await(y satisfies (a = 1) || (_ = 1)) while (x = a)"],
    ),
    "a ticket": (
        "T: t := faa(y, 1); L: a := x; B: if a != t goto L; U: x := t + 1;",
        ("a != t",),
        ["T: t := faa(y, 1)", "L: a := await(x = t)", "U: x := t + 1"],
    ),
    "what comes behind goes": (
        "L: b := y; B: if b = 1 goto E; C: a := x; D: goto L; E: r := x;",
        ("b != 1",),
        ["L: b := await(y = 1)", "E: r := x"],
    ),
    "an assert": (
        "do { A: a := x; B: assert a != 3; } while a != 1;",
        ("((a <= 0) || (a = 2)) || (a > 3)",),
        [
            "A: a := await(x satisfies (_ = 1) || (_ = 3))",
            "B: assert a != 3",
            "P2: if a != 1 goto A",
        ],
    ),
    "a pointer": (
        "do { A: q := p; B: a := [q]; } while a != 1;",
        ("a != 1",),
        ["A: q := p", "B: a := await([q] = 1) while (p = q)"],
    ),
    "for ever": ("A: goto A;", ("always",), ["A_pure: assume 0 else wait"]),
    "for ever on memory": ("A: a := x; B: goto A;", ("always",), ["A_pure: assume 0 else wait"]),
    "a reservation": (
        "L: a := lr(x); S: s := sc(x, a + 1); B: if s goto L; E: b := y;",
        ("s = 1",),
        ["L: a := lr(x)", "S: s := sc(x, a + 1)", "B_pure: assume s != 1", "E: b := y"],
    ),
    "an exchange for the same": (
        "L: a := xchg(x, 2); B: if a != 0 goto L;",
        ("a = 2",),
        ["L: a := xchg(x, 2) await != 2", "B: if a != 0 goto L"],
    ),
    "an addition of nothing": (
        "L: a := faa(x, 0); B: if a != 1 goto L; C: b := y;",
        ("a != 1",),
        ["L: a := faa(x, 0) await = 1", "C: b := y"],
    ),
    "an addition of what was read": (
        "L: a := y; M: b := faa(x, a); B: if b = 0 goto L;",
        ("(b = 0) && (a = 0)",),
        [
            "L: a := y",
            "M: b := faa(x, a) await satisfies (_ != 0) || (a != 0) while (y = a)",
            "B: if b = 0 goto L",
        ],
    ),
    "ways that meet": (
        "L: a := x; if a = 0 goto M; b := 1; goto N; M: b := a; N: c := b + 1; "
        "if c = 1 goto L; E: y := 1;",
        ("a = 0",),
        ["L: a := await(x != 0)", "P2: b := 1", "N: c := b + 1", "E: y := 1"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_loops_become_awaits(name: str) -> None:
    code, condition, expected = CASES[name]
    found = eliminated(code)
    (report,) = found.reports
    assert report.condition == condition
    assert code_of(found) == expected


# by code: why its iterations stay
IMPURE = {
    "L: a := x; S: y := 1; B: if a = 0 goto L;": "S stores",
    "L: a := x; C: c := c + 1; B: if a = 0 goto L; D: y := c;": "c is used later",
    "L: a := xchg(x, 1); B: if a = 0 goto L;": "L stores something else",
    "L: faa(x, 1); A: a := y; B: if a = 0 goto L;": "L stores something else",
    "L: xchg(x, 1); A: a := y; B: if a = 0 goto L;": "what it has read is not kept",
    "L: a := lr(x); sc(x, 1); B: if a = 0 goto L;": "its status is not kept",
    "L: a, s := cas_weak(x, 0, 1); B: if a != 0 && s = 0 goto L;": "may fail for no reason",
    "A: a := x; M: b := y; S: z := b; if b = 0 goto M; C: c := x; if c = 0 goto M;": "S stores",
}


@pytest.mark.parametrize("code", IMPURE)
def test_other_loops_stay(code: str) -> None:
    found = eliminated(code)
    if not found.changed:
        assert (
            found.program.threads
            == parse_program(
                Source(
                    "<t>",
                    f"x = 0; y = 0; z = 0; p = &x\nthread P: {code}\n"
                    "thread Q: Q0: x := 1; Q1: y := 1;",
                )
            ).threads
        )
    assert any(IMPURE[code] in why for report in found.reports for why in report.reasons), [
        report.reasons for report in found.reports
    ]


def test_an_inner_loop_that_has_done_something() -> None:
    """That an iteration of the inner loop stores is not seen at the end of the outer one."""
    inner = "M: b := y; if b != 1 goto C; S: z := 5; goto M; "
    found = eliminated(f"A: a := z; {inner} C: c := x; if c != 0 goto A;")
    outer = found.reports[-1]
    assert outer.condition == ("(c != 0) && (b != 1)",)
    assert any("an inner loop comes first" in why for why in outer.reasons)
    assert not outer.done


def test_inner_loops_go_first() -> None:
    found = eliminated("A: a := x; M: b := y; if b != 1 goto M; C: c := z; if c != 0 goto A;")
    assert code_of(found) == [
        "A: a := x",
        "M: b := await(y = 1)",
        "C: c := await(z = 0)",
    ]


def test_registers_of_the_condition_are_used_at_the_end() -> None:
    text = "x = 0\nthread P: L: a := x; c := a; B: if a != 1 goto L;\nexists (P:{name} = 1)"
    for name, changed in (("a", False), ("c", False), ("x", True)):
        what = text.replace("P:{name}", f"P:{name}" if name != "x" else "x")
        found = eliminate(parse_program(Source("<t>", what)), FREE)
        assert found.changed
        assert [each.label for each in found.program.threads[0].code] == ["L", "P1"], changed


def test_assumes_alone() -> None:
    assert code_of(eliminated(TTAS, ASSUMES)) == [
        "R: r := x",
        "P1_pure: assume r = 0 else wait while (x = r)",
        "X: a := xchg(x, 1)",
        "P3_pure: assume a != 1 else wait while (x = r, x = a)",
        "P3: if a != 0 goto R",
        "U: x := 0",
    ]
    assert code_of(eliminated(FIG6, ASSUMES))[:3] == [
        "A: a := x",
        "B_pure: assume a <= 4 else wait while (x = a)",
        "B: b := y",
    ]


# ---- where the model knows dependencies


def test_a_test_adds_no_dependency() -> None:
    """Not behind the load of x, which would control the load of y, but where the program itself
    branches on a."""
    assert code_of(eliminated(FIG6, STRICT))[:4] == [
        "A: a := x",
        "B: b := y",
        "C_pure: assume a <= 4 else wait while (x = a)",
        "C: if a != 4 goto P4",
    ]
    late = "T: t := y; L: a := x; if t = 0 goto M; S: z := 1; M: if a = 7 goto L;"
    assert code_of(eliminated(late, STRICT))[4:] == [
        "M_pure: assume (a != 7) || (t != 0) else wait while (x = a)",
        "M: if a = 7 goto L",
    ]


def test_a_guard_adds_no_dependency() -> None:
    """Both events of a read-modify-write depend on what its guard has; a load does not."""
    ticket = "T: t := y; L: a := xchg(x, 1); B: if a = t goto L;"
    assert "L: a := xchg(x, 1)" in code_of(eliminated(ticket, STRICT))
    assert not any("await" in each for each in code_of(eliminated(ticket, STRICT)))
    lock = "L: a := xchg(x, 1); B: if a != 0 goto L; U: x := 0;"
    assert code_of(eliminated(lock, STRICT))[0] == "L: a := xchg(x, 1) await != 1"
    loose = Setting(dependencies=True, pairs=False, races=False)
    assert code_of(eliminated(lock, loose))[1] == "B_pure: assume a != 1 else wait while (x = a)"


def test_stores_of_the_same_value_that_the_thread_may_read() -> None:
    code = "L: r := x; T: t := z; if t = 5 goto E; A: a := xchg(x, 1); if a = 1 goto L; E: skip;"
    (report,) = eliminated(code, STRICT).reports
    assert report.reasons == ["(a = 1) && (t != 5): L may read what A stores again"]
    assert not report.done
    assert eliminated(code, FREE).changed
    assert eliminated(TTAS, STRICT).reports[0].reasons == []


def test_a_branch_goes_that_is_tested_before() -> None:
    code = "do { A: a := x; B: b := y; } while a != 1 || b != 1; S: z := 1;"
    free = ["A: a := await(x = 1)", "B: b := await(y = 1)", "S: z := 1"]
    assert code_of(eliminated(code, FREE)) == free
    test = "P2_pure: assume a = 1 else wait while (x = a)"
    strict = ["A: a := x", "B: b := await(y = 1)", test, "S: z := 1"]
    assert code_of(eliminated(code, STRICT)) == strict


# ---- where the model finds races


def test_an_access_that_may_race_stays() -> None:
    setting = Setting(dependencies=False, races=True)
    plain = eliminated("L: a := x; B: if a != 1 goto L; C: b := y;", setting)
    assert code_of(plain)[:2] == ["L: a := x", "B_pure: assume a = 1 else wait while (x = a)"]
    skipped = "L: b := z; B: if b = 1 goto E; C: a := x; D: goto L; E: skip;"
    assert code_of(eliminated(skipped, FREE)) == ["L: b := await(z = 1)"]
    assert code_of(eliminated(skipped, setting))[:3] == [
        "L: b := z",
        "B: if b = 1 goto end",
        "C: a := x",
    ]
    atomic = eliminated("L: a := z @acq; B: if a != 1 goto L; C: b := y;", setting)
    assert code_of(atomic)[0] == "L: a := await(z = 1) @acq"


def test_an_access_that_may_fail_comes_first() -> None:
    code = "L: a := x; q := p; B: b := [q]; if a != 1 goto L; E: skip;"
    assert code_of(eliminated(code))[:4] == [
        "L: a := x",
        "P1: q := p",
        "B: b := [q]",
        "P3_pure: assume a = 1 else wait while (x = a)",
    ]


def test_once_is_enough() -> None:
    for name, (code, _, _) in CASES.items():
        once = eliminated(code).program
        assert [t.code for t in eliminate(once, FREE).program.threads] == [
            t.code for t in once.threads
        ], name


def test_a_round_that_races_where_the_next_one_does() -> None:
    """An access happens again in the next round if its address is not set in the loop."""
    racing = Setting(dependencies=False, races=True)
    outside = "I: q := p; A: a := [q]; B: if a = 0 goto A;"
    waits = "B_pure: assume a != 0 else wait while ([q] = a)"
    assert code_of(eliminated(outside, racing)) == ["I: q := p", "A: a := [q]", waits]
    inside = outside.replace("goto A", "goto I")
    assert eliminated(inside).changed
    assert not eliminated(inside, racing).changed
