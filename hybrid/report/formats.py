"""The output formats of `hybrid verify`, by the names that `--format` takes."""

from __future__ import annotations

from hybrid.report.as_json import JsonFormat
from hybrid.report.groups import GroupsFormat
from hybrid.report.herd import HerdFormat
from hybrid.report.junit import JunitFormat
from hybrid.report.output_format import OutputFormat
from hybrid.report.quiet import QuietFormat
from hybrid.report.sarif import SarifFormat
from hybrid.report.summary_only import SummaryFormat
from hybrid.report.table import TableFormat
from hybrid.report.text import TextFormat

FORMATS: dict[str, OutputFormat] = {
    each.name: each
    for each in (
        TextFormat(),
        TableFormat(),
        JsonFormat(),
        QuietFormat(),
        HerdFormat(),
        SarifFormat(),
        JunitFormat(),
        SummaryFormat(),
        GroupsFormat(),
    )
}

DEFAULT = TextFormat.name
OF_BUNDLE = GroupsFormat.name  # when no program is named
