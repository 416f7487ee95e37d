"""Damaged litmus tests: an input error that points into the text, or a valid program; never
anything else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litmus_samples import SAMPLES
from test_mutations import damage

from hybrid.errors import InputError
from hybrid.frontend.load import parse_litmus
from hybrid.program.check import check_program
from hybrid.source import Source

pytestmark = pytest.mark.large


def attempt(text: str) -> bool:
    """Whether the text is a test; an error must have its place."""
    try:
        program = parse_litmus(Source("bad.litmus", text))
    except InputError as error:
        assert error.span is not None
        assert 1 <= error.span.line <= text.count("\n") + 1
        assert error.render().startswith("bad.litmus:")
        return False
    check_program(program)
    return True


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_read(name: str) -> None:
    assert attempt(SAMPLES[name])


@pytest.mark.parametrize("name", SAMPLES)
def test_damage(name: str) -> None:
    rng = random.Random(f"litmus/{name}")
    data = SAMPLES[name].encode()
    read = sum(attempt(damage(data, rng).decode("utf-8", "replace")) for _ in range(600))
    assert 10 < read < 590  # some damage does not matter, most does


@pytest.mark.parametrize("name", SAMPLES)
def test_cut_short(name: str) -> None:
    """Every beginning of a text."""
    text = SAMPLES[name]
    for end in range(len(text)):
        attempt(text[:end])


@given(st.text(st.sampled_from('PC86 X\n{}()[];:|=,/\\~*0r1x"<>&-+.%$'), max_size=60))
@settings(max_examples=300, deadline=None)
def test_noise(text: str) -> None:
    attempt(text)
    attempt(f"PPC t\n{{{text}}}\n P0 ;\n")
    attempt(f"PPC t\n{{}}\n P0 ;\n {text} ;\n")
    attempt(f"X86 t\n{{}}\n P0 ;\n {text} ;\n")
    attempt(f"PPC t\n{{}}\n P0 ;\nexists {text}")


@pytest.mark.parametrize(
    "text",
    [
        "PPC t\n{}\n P0 ;\nexists " + "(" * 5000 + "x=1" + ")" * 5000,
        "PPC t\n{}\n P0 ;\nexists " + "~" * 5000 + "x=1",
        "PPC t\n{}\n P0 ;\nexists " + "x=1 => " * 5000 + "x=1",
        "PPC t\n{}\n P0 ;\nexists x=1" + " /\\ x=1 \\/ x=2" * 5000,
        "PPC t\n{" + "{" * 5000 + "}",
        "(*" * 5000,
        "PPC t\n{ int " + "*" * 5000 + " x; }\n P0 ;\n",
        "PPC t\n{}\n P0 ;\n stw r1," + "(" * 5000 + "r2" + ")" * 5000 + " ;\n",
        "PPC t\n{ x=" + "9" * 5000 + "; }\n P0 ;\n",
        "PPC t\n{}\n P0 ;\n li r1," + "9" * 5000 + " ;\n",
        "PPC t\n{}\n P0 ;\n" + " addi r1,r1,1 ;\n" * 3000,
        "X86 t\n{}\n P0 ;\n" + " ADD EAX,EAX ;\n" * 1000,
        "PPC t\n{}\n P" + "9" * 5000 + " ;\n",
        "PPC t\n{ " + "9" * 5000 + ":r1=1; }\n P0 ;\n",
    ],
    ids=range(14),
)
def test_extremes(text: str) -> None:
    attempt(text)
