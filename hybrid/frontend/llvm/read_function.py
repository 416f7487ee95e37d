"""Functions of LLVM's intermediate language, read from tokens: headers, blocks, and that the names
that a function uses exist and have the types that its uses say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hybrid.frontend.llvm.module import (
    Alloca,
    AtomicRmw,
    BinaryInst,
    CallInst,
    Cast,
    Cmpxchg,
    CompareInst,
    CondJump,
    DebugPlace,
    ExtractValue,
    Gep,
    InsertValue,
    Jump,
    LlvmFunction,
    LlvmInstruction,
    LoadInst,
    OtherType,
    Parameter,
    Phi,
    Return,
    SelectInst,
    StructType,
    SwitchInst,
    Type,
    Unknown,
    Unreachable,
    Value,
    VoidType,
)
from hybrid.frontend.llvm.read_attributes import skip_attribute
from hybrid.frontend.llvm.read_instructions import (
    ENDING_UNKNOWN,
    VOID_OPCODES,
    read_instruction,
)
from hybrid.frontend.llvm.read_memory import read_place
from hybrid.frontend.llvm.read_types import (
    BIT,
    POINTER,
    VOID,
    is_type_start,
    part_at,
    read_type,
    shown_type,
)
from hybrid.frontend.llvm.read_values import (
    global_name,
    read_operand,
    skip_metadata,
)
from hybrid.frontend.llvm.scan import TokenCursor, unescape, words

INTERNAL = words("internal private")
WEAK = words("linkonce linkonce_odr weak weak_odr common available_externally extern_weak")
_WITH_VALUE = ("personality", "prefix", "prologue")
_TOP_WORDS = ("define", "declare", "target", "module", "source_filename", "attributes")
_CALLS = ("call", "tail", "musttail", "notail")


@dataclass(slots=True)
class _Body:
    """What is known of the function that is read."""

    name: str
    result: Type
    counter: int = 0  # the number of the next local or block without a name
    locals: dict[str, Type | None] = field(default_factory=dict)  # None: not known
    parameters: set[str] = field(default_factory=set)
    blocks: dict[str, tuple[LlvmInstruction, ...]] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    allocas: set[str] = field(default_factory=set)
    phis: list[tuple[str, Phi, int]] = field(default_factory=list)  # block, phi, token


# ---- the header


def read_function(c: TokenCursor) -> LlvmFunction:
    """A function from behind `define` or `declare`."""
    defined = c.tokens[c.at - 1] == "define"
    place: DebugPlace | None = None
    words: set[str] = set()
    while not is_type_start(c.tokens[c.at]):
        if c.tokens[c.at] == "!dbg":
            c.at += 1
            place = c.debug.function(skip_metadata(c))
        elif c.tokens[c.at][:1] == "!":
            c.at += 1
            skip_metadata(c)
        else:
            words.add(skip_attribute(c)[0])
    kind = read_type(c)
    name = global_name(c)
    body = _Body(name, kind)
    parameters, variadic = _parameters(c, body)
    place = _behind_header(c, defined) or place
    if defined:
        c.expect("{")
        _read_blocks(c, body)
    return LlvmFunction(
        name,
        body.result,
        parameters,
        variadic,
        body.blocks,
        place,
        body.variables,
        internal=not words.isdisjoint(INTERNAL),
        weak=not words.isdisjoint(WEAK),
    )


def _parameters(c: TokenCursor, body: _Body) -> tuple[tuple[Parameter, ...], bool]:
    c.expect("(")
    parameters: list[Parameter] = []
    if c.accept(")"):
        return (), False
    while not c.accept("..."):
        at = c.at
        kind = read_type(c)
        if isinstance(kind, VoidType):
            c.fail("a parameter without a value", at)
        byval: Type | None = None
        while c.tokens[c.at] not in (",", ")") and c.tokens[c.at][:1] != "%":
            byval = skip_attribute(c)[1] or byval
        at = c.at
        name = _numbered(c, body) if c.tokens[c.at][:1] == "%" else _next_number(body)
        _define(c, body, name, kind, at)
        body.parameters.add(name)
        parameters.append(Parameter(name, kind, byval))
        if not c.accept(","):
            c.expect(")")
            return tuple(parameters), False
    c.expect(")")
    return tuple(parameters), True


def _behind_header(c: TokenCursor, defined: bool) -> DebugPlace | None:
    """Past the attributes behind the parameters."""
    place: DebugPlace | None = None
    while True:
        token = c.tokens[c.at]
        first = token[:1]
        if token in _WITH_VALUE:
            c.at += 1
            read_operand(c)
        elif token == "!dbg":
            c.at += 1
            place = c.debug.function(skip_metadata(c))
        elif first == "!":
            c.at += 1
            skip_metadata(c)
        elif (first.isalpha() and (defined or token not in _TOP_WORDS)) or first in ("#", '"'):
            skip_attribute(c)
        else:
            return place


# ---- names and numbers


def _next_number(body: _Body) -> str:
    body.counter += 1
    return str(body.counter - 1)


def _numbered(c: TokenCursor, body: _Body) -> str:
    """The name of a local where it is defined. Numbers go up."""
    at = c.at
    name = c.name("%", "a name")
    _count(c, body, name, c.tokens[at][1:], at)
    return name


def _count(c: TokenCursor, body: _Body, name: str, written: str, at: int) -> None:
    if not written.isdecimal():
        return
    if len(written) > 9 or int(name) < body.counter:
        c.fail(f"%{name[:20]} is out of order: the next number is {body.counter}", at)
    body.counter = int(name) + 1


def _define(c: TokenCursor, body: _Body, name: str, kind: Type | None, at: int) -> None:
    if name in body.locals or name in body.blocks:
        c.fail(f"%{name} is defined twice", at)
    body.locals[name] = kind


# ---- blocks


def _read_blocks(c: TokenCursor, body: _Body) -> None:
    c.local_uses = []
    c.label_uses.clear()
    while not c.accept("}"):
        name = _block_name(c, body)
        instructions: list[LlvmInstruction] = []
        # entered already, so that its name counts as taken
        body.blocks[name] = ()
        while not (instructions and _ends(instructions[-1])):
            made = _read_line(c, body)
            if made is not None:
                if isinstance(made, Phi):
                    if instructions and not isinstance(instructions[-1], Phi):
                        c.fail("a phi behind other instructions", c.at - 1)
                    body.phis.append((name, made, c.at - 1))
                instructions.append(made)
        while c.tokens[c.at].startswith("#dbg_"):
            _debug_record(c, body)
        body.blocks[name] = tuple(instructions)
    if not body.blocks:
        c.fail("a function without blocks", c.at - 1)
    _check_names(c, body)
    _check_edges(c, body)
    c.local_uses = None


def _block_name(c: TokenCursor, body: _Body) -> str:
    token, at = c.tokens[c.at], c.at
    if token[-1:] == ":" and len(token) > 1:
        c.at += 1
        written = token[:-1]
        name = unescape(written[1:-1]) if written[0] == '"' else written
        if not name:
            c.fail("an empty name", at)
        _count(c, body, name, written, at)
    else:
        name = _next_number(body)
    if name in body.blocks or name in body.locals:
        c.fail(f"%{name} is defined twice", at)
    return name


def _ends(instruction: LlvmInstruction) -> bool:
    match instruction:
        case Jump() | CondJump() | SwitchInst() | Return() | Unreachable():
            return True
        case CallInst():
            return instruction.normal != ""
        case Unknown():
            return instruction.opcode in ENDING_UNKNOWN
    return False


def _read_line(c: TokenCursor, body: _Body) -> LlvmInstruction | None:
    """An instruction, or None for what is only there for debuggers."""
    start = c.at
    token = c.tokens[start]
    name = ""
    if token[:1] == "%":
        name = _numbered(c, body)
        c.expect("=")
        token = c.tokens[c.at]
    elif token.startswith("#dbg_"):
        _debug_record(c, body)
        return None
    if token in _CALLS and _debug_call(c, body):
        return None
    if not name and token not in VOID_OPCODES:
        if token == "}" or token[-1:] == ":":
            c.fail("the block before this has no end, such as br or ret")
        name = _next_number(body)
    made = read_instruction(c, name)
    kind = _result_type(c, made)
    if isinstance(made, CallInst) and not name and not isinstance(kind, VoidType):
        name = _next_number(body)
        made = replace(made, result=name)
    if isinstance(kind, VoidType) and name:
        c.fail("a name for an instruction without a result", start)
    if name:
        _define(c, body, name, kind, start)
        if isinstance(made, Alloca):
            body.allocas.add(name)
    elif isinstance(made, Return):
        got = VOID if made.value is None else made.value.type
        if got != body.result:
            c.fail(f"the function gives {shown_type(body.result)}, not {shown_type(got)}", start)
    return made


def _result_type(c: TokenCursor, made: LlvmInstruction) -> Type | None:
    """The type of the result; void: there is none; None: it is not known."""
    match made:
        case LoadInst() | Cast() | Phi() | CallInst():
            return made.type
        case Alloca():
            return POINTER
        case Gep():
            operands = (made.pointer, *made.indices)
            return None if any(isinstance(each.type, OtherType) for each in operands) else POINTER
        case BinaryInst():
            return made.left.type
        case CompareInst():
            return None if isinstance(made.left.type, OtherType) else BIT
        case SelectInst():
            return made.yes.type
        case Cmpxchg():
            return StructType((made.expected.type, BIT))
        case AtomicRmw():
            return made.value.type
        case ExtractValue():
            return part_at(c, made.aggregate.type, made.indices)
        case InsertValue():
            return made.aggregate.type
        case Unknown():
            return None
    return VOID


# ---- what is only there for debuggers


def _debug_call(c: TokenCursor, body: _Body) -> bool:
    """Reads `call void @llvm.dbg.declare(…)`, if it is here."""
    at = c.at if c.tokens[c.at] == "call" else c.at + 1
    if c.tokens[at + 1] != "void" or not c.tokens[at + 2].startswith("@llvm.dbg."):
        return False
    kind = c.tokens[at + 2].removeprefix("@llvm.dbg.")
    c.at = at + 3
    _note_variable(c, body, kind)
    while c.tokens[c.at][:1] == "#" and not c.tokens[c.at].startswith("#dbg_"):
        c.at += 1
    read_place(c)
    return True


def _debug_record(c: TokenCursor, body: _Body) -> None:
    """Reads `#dbg_declare(…)`."""
    kind = c.next().removeprefix("#dbg_")
    _note_variable(c, body, kind)


def _note_variable(c: TokenCursor, body: _Body, kind: str) -> None:
    """`(ptr %2, !60, !DIExpression(), !61)`, or the same with the word `metadata`: which variable a
    local is."""
    if c.tokens[c.at] != "(":
        c.fail_expected("`(`")
    start = c.at + 1
    c.skip_group()
    parts = [token for token in c.tokens[start : c.at - 1] if token != "metadata"]
    node = next((token for token in parts if token[0] == "!" and token[1:].isdecimal()), "")
    variable, is_parameter = c.debug.variable(node)
    if kind.startswith("assign"):  # behind the value and its expression: where the variable is
        parts = parts[parts.index(node) + 1 :] if node else []
    at = next((at for at, part in enumerate(parts) if _is_local(parts, at, part)), None)
    if not variable or at is None:
        return
    name = unescape(parts[at][2:-1]) if parts[at][1] == '"' else parts[at][1:]
    inside = [token for token in parts[at:] if token.startswith("DW_OP_")]
    if kind.startswith("declare"):
        located = True
    elif name in body.parameters:
        located = is_parameter and not inside
    else:
        located = name in body.allocas and (kind.startswith("assign") or inside == ["DW_OP_deref"])
    if located:
        body.variables.setdefault(name, variable)
        c.debug.parts.locals.setdefault((body.name, name), (c.debug.types, node))


def _is_local(parts: list[str], at: int, part: str) -> bool:
    """Whether a part is a value: a type is not followed by a comma."""
    return part[0] == "%" and len(part) > 1 and parts[at + 1 : at + 2] == [","]


# ---- what the whole function has to satisfy


def _check_names(c: TokenCursor, body: _Body) -> None:
    for name, kind, at in c.local_uses or ():
        if name not in body.locals:
            c.fail(f"%{name} is not defined in this function", at)
        known = body.locals[name]
        if known is not None and known != kind and c.resolve(known) != c.resolve(kind):
            c.fail(f"%{name} is {shown_type(known)}, not {shown_type(kind)}", at)
    for name, at in c.label_uses.items():
        if name not in body.blocks:
            c.fail(f"there is no block %{name} in this function", at)


def targets(last: LlvmInstruction) -> Iterator[str]:
    """The blocks to which the end of a block goes; not where an exception goes."""
    match last:
        case Jump(target):
            yield target
        case CondJump():
            yield last.yes
            yield last.no
        case SwitchInst():
            yield last.default
            yield from (name for _, name in last.cases)
        case CallInst():
            if last.normal:
                yield last.normal


def _check_edges(c: TokenCursor, body: _Body) -> None:
    """That nothing goes to the first block, and that a phi has one value for each block from which
    control may come."""
    before: dict[str, set[str]] = defaultdict(set)
    for name, instructions in body.blocks.items():
        for target in targets(instructions[-1]):
            before[target].add(name)
    entry = next(iter(body.blocks))
    if entry in before:
        c.fail(f"a jump to %{entry}, the first block of the function", c.label_uses[entry])
    for block, phi, at in body.phis:
        values: dict[str, Value] = {}
        for value, source in phi.incoming:
            if values.setdefault(source, value) != value:
                c.fail(f"the phi %{phi.result} has two values for %{source}", at)
        missing = sorted(before[block] - values.keys())
        if missing:
            c.fail(f"the phi %{phi.result} has no value for %{missing[0]}", at)
