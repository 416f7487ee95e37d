"""A page in a browser, and what tests of reports do with it."""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser import complaints

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


class Browser:
    """A page in a browser: what tests do with it."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver
        driver.set_page_load_timeout(60)
        driver.set_script_timeout(60)

    def open(self, page: Path | str) -> None:
        self.driver.get(page.as_uri() if isinstance(page, Path) else page)

    def size(self, width: int, height: int) -> None:
        """The size of the page's window, as a phone or a screen has it."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, name: str) -> None:
        """`light` or `dark`."""
        feature = {"name": "prefers-color-scheme", "value": name}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements("css selector", selector)

    def shown(self, selector: str) -> list[Any]:
        return [each for each in self.all(selector) if each.is_displayed()]

    def press(self, key: str, selector: str = "body") -> None:
        """A key by its name in selenium: ARROW_RIGHT, ESCAPE, TAB."""
        from selenium.webdriver.common.keys import Keys

        self.find(selector).send_keys(getattr(Keys, key, key))

    def run(self, script: str, *arguments: object) -> Any:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script: str, *arguments: object) -> Any:
        """What a script gives to the function that is its last argument."""
        return self.driver.execute_async_script(script, *arguments)

    def until(self, condition: str) -> None:
        """Waits until an expression is true, ten seconds at most."""
        end = time.monotonic() + 10
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def complaints(self) -> list[str]:
        """What the browser's console says: errors of scripts, things that are not allowed."""
        return complaints(self.driver)

    def screenshot(self, file: Path, height: int = 4000) -> None:
        """The whole page, down to a height."""
        width, whole = self.run(
            "return [document.documentElement.clientWidth, document.documentElement.scrollHeight]"
        )
        clip = {"x": 0, "y": 0, "width": width, "height": min(whole, height), "scale": 1}
        asked = {"captureBeyondViewport": True, "clip": clip}
        found = self.driver.execute_cdp_cmd("Page.captureScreenshot", asked)
        file.write_bytes(base64.b64decode(found["data"]))
