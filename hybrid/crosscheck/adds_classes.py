"""Traces by the classes of `--equivalence faa`: with the fetch-and-adds whose results nobody uses
in any order, as long as nothing else accesses their location between them.

This goes by the spelled-out trace alone, and so does not depend on how an explorer orders events.
"""

from __future__ import annotations

from collections.abc import Set

from hybrid.execution.trace import EventId, Key, TraceData


def adds_class(data: TraceData, adds: Set[str]) -> Key:
    """The key of the class of a trace, where the fetch-and-adds with these labels are independent:
    those that stand together in coherence, with no load of another kind between them, are sorted,
    and who reads from the last of them reads from the last one then; their own loads are left
    out."""
    pairs = dict(data.amo)  # from the loads of read-modify-writes to their stores
    merged = {store for load, store in pairs.items() if data.by_id[load].label in adds}
    inner = {load for load, store in pairs.items() if store in merged}
    # stores that something else than the next store of their location reads from
    read = {
        source
        for load, source in data.rf.items()
        if load not in pairs  # the store of a read-modify-write comes right after its source
    }
    instead: dict[EventId, EventId] = {}  # of the last of a group
    co: list[tuple[int, tuple[EventId, ...]]] = []
    for address, stores in sorted(data.co.items()):
        if not stores:
            continue
        groups: list[list[EventId]] = []
        for store in stores:
            before = groups[-1][-1] if groups else None
            if store in merged and before in merged and before not in read:
                groups[-1].append(store)
            else:
                groups.append([store])
        for group in groups:
            instead[group[-1]] = max(group)
        co.append((address, tuple(store for group in groups for store in sorted(group))))
    rf = tuple(
        sorted(
            (load, instead.get(source, source))
            for load, source in data.rf.items()
            if load not in inner
        )
    )
    return rf, tuple(co)
