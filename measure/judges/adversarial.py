"""A judge that misbehaves in the ways that models do, whole and in time: each is an outcome, none is a fault."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pydantic import JsonValue

from measure.judges.draw import generator
from measure.judges.judge import Answer, Call, Judge, Message, ToolOffer

_DEEP = 100


def _calls(*calls: Call) -> Answer:
    return Answer(calls=calls, text="", usage=None)


def _made_up(name: str) -> Answer:
    return _calls(Call(f"{name}_and_confirm", {}))


def _deep() -> JsonValue:
    value: JsonValue = {}
    for _ in range(_DEEP):
        value = {"next": value}
    return value


BEHAVIOURS: Final[Mapping[str, Callable[[str], Answer]]] = {
    "made_up_name": _made_up,
    "other_case": lambda name: _calls(Call(name.swapcase(), {})),
    "arguments_text": lambda name: Answer(
        (Call(name, "{'size': large"),), "", None, malformed=f"the arguments of {name} are no JSON"
    ),
    "arguments_list": lambda name: _calls(Call(name, ["large", 1])),
    "arguments_null": lambda name: _calls(Call(name, None)),
    "arguments_extra": lambda name: _calls(Call(name, {"__proto__": {"polluted": True}, "constructor": 1})),
    "arguments_deep": lambda name: _calls(Call(name, {"deep": _deep()})),
    "twice": lambda name: _calls(Call(name, {}, "a"), Call(name, {}, "b")),
    "same_id": lambda name: _calls(Call(name, {}, "a"), Call(f"not_{name}", {}, "a")),
    "empty": lambda _: _calls(),
    "malformed": lambda name: Answer((), f"Sure! I will call {name}(", None, malformed="no JSON object in the answer"),
    "text_that_lies": lambda name: Answer((), f"I have called {name}, all is done.", None),
    "injected_text": lambda name: Answer((Call(name, {}),), "<script>alert(1)</script> \u202e | `x`", None),
}
"""What it can do, each given the name of an offered tool."""


class Adversarial(Judge):
    """Does one of its behaviours, by seed, draw and conversation. Raises KeyError for an unknown behaviour."""

    def __init__(self, seed: int = 0, behaviours: Sequence[str] = tuple(BEHAVIOURS), draw: str = "") -> None:
        self._behaviours = [BEHAVIOURS[each] for each in behaviours]
        self._seed, self._draw = seed, draw
        every = tuple(behaviours) == tuple(BEHAVIOURS)
        self.name = f"adversarial:seed={seed}" + ("" if every else f",{'+'.join(behaviours)}")

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Misbehave, about one of the offered tools when there is one."""
        random = generator(self._seed, self._draw, messages)
        name = random.choice([tool.name for tool in tools]) if tools else "no_tool"
        return random.choice(self._behaviours)(name)
