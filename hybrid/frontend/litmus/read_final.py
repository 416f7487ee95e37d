"""The end of a .litmus text: `locations [x; 0:r1;]`, `filter …`, and the condition, `exists (0:r1=1 /\\ x=2)`."""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.read_initial import operand_value, register_place
from hybrid.frontend.litmus.scan import Scanner, Token
from hybrid.parsing import MAX_DEPTH
from hybrid.program.condition import Quantifier

_QUANTIFIERS = {"exists": Quantifier.EXISTS, "forall": Quantifier.FORALL}
_UNSUPPORTED = frozenset({"fault", "Fault"})


class FinalReader:
    """Reads what stands behind the code, to the end of the text."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self.locations: list[sx.Place | sx.RegisterPlace] = []
        self.filter: sx.Formula | None = None
        self.final: sx.Final | None = None
        self._depth = 0

    def read(self) -> None:
        scanner = self.scanner
        while True:
            self._skip_blocks()
            token = scanner.peek()
            if token.kind == "end":
                return
            if token.text == ";":
                scanner.next()
            elif token.text == "locations":
                self._locations()
            elif token.text == "filter":
                if self.filter is not None:
                    scanner.fail("a test has one filter", token)
                scanner.next()
                self.filter = self._formula()
            elif self.final is not None:
                scanner.unexpected(token, "the end of the text")
            else:
                self.final = self._final(token)

    def _skip_blocks(self) -> None:
        """Passes `<< … >>`, in which old tests told a drawing program what to draw."""
        scanner = self.scanner
        scanner.skip()
        while scanner.text.startswith("<<", scanner.position):
            end = scanner.text.find(">>", scanner.position)
            if end < 0:
                at = scanner.position
                raise InputError(
                    "this block is never closed", scanner.span(at, at + 2), "expected `>>`"
                )
            scanner.position = end + 2
            scanner.skip()

    def _locations(self) -> None:
        scanner = self.scanner
        scanner.next()
        scanner.expect("[")
        while not scanner.at("]"):
            if scanner.take(";"):
                continue
            start = scanner.peek()
            operand = self._operand(content=True)
            if isinstance(operand, sx.Number | sx.Address):
                scanner.fail(
                    "a value cannot be observed", start, "expected a location or a register"
                )
            self.locations.append(operand)
            if not scanner.at("]"):
                scanner.expect(";")
        scanner.expect("]")

    def _final(self, token: Token) -> sx.Final:
        scanner = self.scanner
        if token.text == "final":
            scanner.next()
            return self._with(token)
        quantifier = self._quantifier()
        formula = self._formula()
        return sx.Final(scanner.span(token.start, scanner.position), quantifier, formula)

    def _quantifier(self) -> Quantifier:
        scanner = self.scanner
        token = scanner.next()
        if token.text in ("~", "not"):
            scanner.expect("exists")
            return Quantifier.NOT_EXISTS
        if token.text not in _QUANTIFIERS:
            scanner.unexpected(token, "`exists`, `~exists`, `forall`, `locations` or `filter`")
        return _QUANTIFIERS[token.text]

    def _with(self, start: Token) -> sx.Final:
        """`final formula with model: quantifier; … default: quantifier;`, behind its first word."""
        scanner = self.scanner
        formula = self._formula()
        scanner.take(";")
        found: dict[str, Quantifier] = {}
        scanner.expect("with")
        while True:
            name = scanner.next()
            if name.kind != "name":
                scanner.unexpected(name, "a model or `default`")
            scanner.expect(":")
            if name.text in found:
                scanner.fail(f"`{name.text}` stands here twice", name)
            found[name.text] = self._quantifier()
            if not scanner.take(";") or scanner.peek().kind != "name":
                break
        if "default" not in found:
            scanner.fail(
                "a final condition without a default", start, "expected `default: exists;`"
            )
        default = found.pop("default")
        return sx.Final(scanner.span(start.start, scanner.position), default, formula, found)

    # Formulas; the weakest operator first

    def _formula(self) -> sx.Formula:
        start = self.scanner.peek()
        if self._depth > MAX_DEPTH:
            self.scanner.fail(f"nested too deeply (more than {MAX_DEPTH} levels)", start)
        self._depth += 1
        left = self._joined(start, "\\/")
        while self.scanner.take("=>"):  # a => b => c is a => (b => c), and that ~a \/ ~b \/ c
            right = self._formula()
            span = self.scanner.span(start.start, self.scanner.position)
            left = sx.Or(span, (sx.Not(left.span, left), right))
        self._depth -= 1
        return left

    def _joined(self, start: Token, operator: str) -> sx.Formula:
        """Operands of `\\/`, or of `/\\`, which binds tighter."""
        disjunction = operator == "\\/"
        operands = [self._joined(start, "/\\") if disjunction else self._negation()]
        while self.scanner.take(operator):
            here = self.scanner.peek()
            operands.append(self._joined(here, "/\\") if disjunction else self._negation())
        if len(operands) == 1:
            return operands[0]
        make = sx.Or if disjunction else sx.And
        return make(operands[0].span.to(operands[-1].span), tuple(operands))

    def _negation(self) -> sx.Formula:
        scanner = self.scanner
        first = scanner.peek()
        negations: list[Token] = []
        while scanner.at("~", "not"):
            negations.append(scanner.next())
        formula = self._atom()
        if len(negations) % 2:
            formula = sx.Not(scanner.span(first.start, scanner.position), formula)
        return formula

    def _atom(self) -> sx.Formula:
        scanner = self.scanner
        token = scanner.peek()
        if token.text == "(":
            scanner.next()
            formula = self._formula()
            scanner.expect(")")
            return formula
        span = scanner.span(token.start, token.end)
        if token.text in ("true", "false", "Undef"):
            scanner.next()
            if token.text == "Undef":
                return sx.Undefined(span)
            return sx.And(span, ()) if token.text == "true" else sx.Or(span, ())
        left = self._operand(content=True)
        op = scanner.next()
        if op.text not in ("=", "==", "!="):
            if token.text in _UNSUPPORTED:
                scanner.fail(f"unsupported condition `{token.text}`", token)
            scanner.unexpected(op, "`=` or `!=`")
        right = self._operand(content=False)
        return sx.Compare(left.span.to(right.span), "!=" if op.text == "!=" else "==", left, right)

    def _operand(self, content: bool) -> sx.Operand:
        """A register, a location in brackets or behind a star; a bare location is its content or its address."""
        scanner = self.scanner
        register = register_place(scanner)
        if register is not None:
            return register
        start = scanner.peek()
        bracket = scanner.take("[")
        if not bracket and not scanner.take("*"):
            value = operand_value(scanner)
            if content and isinstance(value, sx.Address) and start.text not in ("&", "("):
                if value.offset:
                    scanner.fail("unsupported condition: the content of an address", start)
                return sx.Place(value.span, value.name, value.index)
            return value
        value = operand_value(scanner)
        if not isinstance(value, sx.Address) or value.offset:
            scanner.fail(
                "unsupported condition: the content of an address", start, "expected a location"
            )
        if bracket:
            scanner.expect("]")
        return sx.Place(scanner.span(start.start, scanner.position), value.name, value.index)
