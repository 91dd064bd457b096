"""The page that explains every column, made from the one place that describes them."""

from census.columns import SCHEMA_VERSION, TABLES
from census.text import markdown_table


def columns_page() -> str:
    """`docs/columns.md` as Markdown."""
    parts = [
        "# What the columns mean",
        f"The tables of a release, schema {SCHEMA_VERSION}. Made from `census/columns.py` by `make docs`.",
    ]
    for table, columns in TABLES.items():
        rows = [(f"`{column.name}`", str(column.dtype), column.description) for column in columns]
        parts += [f"## {table}", markdown_table(("column", "type", "meaning"), rows)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    print(columns_page(), end="")  # noqa: T201 -- `make docs` redirects it
