"""A Claude model behind Anthropic's Messages API, by the official client."""

from collections.abc import Sequence
from typing import Any

import anthropic

from census.errors import CensusError
from measure.judges import anthropic_wire
from measure.judges.budget import Budget
from measure.judges.endpoint import Dialect, EndpointSettings, ask
from measure.judges.judge import Answer, Judge, Message, ToolOffer
from measure.judges.refusal import refusal, unreached

DEFAULT_URL = "https://api.anthropic.com"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
_NO_KEY = "none"


class AnthropicJudge(Judge):
    """Asks `v1/messages`. Its own retries are off: ours hold the budget for every attempt."""

    def __init__(self, settings: EndpointSettings, budget: Budget) -> None:
        if settings.temperature is not None:
            raise CensusError("--temperature: the Messages API takes none since its version 2026-10-21: leave it out")
        self.name = settings.name("anthropic")
        self._settings, self._budget = settings, budget
        self._client = anthropic.AsyncAnthropic(
            api_key=settings.key or _NO_KEY,
            base_url=settings.base_url,
            max_retries=0,
            timeout=settings.deadline.total_seconds(),
        )
        request = {"model": settings.model, "max_tokens": settings.max_output}
        self._dialect = Dialect(anthropic_wire.encode, self._send, anthropic_wire.decode, request)

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Ask the model."""
        return await ask(self._dialect, self._settings, self._budget, messages, tools)

    async def aclose(self) -> None:
        """Close its connections."""
        await self._client.close()

    async def _send(self, body: dict[str, Any]) -> str:
        try:
            answer = await self._client.messages.with_raw_response.create(**body)
        except anthropic.APIStatusError as error:
            raise refusal(error.status_code, error.response.headers, error.response.text, self._settings.key) from None
        except anthropic.APIConnectionError as error:
            raise unreached(self._settings.base_url, error) from None
        return str(await answer.text())
