"""Functions that are not taken, with the reason: better words than that they are not defined."""

from __future__ import annotations

from typing import NoReturn

from hybrid.frontend.c.library.entry import Arguments, LibraryFunction
from hybrid.frontend.c.thread import CThread
from hybrid.frontend.llvm.module import CallInst

_ANY = "__VERIFIER_nondet_range(LOW, HIGH) gives any value of a range"
_REASONS = {
    "jumps out of functions": "setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp",
    "signals": "signal sigaction raise kill pthread_kill sigprocmask pthread_sigmask sigwait "
    "sigsuspend pause alarm sigemptyset sigaddset sigfillset",
    "processes": "fork vfork execv execve execvp execl execlp wait waitpid system popen pipe",
    "files": "fopen fclose fread fwrite fgets getline fgetc getc getchar gets ungetc feof fseek "
    "open close read write lseek mmap munmap socket select poll",
    "input": "scanf fscanf sscanf __isoc99_scanf __isoc99_sscanf __isoc99_fscanf __isoc23_scanf "
    "__isoc23_sscanf __isoc23_fscanf",
    "texts that are printed into memory": "sprintf snprintf vsprintf vsnprintf asprintf "
    "__sprintf_chk __snprintf_chk",
    "cancelling threads": "pthread_cancel pthread_setcancelstate pthread_setcanceltype "
    "pthread_testcancel",
    "functions that are called at the end": "atexit at_quick_exit on_exit",
    "semaphores of the system": "sem_open sem_unlink semget semop",
    "floating point": "sin cos tan sqrt pow exp log floor ceil fabs fmod atof strtod",
    f"random numbers ({_ANY})": "rand random rand_r drand48 lrand48 mrand48 getrandom",
    f"the time ({_ANY})": "times localtime gmtime mktime strftime ctime",
    "atomic sections": "__VERIFIER_atomic_begin __VERIFIER_atomic_end",
}


def refusing(why: str) -> LibraryFunction:
    def refuse(t: CThread, arguments: Arguments, call: CallInst) -> NoReturn:
        raise t.refuse(why)

    return refuse


FUNCTIONS: dict[str, LibraryFunction] = {
    name: refusing(f"the function {name}: {reason}")
    for reason, names in _REASONS.items()
    for name in names.split()
}
