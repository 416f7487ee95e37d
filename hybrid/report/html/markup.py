"""Pieces of HTML. Text from users enters through `escape` or `element` alone."""

from __future__ import annotations

import html

from hybrid.printable import escaped


def escape(text: str) -> str:
    """`text` for HTML, in attributes too; what steers a terminal or the direction of text is shown
    as an escape."""
    return html.escape(escaped(text), quote=True)


def element(name: str, text: str, **attributes: str) -> str:
    """An element with text alone inside. An attribute `class_` is `class`, `data_key` is
    `data-key`."""
    return f"<{name}{attributes_markup(**attributes)}>{escape(text)}</{name}>"


def attributes_markup(**attributes: str) -> str:
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
    )


def listed(items: tuple[str, ...], kind: str = "") -> str:
    """A list of texts; nothing where there are none."""
    if not items:
        return ""
    inside = "".join(element("li", item) for item in items)
    return f"<ul{attributes_markup(class_=kind) if kind else ''}>{inside}</ul>"
