"""How the tests of each architecture are written, by the name in a test's first line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hybrid.generate import aarch64, c, ppc, riscv, x86
from hybrid.generate.layout import CycleLayout
from hybrid.generate.printed import Printed

PRINTERS: Mapping[str, Callable[[CycleLayout], Printed]] = {
    "PPC": ppc.write,
    "X86": x86.write,
    "AArch64": aarch64.write,
    "RISCV": riscv.write,
    "C": c.write,
}
