"""`hybrid completion`: scripts that the shells take, and what they complete."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from cli_helpers import Hybrid

from hybrid.cli.main import VERBS
from hybrid.cli.shell_scripts import SCRIPTS, Completed, CompletedVerb, quoted
from hybrid.data import builtin_models

# What bash does when the user asks for a completion of the last word.
SIMULATED = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_hybrid
printf '%s\\n' "${COMPREPLY[@]}"
"""


def needs(shell: str) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    return path


def write(hybrid: Hybrid, shell: str) -> Path:
    run = hybrid("completion", shell)
    assert run.code == 0 and run.err == ""
    path = hybrid.folder / f"script.{shell}"
    path.write_text(run.out, encoding="utf-8")
    return path


def bash(script: Path, *words: str) -> list[str]:
    command = [needs("bash"), "--norc", "-c", SIMULATED, "bash", str(script), *words]
    run = subprocess.run(
        command, capture_output=True, text=True, cwd=script.parent, timeout=30, check=True
    )
    assert run.stderr == ""
    return run.stdout.split()


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_shell_takes_it(hybrid: Hybrid, shell: str) -> None:
    path = write(hybrid, shell)
    command = [needs(shell), "-n", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    text = path.read_text(encoding="utf-8")
    for verb in VERBS:
        assert verb.name in text
    assert "--equivalence" in text or "-l equivalence" in text


def test_bash(hybrid: Hybrid) -> None:
    script = write(hybrid, "bash")
    (hybrid.folder / "mine.prog").write_text("", encoding="utf-8")
    assert bash(script, "hybrid", "ver") == ["verify"]
    assert {"verify", "explain", "--version"} <= set(bash(script, "hybrid", ""))
    assert bash(script, "hybrid", "verify", "--equiv") == ["--equivalence"]
    assert bash(script, "hybrid", "verify", "--model", "po") == ["power"]
    assert set(builtin_models()) <= set(bash(script, "hybrid", "explain", "--model", ""))
    assert bash(script, "hybrid", "verify", "--model", "sc,t") == ["sc,tso"]
    assert bash(script, "hybrid", "crosscheck", "--model", "sc,tso,po") == ["sc,tso,power"]
    assert "sc,rc11" in bash(script, "hybrid", "verify", "--model", "sc,")
    assert bash(script, "hybrid", "explain", "--model", "sc,t") == []  # it takes one
    assert bash(script, "hybrid", "verify", "--sat-solver", "cadical19") == ["cadical195"]
    assert "sarif" in bash(script, "hybrid", "verify", "x.c", "--format", "")
    assert bash(script, "hybrid", "verify", "mi") == ["mine.prog"]
    assert bash(script, "hybrid", "verify", "--timeout", "") == []
    assert set(bash(script, "hybrid", "completion", "")) == set(SCRIPTS)
    assert bash(script, "hybrid", "nonsense", "x") == []


def test_zsh(hybrid: Hybrid) -> None:
    """It is a completer of zsh's, by either way of loading one."""
    script = write(hybrid, "zsh")
    (hybrid.folder / "_hybrid").write_text(script.read_text(encoding="utf-8"), encoding="utf-8")
    for load in (f"source {script}", ":"):
        lines = f"""
        fpath=({hybrid.folder} $fpath)
        autoload -Uz compinit && compinit -u -D
        {load}
        print $_comps[hybrid]
        """
        run = subprocess.run(
            [needs("zsh"), "-f", "-c", lines],
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        )
        assert run.stdout.strip() == "_hybrid" and run.stderr == ""


def test_fish(hybrid: Hybrid) -> None:
    script = write(hybrid, "fish")

    def fish(line: str) -> list[str]:
        command = [needs("fish"), "--no-config", "-c", f"source {script}; complete -C '{line}'"]
        run = subprocess.run(
            command, capture_output=True, text=True, cwd=hybrid.folder, timeout=30, check=True
        )
        assert run.stderr == ""
        return [found.split("\t")[0] for found in run.stdout.splitlines()]

    (hybrid.folder / "mine.prog").write_text("", encoding="utf-8")
    assert fish("hybrid ver") == ["verify"]
    assert fish("hybrid verify --equiv") == ["--equivalence"]
    assert set(builtin_models()) <= set(fish("hybrid verify --model "))
    assert "mine.prog" in fish("hybrid verify mi")
    assert set(fish("hybrid completion ")) == set(SCRIPTS)


def test_a_shell_that_is_not_known(hybrid: Hybrid) -> None:
    run = hybrid("completion", "csh")
    assert run.code == 2 and "csh" in run.err


def test_words_that_mean_something_to_a_shell() -> None:
    option = Completed(("--x",), "it's [a] $(b): c", True, ("it's", "$HOME"), True)
    verb = CompletedVerb("verb", "don't `x`", (option,))
    assert option.summary == "it's [a] $(b)"
    assert quoted("it's") == "'it'\\''s'"
    for shell, script in SCRIPTS.items():
        path = shutil.which(shell)
        if path is not None:
            command = [path, "-n", "/dev/stdin"]
            text = script([verb])
            run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
            assert (run.returncode, run.stderr) == (0, ""), shell
