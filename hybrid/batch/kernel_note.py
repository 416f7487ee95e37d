"""What a long run with the interpreted kernel says at its end: what compiling would give."""

from __future__ import annotations

from collections.abc import Iterable

from hybrid.catalogue.engines import ENGINES
from hybrid.compiled import GAIN, how_to_compile, is_compiled
from hybrid.report.row import Row

LONG = 30.0  # seconds; what ends sooner is not worth a word


def kernel_note(rows: Iterable[Row], oracle: str, seconds: float) -> str:
    """The note, or nothing: the kernel is compiled, or less than LONG of these `seconds` was spent
    by engines and the `oracle` (empty: theirs) that it would make faster."""
    spent = sum(row.seconds or 0.0 for row in rows if _gains(row.engine, oracle))
    if min(spent, seconds) < LONG or is_compiled():
        return ""
    return f"note: the kernel is interpreted; a compiled one is {GAIN}: {how_to_compile()}"


def _gains(engine: str, oracle: str) -> bool:
    entry = ENGINES.get(engine)
    return entry is not None and entry.kernel and oracle in ("", *entry.oracles[:1])
