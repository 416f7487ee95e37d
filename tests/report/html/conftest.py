"""The browser, for tests of reports: one for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import browser as new_browser
from page_browser import Browser


@pytest.fixture(scope="session")
def one_browser() -> Iterator[Browser]:
    with new_browser() as driver:
        yield Browser(driver)


@pytest.fixture
def browser(one_browser: Browser) -> Browser:
    """With an empty page, as large as a screen, light."""
    one_browser.size(1200, 900)
    one_browser.scheme("light")
    one_browser.open("about:blank")
    one_browser.complaints()
    return one_browser
