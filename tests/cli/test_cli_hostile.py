"""Inputs that are made to hang, to crash or to deceive: each is refused within seconds, with the
place and in plain words."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path

import pytest
from cli_helpers import Hybrid

pytestmark = pytest.mark.sample(6)

PROG = "x = 0\nthread P: x := 1;\n"
LITMUS = "PPC MP\n{ 0:r2=x; }\n P0 ;\n li r1,1 ;\n stw r1,0(r2) ;\nexists (x=1)\n"
C = "C T\n{}\nP0 (atomic_int* x) {\n  int r0 = BODY;\n}\nexists (x=1)\n"
CAT = '"t"\nacyclic BODY\n'
N = 100_000
SECONDS = 2.0  # of this process; the tool itself takes less than one to start


@pytest.fixture
def here(hybrid: Hybrid, monkeypatch: pytest.MonkeyPatch) -> Hybrid:
    monkeypatch.chdir(hybrid.folder)
    Path("ok.prog").write_text(PROG, encoding="utf-8")
    return hybrid


def refused(hybrid: Hybrid, *arguments: str) -> str:
    """What is said of an input that is refused in time."""
    start = time.process_time()
    run = hybrid(*arguments)
    assert time.process_time() - start < SECONDS
    assert run.code == 2, run.err
    assert "internal error" not in run.err and "Traceback" not in run.err
    assert run.err and len(run.err) < 10_000
    return run.err


LARGE = {
    "paren.prog": PROG.replace("1", "(" * N + "1" + ")" * N),
    "open.prog": PROG.replace("1", "(" * N),
    "minus.prog": PROG.replace("1", "-" * N + "1"),
    "plus.prog": PROG.replace("1", "1" + "+1" * N),
    "condition.prog": PROG + "exists " + "(" * N + "x = 1" + ")" * N,
    "conjuncts.prog": PROG + "exists (x = 1" + " /\\ x = 1" * N + ")",
    "if.prog": "x = 0\nthread P: " + "if 1 {" * N + "}" * N,
    "threads.prog": "x = 0\n" + "".join(f"thread P{i}:\n" for i in range(70_000)),
    "locations.prog": "".join(f"x{i}=0\n" for i in range(N)) + "thread P: x0 := 1;",
    "labels.prog": "x = 0\nthread P:" + "".join(f"L{i}:x:=1;" for i in range(70_000)),
    "number.prog": PROG.replace("1", "9" * 900_000),
    "name.prog": PROG.replace("x := 1", "r" * 900_000 + " := x"),
    "big.prog": PROG + " " * 1_000_000,
    "line.prog": PROG + " " * 900_000 + "?",
    "paren.litmus": LITMUS.replace("(x=1)", "(" * N + "x=1" + ")" * N),
    "not.litmus": LITMUS.replace("(x=1)", "~" * N + "(x=1)"),
    "initial.litmus": LITMUS.replace("{", "{" + "x=0;" * N),
    "columns.litmus": "PPC MP\n{}\n" + " | ".join(f"P{i}" for i in range(N)) + " ;\nexists (x=1)\n",
    "rows.litmus": LITMUS.replace(" li r1,1 ;\n", " li r1,1 ;\n" * 50_000),
    "big.litmus": LITMUS + "\n" * 1_000_000,
    "number.litmus": LITMUS.replace("li r1,1", "li r1," + "1" * 900_000),
    "paren-c.litmus": C.replace("BODY", "(" * N + "1" + ")" * N),
    "minus-c.litmus": C.replace("BODY", "- " * N + "1"),
    "if-c.litmus": C.replace("BODY", "1; " + "if (1) {" * N + "}" * N),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_and_deep_programs(here: Hybrid, name: str) -> None:
    Path(name).write_text(LARGE[name], encoding="utf-8")
    told = refused(here, "verify", name)
    assert re.match(
        rf"{name}:\d+:\d+: error: |error: cannot read {name}: it has more than 1 MB", told
    )


MODELS = {
    "paren.cat": CAT.replace("BODY", "(" * N + "po" + ")" * N),
    "tilde.cat": CAT.replace("BODY", "~" * N + "po"),
    "union.cat": CAT.replace("BODY", "po" + " | po" * N),
    "inverse.cat": CAT.replace("BODY", "po" + "^-1" * N),
    "calls.cat": '"t"\nlet f(x) = x\nacyclic ' + "f(" * N + "po" + ")" * N,
    "lets.cat": '"t"\nlet a0 = po\n'
    + "".join(f"let a{i + 1} = a{i} | po\n" for i in range(20_000)),
    "rec.cat": '"t"\nlet rec a0 = po\n'
    + "".join(f"and a{i + 1} = a{i} | po\n" for i in range(20_000)),
    "axioms.cat": '"t"\n' + "".join(f"acyclic po as a{i}\n" for i in range(30_000)),
    "comments.cat": '"t"\n' + "(*" * N + "*)" * N + "\nacyclic po",
    "name.cat": CAT.replace("BODY", "a" * 900_000),
    "big.cat": CAT.replace("BODY", "po") + "\n" * 1_000_000,
}


@pytest.mark.parametrize("name", MODELS)
def test_large_and_deep_models(here: Hybrid, name: str) -> None:
    Path(name).write_text(MODELS[name], encoding="utf-8")
    told = refused(here, "verify", "ok.prog", "--model", name)
    assert re.match(
        rf"{name}:\d+:\d+: error: |error: cannot read {name}: it has more than 1 MB", told
    )


def test_models_that_include_each_other(here: Hybrid) -> None:
    for number in range(100):
        Path(f"m{number}.cat").write_text(f'"t"\ninclude "m{number + 1}.cat"\n', encoding="utf-8")
    told = refused(here, "verify", "ok.prog", "--model", "m0.cat")
    assert "included too deeply" in told
    Path("self.cat").write_text('"t"\ninclude "self.cat"\nacyclic po\n', encoding="utf-8")
    assert here("verify", "ok.prog", "--model", "self.cat").code == 0
    for number in range(3):
        Path(f"long{number}.cat").write_text('"t"\n' + " " * 600_000, encoding="utf-8")
    Path("sum.cat").write_text('"t"\n' + "".join(f'include "long{n}.cat"\n' for n in range(3)))
    assert "sum.cat:3" in refused(here, "verify", "ok.prog", "--model", "sum.cat")


READERS = [
    ("a.prog", ("verify", "a.prog")),
    ("a.prog", ("verify", "a.prog", "--resume", "journal")),
    ("a.litmus", ("explain", "a.litmus")),
    ("a.prog", ("crosscheck", "a.prog")),
    ("a.cat", ("verify", "ok.prog", "--model", "a.cat")),
    ("a.cat", ("verify", "ok.prog", "--model", "includes.cat")),
    ("a.cat", ("models", "a.cat")),
    ("a.list", ("verify", "@a.list")),
    ("a.json", ("replay", "a.json")),
    ("a.csv", ("verify", "ok.prog", "--expected", "a.csv")),
    ("expected.csv", ("verify", ".")),
    ("a.journal", ("verify", "ok.prog", "--resume", "a.journal")),
    ("a.journal", ("fuzz", "--count", "1", "--resume", "a.journal")),
    ("a.point", ("verify", "ok.prog", "--checkpoint", "a.point")),
]


@pytest.mark.parametrize(("name", "command"), READERS)
@pytest.mark.parametrize("kind", ["link to itself", "zero", "pipe", "folder", "nowhere"])
def test_what_is_not_a_file(here: Hybrid, name: str, command: tuple[str, ...], kind: str) -> None:
    Path("includes.cat").write_text('"t"\ninclude "a.cat"\nacyclic po\n', encoding="utf-8")
    if kind == "link to itself":
        os.symlink(name, name)
    elif kind == "zero":
        os.symlink("/dev/zero", name)
    elif kind == "pipe":
        os.mkfifo(name)
    elif kind == "folder":
        os.mkdir(name)
    else:
        os.symlink("gone", name)
    if kind == "nowhere" and name in ("a.journal", "a.point"):  # made where the link leads
        assert here(*command).code == 0
        return
    told = refused(here, *command)
    assert name in told or kind == "folder"


def test_folders(here: Hybrid) -> None:
    os.makedirs("f/below")
    Path("f/below/a.prog").write_text(PROG, encoding="utf-8")
    os.symlink("..", "f/below/up")
    os.symlink("../f", "f/again")
    os.symlink("someone@host", "f/.#a.prog")  # Emacs
    run = here("verify", "f", "--quiet", "--model", "sc")
    assert (run.code, run.out) == (0, "a sc HOLDS\n")
    os.symlink("b.prog", "f/b.prog")
    os.mkfifo("f/c.prog")
    run = here("verify", "f", "--quiet", "--model", "sc")
    assert (run.code, run.out) == (2, "b - ERROR\na sc HOLDS\nc - ERROR\n")


def test_a_file_that_vanishes(here: Hybrid, monkeypatch: pytest.MonkeyPatch) -> None:
    from hybrid.cli import verify

    real = verify.program_paths
    monkeypatch.setattr(verify, "program_paths", lambda given: [*real(given), Path("gone.prog")])
    run = here("verify", "ok.prog", "--quiet", "--resume", "journal", "-j", "2", "--model", "sc")
    assert run.code == 2 and "cannot read gone.prog" in run.err


@pytest.mark.large
def test_lists_within_lists(here: Hybrid) -> None:
    for number in range(3000):
        Path(f"l{number}").write_text(f"@l{number + 1}\n", encoding="utf-8")
    assert "more than 20 levels" in refused(here, "verify", "@l0")
    Path("circle").write_text("@circle\n", encoding="utf-8")
    assert "lists itself" in refused(here, "verify", "@circle")
    for number in range(18):
        Path(f"b{number}").write_text(f"@b{number + 1}\n" * 2, encoding="utf-8")
    Path("b18").write_text("ok.prog\n", encoding="utf-8")
    assert "more than 10000" in refused(here, "verify", "@b0")


def test_names_that_are_too_long(here: Hybrid) -> None:
    long = "a" * 5000 + ".prog"
    Path("list").write_text(long + "\n", encoding="utf-8")
    for command in (("verify", long), ("verify", "@list"), ("verify", "ok.prog", "-o", long)):
        refused(here, *command)
    Path("expected.csv").write_text(f"file,states\nok.prog,1\n{'a/' * 3000}b.prog,1\n")
    assert here("verify", ".", "--model", "sc").code in (0, 3)


def test_tables_with_links_in_a_circle(here: Hybrid) -> None:
    os.symlink("l.prog", "l.prog")
    Path("expected.csv").write_text("file,states\nok.prog,1\nl.prog,1\n", encoding="utf-8")
    assert "l.prog" in refused(here, "verify", ".")


@pytest.mark.parametrize(
    "text", [b"x = 0\nthread P: x := \xff;", b"\0\0", "x = 0".encode("utf-16")]
)
def test_what_is_not_text(here: Hybrid, text: bytes) -> None:
    for name, command in (
        ("a.prog", ("verify", "a.prog")),
        ("a.litmus", ("verify", "a.litmus")),
        ("a.cat", ("verify", "ok.prog", "--model", "a.cat")),
        ("a.json", ("replay", "a.json")),
        ("a.csv", ("verify", "ok.prog", "--expected", "a.csv")),
        ("a.list", ("verify", "@a.list")),
        ("a.journal", ("verify", "ok.prog", "--resume", "a.journal")),
        ("a.point", ("verify", "ok.prog", "--checkpoint", "a.point")),
    ):
        Path(name).write_bytes(text)
        assert name in refused(here, *command)


def test_deep_json(here: Hybrid) -> None:
    for text in ("[" * N, '{"a":' * N, "9" * 900_000):
        Path("a.json").write_text(text, encoding="utf-8")
        refused(here, "replay", "a.json")
        refused(here, "verify", "ok.prog", "--checkpoint", "a.json")
        Path("a.journal").write_text(text + "\n", encoding="utf-8")
        refused(here, "verify", "ok.prog", "--resume", "a.journal")


# ---- what messages show

SECRET = "root:secret:0:0:root:/root:/bin/sh"


def test_no_message_shows_a_line_of_another_file(here: Hybrid) -> None:
    Path("secret").write_text(f"{SECRET}\n", encoding="utf-8")
    os.symlink("secret", "linked.cat")
    secret = str(Path("secret").resolve())
    for name in ("secret", secret, "linked.cat"):
        Path("m.cat").write_text(f'"t"\ninclude "{name}"\nacyclic po\n', encoding="utf-8")
        for command in (
            ("verify", "ok.prog", "--model", name),
            ("verify", "ok.prog", "--model", "m.cat"),
            ("models", name),
        ):
            assert "root" not in refused(here, *command).replace(secret, "")
    assert "ends in .cat" in refused(here, "verify", "ok.prog", "--model", "secret")
    for command in (
        ("verify", "@secret"),
        ("replay", "secret"),
        ("verify", "secret"),
        ("verify", "ok.prog", "--resume", "secret"),
        ("verify", "ok.prog", "--checkpoint", "secret"),
        ("verify", "ok.prog", "--expected", "secret"),
        ("fuzz", "--resume", "secret"),
    ):
        assert "root" not in refused(here, *command), command


def test_a_witness_names_models_alone(here: Hybrid) -> None:
    Path("secret").write_text(f"{SECRET}\n", encoding="utf-8")
    Path("sb.prog").write_text(PROG + "exists (x = 1)\n", encoding="utf-8")
    assert here("verify", "sb.prog", "--model", "sc", "--witness", "w.json").code == 0
    found = json.loads(Path("w.json").read_text(encoding="utf-8"))
    found["model"] = "secret"
    Path("w.json").write_text(json.dumps(found), encoding="utf-8")
    told = refused(here, "replay", "w.json")
    assert "root" not in told and "secret" in told


HIDDEN = ("\x1b[2J", "\x07", "\r", "\x9b", "\u202e", "\u2066", "\u2028", "\x7f", "\u200b")


@pytest.mark.parametrize("character", HIDDEN, ids=ascii)
def test_hidden_characters_are_shown_escaped(here: Hybrid, character: str) -> None:
    name = f"a{character}b.prog"
    Path(name).write_text(f"x = 0\nthread P: x := 1 (* {character} *) ?;\n", encoding="utf-8")
    shown = ascii(character)[1:-1].replace("\\x9b", "\\u009b").replace("\\x7f", "\\u007f")
    for command in (
        ("verify", name),
        ("verify", name, "--json"),
        ("trace", name),
        ("verify", ".", "--table"),
    ):
        run = here(*command)
        assert character not in run.out + run.err.replace("\n", "")
        assert shown in run.err or shown in run.out
    source, caret = here("verify", name).err.splitlines()[1:3]
    assert source.index("?;") == caret.index("^")
    run = here("verify", name, "--json")
    assert json.loads(run.out)["file"] == name
    Path(name).write_text(PROG, encoding="utf-8")
    for options in ((), ("--table",), ("--quiet",), ("--format", "herd"), ("-o", "out.txt")):
        run = here("verify", name, "--model", "sc", *options)
        out = run.out or Path("out.txt").read_text(encoding="utf-8")
        assert run.code == 0 and character not in out and shown in out
    assert character not in here("verify", "ok.prog", f"--{character}").err


def test_a_name_on_two_lines_stays_on_one(here: Hybrid) -> None:
    name = "a\nVerdict a HOLDS\nb.prog"
    Path(name).write_text(PROG + "forall (x = 0)\n", encoding="utf-8")
    for options in ((), ("--table",), ("--quiet",), ("--format", "herd")):
        run = here("verify", name, "--model", "sc", *options)
        assert run.code == 1
        assert not [line for line in run.out.splitlines() if line.startswith("Verdict a HOLDS")]
    Path(name).write_text("x = ?", encoding="utf-8")
    assert refused(here, "verify", name).startswith("a\\nVerdict a HOLDS\\nb.prog:1:5: error: ")
    assert refused(here, "verify", "a\nb.prog").startswith("error: cannot read a\\nb.prog: ")
