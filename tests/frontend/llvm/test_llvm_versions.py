"""The same program by an old and by a new compiler, with and without optimisations: what clang 14
and clang 22 made of samples/threads.c."""

from __future__ import annotations

import pytest
from llvm_samples import FOLDER, SAMPLES, read
from support import model

from hybrid.engine.configuration import Configuration
from hybrid.frontend.c.lower import lower
from hybrid.report.explored import explore
from hybrid.source import Source
from hybrid.verdict import Verdict

SOURCE = FOLDER / "threads.c"
WRONG = 1 + next(
    line
    for line, text in enumerate(SOURCE.read_text(encoding="utf-8").split("\n"))
    if "== 42" in text
)


# With -O2 the first round of a loop stands before it, and a weak compare-exchange there can fail
# without a reason.
@pytest.mark.parametrize(
    ("level", "traces"), [("O0", 24), pytest.param("O2", 96, marks=pytest.mark.large)]
)
@pytest.mark.parametrize("version", [14, 22])
def test_versions_of_llvm(version: int, level: str, traces: int) -> None:
    texts = {SOURCE.name: Source(SOURCE.name, SOURCE.read_text(encoding="utf-8"))}
    program = lower(read(SAMPLES[f"threads.{level}.{version}"]), "threads", texts)
    result = explore(Configuration("rsmc").suiting(program), program, model("rc20"))
    assert result.traces == traces and result.failing == traces // 3
    assert [str(each.fault) for each in result.violations] == [
        f"assertion at threads.c:{WRONG} in main: "
        "atomic_load_explicit(&data, memory_order_relaxed) == 42"
    ]


# A struct that is a value, where ways meet whose ends memory decides about.
MEETING = """
%pair = type { i32, { i32, i1 } }
@x = global i32 3
@y = global i32 0
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare void @__VERIFIER_error()
define ptr @f(ptr %argument) {
  store atomic i32 1, ptr @y monotonic, align 4
  ret ptr null
}
define i32 @main() {
  %thread = alloca i64
  %created = call i32 @pthread_create(ptr %thread, ptr null, ptr @f, ptr null)
  %y = load atomic i32, ptr @y monotonic, align 4
  %one = insertvalue %pair poison, i32 %y, 0
  %read = load atomic i32, ptr @x monotonic, align 4
  %two = insertvalue %pair %one, i32 %read, 1, 0
  %is = icmp eq i32 %y, 1
  br i1 %is, label %there, label %meet
there:
  %three = insertvalue %pair %two, i32 7, 1, 0
  br label %meet
meet:
  %met = phi %pair [ OTHER, %0 ], [ %three, %there ]
  %first = extractvalue %pair %met, 0
  %second = extractvalue %pair %met, 1, 0
  %times = mul i32 %first, 4
  %sum = add i32 %times, SECOND
  %good = icmp eq i32 %sum, EXPECTED
  br i1 %good, label %end, label %wrong
wrong:
  %fine = icmp eq i32 %y, 0
  br i1 %fine, label %end, label %error
error:
  call void @__VERIFIER_error()
  br label %end
end:
  ret i32 0
}
"""


@pytest.mark.parametrize(
    ("other", "second", "expected", "verdict"),
    [
        ("%two", "%second", "11", Verdict.HOLDS),
        ("%two", "%second", "7", Verdict.VIOLATED),
        ("poison", "0", "4", Verdict.HOLDS),
        ("{ i32 0, { i32, i1 } undef }", "%second", "11", Verdict.HOLDS),
    ],
)
def test_structs_where_ways_meet(other: str, second: str, expected: str, verdict: Verdict) -> None:
    text = MEETING.replace("OTHER", other).replace("SECOND", second).replace("EXPECTED", expected)
    program = lower(read(text), "meeting", {})
    for engine in ("rsmc", "enumerate", "bmc"):
        result = explore(Configuration(engine).suiting(program), program, model("rc20"))
        assert result.answer is verdict and result.traces == 2
