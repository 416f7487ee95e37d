"""After `confine` the rest of the disk is gone, for the process and for what it starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from serve_helpers import SECRET, run_worker, secret_file

from hybrid.serve.app import compiler_version
from hybrid.serve.confine import can_confine, needed_folders

pytestmark = pytest.mark.skipif(not can_confine(), reason="the kernel has no Landlock here")
needs_compiler = pytest.mark.skipif(not compiler_version(), reason="there is no C compiler here")

CONFINED = """
import subprocess, sys
from hybrid.serve.confine import confine, needed_folders
inside, outside = sys.argv[1:]
assert open(outside).read()
assert confine(needed_folders(""), [inside])
def told(act):
    try:
        act()
        return "done"
    except OSError as error:
        return error.strerror
open(inside + "/new", "w").write("x")
print(told(lambda: open(outside).read()))
print(told(lambda: open(outside, "a").write("x")))
print(told(lambda: open(outside + "x", "w")))
print(told(lambda: open(inside + "/new").read()))
print(told(lambda: open("/proc/1/environ").read()))
print(told(lambda: subprocess.run(["cat", outside])))
"""
UNCHECKED = "import hybrid.serve.run as r; r.check_c_text = lambda source: None"


def test_what_a_process_can_read(tmp_path: Path) -> None:
    inside = tmp_path / "run"
    inside.mkdir()
    outside = secret_file(tmp_path, "secret.txt")
    done = subprocess.run(
        [sys.executable, "-c", CONFINED, str(inside), str(outside)],
        capture_output=True,
        text=True,
        check=False,
    )
    denied = "Permission denied"
    expected = [denied, denied, denied, "done", denied, denied]
    assert done.stdout.split() == " ".join(expected).split(), done.stderr
    assert SECRET in outside.read_text(encoding="utf-8")


def test_what_is_needed_is_not_everything() -> None:
    folders = [Path(folder) for folder in needed_folders("/home/me/bin/clang")]
    assert Path("/home/me/bin") in folders
    for broad in ("/", "/home", "/home/me", "/etc", "/proc", "/tmp", "/usr", str(Path.home())):
        assert Path(broad) not in folders


@needs_compiler
@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "text",
    [
        '#include "{path}"\n',
        '#define F "{path}"\n#include F\n',
        '#if __has_include("{path}")\nint swordfish_ = 1;\n#endif\n',
        'char a[] = {{\n#embed "{path}"\n}};\n',
        "//@ flags -include {path}\n",
        '#line 1 "{path}"\nint y = nothing;\n',
    ],
)
def test_the_compiler_reads_no_other_file(tmp_path: Path, text: str) -> None:
    """Even if nobody looks at the text before."""
    path = secret_file(tmp_path, "secret.h")
    folder = tmp_path / "run"
    folder.mkdir()
    program = f"{text.format(path=path)}int main(void) {{ return 0; }}\n"
    answer = run_worker(folder, program, ".c", before=UNCHECKED)
    assert answer["error"] is not None
    assert f"{SECRET} =" not in str(answer)
