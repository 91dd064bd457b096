"""What is read of a page, what ends it, and what counts as unread: over a web in a dictionary."""

import asyncio

import pytest

from census.vocabulary import Screen
from crawler.screen.record import Screening
from crawler.screen.screening import MAX_SCRIPTS, Got, screen
from crawler.screen.signs import Sign

HOME = "https://shop.example/"


class Web:
    """Answers from a dictionary: a text, or a status."""

    def __init__(self, **pages: str | int | Got) -> None:
        self.pages = {("/" if name == "home" else f"/{name}"): page for name, page in pages.items()}
        self.asked: list[str] = []

    async def fetch(self, url: str) -> Got:
        path = url.removeprefix("https://shop.example") or "/"
        self.asked.append(path)
        page = self.pages.get(path, 404)
        if isinstance(page, Got):
            return page
        if isinstance(page, int):
            return Got(url, page, "text/html", "")
        return Got(url, 200, "text/javascript" if path.endswith("js") else "text/html", page)

    def screen(self) -> Screening:
        async def site_file(path: str) -> Got:
            return await self.fetch(f"https://shop.example{path}")

        return asyncio.run(screen(HOME, self.fetch, site_file))


def verdict(found: Screening) -> Screen:
    return found.verdict("key", 0.0, "1")


def test_the_first_text_with_a_sign_ends_it():
    web = Web(home="<script src=a.js></script><script src=b.js></script>", **{"a.js": "document.modelContext"})
    found = web.screen()
    assert (found.signs, found.scripts) == ((Sign.API,), 1)
    assert web.asked == ["/", "/a.js"]
    assert verdict(found) is Screen.EVIDENCE


def test_lazy_parts_frames_and_where_the_page_goes_on_are_read():
    hidden = "document.modelContext"
    assert Web(home="<script src=a.js></script>", **{"a.js": "import('./b.js')", "b.js": hidden}).screen().signs
    assert Web(home="<iframe src=/f></iframe>", f="<script src=/c.js></script>", **{"c.js": hidden}).screen().signs
    assert Web(home="<script>location='/en'</script>", en=f"<script>{hidden}</script>").screen().signs


def test_a_page_without_a_sign_is_asked_for_the_files_of_its_site():
    web = Web(home="<p>Shoes</p>")
    found = web.screen()
    assert (found.signs, found.unread) == ((), 0)
    assert web.asked == ["/", "/.well-known/webmcp.json", "/.well-known/webmcp", "/llms.txt"]
    assert verdict(found) is Screen.NONE_NOT_VISITED


@pytest.mark.parametrize(
    "page", [500, 403, Got(HOME, 0, "", "", problem="no connection"), Got(HOME, 200, "application/pdf", "%PDF")]
)
def test_a_page_that_could_not_be_read_is_not_one_without_a_sign(page):
    assert verdict(Web(home=page).screen()) is Screen.UNREAD


@pytest.mark.parametrize(("script", "unread"), [(404, 0), (410, 0), (403, 1), (500, 1), (429, 1)])
def test_a_script_that_is_not_there_is_none_and_one_that_was_refused_is_unread(script, unread):
    found = Web(home="<script src=a.js></script>", **{"a.js": script}).screen()
    assert found.unread == unread


def test_what_is_beyond_the_limit_counts_as_unread():
    names = [f"s{n}.js" for n in range(MAX_SCRIPTS + 3)]
    web = Web(home="".join(f"<script src={name}></script>" for name in names), **dict.fromkeys(names, "0"))
    found = web.screen()
    assert (found.scripts, found.unread) == (MAX_SCRIPTS, 3)


def test_scripts_that_name_each_other_are_each_read_once():
    web = Web(home="<script src=a.js></script>", **{"a.js": "import './b.js'", "b.js": "import './a.js'"})
    assert web.screen().scripts == 2


def test_the_sample_is_the_stated_share_and_the_same_in_any_order():
    none = Screening()
    drawn = [n for n in range(20_000) if none.verdict(f"https://s{n}.example", 0.02, "1") is Screen.NONE_SAMPLED]
    # 400 expected, standard deviation 20.
    assert 320 < len(drawn) < 480
    other = [n for n in range(20_000) if none.verdict(f"https://s{n}.example", 0.02, "2") is Screen.NONE_SAMPLED]
    assert len(set(drawn) & set(other)) < 40
    assert none.verdict("k", 1.0, "1") is Screen.NONE_SAMPLED
    assert Screening(unread=1).verdict("k", 0.0, "1") is Screen.UNREAD
