"""Settings shared by all tests. This file puts tests/ on the import path, for golden_files."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

from hybrid.compiled import is_compiled

# When tests are started in the background, Ctrl-C may be ignored. Tests of Ctrl-C, and the
# processes
# that they start, need it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests neither use nor fill the user's folder of parsers' tables.
os.environ["HYBRID_CACHE"] = ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests as large where their function or module is sampled, and skips tests that replace
    or extend a part of the kernel if it is compiled: compiled code would not notice."""
    seen: Counter[str] = Counter()
    for item in items:
        sample = item.get_closest_marker("sample")
        if sample is not None:
            function = item.nodeid.split("[")[0]
            if seen[function] % sample.args[0]:
                item.add_marker(pytest.mark.large)
            seen[function] += 1
        if is_compiled() and item.get_closest_marker("interpreted"):
            item.add_marker(pytest.mark.skip(reason="it changes the kernel, which is compiled"))
