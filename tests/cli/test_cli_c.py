"""C programs on the command line: flags, --clang, --link, directives, journals, witnesses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from c_programs import MP, PROG, put, script, stand_in
from cli_helpers import PROGRAMS, Hybrid

from hybrid.cli import verify
from hybrid.frontend.c import clang, compiled
from hybrid.frontend.c.clang import INSTALL
from hybrid.frontend.compiler_options import VARIABLE
from hybrid.frontend.prog import parse_program
from hybrid.program.program import Program
from hybrid.source import Source

UNDER = ("--model", "rc11")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    stand_in(monkeypatch)
    monkeypatch.chdir(tmp_path)


def every(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Makes every C program the same one."""

    def lower(module: object, name: str, sources: object, recursion: int) -> Program:
        return parse_program(Source(name, text), name)

    monkeypatch.setattr(compiled, "lower", lower)


def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clang, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "/nowhere")


# ---- one program


def test_one(hybrid: Hybrid) -> None:
    put(hybrid.folder, "queue.c")
    found = hybrid("verify", "queue.c", *UNDER)
    assert found.code == 0 and found.err == ""
    assert "Verdict queue HOLDS\n" in found.out
    assert "no assert fails and no thread waits for ever" in found.out


def test_one_that_does_not_compile(hybrid: Hybrid) -> None:
    put(hybrid.folder, "bad.c", "int main(void) {\n  return y;\n}\n")
    for verb in ("verify", "explain", "trace"):
        found = hybrid(verb, "bad.c", *UNDER)
        assert found.code == 2 and found.out == ""
        assert found.err.split("\n")[:3] == [
            "error: bad.c does not compile",
            "bad.c:2:10: error: use of undeclared identifier 'y'",
            "    2 |   return y;",
        ]
    found = hybrid("verify", "bad.c", *UNDER, "--json")
    fields = json.loads(found.out)
    assert fields["error"] == "bad.c does not compile"
    assert "undeclared identifier 'y'" in fields["hint"]


def test_without_a_compiler(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiler(monkeypatch)
    put(hybrid.folder, "queue.c")
    found = hybrid("verify", "queue.c", *UNDER)
    assert found.code == 2
    assert found.err == f"error: there is no C compiler here\n  {INSTALL}\n"


def test_the_bundle_without_a_compiler(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    put(hybrid.folder, "programs/a.c")
    put(hybrid.folder, "programs/b.cpp")
    put(hybrid.folder, "classic/sb.prog", PROGRAMS["sb"])
    monkeypatch.setattr(verify, "bundled", lambda room: hybrid.folder)
    without_compiler(monkeypatch)
    found = hybrid("verify", "--quiet")
    told = "note: 2 bundled C programs left out: there is no C compiler here; "
    assert found.code == 0 and found.err.startswith(f"{told}{INSTALL}\n")
    assert found.out.split("\n")[:-1] == [
        "sb sc FORBIDDEN (as expected)",
        "sb power ALLOWED (as expected)",
    ]
    found = hybrid("verify", "--link")
    assert found.code == 2 and "--link needs files" in found.err


def test_a_compiler_of_ones_own(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    put(hybrid.folder, "queue.c")
    own = script(hybrid.folder, "gcc", "echo gcc 12")
    found = hybrid("verify", "queue.c", *UNDER, "--clang", own)
    assert found.code == 2 and "is not a clang: it calls itself 'gcc 12'" in found.err
    monkeypatch.setenv(VARIABLE, "/nowhere/clang")
    found = hybrid("verify", "queue.c", *UNDER)
    assert found.code == 2 and f"{VARIABLE}: there is no program '/nowhere/clang'" in found.err


# ---- what suits a C program


@pytest.mark.large
@pytest.mark.parametrize(
    ("name", "machine"), [("power", "power"), ("tso", "x86"), ("pso", "sparc"), ("riscv", "riscv")]
)
def test_it_is_mapped_to_machines(hybrid: Hybrid, name: str, machine: str) -> None:
    put(hybrid.folder, "queue.c", f"//@ expect {name}: HOLDS\n{MP}")
    found = hybrid("verify", "queue.c", "--model", name)
    assert "Verdict queue HOLDS (as expected)\n" in found.out
    assert f"C11's orders are mapped to the instructions of {machine} " in found.out
    found = hybrid("verify", "queue.c", "--model", name, "--no-map", "--json")
    fields = json.loads(found.out)
    assert fields["mapped"] is None and fields["expected"] is None


@pytest.mark.large
def test_races_and_waiting_are_errors(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    put(hybrid.folder, "queue.c")
    every(monkeypatch, PROG.replace("@rel", "@rlx").replace("assert s == 1;", ""))
    assert "VIOLATED" in hybrid("verify", "queue.c", *UNDER, "--quiet").out
    found = hybrid("verify", "queue.c", *UNDER, "--races", "note")
    assert "Verdict queue HOLDS" in found.out
    every(monkeypatch, "x = 0 thread P: await(x = 1) @acq;")
    found = hybrid("verify", "queue.c", *UNDER)
    assert found.code == 1 and "Verdict queue VIOLATED" in found.out
    found = hybrid("verify", "queue.c", *UNDER, "--no-liveness")
    assert found.code == 0 and "Verdict queue HOLDS" in found.out
    found = hybrid("verify", "queue.c", *UNDER, "--checkpoint", "c.json")
    assert found.code == 1, "where the work is shared out, too"


@pytest.mark.large
def test_unroll(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    every(monkeypatch, "x = 0 thread P: S: r := x @rlx; if r = 0 goto S; thread Q: x := 1 @rlx;")
    put(hybrid.folder, "spin.c", f"//@ unroll 2\n{MP}")
    put(hybrid.folder, "plain.c")

    def bound(verb: str, name: str, *options: str) -> int:
        found = hybrid(
            verb, name, *UNDER, "--json", "--liveness" if verb == "verify" else "--no-map", *options
        )
        return int(json.loads(found.out)["unroll"])

    assert bound("verify", "spin.c", "--no-liveness") == 2
    assert bound("verify", "spin.c", "--unroll", "4") == 4
    assert bound("verify", "plain.c") == 5
    assert bound("crosscheck", "spin.c", "--engines", "enumerate,rsmc") == 2
    assert bound("crosscheck", "spin.c", "--engines", "enumerate,rsmc", "--unroll", "3") == 3
    found = hybrid("trace", "spin.c", *UNDER, "--format", "json")
    assert json.loads(found.out)["unroll"] == 2


# ---- several files


def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[str, ...]]]:
    """What gets compiled, with which flags."""
    found: list[tuple[str, tuple[str, ...]]] = []
    inner: Callable[..., clang.LlvmText] = clang.compile_file

    def compile_file(
        path: Path, compiler: clang.Compiler, flags: tuple[str, ...]
    ) -> clang.LlvmText:
        found.append((str(path), tuple(flags)))
        return inner(path, compiler, flags)

    monkeypatch.setattr(compiled, "compile_file", compile_file)
    return found


@pytest.mark.large
def test_flags_for_all(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    met = seen(monkeypatch)
    put(hybrid.folder, "a.c", f"//@ flags -DM=2\n{MP}int n = N + M;\n")
    put(hybrid.folder, "b.c", f"{MP}int n = N;\n")
    for verb in ("verify", "crosscheck"):
        more = ["--engines", "enumerate,rsmc"] if verb == "crosscheck" else []
        found = hybrid(verb, "a.c", "b.c", *UNDER, "--table", *more, "--", "-DN=3", "-O1")
        assert found.code == 0, found.err
        assert met == [("a.c", ("-DM=2", "-DN=3", "-O1")), ("b.c", ("-DN=3", "-O1"))]
        met.clear()
    found = hybrid("trace", "b.c", *UNDER, "--", "-DN=3")
    assert found.code == 0 and met == [("b.c", ("-DN=3",))]
    found = hybrid("explain", "b.c", *UNDER)
    assert found.code == 2 and "undeclared identifier 'N'" in found.err
    found = hybrid(
        "bench",
        "oracles",
        "--programs",
        "b.c",
        "--model",
        "sc",
        "--oracles",
        "graph",
        "--",
        "-DN=3",
    )
    assert found.code == 0


@pytest.mark.large
def test_workers_get_the_flags(hybrid: Hybrid) -> None:
    for name in "abc":
        put(hybrid.folder, f"{name}.c", f"{MP}int n = N;\n")
    found = hybrid("verify", ".", *UNDER, "--quiet", "-j", "2", "--", "-DN=3")
    assert found.code == 0
    assert found.out.split("\n")[:3] == ["a rc11 HOLDS", "b rc11 HOLDS", "c rc11 HOLDS"]
    found = hybrid("verify", ".", *UNDER, "--quiet", "-j", "2")
    assert found.code == 2 and found.err.count("undeclared identifier 'N'") == 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["verify", "sb.prog", "--", "-DN"],
            "what stands after `--` (-DN …) is for the C compiler",
        ),
        (["verify", "sb.prog", "--clang", "x"], "--clang: none of the files is in C or C++"),
        (["verify", "a.c", "--", "-c"], "`-c` is not for hybrid"),
        (["verify", "--link", "a.c", "sb.prog"], "--link: sb.prog is not a C program"),
        (["explain", "a.c", "sb.prog"], "one program at a time, not 2"),
        (["trace", "--link", "sb.prog", "a.c"], "--link: sb.prog is not a C program"),
        (["bench", "rsmc", "--", "-DN"], "flags for the compiler are for bench oracles"),
        (["bench", "rsmc", "--clang", "x"], "--clang is for bench oracles"),
        (["verify", "--link", "a.c", "b.c", "-o", "b.c"], "would overwrite an input"),
    ],
)
def test_mistakes(hybrid: Hybrid, arguments: list[str], told: str) -> None:
    put(hybrid.folder, "sb.prog", PROGRAMS["sb"])
    put(hybrid.folder, "a.c")
    put(hybrid.folder, "b.c")
    found = hybrid(*arguments)
    assert found.code == 2 and told in found.err and "Traceback" not in found.err


def test_verbs_that_compile_nothing(hybrid: Hybrid) -> None:
    """There `--` is what it is everywhere."""
    assert hybrid("models", "--", "sc").code == 0


@pytest.mark.large
def test_link(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    met = seen(monkeypatch)
    monkeypatch.setattr(compiled, "link", lambda modules: modules[0])
    put(hybrid.folder, "a.c")
    put(hybrid.folder, "b.c", "int other;\n")
    for verb in ("verify", "explain", "trace", "crosscheck"):
        found = hybrid(verb, "--link", "a.c", "b.c", *UNDER)
        assert found.code in (0, 1), found.err
        assert met == [("a.c", ()), ("b.c", ())]
        met.clear()


# ---- journals


@pytest.mark.large
def test_journals_notice_what_changed(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    met = seen(monkeypatch)
    put(hybrid.folder, "own.h", "int k;\n")
    put(hybrid.folder, "a.c", f'#include "own.h"\n{MP}')
    put(hybrid.folder, "b.c", f"{MP}#ifdef BAD\n#error\n#endif\n")
    put(hybrid.folder, "bad.c", "int main(void) { return y; }\n")
    command = ["verify", "a.c", "b.c", "bad.c", *UNDER, "--quiet", "--resume", "j"]
    assert hybrid(*command).code == 2
    assert [name for name, _ in met] == ["a.c", "b.c", "bad.c"]
    met.clear()
    found = hybrid(*command)
    assert found.code == 2
    assert [name for name, _ in met] == ["bad.c"], "what it includes is not known"
    met.clear()
    put(hybrid.folder, "own.h", "int l;\n")
    hybrid(*command)
    assert [name for name, _ in met] == ["a.c", "bad.c"]
    found = hybrid(*command, "--", "-DBAD")
    assert found.code == 2 and "journal of other settings: flags is" in found.err


def test_the_journal_of_crosscheck(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    met = seen(monkeypatch)
    put(hybrid.folder, "own.h", "int k;\n")
    put(hybrid.folder, "a.c", f'#include "own.h"\n{MP}')
    command = ["crosscheck", "a.c", *UNDER, "--engines", "enumerate,rsmc", "--resume", "j"]
    for _ in range(2):
        assert hybrid(*command).code == 0
    assert len(met) == 1
    put(hybrid.folder, "own.h", "int l;\n")
    assert hybrid(*command).code == 0
    assert len(met) == 2


# ---- witnesses


def witness(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch, *more: str) -> None:
    """A witness `w.json` of a program whose assert fails."""
    every(monkeypatch, PROG.replace("@rel", "@rlx"))
    put(hybrid.folder, "own.h", "int k;\n")
    put(hybrid.folder, "a.c", f'#include "own.h"\n{MP}')
    how = ["--races", "ignore", "--witness", "w.json", *more]
    assert hybrid("verify", "a.c", *UNDER, *how).code == 1


def test_a_witness_is_replayed(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(hybrid, monkeypatch, "--", "-DN=3", "-I.")
    told = json.loads((hybrid.folder / "w.json").read_text())["program"]
    assert told["arch"] == "C source" and told["text"] == ""
    assert told["compiled"]["flags"] == ["-DN=3", "-I."]
    assert told["compiled"]["files"] == ["a.c"]
    assert sorted(told["compiled"]["sources"]) == ["a.c", "own.h"]
    met = seen(monkeypatch)
    found = hybrid("replay", "w.json")
    assert found.code == 0 and "a under rc11: confirmed" in found.out and found.err == ""
    assert met == [("a.c", ("-DN=3", "-I."))]
    met.clear()
    assert hybrid("replay", "w.json", "--", "-DN=4").code == 0
    assert met == [("a.c", ("-DN=4",))]


def test_a_mapped_witness(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    every(monkeypatch, PROG.replace("@rel", "@rlx"))
    put(hybrid.folder, "a.c")
    found = hybrid("verify", "a.c", "--model", "power", "--witness", "w.json")
    assert found.code == 1
    found = hybrid("replay", "w.json")
    assert found.code == 0 and "confirmed" in found.out


def test_another_source_is_refused(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(hybrid, monkeypatch)
    put(hybrid.folder, "own.h", "int l;\n")
    found = hybrid("replay", "w.json")
    assert found.code == 2
    assert found.err.startswith("error: own.h has changed since the witness was made: its SHA-256")
    (hybrid.folder / "own.h").unlink()
    found = hybrid("replay", "w.json")
    assert found.code == 2 and "replayed in the folder where it was made" in found.err


def test_another_header_is_refused(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(hybrid, monkeypatch)
    put(hybrid.folder, "more.h", "int m;\n")
    found = hybrid("replay", "w.json", "--", "-include", "more.h")
    assert found.code == 2
    assert "compiled from other files than when the witness was made: more.h" in found.err


def test_another_compiler_is_told(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(hybrid, monkeypatch)
    path = hybrid.folder / "w.json"
    fields = json.loads(path.read_text())
    fields["program"]["compiled"]["compiler"] = "clang version 3"
    path.write_text(json.dumps(fields))
    found = hybrid("replay", "w.json")
    assert found.code == 0
    assert found.err.startswith("note: the witness was made with clang version 3, this is clang")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("flags", ["-fplugin=x.so"], "`-fplugin=x.so` is not taken from a witness"),
        ("files", [], "at $.program.compiled.files: a program has a file"),
        ("files", ["a.prog"], "the witness is of a.prog, which is not a C program"),
        ("sources", [], "at $.program.compiled.sources: expected an object"),
        ("sources", {"a.c": 3}, "at $.program.compiled.sources.a.c: expected a string"),
        ("compiler", None, "at $.program.compiled.compiler: expected a string"),
    ],
)
def test_forged_witnesses(
    hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch, field: str, value: object, told: str
) -> None:
    witness(hybrid, monkeypatch)
    path = hybrid.folder / "w.json"
    fields = json.loads(path.read_text())
    fields["program"]["compiled"][field] = value
    path.write_text(json.dumps(fields))
    found = hybrid("replay", "w.json")
    assert found.code == 2 and told in found.err


def test_compiler_options_for_other_witnesses(hybrid: Hybrid) -> None:
    hybrid.on("verify", "sb", "--witness", "w.json")
    found = hybrid("replay", "w.json", "--", "-DN")
    assert found.code == 2 and "is for the C compiler" in found.err
