"""Rules on pairs of tools: what a model cannot tell apart, and what it is told twice."""

from collections.abc import Iterator

from census.finding import Severity
from measure.lint.analysis import Analysis
from measure.lint.description_pairs import (
    SHARED_WORDS,
    Pair,
    confusable_pairs,
    duplicates,
    in_other_words,
    near_duplicates,
)
from measure.lint.examples import manifest, tool
from measure.lint.rule import Hit, Rule
from measure.lint.text import quoted

_PLACE = ("description",)
_MEASURED = (
    "Measured on thirteen manifests of one page (one judge; the intervals fit n = 60 each): a vague description alone"
    " cost 1.7 points, a second tool of that name and description beside a good one nothing, both together 46.7."
)


def _confusable(analysis: Analysis, *, certain: bool) -> Iterator[Hit]:
    for one, other, likeness in analysis.once(confusable_pairs):
        if (likeness >= SHARED_WORDS) is certain:
            names = f"{quoted(one.name)} and {quoted(other.name)}"
            cost = (
                f"{100 * likeness:.0f} % of their words are the same; a model is left to guess"
                if certain
                else "nothing in either ties it to its tool"
            )
            yield Hit(
                other.index,
                _PLACE,
                f"{names} name one thing, and neither description says what belongs to it alone: {cost}.",
                f"Remove one of {names}; or say in each what only it does, with the words of its name and parameters,"
                f" and when to use it: “Use {quoted(one.name)} when …; for …, use {quoted(other.name)}.”"
                " Mending one of the two is enough to tell them apart.",
            )


def _indistinguishable(analysis: Analysis) -> Iterator[Hit]:
    return _confusable(analysis, certain=True)


def _unanchored(analysis: Analysis) -> Iterator[Hit]:
    return _confusable(analysis, certain=False)


def _reported(analysis: Analysis) -> set[tuple[int, int]]:
    return {(pair.one.index, pair.other.index) for pair in analysis.once(confusable_pairs)}


def _not_reported(analysis: Analysis, pairs: Iterator[Pair]) -> Iterator[Pair]:
    reported = _reported(analysis)
    return (pair for pair in pairs if (pair.one.index, pair.other.index) not in reported)


def _duplicate(analysis: Analysis) -> Iterator[Hit]:
    for one, other, _ in _not_reported(analysis, duplicates(analysis)):
        yield Hit(
            other.index,
            _PLACE,
            f"{quoted(other.name)} has the description of {quoted(one.name)}, word for word.",
            f"Say in each what the other does not do: “Use {quoted(other.name)} when …, not for …: that is"
            f" {quoted(one.name)}.” If both do the same, remove one.",
        )


def _near_duplicate(analysis: Analysis) -> Iterator[Hit]:
    alike = [*near_duplicates(analysis), *in_other_words(analysis)]
    word_for_word = {pair.other.index for pair in duplicates(analysis)}
    first = {pair.other.index: pair for pair in reversed(alike) if pair.other.index not in word_for_word}
    for one, other, likeness in _not_reported(analysis, iter(first.values())):
        differing = sorted(other.words - one.words)[:3] or sorted(one.words - other.words)[:3]
        only = f" but for {', '.join(quoted(word) for word in differing)}" if differing else ""
        yield Hit(
            other.index,
            _PLACE,
            f"{quoted(other.name)} is described as {quoted(one.name)} is{only} ({100 * likeness:.0f} % alike).",
            f"Begin each with what only it does, in the words of its name; say when to use {quoted(other.name)} and"
            f" not {quoted(one.name)}.",
        )


_ORDERS = "Works with the entries of the page and gives back results."
_FOUND = "Works with the entries of the page and hands back results."
_GOOD = "Lists the orders of the last year with number, day and state. Use when the user asks where a parcel is."

RULES = (
    Rule(
        "descriptions/indistinguishable-pair",
        Severity.ERROR,
        "Two names for one thing, and two descriptions that would fit either: a model picks one by chance, and what"
        " it picks is wrong about half the time.",
        f"{_MEASURED} The rule needs all three: names that name one thing; no word in either description that belongs"
        " to its own tool (of its name, title, parameters or their values, or something literal), nor a case in which"
        " it is right; and at least 8 % of"
        " the words in common, between the two measured rungs 13 % (58.3 %) and 4 % (83.3 %). Descriptions in another"
        " language than the names cannot hold their words: there the two must be near-duplicates and short.",
        "Remove one, or say in at least one what only it does.",
        fires=manifest(tool("list_orders", _ORDERS), tool("showOrders", _FOUND)),
        silent=manifest(tool("list_orders", _GOOD), tool("showOrders", _FOUND)),
        check=_indistinguishable,
    ),
    Rule(
        "descriptions/unanchored-pair",
        Severity.WARNING,
        "Two names for one thing, and neither description has a word that belongs to its tool. The wording differs,"
        " so a model has something to go by, but not much.",
        f"{_MEASURED} With 4 % of the words in common, the tool was still chosen in 83.3 %.",
        "Say in each what only it does.",
        fires=manifest(
            tool("list_orders", _ORDERS), tool("showOrders", "Covers what was bought earlier, as far as known.")
        ),
        silent=manifest(tool("list_orders", _ORDERS), tool("cancel_booking", "Covers what was bought earlier.")),
        check=_unanchored,
    ),
    Rule(
        "descriptions/duplicate",
        Severity.WARNING,
        "Two tools with one description differ for a model only by name.",
        "Measured: a second tool of nearly the same name with the same good description left 91.7 % of 99.3.",
        "Say in each what the other does not do.",
        fires=manifest(tool("list_orders", _GOOD), tool("track_parcel", _GOOD)),
        silent=manifest(tool("list_orders", _GOOD), tool("track_parcel", "Says where the parcel of an order is now.")),
        check=_duplicate,
    ),
    Rule(
        "descriptions/near-duplicate",
        Severity.WARNING,
        "Two descriptions that are nearly the same, and differ by nothing of what the names differ in; or that say the"
        " same of one thing with another verb.",
        "Measured: two tools of different names with nearly the same description were chosen in 90 to 98 %. Compared"
        " by characters (normalised indel similarity of 85 % and more), so in any script.",
        "Begin each with what only it does.",
        fires=manifest(
            tool("list_orders", "Lists the entries of the last year with number, day and total."),
            tool("track_parcel", "Lists the entries of the last year with number, day and state."),
        ),
        silent=manifest(
            tool("add_topping", "Adds one topping to the pizza that is shown."),
            tool("remove_topping", "Removes one topping of the pizza that is shown."),
        ),
        check=_near_duplicate,
    ),
)
