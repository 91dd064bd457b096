"""Gates: no site that opted out, no address, no credential, in any table or text of a release."""

from collections import Counter
from collections.abc import Iterator, Mapping

import polars as pl

from census.gates.violation import Violation
from census.optout import OptOut
from census.redacted_tables import redact_table
from census.redaction import redact_text
from census.takedown import named_in
from census.vocabulary import Outcome

OPT_OUT, PRIVATE = "opt-out", "private-data"


def check_opt_out(tables: Mapping[str, pl.DataFrame], optout: OptOut) -> Iterator[Violation]:
    """No URL of a site that opted out is in a table, and no target that ended as `opted_out`."""
    for table, column in named_in(tables, optout):
        yield Violation(OPT_OUT, f"`{table}.{column}` names a site of the opt-out list")
    rows = tables["pages"].filter(pl.col("outcome") == Outcome.OPTED_OUT).height
    if rows:
        yield Violation(OPT_OUT, f"`pages` has {rows:,} rows of targets whose site opted out")


def check_private_data(tables: Mapping[str, pl.DataFrame], texts: Mapping[str, str]) -> Iterator[Violation]:
    """Nothing that redaction would take out is left; what it is is not repeated here."""
    for name, table in tables.items():
        found: Counter[str] = Counter()
        redact_table(name, table, found)
        if found:
            yield Violation(PRIVATE, f"`{name}` holds {_counts(found)}")
    for path, text in texts.items():
        found = Counter()
        redact_text(text, found)
        if found:
            yield Violation(PRIVATE, f"{path} holds {_counts(found)}")


def _counts(found: Counter[str]) -> str:
    return ", ".join(f"{times:,} {kind}" for kind, times in sorted(found.items()))
