"""The annotations and fences that random programs draw from: those that a model's text speaks of,
next to plain accesses."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hybrid.model import core
from hybrid.program.tags import BOTH_ONLY, FENCES, LOAD_ONLY, ORDERS, PLAIN, STORE_ONLY


@dataclass(frozen=True, slots=True)
class RandomVocabulary:
    """Names are drawn with equal chances, so that one that stands twice comes twice as often. The
    defaults suit models of languages, and of machines without annotations."""

    loads: tuple[str, ...] = (PLAIN, PLAIN, "RLX", "ACQ", "SC")
    stores: tuple[str, ...] = (PLAIN, PLAIN, "RLX", "REL", "SC")
    rmws: tuple[str, ...] = ("RLX", "ACQ", "REL", "ACQ_REL", "SC")  # two of a machine: `A L`
    failed: tuple[str, ...] = (PLAIN, "RLX", "ACQ", "SC")  # of a cas that does not store
    # names of machines' fences, or the tags of C11's
    fences: tuple[str, ...] = ("sync", "lwsync", "isync", "eieio", "mfence", "dmb.st")
    ordered: tuple[str, ...] = ("ACQ", "REL", "ACQ_REL", "SC")  # tags of C11's fences
    cycle_fences: tuple[str, ...] = ("sync", "lwsync", "lwsync", "eieio", "mfence")
    after_branch: str = "isync"  # the fence that makes a branch count
    mostly_plain: bool = True  # annotations come with unusual instructions only
    free: float = 0.2  # how many statuses of store-conditionals depend on nothing, from 0 to 1
    by_store: float = 0.0  # how many depend on the store alone
    operations: tuple[str, ...] = ("xchg", "cas", "cas", "+", "+", "|", "max")


DEFAULT = RandomVocabulary()
_C_FENCES = ("ACQ", "REL", "ACQ_REL", "SC")
C11 = RandomVocabulary(  # of programs that are to be written in C
    fences=_C_FENCES,
    cycle_fences=_C_FENCES,
    after_branch="ACQ",
    mostly_plain=False,
    operations=(*DEFAULT.operations, "xchg", "-", "&", "^", "min"),
)
_FULL = frozenset({"SYNC", "MFENCE", "DMB.SY", "DSB.SY", "Fence.rw.rw"})  # in every machine's text
_INSTRUCTION_FENCES = ("ISYNC", "ISB", "Fence.i")


def vocabulary(model: core.Model) -> RandomVocabulary:
    """What programs for `model` are made of. A machine is one whose text names annotations of
    accesses or fences that the default lacks."""
    named = _named(model)
    spoken = {name: tags for name, tags in FENCES.items() if tags <= named}
    own = [name for name, tags in spoken.items() if not tags <= _FULL]
    accesses = sorted(named & (LOAD_ONLY | STORE_ONLY | BOTH_ONLY) - {*ORDERS, "LOCK"})
    usual = {*DEFAULT.fences, "lfence", "sfence", "fence.tso", "dsb.st", "fence.w.w"}
    if not accesses and set(own) <= usual:
        return DEFAULT
    light = [name for name, tags in spoken.items() if tags & {*_INSTRUCTION_FENCES}]
    strong = [name for name in own if name not in light]
    whole = "dmb" if any("dmb" in name for name in own) else "fence.rw.rw"
    loads = [tag for tag in accesses if tag in LOAD_ONLY]
    stores = [tag for tag in accesses if tag in STORE_ONLY]
    both = [tag for tag in accesses if tag in BOTH_ONLY]
    pairs = [f"{load} {store}" for load in loads for store in stores]
    plain = (PLAIN,) * max(2, len(loads))
    return RandomVocabulary(
        loads=(*plain, *loads),
        stores=(*plain, *stores),
        rmws=(PLAIN, *loads, *stores, *(both if "AcqRel" in both else [*pairs, *both])),
        failed=(PLAIN, *loads),
        fences=(whole, *strong, *light),
        ordered=(),
        cycle_fences=(whole, *strong),
        after_branch=light[0] if light else whole,
        mostly_plain=False,
        free=0.3,
        by_store=0.3,
    )


def c_vocabulary(model: core.Model) -> RandomVocabulary:
    """What programs are made of that are to be written in C, for `model`: C11's orders, and the
    fences of a machine that the model speaks of."""
    named = _named(model)
    own = tuple(name for name, tags in FENCES.items() if tags <= named)
    after = next((name for name in own if FENCES[name] & {*_INSTRUCTION_FENCES}), C11.after_branch)
    fences = (*C11.fences, *own)
    return replace(C11, fences=fences, cycle_fences=fences, after_branch=after)


def fence_tags(name: str) -> frozenset[str]:
    """Of a fence of a machine, or of C11's by its order."""
    return FENCES.get(name) or frozenset({name})


def _named(model: core.Model) -> frozenset[str]:
    """The base sets that the axioms lead to."""
    found: set[str] = set()
    seen: set[int] = set()
    todo = [axiom.expr for axiom in model.axioms]
    while todo:
        expr = todo.pop()
        if isinstance(expr, core.Base):
            found.add(expr.name)
        elif isinstance(expr, core.Ref) and expr.index not in seen:
            seen.add(expr.index)
            todo.append(model.definitions[expr.index].expr)
        todo += core.children(expr)
    return frozenset(found)
