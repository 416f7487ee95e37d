"""The picture of an execution inside a page: the drawing of hybrid.witness.svg, with colours that
the page's style sheet sets for light and dark."""

from __future__ import annotations

from hybrid.printable import number_of
from hybrid.report.html.markup import attributes_markup, element
from hybrid.report.html.views import RelationView
from hybrid.witness.geometry import number
from hybrid.witness.graph import COLOURS, DARK_COLOURS, DASHES, MARKED
from hybrid.witness.layout import MARGIN, TOP
from hybrid.witness.picture import Picture
from hybrid.witness.svg import arrowheads, escape, svg_body

SMALL = 560.0  # a picture up to this width shrinks to fit a phone; a wider one is scrolled
HIGH = 700.0  # a picture up to this height is in sight as a whole
OVERLAY = "overlay"  # stands for the relation of what the script lays over a picture


def relation_style() -> str:
    """The colours of relations, as variables and rules of a style sheet, and their dashes."""
    light = "".join(f"--{name}:{colour};" for name, colour in COLOURS.items())
    dark = "".join(f"--{name}:{colour};" for name, colour in DARK_COLOURS.items())
    rules = [f":root{{{light}}}", f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"]
    rules += [
        f".{name} .arrow{{stroke:var(--{name})}}"
        f".{name} .label,.tip.{name}{{fill:var(--{name})}}"
        f".without-{name} .edge.{name}{{display:none}}"
        for name in COLOURS
    ]
    rules += [
        f".{name} .dep:not(.bold){{stroke-dasharray:{dashes}}}" for name, dashes in DASHES.items()
    ]
    return "\n".join(rules)


def marker_markup() -> str:
    """The arrowheads, once for all pictures of a page."""
    names = [name for name in COLOURS if name != MARKED]
    heads = arrowheads([*COLOURS, OVERLAY], (*names, MARKED))
    return f'<svg class="markers" width="0" height="0" aria-hidden="true">{heads}</svg>'


def picture_markup(picture: Picture, title: str) -> str:
    """The drawing, its title and description, in a frame that scrolls if it is too wide."""
    top = TOP - MARGIN  # a document of its own has its title above that
    height = picture.height - top
    size = f"0 {number(top)} {number(picture.width)} {number(height)}"
    inside = [
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(picture.description)}</desc>",
        *svg_body(picture),
    ]
    attributes = attributes_markup(
        class_="picture small" if picture.width <= SMALL else "picture",
        viewBox=size,
        width=number(picture.width),
        height=number(height),
        role="img",
        aria_label=title,
    )
    drawn = f"<svg{attributes}>{''.join(inside)}</svg>"
    fit = ""
    if picture.width > SMALL or height > HIGH:
        fit = '<label class="fit"><input type="checkbox"> the whole picture at once</label>'
    return (
        f'{fit}<div class="frame" tabindex="0" role="group" '
        f'aria-label="The picture; it can be scrolled">{drawn}</div>'
    )


def switches_markup(picture: Picture) -> str:
    """A box to tick for each relation, which is the legend as well."""
    kinds = {line.relation: line.kind for line in picture.lines}
    parts = []
    for name, means in picture.relations:
        sample = (
            f'<svg class="sample" width="34" height="12" aria-hidden="true"><g class="{name}">'
            f'<path class="arrow {kinds[name]}" d="M1,6L32,6" marker-end="url(#to-{name})"/>'
            "</g></svg>"
        )
        box = f'<input type="checkbox" checked data-relation="{escape(name)}">'
        parts.append(f"<label>{box}{sample}{element('span', f'{name}: {means}')}</label>")
    if picture.bold:
        sample = (
            f'<svg class="sample" width="34" height="12" aria-hidden="true"><g class="{MARKED}">'
            f'<path class="arrow wire bold" d="M1,6L30,6" marker-end="url(#to-bold-{MARKED})"/>'
            "</g></svg>"
        )
        box = '<input type="checkbox" checked data-relation="bold">'
        parts.append(f"<label>{box}{sample}{element('span', f'bold: {picture.bold}')}</label>")
    return f'<fieldset class="switches"><legend>Relations</legend>{"".join(parts)}</fieldset>'


def own_switches_markup(relations: tuple[RelationView, ...]) -> str:
    """A box to tick for each relation that the model names; the script then draws it."""
    if not relations:
        return ""
    parts = []
    for each in relations:
        box = attributes_markup(
            type="checkbox", data_own=each.name, data_pairs=" ".join(each.pairs)
        )
        many = "" if each.pairs else " disabled"
        count = number_of(each.count, "edge") + ("" if each.pairs else ", too many to be drawn")
        named = element("span", each.name) + " " + element("small", count)
        title = attributes_markup(title=f"{each.place}: {each.text}")
        parts.append(f"<label{title}><input{box}{many}>{named}</label>")
    return (
        '<details class="own"><summary>Relations of the model</summary>'
        '<fieldset class="switches"><legend>Draw as well</legend>'
        f"{''.join(parts)}</fieldset></details>"
    )
