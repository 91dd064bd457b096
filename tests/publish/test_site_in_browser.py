"""The site in a real browser: from a disk and below a path of a host, with everything that a page can say to it."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from census.compatibility import CompatibilityCell, write_compatibility
from census.optout import OptOut
from crawler.browser import find_browser, launch_arguments
from publish.lookup.question import address_of, letters
from publish.lookup.shard_layout import digest
from publish.site.content import open_content
from publish.site.generate import make_site
from tests.publish.site_server import served
from tests.publish.web import (
    DEAD,
    DOWN,
    EMPTY,
    HOSTILE,
    MOVED_TO,
    OPTED_OUT,
    OVERRIDE,
    SHOP,
    earlier_release,
    small_release,
)
from tests.sites.libraries import source_of, why_unavailable

pytestmark = pytest.mark.timeout(900)
"""The machine may be busy: nothing here waits for a time, only for what must come."""

PATIENCE = 120_000
"""Milliseconds."""
OPTOUT = OptOut(frozenset({"example.biz"}))
WHERE = ("disk", "host")
PAGES = (
    "index.html",
    "lookup.html?q=nowhere.example",
    "lookup.html?q=dead.example.net",
    "picture.html",
    "method.html",
    "releases.html",
    "data.html",
    "pages.html",
    "corrections.html",
)
NEEDS_AXE = pytest.mark.skipif(why_unavailable() is not None, reason=str(why_unavailable()))

Open = Callable[..., Page]


# Wider than any window, and each cell but the first has words that are not seen.
CELLS = [
    CompatibilityCell(
        behaviour="exposure/members", question="Which members does it have?", label=f"cr{major}", browser="Chromium",
        build=f"{major}.0.1.2", shell=False, value=f"getTools,registerTool,{major}", timing=False,
        evidence={"run": "return 1;", "detail": ""}, measured_at=datetime(2026, 11, 30, 12, 0, tzinfo=UTC),
    )
    for major in range(156, 136, -1)
]  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "matrix").mkdir()
    write_compatibility(folder / "matrix", CELLS, code_version="0.1.0")
    now = small_release(folder / "now", OPTOUT, compatibility=folder / "matrix")
    releases = [now, earlier_release(folder / "before")]
    make_site(open_content([release.folder for release in releases], OPTOUT), folder / "sub")
    return folder / "sub"


@pytest.fixture(scope="module")
def bases(site: Path) -> Iterator[dict[str, str]]:
    with served(site) as url:
        yield {"host": url, "disk": f"{site.as_uri()}/"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=launch_arguments())
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, bases: dict[str, str]) -> Iterator[Open]:
    """Opens a page of the site; afterwards nothing may have failed, and nothing been asked of anybody else."""
    contexts, errors, foreign = [], [], []

    def opened(path: str, where: str = "host", **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on(
            "request", lambda request: None if request.url.startswith(bases[where]) else foreign.append(request.url)
        )
        page.goto(bases[where] + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []
    assert foreign == []


def look_up(open_page: Open, text: str, where: str) -> Page:
    page = open_page("index.html", where)
    page.get_by_role("textbox").fill(text)
    page.get_by_role("button", name="Look up").click()
    page.wait_for_url("**/lookup.html?q=*")
    return page


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("text", [SHOP, "www.shop.example.com", "shop.example.com/#top"])
def test_a_page_with_tools_is_found_by_its_url_and_host(open_page, text, where):
    page = look_up(open_page, text, where)
    page.wait_for_url("**/entry/**")
    page.get_by_role("heading", level=1, name=SHOP).wait_for()
    page.get_by_text("An agent is offered 3 tools").wait_for()
    page.get_by_text("Rename pay.").wait_for()


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize(
    ("text", "found"), [("corner", SHOP), ("add_to_cart", SHOP), ("hello", "https://moved.example.com/")]
)
def test_a_page_with_tools_is_found_by_project_and_tool(open_page, text, found, where):
    page = look_up(open_page, text, where)
    page.get_by_role("link", name=found).first.click()
    page.get_by_role("heading", level=1, name=found).wait_for()


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (EMPTY, "An agent is offered no tool"),
        ("dead.example.net", "names of the API that are gone"),
        ("down.example.io:8080", "The page was not read: no connection"),
        (DEAD, "Use the new ones."),
    ],
)
def test_a_page_without_tools_is_drawn_from_its_shard(open_page, text, says, where):
    look_up(open_page, text, where).get_by_text(says).first.wait_for()


def test_where_a_page_led_to_is_an_address_of_it_too(open_page):
    page = look_up(open_page, MOVED_TO, "host")
    page.get_by_role("heading", level=1, name="https://moved.example.com/").wait_for()


def test_a_look_up_by_address_is_one_request(open_page):
    page = open_page("lookup.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    found = page.evaluate("webmcpCensus.lookUp('dead.example.net').then((answer) => answer.exact.length)")
    assert found == 1
    assert len(asked) == 1
    assert "/api/v1/pages/" in asked[0]


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize(
    "text", [OPTED_OUT, "private.example.biz", "whisper_secrets", "nowhere.example", "no such name"]
)
def test_what_is_not_in_the_census_says_why_that_can_be(open_page, text, where):
    page = look_up(open_page, text, where)
    page.get_by_text("is not in this census").wait_for()
    assert page.get_by_text("asked to be left out").count() == 1
    page.get_by_role("link", name="How").click()
    page.get_by_role("heading", name="Why a page can be missing").wait_for()


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "<script>document.title='owned'</script>",
        OVERRIDE,
        "javascript:alert(1)",
        "\u202e",
        "x" * 3000,
        "__proto__",
        "hasOwnProperty",
        "%E0%A4%A",
        "https://[",
        "\\\\evil.example",
        "data:text/html,<script>document.title=1</script>",
    ],
)
def test_hostile_text_stays_text(open_page, text):
    page = open_page("lookup.html")
    page.goto(f"{page.url}?q={_quoted(text)}")
    page.get_by_text("hostile.example.dev").or_(page.get_by_text("is not in this census")).or_(
        page.get_by_text("Pages that fit")
    ).first.wait_for()
    _is_inert(page)


def test_a_hostile_page_has_an_inert_entry(open_page, site):
    names = json.loads((site / "api/v1/names.json").read_text())["pages"]
    entry = next(page["entry"] for page in names if page["url"] == HOSTILE)
    page = open_page(f"entry/{entry[:2]}/{entry}.html")
    page.get_by_text("⟨U+202E⟩").first.wait_for()
    assert page.locator("bdi").count() > 5
    _is_inert(page)


def test_a_look_alike_host_is_shown_as_it_is_asked_for(open_page):
    page = look_up(open_page, "sh\u043ep.example.com", "host")
    page.get_by_text("https://xn--shp-ted.example.com/").first.wait_for()
    assert "sh\u043ep" not in page.locator(".answers h2").inner_text()


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")


def _is_inert(page: Page) -> None:
    assert page.title() != "owned"
    assert page.locator("main script").count() == 0
    assert "\u202e" not in page.locator("body").inner_text()
    assert page.evaluate("[...document.links].every((link) => /^(https?|file):$/.test(link.protocol))")


def test_python_and_the_browser_agree_on_addresses_and_digests(open_page):
    urls = [
        SHOP, DEAD, DOWN, HOSTILE, "https://WWW.Example.com:443/a/b/?q=%C3%BC&x=1#/route", "http://münchen.example/ü b",
        "https://a.example/%7Euser/#!x", "http://[::1]:3000/x", "https://a.example/\u212a?k=\u0130", "https://a.example./",
    ]  # fmt: skip
    page = open_page("index.html")
    in_browser = page.evaluate(
        """(urls) => urls.map((url) => {
            const address = webmcpCensus.addressOf(url);
            return [address.shardHost, address.port, webmcpCensus.letters(address.rest), webmcpCensus.digest(address)];
        })""",
        urls,
    )
    ours = [address_of(url) for url in urls]
    assert in_browser == [
        [each.shard_host, "" if each.port is None else str(each.port), letters(each.rest), digest(each)]
        for each in ours
    ]


@pytest.mark.parametrize("path", [*PAGES, "entry"])
def test_every_page_opens_from_a_disk_without_an_error(open_page, site, path):
    page = open_page(_path(site, path), "disk")
    page.get_by_role("navigation", name="Site").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@NEEDS_AXE
@pytest.mark.parametrize("path", [*PAGES, "entry"])
def test_axe_finds_no_violation_of_wcag(open_page, site, path):
    for options in (
        {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
        {"color_scheme": "dark", "viewport": {"width": 320, "height": 800}},
    ):
        page = open_page(_path(site, path), **options)
        if path.startswith("lookup"):
            page.locator("#answer > *").first.wait_for()
        for details in page.locator("details").all():
            details.evaluate("(each) => { each.open = true; }")
        page.evaluate(source_of("axe-core@4.14.1"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        result = page.evaluate("(tags) => axe.run({ runOnly: tags })", tags)
        said = [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in result["violations"]]
        assert said == []
        assert page.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]


def test_the_keyboard_is_enough(open_page):
    page = open_page("index.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("dead.example.net")
    page.keyboard.press("Enter")
    page.get_by_text("names of the API that are gone").wait_for()


def test_a_drawing_fits_its_screen_and_is_not_made_smaller(open_page):
    for width in (320, 1280):
        page = open_page("picture.html", viewport={"width": width, "height": 800})
        shown = page.locator(".drawing:visible svg")
        assert shown.count() > 4
        for drawing in shown.all():
            box = drawing.bounding_box()
            assert box is not None
            assert box["width"] == pytest.approx(float(drawing.get_attribute("width") or 0), abs=1)


def test_a_missing_data_file_is_an_error_and_not_an_answer(browser, bases):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.route("**/api/v1/pages/*.js", lambda route: route.abort())
    page.goto(bases["host"] + "lookup.html?q=dead.example.net")
    page.get_by_role("alert").get_by_text("The look-up failed").wait_for()
    assert page.get_by_text("is not in this census").count() == 0
    page.close()


def test_the_badge_names_the_site_that_it_is_on(open_page, site, bases):
    page = open_page(_path(site, "entry"))
    code = page.locator("code[data-site]").inner_text()
    assert code.count(f"]({bases['host']}") == 2


def _path(site: Path, path: str) -> str:
    if path != "entry":
        return path
    names = json.loads((site / "api/v1/names.json").read_text())["pages"]
    entry = next(page["entry"] for page in names if page["url"] == SHOP)
    return f"entry/{entry[:2]}/{entry}.html"
