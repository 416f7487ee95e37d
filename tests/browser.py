"""A real browser without a window, for tests: Chromium through selenium.

@needs_browser
def test_…() -> None:
    with browser(width=400, dark=True) as driver:
        driver.get("file:///…")
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "chromedriver"


def _why_not() -> str:
    """Why there is no browser; empty: there is one."""
    if find_spec("selenium") is None:
        return "selenium is not installed"
    if not any(map(shutil.which, PROGRAMS)):
        return f"no browser: none of {', '.join(PROGRAMS)} is installed"
    return "" if shutil.which(DRIVER) else f"{DRIVER} is not installed"


needs_browser = pytest.mark.skipif(bool(_why_not()), reason=_why_not() or "there is a browser")


@contextmanager
def browser(width: int = 1280, height: int = 900, dark: bool = False) -> Iterator[Chrome]:
    """A new one, of that size; `dark`: the user likes it so. A narrow one is a phone."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = next(filter(None, map(shutil.which, PROGRAMS)))
    words = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    words += ["--hide-scrollbars", "--disable-background-networking"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        words.append("--no-sandbox")  # which Chromium does not have for root
    for word in words:
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which(DRIVER)))
    try:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        yield driver
    finally:
        driver.quit()


def complaints(driver: Chrome) -> list[str]:
    """What the browser has to say against the page: errors of scripts, refusals of policies."""
    return [str(entry["message"]) for entry in driver.get_log("browser")]
