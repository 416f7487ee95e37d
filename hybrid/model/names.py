"""The names that cat texts find defined, and the words of herd's cat that hybrid's dialect leaves
out."""

from __future__ import annotations

from hybrid.model.core import Kind
from hybrid.program.tags import FENCES, TAGS

SETS = ("_", "R", "W", "M", "F", "B", "IW", "FW", "RMW")
RELATIONS = (
    "po",
    "rf",
    "co",
    "loc",
    "int",
    "ext",
    "id",
    "addr",
    "data",
    "ctrl",
    "pick",
    "amo",
    "lxsx",
)

BASE: dict[str, Kind] = {
    **dict.fromkeys(TAGS, Kind.SET),
    **dict.fromkeys(SETS, Kind.SET),
    **dict.fromkeys(RELATIONS, Kind.RELATION),
}

# A fence instruction's name in programs names its set too, as in Dartagnan: `fencerel(mfence)`.
# So do the names of Arm's fences for one domain, which are fences for the whole system here:
# `dmb.ish`, `dsb.oshst`.
FENCE_NAMES: dict[str, str] = {
    **{name: tag for name, tags in FENCES.items() for tag in tags},
    **{f"{fence}.sy": f"{fence.upper()}.SY" for fence in ("dmb", "dsb")},
    **{
        f"{fence}.{domain}{suffix}": f"{fence.upper()}.{kind}"
        for fence in ("dmb", "dsb")
        for domain in ("ish", "osh", "nsh")
        for suffix, kind in (("", "SY"), ("st", "ST"), ("ld", "LD"))
    },
}

C11_ORDERS = frozenset(("RLX", "ACQ", "REL", "ACQ_REL"))  # no other architecture has these sets

# What tells whether `A` is AArch64's annotation or the locked accesses of x86: names, and files
# that a text includes.
ARM_NAMES = frozenset(
    name for name in (*FENCE_NAMES, *FENCE_NAMES.values(), "DMB.ISH", "DMB", "DSB")
    if name.lower().startswith(("dmb", "dsb", "isb"))
) | {"L", "Q"}  # fmt: skip
X86_NAMES = frozenset(("MFENCE", "mfence", "LFENCE", "SFENCE", "LOCK"))
ARM_FILES = frozenset(("aarch64fences.cat", "aarch64deps.cat", "aarch64util.cat"))
X86_FILES = frozenset(("x86fences.cat",))

# Keywords of herd's (and Dartagnan's) cat that hybrid refuses wherever they stand, with a hint.
_PROCEDURE = "a function gives the sets and relations, and axioms can be written out"
_BELL = "programs, not models, say which annotations there are"
REFUSED_WORDS: dict[str, str] = {
    **dict.fromkeys(
        ("compat", "cut", "debug", "do", "forall", "match", "not", "subset", "when", "yield"),
        ""),
    **dict.fromkeys(("call", "procedure"), _PROCEDURE),
    **dict.fromkeys(("default", "enum", "instructions"), _BELL),
    **dict.fromkeys(("if", "then", "else"), "there are no variants: keep the branch that is meant"),
    "catdep": "dependencies are not computed by the text here: addr, data and ctrl are given",
}  # fmt: skip

# Names of herd and Dartagnan that nothing in an execution of hybrid answers to, by what they belong
# to.
_REFUSED: dict[str, tuple[str, ...]] = {
    "is computed by herd": (
        "classes", "classes-loc", "control", "depend", "domain-of", "fold", "generate_cos",
            "generate_orders", "instr",
        "intervening-write", "linearisations", "map", "partition", "pco", "same-instance",
            "success", "tag2events",
        "tag2instrs", "tag2level", "tag2scope",
    ),
    "is for parts of instructions and accesses of mixed sizes": ("iico_ctrl", "iico_data", "si"),
    "is a dependency that hybrid does not follow": ("casdep", "ctrlDirect", "idd"),
    "is for annotations that hybrid's programs do not have": (
        "Acquire", "After-atomic", "After-spinlock", "Before-atomic", "Mb", "NT", "Noreturn",
            "Once", "Release", "Rmb",
        "STRONG", "Wmb",
    ),
    "is for locks and critical sections": (
        "LF", "LK", "LKR", "LKW", "LS", "RU", "Rcu-lock", "Rcu-unlock", "Srcu-lock", "Srcu-unlock",
            "Sync-rcu", "Sync-srcu", "UL",
        "crit", "lo", "rcu-rscs",
    ),
    "is for the allocation of memory": ("ALLOC", "FREE", "UB", "allocmem", "allocptr"),
    "is for faults, page tables and system instructions": (
        "DC.CVAU", "EXC-ENTRY", "EXC-RET", "Exp", "FAULT", "IC.IVAU", "Imp", "NExp", "PTE", "PTEV",
            "SVC", "TLBI", "TTD",
    ),
    "is for scopes, proxies and control barriers": (
        "ALIAS", "BAR", "CBAR", "CTA", "DEV", "DV", "GEN", "GPU", "QF", "SG", "SUR", "SYS", "TEX",
            "WG", "WI", "scta", "sr", "ssg",
        "sqf", "ssw", "swg", "syncbar", "sync_barrier", "vloc",
    ),
}  # fmt: skip
REFUSED_NAMES: dict[str, str] = {name: why for why, names in _REFUSED.items() for name in names}

KEYWORDS = frozenset(
    (
        "acyclic", "and", "as", "begin", "empty", "end", "flag", "from", "fun", "in", "include",
            "irreflexive", "let", "rec",
        "show", "try", "undefined_unless", "unshow", "with",
    )
)  # fmt: skip

# What may follow a title in herd: where co and the initial writes come from; hybrid's always has
# both.
TITLE_OPTIONS = frozenset(("withco", "withoutco", "withinit"))
