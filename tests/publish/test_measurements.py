"""The matrix and the rates, from their tables."""

import polars as pl

from publish.site.measurements import matrix_of, rate_rows

CELLS = [
    ("names/empty", "Is an empty name refused?", "cr149", "Chromium", "149.0.1.2", False, "InvalidStateError"),
    ("names/empty", "Is an empty name refused?", "ff199", "Firefox", "199.8.0esr", False, "not_applicable"),
    ("names/empty", "Is an empty name refused?", "hs156", "Chromium", "156.0.1.2", True, "InvalidStateError"),
    ("exposure/document", "Is it on document?", "cr149", "Chromium", "149.0.1.2", False, "no"),
    ("exposure/document", "Is it on document?", "hs156", "Chromium", "156.0.1.2", True, "yes"),
    ("names/new", "Only asked lately?", "hs156", "Chromium", "156.0.1.2", True, "yes"),
]
COLUMNS = ["behaviour", "question", "label", "browser", "build", "shell", "value"]
COMPATIBILITY = pl.DataFrame(CELLS, schema=COLUMNS, orient="row")

RATE = {
    "target_key": "https://shop.example", "page": "https://shop.example/", "variant": "", "judge": "openai:m",
    "measure": "invocation", "name": "search", "k": 18, "n": 20, "rate": 0.9, "low": 0.699, "high": 0.972,
    "floor_lexical": 0.75, "floor_majority": 0.52, "floor_random": None,
}  # fmt: skip


def test_the_matrix_has_the_newest_build_first_and_no_value_where_nothing_was_asked():
    matrix = matrix_of(COMPATIBILITY)
    assert matrix is not None
    # A version number of another browser says nothing of which is newer.
    assert matrix.builds == (
        ("hs156", "Chromium 156.0.1.2, headless shell"),
        ("cr149", "Chromium 149.0.1.2"),
        ("ff199", "Firefox 199.8.0esr"),
    )
    assert [(topic.name, topic.differing) for topic in matrix.topics] == [("names", 0), ("exposure", 1)]
    assert {row.behaviour: row.cells for topic in matrix.topics for row in topic.rows} == {
        "names/empty": (
            ("InvalidStateError", "same"),
            ("InvalidStateError", "same"),
            ("not_applicable", "not_applicable"),
        ),
        "names/new": (("yes", "same"), (None, "unknown"), (None, "unknown")),
        "exposure/document": (("yes", "same"), ("no", "differs"), (None, "unknown")),
    }


def test_without_measurements_there_is_none():
    assert matrix_of(None) is None
    assert matrix_of(COMPATIBILITY.clear()) is None
    assert rate_rows(None) == ()


def test_a_rate_stands_beside_its_floors_with_its_interval():
    rates = pl.DataFrame(
        [RATE, RATE | {"target_key": "other", "variant": "bare"}, RATE | {"measure": "false_positive"}]
    )
    (row,) = rate_rows(rates, target_key="https://shop.example")
    assert (row.name, row.share, row.interval, row.k, row.n) == ("search", "90.0 %", "69.9 % to 97.2 %", 18, 20)
    assert row.floors == "75.0 % / 52.0 % / -"
    assert [each.share for each in rate_rows(rates, measure="false_positive")] == ["90.0 %"]
    assert [each.page for each in rate_rows(rates)] == ["https://shop.example/", "https://shop.example/ (bare)"]
