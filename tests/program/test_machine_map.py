"""C11's orders as machines have them: known answers, soundness against rc11, engines agree, labels
and jumps stay."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support import choose_engine, make_engine, model, program

from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.data import bundled
from hybrid.engine.api import Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.frontend.load import load_program
from hybrid.frontend.prog_print import print_program
from hybrid.model.core import Model
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.program.machine_map import MACHINES, map_program
from hybrid.program.program import Program
from hybrid.report.result import Outcome, Result
from hybrid.report.summary import summarise
from hybrid.verdict import Verdict

pytestmark = pytest.mark.sample(3)

MODELS = ("tso", "pso", "power", "armv7", "aarch64", "riscv")
MP = """x = 0; y = 0 thread P: x := 1 @rlx; y := 1 @{0};
    thread Q: r := y @{1}; s := x @rlx; exists (Q:r = 1 /\\ Q:s = 0)"""
MP_FENCED = """x = 0; y = 0 thread P: x := 1 @rlx; fence @{0}; y := 1 @rlx;
    thread Q: r := y @rlx; fence @{1}; s := x @rlx; exists (Q:r = 1 /\\ Q:s = 0)"""
MP_RMW = """x = 0; y = 0 thread P: x := 1 @rlx; _ := xchg(y, 1) @{0};
    thread Q: r := faa(y, 1) @{1}; s := x @rlx; exists (Q:r = 1 /\\ Q:s = 0)"""
SB = """x = 0; y = 0 thread P: x := 1 @{0}; r := y @{1}; thread Q: y := 1 @{0}; s := x @{1};
    exists (P:r = 0 /\\ Q:s = 0)"""
SB_FENCED = """x = 0; y = 0 thread P: x := 1 @rlx; fence @{0}; r := y @rlx;
    thread Q: y := 1 @rlx; fence @{0}; s := x @rlx; exists (P:r = 0 /\\ Q:s = 0)"""
LB = """x = 0; y = 0 thread P: r := x @{1}; y := 1 @{0}; thread Q: s := y @{1}; x := 1 @{0};
    exists (P:r = 1 /\\ Q:s = 1)"""
IRIW = """x = 0; y = 0 thread A: x := 1 @{0}; thread B: y := 1 @{0};
    thread P: r := x @{1}; s := y @{1}; thread Q: t := y @{1}; u := x @{1};
    exists (P:r = 1 /\\ P:s = 0 /\\ Q:t = 1 /\\ Q:u = 0)"""
TWO = """x = 0; y = 0 thread P: x := 1 @{0}; y := 2 @{0}; thread Q: y := 1 @{0}; x := 2 @{0};
    exists (x = 1 /\\ y = 1)"""
ALL = set(MODELS)
WEAK = ALL - {"tso"}
ANSWERS: list[tuple[str, str, set[str]]] = [  # where it is allowed
    ("MP rlx", MP.format("rlx", "rlx"), WEAK),
    ("MP rel acq", MP.format("rel", "acq"), set()),
    ("MP rel rlx", MP.format("rel", "rlx"), WEAK - {"pso"}),
    ("MP rel con", MP.format("rel", "con"), set()),
    ("MP fences", MP_FENCED.format("rel", "acq"), set()),
    ("MP rmws", MP_RMW.format("rel", "acq"), set()),
    ("SB rel acq", SB.format("rel", "acq"), ALL - {"aarch64"}),
    ("SB sc", SB.format("sc", "sc"), set()),
    ("SB fences acqrel", SB_FENCED.format("acqrel"), {"tso", "pso", "power", "riscv"}),
    ("SB fences sc", SB_FENCED.format("sc"), set()),
    ("LB rlx", LB.format("rlx", "rlx"), WEAK - {"pso"}),
    ("LB rel acq", LB.format("rel", "acq"), set()),
    ("IRIW rel acq", IRIW.format("rel", "acq"), {"power"}),
    ("IRIW sc", IRIW.format("sc", "sc"), set()),
    ("2+2W rlx", TWO.format("rlx"), WEAK),
    ("2+2W sc", TWO.format("sc"), set()),
]
C_TESTS = sorted(bundled("litmus").joinpath("c").glob("*.litmus"))


def mapped(source: Program, name: str) -> Program:
    return map_program(source, model(name).machine)


def explore(source: Program, under: Model) -> Result:
    return summarise(source, under, make_engine(choose_engine(None, under, source)[0]), Limits())


def test_the_models_say_their_machines() -> None:
    assert {model(name).machine for name in MODELS} == set(MACHINES)
    assert not any(model(name).machine for name in ("sc", "ra", "rc11", "rc20"))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("text", "allowed"), [a[1:] for a in ANSWERS], ids=[a[0] for a in ANSWERS])
def test_known_answers(name: str, text: str, allowed: set[str]) -> None:
    result = explore(mapped(program(text), name), model(name))
    assert result.answer is (Verdict.ALLOWED if name in allowed else Verdict.FORBIDDEN)


@cache
def without_thin_air(name: str) -> Model:
    """rc11 or rc20 but for the axiom that program order and reads-from are acyclic, which the usual
    sequences do not keep for relaxed loads."""
    kept = tuple(a for a in model(name).axioms if a.name != "no-thin-air")
    return replace(model(name), axioms=kept, commit_before=None)


def outcomes(source: Program) -> set[Outcome] | None:
    """Under C; None: it has a race."""
    result = summarise(source, without_thin_air("rc11"), Enumerate(), Limits())
    return None if result.race is not None else set(result.outcomes)


# Shapes of C11, each with the models of C that forbid it when thin-air reads are left aside.
C, FIRST, SECOND = ("rc11", "rc20"), ("rc11",), ("rc20",)
SHAPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "MP rel acq": (MP.format("rel", "acq"), C),
    "MP rel con": (MP.format("rel", "con"), C),
    "MP sc sc": (MP.format("sc", "sc"), C),
    "MP rlx acq": (MP.format("rlx", "acq"), ()),
    "MP fences": (MP_FENCED.format("rel", "acq"), C),
    "MP fences acqrel": (MP_FENCED.format("acqrel", "acqrel"), C),
    "MP rmws": (MP_RMW.format("rel", "acq"), C),
    "MP rmws acqrel": (MP_RMW.format("acqrel", "acqrel"), C),
    "MP rmws sc": (MP_RMW.format("sc", "sc"), C),
    "MP rmws con": (MP_RMW.format("rel", "con"), C),
    "MP rel sequence by rmw": ("""x = 0; y = 0 thread P: x := 1 @rlx; y := 1 @rel;
        thread Q: q := faa(y, 1) @rlx; thread R: r := y @acq; s := x @rlx;
        exists (Q:q = 1 /\\ R:r = 2 /\\ R:s = 0)""", C),
    "MP rel sequence of a thread": ("""x = 0; y = 0 thread P: x := 1 @rlx; y := 1 @rel; y := 2 @rlx;
        thread Q: r := y @acq; s := x @rlx; exists (Q:r = 2 /\\ Q:s = 0)""", FIRST),
    "MP cas that fails": ("""x = 0; y = 0 thread P: x := 1 @rlx; y := 1 @rel;
        thread Q: r := cas(y, 2, 3) @acqrel @fail.acq; s := x @rlx;
        exists (Q:r = 1 /\\ Q:s = 0)""", C),
    "SB rel acq": (SB.format("rel", "acq"), ()),
    "SB sc": (SB.format("sc", "sc"), C),
    "SB fences sc": (SB_FENCED.format("sc"), C),
    "SB rmws sc": ("""x = 0; y = 0 thread P: _ := xchg(x, 1) @sc; r := y @sc;
        thread Q: _ := xchg(y, 1) @sc; s := x @sc; exists (P:r = 0 /\\ Q:s = 0)""", C),
    "SB store and rmw sc": ("""x = 0; y = 0 thread P: x := 1 @sc; r := faa(y, 0) @sc;
        thread Q: y := 1 @sc; s := faa(x, 0) @sc; exists (P:r = 0 /\\ Q:s = 0)""", C),
    "SB cas that fails sc": ("""x = 0; y = 0 thread P: x := 1 @sc; r := cas(y, 7, 8) @sc @fail.sc;
        thread Q: y := 1 @sc; s := cas(x, 7, 8) @sc @fail.sc; exists (P:r = 0 /\\ Q:s = 0)""", C),
    "LB rel acq": (LB.format("rel", "acq"), C),
    "LB rel rlx": (LB.format("rel", "rlx"), ()),
    "S rel acq": ("""x = 0; y = 0 thread P: x := 2 @rlx; y := 1 @rel;
        thread Q: r := y @acq; x := 1 @rlx; exists (Q:r = 1 /\\ x = 2)""", C),
    "R sc": ("""x = 0; y = 0 thread P: x := 1 @sc; y := 1 @sc; thread Q: y := 2 @sc; r := x @sc;
        exists (y = 2 /\\ Q:r = 0)""", C),
    "2+2W sc": (TWO.format("sc"), C),
    "2+2W rel": (TWO.format("rel"), ()),
    "WRC rel acq": ("""x = 0; y = 0 thread P: x := 1 @rlx; thread Q: q := x @acq; y := 1 @rel;
        thread R: r := y @acq; s := x @rlx; exists (Q:q = 1 /\\ R:r = 1 /\\ R:s = 0)""", C),
    "WRC all rel acq": ("""x = 0; y = 0 thread P: x := 1 @rel; thread Q: q := x @acq; y := 1 @rel;
        thread R: r := y @acq; s := x @rlx; exists (Q:q = 1 /\\ R:r = 1 /\\ R:s = 0)""", C),
    "ISA2 rel acq": ("""x = 0; y = 0; z = 0 thread P: x := 1 @rlx; y := 1 @rel;
        thread Q: q := y @acq; z := 1 @rel; thread R: r := z @acq; s := x @rlx;
        exists (Q:q = 1 /\\ R:r = 1 /\\ R:s = 0)""", C),
    "IRIW rel acq": (IRIW.format("rel", "acq"), ()),
    "IRIW sc": (IRIW.format("sc", "sc"), C),
    "RWC fences sc": ("""x = 0; y = 0 thread P: x := 1 @rlx;
        thread Q: q := x @rlx; fence @sc; r := y @rlx;
        thread R: y := 1 @rlx; fence @sc; s := x @rlx;
        exists (Q:q = 1 /\\ Q:r = 0 /\\ R:s = 0)""", C),
    "Z6.U": ("""x = 0; y = 0 thread P: x := 1 @sc; y := 1 @rel;
        thread Q: q := faa(y, 1) @sc; r := y @rlx; thread R: y := 3 @sc; s := x @sc;
        exists (Q:q = 1 /\\ Q:r = 3 /\\ R:s = 0)""", ()),
    "SC store overwritten": ("""x = 0; y = 0 thread P: x := 1 @sc; x := 2 @rel;
        thread Q: r := x @acq; s := y @sc; thread R: y := 1 @sc; t := x @sc;
        exists (Q:r = 2 /\\ Q:s = 0 /\\ R:t = 0)""", SECOND),
    "SC load of what was read before": ("""x = 0; z = 0 thread P: x := 1 @sc; z := 1 @rel;
        thread Q: q := z @acq; r := z @sc; thread R: z := 2 @sc; t := x @sc;
        exists (Q:q = 1 /\\ Q:r = 1 /\\ z = 2 /\\ R:t = 0)""", SECOND),
}  # fmt: skip


@pytest.mark.parametrize("title", SHAPES)
def test_what_c_forbids_machines_forbid(title: str) -> None:
    """The mapping is sound, with respect to rc11 and to rc20."""
    text, forbidden = SHAPES[title]
    source = program(text)
    for name in C:
        answer = summarise(source, without_thin_air(name), Enumerate(), Limits()).answer
        assert answer is (Verdict.FORBIDDEN if name in forbidden else Verdict.ALLOWED), name
    for name in ("sc", *MODELS) if forbidden else ():
        run = source if name == "sc" else mapped(source, name)
        assert explore(run, model(name)).answer is Verdict.FORBIDDEN, name


@pytest.mark.parametrize("path", C_TESTS[::23], ids=[path.stem for path in C_TESTS[::23]])
def test_nothing_new_on_machines(path: Path) -> None:
    """What a machine allows of a mapped test without a race, C allows of the test."""
    source = load_program(path)
    expected = outcomes(source)
    for name in MODELS if expected is not None else ():
        found = set(explore(mapped(source, name), model(name)).outcomes)
        assert found <= (expected or set()), name


@pytest.mark.parametrize("name", MODELS)
def test_engines_agree(name: str) -> None:
    texts = [text for title, text, _ in ANSWERS if title in ("MP rmws", "SB sc", "MP rel acq")]
    texts.append("""x = 0; l = 0
        thread P: await(x = 1) @acq; b := cas(l, 0, 1) @acqrel; L: l := 2 @rel;
        thread Q: x := 1 @rel; r := cas(l, 1, 3) @sc @fail.rlx; fence @acqrel;""")
    engines = parse_configurations("enumerate,rsmc,rsmc+rf,bmc:sat")
    for text in texts:
        result = crosscheck(mapped(program(text), name), model(name), engines, Limits())
        assert result.agree, result.differences


def test_labels_and_jumps() -> None:
    text = "x = 0 thread P: A: r := x @sc; B: if r = 0 goto A; C: x := 1 @sc; goto A; D: fence @sc;"
    (thread,) = mapped(program(text), "power").threads
    labels = [instruction.label for instruction in thread.code]
    assert labels[:5] == ["A.sync", "A", "A.bc", "A.isync", "B"]
    assert labels[5:7] == ["C.sync", "C"]
    jumps = [i.target for i in thread.code if hasattr(i, "target")]
    assert jumps == [3, 0, 0]
    (thread,) = mapped(program(text), "armv7").threads
    assert [i.label for i in thread.code][:6] == ["A", "A.dmb", "B", "C.dmb", "C", "C.dmb2"]
    (thread,) = mapped(program(text), "tso").threads
    assert [i.label for i in thread.code][:4] == ["A", "B", "C", "C.mfence"]


def test_barriers_of_pso() -> None:
    text = """x = 0 thread P: A: x := 1 @rel; B: x := 2 @sc; C: r := x @sc; D: x := 3 @rlx;
        E: _ := xchg(x, 1) @rel; F: fence @acq; G: fence @rel; H: fence @sc;"""
    (thread,) = mapped(program(text), "pso").threads
    assert [(i.label, sorted(i.event_tags)) for i in thread.code] == [
        ("A.sfence", ["SFENCE"]), ("A", ["NA"]),
        ("B.sfence", ["SFENCE"]), ("B", ["NA"]), ("B.mfence", ["MFENCE"]),
        ("C", ["NA"]), ("D", ["NA"]), ("E", ["LOCK"]), ("G", ["SFENCE"]), ("H", ["MFENCE"]),
    ]  # fmt: skip


def rmw_of(source: Program) -> ins.Rmw:
    (found,) = (i for t in source.threads for i in t.code if isinstance(i, ins.Rmw))
    return found


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("failed", ["", "@fail.rlx", "@fail.acq", "@fail.sc"])
@pytest.mark.parametrize("order", ["rlx", "acq", "rel", "acqrel", "sc"])
def test_a_cas_is_valid_whatever_its_orders_are(name: str, failed: str, order: str) -> None:
    source = program(f"x = 0 thread P: r := cas(x, 0, 1) @{order} {failed};")
    check_program(mapped(source, name))
    check_program(program(print_program(mapped(source, name))))


def test_a_cas_that_fails() -> None:
    """x86 locks either way; AArch64 has acquires for loads, and releases for stores alone."""
    source = program("x = 0 thread P: r := cas(x, 0, 1) @sc @fail.acq;")
    for name in ("tso", "pso"):
        assert rmw_of(mapped(source, name)).tags == {"LOCK"}
        assert rmw_of(mapped(source, name)).tags_without_store == {"LOCK"}
    assert rmw_of(mapped(source, "aarch64")).tags == {"A", "L"}
    assert rmw_of(mapped(source, "aarch64")).tags_without_store == {"A"}
    source = program("x = 0 thread P: r := cas(x, 0, 1) @rel @fail.sc;")
    assert rmw_of(mapped(source, "aarch64")).tags_without_store == {"A"}
    source = program("x = 0 thread P: r := cas(x, 0, 1) @rel @fail.rlx;")
    assert rmw_of(mapped(source, "riscv")).tags_without_store == {"NA"}


def relabelled(source: Program, names: dict[str, str]) -> Program:
    threads = tuple(
        replace(t, code=tuple(replace(i, label=names.get(i.label, i.label)) for i in t.code))
        for t in source.threads
    )
    return replace(source, threads=threads)


@pytest.mark.parametrize("name", MODELS)
def test_long_labels_stay_and_all_are_unique(name: str) -> None:
    """Labels such as a compiler makes, some of them like those that the mapping makes, in another
    thread too."""
    source = program("""x = 0; y = 0 thread P: A: x := 1 @sc; B: _ := y @sc; C: _ := faa(y, 1) @sc;
        thread Q: D: y := 1 @sc; E: r := x @sc; F: r := x @acq; G: fence @sc; H: x := 2 @rel;
        exists (Q:r = 0)""")
    names = {
        "A": "queue.c:41", "B": "queue.c:41.sync", "C": "queue.c:41.sync2", "D": "queue.c:41.dmb",
        "E": "queue.c:41.mfence", "F": "queue.c:41:7", "G": "G.sfence", "H": "G",
    }  # fmt: skip
    made = mapped(relabelled(source, names), name)
    check_program(made)
    labels = [i.label for t in made.threads for i in t.code]
    assert len(set(labels)) == len(labels)
    assert set(names.values()) <= set(labels)
    assert explore(made, model(name)).answer is Verdict.ALLOWED


def test_a_register_to_branch_on_is_new() -> None:
    source = program("x = 0 thread P: A: _ := x @acq; B: r := x;")
    (thread,) = source.threads
    last = replace(thread.code[1], register="A.read")
    source = replace(source, threads=(replace(thread, code=(thread.code[0], last)),))
    first, *_, last = mapped(source, "power").threads[0].code
    assert (first.register, last.register) == ("A.read2", "A.read")


def test_expectations_are_of_the_program_as_written() -> None:
    text = program("x = 0 thread P: x := 1 @rel; exists (x = 1) expect power: FORBIDDEN")
    assert mapped(text, "power").expectations == ()
    assert mapped(text, "power").mapped == "power"
