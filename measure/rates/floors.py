"""What needs no model: the rates that a judge must beat before its rate says anything."""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import mean
from typing import NamedTuple

from measure.judges.judge import ToolOffer
from measure.judges.lexical import best_match


class Question(NamedTuple):
    """What is said to the judge, and the tools that are right; none for a control."""

    text: str
    acceptable: frozenset[str]


class Floors(NamedTuple):
    """Shares of questions for which the right tool is selected (arguments are not looked at: floors, from above)."""

    lexical: float | None
    """By words in common: BM25 over name and description."""
    majority: float | None
    """By always answering with the one tool, or with none, that is right most often."""
    random: float | None
    """By drawing one of the tools blindly: the expected share. A blind draw never answers a control rightly."""


def floors(questions: Sequence[Question], tools: Sequence[ToolOffer]) -> Floors:
    """Give the three floors of one page's questions; None without questions."""
    if not questions:
        return Floors(None, None, None)
    names = {tool.name for tool in tools}

    def lexical(question: Question) -> bool:
        best = best_match(question.text, tools)
        return (best.name in question.acceptable) if best else not question.acceptable

    def blind(question: Question) -> float:
        return len(question.acceptable & names) / len(names) if names else 0.0

    return Floors(_mean(lexical, questions), _majority(questions), _mean(blind, questions))


def _mean(value: Callable[[Question], float], questions: Sequence[Question]) -> float:
    return mean(float(value(question)) for question in questions)


def _majority(questions: Sequence[Question]) -> float:
    right: Counter[str | None] = Counter()
    for question in questions:
        right.update(question.acceptable or {None})
    return max(right.values()) / len(questions)
