"""The names of cat sets that events carry because the program says so: annotations of accesses,
kinds of fences; and how the .prog language spells them and the read-modify-writes.

Names follow herd's, so that published models find what they look for.
"""

from __future__ import annotations

PLAIN = "NA"  # the tag of an access without an annotation
EXCLUSIVE = "X"  # the tag of load-reserve and store-conditional

# What stands after `@`, and the set it means. The first seven are C11's memory orders.
ANNOTATIONS: dict[str, str] = {
    "na": "NA",
    "rlx": "RLX",
    "acq": "ACQ",
    "rel": "REL",
    "acqrel": "ACQ_REL",
    "sc": "SC",
    "con": "CON",
    "A": "A",  # AArch64: load-acquire
    "Q": "Q",  # AArch64: load-acquire, RCpc
    "L": "L",  # AArch64: store-release
    "NoRet": "NoRet",  # AArch64: an atomic instruction that gives the value read to no register
    "X": "X",  # exclusive
    "Acq": "Acq",  # RISC-V: .aq
    "Rel": "Rel",  # RISC-V: .rl
    "AcqRel": "AcqRel",  # RISC-V: .aq.rl
    "lock": "LOCK",  # x86: a locked instruction, a full fence whether it stores or not
}

ON_FAILURE = "fail."  # after `@`, before an annotation: of the load of a cas that does not store

ORDERS = ("NA", "RLX", "ACQ", "REL", "ACQ_REL", "SC", "CON")  # an access has at most one of these
FENCE_ORDERS = ("acq", "rel", "acqrel", "sc")  # spellings that `fence` takes: C11's fences
LOAD_ONLY = frozenset({"ACQ", "CON", "A", "Q", "Acq"})  # make no sense on a plain store
STORE_ONLY = frozenset({"REL", "L", "Rel"})  # make no sense on a plain load
BOTH_ONLY = frozenset({"ACQ_REL", "NoRet", "LOCK"})  # need an access that reads and writes

# Fence instructions and the sets to which their events belong.
FENCES: dict[str, frozenset[str]] = {
    "sync": frozenset({"SYNC"}),
    "lwsync": frozenset({"LWSYNC"}),
    "isync": frozenset({"ISYNC"}),
    "eieio": frozenset({"EIEIO"}),
    "mfence": frozenset({"MFENCE"}),
    "lfence": frozenset({"LFENCE"}),
    "sfence": frozenset({"SFENCE"}),
    "dmb": frozenset({"DMB.SY"}),
    "dmb.st": frozenset({"DMB.ST"}),
    "dmb.ld": frozenset({"DMB.LD"}),
    "dsb": frozenset({"DSB.SY"}),
    "dsb.st": frozenset({"DSB.ST"}),
    "dsb.ld": frozenset({"DSB.LD"}),
    "isb": frozenset({"ISB"}),
    "fence.tso": frozenset({"Fence.tso"}),
    "fence.i": frozenset({"Fence.i"}),
} | {
    f"fence.{before}.{after}": frozenset({f"Fence.{before}.{after}"})
    for before in ("r", "w", "rw")
    for after in ("r", "w", "rw")
}

ACCESS_TAGS = frozenset(ANNOTATIONS.values())
FENCE_TAGS = frozenset(tag for tags in FENCES.values() for tag in tags) | frozenset(
    ANNOTATIONS[order] for order in FENCE_ORDERS
)
TAGS = ACCESS_TAGS | FENCE_TAGS  # every tag that an event can carry

# Read-modify-writes by name: the operation that an Rmw gets, and how many operands follow the
# address.
RMWS: dict[str, tuple[str, int]] = {
    "xchg": ("xchg", 1),
    "cas_weak": ("cas", 2),
    "cas": ("cas", 2),
    "faa": ("+", 1),
    "fetch_add": ("+", 1),
    "fetch_sub": ("-", 1),
    "fetch_and": ("&", 1),
    "fetch_or": ("|", 1),
    "fetch_xor": ("^", 1),
    "fetch_min": ("min", 1),
    "fetch_max": ("max", 1),
    "fetch_umin": ("umin", 1),
    "fetch_umax": ("umax", 1),
    "fetch_nand": ("nand", 1),
}
# Those that store fewer bits: the operation and how many.
NARROW_RMWS: dict[str, tuple[str, int]] = {
    f"{name}{bits}": (op, bits)
    for name, (op, _) in RMWS.items()
    if name.startswith("fetch_")
    for bits in (8, 16, 32)
}
