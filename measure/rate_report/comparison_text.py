"""A comparison for a person at a terminal."""

from collections.abc import Iterator

from census.text import inert
from measure.rate_report.comparison import LEVEL, ComparedRow, Comparison


def comparison_text(found: Comparison) -> str:
    """What `rate compare` prints: a line for each tool, with the difference, its interval and its p-values."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Comparison) -> Iterator[str]:
    yield f"A: {inert(found.a.name)}; B: {inert(found.b.name)}; utterances {inert(found.set)}; seed {found.seed}"
    for each in found.differs:
        yield f"  differs in {inert(each)}"
    for row in found.tools:
        yield _row(row)
    yield _row(found.all_tools)
    if found.controls is not None:
        yield _row(found.controls)
    yield _verdict(found)
    yield (
        "An utterance is one pair: it succeeds when more than half of its trials do (McNemar, exact, two-sided). The"
        " interval is a paired bootstrap over the utterances."
    )


def _row(row: ComparedRow) -> str:
    holm = "" if row.p_holm is None else f", {_p(row.p_holm)} after Holm"
    return (
        f"  {inert(row.tool)}: A {100 * row.rate_a:.1f} %, B {100 * row.rate_b:.1f} %, difference"
        f" {100 * row.difference:+.1f} points (95 % interval {100 * row.low:+.1f} to {100 * row.high:+.1f};"
        f" {row.utterances} utterances, {row.only_a} only in A, {row.only_b} only in B; p = {_p(row.p)}{holm})"
    )


def _p(value: float) -> str:
    return f"{value:.2g}"


def _verdict(found: Comparison) -> str:
    named = (("worse", found.worse), ("better", found.better))
    parts = [f"{word} in B: {', '.join(map(inert, names))}" for word, names in named if names]
    tools = "; ".join(parts) or "no tool differs by more than chance may do"
    whole = found.all_tools
    said = "no difference over all tools"
    if whole.p < LEVEL:
        said = f"over all tools B is {'worse' if whole.difference < 0 else 'better'} (p = {_p(whole.p)})"
    return f"At level {LEVEL:g}: {tools}; {said}."
