"""The floors of a page's tools: what needs no model, on the same questions and the same offered tools."""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from measure.judges.judge import ToolOffer
from measure.rate_report.report import FloorsOf
from measure.rates.floors import Question, floors


class Asked(NamedTuple):
    """An utterance: the tool in whose rate it counts, the names that are right, and the tools that were offered."""

    tool: str
    text: str
    right: frozenset[str]
    offered: tuple[ToolOffer, ...]


def page_floors(asked: Sequence[Asked]) -> tuple[Mapping[str, FloorsOf], FloorsOf | None]:
    """Give the floors of each tool, and those of the page; none without questions.

    The majority answer is the page's: the one tool that is right for the most questions, the first by name when
    several are. It scores 1 for itself and mostly 0 for the others, which is what it is worth.
    """
    if not asked:
        return {}, None
    names = sorted({name for each in asked for name in each.right})
    commonest = max(names, key=lambda name: sum(name in each.right for each in asked))
    by_tool: dict[str, list[Asked]] = {}
    for each in asked:
        by_tool.setdefault(each.tool, []).append(each)
    return {tool: _floors(mine, commonest) for tool, mine in by_tool.items()}, _floors(asked, commonest)


def _floors(asked: Sequence[Asked], commonest: str) -> FloorsOf:
    scores = [floors([Question(each.text, each.right)], each.offered) for each in asked]
    return FloorsOf(
        lexical=mean(score.lexical or 0.0 for score in scores),
        majority=mean(float(commonest in each.right) for each in asked),
        random=mean(score.random or 0.0 for score in scores),
    )
