"""armv7, where a store can be passed over by later ones of its thread: rsmc is never stuck, and
loses nothing."""

from __future__ import annotations

import pytest
from support import keys_of, model

from hybrid.catalogue.engines import make
from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.enumerate import Enumerate
from hybrid.execution.trace import class_key

pytestmark = pytest.mark.sample(2)

# Q's last store commits early; the first load of y, or a store of Q's own, forces the next, on
# which the store that was passed over depends.
FORCED = {
    "one load forces another": """
        x = 0 y = 0
        thread P: x := 0; dmb.st; y := 0;
        thread Q: r0 := y; r1 := y; r2 := r1; x := r2; x := 0;
        thread R: r0 := x;""",
    "with a dmb": """
        x = 0 y = 0
        thread P: x := 1; dmb; y := 1;
        thread Q: r0 := y; r1 := y; x := r1; x := 2;""",
    "by way of two": """
        x = 0 y = 0
        thread P: x := 1; dmb.st; y := 1;
        thread Q: r0 := y; r1 := y; r2 := y; x := r2; x := 2;
        thread R: r0 := x;""",
    "two are passed over": """
        x = 0 y = 0
        thread P: x := 1; dmb.st; y := 1;
        thread Q: r0 := y; r1 := y; x := r1; x := r1 + 1; x := 3;""",
    "another store may come": """
        x = 0 y = 0
        thread P: x := 1; dmb.st; y := 1;
        thread Q: r0 := y; r1 := y; x := r1; x := 2;
        thread R: y := 2;""",
    "the load errs or not": """
        x = 0 y = 0
        thread P: x := 1; dmb.st; y := 1;
        thread Q: r0 := y; r1 := y; x := r1; x := 2; r2 := [&x + (r0 - r1) * 4096];""",
}
CONFIGURATIONS = (
    "rsmc", "rsmc/last", "rsmc/random", "rsmc:pysat", "rsmc:z3",
    "rsmc+rf", "rsmc+rf/last", "rsmc+rf:pysat",
)  # fmt: skip


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
@pytest.mark.parametrize("text", FORCED.values(), ids=FORCED.keys())
def test_forced_loads(text: str, configuration: str) -> None:
    chosen = parse_configuration(configuration)
    engine = make(chosen, 1)
    found, counters = keys_of(engine, text, model("armv7"))
    expected, _ = keys_of(Enumerate(), text, model("armv7"))
    assert counters.stuck == 0
    assert len(set(found)) == len(found)
    if chosen.equivalence == "rf":
        assert set(found) == {class_key(key, set()) for key in expected}
    else:
        assert set(found) == set(expected)
