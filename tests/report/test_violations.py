"""What is said of compiled programs, and of all programs in JSON: violations by kind and place."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import compiled_programs as compiled
import pytest
from golden_files import check_golden
from support import model, program

from hybrid.api.explain import explain
from hybrid.catalogue.engines import entry_of, make
from hybrid.catalogue.spelling import parse_configuration
from hybrid.engine.api import Limits
from hybrid.engine.configuration import Configuration
from hybrid.explain.explanation import GRAPH, Explanation, ReasonsAsked
from hybrid.explain.search import search
from hybrid.explain.target import target_of
from hybrid.parallel.checkpoint import Checkpoint
from hybrid.parallel.coordinator import ExplorationProgress
from hybrid.parallel.summarise import summarise_parallel
from hybrid.parallel.unit import subtrees
from hybrid.parallel.validate import Implausible, check_checkpoint
from hybrid.parallel.work import Job
from hybrid.program.program import Program
from hybrid.report.as_json import JsonFormat
from hybrid.report.expectation import compare
from hybrid.report.explored import explore
from hybrid.report.herd import HerdFormat
from hybrid.report.result import Result
from hybrid.report.row import Row
from hybrid.report.sightings import Sighting
from hybrid.report.tally import Tally
from hybrid.report.text import TextFormat
from hybrid.verdict import Verdict

RC11 = model("rc11")
SAMPLES = {
    "passing": compiled.PASSING,
    "safe": compiled.SAFE,
    "racing": compiled.RACING,
    "locking": compiled.LOCKING,
    "straying": compiled.STRAYING,
    "leaking": compiled.LEAKING,
    "spinning": compiled.SPINNING,
    "mixing": compiled.MIXING,
}
ENGINES = ("rsmc", "rsmc+rf", "trust", "enumerate", "bmc:sat")


def result_of(source: Program, word: str = "rsmc", liveness: bool = False) -> Result:
    configuration = parse_configuration(word)
    if liveness:
        configuration = Configuration("rsmc", liveness=True)
    return explore(configuration, source, RC11)


def in_text(result: Result) -> str:
    text = TextFormat().result(result, "queue.c", Row.of(result))
    return re.sub(r"^(Time \S+) .*", r"\1 …", text, flags=re.MULTILINE)


def in_json(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(JsonFormat().result(result, "queue.c", Row.of(result)))
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_reports(name: str) -> None:
    for liveness in (False, True) if name == "locking" else (False,):
        result = result_of(SAMPLES[name], liveness=liveness)
        suffix = ".liveness" if liveness else ""
        check_golden(f"compiled/{name}{suffix}.report.txt", in_text(result))
        fields = {**in_json(result), "seconds": 0}
        text = json.dumps(fields, indent=1, ensure_ascii=False) + "\n"
        check_golden(f"compiled/{name}{suffix}.report.json", text)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_engine_says_the_same(name: str) -> None:
    def said(word: str) -> object:
        result = result_of(SAMPLES[name], word)
        kinds = sorted((v.fault.kind, v.fault.place, v.executions) for v in result.violations)
        beside = [(note.fault.kind, note.executions) for note in result.beside]
        return result.answer, result.traces, result.failing, result.mixed, kinds, beside

    assert {word: said(word) for word in ENGINES} == dict.fromkeys(ENGINES, said("rsmc"))


def test_each_kind_and_place_once() -> None:
    source = compiled.compiled(
        """x = 0
thread P: L10: assert 0 = 1; L11: x := 1 @rlx;
thread Q: L20: r := x @rlx; L10_2: assert r = 1; L21: assert r = 1;
""",
        {
            "L10": compiled.origin("L10", "assert(a)", "assertion", "a"),
            "L10_2": compiled.origin("L10", "assert(a)", "assertion", "a"),
            "L21": compiled.origin("L21", "free(p)", "double free"),
        },
        threads=compiled.THREADS,
    )
    found = [(v.fault.kind, v.fault.where, v.executions) for v in result_of(source).violations]
    assert found == [
        ("assertion", "queue.c:10 in main", 2),
        ("double free", "queue.c:21 in worker#1", 1),
    ]


def test_every_violation_has_a_witness() -> None:
    fields = in_json(result_of(compiled.STRAYING))
    assert len(fields["violations"]) == 3
    for each in fields["violations"]:
        assert each["witness"]["steps"][0]["place"] == "queue.c:10"
        shown = [each["witness"]["error"], *each["witness"]["failed"]]
        assert any(f"queue.c:{each['line']}" in text for text in shown)
    assert fields["violations"][0]["witness"] == fields["witness"]
    assert (fields["traces"], fields["failing"], fields["errors"]) == (1, 1, 2)
    assert fields["outcomes"] == []


def test_sizes_that_differ_are_no_violation_and_never_hold() -> None:
    result = result_of(compiled.MIXING)
    row = Row.of(result)
    assert (result.answer, row.word, row.exit_code) == (Verdict.ERROR, "UNSUPPORTED", 2)
    assert "queue.c:21" in result.unsupported and "queue.c:10" in result.unsupported
    assert "\n??\n" in HerdFormat().result(result, "queue.c", row)
    compare(result, "HOLDS")  # what nobody can expect
    assert result.exit_code == 2


def test_a_leak_is_a_note() -> None:
    for word in ENGINES:
        result = result_of(compiled.LEAKING, word)
        assert result.answer is Verdict.HOLDS and not result.failing
        assert result.messages == ["memory allocated at queue.c:5 is never freed in 1 execution"]
    first = explore(Configuration("bmc", oracle="sat"), compiled.LEAKING, RC11, first=True)
    assert first.answer is Verdict.HOLDS


def test_a_leak_in_a_blocked_run_is_nothing() -> None:
    source = compiled.compiled(
        """x = 0
thread P: L10: x := 1 @rlx;
thread Q: L20: r := x @rlx; L5: assert r = 1; assume r = 1;
""",
        dict(zip(("L10", "L20", "L5"), compiled.LEAKING.origins.values(), strict=True)),
    )
    for word in ENGINES:
        assert result_of(source, word).messages == []


def test_first_stops_and_says_so() -> None:
    for first in (True, False):
        result = explore(Configuration("rsmc"), compiled.STRAYING, RC11, first=first)
        assert result.answer is Verdict.VIOLATED
        assert result.partial == ("stopped at the first answer" if first else "")
    assert "Partial result: stopped at the first answer\n" in in_text(
        explore(Configuration("rsmc"), compiled.STRAYING, RC11, first=True)
    )


def test_recursion_that_is_cut_is_named() -> None:
    origins = {
        **compiled.SPINNING.origins,
        "L21": compiled.origin("L21", "f(n)", "", "recursion deeper than 20"),
    }
    source = compiled.compiled(
        """x = 0
thread P: L10: x := 1 @rlx;
thread Q: L20: r := x @rlx; L21: goto L21;
""",
        origins,
        threads=compiled.THREADS,
    )
    (told,) = result_of(source).messages
    assert told == "2 runs cut at worker#1: queue.c:21 f(n): recursion deeper than 20"


@pytest.mark.large
@pytest.mark.parametrize("name", SAMPLES)
def test_shared_out(name: str) -> None:
    alone = result_of(SAMPLES[name])
    configuration = parse_configuration("rsmc")
    job = Job(SAMPLES[name], RC11, configuration)
    shared = summarise_parallel(job, Limits(5), 2)
    assert shared.answer is alone.answer and shared.mixed == alone.mixed
    assert [(v.fault.kind, v.fault.place, v.executions) for v in shared.violations] == [
        (v.fault.kind, v.fault.place, v.executions) for v in alone.violations
    ]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_checkpoint_keeps_what_was_seen(name: str, tmp_path: Path) -> None:
    configuration = parse_configuration("rsmc")
    job = Job(SAMPLES[name], RC11, entry_of("rsmc").completed(configuration))
    engine, tally = make(configuration), Tally(job.new_result(Limits(5)), smallest=True)
    for trace in engine.explore(job.program, RC11, Limits(5)):
        tally.add(trace)
    file = Checkpoint(tmp_path / "point", {}, job.program)
    file.save(ExplorationProgress([], counters=engine.counters, made=0), [], tally.counts(), 0.0)
    loaded = file.load()
    assert loaded is not None
    progress, counts = loaded
    assert (counts.sites, counts.mixed) == (tally.sightings.found, tally.result.mixed)
    check_checkpoint(job, subtrees(job), progress, counts)
    counts.sites[("assertion", "queue.c", 99)] = Sighting(1, 0, "no such label")
    with pytest.raises(Implausible):
        check_checkpoint(job, subtrees(job), progress, counts)


# ---- programs that are not compiled


@pytest.mark.parametrize(
    ("text", "violations"),
    [
        (
            "x = 0\nthread P: x := 1;\n  A: assert 0 = 1;",
            [("assertion", 3, "P", "assert 0 = 1", 1)],
        ),
        (
            "x = 0\nthread P: r := x;\n  B: [r] := 1;",
            [("stray access", 3, "P", "access to address 0 (null)", 1)],
        ),
        (
            "x = 0\nthread P: x := 1;\n~exists (x = 1)",
            [("condition", 3, None, "~exists (x=1)", 1)],
        ),
        (
            "x = 0\nthread P: A: await(x = 1) @rlx;",
            [("livelock", 2, "P", "P at A (line 2) for x = 1", 1)],
        ),
    ],
)  # fmt: skip
def test_programs_that_are_not_compiled(
    text: str, violations: list[tuple[str, int, str | None, str, int]]
) -> None:
    result = explore(Configuration("rsmc", liveness=True), program(text), RC11)
    found = in_json(result)["violations"]
    keys = ("kind", "line", "thread", "message", "executions")
    assert [tuple(each[key] for key in keys) for each in found] == violations
    assert all(each["file"] == "<test>" and each["stack"] == [] for each in found)
    assert "Violation" not in in_text(result)


def test_a_race_of_a_program_that_is_not_compiled() -> None:
    text = "x = 0; y = 0\nthread P: A: x := 1;\nthread Q: B: r := x; C: s := y @rlx;"
    (race,) = in_json(result_of(program(text)))["violations"]
    assert (race["kind"], race["line"], race["thread"]) == ("race", 2, "P")
    assert race["executions"] is None and "witness" in race


# ---- explain


def explained(source: Program) -> tuple[str, Verdict]:
    configuration = parse_configuration("rsmc")
    engine, limits = make(configuration), Limits(5)
    target = target_of(source, None)
    found = search(source, RC11, engine, limits, target.reached, unfinished=True)
    stream = io.StringIO()
    asked = ReasonsAsked(GRAPH, 10.0, 1000, limits, errors=True)
    verdict = Explanation(source, RC11, target, "rsmc", asked, stream).tell(found)
    return stream.getvalue(), verdict


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("passing", Verdict.VIOLATED),
        ("safe", Verdict.FORBIDDEN),
        ("straying", Verdict.VIOLATED),
        ("leaking", Verdict.FORBIDDEN),
        ("mixing", Verdict.ERROR),
    ],
)
def test_explanations(name: str, verdict: Verdict) -> None:
    text, found = explained(SAMPLES[name])
    assert found is verdict
    check_golden(f"compiled/{name}.explain.txt", text)


def test_a_race_explained() -> None:
    found = explain(compiled.RACING, RC11, engine="rsmc")
    assert found.verdict is Verdict.VIOLATED and found.exit_code == 1
    check_golden("compiled/racing.explain.txt", found.text)
