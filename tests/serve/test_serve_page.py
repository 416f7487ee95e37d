"""The page in a real browser: choose, run, stop, look; errors at their place; links; the keyboard,
a phone, the dark.

With HYBRID_SCREENSHOTS=FOLDER in the environment the pictures of the documents are made anew.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import browser, complaints, needs_browser
from serve_helpers import ENDLESS, SB

pytest.importorskip("uvicorn", reason="needs the extra `web`")

import uvicorn

from hybrid.serve.app import compiler_version, make_app
from hybrid.serve.jobs import JobQueue
from hybrid.serve.process import RunLimits
from hybrid.serve.server import listening

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

pytestmark = [pytest.mark.large, needs_browser]
SECONDS = 60
SCREENSHOTS = os.environ.get("HYBRID_SCREENSHOTS", "")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server in a thread of this process."""
    with listening(0) as here:
        port = here.getsockname()[1]
        app = make_app(JobQueue(RunLimits(40, 2_000_000_000)), port)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [here]})
        thread.start()
        yield f"http://127.0.0.1:{port}/"
        server.should_exit = True
        thread.join()


@dataclass
class Page:
    """What a user does with the page."""

    driver: Chrome
    address: str

    def open(self, fragment: str = "") -> Page:
        self.driver.get("about:blank")
        self.driver.get(self.address + fragment)
        self.until(lambda: self.one("body").get_attribute("data-ready") == "true")
        return self

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements("css selector", selector)

    def until(self, holds: Any) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, SECONDS, 0.05).until(lambda _: holds())

    def choose(self, field: str, value: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.one(f"#{field}")).select_by_value(value)

    def test(self, name: str) -> None:
        """Opens a bundled test."""
        self.choose("folder", name.rpartition("/")[0])
        self.choose("test", name)
        self.until(lambda: self.script("return document.getElementById('test').value") == name)
        self.until(lambda: self.text("program").strip() != "")

    def text(self, editor: str) -> str:
        found: str = self.script(f"return document.querySelector('#{editor} textarea').value")
        return found

    def write(self, editor: str, text: str) -> None:
        """As if it were pasted."""
        area = self.one(f"#{editor} textarea")
        self.script(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            area,
            text,
        )

    def run(self) -> str:
        """The verdict."""
        self.one("#run").click()
        return self.ended()

    def ended(self) -> str:
        self.until(lambda: self.one("#run").is_enabled())
        return self.one("#verdict").text

    def script(self, code: str, *given: object) -> Any:
        return self.driver.execute_script(code, *given)

    def report(self) -> None:
        """Goes into the report."""
        self.until(lambda: self.all("#frame iframe"))
        self.driver.switch_to.frame(self.one("#frame iframe"))
        self.until(lambda: self.all("article.answer"))

    def back(self) -> None:
        self.driver.switch_to.default_content()

    def picture(self, name: str) -> None:
        if SCREENSHOTS:
            self.driver.save_screenshot(str(Path(SCREENSHOTS, f"{name}.png")))


@pytest.fixture(scope="module")
def driver() -> Iterator[Chrome]:
    with browser(1180, 820) as found:
        yield found


@pytest.fixture
def page(driver: Chrome, address: str) -> Iterator[Page]:
    complaints(driver)
    yield Page(driver, address).open()
    assert complaints(driver) == []


def test_three_tests(page: Page) -> None:
    page.test("classic/MP.prog")
    assert page.run() == "ALLOWED (as expected)"
    page.test("aarch64/MP+dmb.sys.litmus")
    assert page.run() == "FORBIDDEN (as expected)"
    if compiler_version():
        page.test("programs/textbook/treiber.c")
        assert page.run() == "HOLDS (as expected)"
    page.choose("folder", "classic")
    page.test("classic/SB.prog")
    page.choose("model", "sc")
    page.choose("engine", "rsmc")
    page.choose("oracle", "z3")
    assert page.run() == "FORBIDDEN (as expected)"
    page.report()
    assert "z3" in page.one("section.facts").text


def test_known_answers(page: Page) -> None:
    """They stand below the list, for as long as the text is that of the test."""
    known = page.one("#known")
    page.test("classic/SB.prog")
    page.until(lambda: "sc FORBIDDEN (3)" in known.text and "power ALLOWED (4)" in known.text)
    page.test("ppc/MP+syncs.litmus")
    page.until(lambda: known.text.endswith(": power FORBIDDEN (3)"))
    assert page.run() == "FORBIDDEN (as expected)"
    text = page.text("program")
    page.write("program", f"{text}\n")
    assert not known.is_displayed()
    assert page.run() == "FORBIDDEN"
    page.write("program", text)
    assert known.is_displayed()


def test_all_engines_and_an_outcome(page: Page) -> None:
    page.test("classic/SB.prog")
    page.choose("model", "sc")
    page.choose("engine", "all")
    assert page.run() == "EQUAL"
    page.report()
    assert len(page.all(".comparison tbody tr")) > 5
    page.back()
    page.choose("engine", "auto")
    page.one("#outcome").send_keys("P:r0 = 0")
    assert page.run() == "ALLOWED"
    page.one("#outcome").clear()
    page.one("#outcome").send_keys("nothing = ")
    assert page.run() == "ERROR"


def test_finding_a_test(page: Page) -> None:
    page.one("#find").send_keys("treiber")
    names = page.script("return [...document.getElementById('test').options].map((o) => o.value)")
    assert all("treiber" in name for name in names[1:]) and len(names) > 1
    page.one("#find").send_keys(" no such test")
    assert len(page.all("#test option")) == 1
    page.script("document.getElementById('find').value = ''")
    page.one("#find").send_keys("SB+mfences.prog")
    page.choose("test", "classic/SB+mfences.prog")
    page.until(lambda: "mfence" in page.text("program"))
    assert page.one("#folder").get_attribute("value") == "classic"


def test_stepping_through_a_witness(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.test("classic/MP.prog")
    page.run()
    page.report()
    stepper = page.one(".stepper")
    assert page.all(".picture .event") and not page.all(".picture.stepping")
    counts = []
    for _ in range(4):
        stepper.send_keys(Keys.ARROW_RIGHT)
        counts.append(len(page.all(".picture .event.done")))
    assert counts == sorted(counts) and counts[-1] > counts[0]
    shown = [step for step in page.all(".stepper .step") if step.is_displayed()]
    assert len(shown) == 1 and shown[0].text
    page.script("document.querySelector('.picture').scrollIntoView()")
    page.back()
    page.picture("serve-witness")


def test_the_cycle_of_a_forbidden_one(page: Page) -> None:
    page.test("ppc/MP+syncs.litmus")
    assert page.run() == "FORBIDDEN (as expected)"
    page.report()
    edges = [edge.text for edge in page.all(".axiom .cycle li")]
    assert len(edges) >= 2 and any("rfe" in edge for edge in edges)
    assert len(page.all(".picture path.bold")) == len(edges)
    page.script("document.querySelector('.axiom .cycle').scrollIntoView()")
    page.back()
    page.picture("serve-cycle")


def test_an_error_at_its_place(page: Page) -> None:
    page.write("program", "x = 0; y = 0\nthread P: x := 1; r0 := ;\nexists (P:r0 = 1)\n")
    assert page.run() == "ERROR"
    assert page.one("#program .gutter .at").text == "2"
    assert page.one("#program .marks mark").get_attribute("textContent") == ";"
    assert "program, line 2, column 25" in page.one("#errors").text
    area = page.one("#program textarea")
    assert area.get_attribute("aria-invalid") == "true"
    assert area.get_attribute("aria-describedby") == "errors"
    start = page.script("return arguments[0].selectionStart", area)
    assert page.text("program")[start] == ";"
    page.picture("serve-error")
    mark, caret = (
        page.script("return arguments[0].getBoundingClientRect().toJSON()", page.one(selector))
        for selector in ("#program .marks mark", "#program .gutter .at")
    )
    assert abs(mark["y"] - caret["y"]) < 4  # on the line of its number
    area.send_keys("3")
    assert not page.all("#program .gutter .at") and not page.one("#errors").is_displayed()
    assert page.run() == "FORBIDDEN"


def test_an_error_far_down(page: Page) -> None:
    text = "x = 0\n" + "\n" * 300 + "thread P: x := 1;\nthread Q: x := :\n"
    page.write("program", text)
    assert page.run() == "ERROR"
    box = page.script(
        "const mark = document.querySelector('#program .marks mark').getBoundingClientRect();"
        "const area = document.querySelector('#program textarea').getBoundingClientRect();"
        "return mark.top > area.top && mark.bottom < area.bottom"
    )
    assert box is True and page.one("#program .gutter .at").text == "303"


def test_an_error_in_the_model(page: Page) -> None:
    page.test("classic/SB.prog")
    page.choose("model", "tso")
    page.one("#copy").click()
    page.until(lambda: "acyclic" in page.text("cat"))
    assert page.run() == "ALLOWED"
    page.one("#tab-program").click()
    page.write("cat", '"mine"\nacyclic po | nothing as mine\n')
    assert page.run() == "ERROR"
    assert page.one("#cat").is_displayed() and not page.one("#program").is_displayed()
    assert page.one("#cat .marks mark").get_attribute("textContent") == "nothing"


@pytest.mark.skipif(not compiler_version(), reason="there is no C compiler here")
def test_an_error_of_the_compiler(page: Page) -> None:
    page.choose("kind", ".c")
    page.write("program", "int main(void) {\n\treturn nothing;\n}\n")
    assert page.run() == "ERROR"
    assert page.one("#program .gutter .at").text == "2"
    assert "undeclared" in page.one("#errors").text


def test_stopping(page: Page) -> None:
    page.write("program", ENDLESS)
    page.choose("model", "sc")
    page.one("#run").click()
    page.until(lambda: "Running" in page.one("#said").text)
    page.one("#stop").click()
    assert page.ended() == "INCONCLUSIVE"
    assert "interrupted" in page.one("#said").text and not page.one("#stop").is_enabled()


def test_a_link_holds_everything(page: Page) -> None:
    text = f"{SB}(* ü → 😀 *)\n"
    page.write("program", text)
    page.choose("model", "tso")
    page.one("#copy").click()
    page.until(lambda: "acyclic" in page.text("cat"))
    model = page.text("cat")
    page.choose("engine", "rsmc")
    page.choose("oracle", "pysat")
    page.one("#unroll").send_keys("4")
    page.one("#outcome").send_keys("P:r0 = 1")
    page.one("#share").click()
    page.until(lambda: "everything" in page.one("#shared").text)
    link = page.driver.current_url.removeprefix(page.address)
    assert link.startswith("#1.")
    page.open()
    assert page.text("program") != text
    page.open(link)
    assert page.text("program") == text and page.text("cat") == model
    values = [page.one(f"#{field}").get_attribute("value") for field in ("model", "engine")]
    values += [page.one(f"#{field}").get_attribute("value") for field in ("oracle", "unroll")]
    values.append(page.one("#outcome").get_attribute("value"))
    assert values == ["own", "rsmc", "pysat", "4", "P:r0 = 1"]
    assert not page.one("#verdict").is_displayed()  # nothing runs by itself
    assert "link" in page.one("#said").text
    page.one("#tab-program").click()
    assert page.run() in ("ALLOWED", "ERROR")


@pytest.mark.parametrize("link", ["#1.", "#1.AAAA", "#1.!!!!", "#2.abc", "#x"])
def test_a_broken_link(page: Page, link: str) -> None:
    page.open(link)
    assert "thread P" in page.text("program")


def test_a_link_that_would_fill_the_memory(page: Page) -> None:
    """Ten megabytes of spaces in some kilobytes."""
    code = """
        const done = arguments[arguments.length - 1];
        import('/share.js').then(async ({ encode, decode }) => {
          const link = await encode({ text: ' '.repeat(10_000_000) });
          done(JSON.stringify([link.length, await decode(link)]));
        });"""
    length, found = json.loads(page.driver.execute_async_script(code))
    assert length < 100_000 and found is None


def test_the_keyboard_alone(page: Page) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    page.one("#tab-program").send_keys(Keys.ARROW_RIGHT)
    assert page.one("#cat").is_displayed()
    assert page.script("return document.activeElement.id") == "tab-model"
    page.one("#tab-model").send_keys(Keys.ARROW_LEFT)
    area = page.one("#program textarea")
    area.send_keys(Keys.CONTROL, Keys.ENTER)
    assert page.ended() == "ALLOWED (as expected)"
    area.send_keys(Keys.TAB)  # leaves the editor
    reached = []
    for _ in range(12):
        reached.append(page.script("return document.activeElement.id"))
        ActionChains(page.driver).send_keys(Keys.TAB).perform()
    assert [each for each in reached if each in ("model", "engine", "run", "share")] == [
        "model",
        "engine",
        "run",
        "share",
    ]


def test_everything_has_a_name(page: Page) -> None:
    """For readers that do not see it."""
    nameless = page.script(
        "return [...document.querySelectorAll('button, select, input, textarea, iframe, a')]"
        ".filter((each) => !(each.textContent.trim() || each.getAttribute('aria-label')"
        " || each.title || (each.labels && each.labels.length)))"
        ".map((each) => each.outerHTML)"
    )
    assert nameless == []
    assert page.script("return document.documentElement.lang") == "en"


def test_a_report_is_alone(page: Page) -> None:
    page.run()
    page.report()
    alone = page.driver.execute_async_script(
        "const done = arguments[0]; let seen = 'nothing';"
        "try { seen = parent.document.title; } catch (error) { seen = error.name; }"
        "fetch('/api/setup').then(() => done([seen, 'answered']), () => done([seen, 'refused']));"
    )
    assert alone == ["SecurityError", "refused"]
    page.back()
    complaints(page.driver)  # of what was just tried


def test_nothing_comes_from_elsewhere(page: Page) -> None:
    page.run()
    loaded = page.script("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert loaded and all(name.startswith(page.address) for name in loaded)


@pytest.mark.parametrize("width", [360, 768])
def test_small_and_dark(address: str, width: int) -> None:
    with browser(width, 800, dark=True) as driver:
        page = Page(driver, address).open()
        page.run()
        wide = "return document.documentElement.scrollWidth - window.innerWidth"
        assert page.script(wide) <= 0
        back = page.script("return getComputedStyle(document.body).backgroundColor")
        assert sum(int(part) for part in back[4:-1].split(",")[:3]) < 150
        page.report()
        if width == 360:
            page.back()
            page.script("document.getElementById('status').scrollIntoView()")
            page.picture("serve-phone")
