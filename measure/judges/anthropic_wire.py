"""Anthropic's messages: the request's body from plain values, plain values from the answer's body."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pydantic import BaseModel, JsonValue, ValidationError

from measure.judges.judge import Answer, Call, Cause, JudgeFault, Message, ToolOffer, Usage
from measure.judges.offer import Aliases, object_schema
from measure.judges.turns import with_ids

_CUT = {"max_tokens", "model_context_window_exceeded"}
_NO_ID = re.compile(r"[^A-Za-z0-9_-]")


def encode(messages: Sequence[Message], tools: Sequence[ToolOffer], names: Aliases) -> dict[str, Any]:
    """Give `messages`, and `system` and `tools` where there are any, of a request.

    The system's turns become the one system text. Turns of one side that follow each other become one, so that the
    results of parallel calls stand in one user turn, as the API asks.
    """
    turns = with_ids(messages)
    sides = groupby(
        (turn for turn in turns if turn.role != "system"),
        key=lambda turn: "assistant" if turn.role == "assistant" else "user",
    )
    written = [(side, [block for turn in group for block in _blocks(turn, names)]) for side, group in sides]
    # A turn in which nothing was said or called is none: the API refuses empty content.
    body: dict[str, Any] = {"messages": [{"role": side, "content": blocks} for side, blocks in written if blocks]}
    system = "\n\n".join(turn.content for turn in turns if turn.role == "system")
    if system:
        body["system"] = system
    if tools:
        body["tools"] = [
            {
                "name": names.alias(tool.name),
                "description": tool.description,
                "input_schema": object_schema(tool.input_schema),
            }
            for tool in tools
        ]
    return body


def _blocks(turn: Message, names: Aliases) -> list[dict[str, Any]]:
    if turn.role == "tool":
        return [{"type": "tool_result", "tool_use_id": _id(turn.call_id or ""), "content": turn.content}]
    text = [{"type": "text", "text": turn.content}] if turn.content else []
    return [*text, *(_use(call, names) for call in turn.calls)]


def _use(call: Call, names: Aliases) -> dict[str, Any]:
    # The API takes objects only; what a model wrote that was none has been answered by an error already.
    arguments: JsonValue = call.arguments if isinstance(call.arguments, dict) else {}
    return {"type": "tool_use", "id": _id(call.id), "name": names.alias(call.name), "input": arguments}


def _id(call_id: str) -> str:
    return _NO_ID.sub("_", call_id)


class _Block(BaseModel):
    type: str
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: JsonValue = None


class _Tokens(BaseModel):
    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Reply(BaseModel):
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Tokens | None = None


def decode(body: str, names: Aliases) -> Answer:
    """Read an answer. A refusal is an answer without a call: an agent would get the same.

    Raises JudgeFault: TRUNCATED when the answer was cut at its length or at the model's context,
    MALFORMED_TRANSPORT for another protocol.
    """
    try:
        reply = _Reply.model_validate_json(body)
        uses = [block for block in reply.content if block.type == "tool_use"]
        calls = tuple(Call(names.tool(_named(block)), block.input, block.id or "") for block in uses)
    except ValueError as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise JudgeFault(
            Cause.MALFORMED_TRANSPORT,
            f"the endpoint's answer is no message ({reason}): is the URL one of the Messages API, without /v1?",
        ) from error
    usage = Usage(_taken_in(reply.usage), reply.usage.output_tokens) if reply.usage else None
    if reply.stop_reason in _CUT:
        raise JudgeFault(Cause.TRUNCATED, "the answer was cut off at its length: allow more tokens an answer", usage)
    return Answer(
        calls=calls,
        text="".join(block.text or "" for block in reply.content if block.type == "text"),
        usage=usage,
    )


def _named(block: _Block) -> str:
    if block.name is None:
        raise ValueError("a tool_use block without a name")
    return block.name


def _taken_in(tokens: _Tokens) -> int:
    """Cached tokens are input that `input_tokens` leaves out."""
    return tokens.input_tokens + (tokens.cache_creation_input_tokens or 0) + (tokens.cache_read_input_tokens or 0)
