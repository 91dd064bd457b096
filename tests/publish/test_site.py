"""`webmcp-census site`: what is in the files."""

import gzip
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from click.testing import CliRunner

from census.errors import CensusError
from census.number import Count
from census.numbers import NUMBERS
from census.opened_release import Release
from census.optout import OptOut
from census.summary import summarise
from publish.lookup.command import lookup_command
from publish.lookup.question import question
from publish.lookup.site_answers import SiteAnswers
from publish.site.command import site_command
from publish.site.content import open_content
from publish.site.corrections import read_corrections
from publish.site.generate import make_site
from publish.site.row_files import write_rows
from tests.publish.site_server import served
from tests.publish.web import (
    DEAD,
    HUGE,
    MOVED,
    MOVED_TO,
    OPTED_OUT,
    OVERRIDE,
    SCRIPT,
    SHOP,
    earlier_release,
    small_release,
)

OPTOUT = OptOut(frozenset({"example.biz"}))
ENTRY_LIMIT = 60_000


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Release]:
    """The small release, and one of the month before in which the opted-out site still is."""
    folder = tmp_path_factory.mktemp("releases")
    return [small_release(folder / "now", OPTOUT), earlier_release(folder / "before")]


@pytest.fixture(scope="module")
def site(releases: list[Release], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "sub-path"
    make_site(open_content([each.folder for each in releases], OPTOUT), folder)
    return folder


def texts(site: Path) -> dict[str, str]:
    """Every file of a site as text; compressed ones too."""
    found = {}
    for path in site.rglob("*"):
        if path.is_file():
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            found[path.relative_to(site).as_posix()] = data.decode("utf-8", "replace")
    return found


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in ("script", "img", "link", "iframe"):
            self.loaded += [value for name in ("src", "href") if (value := values.get(name))]
        if tag == "style" or (tag == "script" and "src" not in values) or "style" in values:
            self.inline.append(tag)
        self.inline += [name for name in values if name.startswith("on")]


def test_every_page_loads_only_what_is_beside_it_and_nothing_is_inline(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 8
    for page in pages:
        links = _Links()
        links.feed(page.read_text(encoding="utf-8"))
        assert links.inline == [], page
        for link in links.loaded:
            assert (page.parent / link).is_file(), f"{page}: {link}"
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in page.read_text(encoding="utf-8")


def test_every_link_within_the_site_leads_somewhere(site):
    for page in site.rglob("*.html"):
        for link in re.findall(r'href="([^"]+)"', page.read_text(encoding="utf-8")):
            if not link.startswith(("http://", "https://")):
                path, _, fragment = link.partition("#")
                target = page.parent / path if path else page
                assert target.is_file(), f"{page}: {link}"
                if fragment:
                    assert f'id="{fragment}"' in target.read_text(encoding="utf-8"), f"{page}: {link}"


def test_a_site_that_opted_out_is_in_no_file(site):
    for name, text in texts(site).items():
        assert "example.biz" not in text, name
        assert "whisper_secrets" not in text, name


def test_the_newest_release_must_be_free_of_sites_that_opted_out(releases, tmp_path):
    with pytest.raises(CensusError, match="optout apply"):
        open_content([releases[1].folder], OPTOUT)


def test_numbers_that_the_tables_do_not_give_make_no_site(releases, tmp_path):
    folder = tmp_path / "tampered"
    shutil.copytree(releases[0].folder, folder)
    text = (folder / "summary.json").read_text()
    k = releases[0].summary.rate("adoption").k
    (folder / "summary.json").write_text(text.replace(f'"k": {k},', f'"k": {k + 1},', 1))
    with pytest.raises(CensusError, match="do not give its published"):
        open_content([folder], OPTOUT)


def test_the_rows_give_every_number_by_the_sql_beside_it(site, releases):
    tables = {path.stem: pl.read_parquet(path) for path in (site / "rows").glob("*.parquet")}
    assert summarise(tables) == releases[0].summary
    picture = (site / "picture.html").read_text(encoding="utf-8").replace("&#39;", "'").replace("&gt;", ">")
    shown = [each for each in NUMBERS if not isinstance(each, Count) and f"<code>{each.id}</code>" in picture]
    assert {"adoption", "outcomes", "tools_per_page", "unlisted_own_document", "lint_tool_rules"} <= {
        each.id for each in shown
    }
    assert all(each.denominator_sql.replace("<", "&lt;") in picture for each in shown)


def test_the_csv_rows_are_the_parquet_rows(site):
    for path in (site / "rows").glob("*.csv"):
        rows = pl.read_csv(path, infer_schema=False)
        assert rows.height == pl.read_parquet(path.with_suffix(".parquet")).height, path


def test_no_cell_of_a_csv_file_starts_a_formula(site, tmp_path):
    tools = pl.read_parquet(site / "rows/tools.parquet").head(3)
    hostile = tools.with_columns(name=pl.Series(["=1+1", "@sum", "-1"]))
    write_rows(tmp_path, {"tools": hostile})
    names = pl.read_csv(tmp_path / "rows/tools.csv", infer_schema=False)["name"].to_list()
    assert names == ["'=1+1", "'@sum", "'-1"]
    assert pl.read_parquet(tmp_path / "rows/tools.parquet")["name"].to_list() == ["=1+1", "@sum", "-1"]


def entry_file(site: Path, url: str) -> Path:
    names = json.loads((site / "api/v1/names.json").read_text())["pages"]
    entry = next(page["entry"] for page in names if page["url"] == url)
    return site / f"entry/{entry[:2]}/{entry}.html"


def test_an_entry_says_what_is_wrong_and_what_to_do(site):
    text = entry_file(site, SHOP).read_text(encoding="utf-8")
    assert "An agent is offered 3 tools" in text
    assert text.index("<code><bdi>pay</bdi></code><bdi> breaks.</bdi>") < text.index("too thin to choose by")
    assert "registered in a frame of another origin and not exposed to the host" in text
    assert "webmcp-census check https://shop.example.com/" in text
    # In the release before it had one tool.
    assert re.search(r"2026\.10\.0</th><td>captured</td><td class=\"num\">1<", text)
    # Pages with tools: shop (3), its cart (1), the one that moved (1), the hostile one (3).
    assert "3 callable tools: 2 of 4 pages with tools (50.0 %) have fewer, 0 have more." in text


def test_what_a_page_says_stays_text_and_entries_stay_small(site):
    for path in (site / "entry").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert len(text.encode()) < ENTRY_LIMIT, path
        assert "<script>alert" not in text
        assert SCRIPT not in text
        assert OVERRIDE not in text
    assert all(HUGE[:2_000] not in text for text in texts(site).values())


def test_an_ordinary_entry_loads_little_in_all(site):
    links = _Links()
    page = entry_file(site, SHOP)
    links.feed(page.read_text(encoding="utf-8"))
    loaded = {(page.parent / link).resolve() for link in links.loaded if not link.endswith("feed.xml")}
    assert len(loaded) >= 6
    assert page.stat().st_size + sum(path.stat().st_size for path in loaded) < ENTRY_LIMIT


def test_a_page_with_hundreds_of_tools_has_a_small_entry_too(tmp_path):
    from tests.census.factories import captured, tool
    from tests.census.releases import release_of

    crowd = [tool(f"tool_{number:03}", description="Does one thing. " * 40) for number in range(500)]
    release = release_of(tmp_path / "crowd", [captured("https://crowd.example/", tools=crowd)])
    make_site(open_content([release.folder], OptOut()), tmp_path / "site")
    path = entry_file(tmp_path / "site", "https://crowd.example/")
    assert path.stat().st_size < ENTRY_LIMIT
    assert "An agent is offered 500 tools" in path.read_text()
    assert "And 476 more" in path.read_text()
    entry = json.loads(gzip.decompress((tmp_path / f"site/api/v1/entries/{path.stem}.json.gz").read_bytes()))
    assert len(entry["tools"]) + entry["left_out"]["tools"] == 500


def test_the_same_releases_give_the_same_bytes(site, releases, tmp_path):
    again = tmp_path / "again"
    make_site(open_content([each.folder for each in reversed(releases)], OPTOUT), again)
    assert {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()} == {
        path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


def test_the_feed_is_atom_and_names_each_release(site):
    root = ET.fromstring((site / "feed.xml").read_text())
    atom = {"a": "http://www.w3.org/2005/Atom"}
    assert [each.text for each in root.findall("a:entry/a:title", atom)] == ["Release 2026.11.0", "Release 2026.10.0"]
    assert all(root.find(f"a:{name}", atom) is not None for name in ("id", "title", "updated", "author"))


def test_a_badge_is_one_of_shields_endpoint(site):
    badge = json.loads((site / f"badges/{entry_file(site, SHOP).stem}.json").read_text())
    assert badge == {
        "schemaVersion": 1,
        "label": "WebMCP census 2026-11",
        "message": "3 tools, 1 error",
        "color": "red",
    }


def test_the_files_are_as_their_schemas_say(site):
    import jsonschema_rs

    api = site / "api/v1"
    kinds = {"index": ["index.json"], "names": ["names.json"], "shard": [], "entry": []}
    kinds["shard"] = [path.relative_to(api).as_posix() for path in (api / "pages").glob("*.json")]
    kinds["entry"] = [path.relative_to(api).as_posix() for path in (api / "entries").glob("*.gz")]
    for kind, paths in kinds.items():
        validator = jsonschema_rs.validator_for(json.loads((api / f"schema/{kind}.json").read_text()))
        assert paths
        for path in paths:
            data = (api / path).read_bytes()
            validator.validate(json.loads(gzip.decompress(data) if path.endswith(".gz") else data))


@pytest.mark.parametrize(
    "text", [SHOP, "corner shop", MOVED_TO, DEAD, "down.example.io:8080", OPTED_OUT, "nowhere.example"]
)
def test_a_site_answers_as_its_release_does(site, releases, text):
    with served(site) as url:
        options = ["--opt-out", "/dev/null", "--format", "markdown"]
        local, remote = (
            CliRunner().invoke(lookup_command, [text, "--release", source, *options], standalone_mode=False)
            for source in (str(releases[0].folder), url)
        )
    assert remote.exception is None, remote.exception
    assert remote.return_value == local.return_value
    for heading in ("# ", "**"):
        assert [line for line in remote.output.splitlines() if line.startswith(heading)] == [
            line for line in local.output.splitlines() if line.startswith(heading)
        ]
    assert remote.output.count("**Do:**") == local.output.count("**Do:**")


def test_a_look_up_on_a_site_is_one_request_after_the_index(site):
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url.partition("api/v1/")[2])
        return (site / "api/v1" / asked[-1]).read_bytes()

    found = SiteAnswers("https://census.example/sub/index.html", fetch, OptOut()).look_up(question(DEAD))
    assert found.entries[0].page.target_url == DEAD
    assert [name.partition("/")[0] for name in asked] == ["index.json", "pages"]


def test_the_corrections_are_shown_the_newest_first(releases, tmp_path):
    path = tmp_path / "corrections.json"
    path.write_text(
        json.dumps(
            [
                {
                    "date": "2026-11-01",
                    "release": "2026.10.0",
                    "what": "First",
                    "was": "1 %",
                    "now": "2 %",
                    "why": "A.",
                },
                {"date": "2026-11-20", "release": "2026.11.0", "what": "<b>Second</b>", "why": "B."},
            ]
        )
    )
    content = open_content([releases[0].folder], OPTOUT)
    make_site(content, tmp_path / "site", corrections=read_corrections(path), base_url="https://census.example/x")
    text = (tmp_path / "site/corrections.html").read_text()
    assert text.index("&lt;b&gt;Second&lt;/b&gt;") < text.index("First")
    assert "https://census.example/x/releases.html#r2026.11.0" in (tmp_path / "site/feed.xml").read_text()


def test_a_folder_that_holds_something_else_is_left_alone(releases, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    arguments = [str(releases[0].folder), "--out", str(tmp_path), "--opt-out", "/dev/null"]
    result = CliRunner().invoke(site_command, arguments, standalone_mode=False)
    assert "no site of webmcp-census" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_page_that_moved_is_found_under_both_addresses(site):
    answers = SiteAnswers("x", lambda url: (site / "api/v1" / url.partition("api/v1/")[2]).read_bytes(), OptOut())
    assert [answers.look_up(question(each)).entries[0].page.target_url for each in (MOVED, MOVED_TO)] == [MOVED] * 2


def _of_schema(release: Release, folder: Path, schema: str) -> Path:
    """The release as another version of the tool left it: other columns, and another manifest."""
    shutil.copytree(release.folder, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest |= {"schema_version": schema, "crawler": {"was": "named here"}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    pl.DataFrame({"url": [SHOP], "tools": [1]}).write_parquet(folder / "data/pages.parquet")
    (folder / "data/rates.parquet").unlink()
    return folder


@pytest.mark.parametrize("schema", ["1.0.0", "9.0.0"])
def test_an_earlier_release_of_another_schema_is_left_out_and_named(
    releases: list[Release], tmp_path: Path, schema: str
) -> None:
    newest, before = releases
    other = _of_schema(before, tmp_path / "other", schema)
    out = tmp_path / "site"
    words = [str(other), str(newest.folder), "--out", str(out), "--json", "--opt-out", str(_optout_file(tmp_path))]
    done = CliRunner().invoke(site_command, words)
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith(f"Release 2026.10.0 is left out: it has schema {schema}, ")
    assert json.loads(done.stdout)["left_out"] == [{"release_version": "2026.10.0", "schema_version": schema}]
    page = (out / "releases.html").read_text()
    assert f"Release 2026.10.0 is left out: it has schema {schema}, " in page
    assert 'id="r2026.10.0"' not in page
    data = json.loads((out / "api/v1/releases.json").read_text())
    assert [each["release"] for each in data["releases"]] == ["2026.11.0"]
    assert data["changes"] == []
    assert data["left_out"] == [{"release": "2026.10.0", "schema": schema}]
    assert not any(
        "2026.10.0" in text for name, text in texts(out).items() if name.startswith(("entry", "api/v1/pages"))
    )


def test_no_site_is_made_of_a_newest_release_of_another_schema(releases: list[Release], tmp_path: Path) -> None:
    newest, before = releases
    other = _of_schema(newest, tmp_path / "other", "1.0.0")
    with pytest.raises(CensusError, match="no release of this version"):
        open_content([before.folder, other], OPTOUT)


def test_a_folder_that_is_no_release_is_an_error_and_not_left_out(releases: list[Release], tmp_path: Path) -> None:
    with pytest.raises(CensusError, match="is no release"):
        open_content([releases[0].folder, tmp_path], OPTOUT)


def _optout_file(folder: Path) -> Path:
    path = folder / "optout.txt"
    path.write_text("example.biz\n")
    return path
