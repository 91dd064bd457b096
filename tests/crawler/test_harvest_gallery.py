import pytest

from crawler.harvest.gallery import GalleryEntry, read_gallery_page, read_project_page
from crawler.harvest.links import Link

URL = "https://challenge.example.com/project-gallery"

ENTRY = """
<div class="gallery-item" data-software-id="1"><a class="block-wrapper-link fade link-to-software"
 href="https://example.com/software/{name}"><figcaption><h5> {name}
 </h5><p class="tagline">2 - 3 of 4 people like it</p></figcaption></a></div>
"""

WAITING = "<html><title>Just a moment</title><body><h1>Checking your browser</h1><a rel=next href=/x>x</a></body>"


def test_a_gallery_page_has_entries_a_counter_and_a_pager():
    page = read_gallery_page(
        f"""<div id="submission-gallery">{ENTRY.format(name="one")}{ENTRY.format(name="two")}</div>
        <div class="items_info">1 &ndash; 2 of 2,474</div>
        <ul class="pagination"><li class="current"><a href="#">1</a></li>
        <li><a href="/project-gallery?page=2">2</a></li><li class="gap">…</li>
        <li><a href="/project-gallery?page=103">103</a></li>
        <li class="next next_page"><a rel="next" href="/project-gallery?page=2">Next</a></li></ul>""",
        URL,
    )
    assert page is not None
    assert page.entries == (
        GalleryEntry("one", "https://example.com/software/one"),
        GalleryEntry("two", "https://example.com/software/two"),
    )
    assert (page.number, page.announced, page.next_url) == (1, 2474, f"{URL}?page=2")
    assert dict(page.pages) == {2: f"{URL}?page=2", 103: f"{URL}?page=103"}


@pytest.mark.parametrize("html", [WAITING, "", "<p>Access denied</p>", "\x00\x01", "plain text"])
def test_a_page_with_nothing_of_a_gallery_is_none(html):
    assert read_gallery_page(html, URL) is None


@pytest.mark.parametrize(
    ("counter", "announced"),
    [
        ("1 - 24 of 2474", 2474),
        ("Displaying entries <b>1&nbsp;-&nbsp;24</b> of <b>2474</b> in total", 2474),
        ("Showing 1 to 24 of 36 projects", 36),
        ("25 \u2014 36 of 2.474", 2474),
        ("page 1 of 3", None),
        ("the best of 2024", None),
    ],
)
def test_the_counter_is_found_in_its_common_forms(counter, announced):
    page = read_gallery_page(ENTRY.format(name="one") + f"<div><p>{counter}</p></div>", URL)
    assert page is not None
    assert page.announced == announced


def test_an_empty_gallery_is_a_gallery():
    page = read_gallery_page('<div id="submission-gallery"></div>', URL)
    assert page is not None
    assert (page.number, page.entries, page.announced, page.next_url) == (None, (), None, None)


def test_a_pager_without_a_next_link_still_has_its_numbers():
    page = read_gallery_page(
        ENTRY.format(name="one")
        + '<ul class="pagination"><li><a href="?page=1">1</a></li><li class="active"><span>2</span></li>'
        '<li><a href="?page=3">3</a></li></ul>',
        f"{URL}?page=2",
    )
    assert page is not None
    assert (page.number, page.next_url) == (2, None)
    assert dict(page.pages) == {1: f"{URL}?page=1", 3: f"{URL}?page=3"}


def test_a_disabled_next_is_the_end():
    page = read_gallery_page(
        ENTRY.format(name="one")
        + '<ul class="pagination"><li class="next disabled"><a href="?page=2">&rarr;</a></li></ul>',
        URL,
    )
    assert page is not None
    assert page.next_url is None


def test_entries_of_another_markup_are_the_first_link_of_each_item():
    page = read_gallery_page(
        '<div class="gallery-item"><a href="/p/1"><img alt="One"></a><a href="/u/1">by</a></div>'
        '<div class="gallery-item"><a href="javascript:void(0)">x</a></div>',
        URL,
    )
    assert page is not None
    assert page.entries == (GalleryEntry("One", "https://challenge.example.com/p/1"),)


def test_a_project_page_has_a_title_links_and_videos():
    page = read_project_page(
        """<h1 id="app-title"> My
        App </h1><div id="gallery"><iframe class="video-embed" src="//www.youtube.com/embed/x"></iframe></div>
        <nav class="app-links section"><h2>Try it out</h2><ul data-role="software-urls">
        <li><a href=" https://app.example.com/ "><span>app.example.com</span></a></li>
        <li><a href="https://github.com/a/b"><span>github.com</span></a></li></ul></nav>
        <a href="https://elsewhere.example/">not a project link</a>""",
        "https://example.com/software/my-app",
    )
    assert page is not None
    assert page.title == "My App"
    assert page.links == (
        Link("https://app.example.com/", "app.example.com"),
        Link("https://github.com/a/b", "github.com"),
        Link("https://www.youtube.com/embed/x"),
    )


@pytest.mark.parametrize("html", [WAITING, "", "<p>Not found</p>"])
def test_a_page_with_nothing_of_a_project_is_none(html):
    assert read_project_page(html, URL) is None
