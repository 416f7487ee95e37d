"""Reports in a real browser: load, step, switch, find the cycle, sort and filter.

With HYBRID_SCREENSHOTS=FOLDER in the environment the pictures of docs/report.md are made anew.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from browser import needs_browser
from page_browser import Browser
from support import model, model_of, program

from hybrid.cli.main import main
from hybrid.data import bundled
from hybrid.engine.configuration import Configuration
from hybrid.explain.view import answer_view
from hybrid.report.explored import explore
from hybrid.report.html.page import render
from hybrid.report.html.views import AnswerView, BatchRow, PageView

pytestmark = [pytest.mark.large, needs_browser]

MP = r"""
x = 0; y = 0
thread P: L0: x := 1; L1: y := 1;
thread Q: L2: r0 := y; L3: r1 := x;
exists (Q:r0 = 1 /\ Q:r1 = 0)
"""
SB = r"""
x = 0; y = 0
thread P: L0: x := 1; L1: r0 := y;
thread Q: L2: y := 1; L3: r1 := x;
exists (P:r0 = 0 /\ Q:r1 = 0)
"""
ACYCLIC = f"acyclic {90 * 'r'} as {90 * 'a'}\n(*% commit-before (po | rf)+ *)"
LIMIT = 200  # milliseconds that filtering a thousand rows may take
AT_ONCE = 300  # rows that are shown until more are asked for


def answer(text: str, under: str) -> AnswerView:
    return answer_view(explore(Configuration("rsmc"), program(text), model(under)))


def show(browser: Browser, folder: Path, page: PageView) -> None:
    file = folder / "page.html"
    file.write_text(render(page), encoding="utf-8")
    browser.open(file)
    assert browser.complaints() == []


def one(browser: Browser, folder: Path, text: str, under: str) -> AnswerView:
    view = answer(text, under)
    show(browser, folder, PageView("one", "1", "", view))
    return view


def opacity(browser: Browser, key: str) -> float:
    script = "return +getComputedStyle(document.querySelector(arguments[0])).opacity"
    return float(browser.run(script, f'.event[data-key="{key}"]'))


def still(browser: Browser) -> None:
    """Waits until nothing fades any more."""
    browser.wait_for(
        "const done = arguments[0];"
        "Promise.all(document.getAnimations().map((a) => a.finished)).then(() => done())"
    )


def test_stepping_by_buttons_and_keys(browser: Browser, tmp_path: Path) -> None:
    view = one(browser, tmp_path, MP, "power")
    steps = view.runs[0].steps
    assert browser.shown(".step") == []
    browser.find("button[data-go=start]").click()
    (start,) = browser.shown(".step")
    assert "Fetched" in start.text and "L0: x := 1" in start.text
    for place, step in enumerate(steps, 1):
        if place % 2:
            browser.find("button[data-go=next]").click()
        else:
            browser.press("ARROW_RIGHT")
        (shown,) = browser.shown(".step")
        assert step.text in shown.text and step.meaning in shown.text
        for choice in step.choices:
            assert choice.meaning in shown.text
        assert browser.find(".at").text == f"{place} of {len(steps)}"
        (now,) = browser.all(".event.now")
        assert now.get_attribute("data-key") == step.key
        (mark,) = browser.all("mark.now")
        assert step.label in mark.get_attribute("data-labels").split()
    still(browser)
    assert opacity(browser, steps[-1].key) == 1
    browser.press("ARROW_LEFT")
    still(browser)
    assert browser.find(".at").text == f"{len(steps) - 1} of {len(steps)}"
    assert opacity(browser, steps[-1].key) < 1
    browser.press("ESCAPE")
    assert browser.shown(".step") == [] and browser.all(".picture.stepping") == []


def test_relations_are_switched(browser: Browser, tmp_path: Path) -> None:
    one(browser, tmp_path, MP, "power")
    shown = len(browser.shown(".edge.rf path"))
    assert shown
    browser.find("input[data-relation=rf]").click()
    assert browser.shown(".edge.rf path") == [] and browser.shown(".edge.po path")
    browser.find("input[data-relation=rf]").click()
    assert len(browser.shown(".edge.rf path")) == shown


def test_dependencies_have_dashes_of_their_own(browser: Browser, tmp_path: Path) -> None:
    """In the picture as in the switches."""
    text = r"""x = 0; y = 0; z = 0; a[2] = 0
thread P: L0: r0 := x; L1: y := r0; L2: r1 := a[r0]; L3: if r0 = 0 goto L5; L4: z := 1; L5: x := 1;
exists (P:r0 = 0)"""
    one(browser, tmp_path, text, "power")
    dashes = "return getComputedStyle(arguments[0]).strokeDasharray"
    found = {}
    for name in ("addr", "data", "ctrl"):
        found[name] = browser.run(dashes, browser.find(f".edge.{name} .arrow"))
        assert browser.run(dashes, browser.find(f".sample .{name} .arrow")) == found[name]
    assert "none" not in found.values() and len(set(found.values())) == 3


def test_the_cycle_of_a_forbidden_outcome(browser: Browser, tmp_path: Path) -> None:
    view = one(browser, tmp_path, SB, "sc")
    axiom = view.runs[0].axiom
    assert axiom is not None
    assert browser.find(".law").text == "acyclic po | com as sc"
    assert [item.text for item in browser.all(".cycle li")] == [
        f"{edge.source_name} {edge.label} {edge.target_name}" for edge in axiom.cycle
    ]
    on_cycle = {edge.source for edge in axiom.cycle}
    bold = {e.get_attribute("data-key") for e in browser.all(".event:has(.box.bold)")}
    assert bold == on_cycle
    ends = [(e.get_attribute("data-from"), e.get_attribute("data-to")) for e in
            browser.shown(".edge:has(.arrow.bold)")]  # fmt: skip
    assert len(ends) == len(axiom.cycle) and {start for start, _ in ends} == on_cycle
    browser.find("button[data-go=end]").click()
    (last,) = browser.shown(".step")
    assert last.text.startswith("Refused") and "sc:" in last.text
    last.find_element("css selector", "tr.refused button.show").click()
    accused = {e.get_attribute("data-key") for e in browser.all(".event.accused")}
    assert accused and accused <= on_cycle and browser.all(".overlay")


LARGE = "\n".join(
    [
        "x = 0; y = 0;" + "".join(f" a{t}{i} = 0;" for t in range(5) for i in range(15)),
        *(f"thread T{t}: " + "".join(f"a{t}{i} := 1; " for i in range(15)) for t in range(3)),
        "thread P: " + "".join(f"a3{i} := 1; " for i in range(15)) + "x := 1; r0 := y;",
        "thread Q: " + "".join(f"a4{i} := 1; " for i in range(15)) + "y := 1; r1 := x;",
        r"exists (P:r0 = 0 /\ Q:r1 = 0)",
    ]
)
IN_SIGHT = """
const outer = document.querySelector(".frame").getBoundingClientRect();
return [...document.querySelectorAll(arguments[0])].map((element) => {
  const inner = element.getBoundingClientRect();
  return outer.left <= inner.left && inner.right <= outer.right
    && outer.top <= inner.top && inner.bottom <= outer.bottom;
});
"""


@pytest.mark.parametrize("width", [390, 1200])
def test_a_large_picture_is_shown_at_its_cycle(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    """On a screen all of it, on a phone the first event that is on it."""
    browser.size(width, 900)
    one(browser, tmp_path, LARGE, "sc")
    assert False in browser.run(IN_SIGHT, ".event .box")
    at_first = browser.run(IN_SIGHT, ".box.bold")
    assert at_first[0] and (all(at_first) or width == 390)
    browser.find("button[data-go=start]").click()
    for _ in range(2):
        browser.find("button[data-go=next]").click()
        assert browser.run(IN_SIGHT, ".event.now .box") == [True]
    assert not any(browser.run(IN_SIGHT, ".box.bold"))
    browser.find("button[data-go=whole]").click()
    assert browser.run(IN_SIGHT, ".box.bold") == at_first
    browser.find(".fit input").click()
    assert all(browser.run(IN_SIGHT, ".event .box"))
    browser.find(".fit input").click()
    assert browser.run(IN_SIGHT, ".box.bold") == at_first
    browser.find("button[data-go=end]").click()
    browser.find(".step:not([hidden]) button.show").click()
    assert browser.run(IN_SIGHT, ".event.now .box") == [True]


def test_home_and_end_among_the_buttons(browser: Browser, tmp_path: Path) -> None:
    """Elsewhere they scroll the page."""
    steps = one(browser, tmp_path, MP, "power").runs[0].steps
    browser.press("END")
    assert browser.shown(".step") == []
    browser.press("END", "button[data-go=next]")
    assert browser.find(".at").text == f"{len(steps)} of {len(steps)}"
    browser.press("HOME", "button[data-go=back]")
    assert browser.find(".at").text == f"0 of {len(steps)}"


def batch(count: int) -> PageView:
    answers = [answer(MP, "power"), answer(SB, "sc"), answer(SB, "tso")]
    rows = []
    for number in range(count):
        view = replace(answers[number % 3], name=f"test-{number}")
        expected = ("as expected", "not as expected", "")[number % 7 % 3]
        rows.append(
            BatchRow(
                view.name, view.model, view.verdict, expected, "rsmc", number * 37 % 101,
                number * 13 % 997 / 100, "a note" if number % 5 else "", f"t/{number}.prog", view,
            )
        )  # fmt: skip
    return PageView("a batch", "1", "", None, tuple(rows), ("all done",))


FILTER = """
const [words, done] = arguments;
const input = document.querySelector(".filter [name=text]");
const before = performance.now();
input.value = words;
input.dispatchEvent(new Event("input", {bubbles: true}));
document.body.getBoundingClientRect();
requestAnimationFrame(() => setTimeout(() => done(performance.now() - before)));
"""


def test_relations_of_the_model(browser: Browser, tmp_path: Path) -> None:
    """Off at first; each draws its edges, and edges that two have carry both names."""
    view = one(browser, tmp_path, MP.replace("L1:", "sync; L1:"), "power")
    named = {each.name: each for each in view.runs[0].named}
    assert {"hb", "prop"} <= set(named)
    assert browser.all(".own-edge") == []
    browser.find(".own summary").click()
    for name in ("hb", "prop"):
        browser.find(f'input[data-own="{name}"]').click()
    drawn = {
        (edge.get_attribute("data-from"), edge.get_attribute("data-to")): edge.text
        for edge in browser.all(".own-edge.name")
    }
    pairs = {name: {tuple(pair.split(">")) for pair in named[name].pairs} for name in named}
    assert set(drawn) == pairs["hb"] | pairs["prop"]
    both = pairs["hb"] & pairs["prop"]
    assert both
    for pair, text in drawn.items():
        assert ("hb" in text, "prop" in text) == (pair in pairs["hb"], pair in pairs["prop"])
    browser.find("button[data-go=start]").click()
    still(browser)
    assert browser.all(".own-edge.done") == []
    browser.find("button[data-go=whole]").click()
    browser.find('input[data-own="prop"]').click()
    assert len(browser.all(".own-edge.name")) == len(pairs["hb"])
    assert browser.complaints() == []


def test_a_thousand_rows(browser: Browser, tmp_path: Path) -> None:
    page = batch(1000)
    show(browser, tmp_path, page)
    assert browser.find(".count").text == "1000 of 1000"
    for words in ("test-99", "power note", "", "test-1 sc"):
        took = min(browser.wait_for(FILTER, text) for text in (words, "nothing", words))
        fits = [
            row
            for row in page.rows
            if all(w in f"{row.name} {row.model} {row.note}" for w in words.split())
        ]
        assert browser.find(".count").text == f"{len(fits)} of 1000"
        left = "document.querySelectorAll('.rows tbody tr:not([hidden])').length"
        assert browser.run(f"return {left}") == min(len(fits), AT_ONCE)
        assert took < LIMIT, (words, took)
    browser.wait_for(FILTER, "")
    browser.find(".more button").click()
    assert browser.run(f"return {left}") == 1000
    assert not browser.find(".more").is_displayed()


def names(browser: Browser) -> list[str]:
    script = "[...document.querySelectorAll('.rows tbody th')].map((cell) => cell.textContent)"
    return list(browser.run(f"return {script}"))


def test_sorting_and_opening(browser: Browser, tmp_path: Path) -> None:
    page = batch(60)
    show(browser, tmp_path, page)
    heads = browser.all(".rows thead button")
    heads[4].click()
    assert browser.all(".rows thead th")[4].get_attribute("aria-sort") == "ascending"
    by_traces = sorted(page.rows, key=lambda row: row.traces or 0)
    assert names(browser) == [row.name for row in by_traces]
    heads[0].click()
    assert names(browser) == [f"test-{number}" for number in range(60)]
    heads[0].click()
    assert names(browser) == [f"test-{number}" for number in reversed(range(60))]
    browser.find(".filter [name=unexpected]").click()
    unexpected = sum(row.expected == "not as expected" for row in page.rows)
    assert browser.find(".count").text == f"{unexpected} of 60"
    browser.find('a[href="#answer-1"]').click()
    browser.until("document.querySelector('.opened h2')")
    assert browser.find(".opened h2").text == "test-1 under sc"
    assert not browser.find(".batch").is_displayed()
    assert browser.run("return document.activeElement.textContent") == "test-1 under sc"
    browser.press("ARROW_RIGHT")
    assert len(browser.shown(".opened .step")) == 1
    browser.find(".close").click()
    browser.until("!document.querySelector('.opened h2')")
    assert browser.find(".batch").is_displayed() and not browser.all(".opened .step")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_sticks_out(browser: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    """On a phone as on a screen the page is not wider than its window; text can be read."""
    browser.size(width, 800)
    browser.scheme(scheme)
    for page in (PageView("one", "1", "", answer(MP, "power")), batch(20)):
        show(browser, tmp_path, page)
        wide = browser.run("return document.documentElement.scrollWidth")
        assert wide <= width
        poor = browser.run(CONTRAST)
        assert poor == []


@pytest.mark.parametrize("under", ["tso", "own"])
def test_long_names_wrap(browser: Browser, tmp_path: Path, under: str) -> None:
    """On a phone the page is as wide as its window, also with all of it open."""
    browser.size(390, 800)
    text = re.sub(r"\b[xyPQ]\b|r0", lambda name: name[0] + 90 * "w", SB)
    own = model("tso") if under == "tso" else model_of(f"let {90 * 'r'} = po | com\n{ACYCLIC}")
    view = answer_view(explore(Configuration("rsmc"), program(text), own))
    assert view.verdict == ("ALLOWED" if under == "tso" else "FORBIDDEN")
    show(browser, tmp_path, PageView("one", "1", "", replace(view, name=90 * "n")))
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    for where in ("start", "next", "end"):
        assert browser.run("return document.documentElement.scrollWidth") == 390
        browser.find(f"button[data-go={where}]").click()


CELLS = """
return [...document.querySelectorAll(".rows tbody tr:not([hidden]) > *")]
  .filter((cell) => cell.textContent)
  .map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const {left, right, height} = range.getBoundingClientRect();
    return [cell.textContent, left, right, height];
  });
"""


def test_a_batch_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    """All that a row says is in sight, without scrolling sidewards."""
    browser.size(390, 800)
    page = batch(20)
    first = page.rows[0]
    page = replace(page, rows=(replace(first, name="W" * 90, note="N" * 90), *page.rows[1:]))
    show(browser, tmp_path, page)
    cells = browser.run(CELLS)
    assert [text for text, *_ in cells if text == "ALLOWED as expected"]
    assert len(cells) == sum(7 if row.note else 6 for row in page.rows)
    for text, left, right, height in cells:
        assert 0 <= left < right <= 390 and height > 0, text
    browser.find(".rows thead th:nth-child(5) button").click()
    assert names(browser)[0] == min(page.rows, key=lambda row: row.traces or 0).name
    assert browser.find(".rows").get_attribute("role") == "table"  # though laid out otherwise


# What is shown in the documents: the options of `hybrid`, the page's size and scheme, and what is
# done with it.
PICTURES = {
    "witness": ("verify papers/rsmc-fig2.prog", (1100, 760), "light", "next next next"),
    "cycle": ("verify ppc/MP+syncs.litmus", (1100, 820), "light", ""),
    "refused": ("explain ppc/MP+syncs.litmus", (1100, 820), "dark", "end"),
    "phone": ("verify ppc/MP+syncs.litmus", (390, 760), "light", "scroll"),
    "batch": ("verify ppc", (1100, 620), "light", "filter"),
}
SCREENSHOTS = os.environ.get("HYBRID_SCREENSHOTS", "")


@pytest.mark.skipif(not SCREENSHOTS, reason="pictures are made with HYBRID_SCREENSHOTS=FOLDER")
@pytest.mark.parametrize("name", PICTURES)
def test_pictures(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    words, size, scheme, done = PICTURES[name]
    verb, file, *options = words.split()
    page = tmp_path / "page.html"
    monkeypatch.chdir(bundled("litmus"))
    main([verb, file, *options, "--html", str(page), "-o", os.devnull])
    browser.size(*size)
    browser.scheme(scheme)
    browser.open(page)
    for step in done.split():
        if step == "filter":
            browser.wait_for(FILTER, "LB")
        elif step == "scroll":
            browser.run("document.querySelector('.stage').scrollIntoView()")
        else:
            browser.find(f"button[data-go={step}]").click()
    still(browser)
    browser.run("document.querySelector('footer').hidden = true")  # it names a temporary file
    browser.driver.save_screenshot(str(Path(SCREENSHOTS) / f"report-{name}.png"))
    assert browser.complaints() == []


# Texts that are shown with less contrast than WCAG AA asks for.
CONTRAST = """
const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const found = parse(getComputedStyle(at).backgroundColor);
    if (found.length === 3 || found[3] > 0) return found;
  }
  return [255, 255, 255];
};
const poor = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  if (!own || !element.checkVisibility() || element.closest("svg, script, button:disabled")) {
    continue;
  }
  const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) poor.push([element.tagName, element.textContent.slice(0, 30), ratio]);
}
return poor;
"""
