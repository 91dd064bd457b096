"""Which tools a model cannot tell apart: found through indexes, never by comparing all pairs.

What the rules on pairs rest on is a set of thirteen manifests of one page with published invocation rates (one judge;
the intervals fit n = 60 each). A vague description alone cost 1.7 points; a second tool of nearly the same name with
the same vague description, beside a good one, nothing; two tools of nearly the same name with a vague description
each, 35 to 50.
Two *good* identical descriptions under such names cost 8. So neither the names nor the likeness of the descriptions
decides: what does is whether at least one description is *anchored*, that is, says something that belongs to its own
tool.

How vague descriptions are worded mattered little: 48.3 % with the same words, 50.0 and 56.7 % with 53 and 86 % of the
words in common, 58.3 % with 13 %; only a text with 4 % in common left 83.3 %. The line between error and warning lies
between those last two.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import regex
from rapidfuzz import fuzz

from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.name_pairs import block_keys, meaning, same_thing, telling_words
from measure.lint.schema_walk import Role
from measure.lint.vocabulary import GENERIC, STOP_WORDS
from measure.lint.words import name_words, stem, words, written_with_spaces

SHARED_WORDS = 0.08
"""Share of words (Jaccard) from which two vague descriptions are taken for one: between 0.04 (83.3 % measured) and
0.13 (58.3 %)."""
LIKENESS = 85.0
"""Normalised indel similarity, in percent, from which two texts are near-duplicates. Over characters, so any script."""
_VAGUE_SIZE = 14
"""Content words above which a text in another language than the names is not taken for vague: the measured good
descriptions have 16 and more, the vague ones 6 to 8."""
_CANDIDATES = 40
"""Earlier tools that one is compared with: a page of thousands of like tools must not cost their square."""

_LITERAL = regex.compile(r"(?<![\p{L}\p{N}])[\"'`“「『«][^\"'`”」』»]{2,40}[\"'`”」』»]|\p{Lu}{3,}|\p{N}{2,}")
_CONDITION = regex.compile(r"\b(?:when|whenever|if|before|after|unless|instead of|rather than)\b", regex.IGNORECASE)
_TURNING = frozenset("not no without before after up down in out on off from to over under only all".split())
"""Function words that can be all the difference between two texts."""
_NUMBER = regex.compile(r"\p{N}+|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last")


class Pair(NamedTuple):
    """Two tools, the earlier one first, and how alike their descriptions are (0 to 1)."""

    one: ToolAnalysis
    other: ToolAnalysis
    likeness: float


def anchored(tool: ToolAnalysis) -> bool:
    """Whether a description says something that belongs to its own tool.

    It does when it has a word of the tool's name or title that is not one for any tool, a parameter's name, one of a
    parameter's values, or something literal: a quotation, an acronym, a number of two digits. So it does when it says
    in which case the tool is right. A description that only says the name again has nothing beyond it: where two names
    name one thing, so do two such texts.
    """
    if _LITERAL.search(tool.description) or (tool.english and _CONDITION.search(tool.description)):
        return True
    if tool.restates_name:
        return False
    own = _own_words(tool)
    if not tool.content_stems.isdisjoint(stem(word) for word in own):
        return True
    return any(_same(word, each) for word in tool.words if word not in STOP_WORDS for each in own)


def _own_words(tool: ToolAnalysis) -> set[str]:
    own = set(tool.name_words) | set(words(tool.tool.title))
    for place in tool.places[:50]:
        if place.role is Role.PROPERTY:
            own.update(name_words(place.name))
        values = place.fields.get("enum")
        if isinstance(values, list):
            own.update(word for value in values[:50] if isinstance(value, str) for word in words(value))
    return {word for word in own if word not in STOP_WORDS and word not in GENERIC and len(word) > 1}


def _same(word: str, own: str) -> bool:
    if stem(word) == stem(own):
        return True
    short, long = sorted((stem(word), stem(own)), key=len)
    return len(short) >= 5 and long.startswith(short[: max(5, len(short) - 2)])


def shared_words(one: ToolAnalysis, other: ToolAnalysis) -> float:
    """Share of the two descriptions' words that both have (Jaccard, function words included, as it was measured)."""
    union = one.words | other.words
    return len(one.words & other.words) / len(union) if union else 0.0


def confusable_pairs(analysis: Analysis) -> tuple[Pair, ...]:
    """Pairs of tools that name one thing, of which neither description is anchored.

    A description in another language than the names cannot hold their words. There two texts count only when they
    are near-duplicates and short enough to be vague.
    """
    return tuple(_confusable(analysis))


def _confusable(analysis: Analysis) -> Iterator[Pair]:
    loose = [each for each in analysis.offered if each.description and each.name_words and not anchored(each)]
    index: dict[str, list[ToolAnalysis]] = defaultdict(list)
    for tool in loose:
        keys = block_keys(tool.name_words)
        candidates = {each.index: each for key in keys for each in index[key][-_CANDIDATES:]}
        for _, earlier in sorted(candidates.items()):
            likeness = _likeness_of_vague(earlier, tool)
            if likeness is not None and same_thing(earlier.name_words, tool.name_words):
                yield Pair(earlier, tool, likeness)
                break
        for key in keys:
            index[key].append(tool)


def _likeness_of_vague(one: ToolAnalysis, other: ToolAnalysis) -> float | None:
    if one.english and other.english:
        return shared_words(one, other)
    short = max(one.content_size, other.content_size) <= _VAGUE_SIZE
    likeness = fuzz.ratio(one.folded, other.folded)
    return likeness / 100 if short and likeness >= LIKENESS else None


def duplicates(analysis: Analysis) -> Iterator[Pair]:
    """Each tool whose description an earlier tool of another name has word for word, with the first such tool."""
    first: dict[str, ToolAnalysis] = {}
    for tool in analysis.offered:
        if tool.folded:
            earlier = first.setdefault(tool.folded, tool)
            if earlier.name != tool.name:
                yield Pair(earlier, tool, 1.0)


def near_duplicates(analysis: Analysis) -> Iterator[Pair]:
    """Each tool whose description is nearly that of an earlier one, and differs by nothing that tells them apart."""
    first: dict[str, ToolAnalysis] = {}
    for each in analysis.offered:
        if each.folded:
            first.setdefault(each.folded, each)
    distinct = list(first.values())
    frequency = Counter(key for each in distinct for key in _keys(each))
    index: dict[str, list[ToolAnalysis]] = defaultdict(list)
    for tool in distinct:
        keys = sorted(_keys(tool), key=lambda key: (frequency[key], key))
        # Two texts that share 60 % of their keys share one of the rarest 40 % of either (prefix filter).
        prefix = keys[: len(keys) - int(0.6 * len(keys)) + 1]
        rare = [key for key in prefix if frequency[key] > 1]
        shared = Counter(each.index for key in rare for each in index[key][-_CANDIDATES:])
        by_index = {each.index: each for key in rare for each in index[key][-_CANDIDATES:]}
        for number, _ in shared.most_common(_CANDIDATES):
            earlier = by_index[number]
            likeness = fuzz.ratio(earlier.folded, tool.folded, score_cutoff=LIKENESS)
            if likeness and earlier.name != tool.name and not _told_apart(earlier, tool):
                yield Pair(earlier, tool, likeness / 100)
                break
        for key in rare:
            index[key].append(tool)


def in_other_words(analysis: Analysis) -> Iterator[Pair]:
    """Each tool that names the same thing as an earlier one and says the same of it, verb for verb.

    `search_products`, “Searches the products.”, and `find_products`, “Finds products.”: what differs in the texts is
    what differs in the names, and tells nothing apart. No threshold: the two say the same things or they do not.
    """
    index: dict[frozenset[str], list[ToolAnalysis]] = defaultdict(list)
    for tool in analysis.offered:
        content = [meaning(word) for word in tool.content_words if word not in GENERIC]
        said = frozenset([*content, *(tool.words & _TURNING)])
        if not tool.english or not content or not tool.name_words or _LITERAL.search(tool.description):
            continue
        for earlier in index[said][-_CANDIDATES:]:
            if earlier.name != tool.name and same_thing(earlier.name_words, tool.name_words):
                yield Pair(earlier, tool, fuzz.ratio(earlier.folded, tool.folded) / 100)
                break
        index[said].append(tool)


def _keys(tool: ToolAnalysis) -> frozenset[str]:
    if written_with_spaces(tool.description):
        return tool.words
    text = tool.folded[:500]
    return frozenset(text[at : at + 2] for at in range(max(len(text) - 1, 1)))


def _told_apart(one: ToolAnalysis, other: ToolAnalysis) -> bool:
    """Whether what differs between two texts is what differs between the names, or a number."""
    only_one, only_other = one.words - other.words, other.words - one.words
    return any(
        any(_NUMBER.fullmatch(word) or any(_same(word, each) for each in own) for word in differing)
        for differing, own in (
            (only_one, set(telling_words(one.name_words)) - set(other.name_words)),
            (only_other, set(telling_words(other.name_words)) - set(one.name_words)),
        )
    )
