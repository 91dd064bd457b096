from pathlib import Path

from census.columns_page import columns_page
from census.listing import ListingCause
from census.vocabulary import Outcome, Pass


def test_the_page_in_the_docs_is_the_one_that_the_columns_give():
    assert Path("docs/columns.md").read_text() == columns_page()


def test_every_word_of_a_column_is_explained_once():
    page = columns_page()
    assert all(word.meaning.endswith(".") for words in (Outcome, ListingCause, Pass) for word in words)
    for word in (*Outcome, *ListingCause, *Pass):
        assert page.count(f"| `{word}` | {word.meaning} |") == 1, word


def test_a_column_leads_to_its_words():
    page = columns_page()
    assert "[Words of tools policy](#words-of-tools-policy)" in page
    assert "\n## Words of tools policy\n" in page
