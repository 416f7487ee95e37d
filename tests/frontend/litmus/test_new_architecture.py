"""A new architecture, as CONTRIBUTING.md says it is added: one module with a table of instructions
and one row in ARCHITECTURES. The toy has three: `get`, `put` and `bar`."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from hybrid.cli.main import main
from hybrid.errors import InputError
from hybrid.frontend.load import ARCHITECTURES, LitmusArchitecture, default_model, parse_litmus
from hybrid.source import Source

# What hybrid/frontend/litmus/toy.py would hold.
MODULE = '''
"""TOY: a machine of three instructions."""

import re

from hybrid.frontend.litmus import machine as mc
from hybrid.frontend.litmus.machine import Form, InstructionSet, RegisterOperand


def compile(test):
    return mc.assemble(test, TOY)


def _register(text):
    return RegisterOperand(text) if re.fullmatch(r"t[0-9]", text) else None


def _place(code, text, span):
    return mc.read(code, text[1:], span) if text.startswith("@") else None


# The letters of a form: `R` a register that is written, `i` a number, `m` a place in memory.
_TABLE = {
    "get": [Form("R,m", lambda code, register, place: code.load(register, place, 32))],
    "put": [Form("m,i", lambda code, place, value: code.store(place, value, 32))],
    "bar": [Form("", lambda code: code.fence("SYNC"))],
}
TOY = InstructionSet(
    "TOY",
    _register,
    shapes={"R": mc.written, "m": _place, "i": mc.immediate},
    words={"R": "register", "m": "@register", "i": "number"},
    table=_TABLE,
)
'''

# The row of ARCHITECTURES.
ROW = LitmusArchitecture("toy", "power")

SB = """TOY SB
{ 0:t1=x; 0:t2=y; 1:t1=y; 1:t2=x; }
 P0         | P1         ;
 put @t1,1  | put @t1,1  ;
 BETWEEN    | BETWEEN    ;
 get t3,@t2 | get t3,@t2 ;
exists (0:t3=0 /\\ 1:t3=0)
"""


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"hybrid.frontend.litmus.{ROW.module}"
    module = ModuleType(name)
    exec(MODULE, module.__dict__)
    monkeypatch.setitem(sys.modules, name, module)
    assert isinstance(ARCHITECTURES, dict)
    monkeypatch.setitem(ARCHITECTURES, "TOY", ROW)


@pytest.mark.parametrize(("between", "verdict"), [("", "ALLOWED"), ("bar", "FORBIDDEN")])
def test_a_test_of_it_runs(
    between: str, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "SB.litmus"
    path.write_text(SB.replace("BETWEEN", between))
    assert main(["verify", str(path), "--expect", verdict, "--quiet"]) == 0
    assert verdict in capsys.readouterr().out
    assert main(["verify", str(path), "--model", "sc", "--expect", "FORBIDDEN", "--quiet"]) == 0
    assert main(["crosscheck", str(path), "--engines", "enumerate,rsmc,bmc:sat"]) == 0


def test_it_has_its_model() -> None:
    program = parse_litmus(Source("SB.litmus", SB.replace("BETWEEN", "")))
    assert program.arch == "TOY"
    assert default_model(program) == "power"


def test_what_it_lacks_is_refused_with_the_place() -> None:
    with pytest.raises(InputError) as caught:
        parse_litmus(Source("SB.litmus", SB.replace("BETWEEN", "dance")))
    assert "dance" in caught.value.message
    assert caught.value.span is not None and caught.value.span.line == 5
