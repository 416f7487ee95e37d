"""Partial loop purity elimination of one loop: the purity condition, tests of its negation, awaits
in their place (purity.py names the paper).

A test that directly follows the only access that it is about becomes that access's guard: load,
exchange and cas then happen only with a value that does not make the iteration a pure one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.passes import conditions as cn
from hybrid.program.passes.accesses import happens_again
from hybrid.program.passes.cfg import ControlFlow, NaturalLoop
from hybrid.program.passes.facts import KnownFacts
from hybrid.program.passes.placing import Placed, Placing
from hybrid.program.passes.purity import Disjunct, ForwardPurity, Purity
from hybrid.program.passes.rewriting import Code, inserted
from hybrid.program.passes.same_values import read_again
from hybrid.program.passes.setting import Setting
from hybrid.program.passes.ssa import HERE, Iteration, incoming


@dataclass(slots=True)
class LoopReport:
    """What was found out about a loop."""

    thread: str
    header: str  # its first label
    last: str  # that of the last instruction that goes back to it
    condition: tuple[str, ...] = ()  # the disjuncts of its purity condition
    done: list[str] = field(default_factory=list)  # what was put in
    reasons: list[str] = field(default_factory=list)  # why not more
    kept: list[str] = field(default_factory=list)  # why rounds are not watched as they happen


class LoopElimination:
    """Of one loop of a thread."""

    def __init__(
        self,
        flow: ControlFlow,
        loop: NaturalLoop,
        live: frozenset[str],
        setting: Setting,
        fails: Callable[[ins.Access], bool],
        races: Callable[[ins.Access], bool],
        labels: Callable[[str], str],
        report: LoopReport,
    ) -> None:
        """`live`: the registers that may be used from the header on; `fails`, `races`: whether an
        access may; `labels` makes new ones of a label."""
        self.flow = flow
        self.iteration = Iteration(flow, loop)
        self.setting = setting
        self.fails = fails
        self.races = races
        self.labels = labels
        self.report = report
        self.purity = ForwardPurity(self.iteration, live, self._late, self._races_alone)
        self.changed: dict[int, ins.Instruction] = {}
        self.before: dict[int, list[ins.Instruction]] = {}
        self.origins: dict[str, str] = {}  # by new label: the one that it comes from

    def _late(self, access: ins.Access) -> bool:
        waits = access.awaits is not None
        return waits or self.fails(access) or (self.setting.races and self.races(access))

    def _races_alone(self, at: int) -> bool:
        """Whether an access may race in an iteration that is left out, and in no other."""
        access = self.flow.code[at]
        races = self.setting.races and isinstance(access, ins.Access) and self.races(access)
        return races and not happens_again(self.flow, self.iteration.loop, at)

    def run(self) -> Code:
        """The code with tests or awaits."""
        report, code = self.report, self.flow.code
        pure = self.purity.condition
        report.condition = tuple(self._shown(each.condition) for each in pure)
        report.reasons += self._reasons()
        for placed in self._placed(pure):
            wrong = self._put(placed)
            if wrong:
                report.reasons.append(f"{self._shown(placed.disjunct.condition)}: {wrong}")
        code = tuple(self.changed.get(at, each) for at, each in enumerate(code))
        return inserted(code, self.before)

    def _reasons(self) -> list[str]:
        code = self.flow.code
        found = [f"{code[at].label} {why}" for at, why in sorted(self.purity.reasons.items())]
        return found + self.purity.modified()

    def _shown(self, condition: cn.Conjunction) -> str:
        names = {n for term in condition for n in ex.registers(term)}
        return cn.show(
            {_renamed(t, {n: _register(n) for n in names}): w for t, w in condition.items()}
        )

    def _placed(self, pure: Purity) -> list[Placed]:
        """The disjuncts that have a place, and whose stores nobody of the thread reads."""
        iteration = self.iteration
        placing = Placing(iteration, KnownFacts(iteration), self.setting.dependencies)
        found: list[Placed] = []
        for disjunct in pure:
            place = self._spurious(disjunct) or placing.place(disjunct)
            if place == "":
                continue
            if isinstance(place, str):
                self.report.reasons.append(f"{self._shown(disjunct.condition)}: {place}")
            else:
                found.append(place)
        left_out = True
        while left_out and self.setting.dependencies:
            left_out = False
            for each in list(found):
                for rmw in sorted(each.disjunct.same):
                    why = read_again(iteration, rmw, found)
                    if why and each in found:
                        found.remove(each)
                        left_out = True
                        shown = self._shown(each.disjunct.condition)
                        self.report.reasons.append(f"{shown}: {why}")
        return found

    def _spurious(self, disjunct: Disjunct) -> str:
        """Why what a weak cas has done for no reason cannot be left out; empty: it can."""
        for at in sorted(disjunct.spurious):
            instruction = self.flow.code[at]
            if isinstance(instruction, ins.Rmw) and not self._only_success(disjunct, at):
                return f"{instruction.label} may fail for no reason, and it matters what it reads"
        return ""

    def _only_success(self, disjunct: Disjunct, at: int) -> bool:
        rmw = self.flow.code[at]
        assert isinstance(rmw, ins.Rmw)
        read = f"{rmw.register}@{at}"
        return not any(read in ex.registers(term) for term in disjunct.condition)

    # ---- putting in

    def _put(self, placed: Placed) -> str:
        """Puts in an await or an assume; why not, if it cannot be."""
        access = self._follows(placed)
        if access is not None:
            rereads = self._rereads(placed, access)
            if not isinstance(rereads, str) and self._guard(access, placed, rereads):
                self._make_strong(placed)
                return ""
        rereads = self._rereads(placed, None)
        if isinstance(rereads, str):
            return rereads
        self._make_strong(placed)
        self._assume(placed, rereads)
        return ""

    def _make_strong(self, placed: Placed) -> None:
        """A weak cas need not fail for no reason: that would be an iteration like others."""
        for at in placed.disjunct.spurious:
            rmw = self._now(at)
            if isinstance(rmw, ins.Rmw):
                self.changed[at] = replace(rmw, weak=False)

    def _now(self, at: int) -> ins.Instruction:
        return self.changed.get(at, self.flow.code[at])

    def _follows(self, placed: Placed) -> int | None:
        """The access that what is tested is about, if it comes directly before."""
        if not self.setting.awaits:
            return None
        at = placed.at
        while at > 0 and at != self.iteration.loop.header and len(self.flow.before[at]) == 1:
            at -= 1
            instruction = self.flow.code[at]
            if isinstance(instruction, ins.Load | ins.Rmw):
                return at if self._is_about(placed, at) else None
            if not isinstance(instruction, ins.Assign | ins.Select | ins.Assert):
                return None
        return None

    def _is_about(self, placed: Placed, at: int) -> bool:
        """Whether what is left to test depends on nothing else that this iteration has read."""
        if self.setting.races and self.races(self._access(at)):
            return False
        loads: set[int] = set()
        for term in placed.condition:
            loads |= self.iteration.loads_of(term) or frozenset()
        held = self.iteration.entering[at]
        names = {n for term in placed.condition for n in ex.registers(term)}
        others = {n for n in names if self.iteration.defined.get(n, (-1, ""))[0] != at}
        known = all(held.get(_register(n), incoming(_register(n))) == n for n in others)
        return at in loads and known

    def _access(self, at: int) -> ins.Load | ins.Rmw:
        instruction = self.flow.code[at]
        assert isinstance(instruction, ins.Load | ins.Rmw)
        return instruction

    def _guard(self, at: int, placed: Placed, rereads: tuple[ins.Reread, ...]) -> bool:
        """Gives an access its guard; False: what is awaited cannot be said of one value."""
        access = self._now(at)
        assert isinstance(access, ins.Load | ins.Rmw)
        read: ex.Expr = ex.Register(HERE, ins.READ)
        values: dict[str, ex.Expr] = {f"{access.register}@{at}": read}
        if (
            isinstance(access, ins.Rmw)
            and access.success is not None
            and access.expected is not None
        ):
            expected = self.iteration.term_at(access.expected, at)
            values[f"{access.success}@{at}"] = ex.Binary(HERE, "==", read, expected)
        dnf: cn.Dnf = cn.TRUE
        for term, where in placed.condition.items():
            dnf = cn.conjoined(dnf, cn.inside(_replaced(term, values), where))
        if len(dnf) != 1 or not dnf[0]:
            return False
        names = {n for term in dnf[0] for n in ex.registers(term)} - {ins.READ}
        test = _renamed(cn.formula(dnf[0], False), {name: _register(name) for name in names})
        if isinstance(access, ins.Rmw) and self._adds_dependency(access, names):
            return False
        before = access.guard
        if before is not None:
            test = ex.Binary(HERE, "&&", ins.test_of(before), test)
            rereads = tuple(dict.fromkeys((*before.rereads, *rereads)))
        guard = replace(ins.guard_of(test, access.span, rereads), sleeps=False)
        self.changed[at] = replace(access, guard=guard)
        self.report.done.append(f"{access.label} waits until {ex.show(test)}")
        return True

    def _adds_dependency(self, rmw: ins.Rmw, names: set[str]) -> bool:
        """Whether a guard orders what the program does not: both events of a read-modify-write
        depend on what is in its guard, and its store on its load, which that of an exchange does
        not do otherwise."""
        if not self.setting.dependencies:
            return False
        return bool(names) or (rmw.op == "xchg" and not self.setting.pairs)

    def _assume(self, placed: Placed, rereads: tuple[ins.Reread, ...]) -> None:
        names = {n for term in placed.condition for n in ex.registers(term)}
        test = cn.formula(placed.condition, False)
        test = _renamed(test, {name: _register(name) for name in names})
        near = self.flow.code[min(placed.at, len(self.flow.code) - 1)]
        label = self.labels(near.label)
        self.origins[label] = near.label
        conditional = any(
            isinstance(self._now(at), ins.StoreConditional) for at in placed.disjunct.spurious
        )
        made = ins.Assume(near.span, label, test, not conditional, () if conditional else rereads)
        self.before.setdefault(placed.at, []).append(made)
        self.report.done.append(f"{label}: assume {ex.show(test)}, before {near.label}")

    def _rereads(self, placed: Placed, access: int | None) -> tuple[ins.Reread, ...] | str:
        """What the thread would read again, apart from an access that waits itself."""
        at = placed.at if access is None else access
        held = self.iteration.entering[at]
        found: list[ins.Reread] = []
        for load in sorted(placed.loads - {access}):
            instruction = self._now(load)
            if not isinstance(instruction, ins.Load | ins.Rmw):
                continue  # a store-conditional reads nothing
            if instruction.register is None:
                instruction = replace(instruction, register=f"{instruction.label}_read")
                self.changed[load] = instruction
            elif held.get(instruction.register or "") != f"{instruction.register}@{load}":
                return f"what {instruction.label} has read is not kept"
            then = self.iteration.entering[load]
            for register in ex.registers(instruction.address):
                if then.get(register) != held.get(register):
                    return f"the address of {instruction.label} is not kept"
            value = ex.Register(HERE, instruction.register or "")
            found.append(ins.Reread(instruction.address, value))
        return tuple(found)


def _register(name: str) -> str:
    return name.rsplit("@", 1)[0]


def _renamed(term: ex.Expr, names: dict[str, str]) -> ex.Expr:
    return _replaced(term, {n: ex.Register(HERE, register) for n, register in names.items()})


def _replaced(term: ex.Expr, values: dict[str, ex.Expr]) -> ex.Expr:
    if isinstance(term, ex.Register):
        return values.get(term.name, term)
    if isinstance(term, ex.Unary):
        return replace(term, operand=_replaced(term.operand, values))
    if isinstance(term, ex.Binary):
        left, right = _replaced(term.left, values), _replaced(term.right, values)
        return replace(term, left=left, right=right)
    return term
