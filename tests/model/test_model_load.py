"""Reading models: operators, definitions, functions, recursion, includes, axioms, commit-before."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cat_naive import Evaluator, F, R, W, execution

from hybrid.errors import InputError
from hybrid.model import core, load_model, parse_model, show_expr
from hybrid.model.core import Kind, Model
from hybrid.program.tags import TAGS
from hybrid.source import Source, nowhere


def read(text: str, *search: Path) -> Model:
    return parse_model(Source("<test>", text), "test", list(search))


def meaning(text: str) -> core.Expr:
    """The expression that `text` stands for."""
    return read(f"empty {text}").axioms[0].expr


def base(name: str, kind: Kind = Kind.RELATION) -> core.Base:
    return core.Base(nowhere(), kind, name)


# Operators


@pytest.mark.parametrize(
    ("text", "explicit"),
    [
        ("po | rf ; co", "po | (rf ; co)"),
        ("po ; rf | co", "(po ; rf) | co"),
        ("po ; rf \\ co", "po ; (rf \\ co)"),
        ("po \\ rf \\ co", "(po \\ rf) \\ co"),
        ("po \\ rf & co", "po \\ (rf & co)"),
        ("po & rf \\ co", "(po & rf) \\ co"),
        ("po & W * R", "po & (W * R)"),
        ("W * R & po", "(W * R) & po"),
        ("W * R \\ id", "(W * R) \\ id"),
        ("~po | rf", "(~po) | rf"),
        ("~po & rf", "(~po) & rf"),
        ("~po+", "~(po+)"),
        ("W * ~R", "W * (~R)"),
        ("po ; rf*", "po ; (rf*)"),
        ("po* ; rf", "(po*) ; rf"),
        ("rf^-1 ; co", "(rf^-1) ; co"),
        ("rf^-1?", "(rf^-1)?"),
        ("po^+", "po+"),
        ("po^*", "po*"),
        ("po^?", "po?"),
        ("rf^ -1", "rf^-1"),
        ("domain rf * W", "(domain(rf)) * W"),
        ("domain(rf) | W", "(domain rf) | W"),
        ("begin po | rf end ; co", "(po | rf) ; co"),
        ("((po))", "po"),
        ("[R | W] ; po", "([(R | W)]) ; po"),
    ],
)
def test_precedence(text: str, explicit: str) -> None:
    assert meaning(text) == meaning(explicit)
    assert meaning(text) != meaning("po ; po ; po")


def test_expressions() -> None:
    po, rf, w, r = base("po"), base("rf"), base("W", Kind.SET), base("R", Kind.SET)
    here = nowhere()
    assert meaning("po | rf") == core.Union(here, Kind.RELATION, po, rf)
    assert meaning("W | R") == core.Union(here, Kind.SET, w, r)
    assert meaning("po & rf") == core.Inter(here, Kind.RELATION, po, rf)
    assert meaning("W \\ R") == core.Diff(here, Kind.SET, w, r)
    assert meaning("~W") == core.Complement(here, Kind.SET, w)
    assert meaning("~po") == core.Complement(here, Kind.RELATION, po)
    assert meaning("po ; rf") == core.Seq(here, po, rf)
    assert meaning("rf^-1") == core.Inverse(here, rf)
    assert meaning("po+") == core.Plus(here, po)
    assert meaning("po*") == core.Star(here, po)
    assert meaning("po?") == core.Opt(here, po)
    assert meaning("W * R") == core.Product(here, w, r)
    assert meaning("[W]") == core.Identity(here, w)
    assert meaning("toid(W)") == core.Identity(here, w)
    assert meaning("domain(po)") == core.Domain(here, po)
    assert meaning("range po") == core.Range(here, po)
    assert meaning("_") == base("_", Kind.SET)
    assert meaning("fencerel(W)") == meaning("po ; [W] ; po")


def test_empty_is_what_its_place_asks() -> None:
    here = nowhere()
    assert meaning("0") == core.Empty(here, Kind.RELATION)
    assert meaning("{}") == core.Empty(here, Kind.SET)
    assert meaning("W | 0") == core.Union(
        here, Kind.SET, base("W", Kind.SET), core.Empty(here, Kind.SET)
    )
    assert meaning("{} ; po") == core.Seq(here, core.Empty(here, Kind.RELATION), base("po"))
    assert meaning("[0]") == core.Identity(here, core.Empty(here, Kind.SET))
    assert meaning("domain 0") == core.Domain(here, core.Empty(here, Kind.RELATION))
    assert read("let light = 0\nlet s = {}\nempty light | po\nempty s | W\nempty [light]").axioms
    assert meaning("emptyset | W").kind is Kind.SET


def test_long_chains_are_not_deep() -> None:
    expr = meaning(" ; ".join(["po"] * 1000))
    depth, level = 0, [expr]
    while level:
        depth, level = depth + 1, [c for e in level for c in core.children(e)]
    assert depth <= 11


def test_every_base_name() -> None:
    for name in ("_", "R", "W", "M", "F", "B", "IW", "FW", "RMW", *TAGS):
        if name not in ("X", "A"):  # which the standard library extends; which needs a context
            assert meaning(name) == base(name, Kind.SET)
    for name in (
        "po",
        "rf",
        "co",
        "loc",
        "int",
        "ext",
        "id",
        "addr",
        "data",
        "ctrl",
        "amo",
        "lxsx",
    ):
        assert meaning(name) == base(name)


# Definitions


def test_definitions_in_order_and_only_those_needed() -> None:
    model = read("let a = po let b = a | rf let unused = co\nacyclic b as one")
    assert [d.name for d in model.definitions] == ["a", "b"]
    assert model.definitions[1].expr == core.Union(
        nowhere(), Kind.RELATION, core.Ref(nowhere(), Kind.RELATION, 0), base("rf")
    )
    assert show_expr(model.axioms[0].expr, model) == "b"


def test_shadowing() -> None:
    model = read("let a = po\nlet b = a\nlet a = rf\nlet po = co\nempty a | b | po")
    assert [show_expr(d.expr, model) for d in model.definitions] == ["po", "a", "rf", "co"]
    union = model.axioms[0].expr
    assert [e.index for e in _leaves(union) if isinstance(e, core.Ref)] == [2, 1, 3]


def test_more_definitions_than_frames_are_kept_apart() -> None:
    """A name means what it meant at its place, however many definitions come between."""
    lets = "".join(f"let a{i} = po\n" for i in range(1000))
    model = read(f"let s = co\nlet f(x) = x ; s\n{lets}let s = rf\n{lets}empty f(s) | a7")
    shown = [show_expr(d.expr, model) for d in model.definitions]
    assert shown == ["co", "rf", "po"]
    refs = [e.index for e in _leaves(model.axioms[0].expr) if isinstance(e, core.Ref)]
    assert sorted(refs) == [0, 1, 2]


def _leaves(expr: core.Expr) -> list[core.Expr]:
    children = core.children(expr)
    return [leaf for child in children for leaf in _leaves(child)] if children else [expr]


def test_let_and_looks_at_what_was_before() -> None:
    model = read("let a = po\nlet a = rf and b = a\nempty b")
    assert [d.name for d in model.definitions] == ["a", "b"]
    assert show_expr(model.definitions[0].expr, model) == "po"


def test_local_definitions() -> None:
    assert meaning("(let a = po and b = rf in a | b)") == meaning("po | rf")
    assert meaning("(let a = po in let a = a ; a in a | rf)") == meaning("(po ; po) | rf")
    assert meaning("(let f(x) = x ; x in f rf)") == meaning("rf ; rf")


def test_functions() -> None:
    head = "let f(a, b) = a ; b\nlet g a = a | po\nlet h = fun a -> a?\nlet none() = rf\n"
    for text, plain in [
        ("f(po, rf)", "po ; rf"),
        ("f (po | co, rf)", "(po | co) ; rf"),
        ("f po rf", "po ; rf"),
        ("g rf", "rf | po"),
        ("g(rf)+", "(rf | po)+"),
        ("h(g(rf))", "(rf | po)?"),
        ("none() ; po", "rf ; po"),
        ("g [W]", "[W] | po"),
    ]:
        assert read(f"{head}empty {text}").axioms[0].expr == meaning(plain), text


def test_functions_of_the_library_may_have_two_forms() -> None:
    assert meaning("ctrlcfence(ISB)") == meaning("ctrl ; [ISB] ; po")
    assert meaning("ctrlcfence(addr, ISB)") == meaning("addr ; [ISB] ; po")
    assert meaning("ctrlcfence(addr | data, ISB) | rf") == meaning(
        "((addr | data) ; [ISB] ; po) | rf"
    )
    own = read("let ctrlcfence(S, c) = [S] ; c\nempty ctrlcfence(ISB, po)")
    assert own.axioms[0].expr == meaning("[ISB] ; po")
    with pytest.raises(InputError, match="takes 1 argument, not 3"):
        meaning("ctrlcfence(po, ISB, ISB)")


def test_functions_see_the_names_of_their_place() -> None:
    model = read("let s = po\nlet f(x) = x ; s\nlet s = rf\nempty f(s)")
    assert show_expr(model.axioms[0].expr, model) == "s ; s"
    assert [show_expr(d.expr, model) for d in model.definitions] == ["po", "rf"]
    left, right = core.children(model.axioms[0].expr)
    assert isinstance(left, core.Ref) and isinstance(right, core.Ref)
    assert (left.index, right.index) == (1, 0)


def test_functions_take_sets_relations_and_functions() -> None:
    assert meaning("(let id(x) = x in id(W))") == base("W", Kind.SET)
    assert meaning("(let id(x) = x in id(po))") == base("po")
    assert meaning("(let twice(f, x) = f(f(x)) in let g(x) = x ; rf in twice(g, po))") == meaning(
        "(po ; rf) ; rf"
    )


# Recursion


def test_recursive_groups() -> None:
    model = read(
        "let rec a = po | (a ; b) and b = rf | a\nlet rec s = W | range([s] ; po)\n"
        "acyclic b\nempty s"
    )
    assert [(d.name, d.kind, d.group) for d in model.definitions] == [
        ("a", Kind.RELATION, 0),
        ("b", Kind.RELATION, 0),
        ("s", Kind.SET, 1),
    ]


def test_recursive_kinds_are_found() -> None:
    model = read(
        "let f(x, y) = x | y\nlet rec a = b and b = f(a, c) and c = {} | range(rf) | b\nempty a"
    )
    assert {d.kind for d in model.definitions} == {Kind.SET}
    assert read("let rec a = a\nempty a").definitions[0].kind is Kind.RELATION


def test_least_fixpoint() -> None:
    model = read("let rec a = po & rf^-1 | (a ; a) | b and b = rf | (a ; rf)\nempty a")
    run = execution([W("x", 1), R("x", 1)], [R("x", 1), W("x", 2)])
    value = Evaluator(model, run).value(model.axioms[0].expr)
    assert value == run.base["rf"]


def test_a_recursive_name_may_stand_under_two_complements() -> None:
    assert read("let rec a = po | ~(co | ~a)\nacyclic a").definitions
    assert read("let rec a = po | (a \\ co)\nacyclic a").definitions


# Axioms


def test_axioms() -> None:
    model = read(
        "acyclic po as one\n~irreflexive rf\nempty W as three\nflag ~empty co as four\n"
        "undefined_unless empty fr as five\nlet hb = po\nacyclic hb+ as six"
    )
    assert [(a.name, a.test, a.negated, a.flag) for a in model.axioms] == [
        ("one", core.Test.ACYCLIC, False, False),
        ("~irreflexive (line 2)", core.Test.IRREFLEXIVE, True, False),
        ("three", core.Test.EMPTY, False, False),
        ("four", core.Test.EMPTY, True, True),
        ("five", core.Test.EMPTY, True, True),
        ("six", core.Test.ACYCLIC, False, False),
    ]
    assert [a.name for a in model.flags] == ["four", "five"]
    assert len(model.constraints) == 4


def test_a_negated_axiom_behind_a_closure_is_no_product() -> None:
    model = read("acyclic po*\n~empty rf")
    assert [a.test for a in model.axioms] == [core.Test.ACYCLIC, core.Test.EMPTY]


def test_titles() -> None:
    for text, title in [
        ('"A title"', "A title"),
        ("SC", "SC"),
        ("X86 TSO", "X86 TSO"),
        ('RISCV "Partial order"', "RISCV Partial order"),
        ('"Generate" withoutco', "Generate"),
        ("", ""),
    ]:
        assert read(f"{text}\nacyclic po").title == title


def test_comments_and_show() -> None:
    model = read(
        '"x (* y"\n(* a (* b *) "c *) // acyclic rf\n# acyclic co\nshow po as y, nothing as x\n'
        "unshow rf\nacyclic po // (* no comment\n"
    )
    assert model.title == "x (* y"
    assert [a.expr for a in model.axioms] == [base("po")]


def test_spans() -> None:
    text = "let a =\n  po (* here *) | rf\nacyclic a as sc"
    model = read(text)
    assert str(model.axioms[0].span) == "<test>:3:1"
    assert model.axioms[0].span.text == "acyclic a as sc"
    _, rf = core.children(model.definitions[0].expr)
    assert str(rf.span) == "<test>:2:19"
    assert rf.span.text == "rf"


# Includes


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.cat").write_text('include "two.cat"\nlet one = two | rf\n')
    (tmp_path / "deep" / "two.cat").write_text(
        'Two\ninclude "one.cat"\nlet two = po\nempty two as of-two\n'
    )
    (tmp_path / "own.cat").write_text(
        '"Own"\ninclude "deep/one.cat"\ninclude "deep/two.cat"\nacyclic one as own\n'
    )
    model = load_model(str(tmp_path / "own.cat"))
    assert (model.name, model.title, model.path) == ("own", "Own", str(tmp_path / "own.cat"))
    assert [a.name for a in model.axioms] == ["of-two", "own"]
    assert [d.name for d in model.definitions] == ["two", "one"]


def test_a_file_beside_the_model_wins(tmp_path: Path) -> None:
    (tmp_path / "cos.cat").write_text("empty rf as mine\n")
    (tmp_path / "own.cat").write_text('include "cos.cat"\n')
    assert [a.name for a in load_model(str(tmp_path / "own.cat")).axioms] == ["mine"]
    assert read('include "cos.cat"').axioms == ()


def test_the_search_path(tmp_path: Path) -> None:
    (tmp_path / "part.cat").write_text("empty rf as part\n")
    assert [a.name for a in read('include "part.cat"', tmp_path).axioms] == ["part"]
    with pytest.raises(InputError, match="cannot find"):
        read('include "part.cat"')


def test_including_a_built_in_model() -> None:
    model = read('include "tso.cat"\nempty rf as more')
    assert [a.name for a in model.axioms] == [*(a.name for a in load_model("tso").axioms), "more"]
    assert model.commit_before_origin == "annotated"


STYLES = {
    "x86 with filters": (
        'X86 "TSO by filters"\ninclude "filters.cat"\ninclude "x86fences.cat"\ninclude "cos.cat"\n'
        "acyclic po-loc | com\nempty rmw & (fre;coe)\n#implied\nlet ppo = WW(po)|RM(po)\n"
        "let implied = let wr = WR(po) in MA(wr)|AM(wr)\nshow implied,mfence\n"
        "acyclic mfence|implied|ppo|rfe|fr|co as tso",
        "tso",
    ),
    "POWER in parts": (
            'PPC\ninclude "cos.cat"\ninclude "ppcfences.cat"\n'
            'acyclic po-loc|rf|fr|co as scperlocation\n'
            "empty rmw & (fre;coe) as atomic\nlet dd = addr|data\nlet rdw = po-loc & (fre;rfe)\n"
            "let detour = po-loc & (coe;rfe)\n"
            "let ci0 = ctrlisync|detour\nlet ii0 = dd|rfi|rdw\n"
            "let cc0 = dd|po-loc|ctrl|(addr;po)\nlet ic0 = 0\n"
        'include "ppo.cat"\nlet lwsync = lwsync \\ (W*R)\nlet eieio = eieio & (W*W)\n'
        'let strong = sync & M*M\nlet light = lwsync & M*M | eieio\ninclude "ppc-checks.cat"',
        "power",
    ),
    "sc with generated co": (
            '"SC" withoutco\ninclude "cross.cat"\nwith co from generate_cos(co0)\n'
            'let fr = (rf^-1;co) \\ id\n'
        "acyclic po|rf|fr|co as sc\nempty rmw & (fr;co)",
        "sc",
    ),
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_published_styles_mean_what_ours_do(style: str) -> None:
    from test_encodings import LITMUS, broken

    text, ours = STYLES[style]
    theirs, model = read(text), load_model(ours)
    for name, (threads, _) in LITMUS.items():
        if (
            any("SC" in op.tags or "MFENCE" in op.tags for ops in threads for op in ops)
            and ours == "power"
        ):
            continue  # our power takes other machines' full fences for sync
        if (
            any(op.kind == "F" and "MFENCE" not in op.tags for ops in threads for op in ops)
            and ours == "tso"
        ):
            continue
        run = execution(*threads)
        assert (not broken(theirs, run)) == (not broken(model, run)), name


def test_the_atomic_accesses_of_c() -> None:
    """`A` is AArch64's annotation, but in a text that names C11's orders it is the set of atomic
    accesses."""
    run = execution([W("x", 1, "NA"), F("SC"), W("x", 2, "REL")], [R("x", 2, "A")])
    arm = read("empty A\nempty L")
    tagged_a = Evaluator(arm, run).value(arm.axioms[0].expr)
    assert {run.events[n].thread for n in tagged_a} == {1}
    model = read("let rel = REL\nempty A")
    atomic = Evaluator(model, run).value(model.axioms[0].expr)
    assert [(run.events[n].kind, run.events[n].value) for n in atomic] == [("W", 2)]


# Commit-before

PO_RF = "(po | rf)+"


def test_commit_before_is_read_where_it_stands() -> None:
    model = read("acyclic po\n(*% commit-before (po (* not co *) | rf)+ *)\nlet later = co")
    assert model.commit_before == meaning(PO_RF)
    assert model.commit_before_origin == "annotated"
    assert model.commit_before.span.text == "(po (* not co *) | rf)+"


def test_commit_before_sees_the_whole_file_and_is_closed() -> None:
    model = read("(*% commit-before hb | rf *)\nlet hb = po ; po\nacyclic po")
    assert model.commit_before is not None
    assert show_expr(model.commit_before, model) == "(hb | rf)+"


def test_the_model_s_own_commit_before_comes_before_an_included_one(tmp_path: Path) -> None:
    (tmp_path / "a.cat").write_text("(*% commit-before po *)")
    (tmp_path / "b.cat").write_text("(*% commit-before rf *)")
    both = 'include "a.cat"\ninclude "b.cat"\n'
    assert read(both + "(*% commit-before co *)", tmp_path).commit_before == meaning("co+")
    assert read('include "b.cat"', tmp_path).commit_before == meaning("rf+")
    with pytest.raises(InputError, match="two included files"):
        read(both, tmp_path)


@pytest.mark.parametrize(
    ("text", "has_default"),
    [
        ("acyclic po | rf", True),
        ("acyclic po | com", True),
        ("acyclic (rf? | co)+ | (fr | po)*", True),
        ("let rec a = po | (a ; a) | b and b = rf | a\nacyclic a", True),
        ("let hb = (po | rf)+\nirreflexive hb", True),
        ("irreflexive (po | rf)+ | co", True),
        ("acyclic po | rfe", False),  # rfi may go against po
        ("acyclic po | rfe\nacyclic po-loc | com", True),
        ("acyclic po | rfe\nacyclic po-loc | co", False),
        ("acyclic po | (ext & rf)\nacyclic (loc & po) | rf", True),
        ("acyclic po-loc | rf", False),
        ("acyclic po\nacyclic rf", False),
        ("irreflexive po | rf", False),
        ("irreflexive (po ; rf)+", False),
        ("empty (po | rf)+", False),
        ("~acyclic po | rf", False),
        ("flag acyclic po | rf", False),
        ("acyclic (po & rf) | rf", False),
        ("acyclic (po \\ rf) | rf", False),
        ("let po = co\nacyclic po | rf", False),
        ("", False),
    ],
)
def test_default_commit_before(text: str, has_default: bool) -> None:
    model = read(text)
    if has_default:
        assert model.commit_before == meaning(PO_RF)
        assert model.commit_before_origin == "default"
    else:
        assert model.commit_before is None
        assert "commit-before" in model.commit_before_origin


def test_commit_before_of_the_built_in_models() -> None:
    for name in ("sc", "tso", "pso", "ra", "rc11", "power"):
        model = load_model(name)
        assert model.commit_before_origin == "annotated"
        if name != "power":
            assert model.commit_before == meaning(PO_RF)
    power = load_model("power")
    assert power.commit_before is not None
    assert show_expr(power.commit_before, power) == (
        "(addr | data | ctrl | rf | addr ; po | po-loc | sync | lwsync | eieio)+"
    )


# Printing


def random_relation(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("po", "rf", "co", "id", "0"))
    one, two = random_relation(rng, depth - 1), random_relation(rng, depth - 1)
    forms = (
        f"({one} | {two})",
        f"({one} & {two})",
        f"({one} \\ {two})",
        f"({one} ; {two})",
        f"(~{one})",
        f"({one}{rng.choice(('+', '*', '?', '^-1'))})",
        f"([{random_set(rng, depth - 1)}])",
        f"({random_set(rng, depth - 1)} * {random_set(rng, depth - 1)})",
    )
    return rng.choice(forms)


def random_set(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("W", "R", "_", "{}"))
    one, two = random_set(rng, depth - 1), random_set(rng, depth - 1)
    forms = (f"({one} | {two})", f"({one} \\ {two})", f"(~{one})")
    return rng.choice((*forms, f"domain({random_relation(rng, depth - 1)})"))


@pytest.mark.large
def test_what_is_shown_means_the_same() -> None:
    rng = random.Random(3)
    run = execution([W("x", 1), R("y", 0)], [W("y", 1), R("x", 1)])
    for _ in range(200):
        model = read(f"empty {random_relation(rng, rng.randint(1, 4))}")
        expr = model.axioms[0].expr
        again = read(f"empty {show_expr(expr, model)}")
        value = Evaluator(model, run).value(expr)
        assert Evaluator(again, run).value(again.axioms[0].expr) == value
