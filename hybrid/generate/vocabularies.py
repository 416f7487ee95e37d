"""The vocabulary of each architecture: its fences, dependencies, read-modify-writes, annotations.

The printers (ppc.py, x86.py, …) say how each of these words is written.
"""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.generate.vocabulary import Vocabulary
from hybrid.parsing import did_you_mean

PPC = Vocabulary(
    "PPC",
    fences=("Sync", "LwSync", "Eieio", "ISync"),
    dependencies=("Addr", "Data", "Ctrl", "CtrlIsync"),
    rmws=("Rmw",),
    reads={"P": "plain"},
    writes={"P": "plain"},
)

X86 = Vocabulary(
    "X86",
    fences=("MFence",),
    dependencies=(),
    rmws=("Rmw",),
    reads={"P": "plain"},
    writes={"P": "plain", "A": "atomic"},
)

AARCH64 = Vocabulary(
    "AArch64",
    fences=("DMB.SY", "DMB.LD", "DMB.ST", "DSB.SY", "DSB.LD", "DSB.ST", "ISB"),
    dependencies=("Addr", "Data", "Ctrl", "CtrlIsb"),
    rmws=("Rmw", "LxSx", "Amo.Swp", "Amo.Cas", "Amo.LdAdd", "Amo.LdEor"),
    reads={
        "P": "plain",
        "A": "acquire",
        "Q": "acquirePC",
        "X": "exclusive",
        "XA": "exclusive acquire",
    },
    writes={"P": "plain", "L": "release", "X": "exclusive", "XL": "exclusive release"},
)

_SETS = ("rw", "r", "w")  # of accesses, before and after a fence

RISCV = Vocabulary(
    "RISCV",
    fences=(
        *(f"Fence.{before}.{after}" for before in _SETS for after in _SETS),
        "Fence.tso",
        "Fence.i",
    ),
    dependencies=("Addr", "Data", "Ctrl", "CtrlFenceI"),
    rmws=("Rmw", "LxSx", "Amo.Swap", "Amo.Add", "Amo.Xor"),
    reads={"P": "plain", "Aq": "acquire", "AR": "acquire and release", "X": "exclusive"},
    writes={"P": "plain", "Rl": "release", "AR": "acquire and release", "X": "exclusive"},
)

PLAIN = "Na"  # an access of C that is not atomic

C = Vocabulary(
    "C",
    fences=("FenceSc", "FenceAcqRel", "FenceAcq", "FenceRel"),
    dependencies=("Data", "Ctrl"),
    rmws=("Rmw", "FetchAdd"),
    reads={"Rlx": "relaxed", "Acq": "acquire", "Sc": "seq_cst", PLAIN: "not atomic"},
    writes={"Rlx": "relaxed", "Rel": "release", "Sc": "seq_cst", PLAIN: "not atomic"},
)

# By the name in a test's first line.
VOCABULARIES = {words.arch: words for words in (PPC, X86, AARCH64, RISCV, C)}


def vocabulary_of(arch: str) -> Vocabulary:
    """The vocabulary of an architecture, named as in litmus tests, in capitals or not."""
    names = {name.lower(): name for name in VOCABULARIES}
    if arch.lower() not in names:
        known = f"known: {', '.join(VOCABULARIES)}"
        raise InputError(
            f"no architecture is called '{arch}'",
            hint=f"{did_you_mean(arch, VOCABULARIES)} {known}".strip(),
        )
    return VOCABULARIES[names[arch.lower()]]
