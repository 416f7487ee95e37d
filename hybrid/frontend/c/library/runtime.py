"""Functions of C++'s libraries that are easily said in LLVM's language: they are linked to programs
that need them.
"""

from __future__ import annotations

from functools import cache

from hybrid.frontend.llvm.link import link
from hybrid.frontend.llvm.module import Module
from hybrid.frontend.llvm.read import read_module
from hybrid.source import Source

RUN_STATE = "std::thread"
_TEXTS = {
    # libstdc++: runs what a std::thread is to run, and deletes it
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE": f"""
define ptr @"{RUN_STATE}"(ptr %state) {{
  %table = load ptr, ptr %state
  %second = getelementptr ptr, ptr %table, i64 2
  %run = load ptr, ptr %second
  call void %run(ptr %state)
  %first = getelementptr ptr, ptr %table, i64 1
  %delete = load ptr, ptr %first
  call void %delete(ptr %state)
  ret ptr null
}}""",
    # libstdc++: what std::call_once calls by pthread_once
    "__once_proxy": """
@_ZSt11__once_call = thread_local global ptr null
@_ZSt15__once_callable = thread_local global ptr null
define void @__once_proxy() {
  %call = load ptr, ptr @_ZSt11__once_call
  call void %call()
  ret void
}""",
    # libc++: std::shared_ptr and std::weak_ptr; counts are one less than the number of owners
    "_ZNSt3__119__shared_weak_count14__release_weakEv": """
define void @_ZNSt3__119__shared_weak_count14__release_weakEv(ptr %this) {
  %count = getelementptr i64, ptr %this, i64 2
  %seen = load atomic i64, ptr %count acquire, align 8
  %last = icmp eq i64 %seen, 0
  br i1 %last, label %gone, label %other
other:
  %old = atomicrmw add ptr %count, i64 -1 acq_rel, align 8
  %was_last = icmp eq i64 %old, 0
  br i1 %was_last, label %gone, label %done
gone:
  %table = load ptr, ptr %this
  %fourth = getelementptr ptr, ptr %table, i64 4
  %on_zero = load ptr, ptr %fourth
  call void %on_zero(ptr %this)
  br label %done
done:
  ret void
}""",
    "_ZNSt3__119__shared_weak_count4lockEv": """
define ptr @_ZNSt3__119__shared_weak_count4lockEv(ptr %this) {
entry:
  %count = getelementptr i64, ptr %this, i64 1
  %first = load atomic i64, ptr %count seq_cst, align 8
  br label %loop
loop:
  %seen = phi i64 [ %first, %entry ], [ %old, %try ]
  %dead = icmp eq i64 %seen, -1
  br i1 %dead, label %none, label %try
try:
  %more = add i64 %seen, 1
  %pair = cmpxchg ptr %count, i64 %seen, i64 %more seq_cst seq_cst, align 8
  %old = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  br i1 %done, label %owns, label %loop
owns:
  ret ptr %this
none:
  ret ptr null
}""",
    "_ZNSt3__119__shared_weak_countD2Ev": """
define void @_ZNSt3__119__shared_weak_countD2Ev(ptr %this) {
  ret void
}""",
    "_ZNSt3__114__shared_countD2Ev": """
define void @_ZNSt3__114__shared_countD2Ev(ptr %this) {
  ret void
}""",
}


def completed(module: Module) -> Module:
    """The module with those functions that it declares and does not define."""
    names = tuple(name for name in _TEXTS if _is_missing(module, name))
    return link([module, _runtime(names)]) if names else module


def _is_missing(module: Module, name: str) -> bool:
    function = module.functions.get(name)
    return function is not None and not function.blocks


@cache
def _runtime(names: tuple[str, ...]) -> Module:
    text = "\n".join(_TEXTS[name] for name in names)
    return read_module(Source("the library of C++", text, shown=False))
