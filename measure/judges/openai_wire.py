"""Chat completions: the request's body from plain values, plain values from the answer's body."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from measure.judges.arguments import read_call
from measure.judges.judge import Answer, Call, Cause, JudgeFault, Message, ToolOffer, Usage
from measure.judges.offer import Aliases, object_schema
from measure.judges.turns import with_ids


def encode(messages: Sequence[Message], tools: Sequence[ToolOffer], names: Aliases) -> dict[str, Any]:
    """Give `messages` and, when there are tools, `tools` of a request."""
    body: dict[str, Any] = {"messages": [_turn(message, names) for message in with_ids(messages)]}
    if tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": names.alias(tool.name),
                    "description": tool.description,
                    "parameters": object_schema(tool.input_schema),
                },
            }
            for tool in tools
        ]
    return body


def _turn(message: Message, names: Aliases) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
    if not message.calls:
        return {"role": message.role, "content": message.content}
    return {
        "role": message.role,
        "content": message.content or None,
        "tool_calls": [_call(call, names) for call in message.calls],
    }


def _call(call: Call, names: Aliases) -> dict[str, Any]:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": names.alias(call.name), "arguments": arguments}}


def _text_of(arguments: object) -> object:
    """Some compatible servers give the arguments as an object, where the protocol has a text."""
    return json.dumps(arguments) if isinstance(arguments, dict) else arguments


class _Function(BaseModel):
    name: str
    arguments: Annotated[str, BeforeValidator(_text_of)] = ""


class _ToolCall(BaseModel):
    id: str | None = None
    function: _Function


class _Reply(BaseModel):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(BaseModel):
    finish_reason: str | None = None
    message: _Reply


class _Tokens(BaseModel):
    prompt_tokens: int
    completion_tokens: int


class _Completion(BaseModel):
    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: _Tokens | None = None


def decode(body: str, names: Aliases) -> Answer:
    """Read an answer. A refusal, and what a content filter let through, are answers: an agent would get the same.

    Raises JudgeFault: TRUNCATED when the answer was cut at its length, MALFORMED_TRANSPORT for another protocol.
    """
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError as error:
        raise JudgeFault(
            Cause.MALFORMED_TRANSPORT,
            f"the endpoint's answer is no chat completion ({error.errors()[0]['msg']}): is the URL an "
            "OpenAI-compatible endpoint, up to and including /v1?",
        ) from error
    choice = completion.choices[0]
    tokens = completion.usage
    usage = Usage(tokens.prompt_tokens, tokens.completion_tokens) if tokens else None
    if choice.finish_reason == "length":
        raise JudgeFault(Cause.TRUNCATED, "the answer was cut off at its length: allow more tokens an answer", usage)
    read = [
        read_call(names.tool(each.function.name), each.function.arguments, each.id or "")
        for each in choice.message.tool_calls or []
    ]
    problems = [each.problem for each in read if each.problem]
    return Answer(
        calls=tuple(each.call for each in read),
        text=choice.message.content or choice.message.refusal or "",
        usage=usage,
        malformed="; ".join(problems) or None,
    )
