"""What the two kinds of model endpoint have in common: the settings, and one bounded, budgeted, repeated request."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal
from urllib.parse import urlsplit

from census.errors import CensusError
from measure.judges.attempts import PassingFault, Retries, attempted
from measure.judges.budget import Budget, upper_bound
from measure.judges.judge import Answer, Cause, JudgeFault, Message, ToolOffer
from measure.judges.offer import Aliases, aliases, refuse_deep
from measure.judges.prompt_mode import as_prompt, read_choice
from measure.lint.json_schema import clean

Mode = Literal["native", "prompt"]


@dataclass(frozen=True)
class EndpointSettings:
    """How a model is asked. Everything here but the key and the patience goes into the judge's name."""

    model: str
    base_url: str
    key: str | None = field(repr=False)
    mode: Mode = "native"
    max_output: int = 1024
    """Tokens that one answer may have; an answer that needs more is TRUNCATED."""
    temperature: float | None = None
    """None leaves it to the endpoint; several models take no other."""
    deadline: timedelta = timedelta(seconds=120)
    """For one attempt, from the first byte sent to the last one read."""
    retries: Retries = field(default_factory=Retries)

    def __post_init__(self) -> None:
        """Refuse a URL that could carry a secret into a record."""
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or parts.query:
            raise CensusError(
                "--judge-url must be http(s)://host/path without user, password or query: "
                "keys are taken from the environment only"
            )

    def name(self, kind: str) -> str:
        """Name the judge: kind, model, where it is, and each setting that changes its answers."""
        temperature = "" if self.temperature is None else f",temperature={self.temperature:g}"
        return f"{kind}:{self.model}@{self.base_url},mode={self.mode},max_output={self.max_output}{temperature}"


@dataclass(frozen=True)
class Dialect:
    """One kind of endpoint: how a request is written, sent and read."""

    encode: Callable[[Sequence[Message], Sequence[ToolOffer], Aliases], dict[str, Any]]
    send: Callable[[dict[str, Any]], Awaitable[str]]
    """Gives the answer's body; raises JudgeFault, and PassingFault for what another attempt may get over."""
    decode: Callable[[str, Aliases], Answer]
    request: Mapping[str, Any]
    """What every request has: the model, the limit on the answer."""


async def ask(
    dialect: Dialect,
    settings: EndpointSettings,
    budget: Budget,
    messages: Sequence[Message],
    tools: Sequence[ToolOffer],
) -> Answer:
    """Ask for one answer, within the budget, each attempt within the deadline, again where it may pass."""
    refuse_deep(tools)
    names = aliases(tools)
    if settings.mode == "prompt":
        encoded = dialect.encode(as_prompt(messages, tools), (), names)
    else:
        encoded = dialect.encode(messages, tools, names)
    # A page's texts may hold lone surrogates, which UTF-8 cannot carry.
    body: Any = clean({**dialect.request, **encoded})
    bound = upper_bound(json.dumps(body), settings.max_output)

    async def attempt() -> Answer:
        with budget.holding(bound) as held:
            try:
                async with asyncio.timeout(settings.deadline.total_seconds()):
                    text = await dialect.send(body)
                answer = dialect.decode(text, names)
            except TimeoutError as error:
                seconds = settings.deadline.total_seconds()
                raise PassingFault(Cause.UNAVAILABLE, f"no answer within {seconds:g} s: try later") from error
            except JudgeFault as fault:
                held.usage = fault.usage
                raise
            held.usage = answer.usage
            return answer

    answer = await attempted(attempt, settings.retries)
    return read_choice(answer) if settings.mode == "prompt" else answer
