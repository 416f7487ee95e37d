"""C programs as Programs: passes over the code until nothing new is learnt, then the memory and the
threads put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hybrid.errors import InputError, Unsupported
from hybrid.frontend.c import initial, private, threads
from hybrid.frontend.c.captions import Captions
from hybrid.frontend.c.cells import SharedCells
from hybrid.frontend.c.execute import LlvmMeaning
from hybrid.frontend.c.library.clocks import refuse_uses
from hybrid.frontend.c.library.runtime import completed
from hybrid.frontend.c.retries import strengthened
from hybrid.frontend.c.space import CObject, ObjectKey, ThreadKey
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.c.threads import EXITS, RETURNS
from hybrid.frontend.c.unshared import Unshared
from hybrid.frontend.c.values import SPAN, Unset, constant, constants
from hybrid.frontend.c.world import RECURSION, Learnt, Spawned, World
from hybrid.frontend.llvm.layout import TypeLayout
from hybrid.frontend.llvm.module import Module
from hybrid.program import instructions as ins
from hybrid.program.check import check_program
from hybrid.program.expr import Const
from hybrid.program.loops import successors
from hybrid.program.memory import Location
from hybrid.program.origin import ANY_VALUE, FUNCTION, UNSET, MemoryBlock, cell_address
from hybrid.program.program import Program, ProgramEnd, Thread
from hybrid.source import Source

C_SOURCE = "C source"
MAIN = ("main",)
MOST_PASSES = 60
MOST_STEPS = 1_000_000  # LLVM instructions run for one thread
# The same as long as passes learn from each other: a loop may seem to go on for ever only because
# nobody has seen yet that its end depends on memory.
FIRST_STEPS = 20_000

Code = list[ins.Instruction]


def lower(
    module: Module, name: str, sources: Mapping[str, Source], recursion: int = RECURSION
) -> Program:
    """The program that a module is. `sources` has the texts of its files, by the names that the
    module has for them. `recursion`: how deep it is followed where memory decides about that."""
    main = module.functions.get("main")
    if main is None or not main.blocks:
        raise InputError(f"{name}: there is no function main")
    module = completed(module)
    layout = TypeLayout(module)
    learnt = Learnt()
    steps = FIRST_STEPS
    for _ in range(MOST_PASSES):
        before = learnt.size()
        world = World(module, layout, learnt, Captions(sources, name), steps, recursion)
        codes = _pass(world)
        cells = _learn(world, codes)
        if learnt.size() != before:
            continue
        idle = {key for key in _idle(world, codes) if key not in learnt.busy | learnt.idle}
        hurried = world.hurried and steps < MOST_STEPS
        if not idle and not hurried:
            return _program(world, codes, cells, name)
        if hurried:
            steps = MOST_STEPS
        if idle:
            learnt.idle |= idle
            learnt.joined.clear()
            learnt.joins_any = False
    raise Unsupported(f"{name}: its memory is not understood after {MOST_PASSES} passes")


# ---- one pass


def _pass(world: World) -> dict[ThreadKey, Code]:
    """The code of every thread."""
    main = world.space.by_key["function", "main"].address
    world.threads.append(Spawned(MAIN, "main", 0, main, 0, None))
    codes: dict[ThreadKey, Code] = {}
    place = 0
    while place < len(world.threads):
        own = world.threads[place]
        codes[own.key] = _thread(world, own)
        place += 1
    return codes


def _thread(world: World, own: Spawned) -> Code:
    t = CThread(world, own.key, own.name, own.number, LlvmMeaning())
    function = world.functions.get(own.function)
    if function is None or not function.blocks:
        raise Unsupported("unsupported: a thread whose function is not defined in this program")
    t.start(function, [own.argument], own.memory.copy())
    t.state.top.place = own.place
    if own.number == 0:
        initial.set_globals(t)
        t.state.top.locals.update(initial.main_arguments(t, function))
        for name in reversed(world.module.constructors):
            t.push(world.module.functions[name], [], "", "", again=True)
    initial.set_thread_locals(t)
    code = t.lower(lambda: threads.begin(t, own))
    _check_spawns(world, own, code)
    return code


def _check_spawns(world: World, own: Spawned, code: Code) -> None:
    """A thread is started at most once at each place."""
    starts = [
        at
        for at, each in enumerate(code)
        if isinstance(each, ins.Store) and each.label in world.edges
    ]
    for at in starts:
        seen: set[int] = set()
        todo = list(successors(code, at))
        while todo:
            following = todo.pop()
            if following == at:
                span = code[at].span
                raise Unsupported(
                    "unsupported: a thread that is started in a loop whose end depends on memory "
                    "that threads share",
                    span,
                    "the end of the loop must be known: check that its counter is not shared",
                )
            if following not in seen:
                seen.add(following)
                todo.extend(successors(code, following))


def _learn(world: World, codes: Mapping[ThreadKey, Code]) -> SharedCells:
    """Notes what a pass has seen."""
    learnt = world.learnt
    for code in codes.values():
        for each in code:
            if isinstance(each, ins.Branch | ins.Assert | ins.Assume):
                continue  # what is compared gets nowhere
            for expression in each.expressions:
                if isinstance(expression, Const) and expression is each.place:
                    continue
                for number in constants(expression):
                    world.escapes(number)
                if expression is not each.place:
                    world.points(expression)
    world.follow_pointers()
    cells = SharedCells(world)
    learnt.cells = cells.by_object()
    _learn_barriers(world)
    for parent, endings in world.endings.items():
        children = tuple(
            each.key
            for each in world.threads
            if each.parent == parent
            and each.start is not None
            and any(each.key not in ending for ending in endings)
        )
        if children:
            known = learnt.children.get(parent, ())
            learnt.children[parent] = known + tuple(k for k in children if k not in known)
    for key in cells.cells:
        found = world.space.by_key[key]
        if not found.zeroed and found.key not in world.nondet:
            learnt.unset = True
    return cells


def _learn_barriers(world: World) -> None:
    for barrier, waiting in world.waits.items():
        world.learnt.barriers[barrier] = frozenset(waiting)
        found = world.space.find(barrier)
        count = private.read(world.image, barrier + 8, 4, found is not None and found.zeroed)
        if count != len(waiting):
            world.learnt.counted.add(barrier)


def _idle(world: World, codes: Mapping[ThreadKey, Code]) -> Iterator[ThreadKey]:
    """The threads that end by waiting for others, on every way."""
    for key, code in codes.items():
        joins = [at for at, each in enumerate(code) if each.label in world.joins]
        if not joins:
            continue
        end = len(code) - (isinstance(code[-1], ins.Assign) and code[-1].register == RETURNS)
        skips = any(target > joins[0] for each in code for target in each.targets)
        if end - joins[0] == len(joins) and not skips:
            yield key


# ---- putting together


def _program(
    world: World, codes: Mapping[ThreadKey, Code], cells: SharedCells, name: str
) -> Program:
    for code in codes.values():
        refuse_uses(code)
    given = _given_away(world)
    strong = {
        key: strengthened(code, _unshared(world, key, code, given)) for key, code in codes.items()
    }
    made = [
        Thread(world.captions.span(None), own.name, tuple(strong[own.key])) for own in world.threads
    ]
    main = made[0].code
    if len(made) > 1 and all(isinstance(e, ins.Assign) and e.register == RETURNS for e in main):
        del made[0]
    shown = {own.key: place for place, own in enumerate(world.threads[-len(made) :])}
    locations = _locations(world, cells)
    helper = _nondeterministic(world, cells)
    if helper is not None:
        made.append(helper)
    program = Program(
        name,
        locations,
        tuple(made),
        arch=C_SOURCE,
        origins=world.captions.origins,
        blocks=_blocks(world),
        thread_edges=frozenset(world.edges),
        end=_end(world, shown, bool(main)),
        remarks=tuple(_remarks(world, strong != codes)),
    )
    check_program(program)
    return program


def _end(world: World, shown: Mapping[ThreadKey, int], ends: bool) -> ProgramEnd | None:
    """When the program is over. `shown`: the numbers of its threads; `ends`: main, if it is not one
    of them, ends the program and not its thread alone."""
    if len(world.threads) < 2:
        return None
    awaited: set[ThreadKey] = set()
    todo: list[ThreadKey] = [MAIN]
    while todo:
        for joined in world.left_out.get(todo.pop(), ()):
            new = [joined] if joined is not None else list(shown)
            todo += [key for key in new if key not in awaited]
            awaited.update(new)
    numbers = frozenset(shown[key] for key in awaited if key in shown)
    return ProgramEnd(EXITS, RETURNS, MAIN not in shown and ends, numbers)


def _given_away(world: World) -> set[ObjectKey]:
    """Objects that others can reach from the start, or get when they are started."""
    values = [value for _, value in world.image.values()]
    for each in world.threads:
        values += [each.argument, *(value for _, value in each.memory.values())]
    objects = (world.space.find(value) for value in values if isinstance(value, int))
    return {found.key for found in objects if found is not None}


def _unshared(world: World, key: ThreadKey, code: Code, given: set[ObjectKey]) -> Unshared:
    def find(byte: int) -> CObject | None:
        found = world.space.find(byte)
        mine = found is not None and found.owner == key and found.key not in given
        return found if mine else None

    return Unshared(code, find)


def _remarks(world: World, retried: bool) -> Iterator[str]:
    """What is not quite as in C."""
    if retried:
        yield (
            "a weak compare-exchange that is tried again with nothing changed is taken to fail "
            "only where the values differ: failing without a reason would lead to one more round"
        )
    if world.unknown_sizes:
        places = ", ".join(sorted(world.unknown_sizes))
        yield f"the size of what is allocated at {places} is not known: its end is not checked"


def _locations(world: World, cells: SharedCells) -> tuple[Location, ...]:
    found: list[Location] = []
    for each in world.space.all:
        for address, size in sorted(cells.cells.get(each.key, {}).items()):
            value = private.read(world.image, address, size, each.zeroed)
            if isinstance(value, Unset):
                value = UNSET
            assert isinstance(value, int)
            label = world.cell_name(address, size)
            found.append(Location(SPAN, label, cell_address(address, size), value))
    return tuple(found)


def _blocks(world: World) -> tuple[MemoryBlock, ...]:
    found: list[MemoryBlock] = []
    for each in world.space.all:
        if each.kind == FUNCTION:
            continue
        for instance in range(min(each.used, each.instances)):
            name = f"{each.name} ({instance + 1})" if instance else each.name
            start = each.address + instance * each.stride
            found.append(MemoryBlock(name, start, each.size, each.kind, each.place))
    return tuple(found)


def _nondeterministic(world: World, cells: SharedCells) -> Thread | None:
    """The thread that writes what nondeterministic values may be; they begin with the least."""
    code: list[ins.Instruction] = []
    for key, (low, high) in world.nondet.items():
        for address, size in sorted(cells.cells.get(key, {}).items()):
            name = "&" + world.cell_name(address, size)
            place = Const(SPAN, cell_address(address, size), name)
            for value in range(low + 1, high + 1):
                label = world.captions.label(None, ANY_VALUE)
                world.captions.describe(label, None, (), ANY_VALUE)
                code.append(ins.Store(SPAN, label, place, constant(value), frozenset({"RLX"})))
    if not code:
        return None
    return Thread(SPAN, ANY_VALUE, tuple(code))
