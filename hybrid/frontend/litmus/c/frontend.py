"""C: herd's dialect of C11, `P0 (atomic_int *x, int *y) { … }`, to Programs.

A thread's parameters are the locations that it knows, as pointers; they are named like the
locations. The grammar is c.lark; c_tree parses, c_code reads statements, c_expr expressions,
c_calls calls; c_functions has the table of atomic functions, c_types the arithmetic.
"""

from __future__ import annotations

import lark

from hybrid.errors import InputError
from hybrid.frontend.litmus import syntax as sx
from hybrid.frontend.litmus.c import types as ct
from hybrid.frontend.litmus.c.code import Statements
from hybrid.frontend.litmus.c.emit import Emitter
from hybrid.frontend.litmus.c.expr import token_of, tree_of
from hybrid.frontend.litmus.c.tree import Trees
from hybrid.frontend.litmus.conditions import Conditions, expectations
from hybrid.frontend.litmus.state import Memory
from hybrid.frontend.litmus.widths import Widths
from hybrid.program import expr as ex
from hybrid.program.check import check_program, register_names
from hybrid.program.condition import Look
from hybrid.program.program import Program, Thread


def compile(test: sx.LitmusTest) -> Program:
    """The Program of a test in C."""
    return _Compiler(test).program()


class _Compiler:
    def __init__(self, test: sx.LitmusTest) -> None:
        self.test = test
        self.trees = Trees(test.source)
        self.memory = Memory(test.initial)
        numbers = tuple(function.number for function in test.functions)
        self.conditions = Conditions(self.memory, numbers, self._register_of)
        self.initial: list[dict[str, sx.RegisterInit]] = [{} for _ in numbers]  # by name
        self.threads: list[Statements] = []

    def program(self) -> Program:
        test, conditions = self.test, self.conditions
        for init in test.initial:
            if isinstance(init, sx.NamedInit):
                raise InputError(f"`{init.register}` is not a variable", init.span)
            if isinstance(init, sx.RegisterInit):
                thread = conditions.thread(init.place.thread, init.place.span)
                if init.place.register in self.initial[thread]:
                    message = f"`{init.place.register}` has two initial values"
                    raise InputError(message, init.place.span)
                self.initial[thread][init.place.register] = init
        for index, function in enumerate(test.functions):
            self.threads.append(self._thread(index, function))
        for index, compiled in enumerate(self.threads):
            for name, type_ in compiled.variables.items():
                conditions.looks[index, name] = Look(
                    type_.bits, type_.signed or type_.pointee is not None
                )
        starts = [self._start(index) for index in range(len(self.threads))]
        self.memory.close()
        observed = conditions.observed(test.locations)
        # For the registers that terms name, and before the widths, which change what they compare
        # with.
        for formula in (test.filter, None if test.final is None else test.final.formula):
            if formula is not None:
                conditions.formula(formula)
        threads = [
            Thread(function.span, thread.emit.thread, thread.emit.finish(), start)
            for function, thread, start in zip(test.functions, self.threads, starts, strict=True)
        ]
        widths = Widths(self.memory, threads, [thread.emit.widths for thread in self.threads])
        conditions.bits = widths.bits
        named: list[Thread] = []
        for narrowed, used in zip(widths.narrowed(), conditions.used, strict=True):
            start = dict(narrowed.initial)
            start |= dict.fromkeys(sorted(used - register_names(narrowed)), 0)
            pointers = self.memory.names_of(start)
            named.append(Thread(narrowed.span, narrowed.name, narrowed.code, start, pointers))
        program = Program(
            test.name,
            self.memory.locations(widths.bits),
            tuple(named),
            condition=conditions.condition(test.final, test.span),
            observed=observed,
            expectations=expectations(test.final),
            description=test.doc,
            arch=test.arch,
            meta=test.meta,
            filter=None if test.filter is None else conditions.formula(test.filter),
        )
        check_program(program)
        return program

    def _register_of(self, thread: int, name: str) -> str | None:
        return name if name in self.threads[thread].variables else None

    def _thread(self, index: int, function: sx.ThreadFunction) -> Statements:
        parameters = self._parameters(index, function)
        statements = Statements(self.trees, Emitter(f"P{function.number}"), parameters)
        statements.body(self.trees.parse(function.body, "start"))
        for name, init in self.initial[index].items():
            if name not in parameters and name not in statements.variables:
                message = f"thread P{function.number} has no variable `{name}`"
                raise InputError(message, init.place.span)
        return statements

    def _parameters(self, index: int, function: sx.ThreadFunction) -> dict[str, ct.Typed]:
        """What the parameters of a thread point to."""
        found: dict[str, ct.Typed] = {}
        children = self.trees.parse(function.parameters, "parameters").children
        parameters = [child for child in children if isinstance(child, lark.Tree)]
        for parameter in parameters:
            specifiers, pointer, name = parameter.children
            type_ = self.trees.type(tree_of(specifiers), tree_of(pointer))
            if name is None:
                if type_ == ct.VOID and len(parameters) == 1:
                    return {}
                self.trees.fail("a parameter without a name", parameter, "expected `int *x`")
            token = token_of(name)
            if type_.pointee is None:
                hint = f"it stands for a location: `{type_.name} *{token}`"
                self.trees.fail(f"the parameter `{token}` is not a pointer", parameter, hint)
            if token in found:
                self.trees.fail(f"`{token}` is declared twice", token)
            span = self.trees.span(token)
            init = self.initial[index].get(token)
            if init is not None and init.value is not None:
                address = self.memory.value(init.value)
                shown = f"&{init.value.name}" if isinstance(init.value, sx.Address) else ""
            else:
                variable = self.memory.variable(str(token), span)
                address, shown = variable.address, f"&{variable.name}"
                size = type_.pointee.bytes
                if variable.cells is not None and size != variable.cell_bytes:
                    message = f"unsupported: {variable.show()} as an array of {type_.pointee.name}"
                    self.trees.refuse(message, parameter)
            found[str(token)] = ct.Typed(ex.Const(span, address, shown), type_)
        return found

    def _start(self, index: int) -> dict[str, int]:
        """Initial values of a thread's variables."""
        variables = self.threads[index].variables
        return {
            name: self.memory.value(init.value)
            for name, init in self.initial[index].items()
            if name in variables and init.value is not None
        }
