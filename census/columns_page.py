"""The page that explains every column and every word, made from the one place that describes each."""

from census.columns import SCHEMA_VERSION, TABLES, Column
from census.text import markdown_table
from census.vocabulary import Word


def columns_page() -> str:
    """`docs/columns.md` as Markdown."""
    parts = [
        "# What the columns mean",
        f"The tables of a release, schema {SCHEMA_VERSION}. Made from `census/columns.py` by `make docs`.",
    ]
    for table, columns in TABLES.items():
        rows = [(f"`{column.name}`", str(column.dtype), _meaning(column)) for column in columns]
        parts += [f"## {table}", markdown_table(("column", "type", "meaning"), rows)]
    parts += ["# The words", "A column with a closed vocabulary has one of these words, or null."]
    for words in _vocabularies():
        table = markdown_table(("word", "meaning"), [(f"`{word}`", word.meaning) for word in words])
        parts += [f"## {_title(words)}", table]
    return "\n\n".join(parts) + "\n"


def _meaning(column: Column) -> str:
    if column.words is None:
        return column.description
    title = _title(column.words)
    return f"{column.description} [{title}](#{title.lower().replace(' ', '-')})"


def _vocabularies() -> list[type[Word]]:
    """Each vocabulary once, in the order of its first column."""
    return list(dict.fromkeys(c.words for columns in TABLES.values() for c in columns if c.words is not None))


def _title(words: type[Word]) -> str:
    """`ToolsPolicy` as a heading: `Words of tools policy`."""
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in words.__name__)
    return f"Words of{spaced}"


if __name__ == "__main__":
    print(columns_page(), end="")  # noqa: T201 -- `make docs` redirects it
