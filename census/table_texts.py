"""What a row of each table is, in one sentence: for the card and for Croissant."""

TABLE_TEXTS: dict[str, str] = {
    "pages": "One row for each target: its final visit.",
    "frames": "One row for each document of a captured page: the page's own and those of its frames.",
    "tools": "One row for each tool of a document, callable or only listed.",
    "findings": "One row for each thing that lint found.",
    "observations": "Visits of other passes (old API names restored, the full browser), one row for each tool.",
    "controls": "One row for each visit to the crawler's own empty page, which must read zero tools.",
    "compatibility": "One row for each behaviour of each browser build: the compatibility matrix.",
    "trials": "One row for each utterance that was put to a judge on a page.",
    "rates": "One row for each tool's invocation rate, and for each kind of control's false positives.",
}
"""Its keys are those of `census.columns.TABLES`."""
