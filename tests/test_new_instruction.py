"""A new instruction, added to a copy of the package as CONTRIBUTING.md says.

The toy is `pause`, which does nothing. Its class and its syntax are written; mypy names all other
places, by the `assert_never` at which the toy arrives there; and once each of them has its answer,
all engines agree on a program with it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
CLASS = '''@dataclass(frozen=True, slots=True)
class Pause(NoAccess, NoJump, SetsNothing):
    """Does nothing."""

    span: Span
    label: str

    event_tags: ClassVar[frozenset[str]] = _NO_TAGS
    expressions: ClassVar[tuple[Expr, ...]] = ()

    def with_expressions(self, change: Callable[[Expr], Expr]) -> Self:
        return self


'''
# What stands in place of each assert_never, file by file in the order of the lines.
ANSWERS: dict[str, tuple[str, ...]] = {
    "hybrid/bmc/execute.py": ("pass",),
    "hybrid/bmc/unroll.py": ("return after",),
    "hybrid/crosscheck/c_form.py": ("return each",),
    "hybrid/crosscheck/reduce.py": ("return 0", "pass"),
    "hybrid/engine/enumerate/paths.py": ("self.go_on(walk)",),
    "hybrid/engine/enumerate/rerun.py": ("return True",),
    "hybrid/engine/estimate.py": ("pass",),
    "hybrid/engine/rsmc/programs.py": ("return None",),
    "hybrid/execution/numbering.py": ("return 0",),
    "hybrid/execution/unfolding.py": (
        "cursor.steps, cursor.code_index = cursor.steps + 1, cursor.code_index + 1; return cursor",
    ),
    "hybrid/frontend/c_print.py": ('return ";"',),
    "hybrid/frontend/litmus/widths.py": ("return state",),
    "hybrid/frontend/prog_print.py": ('return "pause"',),
    "hybrid/oracle/unreachable_names.py": ("pass",),
    "hybrid/program/check.py": ("pass",),
    "hybrid/program/machine_map.py": ("self.code.append(instruction)",),
    "hybrid/program/passes/effects.py": ("return NEVER",),
    "hybrid/program/passes/purity.py": ("return behind",),
    "hybrid/program/pointers.py": ("pass",),
    "hybrid/program/reached.py": ("pass",),
    "hybrid/program/show.py": ('return "pause"',),
    "hybrid/witness/again.py": ("return 0", "pass"),
}
WRITTEN = {  # by hand, before mypy is asked: class and syntax
    "hybrid/program/instructions.py": (
        ("Instruction = (\n    Assign\n", f"{CLASS}Instruction = (\n    Assign\n    | Pause\n"),
    ),
    "hybrid/frontend/prog.lark": (
        ('     | "skip" ";" ', '     | "pause" ";" -> pause\n     | "skip" ";" '),
    ),
    "hybrid/frontend/prog_code.py": (
        (
            '        elif kind == "choice":\n',
            '        elif kind == "pause":\n'
            '            self._emit(ins.Pause(self.names.span(tree), ""))\n'
            '        elif kind == "choice":\n',
        ),
    ),
}
# Named by CONTRIBUTING.md and not touched for this toy: it has no events.
UNTOUCHED = {
    "hybrid/program/answers.py",
    "hybrid/execution/step_maker.py",
    "hybrid/api/builder/thread.py",
}
PROGRAM = """x = 0; y = 0
thread P: L0: x := 1; L1: pause; L2: r0 := y; L3: if r0 = 1 goto L1;
thread Q: M0: pause; M1: y := 1; M2: r1 := x; M3: pause;
exists (P:r0 = 0 /\\ Q:r1 = 0)
"""


def mypy(copy: Path) -> str:
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(copy / "cache"), "-p", "hybrid"]
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    return done.stdout


def named(output: str) -> dict[str, list[int]]:
    """The lines that mypy complains about, by file; each must be an assert_never."""
    found: dict[str, list[int]] = {}
    for line in output.splitlines():
        match = re.match(r"(\S+\.py):(\d+): error: (.*)", line)
        if match:
            assert 'Argument 1 to "assert_never" has incompatible type "Pause"' in match[3], line
            found.setdefault(match[1], []).append(int(match[2]))
    return {file: sorted(lines) for file, lines in found.items()}


@pytest.mark.large
@pytest.mark.interpreted
def test_mypy_names_every_place(tmp_path: Path) -> None:
    for folder in ("hybrid", "encodings"):
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(TOP / folder, tmp_path / folder, ignore=ignored)
    shutil.copy(TOP / "pyproject.toml", tmp_path)
    for file, changes in WRITTEN.items():
        text = (tmp_path / file).read_text()
        for old, new in changes:
            assert text.count(old) == 1, (file, old)
            text = text.replace(old, new)
        (tmp_path / file).write_text(text)

    places = named(mypy(tmp_path))
    assert {file: len(lines) for file, lines in places.items()} == {
        file: len(answers) for file, answers in ANSWERS.items()
    }
    section = (
        (TOP / "CONTRIBUTING.md").read_text().split("## An instruction\n")[1].split("\n## ")[0]
    )
    files = {name for name in re.findall(r"`(hybrid/[^`]*\.\w+)`", section) if "*" not in name}
    assert files == places.keys() | WRITTEN.keys() | UNTOUCHED

    for file, lines in places.items():
        text_lines = (tmp_path / file).read_text().splitlines(keepends=True)
        for number, answer in zip(lines, ANSWERS[file], strict=True):
            line = text_lines[number - 1]
            text_lines[number - 1] = re.sub(r"assert_never\(.*\)", lambda _, a=answer: a, line)
        (tmp_path / file).write_text("".join(text_lines))
    assert "Success" in mypy(tmp_path)

    program = tmp_path / "pause.prog"
    program.write_text(PROGRAM)
    for model in ("sc", "power"):
        command = [sys.executable, "-m", "hybrid.cli.main", "crosscheck", str(program)]
        command += ["--model", model, "--unroll", "2", "--complete"]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
