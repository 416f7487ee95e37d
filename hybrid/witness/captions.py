"""What stands for an instruction in a table or a drawing, cut to the place that there is."""

from __future__ import annotations

_LONG_WORDS = (("memory_order_", ""), ("_explicit(", "("))  # of C, which say little


def shortened(text: str, width: int) -> str:
    """`text` in at most so many characters: first without long words, then cut."""
    if len(text) <= width:
        return text
    for word, short in _LONG_WORDS:
        text = text.replace(word, short)
    return text if len(text) <= width else text[: width - 1] + "…"
