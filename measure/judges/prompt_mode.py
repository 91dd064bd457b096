"""Tools in the prompt and the choice as JSON in the text: for models without native tool calling."""

import json
import re
from collections.abc import Sequence
from json import JSONDecoder

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import from_json

from measure.judges.judge import Answer, Call, Message, ToolOffer

INSTRUCTION = """You can use the tools of the page that is open. These are all of them, as JSON:

{tools}

Answer with one JSON object and nothing else. To use tools:
{{"calls": [{{"name": "the tool's name", "arguments": {{}}}}]}}
with as many calls as are needed, in their order. When no tool fits what was asked:
{{"calls": []}}"""

_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_OPENING = re.compile(r'\{\s*"(?:calls|name|arguments)"\s*:')
_DECODER = JSONDecoder()


def as_prompt(messages: Sequence[Message], tools: Sequence[ToolOffer]) -> list[Message]:
    """Write the tools into the system's turn, calls as the JSON that is asked for, and results as user turns."""
    listed = [{"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema} for tool in tools]
    told = INSTRUCTION.format(tools=json.dumps(listed, ensure_ascii=False))
    system = [message.content for message in messages if message.role == "system"]
    turns = [Message("system", "\n\n".join([*system, told]))]
    for message in messages:
        if message.role == "tool":
            turns.append(Message("user", f"Result: {message.content}"))
        elif message.role == "assistant" and message.calls:
            calls = [{"name": call.name, "arguments": call.arguments} for call in message.calls]
            turns.append(Message("assistant", json.dumps({"calls": calls}, ensure_ascii=False)))
        elif message.role != "system":
            turns.append(Message(message.role, message.content))
    return turns


class _Chosen(BaseModel):
    name: str
    arguments: JsonValue = None


class _Choice(BaseModel):
    calls: list[_Chosen]


def read_choice(answer: Answer) -> Answer:
    """Read the calls from an answer's text: a fenced block, or the first JSON object that begins as asked.

    A bare `{"name": …, "arguments": …}` counts as one call. Arguments that are left out are `{}`. Anything else is
    `malformed`.
    """
    text = answer.text
    fenced = _FENCE.search(text)
    found = _chosen_object(fenced.group(1) if fenced else text)
    if found is None:
        return Answer((), text, answer.usage, malformed="no JSON choice in the answer")
    try:
        choice = _Choice.model_validate(found if "calls" in found else {"calls": [found]})
    except ValidationError as error:
        reason = error.errors()[0]
        where = ".".join(map(str, reason["loc"]))
        return Answer((), text, answer.usage, malformed=f"the answer's JSON is not as asked: {where}: {reason['msg']}")
    calls = tuple(Call(each.name, {} if each.arguments is None else each.arguments) for each in choice.calls)
    return Answer(calls, text, answer.usage)


def _chosen_object(text: str) -> dict[str, JsonValue] | None:
    """Give the object that opens as a choice does; where that one breaks off, nothing inside it counts."""
    opening = _OPENING.search(text)
    if opening is None:
        return None
    try:
        _, end = _DECODER.raw_decode(text, opening.start())
        value = from_json(text[opening.start() : end], allow_inf_nan=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
