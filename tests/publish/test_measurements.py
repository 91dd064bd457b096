"""The matrix and the rates, from their tables."""

import polars as pl

from publish.site.measurements import matrix_of, rate_rows

CELLS = [
    ("names/empty", "Is an empty name refused?", "Chromium 149", "149.0.1.2", "InvalidStateError"),
    ("names/empty", "Is an empty name refused?", "Chromium 156", "156.0.1.2", "InvalidStateError"),
    ("exposure/document", "Is it on document?", "Chromium 149", "149.0.1.2", "no"),
    ("exposure/document", "Is it on document?", "Chromium 156", "156.0.1.2", "yes"),
    ("errors/new", "Only asked lately?", "Chromium 156", "156.0.1.2", "yes"),
]
COMPATIBILITY = pl.DataFrame(CELLS, schema=["behaviour", "question", "label", "build", "value"], orient="row")

RATE = {
    "target_key": "https://shop.example", "page": "https://shop.example/", "variant": "", "judge": "openai:m",
    "measure": "invocation", "name": "search", "k": 18, "n": 20, "rate": 0.9, "low": 0.699, "high": 0.972,
    "floor_lexical": 0.75, "floor_majority": 0.52, "floor_random": None,
}  # fmt: skip


def test_the_matrix_has_the_newest_build_first_and_no_value_where_nothing_was_asked():
    matrix = matrix_of(COMPATIBILITY)
    assert matrix is not None
    assert matrix.builds == ("Chromium 156", "Chromium 149")
    assert matrix.rows == (
        ("errors/new", "Only asked lately?", ("yes", None)),
        ("exposure/document", "Is it on document?", ("yes", "no")),
        ("names/empty", "Is an empty name refused?", ("InvalidStateError", "InvalidStateError")),
    )


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
    assert [each.page for each in rate_rows(rates)] == ["https://shop.example/", "https://shop.example/ (bare)"]
