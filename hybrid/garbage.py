"""How often Python looks for garbage in circles. Explorations make much, and hardly any of that;
what was loaded before them stays, and need not be looked at."""

from __future__ import annotations

import gc


def look_rarely() -> None:
    """For a process that explores, when it has loaded what it needs."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
