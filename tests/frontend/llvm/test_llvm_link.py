"""Several modules as one program."""

from __future__ import annotations

import pytest
from llvm_samples import SAMPLES, read

from hybrid.errors import InputError
from hybrid.frontend.llvm.link import link
from hybrid.frontend.llvm.module import (
    CallInst,
    Gep,
    GlobalName,
    IntConst,
    IntType,
    LlvmFunction,
    LoadInst,
    Module,
    NamedType,
    StructType,
)


def linked(*texts: str) -> Module:
    named = [f'source_filename = "m{n}.c"\n{text}' for n, text in enumerate(texts)]
    return link([read(text) for text in named])


def callees(function: LlvmFunction) -> list[str]:
    return [
        each.callee.name
        for instructions in function.blocks.values()
        for each in instructions
        if isinstance(each, CallInst) and isinstance(each.callee, GlobalName)
    ]


def test_one_module_stays_the_same() -> None:
    module = read("@x = global i32 0")
    assert link([module]) is module


def test_no_module() -> None:
    with pytest.raises(InputError, match="no module"):
        link([])


@pytest.mark.parametrize("swapped", [False, True])
def test_definitions_replace_declarations(swapped: bool) -> None:
    texts = [
        "@x = external global i32\ndeclare void @f()\n@y = global ptr @x",
        "@x = global i32 4\ndefine void @f() { ret void }",
    ]
    module = linked(*(reversed(texts) if swapped else texts))
    assert module.globals["x"].initial == IntConst(4)
    assert module.functions["f"].blocks
    assert set(module.globals) == {"x", "y"}


def test_internal_names_are_made_different() -> None:
    text = (
        "@s = internal global i32 {n}\n@p{n} = global ptr @s\n"
        "define internal i32 @h() {{\n  %1 = load i32, ptr @s\n  ret i32 %1\n}}\n"
        "define i32 @f{n}() {{\n  %1 = call i32 @h()\n  ret i32 %1\n}}"
    )
    module = linked(text.format(n=1), text.format(n=2), "@s.1 = global i32 9\n@s = global i32 8")
    initial = {name: each.initial for name, each in module.globals.items()}
    assert initial["s"] == IntConst(8) and initial["s.1"] == IntConst(9)
    assert initial["p1"] == GlobalName("s.2") and initial["s.2"] == IntConst(1)
    assert initial["p2"] == GlobalName("s.3") and initial["s.3"] == IntConst(2)
    assert callees(module.functions["f1"]) == ["h"]
    assert callees(module.functions["f2"]) == ["h.1"]
    assert module.functions["h.1"].name == "h.1"
    (load, _), *_ = module.functions["h.1"].blocks.values()
    assert isinstance(load, LoadInst) and load.pointer.value == GlobalName("s.3")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("@x = global i32 1", "@x = global i32 1"),
        ("define void @x() { ret void }", "define void @x() { ret void }"),
        ("@y = global i32 1\n@x = alias i32, ptr @y", "@x = global i32 1"),
        ("@y = global i32 1\n@x = alias i32, ptr @y", "@z = global i32 1\n@x = alias i32, ptr @z"),
    ],
)
def test_two_strong_definitions(one: str, other: str) -> None:
    with pytest.raises(InputError) as error:
        linked(one, other)
    assert error.value.message == "@x is defined in m0.c and in m1.c"


def test_a_function_is_no_variable() -> None:
    with pytest.raises(InputError, match="@x is a function in one of"):
        linked("@x = global i32 1", "declare void @x()")


@pytest.mark.parametrize("weak", ["weak", "linkonce_odr", "common", "available_externally"])
def test_weak_definitions(weak: str) -> None:
    text = f"@x = {weak} global i32 1"
    assert linked(text, "@x = global i32 2").globals["x"].initial == IntConst(2)
    assert linked("@x = global i32 2", text).globals["x"].initial == IntConst(2)
    assert linked(text, text.replace("1", "3")).globals["x"].initial == IntConst(1)
    assert linked("@x = external global i32", text).globals["x"].initial == IntConst(1)
    assert linked("@x = extern_weak global i32", text).globals["x"].initial == IntConst(1)


def test_weak_aliases() -> None:
    weak = "@y = global i32 1\n@x = weak alias i32, ptr @y"
    module = linked(weak, "@x = global i32 2")
    assert module.aliases == {} and module.globals["x"].initial == IntConst(2)
    module = linked(weak, "@x = external global i32")
    assert module.aliases == {"x": GlobalName("y")} and "x" not in module.globals
    assert module.weak_aliases == {"x"}


def test_types_that_differ_are_kept_apart() -> None:
    shared = "%s = type { i8 }\n%o = type { %t, %s }\n"
    use = "define ptr @f{n}(ptr %p) {{\n  %r = getelementptr %o, ptr %p, i32 0\n  ret ptr %r\n}}"
    module = linked(
        f"%t = type {{ i32 }}\n{shared}{use.format(n=1)}\n@a = global %t zeroinitializer",
        f"%t = type {{ i64 }}\n{shared}{use.format(n=2)}\n@b = global %t zeroinitializer",
    )
    assert module.globals["a"].type == NamedType("t")
    assert module.globals["b"].type == NamedType("t.1")
    assert module.types["t.1"] == StructType((IntType(64),), name="t.1")
    assert module.types["o.1"] == StructType((NamedType("t.1"), NamedType("s")), name="o.1")
    assert "s.1" not in module.types
    (gep, _), *_ = module.functions["f2"].blocks.values()
    assert isinstance(gep, Gep) and gep.type == NamedType("o.1")


def test_constructors_by_priority() -> None:
    row = "{ i32, ptr, ptr }"
    text = (
        "@llvm.global_@tors = appending global [2 x {row}] "
        "[{row} {{ i32 {one}, ptr @a, ptr null }}, {row} {{ i32 {two}, ptr @b, ptr null }}]\n"
    )
    both = text.replace("@tors", "ctors") + text.replace("@tors", "dtors")
    body = "define internal void @a() { ret void }\ndefine internal void @b() { ret void }"
    module = linked(
        both.format(row=row, one=5, two=65535) + body, both.format(row=row, one=1, two=5) + body
    )
    assert module.constructors == ("a.1", "a", "b.1", "b")
    assert module.constructor_priorities == (1, 5, 5, 65535)
    assert module.destructors == ("b", "b.1", "a", "a.1")


def test_samples_with_themselves() -> None:
    """A second copy of a program without its strong definitions is all internal."""
    module = read(SAMPLES["guard.O0.22"])
    other = read(SAMPLES["stack.O0.22"])
    del other.functions["main"]
    both = link([module, other])
    assert both.name == "guard.cpp, stack.c"
    assert set(both.functions) == set(module.functions) | set(other.functions)
    assert set(both.files) == {("guard.cpp", "/src"), ("stack.c", "/src")}
    with pytest.raises(InputError, match="is defined in guard"):
        link([module, module])
