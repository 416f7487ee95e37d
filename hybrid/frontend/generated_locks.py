"""Locks, a sequence lock and a queue with a parameter, as .prog text: those of
litmus/programs/awaits, where threads wait by `await` and rounds of loops that change nothing are
waited for. n threads enter a critical section once each and there store to a location and load it
again."""

from __future__ import annotations

from hybrid.frontend.generated_text import (
    PLAIN,
    Orders,
    check_parameter,
    counted,
    program_text,
    thread_text,
)


def _critical(me: int, orders: Orders) -> list[str]:
    return [f"shared := {me}{orders.store};", f"r := shared{orders.load};"]


def ttaslock(n: int, orders: Orders = PLAIN) -> str:
    """Test-and-test-and-set: (n!)² traces under sc, one n! for the loads that find the lock free
    and one for the exchanges that take it."""
    check_parameter("n", n, 1)
    threads = [
        thread_text(
            f"T{me}",
            [
                f"await(taken = 0){orders.load};",
                f"xchgawait(taken = 0, := 1){orders.rmw};",
                *_critical(me, orders),
                f"taken := 0{orders.store};",
            ],
        )
        for me in range(1, n + 1)
    ]
    about = f"A test-and-test-and-set lock, taken once by {counted(n, 'thread')}."
    return program_text(f"ttaslock({n})", about, "taken = 0; shared = 0", threads)


def twalock(n: int, orders: Orders = PLAIN) -> str:
    """A ticket lock with a waiting array of four cells, in which a thread waits whose turn is more
    than one away."""
    check_parameter("n", n, 1)
    load, store, rmw = orders.load, orders.store, orders.rmw
    threads = [
        thread_text(
            f"T{me}",
            [
                f"mine := faa(ticket, 1){rmw};",
                f"now := grant{load};",
                "if mine - now > 1 {",
                f"  seen := waiting[mine % 4]{load};",
                f"  now := grant{load};",
                "  while mine - now > 1 {",
                f"    seen := await(waiting[mine % 4] != seen){load};",
                f"    now := grant{load};",
                "  }",
                "}",
                f"await(grant = mine){load};",
                *_critical(me, orders),
                f"now := grant{load};",
                f"grant := now + 1{store};",
                f"faa(waiting[(now + 2) % 4], 1){rmw};",
            ],
        )
        for me in range(1, n + 1)
    ]
    about = f"A ticket lock with a waiting array, taken once by {counted(n, 'thread')}."
    places = "ticket = 0; grant = 0; waiting[4] = 0; shared = 0"
    return program_text(f"twalock({n})", about, places, threads)


def mcs(n: int, orders: Orders = PLAIN) -> str:
    """The queue lock of Mellor-Crummey and Scott; a node is known by its number, 0 is none."""
    check_parameter("n", n, 1)
    load, store = orders.load, orders.store
    threads = [
        thread_text(
            f"T{me}",
            [
                f"next[{me}] := 0{store};",
                f"granted[{me}] := 0{store};",
                f"before := xchg(tail, {me}){orders.rmw};",
                "if before != 0 {",
                f"  next[before] := {me}{store};",
                f"  await(granted[{me}] = 1){load};",
                "}",
                *_critical(me, orders),
                f"after := next[{me}]{load};",
                f"if after != 0 goto G{me};",
                f"last := cas(tail, {me}, 0){orders.cas};",
                f"if last = {me} goto E{me};",
                f"after := await(next[{me}] != 0){load};",
                f"G{me}: granted[after] := 1{store};",
                f"E{me}: skip;",
            ],
        )
        for me in range(1, n + 1)
    ]
    about = f"The lock of Mellor-Crummey and Scott, taken once by {counted(n, 'thread')}."
    places = f"tail = 0; next[{n + 1}] = 0; granted[{n + 1}] = 0; shared = 0"
    return program_text(f"mcs({n})", about, places, threads)


def mutex(n: int, orders: Orders = PLAIN) -> str:
    """A mutex over a futex, after U. Drepper's: 0 free, 1 taken, 2 taken and perhaps somebody
    waits. The futex is a counter of wake-ups. A round that neither marks the word nor takes it
    changes nothing, and its last access waits instead."""
    check_parameter("n", n, 1)
    load, store, rmw, cas = orders.load, orders.store, orders.rmw, orders.cas
    threads = [
        thread_text(
            f"T{me}",
            [
                f"r, won := cas(word, 0, 1){cas};",
                "while !won {",
                f"  old, marked := cas(word, 1, 2){cas};",
                f"  seen := wakeups{load};",
                f"  now := word{load};",
                f"  if now = 2 {{ await(wakeups != seen){load}; }}",
                "  r, won := cas(word, 0, 2) await satisfies _ = 0 || marked "
                f"while (word = old, word = now){cas};",
                "}",
                *_critical(me, orders),
                f"r, free := cas(word, 1, 0){cas};",
                f"if !free {{ word := 0{store}; faa(wakeups, 1){rmw}; }}",
            ],
        )
        for me in range(1, n + 1)
    ]
    about = f"A mutex over a futex, taken once by {counted(n, 'thread')}."
    return program_text(f"mutex({n})", about, "word = 0; wakeups = 0; shared = 0", threads)


def seqlock(n: int, orders: Orders = PLAIN) -> str:
    """The first thread reads, the second writes, all others read and then write. A reader that saw
    the number move would read again, and waits instead."""
    check_parameter("n", n, 2)
    load, store, rmw = orders.load, orders.store, orders.rmw
    reads = [
        f"seen := await(sequence satisfies (_ & 1) = 0){load};",
        f"copy := data{load};",
        f"await(sequence = seen) while (sequence = seen){load};",
    ]
    writes = [
        f"xchgawait(taken = 0, := 1){rmw};",
        f"odd := faa(sequence, 1){rmw};",
        f"data := odd + 1{store};",
        f"faa(sequence, 1){rmw};",
        f"taken := 0{store};",
    ]
    threads = [
        thread_text(f"T{me}", [*(reads if me != 1 else ()), *(writes if me != 0 else ())])
        for me in range(n)
    ]
    about = f"A sequence lock with {n} threads: one reads, one writes, the others do both."
    return program_text(f"seqlock({n})", about, "sequence = 0; data = 0; taken = 0", threads)


def mpmc_queue(n: int, orders: Orders = PLAIN) -> str:
    """A queue of four places with one element. The first thread takes elements out until there is
    none, the second puts one in, all others do both. `claims` counts the places claimed for writing
    and, times 256, those claimed for reading. Who loses a claim would try again, and waits instead.
    """
    check_parameter("n", n, 2)
    load, store, rmw, cas = orders.load, orders.store, orders.rmw, orders.cas
    claim = "await = seen while (claims = seen)"
    threads: list[str] = []
    for me in range(n):
        put = [
            f"seen := claims{load};",
            f"if (seen & 255) = (seen >> 8) + 4 goto F{me};",
            f"cas(claims, seen, seen + 1) {claim}{cas};",
            f"await(reads_done = seen >> 8){load};",
            f"place[(seen & 255) % 4] := {me}{store};",
            f"faa(writes_done, 1){rmw};",
            f"F{me}: skip;",
        ]
        take = [
            f"seen := claims{load};",
            "while (seen & 255) != (seen >> 8) {",
            f"  cas(claims, seen, seen + 256) {claim}{cas};",
            f"  await(writes_done = seen & 255){load};",
            f"  r := place[(seen >> 8) % 4]{load};",
            f"  faa(reads_done, 1){rmw};",
            f"  seen := claims{load};",
            "}",
        ]
        threads.append(
            thread_text(f"T{me}", [*(put if me != 0 else ()), *(take if me != 1 else ())])
        )
    about = f"A bounded queue with {n} threads: one takes, one puts, the others do both."
    places = f"claims = 1; reads_done = 0; writes_done = 1; place[4] = {{{n}, 0, 0, 0}}"
    return program_text(f"mpmc-queue({n})", about, places, threads)
