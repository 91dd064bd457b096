"""The part of a release's report about invocation rates, where some were measured."""

import polars as pl

from census.interval import Proportion
from census.manifest import Manifest
from census.measured_rates import INVOCATION
from census.text import escape_markdown, markdown_table, percent, rate_text

_MOST = 100


def rates_section(manifest: Manifest, rates: pl.DataFrame, trials: int) -> tuple[str, ...]:
    """Write the section; nothing where no rate was measured, which is not the same as a rate of zero."""
    if rates.is_empty():
        return ()
    more = rates.height - _MOST
    parts = [
        "## How often a judge picks the right tool",
        (
            "Of so many frozen utterances for a tool, the share that made the judge select it with valid arguments; and"
            " of the controls, which no tool should answer, the share that was answered with a call. The pages were"
            " chosen by who measured them, so no rate here stands for other pages. Wilson's intervals take trials to be"
            " independent; `rates` has the wider ones and both spreads. The floor is what words in common select."
        ),
        _table(rates.head(_MOST)),
    ]
    if more > 0:
        parts.append(f"{more:,} more are in the table `rates`.")
    runs = ", ".join(f"{stamp.run} ({stamp.sessions} sessions x {stamp.repeats} repeats)" for stamp in manifest.rates)
    parts.append(f"Runs: {runs}; {trials:,} trials, each in the table `trials`.")
    return tuple(parts)


def _table(rates: pl.DataFrame) -> str:
    return markdown_table(
        ("Page", "Of", "Judge", "Utterances", "Measured", "Rate", "Lexical floor"),
        (
            (
                escape_markdown(f"{row['page']} {row['variant']}".strip()),
                escape_markdown(row["name"] if row["measure"] == INVOCATION else f"{row['name']} controls, called"),
                escape_markdown(row["judge"]),
                escape_markdown(row["utterance_set"]),
                f"{row['measured_from']:%Y-%m-%d}",
                rate_text(Proportion(**{each: row[each] for each in ("k", "n", "rate", "low", "high")})),
                percent(row["floor_lexical"]),
            )
            for row in rates.iter_rows(named=True)
        ),
    )
