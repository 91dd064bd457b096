"""Which names mean nearly the same: decided on their words, so that camelCase and snake_case count as one."""

import regex
from rapidfuzz.distance import JaroWinkler

from measure.lint.vocabulary import SAME_ACTION, STOP_WORDS, VARIANTS
from measure.lint.words import stem

_ACTION_OF = {word: action[0] for action in SAME_ACTION for word in action}
_ACTION_OF_STEM = {stem(word): action for word, action in _ACTION_OF.items()}
_VERSION = regex.compile(r"v\p{N}+")
_SAME_SPELLING = 0.92
"""Jaro-Winkler similarity from which two words are taken for spellings of one (organise, organize)."""
_ABBREVIATION = 3
"""Letters that a word must have to stand for a longer one that begins with it (sum, summarise)."""


def telling_words(name: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name that can tell it from another: no function words, version numbers or marks of a copy."""
    kept = [word for word in name if word not in STOP_WORDS and word not in VARIANTS and not _VERSION.fullmatch(word)]
    return tuple(kept) or name


def same_word(one: str, other: str) -> bool:
    """Whether two words of names mean one thing: one stem, one action, an abbreviation, or two spellings."""
    if one == other:
        return True
    if one[0].isnumeric() or other[0].isnumeric():
        return False
    action = _ACTION_OF.get(one)
    if stem(one) == stem(other) or (action is not None and action == _ACTION_OF.get(other)):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= _ABBREVIATION and long.startswith(short):
        return True
    return len(short) > _ABBREVIATION and JaroWinkler.similarity(one, other) >= _SAME_SPELLING


def meaning(word: str) -> str:
    """The stem of a word; of a verb that builders use for another, the one that stands for them all."""
    root = stem(word)
    return _ACTION_OF_STEM.get(root, root)


def same_thing(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names name one thing: each telling word of either has its counterpart in the other, in any order."""
    left, right = list(telling_words(one)), list(telling_words(other))
    if not left or len(left) != len(right):
        return False
    for word in left:
        match = next((each for each in right if same_word(word, each)), None)
        if match is None:
            return False
        right.remove(match)
    return True


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of the telling stems that two names have in common (Dice)."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def block_keys(name: tuple[str, ...]) -> set[str]:
    """Keys of which two names that name one thing share at least one: the first letters, or the action, of a word."""
    kept = telling_words(name)
    return {word[:_ABBREVIATION] for word in kept} | {_ACTION_OF[word] for word in kept if word in _ACTION_OF}
