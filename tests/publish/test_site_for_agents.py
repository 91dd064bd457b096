"""The site's own tools: our crawler finds them, our lint has nothing to say, and they answer from the data."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from census.opened_release import Release
from census.optout import OptOut
from crawler.browser import find_browser, launch_arguments
from publish.site.content import open_content
from publish.site.generate import make_site
from tests.crawler.conftest import REACHABLE, Cli, module_cli
from tests.publish.site_server import served
from tests.publish.web import DEAD, SHOP, earlier_release, small_release

__all__ = ["module_cli"]

pytestmark = pytest.mark.timeout(900)

OPTOUT = OptOut(frozenset({"example.biz"}))


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Release]:
    folder = tmp_path_factory.mktemp("releases")
    return [small_release(folder / "now", OPTOUT), earlier_release(folder / "before")]


@pytest.fixture(scope="module")
def url(releases: list[Release], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("made") / "site"
    make_site(open_content([release.folder for release in releases], OPTOUT), folder)
    with served(folder) as url:
        yield url


@pytest.fixture(scope="module")
def page(url: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find_browser()), args=launch_arguments())
        page = browser.new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{url}index.html")
        yield page
        browser.close()


def call(page: Page, name: str, arguments: dict[str, str]) -> dict[str, object]:
    """Call a tool as an agent of the page would."""
    said = page.evaluate(
        """async ([name, input]) => {
            const tools = await document.modelContext.getTools();
            return document.modelContext.executeTool(tools.find((tool) => tool.name === name), input);
        }""",
        [name, arguments],
    )
    answer: dict[str, object] = json.loads(said)
    return answer


def test_the_crawler_finds_both_tools_and_lint_finds_nothing(module_cli: Cli, url: str) -> None:
    done = module_cli("check", f"{url}index.html", "--json", "--fail-on", "warning", *REACHABLE, "--settle-cap", "20")
    assert done.out, done.err
    record = json.loads(done.out)
    assert record["page"]["outcome"] == "captured", done.err
    assert [(tool["name"], tool["callable"], tool["listing"]) for tool in record["tools"]] == [
        ("compare_releases", True, "listed"),
        ("lookup_page", True, "listed"),
    ]
    assert all(json.loads(tool["annotations"])["readOnly"] is True for tool in record["tools"])
    assert [subject["findings"] for subject in record["subjects"]] == [[]]
    assert done.code == 0, done.err


def test_lookup_page_answers_for_pages_with_and_without_tools(page: Page, url: str) -> None:
    shop = call(page, "lookup_page", {"address": SHOP})
    assert shop["found"] is True
    (found,) = shop["pages"]
    assert (found["callable_tools"], found["tool_names"]) == (3, ["add_to_cart", "view_cart", "pay"])
    assert found["findings_by_severity"] == {"error": 1, "warning": 2}
    assert found["entry"].startswith(f"{url}entry/")
    (dead,) = call(page, "lookup_page", {"address": DEAD})["pages"]
    assert "names of the API that are gone" in dead["why_no_tools"][0]
    assert dead["findings"][0]["remedy"] == "Use the new ones."


def test_lookup_page_says_when_there_is_nothing(page: Page) -> None:
    assert call(page, "lookup_page", {"address": "private.example.biz"})["found"] is False


def test_compare_releases_gives_both_rates_as_they_were_published(page: Page, releases: list[Release]) -> None:
    newest, before = releases
    answer = call(page, "compare_releases", {})
    assert (answer["from"], answer["to"]) == ("2026.10.0", "2026.11.0")
    adoption = next(rate for rate in answer["rates"] if rate["id"] == "adoption")
    for side, release in (("before", before), ("after", newest)):
        published = release.summary.rate("adoption")
        assert (adoption[side]["k"], adoption[side]["n"]) == (published.k, published.n)
    # Both measured the shop and the empty page; the shop had a tool in both.
    assert answer["like_for_like"]["adoption"]["before"]["k"] == 1
    assert answer["like_for_like"]["adoption"]["before"]["n"] == 2


def test_compare_releases_names_what_there_is_when_asked_for_another(page: Page) -> None:
    assert call(page, "compare_releases", {"from": "1999.01.0"})["releases"] == ["2026.11.0", "2026.10.0"]
