"""stateful: every graph once, known again by a trie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from graph_cases import writers
from hypothesis import given
from hypothesis import strategies as st
from support import choose_engine, keys_of, model, program

from hybrid.catalogue.engines import engines_for
from hybrid.cli.main import main
from hybrid.engine.api import Limits
from hybrid.engine.graphs.stateful import Stateful, StatefulExploration
from hybrid.engine.graphs.trie import Trie
from hybrid.errors import InputError


def test_graphs_are_stored_and_counted() -> None:
    """The empty graph; the load; with x := 1 the load in two versions; with x := 2 six."""
    keys, counters = keys_of(Stateful(), writers(2), model("sc"))
    assert len(keys) == 6
    assert counters.stored == 1 + 1 + 2 + 6
    assert counters.revisits == 3


def test_a_graph_is_known_again_however_it_came_about() -> None:
    """P's load is revisited by R's store, with Q's in two places or not read at all: one graph each
    time."""
    text = "x = 0 y = 0 thread P: r := y; x := 1; thread Q: x := 2; thread R: y := 1;"
    engine = Stateful()
    keys, counters = keys_of(engine, text, model("sc"))
    assert len(keys) == len(set(keys)) == 4
    found = StatefulExploration(
        program(text), model("sc"), Limits(), counters, [0, 1, 2], "graph", ""
    )
    assert len(list(found.run())) == 4
    # …, y := 1 without a revisit, and with one: x := 1 has gone and come back
    assert len(found.visited) == 1 + 1 + 1 + 2 + 2 + 1 + 2
    assert found.visited.nodes > 1


def test_models_that_it_does_not_take() -> None:
    assert "stateful" in engines_for(model("pso"))
    assert "stateful" not in engines_for(model("armv7"))
    with pytest.raises(InputError, match=r"stateful needs a model in which po \| rf is acyclic"):
        choose_engine("stateful", model("power"), program("x = 0 thread P: x := 1;"))


def test_verify_shows_the_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "writers.prog"
    path.write_text(writers(2))
    assert main(["verify", "--engine", "stateful", "--model", "sc", str(path)]) == 0
    assert "Graphs revisits 3, stored 10\n" in capsys.readouterr().out
    assert main(["verify", "--engine", "revisit", "--model", "sc", "--json", str(path)]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields["revisits"] == 3
    assert "stored" not in fields


@given(st.lists(st.lists(st.integers(0, 2), max_size=5)))
def test_a_trie_is_a_set_of_words(words: list[list[int]]) -> None:
    trie: Trie[int] = Trie()
    known: set[tuple[int, ...]] = set()
    for word in words:
        assert (word in trie) == (tuple(word) in known)
        assert trie.add(word) == (tuple(word) not in known)
        known.add(tuple(word))
        assert word in trie
    assert len(trie) == len(known)
    assert trie.nodes == len({word[:n] for word in known for n in range(len(word) + 1)} | {()})
    assert [9] not in trie
