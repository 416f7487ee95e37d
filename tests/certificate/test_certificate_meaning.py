"""What variables mean, in words."""

from __future__ import annotations

from certificates import LOOP, SB, made

from hybrid.engine.configuration import Configuration


def meanings(files: dict[str, bytes], name: str) -> list[str]:
    lines = files[name].decode().splitlines()
    assert [line.partition(" ")[0] for line in lines] == [str(i) for i in range(1, len(lines) + 1)]
    return [line.partition(" ")[2] for line in lines]


def test_events_values_and_axioms() -> None:
    found = meanings(made(SB, "sc", first=True), "verdict.vars")
    assert found[0] == "true"
    for meaning in ("rf(L2,L1)", "rf(init y,L1)", "r0 bit 0 (L1)", "axiom sc"):
        assert meaning in found, found
    assert any(meaning.startswith("path(") for meaning in found)


def test_rounds_of_a_loop_are_told_apart() -> None:
    keep = Configuration("auto", loops="keep", unroll=2)
    found = meanings(made(LOOP, "sc", keep, first=True), "verdict.vars")
    assert "rf(L3,L0)" in found
    assert "rf(L3,L0#3)" in found


def test_coherence_final_values_choices_and_gates() -> None:
    text = """x = 0
thread P: L0: r0 := lr(x); L1: s := sc(x, r0 + 1);
thread Q: L2: x := 5;
exists (x = 7)
"""
    found = meanings(made(text, "power", first=True), "verdict.vars")
    assert "choice(L1)" in found
    assert any("co(L1,L2)" in meaning for meaning in found)
    assert any(meaning.endswith("bit 2 (at the end)") for meaning in found)
    assert any(" & " in meaning for meaning in found)
    assert not any("Plus" in meaning or "span" in meaning for meaning in found)
