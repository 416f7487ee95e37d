"""A report as one HTML file: style and script inside, nothing to fetch, for any browser.

    render(page) -> str       the whole document
    answer_markup(answer)     the part about one program, for a page that has the rest

Both are pure: they read no file but the package's own style and script, and the same view gives the
same text. Whatever comes from a user is escaped; the policy in the document's head lets nothing run
but the script that hybrid ships, and nothing be fetched at all.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from hybrid.report.html.answer_markup import answer_markup as answer_markup
from hybrid.report.html.batch_markup import batch_markup
from hybrid.report.html.markup import element, escape
from hybrid.report.html.picture_markup import marker_markup, relation_style
from hybrid.report.html.views import PageView


@cache
def asset(name: str) -> str:
    """A text of the package: `page.css`, `page.js`."""
    return files("hybrid.report.html").joinpath("static", name).read_text(encoding="utf-8")


@cache
def style() -> str:
    """The style sheet, with the colours of the relations."""
    return f"{asset('page.css')}\n{relation_style()}"


def digest(text: str) -> str:
    """As a content security policy names an inline text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def policy() -> str:
    """What the document may do: run and show what is in it."""
    return (
        f"default-src 'none'; script-src '{digest(asset('page.js'))}'; "
        f"style-src '{digest(style())}'; img-src data:; base-uri 'none'; form-action 'none'"
    )


def render(page: PageView) -> str:
    """The whole document."""
    body = [batch_markup(page)] if page.rows or page.answer is None else []
    if page.answer is not None:
        body.append(answer_markup(page.answer))
    made = f"hybrid {page.version}"
    foot = element("p", f"Made by {made}" + (f": {page.command}" if page.command else ""))
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy())}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f'<meta name="generator" content="{escape(made)}">',
            f"<title>{escape(page.title)}</title>",
            f"<style>{style()}</style>",
            "</head>",
            "<body>",
            '<a class="skip" href="#main">To the answer</a>',
            marker_markup(),
            f'<main id="main" tabindex="-1">{"".join(body)}</main>',
            f"<footer>{foot}</footer>",
            f"<script>{asset('page.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )
