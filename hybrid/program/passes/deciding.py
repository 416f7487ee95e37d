"""What awaits and assumes have decided: branches that go one way only, and what no way leads to any
more. A loop all of whose iterations were pure goes with that.

A branch makes all that follows depend on what it tests. Where the model knows dependencies, it goes
only if something before it tests the same.
"""

from __future__ import annotations

from hybrid.program import instructions as ins
from hybrid.program.passes.cfg import ControlFlow, NaturalLoop
from hybrid.program.passes.facts import KnownFacts
from hybrid.program.passes.rewriting import Code, tidied, without
from hybrid.program.passes.ssa import Iteration


def decided(code: Code, dependencies: bool) -> Code:
    """The code without what is decided."""
    while True:
        after = _once(code, dependencies)
        if after == code:
            return code
        code = after


def _once(code: Code, dependencies: bool) -> Code:
    flow = ControlFlow(code)
    whole = NaturalLoop(0, frozenset(at for at in flow.order if at < len(code)), ())
    if not flow.reducible(whole):
        return code
    facts = KnownFacts(Iteration(flow, whole))
    found = list(code)
    for at in whole.body:
        branch = code[at]
        if not isinstance(branch, ins.Branch) or branch.target == at + 1:
            continue
        way = facts.decided(at)
        if way is None or (dependencies and not facts.tested(at) <= facts.controlled[at]):
            continue
        target = branch.target if way else at + 1
        found[at] = ins.Goto(branch.span, branch.label, target)
    return tidied(without(found, frozenset(facts.dead)))
