"""A first draft of a set, by a model; a person reads it before it is frozen."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from measure.judges.judge import Judge, Message
from measure.lint.manifest import ManifestTool
from measure.utterances.check import Least, normal
from measure.utterances.expectation import misfits
from measure.utterances.utterance_set import Author, Control, ControlKind, Tag, Utterance

_LIST = re.compile(r"\[.*\]", re.DOTALL)


class _Proposed(BaseModel):
    text: str
    tag: Tag = Tag.DIRECT
    arguments: dict[str, JsonValue] | None = None


_PROPOSALS: TypeAdapter[list[JsonValue]] = TypeAdapter(list[JsonValue])


@dataclass
class Drafted:
    """What came of it."""

    utterances: list[Utterance] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """What could not be used, and why."""


async def draft(judge: Judge, author: Author, tools: Sequence[ManifestTool], least: Least) -> Drafted:
    """Ask for utterances of each tool and controls of each kind, and keep what can be used.

    Texts that were said already, and arguments that no call could have, are refused. Raises JudgeFault.
    """
    drafted, said = Drafted(), set[str]()
    for position, tool in enumerate(tools):
        answer = await judge.answer([Message("user", tool_request(tool, tools, least.utterances))], ())
        for proposed in _usable(answer.text, tool.name, said, drafted.refused):
            wrong = misfits(proposed.arguments, tool) if proposed.arguments is not None else []
            if wrong:
                drafted.refused.append(f"{tool.name}: {proposed.text!r} expects arguments that cannot be: {wrong[0]}")
                continue
            number = 1 + sum(each.tool == tool.name for each in drafted.utterances)
            drafted.utterances.append(
                Utterance(
                    id=f"{position}-{_slug(tool.name)}-{number:02}",
                    text=proposed.text,
                    tag=proposed.tag,
                    author=author,
                    tool=tool.name,
                    arguments=proposed.arguments,
                )
            )
    each_kind = -(-least.controls // len(ControlKind))
    for kind in ControlKind:
        answer = await judge.answer([Message("user", control_request(kind, tools, each_kind))], ())
        for number, proposed in enumerate(_usable(answer.text, kind.value, said, drafted.refused), start=1):
            drafted.controls.append(
                Control(id=f"{kind.value}-{number:02}", text=proposed.text, kind=kind, author=author)
            )
    return drafted


def tool_request(tool: ManifestTool, tools: Sequence[ManifestTool], count: int) -> str:
    """Write the request for the utterances of one tool."""
    tags = "\n".join(f"- {tag.value}: {tag.meaning}" for tag in Tag)
    return f"""A web page offers these tools to an assistant, as JSON:
{_listed(tools)}

Write {count} things that users of the page might say so that the assistant should call {tool.name} and no other tool.
Vary words, length and manner; never write a tool's or a parameter's technical name. The manners are:
{tags}
Use every manner. Answer with a JSON list and nothing else; each item:
{{"text": "what the user says", "tag": "the manner", "arguments": {{"only what the text settles": "its value"}}}}"""


def control_request(kind: ControlKind, tools: Sequence[ManifestTool], count: int) -> str:
    """Write the request for controls of one kind."""
    return f"""A web page offers these tools to an assistant, as JSON:
{_listed(tools)}

Write {count} things that users might say to which the assistant should answer without calling any tool. The kind:
{kind.meaning}
Answer with a JSON list and nothing else; each item: {{"text": "what the user says"}}"""


def _listed(tools: Sequence[ManifestTool]) -> str:
    shown = [{"name": each.name, "description": each.description, "inputSchema": each.input_schema} for each in tools]
    return json.dumps(shown, ensure_ascii=False)


def _usable(answer: str, what: str, said: set[str], refused: list[str]) -> list[_Proposed]:
    """Read the proposals of an answer, leave out what was said before, and note what is no proposal."""
    found = _LIST.search(answer)
    try:
        items = _PROPOSALS.validate_json(found[0] if found else "")
    except ValidationError:
        refused.append(f"{what}: the answer has no JSON list: {answer[:80]!r}")
        return []
    usable = []
    for item in items:
        try:
            proposed = _Proposed.model_validate(item)
        except ValidationError as error:
            refused.append(f"{what}: {json.dumps(item)[:80]} is no proposal: {error.errors()[0]['msg']}")
            continue
        plain = normal(proposed.text)
        if not plain or plain in said or len(proposed.text) > 2_000:
            refused.append(f"{what}: {proposed.text[:80]!r} was said before, or says nothing, or too much")
            continue
        said.add(plain)
        usable.append(proposed)
    return usable


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "tool"
