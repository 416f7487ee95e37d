"""C tests from single threads or pieces of text, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable

from hybrid.engine.api import Engine, Limits
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import Status, TraceData
from hybrid.frontend.load import parse_litmus
from hybrid.model.load import load_model
from hybrid.program.program import Program
from hybrid.program.show import show_instruction
from hybrid.source import Source

PARAMETERS = "atomic_int *x, int *y, atomic_int *z"


def litmus(*bodies: str, initial: str = "", parameters: str = PARAMETERS, final: str = "") -> str:
    """A test whose threads have these bodies and all the same parameters."""
    threads = [f"P{i} ({parameters}) {{\n  {body}\n}}" for i, body in enumerate(bodies)]
    return "\n".join(["C test", f"{{ {initial} }}", *threads, final]) + "\n"


def compiled(
    *bodies: str, initial: str = "", parameters: str = PARAMETERS, final: str = ""
) -> Program:
    text = litmus(*bodies, initial=initial, parameters=parameters, final=final)
    return parse_litmus(Source("test.litmus", text))


def code(program: Program, thread: int = 0) -> list[str]:
    """The instructions of a thread, a line each; targets by their index."""
    return [show_instruction(i) for i in program.threads[thread].code]


def runs(
    program: Program, model: str = "rc11", engine: Engine | None = None, unroll: int = 5
) -> list[TraceData]:
    """The complete executions."""
    explored = (engine or Enumerate()).explore(program, load_model(model), Limits(unroll))
    return [trace.data() for trace in explored if trace.status is Status.COMPLETE]


def values(found: Iterable[TraceData], *names: str, thread: int = 0) -> set[tuple[int, ...]]:
    """The final values of variables of a thread, a tuple a run."""
    return {tuple(run.registers[thread].get(name, 0) for name in names) for run in found}


def one(body: str, *names: str, initial: str = "", parameters: str = PARAMETERS) -> tuple[int, ...]:
    """What a thread alone computes."""
    (found,) = values(runs(compiled(body, initial=initial, parameters=parameters), "sc"), *names)
    return found
