"""Names of C++ functions."""

from __future__ import annotations

import pytest

from hybrid.frontend.c.demangle import demangled

NAMES = {
    "main": "main",
    "_Z3fooi": "foo",
    "_Znwm": "operator new",
    "_ZSt9terminatev": "std::terminate",
    "_ZNSt3__15mutex4lockEv": "std::mutex::lock",
    "_ZN5QueueIiLi3EE4pushEi": "Queue::push",
    "_ZNKSt3__16vectorIiE4sizeEv": "std::vector::size",
    "_ZNSolsEi": "std::ostream::operator<<",
    "_ZNSt3__1lsINS_11char_traitsIcEEEERNS_13basic_ostreamIcT_EES6_PKc": "std::operator<<",
    "_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE6sentryC1ERS3_": (
        "std::basic_ostream::sentry::sentry"
    ),
    "_ZN1AD2Ev": "A::~A",
    "_ZNSt3__111this_thread9sleep_forB9nqe220108IxEEvv": "std::this_thread::sleep_for",
    "_ZTV3Foo": "_ZTV3Foo",
    "_ZN3fooEq": "foo",
    "_ZN3": "_ZN3",
    "_Z": "_Z",
    "_ZN9foo": "_ZN9foo",
    "_ZN1AI": "_ZN1AI",
}


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    assert demangled(name) == NAMES[name]
