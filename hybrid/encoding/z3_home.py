"""Where Z3's terms live: contexts, which cost more to make than most explorations cost to check, so
that they are used again; and the functions of its C interface that are called once for each clause.

z3core looks at the types of all arguments and asks for errors after each call, in Python. Here
pointers are plain numbers, and whoever calls asks for errors where one can matter.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import z3  # type: ignore[import-untyped]
from z3 import z3core

_MOST: Final = 20_000  # variables of a context that is kept
_POINTER: Final = ctypes.c_void_p
_NUMBER: Final = ctypes.c_uint


def _function(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Z3's library with types of its own. z3core keeps the function itself as a
    default of its wrapper's last argument."""
    wrapped = getattr(z3core, name).__defaults__[-1].f
    address = ctypes.cast(wrapped, _POINTER).value
    assert address is not None
    return ctypes.CFUNCTYPE(result, *arguments)(address)


INT_SYMBOL: Final = _function("Z3_mk_int_symbol", _POINTER, _POINTER, ctypes.c_int)
CONSTANT: Final = _function("Z3_mk_const", _POINTER, _POINTER, _POINTER, _POINTER)
NEGATION: Final = _function("Z3_mk_not", _POINTER, _POINTER, _POINTER)
KEEP: Final = _function("Z3_inc_ref", None, _POINTER, _POINTER)
IDENTITY: Final = _function("Z3_get_ast_id", _NUMBER, _POINTER, _POINTER)
DISJUNCTION: Final = _function("Z3_mk_or", _POINTER, _POINTER, _NUMBER, _POINTER)
ASSERT: Final = _function("Z3_solver_assert", None, _POINTER, _POINTER, _POINTER)
CHECK: Final = _function(
    "Z3_solver_check_assumptions", ctypes.c_int, _POINTER, _POINTER, _NUMBER, _POINTER
)
ERROR: Final = _function("Z3_get_error_code", _NUMBER, _POINTER)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C comes after the block: an object of Z3's that is only half made complains when it is
    thrown away."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            signal.raise_signal(signal.SIGINT)


class Z3Home:
    """A context with boolean constants, numbered from 1, and their negations."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self.pointer: int = self.context.ref().value
        self.sort: int = z3.BoolSort(self.context).ast.value
        self._booleans = z3.BoolSort(self.context)  # keeps the sort
        self.terms: list[int] = [0]  # by variable: the constant …
        self.negations: list[int] = [0]  # … and its negation
        self.literal_of: dict[int, int] = {}  # identity of a term -> literal
        # Questions are short, and Python sees to Ctrl-C between them.
        self.settings = z3.ParamsRef(self.context)
        self.settings.set("ctrl_c", False)

    def grow(self) -> None:
        """One more constant."""
        context = self.pointer
        number = len(self.terms)
        term: int = CONSTANT(context, INT_SYMBOL(context, number), self.sort)
        self.raise_errors()
        KEEP(context, term)  # for as long as the context lives
        negation: int = NEGATION(context, term)
        self.raise_errors()
        KEEP(context, negation)
        self.terms.append(term)
        self.negations.append(negation)
        self.literal_of[IDENTITY(context, term)] = number
        self.literal_of[IDENTITY(context, negation)] = -number

    def raise_errors(self) -> None:
        """A Z3Exception when the last call went wrong."""
        code = ERROR(self.pointer)
        if code:
            raise z3.Z3Exception(z3core.Z3_get_error_msg(self.context.ref(), code))


class _Homes(threading.local):
    """Those of this thread that are used again. Each is in one of the two lists: the collector of
    garbage may end what it finds with a lease in any order, so it must not find a context."""

    def __init__(self) -> None:
        self.free: list[Z3Home] = []
        self.lived_in: list[Z3Home] = []


_HOMES: Final = _Homes()


class Z3Lease:
    """A solver, alone in a home: one of its own that goes with it (`own`), or one that is free
    again when the lease is gone."""

    def __init__(self, arithmetic: bool, own: bool) -> None:
        self._lived_in, self._free = _HOMES.lived_in, _HOMES.free
        self._thread = threading.get_ident()
        with interrupts_held():
            self.home = self._free.pop() if self._free and not own else Z3Home()
            if not own:
                self._lived_in.append(self.home)
            context = self.home.context
            self.solver: Any = (
                z3.SimpleSolver(ctx=context) if arithmetic else z3.SolverFor("QF_FD", ctx=context)
            )
            if not own:
                z3core.Z3_solver_set_params(
                    context.ref(), self.solver.solver, self.home.settings.params
                )
        self.pointer: int = self.solver.solver.value

    def __del__(self) -> None:
        home = self.__dict__.pop("home", None)
        self.__dict__.pop("solver", None)
        if home in self._lived_in:
            self._lived_in.remove(home)
            if threading.get_ident() == self._thread and len(home.terms) < _MOST:
                self._free.append(home)
