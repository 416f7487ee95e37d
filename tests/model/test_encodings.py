"""The built-in models on classic executions: each line says which models allow the weak outcome."""

from __future__ import annotations

from functools import cache

import pytest
from cat_naive import B, Evaluator, F, Op, R, U, W, broken, closure, execution, raised

from hybrid.model import builtin_models, load_model
from hybrid.model.core import Model
from hybrid.model.show import show_expr

pytestmark = pytest.mark.sample(2)

ALL = ("sc", "tso", "pso", "ra", "rc11", "power")
SYNC, LWSYNC, EIEIO, MFENCE, SC = F("SYNC"), F("LWSYNC"), F("EIEIO"), F("MFENCE"), F("SC")


@cache
def model(name: str) -> Model:
    return load_model(name)


def test_the_built_in_models() -> None:
    assert set(ALL) <= set(builtin_models())


def sb(*between: Op) -> list[list[Op]]:
    return [[W("x", 1), *between, R("y", 0)], [W("y", 1), *between, R("x", 0)]]


def mp(writer: list[Op], reader: list[Op]) -> list[list[Op]]:
    return [[W("x", 1), *writer, W("y", 1)], [R("y", 1), *reader]]


def iriw(*between: Op, **deps: tuple[int, ...]) -> list[list[Op]]:
    return [
        [W("x", 1)],
        [R("x", 1), *between, R("y", 0, **deps)],
        [W("y", 1)],
        [R("y", 1), *between, R("x", 0, **deps)],
    ]


def two_two_w(*between: Op) -> list[list[Op]]:
    """2+2W: x=2;y=1 ∥ y=2;x=1, both 2s last."""
    return [[W("x", 2), *between, W("y", 1)], [W("y", 2), *between, W("x", 1)]]


def tagged(threads: list[list[Op]], read: str, write: str) -> list[list[Op]]:
    """The same with all accesses annotated."""
    tags = {"R": (read,), "W": (write,)}
    return [
        [Op(o.kind, o.loc, o.value, o.new, tags.get(o.kind, o.tags), o.addr, o.data) for o in t]
        for t in threads
    ]


a0 = {"addr": (0,)}
LITMUS: dict[str, tuple[list[list[Op]], str]] = {
    # store buffering
    "SB": (sb(), "tso pso ra rc11 power"),
    "SB+syncs": (sb(SYNC), "rc11"),
    "SB+mfences": (sb(MFENCE), "rc11"),
    "SB+fence scs": (sb(SC), ""),
    "SB+lwsyncs": (sb(LWSYNC), "tso pso ra rc11 power"),
    "SB+accesses sc": (tagged(sb(), "SC", "SC"), "tso pso ra power"),
    "SB+accesses relacq": (tagged(sb(), "ACQ", "REL"), "tso pso ra rc11 power"),
    "SB+rfi": (
        [[W("x", 1), R("x", 1), R("y", 0)], [W("y", 1), R("y", 1), R("x", 0)]],
        "tso pso ra rc11 power",
    ),
    "SB+rfi+mfences": (
        [[W("x", 1), MFENCE, R("x", 1), R("y", 0)], [W("y", 1), MFENCE, R("y", 1), R("x", 0)]],
        "rc11",
    ),
    "SB+xchgs": ([[U("x", 0, 1), R("y", 0)], [U("y", 0, 1), R("x", 0)]], "ra rc11 power"),
    "SB+xchg of z between": (
        [[W("x", 1), U("z", 0, 1), R("y", 0)], [W("y", 1), U("w", 0, 1), R("x", 0)]],
        "ra rc11 power",
    ),
    "SB+xchg of one z between": (
        [[W("x", 1), U("z", 0, 1), R("y", 0)], [W("y", 1), U("z", 1, 2), R("x", 0)]],
        "rc11 power",
    ),
    # message passing
    "MP": (mp([], [R("x", 0)]), "pso rc11 power"),
    "MP+rel+acq": (
        [[W("x", 1), W("y", 1, "REL")], [R("y", 1, "ACQ"), R("x", 0)]],
        "pso power",
    ),
    "MP+rel+rlx": ([[W("x", 1), W("y", 1, "REL")], [R("y", 1), R("x", 0)]], "pso rc11 power"),
    "MP+fence rel+fence acq": (mp([F("REL")], [F("ACQ"), R("x", 0)]), "power"),
    "MP+fence rel+acq": ([[W("x", 1), F("REL"), W("y", 1)], [R("y", 1, "ACQ"), R("x", 0)]],
        "power"),
    "MP+lwsync+po": (mp([LWSYNC], [R("x", 0)]), "rc11 power"),
    "MP+lwsync+addr": (mp([LWSYNC], [R("x", 0, **a0)]), "rc11"),
    "MP+sync+addr": (mp([SYNC], [R("x", 0, **a0)]), "rc11"),
    "MP+eieio+addr": (mp([EIEIO], [R("x", 0, **a0)]), "rc11"),
    "MP+eieio+po": (mp([EIEIO], [R("x", 0)]), "rc11 power"),
    "MP+isync+addr": (mp([F("ISYNC")], [R("x", 0, **a0)]), "pso rc11 power"),
    "MP+lwsync+lwsync": (mp([LWSYNC], [LWSYNC, R("x", 0)]), "rc11"),
    "MP+lwsync+eieio": (mp([LWSYNC], [EIEIO, R("x", 0)]), "rc11 power"),
    "MP+po+addr": (mp([], [R("x", 0, **a0)]), "pso rc11 power"),
    "MP+sync+ctrl": (mp([SYNC], [B(0), R("x", 0)]), "rc11 power"),
    "MP+sync+ctrlisync": (mp([SYNC], [B(0), F("ISYNC"), R("x", 0)]), "rc11"),
    "MP+sync+isync;ctrl": (mp([SYNC], [F("ISYNC"), B(0), R("x", 0)]), "rc11 power"),
    "MP+lwsync+ctrlisync": (mp([LWSYNC], [B(0), F("ISYNC"), R("x", 0)]), "rc11"),
    "MP+sync+ctrl-rfi-addr (PPOCA)": (
        mp([SYNC], [B(0), W("z", 1), R("z", 1), R("x", 0, addr=(3,))]),
        "rc11 power",
    ),
    "MP+sync+addr-rfi-addr (PPOAA)": (
        mp([SYNC], [W("z", 1, **a0), R("z", 1), R("x", 0, addr=(2,))]),
        "rc11",
    ),
    "MP+sync+data-rfi-addr": (
        mp([SYNC], [W("z", 1, data=(0,)), R("z", 1), R("x", 0, addr=(2,))]),
        "rc11",
    ),
    "MP+sync+rdw": (
        [*mp([SYNC], [R("z", 0, **a0), R("z", 1), R("x", 0, addr=(2,))]), [W("z", 1)]],
        "rc11",
    ),
    "MP+sync+rsw": (
        [*mp([SYNC], [R("z", 1, **a0), R("z", 1), R("x", 0, addr=(2,))]), [W("z", 1)]],
        "rc11 power",
    ),
    "MP+sync+addr-po": (mp([SYNC], [R("z", 0, **a0), R("x", 0)]), "rc11 power"),
    "MP+rel sequence by rmw": (
        [[W("x", 1), W("y", 1, "REL")], [U("y", 1, 2)], [R("y", 2, "ACQ"), R("x", 0)]],
        "pso power",
    ),
    "MP+rel sequence broken by a store": (
        [[W("x", 1), W("y", 1, "REL")], [R("y", 1), W("y", 2)], [R("y", 2, "ACQ"), R("x", 0)]],
        "pso rc11 power",
    ),
    "MP+rel sequence of the same thread": (
        [[W("x", 1), W("y", 1, "REL"), W("y", 2)], [R("y", 2, "ACQ"), R("x", 0)]],
        "pso power",
    ),
    # load buffering
    "LB": ([[R("x", 1), W("y", 1)], [R("y", 1), W("x", 1)]], "power"),
    "LB+datas": ([[R("x", 1), W("y", 1, data=(0,))], [R("y", 1), W("x", 1, data=(0,))]], ""),
    "LB+addrs": ([[R("x", 1), W("y", 1, **a0)], [R("y", 1), W("x", 1, **a0)]], ""),
    "LB+data+po": ([[R("x", 1), W("y", 1, data=(0,))], [R("y", 1), W("x", 1)]], "power"),
    "LB+ctrls": ([[R("x", 1), B(0), W("y", 1)], [R("y", 1), B(0), W("x", 1)]], ""),
    "LB+addr;pos": (
        [[R("x", 1), R("z", 0, **a0), W("y", 1)], [R("y", 1), R("w", 0, **a0), W("x", 1)]],
        "",
    ),
    "LB+lwsyncs": ([[R("x", 1), LWSYNC, W("y", 1)], [R("y", 1), LWSYNC, W("x", 1)]], ""),
    # other shapes
    "S": ([[W("x", 2), W("y", 1)], [R("y", 1), W("x", 1)]], "pso rc11 power"),
    "S+lwsync+data": ([[W("x", 2), LWSYNC, W("y", 1)], [R("y", 1), W("x", 1, data=(0,))]], "rc11"),
    "S+lwsync+po": ([[W("x", 2), LWSYNC, W("y", 1)], [R("y", 1), W("x", 1)]], "rc11 power"),
    "R": ([[W("x", 1), W("y", 1)], [W("y", 2), R("x", 0)]], "tso pso ra rc11 power"),
    "R+syncs": ([[W("x", 1), SYNC, W("y", 1)], [W("y", 2), SYNC, R("x", 0)]], "rc11"),
    "R+lwsync+sync": ([[W("x", 1), LWSYNC, W("y", 1)], [W("y", 2), SYNC, R("x", 0)]],
        "ra rc11 power"),
    "2+2W": (two_two_w(), "pso ra rc11 power"),
    "2+2W+lwsyncs": (two_two_w(LWSYNC), "ra rc11"),
    "2+2W+eieios": (two_two_w(EIEIO), "ra rc11"),
    "2+2W+syncs": (two_two_w(SYNC), "rc11"),
    "2+2W+fence scs": (two_two_w(SC), ""),
    "2+2W+rel": (tagged(two_two_w(), "ACQ", "REL"), "pso ra rc11 power"),
    "2+2W+sc": (tagged(two_two_w(), "SC", "SC"), "pso ra power"),
    "WRC": ([[W("x", 1)], [R("x", 1), W("y", 1)], [R("y", 1), R("x", 0)]], "rc11 power"),
    "WRC+data+addr": (
        [[W("x", 1)], [R("x", 1), W("y", 1, data=(0,))], [R("y", 1), R("x", 0, **a0)]],
        "rc11 power",
    ),
    "WRC+lwsync+addr": (
        [[W("x", 1)], [R("x", 1), LWSYNC, W("y", 1)], [R("y", 1), R("x", 0, **a0)]],
        "rc11",
    ),
    "WRC+relacq": (
        [
            [W("x", 1)],
            [R("x", 1, "ACQ"), W("y", 1, "REL")],
            [R("y", 1, "ACQ"), R("x", 0, "ACQ")],
        ],
        "power",
    ),
    "ISA2+lwsync+addr+addr": (
        [
            [W("x", 1), LWSYNC, W("y", 1)],
            [R("y", 1), W("z", 1, **a0)],
            [R("z", 1), R("x", 0, **a0)],
        ],
        "rc11",
    ),
    "IRIW": (iriw(), "ra rc11 power"),
    "IRIW+addrs": (iriw(**a0), "ra rc11 power"),
    "IRIW+lwsyncs": (iriw(LWSYNC), "ra rc11 power"),
    "IRIW+syncs": (iriw(SYNC), "rc11"),
    "IRIW+fence scs": (iriw(SC), ""),
    "IRIW+accesses sc": (tagged(iriw(), "SC", "SC"), "ra power"),
    "IRIW+accesses relacq": (tagged(iriw(), "ACQ", "REL"), "ra rc11 power"),
    # coherence and atomicity: forbidden everywhere
    "CoRR": ([[W("x", 1)], [R("x", 1), R("x", 0)]], ""),
    "CoWW": ([[W("x", 2), W("x", 1)]], ""),
    "CoWR": ([[W("x", 2), R("x", 1)], [W("x", 1)]], ""),
    "CoRW1": ([[R("x", 1), W("x", 1)]], ""),
    "CoRW2": ([[R("x", 2), W("x", 1)], [W("x", 2)]], ""),
    "two rmws read the same": ([[U("x", 0, 1)], [U("x", 0, 2)]], ""),
    "a store between": ([[U("x", 0, 2)], [W("x", 1)]], ""),
    # allowed everywhere
    "rmws in turn": ([[U("x", 0, 1)], [U("x", 1, 2)]], " ".join(ALL)),
    "SB that reads 1": ([[W("x", 1), R("y", 1)], [W("y", 1), R("x", 0)]], " ".join(ALL)),
}  # fmt: skip


@pytest.mark.parametrize("name", LITMUS)
def test_litmus(name: str) -> None:
    threads, allowed = LITMUS[name]
    run = execution(*threads)
    assert " ".join(m for m in ALL if not broken(model(m), run)) == allowed


# Where rc20 and rc11 differ, and near misses: which of the two allows the execution.
RELEASE, AGAIN, LOOK = W("y", 1, "REL"), W("y", 2), [R("y", 2, "ACQ"), R("x", 0)]
RC20: dict[str, tuple[list[list[Op]], str]] = {
    # a store of the same thread ends the release sequence
    "MP+rel sequence of the same thread": ([[W("x", 1), RELEASE, AGAIN], LOOK], "rc20"),
    "the same, with a rmw of another thread behind it": (
        [[W("x", 1), RELEASE, AGAIN], [U("y", 2, 3)], [R("y", 3, "ACQ"), R("x", 0)]], "rc20"),
    "the same, read by an acquire fence": (
        [[W("x", 1), RELEASE, AGAIN], [R("y", 2), F("ACQ"), R("x", 0)]], "rc20"),
    "a rmw of the same thread": ([[W("x", 1), RELEASE, U("y", 1, 2)], LOOK], ""),
    "a release fence is before both": ([[W("x", 1), F("REL"), W("y", 1), AGAIN], LOOK], ""),
    "the second is a release too": ([[W("x", 1), RELEASE, W("y", 2, "REL")], LOOK], ""),
    # sb of one location, then hb, then sb: in the order of SC accesses
    "SC store overwritten": (
        [
            [W("x", 1, "SC"), W("x", 2, "REL")],
            [R("x", 2, "ACQ"), R("y", 0, "SC")],
            [W("y", 1, "SC"), R("x", 0, "SC")],
        ], "rc11"),
    "SC load of what was read before": (
        [
            [W("x", 1, "SC"), W("z", 1, "REL")],
            [R("z", 1, "ACQ"), R("z", 1, "SC")],
            [W("z", 2, "SC"), R("x", 0, "SC")],
        ], "rc11"),
    "sb between the events of a rmw (Z6.U)": (
        [
            [W("x", 1, "SC"), W("y", 1, "REL")],
            [U("y", 1, 2, "SC"), R("y", 3)],
            [W("y", 3, "SC"), R("x", 0, "SC")],
        ], "rc11 rc20"),
    "SC store of another location": (
        [
            [W("x", 1, "SC"), W("z", 1, "REL")],
            [R("z", 1, "ACQ"), R("y", 0, "SC")],
            [W("y", 1, "SC"), R("x", 0, "SC")],
        ], ""),
}  # fmt: skip


@pytest.mark.parametrize("name", RC20)
def test_rc20_where_it_differs_from_rc11(name: str) -> None:
    threads, allowed = RC20[name]
    run = execution(*threads)
    assert " ".join(m for m in ("rc11", "rc20") if not broken(model(m), run)) == allowed


@pytest.mark.parametrize("name", [name for name in LITMUS if name not in RC20])
def test_rc20_is_rc11_elsewhere(name: str) -> None:
    run = execution(*LITMUS[name][0])
    assert broken(model("rc20"), run) == broken(model("rc11"), run)


def test_rc20_has_two_definitions_of_its_own() -> None:
    """The texts are written out; whatever else changes in one changes in the other."""
    old, new = (
        {
            **{each.name: show_expr(each.expr, own) for each in own.definitions},
            **{each.name: f"{each.test} {show_expr(each.expr, own)}" for each in own.axioms},
        }
        for own in (model("rc11"), model("rc20"))
    )
    differ = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    assert differ == {"rs", "scb-far", "sb-nloc", "sb-op"}


@pytest.mark.parametrize("name", LITMUS)
def test_commit_before_is_acyclic_in_allowed_executions(name: str) -> None:
    run = execution(*LITMUS[name][0])
    for each in (*ALL, "rc20"):
        if not broken(model(each), run):
            commit_before = model(each).commit_before
            assert commit_before is not None
            pairs = Evaluator(model(each), run).value(commit_before)
            assert closure(pairs) == pairs
            assert all(a != b for a, b in pairs)


def test_which_axiom_is_broken() -> None:
    power = model("power")
    assert broken(power, execution(*LITMUS["MP+lwsync+addr"][0])) == ["observation"]
    assert broken(power, execution(*LITMUS["2+2W+lwsyncs"][0])) == ["propagation"]
    assert broken(power, execution(*LITMUS["LB+datas"][0])) == ["no-thin-air"]
    assert "sc-per-location" in broken(power, execution(*LITMUS["CoRR"][0]))
    assert broken(power, execution(*LITMUS["two rmws read the same"][0])) == ["atomic"]


def test_power_commits_along_its_fences() -> None:
    """A store whose eieio-successor is read could else find no place (MP+eieio+addr)."""
    run = execution(*mp([EIEIO], [R("x", 1, **a0)]))
    commit_before = model("power").commit_before
    assert commit_before is not None
    pairs = Evaluator(model("power"), run).value(commit_before)
    names = {(run.events[a].loc, run.events[b].loc) for a, b in pairs if run.events[a].thread == 0}
    assert ("x", "y") in names


@pytest.mark.parametrize(
    ("threads", "racy"),
    [
        ([[W("x", 1, "NA")], [R("x", 0, "NA")]], True),
        ([[W("x", 1, "NA")], [R("x", 0)]], True),
        ([[W("x", 1)], [R("x", 0)]], False),
        ([[R("x", 0, "NA")], [R("x", 0, "NA")]], False),
        ([[W("x", 1, "NA")], [W("y", 1, "NA")]], False),
        ([[W("x", 1, "NA"), R("x", 1, "NA")]], False),
        ([[W("x", 1, "NA"), W("y", 1, "REL")], [R("y", 1, "ACQ"), R("x", 1, "NA")]], False),
        ([[W("x", 1, "NA"), W("y", 1, "REL")], [R("y", 0, "ACQ"), R("x", 0, "NA")]], True),
        ([[W("x", 1, "NA"), W("y", 1)], [R("y", 1, "ACQ"), R("x", 1, "NA")]], True),
    ],
)
def test_races_of_rc11(threads: list[list[Op]], racy: bool) -> None:
    run = execution(*threads)
    for name in ("rc11", "rc20"):
        assert broken(model(name), run) == []
        assert raised(model(name), run) == (["race"] if racy else [])


def test_a_race_under_rc20_alone() -> None:
    """What only a release sequence of C++11 orders."""
    writer = [W("x", 1, "NA"), W("y", 1, "REL"), W("y", 2)]
    run = execution(writer, [R("y", 2, "ACQ"), R("x", 1, "NA")])
    assert raised(model("rc11"), run) == []
    assert raised(model("rc20"), run) == ["race"]
