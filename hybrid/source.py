"""Source texts and spans: where a parsed node stands, for messages with a caret."""

from __future__ import annotations

from dataclasses import dataclass

from hybrid.printable import on_one_line

SHOWN = 120  # characters of a source line in a message; a longer line is shown around the fault


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the name under which messages mention it (a path, or `<string>`)."""

    name: str
    text: str
    shown: bool = True  # whether messages may show its lines

    def line(self, number: int) -> str:
        """Line `number`, counted from 1, without its end; empty beyond the text. Lines end at
        newlines alone, as lark counts."""
        lines = self.text.split("\n")
        return lines[number - 1].removesuffix("\r") if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a source: lines and columns count from 1, the end is exclusive."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def text(self) -> str:
        """The spanned text, when it lies on one line; else the rest of its first line."""
        line = self.source.line(self.line)
        end = self.end_column - 1 if self.end_line == self.line else len(line)
        return line[self.column - 1 : end]

    def caret(self) -> str:
        """Empty where the text is not to be shown. Else the source line, of a long one the part
        around the span, and, below it, carets under the span; escaped for people."""
        if not self.source.shown:
            return ""
        line = self.source.line(self.line)
        start = min(self.column - 1, len(line))
        end = min(self.end_column - 1, len(line)) if self.end_line == self.line else len(line)
        if len(line) > SHOWN:
            first = max(0, min(start - SHOWN // 2, len(line) - SHOWN))
            last = min(first + SHOWN, len(line))
            before, after = "…" if first else "", "…" if last < len(line) else ""
            line = f"{before}{line[first:last]}{after}"
            start, end = start - first + len(before), min(end, last) - first + len(before)
        before, within, after = (
            on_one_line(line[a:b]) for a, b in ((0, start), (start, end), (end, None))
        )
        indent = "".join("\t" if c == "\t" else " " for c in before)
        return f"{before}{within}{after}\n{indent}{'^' * max(1, len(within))}"

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of `other`."""
        return Span(self.source, self.line, self.column, other.end_line, other.end_column)


def nowhere(name: str = "<built in>") -> Span:
    """The span of something that no text spells."""
    return Span(Source(name, ""), 1, 1, 1, 1)
