"""A judge that is shown a conversation as if nothing had been driven: a script counts its own answers only."""

from collections.abc import Sequence

from measure.judges.judge import Answer, Judge, Message, ToolOffer

DRIVEN = "driven-"
"""With this begin the ids of driven calls."""


class WithoutDriven:
    """Asks another judge, without the driven calls and their results."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.name = judge.name

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Ask the other judge."""
        return await self._judge.answer([each for each in messages if not _is_driven(each)], tools)


def _is_driven(message: Message) -> bool:
    if message.call_id is not None:
        return message.call_id.startswith(DRIVEN)
    return bool(message.calls) and all(call.id.startswith(DRIVEN) for call in message.calls)
