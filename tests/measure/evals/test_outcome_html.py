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


def test_the_headline_counts_cases(report):
    assert Selector(report).css("h1::text").get() in ("0 of 2 cases passed", "1 of 2 cases passed")
