"""The documents name every engine, model and architecture, and the verbs and exit codes that there
are; links lead somewhere, and examples in help texts run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from hybrid.catalogue.engines import ENGINES
from hybrid.cli import explain, generate, trace
from hybrid.cli.main import VERBS, main
from hybrid.data import bundled
from hybrid.frontend.load import ARCHITECTURES
from hybrid.model.load import builtin_models
from hybrid.oracle.make import ORACLES

ROOT = Path(__file__).parent.parent


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "docs/engines.md", "docs/crosscheck.md"])
def test_engines(page: str) -> None:
    for name in ENGINES:
        assert as_code(name, text(page)), name


def as_code(name: str, page: str) -> bool:
    """Whether a page has the name as code: `trust`, `trust+rf` or `--engine trust`, but not
    `trust-linear` for `trust`."""
    return re.search(rf"`(?:--engine )?{re.escape(name)}[`+:/ ]", page) is not None


@pytest.mark.parametrize(
    ("page", "named"),
    [
        ("the engine `trust`", True),
        ("`--engine trust`", True),
        ("`trust+rf`", True),
        ("`trust-linear`", False),
        ("trust me", False),
    ],
)
def test_as_code(page: str, named: bool) -> None:
    assert as_code("trust", page) == named


@pytest.mark.parametrize("page", ["README.md", "docs/engines.md", "docs/crosscheck.md"])
def test_oracles(page: str) -> None:
    for name in ORACLES:
        assert name in text(page)


@pytest.mark.parametrize("page", ["README.md", "encodings/README.md"])
def test_models(page: str) -> None:
    for name in builtin_models():
        assert f"`{name}`" in text(page)


def test_architectures() -> None:
    for arch, known in ARCHITECTURES.items():
        rows = [line for line in text("docs/litmus.md").splitlines() if line.startswith("| `")]
        assert any(f"`{arch}`" in row and f"`{known.model}`" in row for row in rows)
        rows = [line for line in text("docs/batch.md").splitlines() if line.startswith("| ")]
        assert any(arch in row and row.endswith(f"| {known.model} |") for row in rows)


def test_verbs() -> None:
    for verb in VERBS:
        assert f"| `hybrid {verb.name}" in text("README.md")


def test_pages() -> None:
    """Each page of the documents can be reached from the README."""
    for page in sorted((ROOT / "docs").glob("*.md")):
        assert f"(docs/{page.name})" in text("README.md")


PAGES = [
    *(
        "README.md",
        "CONTRIBUTING.md",
        "encodings/README.md",
        "litmus/README.md",
        "hybrid/encoding/README.md",
    ),
    *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md"))),
]


@pytest.mark.skipif(not (ROOT / "hybrid").exists(), reason="a part of the tree: make test-compiled")
@pytest.mark.parametrize("page", PAGES)
def test_links(page: str) -> None:
    for link in re.findall(r"\]\(([^)]+)\)", text(page)):
        if link.startswith("https:"):
            continue
        path, _, heading = link.partition("#")
        target = (ROOT / page).parent / path
        assert target.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in [title.lower().replace(" ", "-") for title in titles], link


def test_json_fields(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(bundled("litmus") / "papers" / "trust-r+w+w.prog")
    main(["verify", program, "missing.prog", "--model", "sc", "--engine", "stateful", "--json"])
    section = text("docs/batch.md").split("### JSON")[1].split("\n## ")[0]
    for line in capsys.readouterr().out.splitlines():
        for name in json.loads(line):
            assert f"`{name}`" in section


def test_json_fields_of_crosscheck(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(bundled("litmus") / "classic" / "SB.prog")
    main(["crosscheck", program, "--model", "sc", "--engines", "enumerate,rsmc", "--json"])
    names = json.loads(capsys.readouterr().out)
    page = text("docs/crosscheck.md")
    fields = page[page.index("## JSON") : page.index("## A disagreement")]
    assert names and all(f"`{name}`" in fields for name in names)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory has the programs that examples speak of."""
    for name in ("SB", "MP", "MP+syncs"):
        shutil.copy(bundled("litmus") / "classic" / f"{name}.prog", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize("examples", [explain.EXAMPLES, trace.EXAMPLES])
def test_examples(examples: str) -> None:
    lines = re.findall(r"^  hybrid (.*?)(?:   .*)?$", examples, re.MULTILINE)
    assert lines
    for line in lines:
        assert main(shlex.split(line)) == 0, line


def test_examples_of_generate(programs: Path) -> None:
    lines = re.findall(r"^  hybrid (generate .*?)(?:   +|  into (.*))?$", generate.EXAMPLES, re.M)
    named = [(line, name) for line, name in lines if name]
    assert named
    for line, name in named:
        assert main(shlex.split(line)) == 0
        assert (programs / name).exists()
