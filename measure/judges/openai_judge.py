"""A model behind an OpenAI-compatible endpoint, by the official client."""

from collections.abc import Sequence
from typing import Any

import openai

from measure.judges import openai_wire
from measure.judges.budget import Budget
from measure.judges.endpoint import Dialect, EndpointSettings, ask
from measure.judges.judge import Answer, Judge, Message, ToolOffer
from measure.judges.refusal import refusal, unreached

DEFAULT_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
_NO_KEY = "none"


class OpenAIJudge(Judge):
    """Asks `chat/completions`. Its own retries are off: ours hold the budget for every attempt."""

    def __init__(self, settings: EndpointSettings, budget: Budget) -> None:
        self.name = settings.name("openai")
        self._settings, self._budget = settings, budget
        self._client = openai.AsyncOpenAI(
            api_key=settings.key or _NO_KEY,
            base_url=settings.base_url,
            max_retries=0,
            timeout=settings.deadline.total_seconds(),
        )
        request: dict[str, Any] = {"model": settings.model, "max_completion_tokens": settings.max_output}
        if settings.temperature is not None:
            request["temperature"] = settings.temperature
        self._dialect = Dialect(openai_wire.encode, self._send, openai_wire.decode, request)

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Ask the model."""
        return await ask(self._dialect, self._settings, self._budget, messages, tools)

    async def aclose(self) -> None:
        """Close its connections."""
        await self._client.close()

    async def _send(self, body: dict[str, Any]) -> str:
        try:
            answer = await self._client.chat.completions.with_raw_response.create(**body)
        except openai.APIStatusError as error:
            raise refusal(error.status_code, error.response.headers, error.response.text, self._settings.key) from None
        except openai.APIConnectionError as error:
            raise unreached(self._settings.base_url, error) from None
        return str(answer.text)
