"""What the page may ask for: names of what is bundled, never paths."""

from __future__ import annotations

from typing import Any

import pytest

from hybrid.errors import InputError
from hybrid.serve.request import MOST_TEXT, RunRequest, read_request

GOOD: dict[str, Any] = {"kind": ".prog", "text": "x = 0\n"}
BAD = [
    ([], "not a JSON object"),
    ({"kind": ".prog"}, "has no `text`"),
    ({"text": ""}, "has no `kind`"),
    ({**GOOD, "kind": ".ll"}, "no such kind"),
    ({**GOOD, "kind": ".cpp"}, "no such kind"),
    ({**GOOD, "text": 3}, "`text` is not a text"),
    ({**GOOD, "text": "x" * (MOST_TEXT + 1)}, "more than"),
    ({**GOOD, "text": "\ud800"}, "not Unicode"),
    ({**GOOD, "flags": "-I/etc"}, "a field `flags`"),
    ({**GOOD, "clang": "/bin/sh"}, "a field `clang`"),
    ({**GOOD, "name": "../x"}, "the program's name"),
    ({**GOOD, "name": "/etc/passwd"}, "the program's name"),
    ({**GOOD, "name": "-include"}, "the program's name"),
    ({**GOOD, "name": "@x"}, "the program's name"),
    ({**GOOD, "name": ".."}, "the program's name"),
    ({**GOOD, "name": "x\n"}, "the program's name"),
    ({**GOOD, "model": "/tmp/my.cat"}, "no built-in model"),
    ({**GOOD, "model": "../encodings/sc"}, "no built-in model"),
    ({**GOOD, "model": "sc.cat"}, "no built-in model"),
    ({**GOOD, "model": "stdlib"}, "no built-in model"),
    ({**GOOD, "folder": ".."}, "no folder"),
    ({**GOOD, "folder": "/etc"}, "no folder"),
    ({**GOOD, "folder": "programs/../.."}, "no folder"),
    ({**GOOD, "engine": "magic"}, "no engine is called"),
    ({**GOOD, "oracle": "delphi"}, "no oracle is called"),
    ({**GOOD, "engine": "all", "oracle": "z3"}, "all oracles"),
    ({**GOOD, "engine": "all", "outcome": "x = 1"}, "by one engine"),
    ({**GOOD, "unroll": -1}, "`unroll` is not"),
    ({**GOOD, "unroll": True}, "`unroll` is not"),
    ({**GOOD, "unroll": "3"}, "`unroll` is not"),
    ({**GOOD, "unroll": 10**9}, "`unroll` is not"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_what_is_refused(data: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_request(data)


def test_what_is_taken() -> None:
    assert read_request(GOOD) == RunRequest(".prog", "x = 0\n")
    more = {"name": "MP+syncs", "folder": "classic", "model": "power", "unroll": 3}
    asked = read_request({**GOOD, **more, "engine": "rsmc", "oracle": "z3"})
    assert asked.file == "MP+syncs.prog" and asked.configuration.oracle == "z3"
    assert read_request(asked.as_json()) == asked
    words = "hybrid verify MP+syncs.prog --model power --engine rsmc --oracle z3 --unroll 3"
    assert asked.command == words.split()
    assert read_request(GOOD | {"cat": "x"}).command[2:] == ["program.prog", "--model", "my.cat"]
