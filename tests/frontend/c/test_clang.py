"""Finding a C compiler and running it."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from c_programs import put, script

from hybrid.errors import InputError, Stopped
from hybrid.files import is_file
from hybrid.frontend.c import clang
from hybrid.frontend.c.clang import (
    INSTALL,
    Compiler,
    CompilerError,
    NoCompilerError,
    check_user_flags,
    check_written_flags,
    compile_file,
    find_compiler,
)
from hybrid.frontend.compiler_options import NO_OPTIONS, VARIABLE, CompilerOptions
from hybrid.time_limit import time_limit


def usual() -> Compiler:
    return find_compiler(NO_OPTIONS)


@pytest.fixture(autouse=True)
def _no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


# ---- finding one


def bare(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    """A machine without ziglang, whose PATH has only the programs `found`."""
    monkeypatch.setattr(clang, "find_spec", lambda name: None)
    names = {Path(path).name: path for path in found}
    monkeypatch.setattr(shutil, "which", lambda name: names.get(name))


def test_without_a_compiler_the_user_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare(monkeypatch)
    with pytest.raises(NoCompilerError) as caught:
        usual()
    assert str(caught.value) == f"error: there is no C compiler here\n  {INSTALL}"
    assert "pip install 'hybrid-mc[c]'" in INSTALL and "--clang" in INSTALL and VARIABLE in INSTALL


def test_the_package_comes_before_a_clang_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert usual().is_zig
    other = script(tmp_path, "clang", "echo clang version 1.2.3")
    bare(monkeypatch, other)
    assert usual() == Compiler((other,), is_zig=False)
    assert usual().version == "clang version 1.2.3"


def test_a_package_without_its_program_is_run_as_a_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clang, "is_file", lambda path: False)
    assert usual().program[1:] == ("-P", "-m", "ziglang")
    assert usual().version.startswith("clang version ")


def test_the_user_names_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = script(tmp_path, "clang-1", "echo clang version 1")
    second = script(tmp_path, "clang-2", "echo Apple clang version 2")
    monkeypatch.setenv(VARIABLE, first)
    assert usual().program == (first,)
    assert find_compiler(CompilerOptions(clang=second)).program == (second,)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "--clang: the path is empty"),
        ("/nowhere/clang", "--clang: there is no program '/nowhere/clang' to run"),
    ],
)
def test_one_that_is_not_there(name: str, told: str) -> None:
    with pytest.raises(NoCompilerError) as caught:
        find_compiler(CompilerOptions(clang=name))
    assert caught.value.message == told


def test_one_that_is_no_clang(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = script(tmp_path, "gcc", "echo 'gcc (GCC) 12.2.0'; echo more")
    monkeypatch.setenv(VARIABLE, path)
    with pytest.raises(NoCompilerError) as caught:
        usual()
    told = f"{VARIABLE}: {path} is not a clang: it calls itself 'gcc (GCC) 12.2.0'"
    assert caught.value.message == told


def test_one_that_cannot_be_run(tmp_path: Path) -> None:
    path = tmp_path / "clang"
    path.write_bytes(b"\x7fELF and nothing else")
    path.chmod(0o755)
    with pytest.raises(NoCompilerError) as caught:
        find_compiler(CompilerOptions(clang=str(path)))
    assert caught.value.message.startswith(f"cannot run the compiler {path}: ")


# ---- compiling


def test_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "program.c")
    found = compile_file(Path("program.c"), usual(), ())
    assert "define" in found.text and "store atomic i32" in found.text
    assert 'filename: "program.c"' in found.text
    assert "x86_64" in found.text and "optnone" not in found.text
    assert found.sources == ("program.c",)
    assert [path.name for path in tmp_path.iterdir()] == ["program.c"], "nothing is left behind"


def test_cpp(tmp_path: Path) -> None:
    text = "#include <atomic>\nstd::atomic<int> y;\nint main() { y.store(1); }\n"
    found = compile_file(Path(put(tmp_path, "program.cpp", text)), usual(), ())
    assert "store atomic i32" in found.text
    assert "invoke " not in found.text, "there are no exceptions"


def test_flags_and_included_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "sub dir/other.h", "#define M 4\n")
    put(tmp_path, "own.h", "#define K 5\n")
    put(
        tmp_path,
        "a$1.c",
        '#include "own.h"\n#include "other.h"\n#include <stdio.h>\n'
        "#ifndef __HYBRID__\n#error\n#endif\nint f = N * 100 + M * 10 + K;\n",
    )
    found = compile_file(Path("a$1.c"), usual(), ("-DN=3", "-Isub dir"))
    assert "global i32 345" in found.text
    assert found.sources == ("a$1.c", "own.h", "sub dir/other.h"), "and none of the system's"


def test_warnings_are_not_shown_and_errors_are(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    compile_file(
        Path(put(tmp_path, "w.c", "#warning x\nint main(){int y; return y;}")), usual(), ()
    )
    assert capfd.readouterr() == ("", "")
    path = put(tmp_path, "e.c", "int main(void) {\n  return y;\n}\n")
    with pytest.raises(CompilerError) as caught:
        compile_file(Path(path), usual(), ())
    lines = caught.value.render().split("\n")
    assert lines[0] == f"error: {path} does not compile"
    assert lines[1] == f"{path}:2:10: error: use of undeclared identifier 'y'"
    assert caught.value.exit_code == 2
    assert "use of undeclared identifier" in caught.value.hint, "which JSON shows"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("int main(void) {\n  return y;\n}\n", "e.c:2:10"),
        ("int main(void) { /* \u00e9\u00e9 */ return y; }\n", "e.c:1:34"),
        ('#include "e.h"\nint main(void) { return 0; }\n', "./e.h:1:1"),
        ("#include <nowhere.h>\n", "e.c:1:10"),
    ],
)
def test_the_place_of_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "e.h", "unknown x;\n")
    put(tmp_path, "e.c", text)
    with pytest.raises(CompilerError) as caught:
        compile_file(Path("e.c"), usual(), ())
    assert str(caught.value.span) == place


def test_what_the_compiler_says_cannot_steer_the_terminal() -> None:
    error = CompilerError("x.c does not compile", hint="a\x1b[31m\n" + "b" * 1000 + "\nc" * 200)
    shown = error.render().split("\n")
    assert shown[1] == "a\\x1b[31m" and len(shown[2]) < 400
    assert shown[-1] == "… and 122 lines more"


def test_files_whose_names_look_like_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-x.c", "@y.c"):
        put(tmp_path, name)
        assert compile_file(Path(name), usual(), ()).sources == (name,)


@pytest.mark.parametrize("flag", ["-c", "-S", "-E", "-o", "-ox", "-MM", "-MD", "--version"])
def test_flags_that_are_ours(flag: str) -> None:
    with pytest.raises(InputError, match=f"`{flag}` is not for hybrid"):
        check_user_flags(["-DN=3", flag])


def test_flags_of_files_load_no_code() -> None:
    good = ["-DN=3", "-D", "c", "-I", "x", "-Iy", "-std=c11", "-O2", "-fno-builtin", "-Wall"]
    check_written_flags([*good, "-include", "a.h"], "a file")
    for bad in ("-fplugin=x.so", "-Xclang", "-B.", "--config=x", "@x", "-mllvm", "x.c", "-Wl,-x"):
        with pytest.raises(InputError, match=r"is not taken from a file") as caught:
            check_written_flags([bad], "a file")
        assert caught.value.hint == f"give it after `--`: -- {bad}"
        check_user_flags([bad])


def test_flags_that_the_compiler_refuses(tmp_path: Path) -> None:
    with pytest.raises(CompilerError, match=r"does not compile\n.*error:"):
        compile_file(Path(put(tmp_path, "a.c")), usual(), ("-bogus",))


@pytest.mark.parametrize("code", ["exit 0", 'echo BC > "$LAST"; exit 0'])
def test_a_compiler_that_writes_something_else(tmp_path: Path, code: str) -> None:
    last = 'while [ "$1" != -o ]; do shift; done; LAST=$2; '
    other = Compiler((script(tmp_path, "clang", last + code),), is_zig=False)
    with pytest.raises(CompilerError, match=r"the compiler makes no LLVM text of .*a\.c"):
        compile_file(Path(put(tmp_path, "a.c")), other, ())


def test_loops_stay_loops_of_numbers_whatever_the_flags_say(tmp_path: Path) -> None:
    """An -O2 behind -fno-vectorize would undo it."""
    other = Compiler((script(tmp_path, "clang", f'echo "$@" >> {tmp_path}/ran; exit 1'),), False)
    with pytest.raises(CompilerError):
        compile_file(Path(put(tmp_path, "a.c")), other, ("-O2", "-fvectorize"))
    words = (tmp_path / "ran").read_text(encoding="utf-8").split()
    assert words.index("-fno-vectorize") > words.index("-fvectorize") > words.index("-O2")
    assert words.index("-fno-slp-vectorize") > words.index("-O2")


def test_shared_ptr_of_libstdcxx_does_not_mix_sizes(tmp_path: Path) -> None:
    other = Compiler((script(tmp_path, "clang", f'echo "$@" >> {tmp_path}/ran; exit 1'),), False)
    for name, defined in (("a.c", False), ("a.cpp", True)):
        with pytest.raises(CompilerError):
            compile_file(Path(put(tmp_path, name)), other, ())
        line = (tmp_path / "ran").read_text(encoding="utf-8").splitlines()[-1]
        assert ("-D_GLIBCXX_TSAN=1" in line.split()) is defined


def test_a_compiler_that_dies(tmp_path: Path) -> None:
    other = Compiler((script(tmp_path, "clang", "kill -SEGV $$"),), is_zig=False)
    with pytest.raises(CompilerError, match="the compiler ended with SIGSEGV"):
        compile_file(Path(put(tmp_path, "a.c")), other, ())


# ---- time, and zig's cache


def test_a_compiler_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Compiler((script(tmp_path, "clang", "sleep 60 & sleep 60"),), is_zig=False)
    monkeypatch.setattr(clang, "SECONDS", 0.3)
    start = time.monotonic()
    with pytest.raises(CompilerError, match="the compiler does not end within"):
        compile_file(Path(put(tmp_path, "a.c")), other, ())
    assert time.monotonic() - start < 20


@pytest.mark.large
def test_the_time_of_a_test_ends_the_compiler(tmp_path: Path) -> None:
    code = f"echo $$ > {tmp_path}/pid; sleep 60 & sleep 60"
    other = Compiler((script(tmp_path, "clang", code),), is_zig=False)
    start = time.monotonic()
    with pytest.raises(Stopped), time_limit(0.5):
        compile_file(Path(put(tmp_path, "a.c")), other, ())
    assert time.monotonic() - start < 20
    number = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.parametrize("cause", ["HOME", "ZIG_GLOBAL_CACHE_DIR", ""])
def test_zig_gets_a_cache_where_it_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cause: str
) -> None:
    """It would not end, or complain."""
    for name in ("XDG_CACHE_HOME", "ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR", "HOME"):
        monkeypatch.delenv(name, raising=False)
    if cause:
        monkeypatch.setenv(cause, "/proc/nowhere")
    monkeypatch.setattr(clang, "SECONDS", 60.0)
    assert "define" in compile_file(Path(put(tmp_path, "a.c")), usual(), ()).text


def test_the_environment_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path / "a"))
    monkeypatch.setenv("ZIG_LOCAL_CACHE_DIR", str(tmp_path / "b"))
    assert clang._environment(usual(), str(tmp_path / "c")) == dict(os.environ)
    plain = Compiler(("clang",), is_zig=False)
    monkeypatch.setenv("HOME", "/proc/nowhere")
    assert clang._environment(plain, str(tmp_path)) == dict(os.environ)


def test_our_headers_are_in_the_package() -> None:
    assert Path(clang.__file__).parent / "include" == clang.INCLUDE
    assert is_file(clang.INCLUDE / "hybrid.h")
