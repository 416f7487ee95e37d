"""Which machine has the executions that a model allows, and its state at the start of a program.

A model's text names the machine, `(*% operational sc *)`. A text without that comment whose only
axioms are that program order and communication make no cycle, and that read-modify-writes are
atomic, means `sc`.
"""

from __future__ import annotations

from dataclasses import replace

from hybrid.engine.api import Limits
from hybrid.engine.odpor.buffered_order import BufferedOrder
from hybrid.engine.odpor.buffers import BufferedInterleaving
from hybrid.engine.odpor.happens_before import HappensBefore
from hybrid.engine.odpor.interleaving import Interleaving
from hybrid.execution.numbering import numbering_for
from hybrid.execution.unfolding import Unfolding
from hybrid.model import core
from hybrid.model.knows import sequential
from hybrid.oracle.coherence import atomic
from hybrid.program import instructions as ins
from hybrid.program.program import Program

FULL_FENCE, STORE_FENCE = "full-fence", "stbar"  # sets that the texts of models define


def operational(model: core.Model) -> str:
    """The machine whose runs are the executions that the model allows; empty: none is known."""
    if model.operational:
        return model.operational
    parts = [replace(model, axioms=(axiom,)) for axiom in model.constraints]
    others = [part for part in parts if not sequential(part)]
    known = len(others) < len(parts) and all(map(atomic, others))
    return core.SEQUENTIAL if known else ""


def start(
    program: Program, model: core.Model, limits: Limits, adds: frozenset[str]
) -> HappensBefore:
    """The empty execution of the program on the machine of the model; the fetch-and-adds with these
    labels are independent of each other."""
    numbering = numbering_for(program, model, by_thread=True, lazy=True)
    unfolding = Unfolding(
        program, limits.unroll, False, max_steps=limits.max_steps, numbering=numbering
    )
    machine = operational(model)
    if machine == core.SEQUENTIAL:
        return HappensBefore(Interleaving(unfolding, adds))
    buffers = BufferedInterleaving(
        unfolding,
        adds,
        machine == core.PARTIAL_STORE_ORDER,
        _fences(program, model, FULL_FENCE),
        _fences(program, model, STORE_FENCE),
    )
    return BufferedOrder(buffers)


def _fences(program: Program, model: core.Model, name: str) -> frozenset[frozenset[str]]:
    """The tags of the program's fences that are in the set of this name."""
    defined = [each.expr for each in model.definitions if each.name == name]
    return frozenset(
        instruction.tags
        for thread in program.threads
        for instruction in thread.code
        if isinstance(instruction, ins.Fence)
        if any(_has(model, expr, instruction.tags) for expr in defined)
    )


def _has(model: core.Model, expr: core.Expr, tags: frozenset[str]) -> bool:
    """Whether a set has a fence with these tags; only sets of tags are known here."""
    if isinstance(expr, core.Base):
        return expr.name in ("F", "_") or expr.name in tags
    if isinstance(expr, core.Ref):
        return _has(model, model.definitions[expr.index].expr, tags)
    if isinstance(expr, core.Union):
        return _has(model, expr.left, tags) or _has(model, expr.right, tags)
    if isinstance(expr, core.Inter):
        return _has(model, expr.left, tags) and _has(model, expr.right, tags)
    if isinstance(expr, core.Diff):
        return _has(model, expr.left, tags) and not _has(model, expr.right, tags)
    return False
