"""Settings shared by all tests. This file puts tests/ on the import path, for golden_files."""

from __future__ import annotations

import signal

import pytest

from hybrid.compiled import is_compiled

# Whoever starts the tests in the background may have Ctrl-C ignored; tests of it, and the processes
# that they start, need it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that replace or extend a part of the kernel: compiled code would not notice."""
    if is_compiled():
        for item in items:
            if item.get_closest_marker("interpreted"):
                item.add_marker(pytest.mark.skip(reason="it changes the kernel, which is compiled"))
