"""Which cells threads share: how much is looked at to find out. What comes of it is in the tests of
the language."""

from __future__ import annotations

from collections import Counter

import pytest
from c_verify import compiled

from hybrid.frontend.c.cells import SharedCells
from hybrid.frontend.c.space import CObject

STORES = " ".join(f"p = &a[{at}];" for at in range(12))
TEXT = f"""int a[16]; int *_Atomic p; atomic_int n;
void *f(void *_) {{ int *q = p; if (q) q[n] = 1; return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); {STORES} return 0; }}
// not compiled before"""


def test_an_object_is_followed_once_however_many_pointers_lead_into_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each pointer to a leads to all of its elements."""
    passes: list[SharedCells] = []
    tried: Counter[int] = Counter()  # in one pass, by address
    add = SharedCells._add

    def counting(cells: SharedCells, found: CObject, address: int, size: int) -> bool:
        if not any(each is cells for each in passes):
            passes.append(cells)
            tried.clear()
        tried[address] += 1
        return add(cells, found, address, size)

    monkeypatch.setattr(SharedCells, "_add", counting)
    compiled(TEXT)
    assert len(tried) >= 16
    assert max(tried.values()) <= 4
