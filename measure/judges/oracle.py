"""Judges that know what is expected: the ceiling of a measurement, and a known rate to test the statistics with."""

from collections.abc import Mapping, Sequence

from measure.judges.draw import generator
from measure.judges.judge import Answer, Call, Judge, Message, ToolOffer
from measure.judges.scripted import Scripted


def oracle(expected: Mapping[str, Sequence[Sequence[Call]]], name: str = "oracle") -> Judge:
    """Make the judge that makes the expected calls: for each user text, the calls of its first, second, … answer.

    No calls, as for a control, is an empty list. What it fails at, no model can be blamed for.
    """
    return Scripted(
        {
            text: [Answer(calls=tuple(calls), text="", usage=None) for calls in turns]
            for text, turns in expected.items()
        },
        name,
    )


class NoisyOracle(Judge):
    """Says what `truth` says with probability p, else something wrong: another offered tool, or no call at all.

    Each request is an independent draw made of the seed, the draw's name and the conversation, so the same run gives
    the same answers in any order and after any resume. Raises ValueError when not 0 <= p <= 1.
    """

    def __init__(self, truth: Judge, p: float, seed: int, draw: str = "") -> None:
        if not 0 <= p <= 1:
            raise ValueError(f"p must be between 0 and 1, not {p}")
        self.name = f"noisy-oracle:p={p:g},seed={seed}"
        self._truth, self._p, self._seed, self._draw = truth, p, seed, draw

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Answer as the truth, or wrongly. Where nothing is expected and no tool is offered, no wrong answer exists."""
        right = await self._truth.answer(messages, tools)
        random = generator(self._seed, self._draw, messages)
        if random.random() < self._p:
            return right
        expected = {call.name for call in right.calls}
        wrong: list[tuple[Call, ...]] = [(Call(name, {}),) for name in sorted({tool.name for tool in tools} - expected)]
        if right.calls:
            wrong.append(())
        return Answer(calls=random.choice(wrong), text="", usage=None) if wrong else right
