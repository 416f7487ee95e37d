"""Programs in C++: each feature has one in features.cpp, all of which are compiled once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from support import model

from hybrid.catalogue.choice import choose
from hybrid.engine.configuration import Configuration
from hybrid.errors import Unsupported
from hybrid.frontend.c.captions import Captions
from hybrid.frontend.c.clang import compile_file, find_compiler
from hybrid.frontend.c.lower import lower
from hybrid.frontend.compiler_options import NO_OPTIONS
from hybrid.frontend.llvm.module import DebugPlace, Module
from hybrid.frontend.llvm.read import read_module
from hybrid.model import orders
from hybrid.program.c11 import C_SOURCE
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.report.result import Result
from hybrid.source import Source

FILE = Path(__file__).with_name("features.cpp")
HELD, BAD = "HOLDS", "VIOLATED"


@cache
def compiled() -> Module:
    return read_module(Source("a", compile_file(FILE, find_compiler(NO_OPTIONS), ()).text))


@cache
def program(name: str) -> Program:
    """The program that has the function of this name as main."""
    module = compiled()
    main = replace(module.functions[name], name="main")
    texts = {str(FILE): Source(FILE.name, FILE.read_text(encoding="utf-8"))}
    made = lower(replace(module, functions={**module.functions, "main": main}), name, texts)
    return replace(made, arch=C_SOURCE)


def verified(name: str, under: str, engine: str) -> Result:
    made = program(name)
    mapped, _ = orders.mapped(None, made, model(under))
    asked = Configuration(engine).suiting(made)
    return explore(choose(asked, mapped, model(under)).configuration, mapped, model(under))


# The verdict, which is the same under sc and power, and the traces under rc20.
CASES = [
    ("passing", HELD, 2),
    ("buffering", HELD, 3),
    ("exchange", HELD, 2),
    ("captures", HELD, 2),
    ("array_of_threads", HELD, 6),
    ("vector_of_threads", HELD, 6),
    ("arguments", HELD, 2),
    ("ids", HELD, 1),
    ("never_joined", BAD, 1),
    ("joined_twice", BAD, 1),
    ("joining_threads", HELD, 2),
    ("counter", HELD, 2),
    ("unique_locks", HELD, 3),
    ("trying", HELD, 6),
    ("recursive", HELD, 2),
    ("deadlock", BAD, 2),
    ("not_locked", BAD, 1),
    ("shared_locks", HELD, 2),
    ("waiting", HELD, 2),
    ("waiting_for_a_while", HELD, 4),
    ("waiting_too_short", BAD, 4),
    ("lost_signal", BAD, 1),
    ("wrong_signal", BAD, 12),
    ("right_signal", HELD, 10),
    ("called_once", HELD, 6),
    ("virtual_call", HELD, 2),
    ("virtual_calls", HELD, 6),
    ("unique_pointers", HELD, 2),
    ("shared_pointers", HELD, 2),
    ("local_static", HELD, 4),
    ("thread_locals", HELD, 2),
    ("allocation", HELD, 1),
    ("deleted_too_early", BAD, 4),
    ("not_throwing", HELD, 1),
    ("optional", HELD, 2),
    ("printing", HELD, 2),
    ("constant_table", HELD, 2),
    ("shared_vector", HELD, 2),
]


@pytest.mark.large
@pytest.mark.parametrize(("name", "verdict", "traces"), CASES)
def test_rc20(name: str, verdict: str, traces: int) -> None:
    for engine in ("trust", "rsmc"):
        result = verified(name, "rc20", engine)
        assert (result.verdict.value, result.counters.complete) == (verdict, traces), engine


@pytest.mark.parametrize("under", ["sc", "power"])
@pytest.mark.parametrize(("name", "verdict"), [case[:2] for case in CASES])
def test_other_models(name: str, verdict: str, under: str) -> None:
    assert verified(name, under, "rsmc").verdict.value == verdict


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "under", "verdict"),
    [
        ("passing_relaxed", "rc20", BAD),
        ("passing_relaxed", "sc", HELD),
        ("passing_relaxed", "power", BAD),
        ("counter_unlocked", "rc20", BAD),
        ("counter_unlocked", "sc", HELD),
    ],
)
def test_what_models_do_not_agree_on(name: str, under: str, verdict: str) -> None:
    result = verified(name, under, "rsmc")
    assert result.verdict.value == verdict


def test_a_throw_is_refused() -> None:
    with pytest.raises(Unsupported, match="an exception that is thrown") as caught:
        program("throwing")
    assert caught.value.span is not None
    line = FILE.read_text(encoding="utf-8").splitlines()[caught.value.span.line - 1]
    assert line.strip() == 'throw std::runtime_error("no");'


def test_places_are_the_user_s() -> None:
    """No event stands in a header of the library, and none shows a line of one."""
    made = program("unique_locks")
    for thread in made.threads:
        for each in thread.code:
            origin = made.origins[each.label]
            if not origin.line:  # a thread's start, or a jump of our own
                continue
            assert origin.file == FILE.name, each.label
            assert all(frame.file == FILE.name for frame in origin.stack)
    shown = {made.origins[each.label].text for thread in made.threads for each in thread.code}
    assert {"lock(m)", "lock.unlock()", "lock.lock()", "data++"} <= shown


def test_what_threads_are_called() -> None:
    names = [thread.name for thread in program("passing").threads]
    assert names[-2:] == ["publish", "consume"]
    names = [thread.name for thread in program("captures").threads]
    assert [name.split(":")[0] for name in names[-2:]] == ["lambda", "lambda"]
    names = [thread.name for thread in program("arguments").threads]
    assert names[-3:] == ["put", "run", "run#2"]


# What libstdc++ makes of a std::thread: an object with virtual functions, in a unique_ptr.
LIBSTDCXX = """
@table = constant [3 x ptr] [ptr @destroy, ptr @delete, ptr @run]
@x = global i32 0
@flag = global i32 0
@_ZSt11__once_call = external thread_local global ptr
declare ptr @_Znwm(i64)
declare void @_ZdlPvm(ptr, i64)
declare void @_ZNSt6thread4joinEv(ptr)
declare void @__once_proxy()
declare i32 @pthread_once(ptr, ptr)
declare void @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
  ptr, ptr, ptr)
define void @destroy(ptr %this) {
  ret void
}
define void @delete(ptr %this) {
  call void @_ZdlPvm(ptr %this, i64 16)
  ret void
}
define void @once() {
  store i32 7, ptr @x
  ret void
}
define void @run(ptr %this) {
  %field = getelementptr i64, ptr %this, i64 1
  %target = load ptr, ptr %field
  store ptr @once, ptr @_ZSt11__once_call
  %ignored = call i32 @pthread_once(ptr %target, ptr @__once_proxy)
  ret void
}
define void @start(ptr %thread) {
  %holder = alloca ptr
  %state = call ptr @_Znwm(i64 16)
  store ptr @table, ptr %state
  %field = getelementptr i64, ptr %state, i64 1
  store ptr @flag, ptr %field
  store ptr %state, ptr %holder
  call void
    @_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    ptr %thread, ptr %holder, ptr null)
  ret void
}
define i32 @main() {
  %a = alloca i64
  %b = alloca i64
  call void @start(ptr %a)
  call void @start(ptr %b)
  call void @_ZNSt6thread4joinEv(ptr %a)
  call void @_ZNSt6thread4joinEv(ptr %b)
  %x = load i32, ptr @x
  %right = icmp eq i32 %x, 7
  br i1 %right, label %good, label %bad
good:
  ret i32 0
bad:
  call void @abort()
  unreachable
}
declare void @abort()
"""


def test_libstdcxx() -> None:
    made = replace(lower(read_module(Source("a.ll", LIBSTDCXX)), "a", {}), arch=C_SOURCE)
    result = explore(Configuration("rsmc").suiting(made), made, model("rc20"))
    assert (result.verdict.value, result.counters.complete) == (HELD, 2)


# What LLVM 14 makes of a lambda that captures nothing, called by a pointer to a function.
LAMBDA = """
%class.anon = type { i8 }
@x = global i32 0
define internal void @"$_08__invokeEi"(i32 %0) {
  call void @"_ZZ4mainENK3$_0clEi"(%class.anon* noundef nonnull align 1 undef, i32 %0)
  ret void
}
define internal void @"_ZZ4mainENK3$_0clEi"(%class.anon* %0, i32 %1) {
  %this = alloca %class.anon*
  store %class.anon* %0, %class.anon** %this
  %same = load %class.anon*, %class.anon** %this
  store i32 %1, i32* @x
  LOOK
  ret void
}
define i32 @main() {
  %f = alloca void (i32)*
  store void (i32)* @"$_08__invokeEi", void (i32)** %f
  %called = load void (i32)*, void (i32)** %f
  call void %called(i32 7)
  %x = load i32, i32* @x
  %right = icmp eq i32 %x, 7
  br i1 %right, label %good, label %bad
good:
  ret i32 0
bad:
  call void @abort()
  unreachable
}
declare void @abort()
"""
FOLLOWED = """%field = getelementptr %class.anon, %class.anon* %same, i32 0, i32 0
  %value = load i8, i8* %field"""


@pytest.mark.parametrize(("look", "kinds"), [("", []), (FOLLOWED, ["wild pointer"])])
def test_a_lambda_without_an_object(look: str, kinds: list[str]) -> None:
    text = LAMBDA.replace("LOOK", look)
    made = replace(lower(read_module(Source("a.ll", text)), "a", {}), arch=C_SOURCE)
    result = explore(Configuration("rsmc").suiting(made), made, model("rc20"))
    assert [each.fault.kind for each in result.violations] == kinds


@pytest.mark.parametrize(
    ("folder", "file"),
    [
        ("/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/x86_64-linux-gnu/c++/12", "gthr.h"),
        ("/home/u", "/usr/lib/llvm-19/include/c++/v1/mutex"),
        ("/opt/ziglang/lib/libcxx/include", "mutex"),
    ],
)
def test_headers_of_the_system(folder: str, file: str) -> None:
    captions = Captions({}, "a")
    called = DebugPlace("include.cpp", "/home/u", 3, 1, "main")
    assert captions.own(called) is called
    assert captions.own(DebugPlace(file, folder, 9, 1, "lock", called)) is called
