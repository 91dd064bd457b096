"""What the tests of trials say and offer: tools, utterances, controls, and a page that does as it is told."""

from collections.abc import Mapping

from pydantic import JsonValue

from census.vocabulary import Kind
from measure.live.execution import Execution, ExecutionStatus
from measure.live.live_tool import LiveTool
from measure.utterances.utterance_set import Author, Control, ControlKind, Tag, Utterance

PERSON = Author(kind="person", name="Ada")
SIZE: JsonValue = {
    "type": "object",
    "properties": {"size": {"enum": ["small", "large"]}, "count": {"type": "integer"}},
    "required": ["size"],
}


def tool(
    name: str, schema: JsonValue = None, *, reads: bool = False, frame: str = "top", description: str = "Does."
) -> LiveTool:
    return LiveTool(name, description, schema, {"readOnly": True} if reads else None, frame, "F", Kind.SCRIPT)


def utterance(
    name: str = "one",
    tool: str = "order",
    arguments: Mapping[str, JsonValue] | None = None,
    acceptable: tuple[str, ...] = (),
    text: str = "A large one, please",
) -> Utterance:
    return Utterance(
        id=name, text=text, tag=Tag.DIRECT, author=PERSON, tool=tool, acceptable=acceptable,
        arguments=None if arguments is None else dict(arguments),
    )  # fmt: skip


def control(name: str = "song", text: str = "Sing me a song") -> Control:
    return Control(id=name, text=text, kind=ControlKind.IRRELEVANT, author=PERSON)


def answered(output: JsonValue) -> Execution:
    return Execution(ExecutionStatus.COMPLETED, output)
