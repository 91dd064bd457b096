"""The file of a suite, as its author writes it: the public format, and what ours adds to it.

`docs/eval.schema.json` is made from these models by `make docs`.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, JsonValue, RootModel, Tag, model_validator
from pydantic.alias_generators import to_camel

Arguments = dict[str, JsonValue]
NonEmpty = Annotated[str, Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, allow_inf_nan=False)


class ContentMessage(_Part):
    """What somebody said."""

    type: Literal["message"] = "message"
    role: Literal["user", "model", "assistant", "system"]
    content: str


class FunctionCallMessage(_Part):
    """A call that was made earlier in the conversation."""

    type: Literal["functioncall"] = "functioncall"
    role: Literal["model", "assistant"] = "model"
    name: NonEmpty
    arguments: Arguments


class FunctionResponseMessage(_Part):
    """What that call gave; it belongs to the earliest call of that name that has no response yet."""

    type: Literal["functionresponse"] = "functionresponse"
    role: Literal["user", "tool"] = "user"
    name: NonEmpty
    response: JsonValue


class Tools(_Part):
    """The list of tools when a call is made: names that it has, names that it lacks, or the whole list."""

    has: tuple[NonEmpty, ...] = ()
    lacks: tuple[NonEmpty, ...] = ()
    only: tuple[NonEmpty, ...] | None = None


class Call(_Part):
    """A call that is expected."""

    function_name: NonEmpty
    arguments: Arguments | None = None
    """Expected arguments, as values or operators; further ones are let pass. Left out or null: any."""
    result: JsonValue = None
    """Expected result, as a value or operators; held only against a result that is known."""
    mock_output: JsonValue = None
    """What the tool answers when this call is made of a file of tools. Left out: `{}`."""
    optional: bool = False
    id: NonEmpty | None = None
    """Ours: a name by which `$from` can take values from the result."""
    tools: Tools | None = None
    """Ours: what the list of tools has to be at this call."""
    effects: dict[str, JsonValue] | None = None
    """Ours: what the call has to do to the page, as values or operators; held only where there is a page."""
    fails: Literal["temporary", "permanent"] | Literal[True] | None = None
    """Ours: the call has to fail, say so in a way that its caller can see and read, and say for how long."""


class Ordered(_Part):
    """Each member's calls before the next one's."""

    ordered: tuple["Node", ...] = Field(min_length=1)
    optional: bool = False
    """Ours: wanted wholly or not at all."""


class Unordered(_Part):
    """Members in any order; their calls may come between each other's."""

    unordered: tuple["Node", ...] = Field(min_length=1)
    optional: bool = False
    """Ours: wanted wholly or not at all."""


def _kind_of_node(value: Any) -> str:
    if isinstance(value, dict):
        return next((f"<{kind}>" for kind in ("ordered", "unordered") if kind in value), "<call>")
    return "<call>"


Node = Annotated[
    Annotated[Call, Tag("<call>")] | Annotated[Ordered, Tag("<ordered>")] | Annotated[Unordered, Tag("<unordered>")],
    Discriminator(_kind_of_node),
]


class ExpectedTurn(_Part):
    """Ours: here the judge answers with calls until it makes no more; what comes after it, the user says then."""

    expected_call: tuple[Node, ...] | None
    """Null: no call may be made in this turn."""


Said = ContentMessage | FunctionCallMessage | FunctionResponseMessage


def _kind_of_message(value: Any) -> str:
    if not isinstance(value, dict):
        return "<message>"
    if "expectedCall" in value:
        return "<expected>"
    if "type" in value:
        return f"<{value['type']}>"
    if "response" in value:
        return "<functionresponse>"
    return "<functioncall>" if "arguments" in value else "<message>"


Message = Annotated[
    Annotated[ContentMessage, Tag("<message>")]
    | Annotated[FunctionCallMessage, Tag("<functioncall>")]
    | Annotated[FunctionResponseMessage, Tag("<functionresponse>")]
    | Annotated[ExpectedTurn, Tag("<expected>")],
    Discriminator(_kind_of_message, custom_error_type="message_type",
                  custom_error_message="write message, functioncall or functionresponse as its type"),
]  # fmt: skip


class Pattern(_Part):
    """Calls of one tool, or those of them whose arguments are as expected."""

    function_name: NonEmpty
    arguments: Arguments | None = None


class Mock(Pattern):
    """What a tool answers; the first mock that fits a call answers it."""

    result: JsonValue = None
    error: NonEmpty | None = None
    """The call fails, and this is what the caller is told."""
    hang: Literal[True] | None = None
    """The call is never answered, and the caller is told so."""
    nothing: Literal[True] | None = None
    """The call is answered with nothing: what a tool gives that returns nothing."""
    fails: bool = False
    """With a result: it is the wrong one, a failure that looks like a success."""
    step: Annotated[int, Field(ge=0)] | None = None
    """In which answer of the judge the call has to be, from 1; 0 for driven calls. Left out: any."""
    times: Annotated[int, Field(ge=1)] | None = None
    """How many calls it answers; left out: all."""

    @model_validator(mode="after")
    def _one_answer(self) -> "Mock":
        if len(self.model_fields_set & {"result", "error", "hang", "nothing"}) != 1:
            raise ValueError("give one of: a result, an error, hang, nothing")
        if self.fails and "result" not in self.model_fields_set:
            raise ValueError("fails is for a result; an error, hang and nothing fail anyway")
        return self


class NetworkMock(_Part):
    """What a request of the page is answered instead of being sent; the first one that fits answers it."""

    url: NonEmpty
    """A glob over whole URLs, as Playwright has it: `**/api/orders*`."""
    method: NonEmpty | None = None
    """Left out: any."""
    status: Annotated[int, Field(ge=200, le=599)] = 200
    headers: dict[str, str] = {}
    json_: JsonValue = Field(default=None, alias="json")
    """What the body is."""
    body: str | None = None
    """The body as it is, in the place of `json`."""
    abort: Literal[True] | None = None
    """The connection fails."""
    times: Annotated[int, Field(ge=1)] | None = None
    """How many requests it answers; the next ones are sent, or answered by a later mock. Left out: all."""


class PageState(_Part):
    """What the page has to be at the end, each as a value or operators."""

    url: JsonValue = None
    """The address of the top document."""
    text: JsonValue = None
    """The text that it shows."""
    elements: dict[NonEmpty, JsonValue] = {}
    """By CSS selector: `count` and the `text` of the first."""


class Driven(_Part):
    """A call that is made before the judge is asked, with these arguments as they are."""

    function_name: NonEmpty
    arguments: Arguments = {}
    id: NonEmpty | None = None


class Limit(_Part):
    """How often a tool may be called."""

    min: Annotated[int, Field(ge=0)] = 0
    max: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _possible(self) -> "Limit":
        if self.max is not None and self.max < self.min:
            raise ValueError(f"max {self.max} is under min {self.min}")
        return self


class Case(_Part):
    """One eval. The public format has `name`, `messages` and `expectedCall`; the rest is ours."""

    name: str | None = None
    messages: tuple[Message, ...] = Field(min_length=1)
    expected_call: tuple[Node, ...] | None
    """Null: no call may be made."""
    request: Literal["direct", "ambiguous"] | None = None
    """Whether the request's words name what is to be called; the two are scored apart."""
    tags: tuple[NonEmpty, ...] = ()
    forbidden: tuple[Pattern, ...] = ()
    harmless: tuple[NonEmpty, ...] = ()
    """Tools whose extra calls are reported and do not fail the case, besides the read-only ones."""
    limits: dict[str, Limit] = {}
    """By tool; `*` for all calls together."""
    mocks: tuple[Mock, ...] = ()
    drive: tuple[Driven, ...] = ()
    network: tuple[NetworkMock, ...] = ()
    """Answers to requests of the page; they count only where there is a page."""
    page: PageState | None = None
    """What the page has to be when the run is over; held only where there is a page."""
    clock: datetime | None = None
    """What the judge is told that the time is, and the page."""


class SuiteObject(_Part):
    """A suite with things that its cases share."""

    schema_: str | None = Field(default=None, alias="$schema")
    description: str | None = None
    definitions: Arguments = {}
    """Expected values by name, for `{"$ref": "#/definitions/name"}`."""
    tools: JsonValue = None
    """A list of tools, in any notation that `lint` reads."""
    harmless: tuple[NonEmpty, ...] = ()
    mocks: tuple[Mock, ...] = ()
    """Tried after the case's own."""
    network: tuple[NetworkMock, ...] = ()
    """Tried after the case's own."""
    clock: datetime | None = None
    cases: tuple[Case, ...] = Field(min_length=1)


CaseList = Annotated[tuple[Case, ...], Field(min_length=1)]


def _shape(value: Any) -> str:
    return "<object>" if isinstance(value, dict) else "<list>"


class SuiteFile(RootModel[
    Annotated[
        Annotated[CaseList, Tag("<list>")] | Annotated[SuiteObject, Tag("<object>")],
        Discriminator(_shape),
    ]
]):  # fmt: skip
    """A file of evals: a list of cases, as the public suites are, or an object that holds them."""

    model_config = ConfigDict(frozen=True, title="A suite of WebMCP evals")
