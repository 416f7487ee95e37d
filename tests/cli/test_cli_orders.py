"""Annotations that mean nothing to the model are reported; `.prog` files with C11's orders run
under rc11; `--map`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_helpers import Hybrid

pytestmark = pytest.mark.large

PROG = r"""x = 0; y = 0
thread P: L0: x := 1 @rlx; L1: y := 1 @rel;
thread Q: L2: r := y @acq; L3: s := x @rlx;
~exists (Q:r = 1 /\ Q:s = 0)
"""
C = r"""C MP
{}
P0 (atomic_int* y, atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (atomic_int* y, atomic_int* x) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1 /\ 1:r1=0)
"""
NOTE = (
    "power does not know @rel, @acq: that orders nothing here; models that know it: ra, "
    "rc11, rc20, sc, tso"
)
MAPPED = "C11's orders are mapped to the instructions of power (--no-map: taken as they are)"


def put(folder: Path, text: str, name: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_prog_with_c11_orders_runs_under_rc11(hybrid: Hybrid) -> None:
    found = hybrid("verify", put(hybrid.folder, PROG, "mp.prog"))
    assert found.code == 0
    assert "Verdict mp HOLDS\n" in found.out
    assert "Model rc11 (RC11), the model of C11\n" in found.out
    plain = PROG.replace(" @rlx", "").replace(" @rel", "").replace(" @acq", "")
    found = hybrid("verify", put(hybrid.folder, plain, "mp.prog"))
    assert "Model power (POWER)\n" in found.out


def test_what_means_nothing_is_told(hybrid: Hybrid) -> None:
    path = put(hybrid.folder, PROG, "mp.prog")
    found = hybrid("verify", path, "--model", "power")
    assert found.code == 1
    assert f"Note: {NOTE}; --map turns C11's orders into the instructions of power\n" in found.out
    found = hybrid("verify", path, "--model", "power", "--json")
    fields = json.loads(found.out)
    assert fields["ignored"] == ["@rel", "@acq"]
    assert fields["mapped"] is None
    found = hybrid("verify", path, "--model", "power", "--quiet")
    assert found.out == "mp power VIOLATED  ignored: @rel, @acq\n"
    found = hybrid("verify", path, "--model", "power", "--format", "herd")
    assert "does not know" not in found.out
    assert NOTE in found.err


@pytest.mark.parametrize("name", ["rc11", "ra", "sc", "tso"])
def test_nothing_is_told_where_it_does_no_harm(hybrid: Hybrid, name: str) -> None:
    found = hybrid("verify", put(hybrid.folder, PROG, "mp.prog"), "--model", name)
    assert found.code == 0
    assert "does not know" not in found.out


@pytest.mark.parametrize(
    ("code", "name", "told"),
    [
        (
            "sync;",
            "rc11",
            "rc11 does not know sync: that orders nothing here; models that know it: aarch64,",
        ),
        ("fence @sc;", "power", ""),
        ("fence @acq;", "power", "power does not know fence @acq: "),
        ("r := x @sc;", "power", "power does not know @sc: "),
        (
            "r := x @A;",
            "power",
            "power does not know @A: that orders nothing here; models that know it: aarch64, sc\n",
        ),
        ("lwsync;", "power", ""),
        ("r := x @rlx;", "power", ""),
        ("lwsync;", "tso", ""),
    ],
)
def test_which(hybrid: Hybrid, code: str, name: str, told: str) -> None:
    text = f"x = 0\nthread P: {code} x := 1;\nforall (x = 1)\n"
    found = hybrid("verify", put(hybrid.folder, text, "one.prog"), "--model", name)
    assert ("does not know" in found.out) == bool(told)
    assert told in found.out


def test_a_test_of_its_own_machine(hybrid: Hybrid) -> None:
    text = "X86 one\n{}\n P0 ;\n LFENCE ;\n MOV [x],$1 ;\nexists (x=1)\n"
    found = hybrid("verify", put(hybrid.folder, text, "one.litmus"))
    assert "does not know" not in found.out


def test_c_tests_are_mapped(hybrid: Hybrid) -> None:
    path = put(hybrid.folder, C, "MP.litmus")
    for name in ("power", "armv7", "aarch64", "riscv", "tso", "pso"):
        found = hybrid("verify", path, "--model", name)
        assert "Verdict MP FORBIDDEN\n" in found.out
        assert "Note: C11's orders are mapped to the instructions of" in found.out
    found = hybrid("verify", path, "--model", "power", "--json")
    assert json.loads(found.out)["mapped"] == "power"
    found = hybrid("verify", path, "--model", "power", "--format", "herd")
    assert MAPPED in found.err
    assert MAPPED not in found.out
    found = hybrid("verify", path, "--model", "power", "--no-map")
    assert "Verdict MP ALLOWED\n" in found.out
    assert "Note: power does not know release, acquire: " in found.out
    found = hybrid("verify", path)
    assert "mapped" not in found.out


def test_map_of_a_prog(hybrid: Hybrid) -> None:
    path = put(hybrid.folder, PROG, "mp.prog")
    found = hybrid("verify", path, "--model", "power", "--map")
    assert found.code == 0
    assert f"Note: {MAPPED}\n" in found.out
    assert "does not know" not in found.out
    found = hybrid("verify", path, "--model", "sc", "--map")
    assert "Note: --map has no effect: sc is not the model of a machine\n" in found.out
    found = hybrid("crosscheck", path, "--model", "power", "--map", "--engines", "enumerate,rsmc")
    assert found.code == 0
    assert "EQUAL" in found.out


def test_a_mapped_witness_is_replayed(hybrid: Hybrid) -> None:
    text = PROG.replace("~exists", "exists").replace("Q:s = 0", "Q:s = 1")
    path, witness = put(hybrid.folder, text, "mp.prog"), str(hybrid.folder / "w.json")
    found = hybrid("verify", path, "--model", "power", "--map", "--witness", witness)
    assert "L1.lwsync" in Path(witness).read_text(encoding="utf-8")
    assert "L1: y := 1" in found.out
    assert hybrid("replay", witness).code == 0
    forged = Path(witness).read_text(encoding="utf-8").replace('"mapped": "power"', '"mapped": "z"')
    Path(witness).write_text(forged, encoding="utf-8")
    found = hybrid("replay", witness)
    assert found.code == 2
    assert "unknown machine, 'z'" in found.err


def test_explain_and_trace(hybrid: Hybrid) -> None:
    path = put(hybrid.folder, C, "MP.litmus")
    for verb in ("explain", "trace"):
        found = hybrid(verb, path, "--model", "power")
        assert MAPPED in found.err
        found = hybrid(verb, path, "--model", "power", "--no-map")
        assert "power does not know release, acquire" in found.err
