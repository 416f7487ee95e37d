"""The journal of a fuzzing run: what came of each program, a line each, from which a later run goes
on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hybrid.crosscheck.fuzz import Finding
from hybrid.json_lines import Lines, Settings
from hybrid.versions import FUZZ_JOURNAL

KIND = "hybrid fuzz"


class Journal:
    """An open journal. `findings` are those of earlier runs."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self._lines = Lines(path, KIND, FUZZ_JOURNAL, settings)
        try:
            self.findings = self._read()
        except BaseException:
            self.close()
            raise

    def _read(self) -> list[Finding]:
        known: dict[int, Finding] = {}
        for number, found in self._lines.found:
            finding = self._finding(found, number)
            if known.setdefault(finding.number, finding) != finding:
                raise self._lines.fault(
                    f"program {finding.number} came out otherwise before", number
                )
        return list(known.values())

    def _finding(self, found: dict[str, Any], number: int) -> Finding:
        names = ("program", "traces", "blocked", "compared", "replayed")
        counts: list[Any] = [found.get(name) for name in names]
        texts, left_out = found.get("differences"), found.get("left_out")
        stopped = found.get("stopped")
        if (
            not all(isinstance(c, int) and not isinstance(c, bool) and c >= 0 for c in counts)
            or not isinstance(stopped, bool)
            or not (isinstance(texts, list) and all(isinstance(t, str) for t in texts))
            or not (isinstance(left_out, list) and all(_is_pair(p) for p in left_out))
        ):
            raise self._lines.fault("this does not say what came of a program", number)
        program, traces, blocked, compared, replayed = counts
        pairs = tuple((name, reason) for name, reason in left_out)
        return Finding(program, traces, blocked, tuple(texts), stopped, compared, pairs, replayed)

    def add(self, finding: Finding) -> None:
        """Writes what came of one program."""
        self._lines.add(
            {
                "program": finding.number,
                "traces": finding.traces,
                "blocked": finding.blocked,
                "differences": list(finding.differences),
                "stopped": finding.stopped,
                "compared": finding.compared,
                "left_out": [list(pair) for pair in finding.left_out],
                "replayed": finding.replayed,
            }
        )

    def close(self) -> None:
        self._lines.close()


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value)
