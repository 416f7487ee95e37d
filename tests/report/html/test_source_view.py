"""The pieces of a source that are marked as its events."""

from __future__ import annotations

from pathlib import Path

import pytest

from hybrid.frontend.compiler_options import CompilerOptions
from hybrid.frontend.load import load_program
from hybrid.report.html.source_view import source_views

C = """#include <pthread.h>
int x, y;
static void *run(void *unused) { x=1; y = x + 1; x += 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return x;
}
"""


def test_assignments_in_c_are_marked_from_their_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.c").write_text(C, encoding="utf-8")
    (view,) = source_views(load_program("p.c", CompilerOptions()), {"p.c": C})
    assert ["".join(piece.text for piece in line) for line in view.lines] == C.splitlines()
    marked = [piece.text for line in view.lines for piece in line if piece.labels]
    assert marked[:3] == ["x=1", "y = x + 1", "x += 2"]
    assert marked[3] == "return"  # the end of the thread has no text of its own
