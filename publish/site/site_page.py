"""What the templates of the site's other pages are given."""

import json
import re
from collections.abc import Sequence
from datetime import datetime

from census import card_texts
from census.changes import CHANGES_JSON, Changes
from census.listing import ListingCause
from census.opened_release import Release
from census.summary import Rate
from census.text import interval_text, percent, rate_text
from census.vocabulary import Api, Kind, Listing, Outcome, PageView, Relation, Settled, ToolsPolicy, Word
from publish.lookup.no_tools import NoTools
from publish.lookup.sayings import GET_IN, NOT_IN_CENSUS, counted, shown_url
from publish.lookup.site_files import NamedPage
from publish.site.content import Content
from publish.site.prose import shown

_CONTACT = re.compile(r"\(([^()]+)\)$")
_EXAMPLES = 6
PER_LIST = 500
"""Pages in one list of pages with tools."""

_VOCABULARIES: tuple[tuple[str, type[Word]], ...] = (
    ("How a visit ended", Outcome),
    ("Why a page has no tools", NoTools),
    ("What a page is offered as document.modelContext", Api),
    ("How a page can learn of a callable tool", Listing),
    ("Why a tool is not listed, or why that is not decided", ListingCause),
    ("How a tool came to be", Kind),
    ("Whose document a frame is", Relation),
    ("The tools policy in a document", ToolsPolicy),
    ("Did getTools() answer", PageView),
    ("Did the page hold still", Settled),
)


def about(release: Release) -> str:
    """The release in two sentences."""
    manifest = release.manifest
    builds = ", ".join(
        f"{each.browser} {each.build}{' (headless shell)' if each.shell else ''}" for each in manifest.builds
    )
    first, last = _day(manifest.visited_from), _day(manifest.visited_to)
    return (
        f"{manifest.targets:,} targets, visited {first if first == last else f'{first} to {last}'} with"
        f" {builds or 'no browser'}. One visit each, without a click or a login: what a page registers only after those"
        " is not counted."
    )


def index_page(content: Content, named: Sequence[NamedPage]) -> dict[str, object]:
    """The variables of `index.html`."""
    manifest = content.newest.manifest
    adoption = content.summary.rate("adoption")
    facts = [_fact(adoption, "of the measured pages have a tool that an agent can call")]
    errors = content.summary.rate("lint_errors")
    if errors.n:
        facts.append(_fact(errors, "of the pages with tools have an error that breaks a tool or its choice"))
    facts.append(_fact(content.summary.rate("dead_api"), "name the old API, and have no tool: dead in this browser"))
    return {
        "targets": manifest.targets,
        "measured": adoption.n,
        "unfinished": manifest.unfinished,
        "partial": manifest.partial,
        "when": f"{manifest.visited_to:%B %Y}" if manifest.visited_to else manifest.release_version,
        "facts": facts,
        "with_tools": len(named),
        "examples": [page_link(page) for page in sorted(named, key=lambda page: -(page.tools or 0))[:_EXAMPLES]],
    }


def page_link(page: NamedPage) -> dict[str, object]:
    """A link to an entry."""
    return {
        "href": f"entry/{page.entry[:2]}/{page.entry}.html",
        "shown": shown(shown_url(page.url, 90), 90),
        "project": shown(page.project, 80) if page.project else "",
        "tools": "-" if page.tools is None else f"{page.tools:,}",
        "says": "" if page.tools is None else counted(page.tools, "tool"),
    }


def releases_page(content: Content) -> dict[str, object]:
    """The variables of `releases.html`."""
    releases = (content.newest, *content.earlier)
    changes: list[Changes | None] = [*content.changes, None]
    return {
        "releases": [
            {
                "version": release.manifest.release_version,
                "about": about(release),
                "adoption": _sentence(release.summary.rate("adoption")),
                "notes": _notes(release),
                "change": change,
            }
            for release, change in zip(releases, changes, strict=True)
        ],
        "left_out": [each.says for each in content.left_out],
    }


def method_page(content: Content) -> dict[str, object]:
    """The variables of `method.html`."""
    manifest = content.newest.manifest
    settings = sorted(manifest.settings.items())
    agent = str(manifest.settings.get("visit.user_agent", ""))
    contact = _CONTACT.search(agent)
    return {
        "texts": card_texts,
        "contact": contact[1] if contact else None,
        "missing": NOT_IN_CENSUS,
        "get_in": GET_IN,
        "vocabularies": [(title, list(words)) for title, words in _VOCABULARIES],
        "made": [
            ("schema", manifest.schema_version),
            ("tables built by", f"webmcp-census {manifest.code_version}"),
            *(
                (f"target list {run.targets_name}", f"{run.targets:,} targets, SHA-256 {run.targets_sha256}")
                for run in manifest.runs
            ),
            *((name, json.dumps(value, ensure_ascii=False)) for name, value in settings),
        ],
    }


def _fact(rate: Rate, what: str) -> dict[str, str]:
    if rate.rate is None:
        return {"number": "-", "what": what, "interval": "nothing to count (n = 0)"}
    return {
        "number": percent(rate.rate),
        "what": what,
        "interval": f"95 % interval {interval_text(rate)}; {rate.k:,} of {rate.n:,}",
    }


def _sentence(rate: Rate) -> str:
    return f"{rate.title}: {rate_text(rate)}."


def _notes(release: Release) -> list[str]:
    """What the release itself says is new: a hotfix names its reason there."""
    path = release.folder / CHANGES_JSON
    return list(Changes.model_validate_json(path.read_bytes()).notes) if path.is_file() else []


def _day(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d}" if time else "never"
