"""`--html`: the file is written beside the usual output, for one program and for batches."""

from __future__ import annotations

from pathlib import Path

from cli_helpers import Hybrid, write
from litmus_texts import write_litmus


def report(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and text.endswith("</html>\n")
    return text


def test_one_program(hybrid: Hybrid, tmp_path: Path) -> None:
    page = tmp_path / "sb.html"
    plain = hybrid.on("verify", "sb", "--model", "tso")
    found = hybrid.on("verify", "sb", "--model", "tso", "--html", str(page))
    assert (found.code, found.out, found.err) == (plain.code, plain.out, plain.err)
    text = report(page)
    assert "ALLOWED" in text and "An execution that satisfies the condition" in text
    assert 'data-labels="L0"' in text and "Parameters that came into question" in text


def test_a_forbidden_outcome(hybrid: Hybrid, tmp_path: Path) -> None:
    """The axiom with its text and place, and the cycle in bold."""
    page = tmp_path / "sb.html"
    hybrid.on("verify", "sb", "--model", "sc", "--html", str(page))
    text = report(page)
    assert "Forbidden by sc" in text and "acyclic po | com as sc" in text
    assert "sc.cat:" in text and "arrow wire bold" in text
    assert "The model does not allow this commit" in text


def test_a_file_that_cannot_be_read(hybrid: Hybrid, tmp_path: Path) -> None:
    page, program = tmp_path / "x.html", tmp_path / "x.prog"
    program.write_text("thread P: L0: := <script>;")
    found = hybrid("verify", str(program), "--html", str(page))
    assert found.code == 2
    text = report(page)
    assert "ERROR" in text and "&lt;script&gt;" in text
    assert "under -" not in text


def test_a_batch(hybrid: Hybrid, tmp_path: Path) -> None:
    """A row for each program and model, with what it opens; a journal keeps that."""
    page, journal = tmp_path / "all.html", tmp_path / "journal"
    options = ["--model", "sc,power", "--table", "--html", str(page)]
    for more in ([], ["--resume", str(journal)], ["--resume", str(journal)], ["-j", "2"]):
        found = hybrid.on("verify", "sb mp_claim forall assert_fails", *options, *more)
        assert found.code == 1
        text = report(page)
        assert text.count("<tr data-verdict=") == 8
        assert text.count("<template id=") == 8
        assert text.count('<section class="execution"') == 6


def test_a_journal_without_views_is_not_taken(hybrid: Hybrid, tmp_path: Path) -> None:
    journal = str(tmp_path / "journal")
    assert hybrid.on("verify", "sb", "--model", "sc", "--resume", journal).code == 0
    page = str(tmp_path / "x.html")
    again = hybrid.on("verify", "sb", "--model", "sc", "--resume", journal, "--html", page)
    assert again.code == 2 and "html" in again.err


def test_explain(hybrid: Hybrid, tmp_path: Path) -> None:
    page = tmp_path / "x.html"
    plain = hybrid.on("explain", "sb", "--model", "sc")
    found = hybrid.on("explain", "sb", "--model", "sc", "--html", str(page))
    assert (found.code, found.out) == (plain.code, plain.out)
    text = report(page)
    assert "FORBIDDEN" in text and "acyclic po | com as sc" in text
    asked = ["--model", "tso", "--outcome", "P:r0=1", "--html", str(page)]
    assert hybrid.on("explain", "sb", *asked).code == 0
    text = report(page)
    assert "ALLOWED" in text and "this execution reaches it" in text and "P:r0=1" in text


def test_explain_a_race(hybrid: Hybrid, tmp_path: Path) -> None:
    page, program = tmp_path / "x.html", tmp_path / "race.prog"
    program.write_text(
        "x = 0\nthread P: L0: x := 1 @na;\nthread Q: L1: r0 := x @na;\nforall (Q:r0 = 0)\n"
    )
    asked = ["--model", "rc11", "--races", "error", "--html", str(page)]
    for engine in ("rsmc", "trust"):  # they begin with different executions
        found = hybrid("explain", str(program), "--engine", engine, *asked)
        assert found.code == 1
        assert "An execution with a data race" in report(page)


def test_crosscheck(hybrid: Hybrid, tmp_path: Path) -> None:
    page, journal = tmp_path / "x.html", tmp_path / "journal"
    some = ["--engines", "enumerate,rsmc", "--html", str(page)]
    assert hybrid.on("crosscheck", "sb", "--model", "sc", *some).code == 0
    text = report(page)
    assert "EQUAL" in text and "2 configurations find the same" in text and "enumerate" in text
    for _ in range(2):
        asked = ["--model", "sc,tso", "--resume", str(journal), *some]
        assert hybrid.on("crosscheck", "sb forall", *asked).code == 0
        text = report(page)
        assert text.count("<tr data-verdict=") == 4 and text.count("<template id=") == 4


def test_crosscheck_of_a_litmus_test(hybrid: Hybrid, tmp_path: Path) -> None:
    """Its condition speaks of registers by the number of the thread: `1:r1`."""
    page = tmp_path / "x.html"
    some = ["--engines", "enumerate,rsmc", "--html", str(page)]
    for name, rows in (("MP", 4), ("claim", 2)):
        assert hybrid("crosscheck", *write_litmus(tmp_path, name), *some).code == 0
        outcomes = report(page).partition("Outcomes")[2].partition("</table>")[0]
        assert outcomes.count("<tr") == 1 + rows
        assert "1:r1" in outcomes


def test_crosscheck_in_disagreement(hybrid: Hybrid, tmp_path: Path) -> None:
    """A model whose commit-before is wrong: the trace in dispute is drawn."""
    page, wrong = tmp_path / "x.html", tmp_path / "wrong.cat"
    before = "(*% commit-before (po | rf)+ *)"
    wrong.write_text(f'"wrong"\nacyclic po-loc | com as coherence\n{before}\n')
    program = tmp_path / "lb.prog"
    program.write_text(
        "x = 0; y = 0\nthread P: L0: r0 := x; L1: y := 1;\nthread Q: L2: r1 := y; L3: x := 1;\n"
    )
    found = hybrid(
        "crosscheck", str(program), "--model", str(wrong), "--engines", "enumerate,rsmc",
        "--no-shrink", "--html", str(page),
    )  # fmt: skip
    assert found.code == 4
    text = report(page)
    assert "DISAGREE" in text and "A trace in dispute" in text


def test_where_it_is_written(hybrid: Hybrid, tmp_path: Path) -> None:
    (program,) = write(tmp_path, "sb")
    found = hybrid("verify", program, "--html", program)
    assert found.code == 2 and "would overwrite an input" in found.err
    found = hybrid("verify", program, "--html", str(tmp_path / "no" / "x.html"))
    assert found.code == 2 and "there is no folder" in found.err
