"""The initial state of a .litmus text: `{ uint64_t x; int a[2]={1,2}; int *p=&x; y=1; 0:r1=x;
}`."""

from __future__ import annotations

import re

from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.scan import Scanner, Token

_THREAD = re.compile(r"P([0-9]{1,6})", re.ASCII)
_MOST_CELLS = 4096
_FINAL = ("exists", "forall", "filter")  # words of the final part
# What stands before a location in brackets, in tests of address translation and tags.
_TRANSLATION = {
    **dict.fromkeys(("PTE", "TTD", "PA"), "page tables"),
    **dict.fromkeys(("tag", "TAG"), "memory tags"),
}

_QUALIFIERS = frozenset({"const", "volatile", "signed", "unsigned", "_Atomic", "atomic"})
# Bits and whether signed, of types in one word; `unsigned` is looked at apart.
TYPES: dict[str, tuple[int, bool]] = {
    "char": (8, True),
    "short": (16, True),
    "int": (32, True),
    "long": (64, True),
    "bool": (8, False),
    "_Bool": (8, False),
    "size_t": (64, False),
    "intptr_t": (64, True),
    "uintptr_t": (64, False),
    "atomic_intptr_t": (64, True),
    "atomic_uintptr_t": (64, False),
    "atomic_size_t": (64, False),
    "ptrdiff_t": (64, True),
    "atomic_ptrdiff_t": (64, True),
    "atomic_t": (32, True),
    "atomic64_t": (64, True),
    "atomic_bool": (8, False),
    "atomic_llong": (64, True),
    "atomic_ullong": (64, False),
}
for _bits in (8, 16, 32, 64):
    TYPES |= {f"int{_bits}_t": (_bits, True), f"uint{_bits}_t": (_bits, False)}
    TYPES |= {f"atomic_int{_bits}_t": (_bits, True), f"atomic_uint{_bits}_t": (_bits, False)}
for _plain in ("char", "short", "int", "long"):
    TYPES[f"atomic_{_plain}"] = TYPES[_plain]
    TYPES[f"atomic_u{_plain}"] = (TYPES[_plain][0], False)


def read_initial(scanner: Scanner) -> tuple[sx.Init, ...]:
    """The declarations between the braces, which are taken too."""
    opening = scanner.expect("{")
    found: list[sx.Init] = []
    while not scanner.at("}"):
        if scanner.peek().kind == "end" or _at_final_part(scanner):
            scanner.fail("this `{` is never closed", opening, "expected `}`")
        if scanner.take(";"):
            continue
        found.append(_declaration(scanner))
        if not scanner.at("}"):
            scanner.expect(";")
    scanner.expect("}")
    return tuple(found)


def _at_final_part(scanner: Scanner) -> bool:
    """Whether `exists (` or its like stands here, which no declaration begins with."""
    start = scanner.position
    word = scanner.next().text
    found = word in _FINAL and scanner.at("(")
    scanner.position = start
    return found


def _declaration(scanner: Scanner) -> sx.Init:
    start = scanner.peek()
    type_ = _type(scanner)
    place = _place(scanner)
    if isinstance(place, sx.RegisterPlace):
        value = operand_value(scanner) if scanner.take("=") else None
        return sx.RegisterInit(scanner.span(start.start, scanner.position), type_, place, value)
    name, index = place
    if "%" in name:
        if index is not None:
            scanner.fail(f"`{name}` is a register", start)
        value = operand_value(scanner) if scanner.take("=") else None
        return sx.NamedInit(scanner.span(start.start, scanner.position), type_, name, value)
    given = array_values(scanner) if scanner.take("=") else None
    span = scanner.span(start.start, scanner.position)
    # `int a[2]` and `a[2]={1,2}` declare; `a[1]=2` sets one cell
    if index is not None and (type_ is not None or given is None or len(given) > 1):
        return sx.LocationInit(span, type_, name, None, index, given)
    return sx.LocationInit(span, type_, name, index, None, given)


def _type(scanner: Scanner) -> sx.CType | None:
    """The type that stands here, if any: words that are followed by a star, a name or a
    register."""
    scanner.skip()
    start = scanner.position
    words: list[Token] = []
    while True:
        here = scanner.position
        token = scanner.next()
        if token.kind != "name" or not (
            scanner.peek().kind in ("name", "number") or scanner.at("*")
        ):
            scanner.position = here
            break
        words.append(token)
    stars = 0
    while scanner.take("*"):
        stars += 1
    if not words:
        if not stars:
            return None
        return sx.CType(scanner.span(start, scanner.position), "int", 32, True, stars)
    return make_type(scanner, words, stars, start)


def make_type(scanner: Scanner, words: list[Token], stars: int, start: int) -> sx.CType:
    """The type that `words` and stars spell."""
    spelled = [word.text for word in words]
    named = [word for word in words if word.text not in _QUALIFIERS]
    name = " ".join(word.text for word in named)
    if not named and {"signed", "unsigned"} & set(spelled):
        name, bits, signed = "int", 32, True
    else:
        plain = [word.text for word in named]
        if len(plain) > 1 and set(plain) <= {
            "long",
            "short",
            "int",
        }:  # `long long int`, `short int`
            plain = [word for word in plain if word != "int"]
            plain = plain[:1] if set(plain) == {"long"} else plain
        if len(plain) != 1 or plain[0] not in TYPES:
            word = named[0] if named else words[0]
            scanner.refuse(f"type `{name or word.text}`", word, "known: int, uint64_t, …")
        bits, signed = TYPES[plain[0]]
    return sx.CType(
        scanner.span(start, scanner.position),
        name,
        bits,
        signed and "unsigned" not in spelled,
        stars,
        name.startswith("atomic_") or bool({"_Atomic", "atomic"} & set(spelled)),
        "volatile" in spelled,
    )


def _place(scanner: Scanner) -> sx.RegisterPlace | tuple[str, int | None]:
    register = register_place(scanner)
    if register is not None:
        return register
    bracket = scanner.take("[")
    token = _name(scanner)
    _refuse_translation(scanner, token)
    if scanner.at("(", ":"):
        scanner.refuse(f"location `{token.text}{scanner.peek().text}…`", token)
    index = _index(scanner)
    if bracket:
        scanner.expect("]")
    return token.text, index


def _refuse_translation(scanner: Scanner, token: Token) -> None:
    """Refuses what only tests of address translation and tags have."""
    if is_translation(token.text):
        scanner.refuse(f"location `{token.text}`: page tables", token)
    if token.text in _TRANSLATION and scanner.at("("):
        scanner.refuse(f"location `{token.text}(…)`: {_TRANSLATION[token.text]}", token)


def is_translation(name: str) -> bool:
    """Whether a name is that of a page table entry or a physical address: `pte_x`, `phy_x`."""
    return name.startswith(("pte_", "phy_"))


def register_place(scanner: Scanner) -> sx.RegisterPlace | None:
    """`0:r1` or `P0:r1`, if it stands here."""
    scanner.skip()
    start = scanner.position
    token = scanner.next()
    match = _THREAD.fullmatch(token.text) if token.kind == "name" else None
    if (token.kind != "number" and match is None) or not scanner.take(":"):
        scanner.position = start
        return None
    number = int(match[1]) if match is not None else scanner.number(token)
    register = scanner.next()
    if register.kind != "name":
        scanner.unexpected(register, "a register")
    return sx.RegisterPlace(scanner.span(start, register.end), number, register.text)


def _name(scanner: Scanner) -> Token:
    token = scanner.next()
    if token.kind != "name":
        scanner.unexpected(token, "a location or a register")
    return token


def _index(scanner: Scanner) -> int | None:
    """`[2]`, if it stands here."""
    if not scanner.take("["):
        return None
    token = scanner.next()
    if token.kind != "number":
        scanner.unexpected(token, "a number")
    index = scanner.number(token)
    if not 0 <= index <= _MOST_CELLS:
        scanner.fail(f"an array has at most {_MOST_CELLS} cells", token)
    scanner.expect("]")
    return index


def array_values(scanner: Scanner) -> tuple[sx.Value, ...]:
    if scanner.take("ATOMIC_INIT"):
        scanner.expect("(")
        value = operand_value(scanner)
        scanner.expect(")")
        return (value,)
    if not scanner.take("{"):
        return (operand_value(scanner),)
    found: list[sx.Value] = []
    while not scanner.at("}"):
        found.append(operand_value(scanner))
        if not scanner.at("}"):
            scanner.expect(",")
    scanner.expect("}")
    return tuple(found)


def operand_value(scanner: Scanner) -> sx.Value:
    """A number or an address: `-1`, `0x10`, `x`, `&x`, `&a[1]`, `x+4`."""
    scanner.skip()
    start = scanner.position
    negative = scanner.take("-")
    token = scanner.next()
    if token.kind == "number":
        if scanner.at(":"):
            scanner.refuse("value: a register", token, "expected a number or a location")
        value = scanner.number(token, negative)
        return sx.Number(scanner.span(start, token.end), value)
    if negative:
        scanner.unexpected(token, "a number")
    if token.text == "&":
        token = _name(scanner)
    elif token.kind != "name":
        scanner.unexpected(token, "a number or a location")
    _refuse_translation(scanner, token)
    if "%" in token.text:
        scanner.fail(f"`{token.text}` is a register", token, f"of a thread: `0:{token.text}`")
    if scanner.at(":", "("):
        scanner.refuse(
            f"value `{token.text}{scanner.peek().text}…`",
            token,
            "expected a number or a location",
        )
    index = _index(scanner)
    offset = 0
    if scanner.take("+"):
        number = scanner.next()
        if number.kind != "number":
            scanner.unexpected(number, "a number")
        offset = scanner.number(number)
    return sx.Address(scanner.span(start, scanner.position), token.text, index, offset)
