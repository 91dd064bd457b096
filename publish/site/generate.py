"""Making a site: every file into a draft beside it, which then takes its place as a whole."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

from census.errors import CensusError
from publish.lookup.site_files import NamedPage
from publish.site.api_files import SCHEMAS, ApiFiles
from publish.site.badge import badge, badge_svg
from publish.site.content import Content
from publish.site.corrections import Correction
from publish.site.entries import SitePages, cut_entry, site_pages
from publish.site.entry_page import entry_page
from publish.site.feed import feed
from publish.site.measurements import FALSE_POSITIVE, matrix_of, rate_rows
from publish.site.picture import figures
from publish.site.rendering import Templates
from publish.site.row_files import write_rows
from publish.site.site_page import PER_LIST, about, index_page, method_page, page_link, releases_page

_MARK = "site.json"
"""Tells a folder that was made here from one that must not be replaced."""

_MOST_RATES = 200
"""Rates in the table of the picture; the rows have all."""

Watch = Callable[[int, int], None]
"""Told how many of the entries are written, of how many."""


class SiteMade(NamedTuple):
    """What a site has."""

    pages: int
    entries: int
    files: int
    bytes: int


def make_site(
    content: Content,
    out: Path,
    *,
    base_url: str | None = None,
    corrections: Sequence[Correction] = (),
    watch: Watch = lambda _, __: None,
) -> SiteMade:
    """Write the site into `out`, in place of an earlier one there; the same releases give the same bytes.

    Raises CensusError when `out` holds something else. Nothing is left behind when it raises.
    """
    out = out.resolve()
    _check_out(out)
    base_url = base_url.rstrip("/") + "/" if base_url else None
    draft = out.with_name(f".{out.name}.draft-{os.getpid()}")
    draft.mkdir(parents=True)
    try:
        pages = site_pages(content)
        _write(draft, content, pages, base_url, corrections, watch)
        made = _measured(draft, len(pages.shard_pages), len(pages.named))
        _replace(out, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return made


def _write(
    folder: Path,
    content: Content,
    pages: SitePages,
    base_url: str | None,
    corrections: Sequence[Correction],
    watch: Watch,
) -> None:
    newest = content.newest
    version = newest.manifest.release_version
    releases = (newest, *content.earlier)
    templates = Templates(folder, version, base_url)
    _write_static(folder)
    api = ApiFiles(folder)
    api.write_schemas()
    layout = api.write_shards(newest, [each.manifest.release_version for each in releases], pages)
    api.write_names(version, pages.named)
    api.write_releases(content)
    _write_entries(folder, templates, api, pages, watch)
    _write_lists(templates, pages.named)
    rows = write_rows(folder, newest.tables)
    manifest = newest.manifest
    templates.write("index.html", "index.html", index_page(content, pages.named))
    templates.write("lookup.html", "lookup.html", {})
    templates.write(
        "picture.html",
        "picture.html",
        {
            "about": about(newest),
            "targets": manifest.targets,
            "unfinished": manifest.unfinished,
            "partial": manifest.partial,
            "figures": figures(content.summary, linted=manifest.lint is not None),
            "rows": rows,
            "matrix": matrix_of(newest.tables.get("compatibility")),
            "measured": rate_rows(newest.tables.get("rates"))[:_MOST_RATES],
            "controls": rate_rows(newest.tables.get("rates"), measure=FALSE_POSITIVE)[:_MOST_RATES],
            "change": content.changes[0] if content.changes else None,
        },
    )
    templates.write("releases.html", "releases.html", releases_page(content))
    accepted = [(each.manifest.release_version, one) for each in releases for one in each.manifest.accepted]
    templates.write("corrections.html", "corrections.html", {"corrections": corrections, "accepted": accepted})
    templates.write("method.html", "method.html", method_page(content))
    templates.write("data.html", "data.html", {"rows": list(rows.values()), "layout": layout, "schemas": list(SCHEMAS)})
    (folder / "feed.xml").write_bytes(feed(releases, base_url))
    mark = {"made_by": "webmcp-census", "release": version, "pages": len(pages.shard_pages)}
    (folder / _MARK).write_text(json.dumps(mark) + "\n", encoding="utf-8")


def _write_entries(folder: Path, templates: Templates, api: ApiFiles, pages: SitePages, watch: Watch) -> None:
    rates = pages.rates()
    badges = folder / "badges"
    badges.mkdir()
    for number, (id_, entry) in enumerate(pages.entries(), 1):
        api.write_entry(id_, cut_entry(entry))
        shield = badge(entry)
        (badges / f"{id_}.json").write_text(json.dumps(shield), encoding="utf-8")
        (badges / f"{id_}.svg").write_text(badge_svg(shield), encoding="utf-8")
        templates.write(
            "entry.html",
            f"entry/{id_[:2]}/{id_}.html",
            {**entry_page(id_, entry), "badge": shield, "rates": rates.get(id_, ())},
        )
        watch(number, len(pages.named))


def _write_lists(templates: Templates, named: Sequence[NamedPage]) -> None:
    """Lists of all pages with tools, for those without scripts."""
    ordered = sorted(named, key=lambda page: page.url)
    chunks = [ordered[start : start + PER_LIST] for start in range(0, len(ordered), PER_LIST)] or [[]]
    for number, chunk in enumerate(chunks, 1):
        path = "pages.html" if number == 1 else f"pages-{number}.html"
        links = [page_link(page) for page in chunk]
        variables = {"pages": links, "number": number, "of": len(chunks), "total": len(named)}
        templates.write("pages.html", path, variables)


def _write_static(folder: Path) -> None:
    with as_file(files("publish.site")) as package:
        shutil.copytree(package / "static", folder / "static")
        for name in ("minisearch.js", "minisearch.LICENSE.txt"):
            shutil.copyfile(package / "vendor" / name, folder / "static" / name)


def _check_out(out: Path) -> None:
    if not out.exists() or (out / _MARK).is_file():
        return
    if not out.is_dir():
        raise CensusError(f"--out {out} is a file; name a folder that does not exist yet")
    if any(out.iterdir()):
        raise CensusError(f"--out {out} is not empty and is no site of webmcp-census; name another folder")


def _measured(folder: Path, pages: int, entries: int) -> SiteMade:
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return SiteMade(pages, entries, len(sizes), sum(sizes))


def _replace(out: Path, draft: Path) -> None:
    if not out.exists():
        draft.rename(out)
        return
    old = out.with_name(f".{out.name}.old-{os.getpid()}")
    out.rename(old)
    draft.rename(out)
    shutil.rmtree(old)
