"""Calls that end the program in failure: a failed assert, abort."""

from __future__ import annotations

from hybrid.frontend.c import copying
from hybrid.frontend.c.operands import scalar
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.llvm import module as ll
from hybrid.program.origin import ASSERTION

FAILING = {
    "__assert_fail": "assertion fails",
    "__assert_rtn": "assertion fails",
    "__assert": "assertion fails",
    "__assert_func": "assertion fails",
    "abort": "abort is called",
    "__VERIFIER_error": "__VERIFIER_error is called",
    "reach_error": "reach_error is called",
    "__builtin_trap": "a trap is reached",
    "llvm.trap": "a trap is reached",
    "llvm.ubsantrap": "a trap is reached",
}


def failing_call(t: CThread, label: str) -> tuple[str, str] | None:
    """Where a block does nothing but to call a function that ends the program in failure: what to
    say of it."""
    block = t.state.top.flow.function.blocks[label]
    if len(block) < 2 or not isinstance(block[-1], ll.Unreachable):
        return None
    if len(t.state.top.flow.before[label]) != 1:
        return None
    last = block[-2]
    if not isinstance(last, ll.CallInst) or not isinstance(last.callee, ll.GlobalName):
        return None
    name = last.callee.name
    if name not in FAILING or not all(isinstance(each, ll.Gep | ll.Cast) for each in block[:-2]):
        return None
    return failure(t, name, last)


def failure(t: CThread, name: str, each: ll.CallInst) -> tuple[str, str]:
    """The kind and the message of a call that ends the program in failure."""
    message = FAILING[name]
    if name.startswith("__assert") and each.arguments:
        value = each.arguments[0].value
        text = None
        if isinstance(value, ll.GlobalName | ll.ConstExpr):
            pointer = scalar(t, each.arguments[0])
            text = copying.text_at(t, pointer)
        if text:
            return ASSERTION, text
    return ASSERTION, message
