"""Reports: well-formed, self-contained, and with nothing from a user taken for markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from typing import Any

import pytest
from golden_files import check_golden
from support import model, program

from hybrid.engine.configuration import Configuration
from hybrid.explain.view import answer_view
from hybrid.report.explored import explore
from hybrid.report.html.page import asset, digest, policy, render, style
from hybrid.report.html.view_json import from_json, to_json
from hybrid.report.html.views import AnswerView, BatchRow, PageView

SB = r"""
    x = 0; y = 0
    thread P: L0: x := 1; L1: r0 := y;
    thread Q: L2: y := 1; L3: r1 := x;
    exists (P:r0 = 0 /\ Q:r1 = 0)
    """
VOID = {"meta", "input", "br"}
HOSTILE = "</script></style><script>alert(1)</script>'\"><img src=x onerror=alert(2)>&amp;é\u202e𝕏"


def answer(name: str, under: str = "tso") -> AnswerView:
    view = answer_view(explore(Configuration(name), program(SB), model(under)))
    facts = tuple((n, v if n != "Time" else "0.00 s") for n, v in view.facts)
    return replace(view, facts=facts)


def page(view: AnswerView | None, rows: tuple[BatchRow, ...] = ()) -> str:
    return render(PageView("a title", "1.2.3", "hybrid verify", view, rows, ("3 runs",)))


def row(view: AnswerView, name: str = "SB") -> BatchRow:
    return BatchRow(name, "tso", view.verdict, "", "rsmc", 4, 0.25, "a note", "SB.prog", view)


class Reader(HTMLParser):
    """Checks that elements are closed in their order, and keeps what there is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), (tag, attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data: str) -> None:
        (self.scripts if self.open[-1:] == ["script"] else self.text).append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def damaged(value: Any) -> Any:
    """The same view with something hostile in all its texts; words of ours stay."""
    if is_dataclass(value) and not isinstance(value, type):
        ours = {"kind", "relation", "state", "path" if hasattr(value, "text") else ""}
        found = {
            field.name: getattr(value, field.name)
            if field.name in ours
            else damaged(getattr(value, field.name))
            for field in fields(value)
        }
        if hasattr(value, "relations"):
            found["relations"] = tuple((name, HOSTILE) for name, _ in value.relations)
        return type(value)(**found)
    if isinstance(value, tuple):
        return tuple(damaged(each) for each in value)
    return value + HOSTILE if isinstance(value, str) and value else value


def views() -> Iterator[AnswerView]:
    yield answer("rsmc")
    yield answer("enumerate", "sc")


def test_elements_are_closed() -> None:
    for view in views():
        for text in (page(view), page(None, (row(view), row(view)))):
            reader = read(text)
            ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
            assert len(ids) == len(set(ids))


def test_nothing_is_fetched_and_only_our_script_runs() -> None:
    for view in views():
        reader = read(page(view, ()))
        assert reader.scripts == [asset("page.js")]
        for tag, attributes in reader.tags:
            assert tag not in ("link", "img", "iframe", "object", "embed", "base"), tag
            assert not any(name.startswith("on") or name in ("src", "style") for name in attributes)
            assert attributes.get("href", "#").startswith("#")
        content = [a["content"] for t, a in reader.tags if a.get("http-equiv")]
        assert content == [policy()]
        assert "default-src 'none'" in policy()
        assert digest(asset("page.js")) in policy() and digest(style()) in policy()
    assert "url(" not in style() and "@import" not in style()


def test_hostile_texts() -> None:
    """Names, sources, notes of all kinds: none becomes an element, an attribute or a script."""
    for view in views():
        for text, plain in (
            (page(damaged(view)), page(view)),
            (page(None, (damaged(row(view)),)), page(None, (row(view),))),
            (render(damaged(PageView("t", "1", "c", view))), page(view)),
        ):
            reader, before = read(text), read(plain)
            assert reader.scripts == before.scripts
            assert [tag for tag, _ in reader.tags] == [tag for tag, _ in before.tags]
            for (_, attributes), (_, own) in zip(reader.tags, before.tags, strict=True):
                assert set(attributes) == set(own)
            assert "alert(1)" in "".join(reader.text)
            assert "\u202e" not in text


def test_views_are_json() -> None:
    for view in views():
        assert from_json(to_json(view)) == view
        damaged_view = to_json(view)
        damaged_view["verdict"] = 3
        with pytest.raises(TypeError):
            from_json(damaged_view)
        del damaged_view["verdict"]
        with pytest.raises(KeyError):
            from_json(damaged_view)


def test_the_same_view_gives_the_same_page() -> None:
    for view in views():
        assert page(view) == page(view)


def test_golden() -> None:
    """The part that hybrid writes; style and script are files already."""
    text = re.sub(
        r"<(style|script)>.*?</\1>", r"<\1/>", page(answer("rsmc", "sc")), flags=re.DOTALL
    )
    text = re.sub(r"sha256-[^&]*", "sha256-…", text)
    check_golden("report/sb-sc.html", text.replace("><", ">\n<"))


def test_accessibility() -> None:
    """What a screen reader and a keyboard need."""
    for view in views():
        reader = read(page(view, ()))
        html = next(a for t, a in reader.tags if t == "html")
        assert html.get("lang") == "en"
        assert {"main", "header", "footer", "h2", "h3"} <= {tag for tag, _ in reader.tags}
        for tag, attributes in reader.tags:
            if tag == "svg":
                assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label")
            if tag == "th":
                assert attributes.get("scope") in ("col", "row")
            if "tabindex" in attributes and attributes["tabindex"] == "0":
                assert attributes.get("aria-label"), (tag, attributes)
