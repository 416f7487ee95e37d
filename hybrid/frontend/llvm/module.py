"""A module of LLVM's intermediate language: types, constants, instructions, functions, globals, and
where each stands in the source of the program.

What only floating point, vectors and exceptions need is not taken apart: such an instruction is an
Unknown with its opcode, refused by its name and line where it would be executed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hybrid.frontend.llvm.source_types import SourceParts

# ---- types


@dataclass(frozen=True, slots=True)
class IntType:
    bits: int


@dataclass(frozen=True, slots=True)
class PointerType:
    """A pointer; what it points to is not kept (typed pointers of LLVM 14 lose it)."""


@dataclass(frozen=True, slots=True)
class ArrayType:
    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class StructType:
    fields: tuple[Type, ...]
    packed: bool = False
    name: str = ""  # `struct.node`; empty for a literal struct


@dataclass(frozen=True, slots=True)
class NamedType:
    """A use of a named type; `Module.types` has its definition (none: it is opaque)."""

    name: str


@dataclass(frozen=True, slots=True)
class VoidType:
    pass


@dataclass(frozen=True, slots=True)
class FunctionType:
    result: Type
    parameters: tuple[Type, ...]
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class OtherType:
    """A type that no value may have here: `float`, `double`, `<4 x i32>`, `x86_fp80`, `token`,
    `metadata`, `label`."""

    name: str


Type = (
    IntType | PointerType | ArrayType | StructType | NamedType | VoidType | FunctionType | OtherType
)

# ---- values


@dataclass(frozen=True, slots=True)
class Local:
    """`%name`: a parameter, or the result of an instruction."""

    name: str


@dataclass(frozen=True, slots=True)
class GlobalName:
    """`@name`: the address of a global variable or a function."""

    name: str


@dataclass(frozen=True, slots=True)
class IntConst:
    """An integer; `true` is 1. Of a negative number the sign is kept as written."""

    value: int


@dataclass(frozen=True, slots=True)
class NullConst:
    """`null`, or `zeroinitializer` of any type."""


@dataclass(frozen=True, slots=True)
class UndefConst:
    """`undef` or `poison`."""


@dataclass(frozen=True, slots=True)
class BytesConst:
    """`c"…"`: the elements of an array of i8."""

    data: bytes


@dataclass(frozen=True, slots=True)
class AggregateConst:
    """The elements of an array or the fields of a struct."""

    elements: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class OtherConst:
    """A constant that no value may be here: a floating-point number, `blockaddress`, metadata."""

    text: str


@dataclass(frozen=True, slots=True)
class ConstExpr:
    """`getelementptr (T, ptr @a, i64 1)`, `ptrtoint (ptr @a to i64)`, `add (i64 …, i64 …)`: an
    instruction on constants, without a result."""

    instruction: Gep | Cast | BinaryInst | CompareInst | SelectInst


@dataclass(frozen=True, slots=True)
class InlineAsm:
    """What a call of inline assembly calls."""

    template: str
    constraints: str


Value = (
    Local
    | GlobalName
    | IntConst
    | NullConst
    | UndefConst
    | BytesConst
    | AggregateConst
    | OtherConst
    | ConstExpr
    | InlineAsm
)


@dataclass(frozen=True, slots=True)
class Operand:
    """A value with its type."""

    type: Type
    value: Value
    byval: Type | None = None  # of an argument: it is passed as a copy of what it points to


# ---- places in the source


@dataclass(frozen=True, slots=True)
class DebugPlace:
    """Where an instruction comes from."""

    file: str  # as the compiler has it: a path, relative to `folder` unless it is absolute
    folder: str
    line: int  # 0: made up by the compiler
    column: int
    function: str  # the name of the function in the source
    inlined_at: DebugPlace | None = None


# ---- instructions: `result` is the name of the local that gets the value, without `%`


@dataclass(frozen=True, slots=True)
class Alloca:
    result: str
    type: Type
    count: Operand | None
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class LoadInst:
    result: str
    type: Type
    pointer: Operand
    order: str  # empty: not atomic; else unordered, monotonic, acquire, seq_cst
    volatile: bool
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class StoreInst:
    value: Operand
    pointer: Operand
    order: str  # as in LoadInst, with release
    volatile: bool
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class Cmpxchg:
    """Its result is a pair: the old value and an i1."""

    result: str
    pointer: Operand
    expected: Operand
    new: Operand
    success: str
    failure: str
    weak: bool
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class AtomicRmw:
    result: str
    op: str  # xchg, add, sub, and, nand, or, xor, max, min, umax, umin, fadd, …
    pointer: Operand
    value: Operand
    order: str
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class FenceInst:
    order: str
    single_thread: bool  # syncscope("singlethread"): a fence for the compiler alone
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class Gep:
    result: str
    type: Type  # of what the pointer points to
    pointer: Operand
    indices: tuple[Operand, ...]
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class BinaryInst:
    result: str
    op: str  # add, sub, mul, udiv, sdiv, urem, srem, shl, lshr, ashr, and, or, xor
    left: Operand
    right: Operand
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class CompareInst:
    """icmp."""

    result: str
    predicate: str  # eq, ne, ugt, uge, ult, ule, sgt, sge, slt, sle
    left: Operand
    right: Operand
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class Cast:
    result: str
    op: str  # trunc, zext, sext, ptrtoint, inttoptr, bitcast, addrspacecast, freeze
    operand: Operand
    type: Type
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class SelectInst:
    result: str
    condition: Operand
    yes: Operand
    no: Operand
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class Phi:
    result: str
    type: Type
    incoming: tuple[tuple[Value, str], ...]  # a value and the block from which it comes
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class ExtractValue:
    result: str
    aggregate: Operand
    indices: tuple[int, ...]
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class InsertValue:
    result: str
    aggregate: Operand
    element: Operand
    indices: tuple[int, ...]
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class CallInst:
    """A call, or an invoke, which is a call and then goes on at `normal`."""

    result: str  # empty: dropped, or void
    callee: Value
    type: Type  # of the result
    arguments: tuple[Operand, ...]
    place: DebugPlace | None
    normal: str = ""  # of an invoke: the block behind it


@dataclass(frozen=True, slots=True)
class Unknown:
    """An instruction that is not taken apart."""

    result: str
    opcode: str  # fadd, landingpad, va_arg, extractelement, …
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class Jump:
    """An unconditional br."""

    target: str
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class CondJump:
    """A br on an i1."""

    condition: Operand
    yes: str
    no: str
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class SwitchInst:
    value: Operand
    default: str
    cases: tuple[tuple[int, str], ...]
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class Return:
    value: Operand | None
    place: DebugPlace | None


@dataclass(frozen=True, slots=True)
class Unreachable:
    place: DebugPlace | None


LlvmInstruction = (
    Alloca
    | LoadInst
    | StoreInst
    | Cmpxchg
    | AtomicRmw
    | FenceInst
    | Gep
    | BinaryInst
    | CompareInst
    | Cast
    | SelectInst
    | Phi
    | ExtractValue
    | InsertValue
    | CallInst
    | Unknown
    | Jump
    | CondJump
    | SwitchInst
    | Return
    | Unreachable
)

# ---- functions, globals, modules


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type
    byval: Type | None = None


@dataclass(frozen=True, slots=True)
class LlvmFunction:
    name: str
    result: Type
    parameters: tuple[Parameter, ...]
    variadic: bool
    # In the order of the text, the entry first; empty for a declaration. A block ends in a Jump,
    # CondJump, SwitchInst, Return, Unreachable, an invoke or an Unknown.
    blocks: dict[str, tuple[LlvmInstruction, ...]]
    place: DebugPlace | None = None  # of its first line; `function` is its name in the source
    # of allocas, by result, and of parameters: the variable's name in the source
    variables: dict[str, str] = field(default_factory=dict)
    internal: bool = False  # known in its module alone
    weak: bool = False  # another definition of the name may take its place


@dataclass(frozen=True, slots=True)
class GlobalVariable:
    name: str
    type: Type
    initial: Value | None  # None: declared only
    constant: bool
    thread_local: bool
    align: int = 0  # 0: that of its type
    place: DebugPlace | None = None
    source_name: str = ""  # its name in the source, where that is known
    internal: bool = False  # as in LlvmFunction
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    name: str  # source_filename
    types: dict[str, Type]  # named ones: a StructType, or what the name stands for
    globals: dict[str, GlobalVariable]
    functions: dict[str, LlvmFunction]
    aliases: dict[str, Value]
    triple: str = ""
    data_layout: str = ""
    constructors: tuple[str, ...] = ()  # @llvm.global_ctors, in the order in which they are called
    destructors: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()  # (file, folder) of every file that a place names
    constructor_priorities: tuple[int, ...] = ()  # of each, where modules are linked
    destructor_priorities: tuple[int, ...] = ()
    weak_aliases: frozenset[str] = frozenset()
    parts: SourceParts = field(default_factory=SourceParts)
