"""Lines of a C file that are for hybrid."""

from __future__ import annotations

import pytest

from hybrid.errors import InputError
from hybrid.frontend.c.directives import Directives, read_directives
from hybrid.source import Source


def read(text: str, name: str = "queue.c") -> Directives:
    return read_directives(Source(name, text))


def test_all_of_them() -> None:
    found = read(
        "// a queue\n"
        "//@ expect sc: HOLDS 64 traces, rc20: VIOLATED\r\n"
        "int main(void) { return 0; } //@ no directive: it does not begin its line\n"
        "  //@expect power: RACE\n"
        '//@ flags -DN=3 "-DTEXT=a b"\n'
        "//@ flags -O1\n"
        "//@ unroll 7\n"
        "//@ recursion 9\n"
    )
    expected = [(each.model, each.verdict, each.traces) for each in found.expectations]
    assert expected == [("sc", "HOLDS", 64), ("rc20", "VIOLATED", None), ("power", "RACE", None)]
    assert [str(each.span) for each in found.expectations] == [
        "queue.c:2:12",
        "queue.c:2:33",
        "queue.c:4:13",
    ]
    assert found.flags == ("-DN=3", "-DTEXT=a b", "-O1")
    assert found.unroll == 7 and found.recursion == 9


def test_none() -> None:
    assert read("int main(void) { return 0; }\n// @expect nothing\n") == Directives()


def test_paths_lead_from_the_folder_of_the_file() -> None:
    flags = "-Iinclude -I lib -isystem /usr/x -iquotey -include config.h -DI=3 -std=c11"
    found = read(f"//@ flags {flags}\n", "src/queue.c")
    assert found.flags == (
        *("-Isrc/include", "-I", "src/lib", "-isystem", "/usr/x", "-iquotesrc/y"),
        *("-include", "src/config.h", "-DI=3", "-std=c11"),
    )
    assert read(f"//@ flags {flags}\n").flags[0] == "-Iinclude"


def test_in_the_text_of_llvm() -> None:
    found = read(";@ expect sc: HOLDS\n;@ unroll 2\n//@ nothing\n", "queue.ll")
    assert [each.model for each in found.expectations] == ["sc"] and found.unroll == 2
    with pytest.raises(InputError, match="nothing is compiled here"):
        read(";@ flags -O1\n", "queue.ll")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "//@ expct sc: HOLDS",
            "queue.c:2:5: error: no directive is called 'expct'\n"
            "  //@ expct sc: HOLDS\n      ^^^^^\n  did you mean `expect`?",
        ),
        ("//@ assert x > 0", "no directive is called 'assert'"),
        ("//@", "queue.c:2:4: error: no directive is called ''"),
        ("//@ unroll", "queue.c:2:5: error: `unroll` needs a whole number from 0"),
        ("//@ unroll -3", "queue.c:2:12: error: `unroll` needs a whole number from 0"),
        ("//@ unroll ３", "`unroll` needs a whole number from 0"),
        ("//@ recursion 0", "queue.c:2:15: error: `recursion` needs a whole number from 1 to 399"),
        ("//@ recursion 400", "`recursion` needs a whole number from 1 to 399"),
        ("//@ recursion 1e2", "`recursion` needs a whole number from 1 to 399"),
        ("//@ recursion 3\n//@ recursion 3", "queue.c:3:5: error: a file has one `recursion`"),
        ("//@ unroll 3\n//@ unroll 3", "queue.c:3:5: error: a file has one `unroll`"),
        ("//@ flags", "`flags` without flags"),
        ("//@ flags '-DN", "queue.c:2:11: error: these are not flags: no closing quotation"),
        ("//@ flags -c", "`-c` is not for hybrid"),
        ("//@ flags -fplugin=x.so", "`-fplugin=x.so` is not taken from a file"),
        ("//@ expect", "the text ends too early"),
        ("//@ expect sc HOLDS", "queue.c:2:15: error: unexpected `HOLDS`"),
        ("//@ expect sc: HOLD", "queue.c:2:16: error: unknown verdict `HOLD`"),
        ("//@ expect sc: HOLDS 3 things", "unexpected `things`"),
        ("//@ expect sc: HOLDS exists (x = 1)", "this is not about an expectation"),
        ("//@ expect sc: $", "queue.c:2:16: error: unexpected character `$`"),
    ],
)
def test_mistakes(line: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(f"int x; // é\n{line}\nint y;\n")
    assert told in caught.value.render()


def test_a_long_file_takes_no_time() -> None:
    found = read("int x;\n" * 100_000 + "//@ expect sc: HOLDS\n")
    assert found.expectations[0].span.line == 100_001
