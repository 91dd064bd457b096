"""Gate: every target is accounted for, once."""

from collections.abc import Iterator

import polars as pl

from census.gates.violation import Violation
from census.manifest import Manifest
from census.vocabulary import Outcome

RULE = "accounts"


def check_accounts(manifest: Manifest, tables: dict[str, pl.DataFrame]) -> Iterator[Violation]:
    """Outcomes and unfinished targets add up to the target lists, and the tables have the rows that they promise."""
    listed = sum(run.targets for run in manifest.runs)
    counted = sum(manifest.outcomes.values()) + manifest.unfinished
    if not listed == counted == manifest.targets:
        yield Violation(
            RULE,
            f"the target lists have {listed:,} targets, the manifest says {manifest.targets:,},"
            f" and outcomes with unfinished targets add up to {counted:,}",
        )
    promised = {word: k for word, k in manifest.outcomes.items() if word != Outcome.OPTED_OUT}
    rows = dict(tables["pages"].group_by("outcome").len().iter_rows())
    for word in sorted(promised.keys() | rows.keys()):
        if promised.get(word, 0) != rows.get(word, 0):
            yield Violation(
                RULE, f"the manifest counts {promised.get(word, 0):,} `{word}` and `pages` has {rows.get(word, 0):,}"
            )
    for file in manifest.files:
        table = file.path.removeprefix("data/").removesuffix(".parquet")
        if table in tables and file.rows != tables[table].height:
            yield Violation(RULE, f"{file.path} has {tables[table].height:,} rows and the manifest says {file.rows}")
    if manifest.partial != (manifest.unfinished > 0):
        yield Violation(RULE, f"partial is {manifest.partial} with {manifest.unfinished:,} unfinished targets")
