"""Prose of ours as HTML: paragraphs, bullets and `code`, nothing else; what a page said is escaped in it too."""

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from census.text import inert

_SPACES = re.compile(r"\s+")


def spans(text: str) -> Markup:
    """A line with `code` in it."""
    parts = [Markup("<code>{}</code>").format(part) if odd else escape(part) for odd, part in _codes(text)]
    return Markup("").join(parts)


def blocks(text: str) -> Markup:
    """Paragraphs and bullet lists, separated by empty lines."""
    return Markup("").join(_block(block) for block in text.split("\n\n"))


def shown(text: object, limit: int = 200) -> Markup:
    """A page's string: escaped, invisible characters spelled out, cut, and isolated from the direction around it."""
    return Markup(f"<bdi>{escape(inert(_SPACES.sub(' ', str(text)), limit))}</bdi>")  # noqa: S704 -- escaped


def _block(block: str) -> Markup:
    lines = block.split("\n")
    if not lines[0].startswith("- "):
        return Markup("<p>{}</p>").format(spans(" ".join(lines)))
    items: list[str] = []
    for line in lines:
        if line.startswith("- "):
            items.append(line.removeprefix("- "))
        else:
            items[-1] += f" {line.strip()}"
    return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(spans(each)) for each in items))


def _codes(text: str) -> Iterator[tuple[bool, str]]:
    for place, part in enumerate(text.split("`")):
        yield place % 2 == 1, part
