"""What texts made for herd and Dartagnan need: their names of sets, their ways to get co, files of
theirs beside the model."""

from __future__ import annotations

from pathlib import Path

import pytest
from cat_naive import Evaluator, Execution, F, R, U, W, broken, execution

from hybrid.errors import InputError
from hybrid.model import core, load_model, parse_model
from hybrid.model.core import Model
from hybrid.model.messages import OutsideDialect
from hybrid.model.names import REFUSED_NAMES
from hybrid.program.tags import FENCES
from hybrid.source import Source

pytestmark = pytest.mark.sample(2)


def read(text: str, *search: Path) -> Model:
    return parse_model(Source("<test>", text), "test", list(search))


def value(text: str, run: Execution) -> object:
    """The set or relation that `text` is in `run`."""
    model = read(f"empty {text}")
    return Evaluator(model, run).value(model.axioms[0].expr)


# Names

EXCLUSIVES = execution(
    [R("x", 0, "X"), W("x", 1, "X"), R("y", 0)], [U("y", 0, 1), F("DMB.SY"), F("DSB.ST")]
)


def kinds(text: str) -> list[tuple[str, str]]:
    found = value(text, EXCLUSIVES)
    assert isinstance(found, frozenset)
    return sorted((EXCLUSIVES.events[n].kind, EXCLUSIVES.events[n].loc) for n in found)


def test_x_has_all_atomic_instructions_and_ex_the_exclusives() -> None:
    assert kinds("EX") == [("R", "x"), ("W", "x")]
    assert kinds("AMO") == [("R", "y"), ("W", "y")]
    assert kinds("X") == [("R", "x"), ("R", "y"), ("W", "x"), ("W", "y")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("DMB", "DMB.SY"),
        ("DMB.ISH", "DMB.SY"),
        ("DMB.OSHST", "DMB.ST"),
        ("DMB.ISHLD", "DMB.LD"),
        ("DSB", "DSB.SY"),
        ("DSB.ISHST", "DSB.ST"),
        ("DMB.NSH", "DMB.SY"),
        ("dmb.ish", "DMB.SY"),
        ("dmb.sy", "DMB.SY"),
        ("dmb.oshst", "DMB.ST"),
        ("dsb.nshld", "DSB.LD"),
        ("Sc", "AcqRel"),
        *((name, tag) for name, tags in sorted(FENCES.items()) for tag in tags),
    ],
)
def test_names_for_the_same_set(one: str, other: str) -> None:
    tagged = execution([F(other), W("x", 1, other), R("x", 1)])
    assert value(one, tagged) == value(other, tagged) != frozenset()


def test_a_fence_may_be_defined_by_its_own_name() -> None:
    model = read("let mfence = fencerel(mfence)\nacyclic po & (R*M | W*W) | mfence | rfe | co | fr")
    fenced = execution([W("x", 1), F("MFENCE"), R("y", 0)], [W("y", 1), F("MFENCE"), R("x", 0)])
    other = execution([W("x", 1), F("SFENCE"), R("y", 0)], [W("y", 1), F("MFENCE"), R("x", 0)])
    assert broken(model, fenced)
    assert not broken(model, other)


def test_locked_instructions_drain_by_way_of_x() -> None:
    text = (
        "let rec lob = (po \\ ([W];po;[R])) | ([W];po;[R & X]) | ([W & X];po;[R]) | (lob;lob)\n"
        "let rec ob = ((rfe|fre|coe);sm) | lob | (ob;ob)\nacyclic po-loc|fr|co|rf\nirreflexive ob"
    )
    model, tso = read(text), load_model("tso")
    plain = execution([W("x", 1), R("y", 0)], [W("y", 1), R("x", 0)])
    locked = execution([U("x", 0, 1), R("y", 0)], [U("y", 0, 1), R("x", 0)])
    mixed = execution([U("x", 0, 1), R("y", 0)], [W("y", 1), R("x", 0)])
    for run, forbidden in ((plain, False), (locked, True), (mixed, False)):
        assert bool(broken(model, run)) is bool(broken(tso, run)) is forbidden


def test_sm_is_the_identity_on_accesses() -> None:
    assert (
        value("(rf ; sm) \\ rf", EXCLUSIVES) == value("rf \\ (rf ; sm)", EXCLUSIVES) == frozenset()
    )
    assert value("[F] & sm", EXCLUSIVES) == frozenset()


@pytest.mark.parametrize("name", sorted(REFUSED_NAMES))
def test_names_outside_the_dialect(name: str) -> None:
    """None of them is known by accident, and a text may still define them."""
    with pytest.raises(OutsideDialect, match="is not in hybrid's dialect") as caught:
        read(f"empty {name}")
    assert caught.value.span is not None
    assert caught.value.span.text == name
    assert caught.value.hint == f"it {REFUSED_NAMES[name]}"
    assert read(f"let {name} = po\nempty {name}").axioms


def test_r_and_w_is_remarked_upon() -> None:
    model = read("let rmws = R & W\nempty (W & A & R) | rmws\nempty R & Q")
    assert [note.split(": ", 1)[0] for note in model.notes] == ["<test>:1:12", "<test>:2:8"]
    assert all("a read-modify-write is a load and a store" in note for note in model.notes)
    assert read("empty R | W").notes == ()


# co


COHERENCE = "with co from generate_cos(least)\n"


def test_co_extends_what_it_is_generated_from() -> None:
    """The stores of P are to be in program order, so values 1, 2 and not 2, 1."""
    model = read("let least = po | rf\n" + COHERENCE)
    (axiom,) = model.axioms
    assert (axiom.name, axiom.test, axiom.flag) == ("with co (line 2)", core.Test.EMPTY, False)
    threads = ([W("x", 1), W("y", 1), W("x", 2)], [R("x", 1), W("x", 3)])
    assert not broken(model, execution(*threads))
    assert not broken(model, execution(*threads, coherence={"x": [3, 1, 2]}))
    assert broken(model, execution(*threads, coherence={"x": [2, 1, 3]})) == ["with co (line 2)"]


def test_no_co_extends_a_cycle() -> None:
    assert broken(read("let least = [W]\n" + COHERENCE), execution([W("x", 1)]))


def test_all_co_extend_co0() -> None:
    assert read("with co from generate_cos(co0)").axioms == ()
    other = read("let co0 = po\nwith co from generate_cos(co0)")
    assert broken(other, execution([W("x", 1), W("x", 2)], coherence={"x": [2, 1]}))


def test_with_gives_co_anew() -> None:
    model = read("let least = 0\nlet co = po\n" + COHERENCE + "empty co as last")
    assert model.axioms[-1].expr == read("empty co").axioms[0].expr


# Files beside the model

OUTSIDE = {
    "if": 'if "option"\n  include "one.cat"\nelse\n  include "two.cat"\nend\n',
    "catdep": "catdep\nlet mfence = fencerel(MFENCE)\n",
    "match": "let f(s) =\n  let rec g s = match s with\n  || {} -> {}\n  end in g(s)\n",
    "procedure": "procedure p(r) =\n  acyclic r\nend\n",
    "`let rec` inside": "let a = let rec b = po | b in b\n",
}


def beside(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text)
    (tmp_path / "own.cat").write_text(f'"Own"\ninclude "{name}"\nempty rf as last\n')
    return str(tmp_path / "own.cat")


@pytest.mark.parametrize("word", OUTSIDE)
def test_a_file_outside_the_dialect_gives_way_to_ours(tmp_path: Path, word: str) -> None:
    model = load_model(beside(tmp_path, "x86fences.cat", OUTSIDE[word]))
    (note,) = model.notes
    assert note.startswith(f"{tmp_path / 'x86fences.cat'}:")
    assert word in note
    assert note.endswith("so hybrid's own `x86fences.cat` is read instead")
    assert [axiom.name for axiom in model.axioms] == ["last"]


def test_what_ours_defines_is_there(tmp_path: Path) -> None:
    path = Path(beside(tmp_path, "x86fences.cat", OUTSIDE["procedure"]))
    path.write_text('include "x86fences.cat"\ninclude "x86fences.cat"\nempty mfence ; sfence\n')
    assert len(load_model(str(path)).notes) == 1


def test_a_file_inside_the_dialect_stays(tmp_path: Path) -> None:
    model = load_model(beside(tmp_path, "cos.cat", "empty co as mine\n"))
    assert [axiom.name for axiom in model.axioms] == ["mine", "last"]
    assert model.notes == ()


@pytest.mark.parametrize("text", ["acyclic po |\n", "let a = pooo\n", "let a = po | si\n"])
def test_a_faulty_file_is_not_replaced(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        load_model(beside(tmp_path, "cos.cat", text))
    assert caught.value.span is not None
    assert caught.value.span.source.name == str(tmp_path / "cos.cat")


def test_a_file_of_another_name_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(OutsideDialect, match="`if`"):
        load_model(beside(tmp_path, "mine.cat", OUTSIDE["if"]))
    (tmp_path / "cos.cat").write_text(OUTSIDE["if"])
    with pytest.raises(OutsideDialect, match="`if`"):  # asked for itself
        load_model(str(tmp_path / "cos.cat"))


def test_built_in_models_need_no_notes() -> None:
    for name in ("sc", "tso", "pso", "ra", "rc11", "power"):
        assert load_model(name).notes == ()


# Whole texts in the ways of writing that published ones have

RISCV = """RISCV "A model in parts"
include "riscvfences.cat"
let AcqRel = AcqRel|Sc
let AQ = (Acq|AcqRel) and RL = (Rel|AcqRel)
let RCsc = (Acq|Rel|AcqRel) & (EX|X)
let SC=EX&W
let r1 = [M];po-loc;[W]
and r3 = [X|SC];rfi;[R]
and r5 = [AQ];po;[M] | [M];po;[RL] | [RCsc];po;[RCsc]
let ppo = r1 | r3 | fence | r5 | rmw | addr | data
acyclic co|rfe|fr|ppo as Model
"""

ARM = """"Arm" (* "unbalanced *)
include "cos.cat"
include "aarch64fences.cat"
let dmb.full = DMB.ISH | DMB.OSH | DMB.SY
let bob = po; ([dmb.full]|([A];amo;[L])); po
\t| [R\\NoRet]; po; [DMB.ISHLD]; po
\t| [A | Q]; po | po; [L]
let rec ob = rfe | fre | coe | bob | ob; ob
irreflexive ob as external
"""


@pytest.mark.parametrize(
    ("text", "fence", "forbidden"),
    [
        (RISCV, "Fence.rw.rw", True),
        (RISCV, "Fence.w.r", True),
        (RISCV, "Fence.r.w", False),
        (RISCV, "DMB.SY", False),
        (ARM, "DMB.SY", True),
        (ARM, "DMB.LD", False),
    ],
)
def test_store_buffering_with_fences(text: str, fence: str, forbidden: bool) -> None:
    run = execution([W("x", 1), F(fence), R("y", 0)], [W("y", 1), F(fence), R("x", 0)])
    assert bool(broken(read(text), run)) is forbidden


def test_acquire_and_release() -> None:
    riscv, arm = read(RISCV), read(ARM)
    run = execution([W("x", 1), W("y", 1, "Rel")], [R("y", 1, "Acq"), R("x", 0)])
    assert broken(riscv, run) == ["Model"]
    assert not broken(arm, run)
    run = execution([W("x", 1), W("y", 1, "L")], [R("y", 1, "A"), R("x", 0)])
    assert broken(arm, run) == ["external"]
    assert not broken(riscv, run)


# try


def test_try_takes_the_second_where_a_name_is_unknown() -> None:
    for text, same in (
        ("try po with rf", "po"),
        ("try nowhere with rf", "rf"),
        ("try po | (rf ; nowhere) with co", "co"),
        ("(try nowhere with 0) | (try po with 0)", "po"),
        ("try try nowhere with neither with rf", "rf"),
        ("try fencerel(nowhere) with fencerel(F)", "fencerel(F)"),
        ("try si with po", "po"),  # a name of herd that hybrid does not have
        ("try let a = po in a ; rf with co", "po ; rf"),
        ("let f(a) = try a ; nowhere with a in f(po)", "po"),
        ("let f(a) = try a with nowhere in f(po)", "po"),
    ):
        assert value(text, EXCLUSIVES) == value(same, EXCLUSIVES), text
    assert value("try Nowhere with X", EXCLUSIVES) == value("X", EXCLUSIVES)


def test_try_in_a_recursive_definition_and_before_a_statement() -> None:
    model = read(
        "let rec a = po | (try nowhere with a ; a)\nwith co from generate_cos(co0)\nacyclic a"
    )
    assert len(model.axioms) == 1
    sets = read("let rec S = (try Nowhere with S) | R\nempty S")
    assert sets.axioms[0].expr.kind is core.Kind.SET


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("acyclic try nowhere with neither", "unknown name `neither`"),
        ("let f(a) = try nowhere with neither\nacyclic po", "unknown name `neither`"),
        ("acyclic try po ; R with 0", "`R` is a set where a relation is expected"),
        ("acyclic try po", "the text ends too early"),
    ],
)
def test_faults_in_try(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(text)


# Whole texts with the constructions of herd's arm.cat and riscv.cat

HERD_ARM = """ARM

(* With (* a comment *) inside one. *)
include "cos.cat"
acyclic po-loc | com as uniproc
empty rmw & (fre;coe) as atomic
let dd = addr | data
let rdw = po-loc & (fre;rfe)
let detour = po-loc & (coe;rfe)
include "armfences.cat"
let ci0 = ctrlisb | detour
let ii0 = dd | rfi | rdw
let cc0 = dd | ctrl | (addr;po)
let ic0 = 0
include "ppo.cat"
let strong = dmb | dsb | (dmb.st & W * W) | (dsb.st & W * W) | dmb.ish
let light = 0
include "ppc-checks.cat"
"""
HERD_ARM_FENCES = """ARMFences
let dmb.st = try fencerel(DMB.ST) with 0
let dsb.st = try fencerel(DSB.ST) with 0
let dmb = try fencerel(DMB) with 0
let dsb = try fencerel(DSB) with 0
let dmb.ish = try fencerel(DMB.ISH) with 0
let ctrlisb = try ctrlcfence(ctrl, ISB) with 0
show dmb.st,dsb.st,dmb \\ dsb as both
"""
HERD_RISCV = """RISCV "RVWMO as a partial order"
include "riscv-defs.cat"
include "cos-opt.cat"
acyclic po-loc | com as Coherence
acyclic co | rfe | fr | ppo as Model
empty rmw & (fre;coe) as Atomic
"""


@pytest.mark.parametrize("own", [False, True])
def test_arm(tmp_path: Path, own: bool) -> None:
    (tmp_path / "arm.cat").write_text(HERD_ARM)
    if own:
        (tmp_path / "armfences.cat").write_text(HERD_ARM_FENCES)
    model = load_model(str(tmp_path / "arm.cat"))
    assert model.notes == ()
    ours = load_model("armv7")
    for fence in ("DMB.SY", "DSB.SY", "ISB"):
        run = execution([W("x", 1), F("DMB.SY"), W("y", 1)], [R("y", 1), F(fence), R("x", 0)])
        assert bool(broken(model, run)) is bool(broken(ours, run)) is (fence != "ISB")


@pytest.mark.parametrize(
    "compat", ["", "let AMO = try AMO with (R & W)\nlet RCsc = RCsc & (AMO|X)\n"]
)
def test_riscv(tmp_path: Path, compat: str) -> None:
    text = HERD_RISCV.replace("acyclic po-loc", compat + "acyclic po-loc")
    (tmp_path / "riscv.cat").write_bytes(f"(* d\u00e9j\u00e0 vu *) {text}".encode("latin-1"))
    model = load_model(str(tmp_path / "riscv.cat"))
    assert model.notes == ()
    ours = load_model("riscv")
    for fence in ("Fence.r.r", "Fence.rw.rw", "Fence.w.w"):
        run = execution([W("x", 1), F("Fence.w.w"), W("y", 1)], [R("y", 1), F(fence), R("x", 0)])
        assert bool(broken(model, run)) is bool(broken(ours, run)) is (fence != "Fence.w.w")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('if "a" then acyclic po end', "`if`"),
        ("let a = match po with || {} -> {} end", "`match`"),
        ("procedure p() = acyclic po end", "`procedure`"),
        ("call p(po)", "`call`"),
        ("AArch64 catdep\nacyclic po", "`catdep`"),
        ("AArch32\ncatdep\nacyclic po", "`catdep`"),
        ('include "cos.cat" catdep', "`catdep`"),
        ("acyclic (po, rf)", "tuples"),
    ],
)
def test_what_is_outside_is_refused_by_its_name(text: str, word: str) -> None:
    with pytest.raises(OutsideDialect, match=word):
        read(text)
