"""The matrix for people: what stands in a cell, what is marked, and that no answer becomes markup."""

import re
from datetime import date

import pytest
from parsel import Selector

from measure.compatibility.corrections import Correction
from measure.compatibility.matrix_html import matrix_html
from measure.compatibility.matrix_markdown import matrix_markdown
from tests.measure.compatibility.matrices import behaviour, matrix

RETURN, NAME = "registration/return-value", "names/empty"
ROWS = {
    RETURN: {"hs156": "promise", "sp152": "promise", "hs150": "undefined", "ff153": "undefined"},
    NAME: {"hs156": "no", "sp152": "crash", "hs150": "not_applicable"},
}
BEHAVIOURS = (
    behaviour(RETURN, {"promise": "A promise.", "undefined": "Nothing."}),
    behaviour(NAME, timing=True),
)
MATRIX = matrix(ROWS, BEHAVIOURS, {(NAME, "hs150"): "no modelContext.registerTool()"})
CORRECTION = Correction(
    behaviour=NAME, build="sp152", version="152.0.1.2", was="no", now="crash", on=date(2026, 12, 1),
    why="The page was read before it crashed.",
)  # fmt: skip


def lines(text: str, of: str) -> list[str]:
    return [line for line in text.splitlines() if of in line]


def test_a_markdown_row_shows_what_differs_from_the_newest_and_who_changed_it():
    (row,) = (line for line in lines(matrix_markdown(MATRIX, ()), RETURN) if line.startswith("|"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1:] == ["`promise`", "◆ ·", "`undefined`", "`undefined`"]


def test_a_cell_that_was_not_asked_is_blank_and_timing_is_said():
    (row,) = (line for line in lines(matrix_markdown(MATRIX, ()), NAME) if line.startswith("|"))
    assert "(timing)" in row
    assert [cell.strip() for cell in row.strip("|").split("|")][1:] == ["◆ `no`", "◆ `crash`", "`not_applicable`", ""]


def test_topics_are_headings_and_reasons_are_given():
    text = matrix_markdown(MATRIX, ())
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Registration", "Names", "What changed", "Corrections"]
    assert "`not_applicable` in hs150: no modelContext.registerTool()." in text
    assert "`promise`: A promise. `undefined`: Nothing." in text


def test_corrections_are_listed_or_said_to_be_none():
    assert "There are none." in matrix_markdown(MATRIX, ())
    text = matrix_markdown(MATRIX, (CORRECTION,))
    assert "There are none." not in text
    expected = "- 2026-12-01: `names/empty` in sp152 152.0.1.2: was `no`, is `crash`. The page was read"
    assert expected in text


def test_a_bar_in_an_answer_does_not_end_its_cell():
    (row,) = lines(matrix_markdown(matrix({NAME: {"hs156": "a|b"}}), ()), "a\\|b")
    assert row.count("|") == 4


def html(*corrections: Correction) -> Selector:
    return Selector(matrix_html(MATRIX, corrections))


@pytest.mark.parametrize(
    ("row", "build", "kind", "changed"),
    [
        (RETURN, 0, "same", False),
        (RETURN, 1, "same", True),
        (RETURN, 2, "other", False),
        (NAME, 1, "down", True),
        (NAME, 2, "na", False),
    ],
)
def test_an_html_cell_is_coloured_by_its_answer_and_framed_by_its_change(row, build, kind, changed):
    cell = html().xpath("//tr[@id=$row]/td", row=row)[build]
    assert cell.attrib["class"].split() == ([kind, "changed"] if changed else [kind])


def test_each_row_has_its_evidence():
    evidence = html().xpath("//tr[@id=$row]/following-sibling::tr[1]", row=NAME)
    assert evidence.xpath(".//pre/text()").get() == "return 'x';"
    assert evidence.xpath(".//table//tr[td][3]/td//text()").getall() == [
        "Chromium 150.0.1.2, headless shell", "not_applicable", "no modelContext.registerTool()",
        "2026-11-30 12:00:00 UTC", "12",
    ]  # fmt: skip


def test_the_page_tells_changes_and_corrections():
    page = html(CORRECTION)
    assert "Chromium 152, after 150" in page.xpath("//h3/text()").getall()
    assert "The page was read before it crashed." in " ".join(page.xpath("//li//text()").getall())


def test_no_answer_is_markup():
    text = matrix_html(matrix({NAME: {"hs156": "<script>alert(1)</script>"}}), ())
    assert "<script" not in text
    assert Selector(text).xpath("//td/code/text()").get() == "<script>alert(1)</script>"


def test_nothing_is_loaded_from_elsewhere():
    assert not html().xpath("//*[@src or self::link]")
