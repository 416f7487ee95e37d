"""Programs from files in C: compiled, read, linked, and what they remember of that."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from c_programs import MP, lowered, put, stand_in

from hybrid.engine.configuration import Configuration
from hybrid.engine.races import Races, default_races
from hybrid.errors import InputError
from hybrid.frontend.c import compiled
from hybrid.frontend.c.provenance import (
    COMPILER,
    FILES,
    FLAGS,
    hash_of,
    sources_of,
    unchanged,
)
from hybrid.frontend.compiler_options import (
    NO_OPTIONS,
    CompilerOptions,
    check_flags,
    is_compiled,
    linked,
    needs_compiler,
)
from hybrid.frontend.find_programs import program_paths
from hybrid.frontend.llvm.module import Module
from hybrid.frontend.load import default_model, load_program
from hybrid.program.c11 import C_SOURCE, speaks_c11
from hybrid.program.program import Program
from hybrid.source import Source


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    monkeypatch.chdir(tmp_path)


def test_what_a_program_remembers(tmp_path: Path) -> None:
    put(tmp_path, "own.h", "#define K 5\n")
    put(tmp_path, "a.c", '#include "own.h"\n' + MP)
    found = load_program("a.c", CompilerOptions(flags=("-DTEXT=a b", "-O1")))
    assert found.name == "a" and found.arch == C_SOURCE
    assert "clang version " in found.meta[COMPILER]
    assert shlex.split(found.meta[FLAGS]) == ["-DTEXT=a b", "-O1"]
    assert shlex.split(found.meta[FILES]) == ["a.c"]
    sources = dict(sources_of(found.meta))
    assert sources["own.h"] == hashlib.sha256(b"#define K 5\n").hexdigest()
    assert sorted(sources) == ["a.c", "own.h"]
    assert unchanged(sources_of(found.meta))
    put(tmp_path, "own.h", "#define K 6\n")
    assert not unchanged(sources_of(found.meta))
    (tmp_path / "own.h").unlink()
    assert not unchanged(sources_of(found.meta))


def test_what_its_file_says(tmp_path: Path) -> None:
    put(tmp_path, "a.c", f"//@ expect sc: HOLDS\n//@ unroll 9\n//@ flags -DN=1\n{MP}int n = N;\n")
    found = load_program("a.c")
    assert [each.model for each in found.expectations] == ["sc"]
    assert found.unroll == 9
    assert Configuration("rsmc").suiting(found).limits().unroll == 9
    assert Configuration("rsmc", unroll=2).suiting(found).limits().unroll == 2
    put(tmp_path, "b.c", f"//@ expect sc: HOLDS, sc: VIOLATED\n{MP}")
    with pytest.raises(InputError, match="two expectations for model `sc`"):
        load_program("b.c")
    put(tmp_path, "b.c", f"//@ expect sc: ALLOWED\n{MP}")
    with pytest.raises(InputError, match="is never answered ALLOWED"):
        load_program("b.c")


def test_what_suits_it(tmp_path: Path) -> None:
    found = load_program(put(tmp_path, "a.c"))
    assert default_model(found) == "rc20"
    assert speaks_c11(found) and default_races(found) is Races.ERROR
    assert Configuration("rsmc").claims_liveness(found)
    assert not Configuration("rsmc", liveness=False).claims_liveness(found)
    plain = lowered(Module("", {}, {}, {}, {}), "p", {})
    assert not Configuration("rsmc").claims_liveness(plain)


def test_a_text_of_llvm_needs_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "find_compiler", None)
    put(tmp_path, "a.ll", ';@ unroll 2\nsource_filename = "a.c"\n')
    found = load_program("a.ll")
    assert found.meta[COMPILER] == "" and found.unroll == 2
    assert [name for name, _ in sources_of(found.meta)] == ["a.ll"]


def test_long_texts(tmp_path: Path) -> None:
    """The limits of .prog files are not those of C."""
    put(tmp_path, "a.c", MP + "// many words\n" * 200_000)
    assert load_program("a.c").name == "a"
    put(tmp_path, "b.c", "/" * 20_000_001)
    with pytest.raises(InputError, match=r"cannot read b.c: it has more than 20 MB"):
        load_program("b.c")


def test_lower_gets_the_texts_that_places_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Source] = {}

    def lower(module: Module, name: str, sources: Mapping[str, Source], recursion: int) -> Program:
        seen.update(sources)
        return lowered(module, name, sources)

    monkeypatch.setattr(compiled, "lower", lower)
    put(tmp_path, "sub/own.h", "static inline int f(void) { return 3; }\n")
    text = '#include "own.h"\nint main(void) { return f(); }\n'
    load_program(put(tmp_path, "sub/a.c", text).removeprefix(f"{tmp_path}/"))
    assert seen["sub/a.c"].text == text and seen["sub/a.c"].name == "sub/a.c"
    assert any(name.endswith("own.h") for name in seen)


def test_linking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[str] = []

    def link(modules: Sequence[Module]) -> Module:
        met.extend(module.name for module in modules)
        return modules[0]

    monkeypatch.setattr(compiled, "link", link)
    put(tmp_path, "a.c", f"//@ flags -DN=1\n//@ unroll 3\n{MP}int n = N;\n")
    put(tmp_path, "b.cc", "//@ flags -DM=2\n//@ unroll 4\nint m = M;\n")
    first, options = linked([Path("a.c"), Path("b.cc")], NO_OPTIONS)
    found = load_program(first, options)
    assert met == ["a.c", "b.cc"]
    assert found.name == "a" and found.unroll == 3, "what the first file says"
    assert sorted(json.loads(found.meta["Sources"])) == ["a.c", "b.cc"]
    assert found.meta[FILES] == "a.c b.cc"


def test_options_for_other_files() -> None:
    with pytest.raises(InputError, match=r"--link: b.prog is not a C program"):
        linked([Path("a.c"), Path("b.prog")], NO_OPTIONS)
    with pytest.raises(InputError, match="none of the files is in C") as caught:
        check_flags([Path("b.prog"), Path("c.ll")], CompilerOptions(flags=("-x.prog",)))
    assert "./-NAME" in caught.value.hint
    with pytest.raises(InputError, match="--clang: none of the files is in C"):
        check_flags([Path("b.prog")], CompilerOptions(clang="clang"))
    check_flags([Path("b.prog"), Path("c.cxx")], CompilerOptions(flags=("-O1",)))


def test_kinds_of_files(tmp_path: Path) -> None:
    names = ["a.c", "b.cc", "c.cpp", "d.cxx", "e.ll", "f.prog", "g.litmus"]
    for name in [*names, "h.h", "i.hpp", "j.C"]:
        put(tmp_path, name)
    paths = program_paths(["."])
    assert [str(path) for path in paths] == names
    assert [path.name for path in paths if is_compiled(path)] == names[:5]
    assert [path.name for path in paths if needs_compiler(path)] == names[:4]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read nowhere\.c: No such file"):
        load_program("nowhere.c")
    with pytest.raises(InputError, match="cannot read nowhere: No such file"):
        hash_of("nowhere")
