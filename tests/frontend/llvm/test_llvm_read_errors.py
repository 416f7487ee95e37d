"""Messages about texts that are not LLVM's intermediate language."""

from __future__ import annotations

import random
import time

import pytest
from llvm_samples import SAMPLES, read

from hybrid.errors import InputError
from hybrid.frontend.llvm.layout import TypeLayout
from hybrid.frontend.llvm.link import link
from hybrid.frontend.llvm.module import NamedType

DEEP = 3000


def refused(text: str) -> InputError:
    with pytest.raises(InputError) as error:
        read(text)
    assert error.value.span is not None
    assert error.value.render()
    return error.value


def body(text: str) -> str:
    return f"define i32 @f(i32 %a, ptr %p) {{\n{text}\n}}\n"


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("nonsense", "expected a function, a global variable or a type, found `nonsense`", "1:1"),
        ("@x = global", "expected a type, found the end of the text", "1:12"),
        ("@x = global i32 0\n@x = global i32 1", "@x is defined twice", "2:1"),
        ("declare void @f()\n@f = global i32 1", "@f is defined twice", "2:1"),
        ("@x = global i32 @x", "@x is a pointer, not i32", "1:17"),
        ("@x = global ptr @y", "@y is neither defined nor declared", "1:17"),
        ("@x = global ptr 5", "a number is no ptr", "1:17"),
        ("@x = global i32 null", "null is no i32", "1:17"),
        ("@x = global i1 7", "the number does not fit into i1", "1:16"),
        (f"@x = global i32 {'9' * 5000}", "the number is too large", "1:17"),
        ("@x = global i32 %a", "a local name outside a function", "1:17"),
        ("@x = global [2 x i32] [i32 1]", "these elements are no [2 x i32]", "1:23"),
        ("@x = global { i8 } { i32 1 }", "these elements are no { i8 }", "1:20"),
        ('@x = global [2 x i8] c"abc"', "3 bytes are no [2 x i8]", "1:22"),
        ("@x = global i0 0", "there is no type i0", "1:13"),
        ("@x = global i99999999999 0", "there is no type i99999999999", "1:13"),
        ("@x = global [99999999999999999 x i8] undef", "too many elements", "1:14"),
        (
            "@x = global i32 0, align 3",
            "an alignment is a power of two up to 4294967296",
            "1:26",
        ),
        ("%a = type { %b }\n%b = type { %b }", "the type %b contains itself", "2:1"),
        ("@x = global void undef", "void is no type of a variable", "1:13"),
        ("@x = global { void } undef", "void is no type of a field", "1:15"),
        ("@x = external global %t", "the type %t is not defined", "1:22"),
        ("%t = type { %t }", "the type %t contains itself", "1:1"),
        ("%t = type { [2 x %u] }\n%u = type { %t }", "the type %t contains itself", "1:1"),
        ("%t = type %t", "the type %t contains itself", "1:1"),
        ("%t = type i32\n%t = type i8", "the type %t is defined twice", "2:1"),
        ("%t = i32", "expected the definition of a type: `%name = type …`", "1:1"),
        ("@a = alias i32, ptr @b\n@b = alias i32, ptr @a", "@a is an alias of itself", "2:21"),
        ("define void @f()\n", "expected `{`, found the end of the text", "2:1"),
        ("define void @f() {\n}", "a function without blocks", "2:1"),
        ("define void @f(i32 %a, i32 %a) { ret void }", "%a is defined twice", "1:28"),
    ],
)
def test_modules(text: str, message: str, place: str) -> None:
    error = refused(text)
    assert (error.message, str(error.span)) == (message, f"test.ll:{place}")


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("%r = laod i32, ptr %p", "expected an instruction, found `laod`", "2:6"),
        ("%r = load i32 ptr %p", "expected `,`, found `ptr`", "2:15"),
        ("%r = load i32, i32 %a", "a pointer is expected here, not i32", "2:16"),
        ("%r = load atomic i32, ptr %p", "expected a memory order, found `}`", "3:1"),
        ("%r = load atomic i32, ptr %p release", "release is no order of this instruction", "2:30"),
        ("%r = load i32, ptr %q\nret i32 0", "%q is not defined in this function", "2:20"),
        ("%r = load i32, ptr %a\nret i32 0", "%a is i32, not ptr", "2:20"),
        ("%r = add i32 %a, %s\n%s = add i64 1, 2\nret i32 0", "%s is i64, not i32", "2:18"),
        ("br label %x", "there is no block %x in this function", "2:10"),
        ("br label %0", "a jump to %0, the first block of the function", "2:10"),
        ("br i32 %a, label %x, label %x\nx:\nret i32 0", "the condition is i32, not i1", "2:4"),
        ("%r = add i32 %a, 1", "the block before this has no end, such as br or ret", "3:1"),
        ("x:\ny:\nret i32 0", "the block before this has no end, such as br or ret", "3:1"),
        ("x:\nret i32 0\nx:\nret i32 0", "%x is defined twice", "4:1"),
        ("%a = add i32 1, 2", "%a is defined twice", "2:1"),
        ("%3 = add i32 1, 2\n%2 = add i32 1, 2", "%2 is out of order: the next number is 4", "3:1"),
        ("ret i64 0", "the function gives i32, not i64", "2:1"),
        ("ret void", "the function gives i32, not void", "2:1"),
        ("%r = call void @f()", "a name for an instruction without a result", "2:1"),
        (
            "switch i32 0, label %x [ i32 1, label %x i32 1, label %x ]",
            "the case is there twice",
            "2:42",
        ),
        ("%r = icmp foo i32 1, 2", "expected a comparison such as eq or slt, found `foo`", "2:11"),
        ("%r = atomicrmw foo ptr %p, i32 1 seq_cst", None, "2:16"),
        ("%r = zext i32 %a to i8", "zext from i32 to i8", "2:11"),
        ("%r = inttoptr ptr %p to ptr", "inttoptr from ptr to ptr", "2:15"),
        ("%r = extractvalue { i32 } undef, 1", "{ i32 } has no such element", "2:32"),
        ("%r = phi i32 [ 0, %z ]\nret i32 0", "there is no block %z in this function", "2:19"),
        ("%r = load i32, ptr %p, foo 4", "expected `align` or metadata, found `foo`", "2:24"),
        ("call void @f(i32 %a", "expected `)`, found `}`", "3:1"),
        ('call void asm "x, "y"()', "expected `,`, found `y`", "2:20"),
    ],
)
def test_functions(text: str, message: str | None, place: str) -> None:
    error = refused(body(text))
    assert str(error.span) == f"test.ll:{place}"
    assert message in (None, error.message)


def test_phi_without_a_value_for_a_block() -> None:
    text = "br i1 true, label %x, label %y\nx:\nbr label %y\ny:\n%r = phi i32 [ 1, %x ]\nret i32 %r"
    assert refused(body(text)).message == "the phi %r has no value for %0"
    text = text.replace("[ 1, %x ]", "[ 1, %x ], [ 2, %0 ], [ 3, %0 ]")
    assert refused(body(text)).message == "the phi %r has two values for %0"


def test_the_caret_stands_under_the_fault() -> None:
    assert refused("@x = global i32 0, bogus(\n").render().split("\n")[1:] == [
        "  @x = global i32 0, bogus(",
        "                          ^",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"@x = global {'[1 x ' * DEEP}i8",
        f"@x = global {'{' * DEEP}",
        f"@x = global {'<{' * DEEP}",
        f"@x = global i32 {'(' * DEEP}",
        f"@x = global ptr {'getelementptr (i8, ptr ' * DEEP}",
        f"@x = global {{ i8 }} {'{ { i8 } ' * DEEP}",
        f"@x = global i32{'()' * DEEP} 0",
        f"declare i8 @f(i8 x{'(' * DEEP})",
        f"define void @f() {{ {'x' * 100_000} }}",
        f"define void @f() {{ call void @f() {'[' * DEEP}",
        f"define void @f() {{ %r = landingpad {'(' * DEEP}",
        "define void @f() {" + "\n%r = landingpad" * DEEP,
        '"' * DEEP,
        "!" * DEEP,
        "%" * DEEP,
        "@" * DEEP + "\x00\u0663\uffff",
        "\n".join(f"%t{n} = type {{ %t{n + 1} }}" for n in range(DEEP)) + f"\n%t{DEEP} = type i8",
        "@a0 = global i8 0\n" + "@b = alias i8, " + "bitcast (ptr " * DEEP,
    ],
)
def test_absurd_texts_are_refused_soon(text: str) -> None:
    start = time.monotonic()
    refused(text)
    assert time.monotonic() - start < 2


def test_many_types_are_read_soon() -> None:
    """Each contains every later one; all are within the depth that is allowed."""
    lines = [
        f"%t{n} = type {{ {', '.join(f'%t{later}' for later in range(n + 1, 40)) or 'i8'} }}"
        for n in range(40)
    ]
    start = time.monotonic()
    assert TypeLayout(read("\n".join(lines))).size(NamedType("t0")) == 2**38
    assert time.monotonic() - start < 1


def test_deep_texts_are_read() -> None:
    """Just below the limits: every part of the reader and the linker gets to the bottom."""
    kind, value = "i8", "i8 1"
    for _ in range(60):
        kind, value = f"{{ {kind} }}", f"{{ {kind} }} {{ {value} }}"
    pointer = "ptr @x"
    for _ in range(60):
        pointer = f"ptr getelementptr (i8, {pointer}, i64 1)"
    names = "\n".join(f"%t{n} = type {{ %t{n + 1} }}" for n in range(45)) + "\n%t45 = type { i8 }"
    module = read(f"{names}\n@x = internal global {value}\n@y = internal global {pointer}")
    both = link([module, module])
    layout = TypeLayout(both)
    assert layout.size(both.globals["x.1"].type) == layout.size(NamedType("t0")) == 1
    assert "x.1" in repr(both.globals["y.1"])


def test_a_pointer_to_a_pointer_may_go_on() -> None:
    assert read(f"@x = global i8{'*' * DEEP} null").globals


@pytest.mark.large
def test_every_beginning_of_a_sample() -> None:
    """A text that ends too early is refused, or what is left is a module."""
    rng = random.Random(3)
    for text in SAMPLES.values():
        for _ in range(15):
            try:
                read(text[: rng.randrange(len(text))])
            except InputError as error:
                assert error.span is not None
