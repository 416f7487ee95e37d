"""The assembler that all machine architectures share: columns of a litmus test to threads of a
Program, by tables.

An InstructionSet names its registers, says what its operands look like and has a table of
instructions: for each mnemonic one or more forms, each a list of operand shapes and a function that
emits IR through a Code.

    TABLE = {"add": [Form("R,r,r", lambda code, d, a, b: code.set(d, code.binary("+", a, b)))]}

A shape is a letter that the architecture maps to a reader: a function from the operand's text to
what the emitting function gets, or None if the text is not such an operand. By convention `R` is a
register that is written (its name, "" for the zero register), `r` one that is read (an expression)
and `l` a label; the rest is the architecture's own, and a comment above its table says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.code import Code, Form, InstructionSet, RegisterOperand, Shape
from hybrid.frontend.litmus.conditions import Conditions, RegisterOf, expectations, look_of
from hybrid.frontend.litmus.state import Memory
from hybrid.frontend.litmus.widths import Widths
from hybrid.program import expr as ex
from hybrid.program import values
from hybrid.program.check import check_program, register_names
from hybrid.program.program import Program, Thread
from hybrid.source import Span

__all__ = [
    "Code",
    "Form",
    "InstructionSet",
    "RegisterOperand",
    "Shape",
    "assemble",
    "immediate",
    "label",
    "number",
    "read",
    "written",
]

_LABEL = re.compile(r"([A-Za-z_.$][A-Za-z_0-9.$/-]*)[ \t]*:\s*", re.ASCII)
_LABEL_NAME = re.compile(r"[A-Za-z_.$][A-Za-z_0-9.$/-]*", re.ASCII)
_DISTANCE = re.compile(r"\.\s*([+-])\s*([0-9]{1,6})", re.ASCII)
_NUMBER = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|[0-9]+)", re.ASCII)


def assemble(test: sx.LitmusTest, architecture: InstructionSet) -> Program:
    """The Program of a test in machine code."""
    memory = Memory(test.initial)

    def register_of(_: int, name: str) -> str | None:
        register = architecture.register(name)
        return None if register is None else register.name

    conditions = Conditions(memory, tuple(c.number for c in test.columns), register_of)
    initial = _registers(test, memory, conditions)
    codes: list[Code] = []
    for column in test.columns:
        code = Code(architecture, memory, f"P{column.number}")
        for cell in column.cells:
            _assemble_cell(code, cell)
        codes.append(code)
    for init in test.initial:  # its values are taken further down; their locations exist from here
        if isinstance(init, sx.NamedInit) and init.value is not None:
            memory.value(init.value)
    memory.close()
    observed = conditions.observed(test.locations)
    # For the registers that terms name, and before the widths, which change what they compare with.
    for formula in (test.filter, None if test.final is None else test.final.formula):
        if formula is not None:
            conditions.formula(formula)
    threads = [
        Thread(column.span, code.name, code.finish(), start)
        for column, code, start in zip(test.columns, codes, initial, strict=True)
    ]
    threads = _start_named(test, memory, threads, register_of)
    widths = Widths(memory, threads, [code.widths for code in codes])
    conditions.bits = widths.bits
    narrowed = widths.narrowed()
    named = []
    for thread, used in zip(narrowed, conditions.used, strict=True):
        known = register_names(thread)
        start = dict(thread.initial) | dict.fromkeys(sorted(used - known), 0)
        pointers = memory.names_of(start)
        named.append(Thread(thread.span, thread.name, thread.code, start, pointers))
    program = Program(
        test.name,
        memory.locations(widths.bits),
        tuple(named),
        conditions.condition(test.final, test.span),
        observed,
        expectations(test.final),
        test.doc,
        arch=architecture.name,
        filter=None if test.filter is None else conditions.formula(test.filter),
    )
    check_program(program)
    return program


def _registers(test: sx.LitmusTest, memory: Memory, conditions: Conditions) -> list[dict[str, int]]:
    """Initial values of registers, one dictionary per thread; their types become known to
    `conditions`."""
    initial: list[dict[str, int]] = [{} for _ in test.columns]
    looks = conditions.looks
    for init in test.initial:
        if isinstance(init, sx.NamedInit) and init.type is not None:
            found = conditions.register_of(0, init.register)
            for index in range(len(test.columns) if found else 0):
                looks[index, found or ""] = look_of(init.type)
        if not isinstance(init, sx.RegisterInit):
            continue
        thread, register = conditions.register(init.place)
        if not register:
            raise InputError(f"`{init.place.register}` is always 0", init.place.span)
        if init.type is not None:
            looks[thread, register] = look_of(init.type)
        if init.value is None:
            continue
        if register in initial[thread]:
            message = f"register `{init.place.register}` has two initial values"
            raise InputError(message, init.place.span)
        initial[thread][register] = memory.value(init.value)
    return initial


def _start_named(
    test: sx.LitmusTest,
    memory: Memory,
    threads: list[Thread],
    register_of: RegisterOf,
) -> list[Thread]:
    """The threads with the initial values that the test gives to registers of its own (`%a=x`)
    without naming a thread."""
    given: dict[str, int] = {}
    for init in test.initial:
        if not isinstance(init, sx.NamedInit) or init.value is None:
            continue
        register = register_of(0, init.register)
        if not register:
            raise InputError(f"`{init.register}` is not a register", init.span)
        if register in given or any(register in thread.initial for thread in threads):
            message = f"register `{init.register}` has two initial values"
            raise InputError(message, init.span)
        given[register] = memory.value(init.value)
    found: list[Thread] = []
    for thread in threads:
        used = {name: given[name] for name in sorted(register_names(thread) & given.keys())}
        found.append(replace(thread, initial=dict(thread.initial) | used))
    return found


def _assemble_cell(code: Code, cell: sx.Cell) -> None:
    """The labels and the instruction of a cell."""
    text, at = cell.text, 0
    while (match := _LABEL.match(text, at)) is not None:
        code.here((match[1], _part(cell, match.start(1), match.end(1))))
        at = match.end()
    if at == len(text):
        return
    code.begin(_part(cell, at, len(text)))
    architecture = code.architecture
    split = architecture.split or _split
    mnemonic, rest = split(text[at:])
    code.mnemonic = mnemonic
    entry = mnemonic.upper() if architecture.capitals else mnemonic.lower()
    forms = architecture.table.get(entry)
    if not forms:
        known = architecture.hints.get(entry, "")
        raise Unsupported(f"unsupported instruction `{mnemonic}`", code.span, known)
    operands = _operands(rest)
    start = len(text) - len(rest)
    spans = [_part(cell, start + a, start + b) for a, b in operands]
    texts = [rest[a:b] for a, b in operands]
    for form in forms:
        letters = form.letters
        if len(letters) != len(texts):
            continue
        given: list[object] = []
        for letter, operand, span in zip(letters, texts, spans, strict=True):
            value = architecture.shapes[letter](code, operand, span)
            if value is None:
                break
            given.append(value)
        else:
            form.emit(code, *given)
            return
    raise _no_form(code, text[at:], mnemonic, forms, texts, spans)


def _no_form(
    code: Code,
    text: str,
    mnemonic: str,
    forms: Sequence[Form],
    texts: list[str],
    spans: list[Span],
) -> InputError:
    """The error of operands that fit no form: at the first that does not fit the forms that come
    nearest."""
    architecture = code.architecture

    def fitting(form: Form) -> int:
        """How many operands fit from the first on; -1 where there are too few or too many."""
        if len(form.letters) != len(texts):
            return -1
        count = 0
        for letter, operand, span in zip(form.letters, texts, spans, strict=True):
            if architecture.shapes[letter](code, operand, span) is None:
                break
            count += 1
        return count

    counts = [fitting(form) for form in forms]
    most = max(counts)
    known = dict.fromkeys(
        f"`{' '.join((mnemonic, ', '.join(architecture.words[x] for x in form.letters))).strip()}`"
        for form, count in zip(forms, counts, strict=True)
        if count == most
    )
    place = code.span if most < 0 else spans[most]
    message = f"unsupported instruction `{' '.join(text.split())}`"
    return Unsupported(message, place, f"expected {' or '.join(known)}")


def _split(text: str) -> tuple[str, str]:
    """Mnemonic and operands."""
    match = re.match(r"\S+\s*", text)
    assert match is not None  # cells are not empty
    return match[0].strip(), text[match.end() :]


def _operands(text: str) -> list[tuple[int, int]]:
    """Where the operands lie: between commas that stand in no brackets."""
    found: list[tuple[int, int]] = []
    depth = start = 0
    if not text.strip():
        return found
    for position, character in enumerate(f"{text},"):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and (depth <= 0 or position == len(text)):
            piece = text[start:position]
            first = start + len(piece) - len(piece.lstrip())
            found.append((first, max(first, start + len(piece.rstrip()))))
            start = position + 1
    return found


def _part(cell: sx.Cell, start: int, end: int) -> Span:
    """The span of a part of a cell's text; that of the cell where it runs over lines."""
    span = cell.span
    if span.line != span.end_line:
        return span
    column = span.column
    return Span(span.source, span.line, column + start, span.line, column + max(start + 1, end))


# Readers of operands that architectures share


def written(code: Code, text: str, span: Span) -> str | None:
    """A register that is written: its name, "" for the zero register."""
    register = code.architecture.register(text)
    return None if register is None else register.name


def read(code: Code, text: str, span: Span) -> ex.Expr | None:
    """A register that is read."""
    register = code.architecture.register(text)
    return None if register is None else code.reg(register.name)


def label(code: Code, text: str, span: Span) -> tuple[str, Span] | None:
    """A label to jump to, or a distance from here: `.+8`."""
    distance = _DISTANCE.fullmatch(text)
    if distance is not None:
        size = code.architecture.instruction_bytes
        count = int(distance[2])
        if not size or count % size:
            return None
        return code.distant(-count // size if distance[1] == "-" else count // size, span)
    return (text, span) if _LABEL_NAME.fullmatch(text) else None


def number(text: str) -> int | None:
    """The number that a text spells, if it is one of 64 bits."""
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > 40:
        return None
    value = int(match[2], 16 if match[2][:2] in ("0x", "0X") else 10)
    value = -value if match[1] == "-" else value
    return values.wrap(value) if -(1 << 63) <= value < 1 << 64 else None


def immediate(code: Code, text: str, span: Span) -> ex.Const | None:
    """A number."""
    value = number(text)
    return None if value is None else code.const(value)
