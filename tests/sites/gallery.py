"""A challenge's gallery with known truth: pager, counter, and a project page for every entry."""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.sites.server import Reply

PAGES = 3
MIN_ENTRIES = 36


@dataclass(frozen=True)
class Entry:
    """A project of the gallery. `becomes` is what a harvest must make of it, decided by hand."""

    title: str
    becomes: str
    links: tuple[tuple[str, str], ...] = ()
    """Address and text of each."""
    video: str | None = None

    @property
    def path(self) -> str:
        return f"/software/{re.sub(r'[^a-z0-9]+', '-', self.title.lower()).strip('-')}"


EXTRA_ENTRIES: tuple[Entry, ...] = (
    Entry("Ledger Lens", "only_repository", (("https://github.com/example-team/ledger-lens", "github.com"),)),
    Entry(
        "Kiln Watch",
        "only_repository",
        (("https://gitlab.com/example-team/kiln-watch", "gitlab.com"),),
        "https://www.youtube.com/embed/xxxxxxxxxxx",
    ),
    Entry("Sketch Relay", "only_video", (), "https://player.vimeo.com/video/1"),
    Entry("Field Notes", "only_document", (("https://docs.google.com/document/d/1/edit", "docs.google.com"),)),
    Entry("Quiet Hours", "no_link"),
    Entry("Tab Tamer", "only_store", (("https://chromewebstore.google.com/detail/tab-tamer/abc", "store"),)),
    Entry("Release Radio", "only_social", (("https://x.com/example_team", "x.com"),)),
    Entry("Paper Trail", "only_package", (("https://www.npmjs.example/package/paper-trail", "package"),)),
    Entry(
        "Parcel Post",
        "no_demo",
        (
            ("https://codeberg.org/example-team/parcel-post", "codeberg.org"),
            ("https://pypi.example/project/parcel-post/", "package"),
        ),
    ),
    Entry("Write To Us", "only_not_http", (("mailto:team@example.com", "mail"),)),
    Entry(
        "Twin Harbours",
        "ambiguous",
        (
            ("{{north-harbour}}/", "north"),
            ("{{south-harbour}}/", "south"),
            ("https://github.com/example-team/twin-harbours", "github.com"),
        ),
    ),
    Entry("Open Questions", "ambiguous", (("{{north-harbour}}/a", "Demo"), ("{{south-harbour}}/b", "Live demo"))),
)


def gallery_entries(demos: Mapping[str, str]) -> tuple[Entry, ...]:
    """All entries in the gallery's order: demos, extra entries, and repositories up to MIN_ENTRIES."""
    entries = [_demo_entry(number, title, demo) for number, (title, demo) in enumerate(demos.items())]
    entries += EXTRA_ENTRIES
    entries += (
        Entry(
            f"Notebook {number:02}",
            "only_repository",
            ((f"https://github.com/example-team/notebook-{number:02}", "github.com"),),
        )
        for number in range(1, MIN_ENTRIES - len(entries) + 1)
    )
    return tuple(sorted(entries, key=lambda entry: entry.path))


def gallery_site(demos: Mapping[str, str]) -> dict[str, Reply]:
    """The routes of a gallery at `/project-gallery`; `demos` maps a project's title to its demo's URL."""
    entries = gallery_entries(demos)
    size = -(-len(entries) // PAGES)
    pages = [entries[start : start + size] for start in range(0, len(entries), size)]
    routes = {"/robots.txt": Reply("User-agent: *\nAllow: /\n", content_type="text/plain")}
    for number, page in enumerate(pages, 1):
        first = size * (number - 1) + 1
        counter = f"{first} \u2013 {first + len(page) - 1} of {len(entries)}"
        reply = Reply(gallery_html(page, number, len(pages), counter))
        routes[f"/project-gallery?page={number}"] = reply
        routes.setdefault("/project-gallery", reply)
    return routes | {entry.path: Reply(project_html(entry)) for entry in entries}


def gallery_html(entries: Iterable[Entry], number: int, pages: int, counter: str | None) -> str:
    """One page of the gallery."""
    items = "\n".join(
        f'<div class="gallery-item" data-software-id="{entry.path}">'
        f'<a class="block-wrapper-link fade link-to-software" href="{entry.path}">'
        f'<div class="software-entry"><figure>'
        f'<img class="software_thumbnail_image" alt="" src="/x.png"><figcaption>'
        f'<div class="software-entry-name entry-body"><h5>{html.escape(entry.title)}</h5>'
        f'<p class="small tagline">Made by 1 of 2 people</p></div></figcaption></figure></div></a></div>'
        for entry in entries
    )
    numbers = "".join(
        f'<li class="current"><a href="#">{n}</a></li>'
        if n == number
        else f'<li><a href="/project-gallery?page={n}">{n}</a></li>'
        for n in range(1, pages + 1)
    )
    following = (
        f'<li class="next next_page"><a rel="next" href="/project-gallery?page={number + 1}">Next</a></li>'
        if number < pages
        else '<li class="next next_page unavailable"><a href="#">Next</a></li>'
    )
    info = f'<div class="items_info">{counter}</div>' if counter else ""
    return (
        f"<!doctype html><html lang=en><title>Project gallery</title><h1>WebMCP challenge</h1>"
        f'<div id="submission-gallery"><div class="row">{items}</div></div>'
        f'<div class="pagination-info">{info}<ul class="pagination">{numbers}{following}</ul></div></html>'
    )


def project_html(entry: Entry) -> str:
    """The page of a project."""
    items = "".join(
        f'<li><a target="_blank" rel="nofollow" href="{html.escape(url)}"><i class="ss-icon ss-link"></i>'
        f"<span>{html.escape(text)}</span></a></li>"
        for url, text in entry.links
    )
    links = (
        f'<nav class="app-links section"><h2>Try it out</h2><ul data-role="software-urls">{items}</ul></nav>'
        if items
        else ""
    )
    video = f'<div id="gallery"><iframe class="video-embed" src="{entry.video}"></iframe></div>' if entry.video else ""
    return (
        f"<!doctype html><html lang=en><title>{html.escape(entry.title)}</title>"
        f'<header><h1 id="app-title">{html.escape(entry.title)}</h1></header>{video}'
        f'<div id="app-details"><p>Inspiration</p>{links}</div></html>'
    )


def _demo_entry(number: int, title: str, demo: str) -> Entry:
    repository = (f"https://github.com/example-team/project-{number}", "github.com")
    slides = ("https://docs.google.com/presentation/d/1/edit", "docs.google.com")
    links = ((demo, "demo"), repository, slides) if number % 2 else (repository, (demo, "Try it live"))
    return Entry(title, "target", links, "https://www.youtube.com/embed/x" if number % 3 == 0 else None)
