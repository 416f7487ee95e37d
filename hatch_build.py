"""Compiles the kernel to native code when a wheel is built: `pip install .`, `make wheel`.

HYBRID_COMPILE in the environment says when:

    auto     where that can be done (the default); else the wheel is pure Python, and a note in it
             says why: `hybrid --version` shows it
    always   or the build fails
    never    a wheel of pure Python, for any machine

The kernel is the list `include` of this hook in pyproject.toml; mypyc makes C of it. That is done
in a folder of its own, so that no native code is left beside the source, where Python would load it
instead. An editable install is never compiled: it runs the source that is edited.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "HYBRID_COMPILE"
AUTO, ALWAYS, NEVER = "auto", "always", "never"
NEEDS = ("mypy>=1.10", "setuptools>=61")  # of a build that compiles
NOTE = "hybrid/_data/kernel.txt"  # in the wheel: why it is not compiled
SETUP = """\
import json
from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup

order = json.loads(Path("order.json").read_text(encoding="utf-8"))
setup(name="kernel", packages=[], py_modules=[], ext_modules=mypycify(**order))
"""
# What the files import is looked at as far as it is there: a build needs no solver.
MYPY = ("--config-file=", "--ignore-missing-imports", "--no-warn-unused-ignores")


class CannotCompile(Exception):
    """Why there is no native code, in words that fit into a sentence."""


class KernelHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        try:
            return list(NEEDS) if wish() != NEVER and find_compiler() else []
        except CannotCompile:
            return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or wish() == NEVER:
            return
        self._folder = Path(tempfile.mkdtemp(prefix="hybrid-kernel-"))
        try:
            find_compiler()
            self.app.display_waiting("Compiling the kernel, which takes some minutes …")
            built = compile_kernel(Path(self.root), self.config["include"], self._folder)
        except CannotCompile as error:
            if wish() == ALWAYS:
                raise
            self.app.display_warning(f"The kernel is not compiled: {error}.")
            note = self._folder / "note"
            note.write_text(f"{error}\n", encoding="utf-8")
            build_data["force_include"][str(note)] = NOTE
            return
        for path, place in built:
            build_data["force_include"][str(path)] = place
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def wish() -> str:
    asked = os.environ.get(VARIABLE, "") or AUTO
    if asked not in (AUTO, ALWAYS, NEVER):
        raise ValueError(f"{VARIABLE} is {asked!r}, not one of {AUTO}, {ALWAYS}, {NEVER}")
    return asked


def find_compiler() -> str:
    """The C compiler that an extension of this Python is built with."""
    if sys.platform == "win32":
        return "cl"  # setuptools looks for it
    words = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    found = shutil.which(words[0])
    if found is None:
        raise CannotCompile(f"there is no C compiler: no command is called {words[0]}")
    header = Path(sysconfig.get_path("include"), "Python.h")
    if not header.exists():
        raise CannotCompile(f"the C headers of Python are not there: no file {header}")
    return found


def compile_kernel(root: Path, files: list[str], folder: Path) -> list[tuple[Path, str]]:
    """Compiles these files of the project in `folder`; the native files, each with its place."""
    missing = [file for file in files if not Path(root, file).is_file()]
    if missing:
        raise ValueError(f"files of the kernel that are not there: {', '.join(missing)}")
    shutil.copytree(
        root / "hybrid", folder / "hybrid", ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    order = {"paths": [*MYPY, *files], "debug_level": "0"}  # as fast as gcc can, nothing for gdb
    (folder / "order.json").write_text(json.dumps(order), encoding="utf-8")
    (folder / "setup.py").write_text(SETUP, encoding="utf-8")
    native = folder / "native"
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--build-lib", str(native)]
    command += ["--parallel", str(os.cpu_count() or 1)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    if run.returncode != 0:
        sys.stderr.write(run.stdout + run.stderr)
        words = (run.stderr or run.stdout).strip().splitlines()
        raise CannotCompile(f"compiling failed: {words[-1] if words else 'without a word'}")
    return [
        (path, path.relative_to(native).as_posix())
        for path in sorted(native.rglob("*"))
        if path.suffix in (".so", ".pyd")
    ]


if __name__ == "__main__":  # whether it can be done, and why not
    try:
        print(find_compiler())
    except CannotCompile as error:
        sys.exit(str(error))
