"""TruSt in all its forms: the paper's figures, what the programs have more than the paper's,
refusals, and PREV."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from graph_cases import COUNTS, ENDS, LARGE, MODELS, OTHERS, check_count, check_deep, writers
from support import choose_engine, keys_of, model, model_of, program
from test_engines import RWW, WWRR, exp_mem, lastzero

from hybrid.catalogue.engines import engines_for, refusal
from hybrid.catalogue.spelling import parse_configurations
from hybrid.crosscheck.compare import crosscheck
from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import Counters, Limits, Stopped
from hybrid.engine.trust.engine import Trust
from hybrid.engine.trust.explorer import TrustExploration
from hybrid.engine.trust.frame import TrustUnit, UnitFrame
from hybrid.engine.trust.linear import LinearExploration, LinearRfExploration
from hybrid.errors import InputError
from hybrid.execution.numbering import numbering_for
from hybrid.execution.trace import Status
from hybrid.program.program import Program

pytestmark = pytest.mark.sample(12)

Make = Callable[[], Trust]

TRACES: dict[str, Make] = {
    "trust": Trust,
    "trust/last": lambda: Trust(policy="last"),
    "trust/random": lambda: Trust(policy="random", seed=5),
    "trust-linear": lambda: Trust(memory="linear"),
    "trust-linear/last": lambda: Trust(memory="linear", policy="last"),
}
CLASSES: dict[str, Make] = {
    "trust+rf": lambda: Trust(equivalence="rf"),
    "trust+rf/last": lambda: Trust(equivalence="rf", policy="last"),
    "trust-linear+rf": lambda: Trust(equivalence="rf", memory="linear"),
}
ALL = TRACES | CLASSES
FIG9 = "x = 0 thread P: r := x; thread Q: x := 1; x := 2;"


@pytest.fixture(params=TRACES)
def engine(request: pytest.FixtureRequest) -> Trust:
    return TRACES[request.param]()


@pytest.fixture(params=CLASSES)
def classes(request: pytest.FixtureRequest) -> Trust:
    return CLASSES[request.param]()


# ---- numbers


@pytest.mark.parametrize(("text", "count"), [c[1:] for c in COUNTS], ids=[c[0] for c in COUNTS])
def test_numbers_of_traces(engine: Trust, text: str, count: int) -> None:
    check_count(engine, text, count)


@pytest.mark.large
@pytest.mark.parametrize(("text", "count"), [c[1:] for c in LARGE], ids=[c[0] for c in LARGE])
@pytest.mark.parametrize("name", ["trust", "trust-linear"])
def test_larger_numbers_of_traces(name: str, text: str, count: int) -> None:
    check_count(TRACES[name](), text, count)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (WWRR, 4),
        (RWW, 3),
        (FIG9, 3),
        *((writers(n), n + 1) for n in range(1, 7)),
        *((lastzero(n), (n + 3) * 2 ** (n - 2)) for n in (2, 3, 7)),
        *((exp_mem(n), 2 * math.factorial(n)) for n in (2, 4)),
    ],
)
def test_numbers_of_classes(classes: Trust, text: str, count: int) -> None:
    check_count(classes, text, count)


class Watched(TrustExploration):
    """Notes who revisits whom, and which store had revisited the load before."""

    revisits: list[tuple[int, int, int]]

    def _restrict(self, frame: UnitFrame, load: int, source: int) -> bool:
        earlier = next(f.forced for f in self.stack if f.event == load)
        self.revisits.append((load, frame.event, earlier))
        return super()._restrict(frame, load, source)


def test_the_load_of_fig9_is_revisited_twice() -> None:
    watched = Watched(program(FIG9), model("sc"), Limits(), Counters(), (0, 1), "graph", "")
    watched.revisits = []
    assert len({trace.key() for trace in watched.run()}) == 3
    first, second = watched.revisits
    assert first[2] == -1
    assert second == (first[0], second[1], first[1])  # the load reads from the first store by then


# ---- the same as enumerate


FORMS = (
    "enumerate,trust,trust/last,trust/random,trust+rf,trust+rf/last,"
    "trust-linear,trust-linear/last,trust-linear+rf"
)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_programs(text: str, name: str) -> None:
    configurations = parse_configurations(FORMS)
    comparison = crosscheck(program(text), model(name), configurations, Limits(2))
    assert len(comparison.findings) == len(configurations)
    assert comparison.agree, comparison.differences


@pytest.mark.large
@pytest.mark.parametrize("name", MODELS)
def test_random_programs(name: str) -> None:
    """Read-modify-writes, exclusives, awaits, assumes and loops included."""
    configurations = parse_configurations(FORMS)
    for number in range(25):
        source = random_program(71, number, Shape(candidates=200))
        comparison = crosscheck(source, model(name), configurations, Limits(2), seed=number)
        assert len(comparison.findings) == len(configurations)
        assert comparison.agree, (source.name, comparison.differences)


@pytest.mark.large
@pytest.mark.parametrize("name", MODELS)
def test_nothing_is_explored_in_vain(name: str) -> None:
    """Without read-modify-writes, exclusives, awaits and assumes every run is a complete trace."""
    seen = 0
    for number in range(40):
        source = random_program(72, number, Shape(candidates=100))
        if _plain(source):
            seen += 1
            for make in ALL.values():
                engine = make()
                traces = list(engine.explore(source, model(name), Limits()))
                counters = engine.counters
                assert counters.complete + counters.errors + counters.cut == len(traces)
                assert counters.blocked == counters.stuck == 0
    assert seen > 5


def _plain(source: Program) -> bool:
    from hybrid.program import instructions as ins

    return not any(
        isinstance(i, ins.Rmw | ins.StoreConditional | ins.Assume)
        or (isinstance(i, ins.Load) and i.guard is not None)
        for thread in source.threads
        for i in thread.code
    )


@pytest.mark.parametrize("oracle", ["z3", "pysat"])
@pytest.mark.parametrize("name", ["sc", "rc11"])
def test_solvers_decide(oracle: str, name: str) -> None:
    configurations = parse_configurations(
        f"trust,trust:{oracle},trust-linear:{oracle},trust+rf:{oracle},trust-linear+rf:{oracle}"
    )
    for number in range(6):
        source = random_program(73, number, Shape(candidates=150))
        comparison = crosscheck(source, model(name), configurations, Limits(1))
        assert comparison.agree, (source.name, comparison.differences)


# ---- ends of runs


@pytest.mark.parametrize(("after", "status"), ENDS)
def test_an_assert_counts_however_the_run_ends(engine: Trust, after: str, status: Status) -> None:
    text = f"x = 0 y = 0 thread P: r := x; A: assert r = 0; {after} thread Q: x := 1;"
    traces = list(engine.explore(program(text), model("tso"), Limits(unroll=1)))
    assert {t.status for t in traces if t.failed} == {status}
    assert {t.failed for t in traces} <= {(), ("A",)}


@pytest.mark.parametrize("form", ALL)
def test_an_await_that_nothing_satisfies(form: str) -> None:
    engine = ALL[form]()
    text = "x = 0 thread P: await(x = 3); thread Q: x := 1; x := 2;"
    found = list(engine.explore(program(text), model("sc"), Limits()))
    assert [trace.status for trace in found] == [Status.WAITING]
    assert engine.counters.stuck == 0


def test_the_run_replays_in_its_order(engine: Trust) -> None:
    """A load comes after its source, and a store's place is among those before it."""
    for trace in engine.explore(program(exp_mem(3)), model("sc"), Limits()):
        seen: set[object] = set()
        for event, parameter in trace.data().run:
            assert not isinstance(parameter, tuple) or parameter[0] < 0 or parameter in seen
            seen |= {event, (event[0], event[1] + 1)}


def test_the_time_is_up(engine: Trust) -> None:
    limits = Limits(deadline=0.0)
    with pytest.raises(Stopped):
        list(engine.explore(program(lastzero(9)), model("sc"), limits))


def test_long_programs_need_no_stack_of_pythons(engine: Trust) -> None:
    check_deep(engine)


def test_long_programs_by_reads_from(classes: Trust) -> None:
    text = f"x = 0 thread P: {'r := x; ' * 1100}"
    assert sum(1 for _ in classes.explore(program(text), model("sc"), Limits())) == 1


# ---- what is refused

PO_RF = "(*% commit-before (po | rf)+ *)"


def test_models_in_which_po_and_rf_may_make_a_cycle() -> None:
    for name in ("power", "aarch64"):
        for engine in ("trust", "trust-linear"):
            with pytest.raises(InputError) as caught:
                choose_engine(engine, model(name))
            assert "po | rf is acyclic" in caught.value.message
            assert "enumerate" in (caught.value.hint or "")
            assert engine not in engines_for(model(name))
    for name in MODELS:
        assert {"trust", "trust-linear"} <= set(engines_for(model(name)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"acyclic po | rf | co\n~empty rf as some\n{PO_RF}", "can become true again later"),
        (f"acyclic po | rf\nempty co \\ rf as odd\n{PO_RF}", "can become true again later"),
        ("acyclic po as order", "po | rf is acyclic"),
    ],
)
def test_other_models_that_are_refused(text: str, reason: str) -> None:
    error = refusal("trust", model_of(text))
    assert error is not None
    assert reason in error.message or "commit-before" in error.message


def test_an_rmw_needs_atomicity() -> None:
    loose = model_of(f"acyclic po | rf | co | fr as sc\n{PO_RF}")
    assert refusal("trust", loose, program(RWW)) is None
    error = refusal("trust", loose, program(exp_mem(1)))
    assert error is not None and "atomic" in error.message


def test_a_model_that_is_not_maximally_extensible_gets_stuck() -> None:
    """No load may read from another thread, the initial writes included."""
    stuck = model_of(f"acyclic po | rf | co | fr as sc\nempty rf & ext as own\n{PO_RF}")
    for make in ALL.values():
        engine = make()
        assert list(engine.explore(program("x = 0 thread P: r := x;"), stuck, Limits())) == []
        assert engine.counters.stuck == 1


@pytest.mark.parametrize("option", ["policy", "equivalence", "memory"])
def test_unknown_words(option: str) -> None:
    with pytest.raises(InputError, match=f"no {option} is called 'odd'"):
        Trust(**{option: "odd"})


# ---- PREV, and subtrees as data


class Remembered(LinearExploration):
    """Remembers what linear memory forgets, to compare it with what PREV finds."""

    kept: dict[int, list[list[TrustUnit]]]
    found: int

    def _restrict(self, frame: UnitFrame, load: int, source: int) -> bool:
        units = self.units()[:-1]
        restricted = super()._restrict(frame, load, source)
        if restricted:
            self.kept.setdefault(frame.event, []).append(units)
        return restricted

    def _restore(self, frame: UnitFrame) -> None:
        super()._restore(frame)
        assert self.units()[:-1] == self.kept[frame.event].pop()
        self.found += 1


class RememberedClasses(Remembered, LinearRfExploration):
    pass


@pytest.mark.parametrize("made", [Remembered, RememberedClasses])
@pytest.mark.parametrize("name", ["sc", "ra"])
def test_prev_finds_what_a_revisit_deleted(made: type[Remembered], name: str) -> None:
    found = 0
    for number in range(60):
        source = random_program(74, number, Shape(candidates=600))
        threads = range(len(source.threads))
        exploration = made(source, model(name), Limits(2), Counters(), threads, "graph", "")
        exploration.kept = {}
        exploration.found = 0
        for _ in exploration.run():
            pass
        found += exploration.found
    assert found > 50


def test_memory_holds_one_graph() -> None:
    """No frame of the linear form has options, places or deleted units below the top."""

    class Watching(LinearExploration):
        def _choose(self):  # type: ignore[no-untyped-def]
            for frame in self.stack:
                assert not frame.options and not frame.places and not frame.deleted
            return super()._choose()

    source = program(exp_mem(4))
    exploration = Watching(source, model("sc"), Limits(), Counters(), range(5), "graph", "")
    assert sum(1 for _ in exploration.run()) == 48


@pytest.mark.parametrize("form", ALL)
@pytest.mark.interpreted
def test_a_graph_stands_for_all_below_it(form: str) -> None:
    """The graphs with three units, each explored by itself, give all traces."""
    source = program(WWRR)
    whole, _ = keys_of(ALL[form](), WWRR, model("sc"))
    graphs: dict[tuple[TrustUnit, ...], None] = {}
    exploration = ALL[form]().exploration(source, model("sc"), Limits())
    choose = exploration._choose

    def watch():  # type: ignore[no-untyped-def]
        if len(exploration.stack) == 3:
            graphs[tuple(exploration.units())] = None
        return choose()

    exploration._choose = watch  # type: ignore[method-assign]
    list(exploration.run())
    found = [
        trace.key()
        for graph in graphs
        for trace in ALL[form]().exploration(source, model("sc"), Limits()).run(graph)
    ]
    assert len(graphs) > 1
    assert set(found) == set(whole)


def test_events_of_loops_have_numbers_of_their_own() -> None:
    """Threads without a loop need none beyond those of their code."""
    loop = "L{0}: r := x; if r = 0 goto L{0}; "
    source = program(
        f"x = 0 thread P: {loop.format(1)} thread Q: x := 1; thread R: {loop.format(2)} x := 2;"
    )
    numbering = numbering_for(source, model("sc"), by_thread=True)
    numbers = [numbering.event(thread, slot) for thread in (0, 2) for slot in range(9)]
    numbers.append(numbering.event(1, 0))
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) == numbering.initial_writes.bit_length()
    assert max(numbers) < min(numbers) + len(numbers) + 2
