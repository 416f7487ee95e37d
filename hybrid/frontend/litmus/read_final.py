"""The end of a .litmus text: `locations [x; 0:r1;]`, `filter …`, and the condition, `exists (0:r1=1
/\\ x=2)`."""

from __future__ import annotations

from hybrid.errors import InputError
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.read_initial import (
    TYPES,
    array_values,
    operand_value,
    register_place,
)
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
            while scanner.peek().text in TYPES or scanner.at("*", "unsigned", "signed"):
                scanner.next()  # a type, which says how herd prints the value
            if not scanner.at("]"):
                scanner.expect(";")
        scanner.expect("]")

    def _final(self, token: Token) -> sx.Final:
        """A quantifier and a formula; `final` and no quantifier mean `exists` unless `with default:
        …` follows."""
        scanner = self.scanner
        quantifier = Quantifier.EXISTS
        if scanner.take("observed", "Observed"):
            formula = self._observed()
        else:
            if not scanner.take("final") and not scanner.at("("):
                quantifier = self._quantifier()
            formula = self._formula()
        others: dict[str, Quantifier] = {}
        here = scanner.position
        scanner.take(";")
        if scanner.take("with"):
            others = self._kinds()
            quantifier = others.pop("default", quantifier)
        else:
            scanner.position = here
        span = scanner.span(token.start, scanner.position)
        return sx.Final(span, quantifier, formula, others)

    def _observed(self) -> sx.Formula:
        """`x=1; 0:r1=2; and x=2; 0:r1=0;`: one of several states."""
        scanner = self.scanner
        states: list[sx.Formula] = []
        while True:
            start = scanner.peek()
            held: list[sx.Formula] = []
            while scanner.peek().kind != "end" and not scanner.at("and", "<<"):
                held.append(self._atom())
                scanner.expect(";")
            states.append(sx.AndClause(scanner.span(start.start, scanner.position), tuple(held)))
            if not scanner.take("and"):
                return sx.OrClause(states[0].span.to(states[-1].span), tuple(states))

    def _quantifier(self) -> Quantifier:
        scanner = self.scanner
        token = scanner.next()
        if token.text in ("~", "not"):
            scanner.expect("exists")
            return Quantifier.NOT_EXISTS
        if token.text not in _QUANTIFIERS:
            scanner.unexpected(token, "`exists`, `~exists`, `forall`, `locations` or `filter`")
        return _QUANTIFIERS[token.text]

    def _kinds(self) -> dict[str, Quantifier]:
        """`model: quantifier; … default: quantifier;`"""
        scanner = self.scanner
        found: dict[str, Quantifier] = {}
        while True:
            name = scanner.next()
            if name.kind != "name":
                scanner.unexpected(name, "a model or `default`")
            scanner.expect(":")
            if name.text in found:
                scanner.fail(f"`{name.text}` stands here twice", name)
            found[name.text] = self._quantifier()
            if not scanner.take(";") or scanner.peek().kind != "name":
                return found

    # Formulas; the weakest operator first

    def _formula(self) -> sx.Formula:
        start = self.scanner.peek()
        if self._depth > MAX_DEPTH:
            self.scanner.fail(f"nested too deeply (more than {MAX_DEPTH} levels)", start)
        self._depth += 1
        formula = self._joined("\\/")
        self._depth -= 1
        return formula

    def _joined(self, operator: str) -> sx.Formula:
        """Operands of `\\/`, or of `/\\`, which binds tighter."""
        disjunction = operator == "\\/"
        operands = [self._joined("/\\") if disjunction else self._implication()]
        while self.scanner.take(operator):
            operands.append(self._joined("/\\") if disjunction else self._implication())
        if len(operands) == 1:
            return operands[0]
        make = sx.OrClause if disjunction else sx.AndClause
        return make(operands[0].span.to(operands[-1].span), tuple(operands))

    def _implication(self) -> sx.Formula:
        """`a => b => c`, which is `a => (b => c)`; it binds tighter than `/\\`, as in herd."""
        operands = [self._negation()]
        while self.scanner.take("=>"):
            operands.append(self._negation())
        formula = operands.pop()
        while operands:
            left = operands.pop()
            formula = sx.ImpliesClause(left.span.to(formula.span), left, formula)
        return formula

    def _negation(self) -> sx.Formula:
        scanner = self.scanner
        first = scanner.peek()
        negations = 0
        while scanner.take("~", "not"):
            negations += 1
        formula = self._atom()
        if negations % 2:
            formula = sx.NotClause(scanner.span(first.start, scanner.position), formula)
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
            return sx.AndClause(span, ()) if token.text == "true" else sx.OrClause(span, ())
        if token.text in _UNSUPPORTED:
            scanner.refuse(f"condition `{token.text}`", token)
        left = self._operand(content=True)
        op = scanner.next()
        if op.text not in ("=", "==", "!=", "<>"):
            scanner.unexpected(op, "`=` or `!=`")
        sign = "!=" if op.text in ("!=", "<>") else "=="
        if scanner.at("{"):
            return self._cells(token, left, sign)
        right = self._operand(content=False)
        return sx.CompareClause(left.span.to(right.span), sign, left, right)

    def _cells(self, start: Token, left: sx.Operand, sign: str) -> sx.Formula:
        """`a={1,2}`: each cell of an array."""
        scanner = self.scanner
        if not isinstance(left, sx.Place) or left.index is not None:
            scanner.fail("only an array has several values", start)
        values = array_values(scanner)
        span = scanner.span(start.start, scanner.position)
        return sx.Cells(span, sign, left, values)

    def _operand(self, content: bool) -> sx.Operand:
        """A register, a location in brackets or behind a star; a bare location is its content or
        its address."""
        scanner = self.scanner
        register = register_place(scanner)
        if register is not None:
            return register
        start = scanner.peek()
        bracket = scanner.take("[")
        if not bracket and not scanner.take("*"):
            value = operand_value(scanner)
            if content and isinstance(value, sx.Address) and start.text != "&":
                if value.offset:
                    scanner.refuse("condition: the content of an address", start)
                return sx.Place(value.span, value.name, value.index)
            return value
        value = operand_value(scanner)
        if not isinstance(value, sx.Address) or value.offset:
            scanner.refuse("condition: the content of an address", start, "expected a location")
        if bracket:
            scanner.expect("]")
        return sx.Place(scanner.span(start.start, scanner.position), value.name, value.index)
