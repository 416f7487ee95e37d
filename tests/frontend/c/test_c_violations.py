"""Every kind of violation, by every engine that takes the program: the same kinds at the same
lines."""

from __future__ import annotations

import pytest
from c_verify import LINES, compiled
from support import model

from hybrid.bmc.solvers import SOLVERS
from hybrid.catalogue.spelling import not_applicable
from hybrid.engine.configuration import Configuration
from hybrid.errors import InputError
from hybrid.model.orders import mapped
from hybrid.program.program import Program
from hybrid.report.explored import explore
from hybrid.report.result import Result
from hybrid.verdict import Verdict

USED = [
    Configuration("rsmc"),
    Configuration("trust"),
    Configuration("enumerate"),
    *(Configuration("bmc", oracle=solver) for solver in SOLVERS),
]
BESIDE = {"memory leak at 7", "mixed sizes at 7"}  # they violate nothing
# Thread f does something; main does something when it sees the flag, so that what goes wrong comes
# from memory.
TOGETHER = """struct s {{ int a; int b; }} *p, *q; int a[4]; atomic_int flag, gate; int x;
pthread_mutex_t m, k; void __VERIFIER_assume(int);
void *f(void *_) {{
  {first}
  flag = 1; return 0; }}
int main(void) {{ {before} pthread_t t; pthread_create(&t, 0, f, 0); int n = flag;
  {second}
  {third}
  return 0; }}"""
OBJECT = "p = malloc(8); p->a = 1; p->b = 2;"

# What main has done before, what f does at line 4, what main does at lines 7 and 8; then what goes
# wrong, with its lines.
PROGRAMS: dict[str, tuple[str, str, str, str, list[str]]] = {
    "assertion": ("", "assert(gate == 0);", "gate = 1; assert(!n);", "assert(n || gate);",
                  ["assertion at 7", "assertion at 4"]),
    "null pointer": ("", "", "if (n) p->a = 1;", "else x = q->b;",
                     ["null pointer at 7", "null pointer at 8"]),
    "out of bounds": ("", "", "if (n) a[3 + n] = 1;", "else a[n - 1] = 2;",
                      ["out of bounds at 7", "out of bounds at 8"]),
    "out of bounds or null": ("", "", "*(n ? a + 4 : (int *)0) = 1;", "",
                              ["null pointer at 7", "out of bounds at 7"]),
    "wild pointer": ("", "", "*(int *)(n * 0x12345678l + 0x4560000l) = 1;", "",
                     ["wild pointer at 7"]),
    "a function is no object": ("", "", "*(n ? (int *)f : &x) = 1;", "", ["wild pointer at 7"]),
    "use after free, by loads": (OBJECT, "free(p);", "if (n) x = p->a;", "if (n) x = p->b;",
                                 ["use after free at 7", "use after free at 8"]),
    "use after free, by stores": (OBJECT, "free(p);", "if (n) p->a = 3;", "if (n) p->b = 4;",
                                  ["use after free at 7", "use after free at 8"]),
    "use after free, by an exchange": (OBJECT, "free(p);",
                                       "if (n) __atomic_exchange_n(&p->a, 3, 0);", "",
                                       ["use after free at 7"]),
    "use after free, before threads run": (OBJECT + " free(p);", "", "if (n) p->a = 3;", "",
                                           ["use after free at 7"]),
    "double free": (OBJECT, "free(p);", "if (n) free(p);", "", ["double free at 7"]),
    "invalid free": (OBJECT, "", "free(n ? (void *)(p + 1) : (void *)p);", "",
                     ["invalid free at 7"]),
    "uninitialised read": ("p = malloc(8); p->a = 1;", "", "if (n) x = p->b;", "",
                           ["uninitialised read at 7"]),
    "wrong unlock": ("", "pthread_mutex_lock(&m);", "if (n) pthread_mutex_unlock(&m);", "",
                     ["wrong unlock at 7"]),
    "division by zero": ("", "", "x = 5 / (1 - n);", "x = 5 % n;",
                         ["division by zero at 7", "division by zero at 8"]),
    "unreachable code": ("", "", "if (n) __builtin_unreachable();", "", ["unreachable code at 7"]),
    "race": ("", "x = 1;", "x = 2;", "", ["race at 7"]),
    "deadlock": ("", "pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_mutex_unlock(&k); "
                 "pthread_mutex_unlock(&m);",
                 "pthread_mutex_lock(&k); pthread_mutex_lock(&m);",
                 "pthread_mutex_unlock(&m); pthread_mutex_unlock(&k);", ["deadlock at 7"]),
    "memory leak": ("", "", "int *l = malloc(4); *l = n;", "if (n) free(l);",
                    ["memory leak at 7"]),
    "mixed sizes": ("", "", "*((char *)a + n) = 1;", "a[n] = 2;", ["mixed sizes at 7"]),
    "use after free, then a loop bound": (OBJECT, "free(p);", "if (n) p->a = 3;", "while (!gate);",
                                          ["use after free at 7"]),
    "use after free, then a lock for ever": (OBJECT, "free(p); pthread_mutex_lock(&m);",
                                             "if (n) p->a = 3;",
                                             "pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
                                             ["use after free at 7", "deadlock at 8"]),
    "use after free, then an assumption": (OBJECT, "free(p);", "if (n) p->a = 3;",
                                           "__VERIFIER_assume(gate);", ["use after free at 7"]),
    "several": (OBJECT, "free(p);", "if (n) p->a = 3;", "assert(!n); a[4 * n] = 1;",
                ["use after free at 7", "assertion at 8", "out of bounds at 8"]),
}  # fmt: skip


def kinds(result: Result) -> set[str]:
    return {
        f"{each.fault.kind} at {each.fault.line - LINES}"
        for each in (*result.violations, *result.beside)
    }


def made(name: str) -> Program:
    before, first, second, third, _ = PROGRAMS[name]
    return compiled(TOGETHER.format(before=before, first=first, second=second, third=third))


@pytest.mark.large
@pytest.mark.parametrize("configuration", USED, ids=lambda each: f"{each.engine} {each.oracle}")
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_kind_by_every_engine(name: str, configuration: Configuration) -> None:
    program = made(name)
    result = explore(configuration.suiting(program), program, model("rc20"))
    assert kinds(result) == set(PROGRAMS[name][-1])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_direct_answer(name: str, solver: str) -> None:
    """It shows one run of each kind, so some of the lines at least."""
    program = made(name)
    configuration = Configuration("bmc", oracle=solver)
    result = explore(configuration.suiting(program), program, model("rc20"), first=True)
    expected = set(PROGRAMS[name][-1])
    assert kinds(result) <= expected
    if expected - BESIDE:
        assert result.answer is Verdict.VIOLATED and kinds(result)


@pytest.mark.large
@pytest.mark.parametrize("name", [name for name in PROGRAMS if "free" in name])
def test_freed_memory_under_the_model_of_a_machine(name: str) -> None:
    """There, nothing is a race."""
    program = made(name)
    sharing = mapped(None, program, model("power"))[0]
    for configuration in USED:
        if not not_applicable(configuration, model("power"), sharing):
            result = explore(configuration.suiting(sharing), sharing, model("power"))
            assert kinds(result) == set(PROGRAMS[name][-1]), configuration
    classes = Configuration("rsmc", equivalence="rf")
    explore(classes, program, model("rc20"))
    with pytest.raises(InputError, match="depends on coherence"):
        explore(classes, sharing, model("power"))
