"""Dynamic loop purity: a thread stops where a round of a loop has left it as it was.

The idea is SAVER's (the paper of purity.py compares it with static purity); here it is a pass over
the code. At the head of a loop the thread notes the registers that rounds change and that are still
used. In the round it keeps track of its effects (effects.py). When it comes back to the head
without an effect, and the registers hold what they held, the next round could do nothing that this
one could not have done: an `assume … else wait` stops the thread. So each engine, `bmc` and the
replay of witnesses stop in the same states, and count the same runs.

At a head H with label L; L_new is 1 where H was reached from outside, or an effect of the round is
known from the path alone:

    L_new := 1                      when H is reached from outside
    if L_new goto BODY              a branch on constants, which is not an event
    assume L_effect || r != L_was_r … else wait while (…)
    BODY: L_new := 0; L_effect := 0; L_was_r := r …

The thread waits for ever if memory still holds all that it has read in the round. What it has not
read in this round, but reads in others, stands for something that it has read: the list of places
that are read again is the same on all ways. A round that reads a place at which another value or
another location was read before in the same round (in an inner loop) counts as one with an effect,
as does one that reads nothing; a cas or store-conditional that has failed for no reason can succeed
the next time, and does not wait for ever.

Removing such a round from a run leaves a run. Its loads are read by nobody; where it has stored,
whoever has read that can read the same from the store before. Where the model knows dependencies,
the registers that are noted must not come from memory: in the run without the round, later accesses
would depend on another load than before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hybrid.program import expr as ex
from hybrid.program import instructions as ins
from hybrid.program.passes.cfg import RESERVATION, ControlFlow, written
from hybrid.program.passes.effects import ALWAYS, NEVER, Effects, varying_registers, with_results
from hybrid.program.passes.rewriting import Code, HeadCode, spliced
from hybrid.program.passes.setting import Setting
from hybrid.program.passes.ssa import HERE

_ZERO, _ONE = ex.Const(HERE, 0), ex.Const(HERE, 1)


@dataclass(slots=True)
class Watched:
    """What was found out about a loop that stays."""

    header: int  # in the code before
    text: str = ""  # what was put in
    stops: str = ""  # the label at which the thread stops
    reason: str = ""  # why nothing was


@dataclass(slots=True)
class WatchedCode:
    code: Code
    loops: list[Watched] = field(default_factory=list)


def watched(
    code: Code,
    at_end: frozenset[str],
    setting: Setting,
    races: Callable[[ins.Access], bool],
    labels: Callable[[str], str],
    is_done: Callable[[int], bool],
) -> WatchedCode:
    """The code of a thread that stops where rounds of its loops change nothing; `at_end`: the
    registers that matter at its end, `labels` makes new ones of a label, `is_done`: whether the
    loop with a header has no such rounds anyway."""
    found = WatchedCode(code)
    flow = ControlFlow(code)
    if not flow.loops:
        return found
    body = frozenset[int]().union(*(loop.body for loop in flow.loops))
    code = with_results(code, body)
    flow, live = ControlFlow(code), flow.live(at_end)
    varying = varying_registers(code)
    taken = {name for each in code for name in (*each.sets, *each.uses)}
    heads: dict[int, HeadCode] = {}
    before: dict[int, list[ins.Instruction]] = {}
    behind: dict[int, list[ins.Instruction]] = {}
    for loop in flow.loops:
        if is_done(loop.header):
            continue
        effects = Effects(flow, loop, setting, varying, races)
        work = _LoopWatch(effects, live[loop.header], labels, taken)
        report = Watched(loop.header, reason=work.reason())
        found.loops.append(report)
        if report.reason:
            continue
        heads[loop.header] = work.head()
        report.text, report.stops = work.text(), heads[loop.header].checks[-1].label
        for at in sorted(loop.body):
            before.setdefault(at, []).extend(work.before(at))
            behind.setdefault(at, []).extend(work.behind(at))
    if heads:
        found.code = spliced(code, heads, before, behind)
    return found


class _LoopWatch:
    """What is put into one loop."""

    def __init__(
        self,
        effects: Effects,
        live: frozenset[str],
        labels: Callable[[str], str],
        taken: set[str],
    ) -> None:
        """`taken`: the names of registers, to which new ones are added."""
        self.taken = taken
        self.names: dict[str, str] = {}  # of registers, by what they are for
        self.effects = effects
        self.flow = effects.flow
        self.code = effects.flow.code
        self.loop = effects.loop
        self.labels = labels
        self.near = self.code[self.loop.header]  # new labels and registers are made of its label
        self._keep_operands()
        self.effect = {at: effects.of(at) for at in sorted(self.loop.body)}
        changed = {r for at in self.loop.body for r in written(self.code[at])}
        self.noted = sorted(live & changed)
        self.sites = [at for at, effect in self.effect.items() if self._is_site(at, effect)]
        self.again = {at for at in self.sites if self._leads(at, at)}  # may be passed twice
        self.sure = [at for at in self.sites if self._is_on_all_ways(at)]

    def _keep_operands(self) -> None:
        """What a read-modify-write overwrites of its own operands is kept."""
        for at in self.loop.body:
            rmw = self.code[at]
            if isinstance(rmw, ins.Rmw) and not ex.registers(rmw.operand).isdisjoint(rmw.sets):
                self.effects.operands[at] = self._register(f"{rmw.label}_operand")

    def _is_site(self, at: int, effect: ex.Expr) -> bool:
        return isinstance(self.code[at], ins.Load | ins.Rmw) and effect is not ALWAYS

    def _leads(self, first: int, second: int) -> bool:
        """Whether a round may come from one node to the other."""
        return second != self.loop.header and second in self._reached(first, frozenset())

    def _is_on_all_ways(self, at: int) -> bool:
        return all(self.flow.dominates(at, back) for back in self.loop.back)

    def _reached(self, first: int, avoided: frozenset[int]) -> set[int]:
        """What a round may come to from a node, without passing some; the header where it ends."""
        seen: set[int] = set()
        todo = [first]
        while todo:
            for edge in self.flow.following[todo.pop()]:
                target = edge.target
                if target not in self.loop.body or target in seen or target in avoided:
                    continue
                seen.add(target)
                if target != self.loop.header:
                    todo.append(target)
        return seen

    # ---- whether

    def reason(self) -> str:
        """Why nothing is put in; empty: nothing stands in the way."""
        header = self.loop.header
        if not self.sites:
            return "no round reads memory without an effect"
        always = frozenset(at for at, effect in self.effect.items() if effect is ALWAYS)
        if header in always or header not in self._reached(header, always):
            listed = ", ".join(self.code[at].label for at in sorted(always))
            return f"each round has an effect ({listed})"
        if RESERVATION in self.noted:
            return "a reservation is left to the next round"
        varying = self.effects.varying.intersection(self.noted)
        if self.effects.setting.dependencies and varying:
            registers = ", ".join(sorted(varying))
            return f"the model knows dependencies, and the next round uses {registers}, from memory"
        return ""

    def text(self) -> str:
        kept = f", and leaves {', '.join(self.noted)} as before" if self.noted else ""
        return f"stops behind a round that has no effect{kept}"

    # ---- what

    def head(self) -> HeadCode:
        """At the head of the loop: when it is reached from outside, when it is reached again, and
        before each round."""
        new = self._register("new")
        enters: list[ins.Instruction] = [self._assign("new", _ONE)]
        fresh: ex.Expr = new
        if not self.sure:
            fresh = ex.Binary(HERE, "||", new, ex.Unary(HERE, "!", self._register("looked")))
            enters.append(self._assign("looked", _ZERO))
        passed = ins.Branch(self.near.span, self._label(), fresh, 0)
        parts: list[ex.Expr] = [self._register("effect")] if self._is_conditional() else []
        parts += [
            ex.Binary(HERE, "!=", ex.Register(HERE, each), self._register(f"was_{each}"))
            for each in self.noted
        ]
        going_on: ex.Expr = parts[0] if parts else _ZERO
        for part in parts[1:]:
            going_on = ex.Binary(HERE, "||", going_on, part)
        rereads = tuple(self._rereads())
        checks = [*self._completed()]
        checks.append(ins.Assume(self.near.span, self._label(), going_on, True, rereads))
        rounds: list[ins.Instruction] = [self._assign("new", _ZERO)]
        rounds += [self._assign("effect", _ZERO)] if self._is_conditional() else []
        rounds += [] if self.sure else [self._assign("looked", _ZERO)]
        rounds += [self._assign("odd", _ZERO)] if self._fails_for_no_reason() else []
        rounds += [self._assign(self._did(at), _ZERO) for at in self.sites if self._is_counted(at)]
        rounds += [self._assign(f"was_{each}", ex.Register(HERE, each)) for each in self.noted]
        return HeadCode(self.loop.body, enters, passed, checks, rounds, self._jump_again())

    def _jump_again(self) -> ins.Goto | None:
        """For the instruction before the header, where that is part of the loop and goes on."""
        last = self.loop.header - 1
        falls = last in self.loop.body and self.code[last].goes_on
        return ins.Goto(self.near.span, self._label(), 0) if falls else None

    def before(self, at: int) -> Iterator[ins.Instruction]:
        """Before an instruction of the loop: what it may overwrite is kept."""
        each = self.code[at]
        if at in self.effects.operands and isinstance(each, ins.Rmw):
            yield self._assign(f"{each.label}_operand", each.operand)
        if isinstance(each, ins.Rmw) and self._is_odd(each) and each.expected is not None:
            yield self._assign(f"{each.label}_expected", each.expected)
        if at in self.sites and isinstance(each, ins.Load | ins.Rmw):
            if at in self.again:
                yield self._assign(f"{each.label}_next", each.address)
            elif not isinstance(each.address, ex.Const):
                yield self._assign(f"{each.label}_at", each.address)

    def behind(self, at: int) -> Iterator[ins.Instruction]:
        """Behind an instruction of the loop: its effect, and what it has read."""
        each, effect = self.code[at], self.effect[at]
        if effect is ALWAYS:
            yield self._assign("new", _ONE)
        elif effect is not NEVER:
            yield self._also("effect", effect)
        if self._is_odd(each):
            yield self._also("odd", self._failed_for_no_reason(each))
        if at in self.sites and isinstance(each, ins.Load | ins.Rmw):
            yield from self._looks(at, each)

    def _looks(self, at: int, access: ins.Load | ins.Rmw) -> Iterator[ins.Instruction]:
        assert access.register is not None
        read = ex.Register(HERE, access.register)
        place, value = self._place(at), self._register(f"{access.label}_got")
        if at in self.again:
            going = self._register(f"{access.label}_next")
            done = self._register(self._did(at))
            if self.effects.setting.dependencies:
                yield self._also("new", done)
            else:
                elsewhere = ex.Binary(HERE, "!=", place, going)
                other = ex.Binary(HERE, "||", elsewhere, ex.Binary(HERE, "!=", value, read))
                yield self._also("effect", ex.Binary(HERE, "&&", done, other))
            yield self._assign(f"{access.label}_at", going)
        yield self._assign(f"{access.label}_got", read)
        if self._is_counted(at):
            yield self._assign(self._did(at), _ONE)
        if not self.sure:
            yield self._assign("looked", _ONE)
            yield self._assign("at", place)
            yield self._assign("got", value)

    def _completed(self) -> Iterator[ins.Instruction]:
        """Places that were not read in a round stand for one that was."""
        place, value = self._some()
        for at in self.sites:
            if at in self.sure:
                continue
            done = self._register(self._did(at))
            own = self._place(at)
            got = self._register(f"{self.code[at].label}_got")
            yield self._select(f"{self.code[at].label}_at", done, own, place)
            yield self._select(f"{self.code[at].label}_got", done, got, value)

    def _rereads(self) -> Iterator[ins.Reread]:
        for at in self.sites:
            label = self.code[at].label
            place = self._place(at) if at in self.sure else self._register(f"{label}_at")
            yield ins.Reread(place, self._register(f"{label}_got"))
        if self._fails_for_no_reason():
            place, value = self._some()
            yield ins.Reread(place, ex.Binary(HERE, "+", value, self._register("odd")))

    def _some(self) -> tuple[ex.Expr, ex.Expr]:
        """A place that was read in this round, and what was read."""
        if self.sure:
            at = self.sure[0]
            return self._place(at), self._register(f"{self.code[at].label}_got")
        return self._register("at"), self._register("got")

    def _place(self, at: int) -> ex.Expr:
        access = self.code[at]
        assert isinstance(access, ins.Load | ins.Rmw)
        if isinstance(access.address, ex.Const) and at not in self.again:
            return access.address
        return self._register(f"{access.label}_at")

    def _did(self, at: int) -> str:
        return f"{self.code[at].label}_did"

    def _is_counted(self, at: int) -> bool:
        """Whether it is noted that a place has been read in this round."""
        return at in self.again or at not in self.sure

    def _is_conditional(self) -> bool:
        """Whether registers tell if there was an effect."""
        told = any(each is not ALWAYS and each is not NEVER for each in self.effect.values())
        return told or (bool(self.again) and not self.effects.setting.dependencies)

    # ---- failures for no reason

    def _is_odd(self, instruction: ins.Instruction) -> bool:
        if isinstance(instruction, ins.Rmw):
            return instruction.weak
        return isinstance(instruction, ins.StoreConditional)

    def _fails_for_no_reason(self) -> bool:
        return any(self._is_odd(self.code[at]) for at in self.loop.body)

    def _failed_for_no_reason(self, instruction: ins.Instruction) -> ex.Expr:
        """What is not 0 if it has failed though it need not have."""
        if isinstance(instruction, ins.StoreConditional):
            assert instruction.status is not None
            return ex.Register(HERE, instruction.status)
        assert isinstance(instruction, ins.Rmw)
        assert instruction.register is not None and instruction.success is not None
        read = ex.Register(HERE, instruction.register)
        fits = ex.Binary(HERE, "==", read, self._register(f"{instruction.label}_expected"))
        failed = ex.Unary(HERE, "!", ex.Register(HERE, instruction.success))
        return ex.Binary(HERE, "&&", failed, fits)

    # ---- instructions

    def _register(self, name: str) -> ex.Register:
        made = self.names.get(name)
        if made is None:
            made = f"{self.near.label}_{name}"
            while made in self.taken:
                made += "_"
            self.taken.add(made)
            self.names[name] = made
        return ex.Register(HERE, made)

    def _label(self) -> str:
        return self.labels(self.near.label)

    def _assign(self, name: str, value: ex.Expr) -> ins.Assign:
        return ins.Assign(self.near.span, self._label(), self._register(name).name, value)

    def _also(self, name: str, value: ex.Expr) -> ins.Assign:
        return self._assign(name, ex.Binary(HERE, "||", self._register(name), value))

    def _select(self, name: str, done: ex.Expr, yes: ex.Expr, no: ex.Expr) -> ins.Select:
        register = self._register(name).name
        return ins.Select(self.near.span, self._label(), register, done, yes, no)
