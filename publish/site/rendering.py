"""Templates to files: HTML with everything escaped, and the small forms in which numbers are written."""

import re
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from census.interval import Proportion
from census.text import rate_text
from publish.site.prose import blocks, shown, spans

NAVIGATION = (
    ("Look up", "index.html"),
    ("The picture", "picture.html"),
    ("Method", "method.html"),
    ("Releases", "releases.html"),
    ("Data", "data.html"),
)

_TICKED = re.compile(r"`([^`]*)`")


class Templates:
    """The site's templates, and what all pages are given."""

    def __init__(self, folder: Path, release: str, base_url: str | None) -> None:
        self._folder = folder
        self._jinja = Environment(
            loader=PackageLoader("publish.site"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._jinja.filters.update(blocks=blocks, spans=spans, shown=shown, said=said, rate=_rate, size=_size)
        self._jinja.globals.update(nav=NAVIGATION, release=release, base_url=base_url or "")

    def write(self, template: str, path: str, variables: dict[str, object]) -> None:
        """Render a template into a file of the site; `path` decides how deep it is."""
        root = "../" * path.count("/")
        text = self._jinja.get_template(template).render(root=root, here=path, **{"big": False, **variables})
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


def said(text: str, limit: int) -> Markup:
    """A sentence of lint, in which a page's words stand between ticks: isolated, inert, and cut."""
    parts = _TICKED.split(text if len(text) <= limit else text[:limit] + "…")
    made = (
        Markup("<code>{}</code>").format(shown(part, limit)) if odd % 2 else shown(part, limit)
        for odd, part in enumerate(parts)
    )
    return Markup("").join(made)


def _rate(share: Proportion) -> str:
    return rate_text(share)


def _size(number: int) -> str:
    """Bytes for people."""
    return (
        f"{number / 1e6:.1f} MB"
        if number >= 1_000_000
        else f"{number / 1e3:.0f} kB"
        if number >= 1000
        else f"{number} B"
    )
