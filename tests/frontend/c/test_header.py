"""hybrid.h: the same harness is a program for hybrid and for an ordinary compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from c_verify import holds, violates

from hybrid.frontend.c.clang import INCLUDE, find_compiler
from hybrid.frontend.compiler_options import NO_OPTIONS

HARNESS = """#include <hybrid.h>
#include <stdio.h>
atomic_int x;
void *add(void *n) { x += (long)n; return (void *)((long)n + 1); }
int main(void) {
  _Bool b = __VERIFIER_nondet_bool(); int n = __VERIFIER_nondet_range(2, 4);
  unsigned char c = __VERIFIER_nondet_range(0, 1); __VERIFIER_assume(b || n < 4);
  pthread_t t = hybrid_spawn(add, (void *)(long)n); x += c;
  long got = (long)hybrid_join(t); assert(got == n + 1 && x == n + c && (b || n != 4));
  %s puts("done"); return 0; }
"""
ERROR = "if (x == 3) { __VERIFIER_error(); }"
SEEDS = 12  # runs of an ordinary program


def test_for_hybrid() -> None:
    holds(HARNESS % "")
    violates(HARNESS % ERROR, "assertion at 10: __VERIFIER_error is called")


@pytest.mark.large
def test_for_an_ordinary_compiler(tmp_path: Path) -> None:
    cc = shutil.which("cc")
    command = [cc] if cc else [*find_compiler(NO_OPTIONS).program, "cc"]
    head = "#include <assert.h>\n#include <stdatomic.h>\n"
    codes: dict[str, list[int]] = {}
    for name, more in (("right", ""), ("wrong", ERROR)):
        path = tmp_path / f"{name}.c"
        path.write_text(head + HARNESS % more, encoding="utf-8")
        made = tmp_path / name
        flags = ["-Wall", "-Werror", "-std=c11", "-D_GNU_SOURCE", "-pthread", f"-I{INCLUDE}"]
        subprocess.run([*command, *flags, str(path), "-o", str(made)], check=True)
        codes[name] = [_code(made, seed) for seed in range(SEEDS)]
    assert set(codes["right"]) == {0}
    assert any(codes["wrong"])  # the error is reached with some of the values


def _code(program: Path, seed: int) -> int:
    around = {"HYBRID_SEED": str(seed)}
    return subprocess.run([program], env=around, check=False, capture_output=True).returncode
