"""The version of hybrid, and those of the formats that programs read: each of these changes when a
field changes its meaning, or goes.

Files are refused when their version is not the one here; `docs/batch.md` has the list.
"""

from __future__ import annotations

from typing import Final

from hybrid.errors import InputError

__version__ = "0.1.0"

RESULT: Final = 2  # an object of `verify --json`; version 1 had no `version`
COMPARISON: Final = 2  # an object of `crosscheck --json`; version 1 had no `version`
WITNESS: Final = 1  # a file that `replay` takes
CERTIFICATE: Final = 2  # what `certify` takes
BATCH_JOURNAL: Final = 2  # of `verify --resume`; in version 1 `version` was that of hybrid
COMPARISON_JOURNAL: Final = 1  # of `crosscheck --resume`
FUZZ_JOURNAL: Final = 2  # of `fuzz --resume`; in version 1 `version` was that of hybrid
CHECKPOINT: Final = 11  # of `verify --checkpoint`; its tasks name events by their numbers, and
# what is left of them depends on the order of threads


def check_version(what: str, found: object, known: int, hint: str = "") -> None:
    """Complains of a version that is not the known one. `what` names the file, as in `the
    checkpoint x.json`."""
    if type(found) is int and found == known:  # true is 1 in Python
        return
    if type(found) is not int or found < 1:
        told = "has no version that hybrid knows"
    else:
        told = f"has version {found}, from {'an older' if found < known else 'a newer'} hybrid"
    raise InputError(f"{what} {told}; this one reads version {known}", hint=hint)
