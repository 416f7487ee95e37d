"""Inline assembly that is a fence, or nothing but a barrier to the compiler."""

from __future__ import annotations

import re

from hybrid.frontend.c.operands import operand
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.values import Aggregate, LlvmValue
from hybrid.frontend.llvm.module import CallInst, InlineAsm
from hybrid.program import instructions as ins
from hybrid.program.tags import FENCES

_NOTHING = frozenset({"", "nop", "pause", "rep", "rep nop", "yield"})
_FENCES = {
    "mfence": "mfence",
    "lfence": "lfence",
    "sfence": "sfence",
    "sync": "sync",
    "hwsync": "sync",
    "lwsync": "lwsync",
    "isync": "isync",
    "eieio": "eieio",
    "dmb": "dmb",
    "dmb sy": "dmb",
    "dmb ish": "dmb",
    "dmb st": "dmb.st",
    "dmb ishst": "dmb.st",
    "dmb ld": "dmb.ld",
    "dmb ishld": "dmb.ld",
    "dsb": "dsb",
    "dsb sy": "dsb",
    "dsb ish": "dsb",
    "dsb st": "dsb.st",
    "dsb ishst": "dsb.st",
    "dsb ld": "dsb.ld",
    "dsb ishld": "dsb.ld",
    "isb": "isb",
    "isb sy": "isb",
    "fence": "fence.rw.rw",
    "fence.tso": "fence.tso",
    "fence.i": "fence.i",
    **{f"fence {a},{b}": f"fence.{a}.{b}" for a in ("r", "w", "rw") for b in ("r", "w", "rw")},
}


# A locked instruction that changes nothing is a full fence on x86.
_LOCKED = re.compile(r"lock\s*;?\s*(?:add|or)[lq]?\s+\$+0(?:x0)?\s*,\s*-?\d*\(%+[er]sp\)")


def assembly(t: CThread, call: CallInst) -> LlvmValue:
    """Executes what it knows, instruction by instruction. What it gives back are values that it is
    given."""
    each = call.callee
    assert isinstance(each, InlineAsm)
    if "!" in each.constraints:
        raise t.refuse("inline assembly that jumps")
    template = _LOCKED.sub("mfence", each.template.lower())
    for part in re.split(r"[\n;]|\\n", template):
        text = " ".join(part.replace("\t", " ").split())
        text = re.sub(r"\s*,\s*", ",", text)
        if text in _NOTHING or text.startswith(("#", "//")):
            continue
        fence = _FENCES.get(text)
        if fence is None:
            raise t.refuse(f"the inline assembly `{each.template.strip()}`")
        if t.state.shares:
            t.emit(ins.Fence(t.span(), t.label(), FENCES[fence]))
    return _result(t, each, call)


def _result(t: CThread, each: InlineAsm, call: CallInst) -> LlvmValue:
    """Its outputs: each is the input that is to be in the same place."""
    outputs, inputs = _constraints(each.constraints)
    if any("*" in word for word in (*outputs, *inputs)):
        raise t.refuse("inline assembly with an operand in memory")
    values: list[LlvmValue] = []
    for place in range(len(outputs)):
        if str(place) not in inputs:
            raise t.refuse("inline assembly that sets a variable")
        values.append(operand(t, call.arguments[inputs.index(str(place))]))
    if len(values) == 1:
        return values[0]
    return Aggregate(tuple(values)) if values else 0


def _constraints(text: str) -> tuple[list[str], list[str]]:
    words = [word for word in text.split(",") if word and not word.startswith("~")]
    outputs = [word for word in words if word.startswith("=")]
    return outputs, [word for word in words if not word.startswith("=")]
