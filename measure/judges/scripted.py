"""A judge that says what it was told to say: for tests, and the ground that the oracle stands on."""

from collections.abc import Mapping, Sequence

from measure.judges.judge import Answer, Cause, Judge, JudgeFault, Message, ToolOffer
from measure.judges.turns import answers_since_user, last_user_text

Script = Mapping[str, Sequence[Answer | Cause]]
"""For the text of a user turn, what is said to it, one after the other; a Cause is a missing measurement."""

NOTHING_MORE = Answer(calls=(), text="Done.", usage=None)


class Scripted(Judge):
    """Finds its answer by the last user turn and the assistant's turns since, so order and concurrency do not matter.

    After the last answer it calls nothing more. A user turn that is not in the script is a NOT_RECORDED fault.
    """

    def __init__(self, script: Script, name: str = "scripted") -> None:
        self.name = name
        self._script = script

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Say the next thing of the script; the tools make no difference to it."""
        text = last_user_text(messages)
        if text not in self._script:
            raise JudgeFault(Cause.NOT_RECORDED, f"{self.name} has no answer to {text[:200]!r}: add it to the script")
        said = self._script[text]
        turn = answers_since_user(messages)
        answer = said[turn] if turn < len(said) else NOTHING_MORE
        if isinstance(answer, Cause):
            raise JudgeFault(answer, f"{self.name} was told to fail: {answer}")
        return answer
