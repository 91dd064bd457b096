"""The report for people is one file that loads nothing, runs nothing, and says what was expected and what was made."""

import re

import pytest
from parsel import Selector

from tests.measure.evals.plans import ASKED, call
from tests.measure.evals.test_command import GOOD, files, run

__all__ = ["files"]

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>"
BAD = {
    "name": f"Bad {EVIL}",
    "messages": ASKED,
    "expectedCall": [{"unordered": [call("order", {"size": EVIL}), call("look", optional=True)]}],
    "mocks": [call("order", error=f"no {EVIL}")],
}


@pytest.fixture
def report(files, tmp_path):
    path = tmp_path / "evals.html"
    code, _ = run(*files(GOOD, BAD), "--judge", "lexical", "--html", str(path))
    assert code == 1
    return path.read_text(encoding="utf-8")


def test_nothing_is_loaded_and_nothing_of_a_suite_is_markup(report):
    page = Selector(report)
    assert page.css("script, img, link, iframe, object") == []
    assert not re.search(r"https?://", report)
    assert "alert(1)" in report
    assert "default-src 'none'" in page.css("meta[http-equiv]::attr(content)").get()


def test_expected_stands_beside_made_with_what_broke(report):
    page = Selector(report)
    bad = page.css("details")[1]
    assert bad.css("summary .failed::text").get() == "failed"
    said = " ".join(bad.css("pre::text").getall())
    assert "unordered" in said
    assert "look(…) (optional)" in said
    assert bad.css("li.failed code::text").getall()
    assert "0.0 % (95 % interval" in " ".join(bad.css("summary ::text").getall())


def test_a_conversation_is_shown_in_its_order_and_all_that_was_expected_with_it(files, tmp_path):
    turns = {
        "messages": [
            *ASKED,
            {"expectedCall": [call("look", result="menu")]},
            {"role": "user", "content": "Now order."},
        ],
        "expectedCall": [call("order", {"size": "S"}, tools={"has": ["look"]}, fails=True)],
        "forbidden": [call("pay")],
        "limits": {"look": {"max": 1}},
        "page": {"text": "paid"},
        "mocks": [call("look", result="menu"), call("order", error="sold out today")],
    }
    path = tmp_path / "evals.html"
    assert run(*files(turns), "--judge", "oracle", "--html", str(path))[0] == 0
    page = Selector(path.read_text(encoding="utf-8"))
    rows = [" ".join("".join(row.css("*::text").getall()).split()) for row in page.css("table tr")[1:]]
    firsts = [row.css("td:first-child ::text").get() for row in page.css("table tr")[1:]]
    assert firsts == ["user", "1", "assistant", "user", "2", "assistant"]
    assert rows[3] == "user Now order."
    assert "sold out today" in rows[4]
    assert [line.strip() for line in page.css("pre::text").getall()] == [
        "turn 1",
        "look(…) → call 1",
        'gives: "menu"',
        "turn 2",
        'order({"size": "S"}) → call 2',
        "fails: seen",
        "the list of tools: has look",
        "forbidden: pay(…)",
        "calls of look: at least 0, at most 1",
        'the page at the end: {"text": "paid"}',
    ]


def test_it_says_what_it_was_made_with(report):
    said = " ".join(Selector(report).css("li::text").getall())
    assert re.search(r"Made with webmcp-census \S+; \S+evals\.json \(SHA-256 [0-9a-f]{12}…\)", said)


def test_the_headline_says_what_is_missing(files, tmp_path):
    path = tmp_path / "evals.html"
    driven = {**GOOD, "drive": [{"functionName": "look"}], "mocks": [call("look", error="down")]}
    assert run(*files(GOOD, driven), "--judge", "oracle", "--html", str(path))[0] == 2
    assert Selector(path.read_text(encoding="utf-8")).css("h1::text").get() == "1 of 2 cases passed, 1 missing"


def test_the_headline_counts_cases(report):
    assert Selector(report).css("h1::text").get() in ("0 of 2 cases passed", "1 of 2 cases passed")
