"""Judges for tests of runs: they keep what they were shown."""

from collections.abc import Sequence

from measure.judges.judge import Answer, Call, Message, ToolOffer


class Says:
    """Gives one answer after the other, then no more calls; `seen` has each conversation that it was shown."""

    name = "says"

    def __init__(self, *answers: Answer | Sequence[Call]) -> None:
        self._answers = list(answers)
        self.seen: list[list[Message]] = []
        self.offered: list[list[ToolOffer]] = []

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        self.seen.append(list(messages))
        self.offered.append(list(tools))
        if not self._answers:
            return Answer((), "Done.", None)
        answer = self._answers.pop(0)
        return answer if isinstance(answer, Answer) else Answer(tuple(answer), "", None)
