from pathlib import Path

from census.columns_page import columns_page


def test_the_page_in_the_docs_is_the_one_that_the_columns_give():
    assert Path("docs/columns.md").read_text() == columns_page()
