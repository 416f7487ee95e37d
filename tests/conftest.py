"""Settings shared by all tests. This file puts tests/ on the import path, for golden_files."""

from __future__ import annotations

import signal

# Whoever starts the tests in the background may have Ctrl-C ignored; tests of it, and the processes that they start, need it.
signal.signal(signal.SIGINT, signal.default_int_handler)
