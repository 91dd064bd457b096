"""Which of several draws of the same question a request is: repeats must differ, resumed runs must not."""

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import asdict

from measure.judges.judge import Message, ToolOffer
from measure.judges.offer import refuse_deep


def request_digest(judge: str, draw: str, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> str:
    """Name one request by its content (SHA-256, hex): the judge, the draw, the conversation, the tools in their order.

    `draw` tells repeats apart ("session 2 repeat 1"): without it a cache would answer every repeat with the first, and
    the spread between them would be a made-up zero. The order of a schema's keys counts, since a model sees it.
    Raises JudgeFault for a schema that is too deep to be shown.
    """
    refuse_deep(tools)
    content = [judge, draw, [asdict(message) for message in messages], [asdict(tool) for tool in tools]]
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


def generator(seed: int, draw: str, messages: Sequence[Message]) -> random.Random:
    """Make the random generator of one request: the same for the same seed, draw and conversation, on any machine."""
    return random.Random(request_digest(f"seed {seed}", draw, messages, ()))  # noqa: S311 -- no secret hangs on it
