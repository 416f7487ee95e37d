"""Nothing of each program: only the last lines of a batch."""

from __future__ import annotations

from hybrid.report.output_format import Conclusion, OutputFormat


class SummaryFormat(OutputFormat):
    name = "summary"
    verdicts = False
    batch = True
    conclusion = Conclusion.OUTPUT
