"""The Z3 and PySAT oracles: at every commit they say what the graph oracle says, and tell why."""

from __future__ import annotations

import pytest
from support import MODELS, keys_of, model, model_of, program
from test_reasons import check_form
from walks import Walk

from hybrid.crosscheck.random_programs import Shape, random_program
from hybrid.engine.api import POLICIES, Counters, Limits
from hybrid.engine.rsmc.engine import Rsmc
from hybrid.errors import InputError
from hybrid.execution.execution import Execution
from hybrid.execution.trace import Key, Status, key_of
from hybrid.execution.unfolding import Unfolding
from hybrid.frontend.generators import fig11
from hybrid.model.core import Model
from hybrid.oracle import graph, network
from hybrid.oracle.api import Candidate, Oracle
from hybrid.oracle.make import ACYCLICITIES, make_oracle
from hybrid.oracle.solver import SolverOracle
from hybrid.program.program import Program

pytestmark = pytest.mark.sample(6)

SOLVERS = ("pysat", "z3")

# The RSMC paper's Fig. 5
FIG5 = """
x = 0 y = 0
thread P: L0: r0 := y; L1: x := r0; L2: x := 2;
thread Q: L3: x := 3; L4: sync; L5: y := 1;
"""
# The middle event of addr;po is not committed when x := 1 is considered.


def explored(
    engine: Rsmc, source: Program, under: Model
) -> tuple[list[Key], Counters, list[object]]:
    """Everything that an exploration tells."""
    traces = list(engine.explore(source, under, Limits(2)))
    keys = sorted(trace.key() for trace in traces if trace.status is Status.COMPLETE)
    flags = [(t.status, t.data().flags if under.flags else ()) for t in traces]
    return keys, engine.counters, flags


@pytest.mark.parametrize("oracle", SOLVERS)
@pytest.mark.parametrize("name", MODELS)
def test_equal_explorations(name: str, oracle: str) -> None:
    under = model(name)
    traces = 0
    for number in range(30 if oracle == "pysat" else 12):
        source = random_program(12, number)
        expected = explored(Rsmc(), source, under)
        found = explored(Rsmc(oracle), source, under)
        # the graph oracle knows of more candidates that they need not be tried
        more = found[1].checks - expected[1].checks
        assert more >= 0
        assert found[1].refused == expected[1].refused + more
        found[1].checks, found[1].refused = expected[1].checks, expected[1].refused
        assert found == expected
        traces += len(expected[0])
    assert traces > 30


@pytest.mark.large
@pytest.mark.parametrize("oracle", SOLVERS)
@pytest.mark.parametrize("name", ["sc", "rc11", "power"])
def test_equal_classes(name: str, oracle: str) -> None:
    under = model(name)
    for number in range(14 if oracle == "pysat" else 6):
        source = random_program(13, number)
        found = []
        for asked in ("graph", oracle):
            engine = Rsmc(asked, equivalence="rf")
            traces = list(engine.explore(source, under, Limits(2)))
            for trace in traces:  # every class has a witness that the model allows
                if trace.status is Status.COMPLETE:
                    assert key_of(trace.data()) in all_keys(number, name)
            classes = sorted(str((t.status, sorted(t.data().rf.items()))) for t in traces)
            found.append((classes, engine.counters))
        assert found[0] == found[1]


def all_keys(number: int, name: str) -> set[Key]:
    traces = Rsmc().explore(random_program(13, number), model(name), Limits(2))
    return {trace.key() for trace in traces if trace.status is Status.COMPLETE}


@pytest.mark.parametrize("solver", ["cadical195", "glucose4", "minisat22"])
@pytest.mark.parametrize("equivalence", ["trace", "rf"])
def test_sat_solvers(solver: str, equivalence: str) -> None:
    for number in range(8):
        source = random_program(14, number)
        engine = Rsmc("pysat", sat_solver=solver, equivalence=equivalence)
        keys, counters, _ = explored(engine, source, model("power"))
        expected = explored(Rsmc(equivalence=equivalence), source, model("power"))
        assert len(keys) == len(expected[0])
        assert counters == expected[1]
        if equivalence == "trace":
            assert keys == expected[0]


class Both(graph.GraphOracle):
    """The graph oracle with another at its side, which must say the same and have a reason for each
    refusal."""

    def follow(self, other: SolverOracle) -> None:
        self.other = other
        self.refusals = 0

    def allows(self, execution: Execution, event: int, candidate: Candidate) -> bool:
        found = super().allows(execution, event, candidate)
        assert self.other.allows(execution, event, candidate) == found
        if not found:
            self.refusals += 1
            check_form(self.other.reason(), self.model)
        return found

    def commit(self, event: int, candidate: Candidate) -> None:
        super().commit(event, candidate)
        self.other.commit(event, candidate)

    def rollback(self) -> None:
        super().rollback()
        self.other.rollback()

    def settled(self, execution: Execution) -> bool:
        found = super().settled(execution)
        assert self.other.settled(execution) == found
        return found


@pytest.mark.parametrize(
    ("oracle", "acyclicity"), [(oracle, how) for oracle in SOLVERS for how in ACYCLICITIES[oracle]]
)
@pytest.mark.parametrize("name", ["power", "tso", "rc11", "ra"])
@pytest.mark.interpreted
def test_walks_with_reasons(name: str, oracle: str, acyclicity: str) -> None:
    """Commits and rollbacks in any order, and every candidate that is refused."""
    refusals = 0
    for number in range(12 if oracle == "pysat" else 5):
        source = random_program(15, number, Shape(instructions=(2, 4)))
        walk = Walk(source, model(name), number)
        both = Both(model(name), walk.execution)
        other = make_oracle(oracle, model(name), walk.execution, acyclicity=acyclicity)
        assert isinstance(other, SolverOracle)
        both.follow(other)
        walk.oracle = both
        for _ in walk.steps(15):
            pass
        refusals += both.refusals
    assert refusals > 3


@pytest.mark.parametrize("oracle", SOLVERS)
@pytest.mark.parametrize(
    ("text", "run", "refused", "reason"),
    [
        (
            (
                "x = 0 y = 0 thread P: A: x := 1; sync; B: y := 1; thread Q: C: r := y; "
                "sync; D: s := x;"
            ),
            [("A", 1), ("B", 1), ("C", "B")],
            ("D", "x"),
            "observation (irreflexive): 1.2 --fre--> 0.0 --prop: sync;rfe--> 1.0 --sync--> 1.2",
        ),
        (
            "x = 0 thread P: A: x := 1; B: r := x; thread Q: C: x := 2;",
            [("A", 1), ("C", 1)],
            ("B", "x"),
            "sc-per-location (acyclic): 0.0 --po-loc--> 0.1 --fr--> 0.0",
        ),
    ],
)
def test_reasons_come_from_cores(
    text: str,
    run: list[tuple[str, str | int]],
    refused: tuple[str, str],
    reason: str,
    oracle: str,
) -> None:
    execution = Execution(Unfolding(program(text), 5, True))
    made = make_oracle(oracle, model("power"), execution)
    graph_oracle = graph.GraphOracle(model("power"), execution)
    at = {s.label: s.event for s in execution.steps if s is not None}
    at["x"] = execution.co[0][0]
    for label, parameter in run:
        value = at[parameter] if isinstance(parameter, str) else parameter
        assert made.allowed(execution, at[label], [value]) == [value]
        assert graph_oracle.allowed(execution, at[label], [value]) == [value]
        made.commit(at[label], value)
        graph_oracle.commit(at[label], value)
        execution.commit(at[label], value)
    assert graph_oracle.allowed(execution, at[refused[0]], [at[refused[1]]]) == []
    assert str(graph_oracle.reason()) == reason
    assert made.allowed(execution, at[refused[0]], [at[refused[1]]]) == []
    assert str(made.reason()) == reason


@pytest.mark.parametrize("oracle", SOLVERS)
def test_nothing_is_encoded_again(oracle: str) -> None:
    """Going back and forth adds no clause; what another path adds stays."""
    execution = Execution(Unfolding(program(fig11(3, True)), 5, True))
    made = make_oracle(oracle, model("power"), execution)
    assert isinstance(made, SolverOracle)
    walk = Walk(program(fig11(3, True)), model("power"), 1)
    walk.execution, walk.oracle = execution, made  # type: ignore[assignment]
    walk.before = type(walk.before)(model("power"), execution)
    for _ in walk.steps(12):
        pass
    clauses, run = made.logic.clauses, list(execution.run)
    assert clauses > 100
    for _ in run:
        made.rollback()
        execution.rollback()
    for event, parameter in run:
        assert made.allowed(execution, event, [parameter]) == [parameter]
        made.commit(event, parameter)
        execution.commit(event, parameter)
    assert made.logic.clauses == clauses


@pytest.mark.parametrize("oracle", SOLVERS)
def test_the_graph_is_not_asked(oracle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise AssertionError("a solver oracle uses the graph oracle's relations")

    monkeypatch.setattr(network.Network, "__init__", forbidden)
    monkeypatch.setattr(graph.GraphOracle, "__init__", forbidden)
    keys, _ = keys_of(Rsmc(oracle), fig11(2, True), model("power"))
    assert len(keys) == 3


@pytest.mark.parametrize("oracle", SOLVERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_middle_of_addr_po_need_not_be_committed(oracle: str, policy: str) -> None:
    expected, _ = keys_of(Rsmc(policy=policy), FIG5, model("power"))
    keys, counters = keys_of(Rsmc(oracle, policy=policy), FIG5, model("power"))
    assert (keys, counters.stuck) == (expected, 0)


@pytest.mark.parametrize("oracle", SOLVERS)
@pytest.mark.parametrize(
    "text",
    [
        "acyclic po | (rf \\ co)",
        "acyclic po | com\nempty ~(rf | co) & po & [FW] as last",
    ],
)
def test_what_is_not_monotone_is_refused(text: str, oracle: str) -> None:
    under = model_of(f"{text}\nacyclic po | rf as causes")
    with pytest.raises(InputError, match="can also become true again") as error:
        list(Rsmc(oracle).explore(program(fig11(2, False)), under, Limits()))
    assert "--oracle graph" in error.value.hint


@pytest.mark.parametrize(
    "text",
    [
        # each operator that the built-in models leave out
        "acyclic po | com\nlet a = [domain(rf)] ; po ; [range(co)]\nirreflexive a ; fr",
        "acyclic po | com\nempty (po ; rf)^-1 & co",
        (
            "acyclic po | com\nlet rec a = rf | (a ; co?) and b = a | (b & (po ; rf)+)\n"
            "empty b & int & fr^-1"
        ),
        "acyclic po | com\nirreflexive (rf^-1 ; rf) & (po | po^-1 ; (po ; co)*)",
        "acyclic po | com\nempty (po & ext) | (int & rf & ~po-loc^-1) ; rf",
    ],
)
@pytest.mark.parametrize("oracle", SOLVERS)
def test_other_models(text: str, oracle: str) -> None:
    under = model_of(f"{text}\nempty rmw & (fre ; coe)\n(*% commit-before (po | rf)+ *)")
    traces = 0
    for number in range(8):
        source = random_program(16, number, Shape((2, 3), (2, 3), (2, 2), 100))
        expected = explored(Rsmc(), source, under)
        found = explored(Rsmc(oracle), source, under)
        # the graph oracle knows of more candidates that they need not be tried
        more = found[1].checks - expected[1].checks
        assert more >= 0
        assert found[1].refused == expected[1].refused + more
        found[1].checks, found[1].refused = expected[1].checks, expected[1].refused
        assert found == expected
        traces += len(expected[0])
    assert traces > 5


def test_unknown_names() -> None:
    with pytest.raises(InputError, match="no oracle"):
        Rsmc("cvc5")
    with pytest.raises(InputError, match="no SAT solver"):
        Rsmc("pysat", sat_solver="zchaff")
    execution = Execution(Unfolding(program(fig11(2, False)), 5, True))
    with pytest.raises(InputError, match="no encoding of acyclicity"):
        made: Oracle = make_oracle("pysat", model("sc"), execution, acyclicity="difference")
        assert made
