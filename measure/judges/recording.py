"""Answers kept by the content of the request: a cache to save money with, a recording to replay."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from census.atomic import write_whole
from census.errors import CensusError
from measure.judges.draw import request_digest
from measure.judges.judge import Answer, Cause, Judge, JudgeFault, Message, ToolOffer

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)


class Recording:
    """A folder with a file for each answer, named by the digest of judge, draw, conversation and tools.

    A file has the judge's name and its answer, nothing of how it was asked: no key, no header.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, digest: str) -> Answer | None:
        """Give the answer, or None. Raises CensusError for a file that is no answer."""
        path = self._path(digest)
        try:
            return _ANSWER.validate_python(json.loads(path.read_text(encoding="utf-8"))["answer"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise CensusError(f"{path} holds no recorded answer: delete it to ask again") from error

    def save(self, digest: str, judge: str, answer: Answer) -> None:
        """Keep an answer; a crash leaves the old file or the new one, never half of one."""
        path = self._path(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps({"judge": judge, "answer": asdict(answer)}))

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / f"{digest}.json"


class Recorded(Judge):
    """Asks `judge` once for each request of this draw, and gives the kept answer afterwards. Faults are not kept."""

    def __init__(self, judge: Judge, recording: Recording, draw: str) -> None:
        self.name = judge.name
        self._judge, self._recording, self._draw = judge, recording, draw

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Give the kept answer, or ask and keep it."""
        digest = request_digest(self.name, self._draw, messages, tools)
        kept = self._recording.load(digest)
        if kept is not None:
            return kept
        answer = await self._judge.answer(messages, tools)
        self._recording.save(digest, self.name, answer)
        return answer


class Replay(Judge):
    """Gives what the judge of that name said when it was recorded, and asks nobody; else a NOT_RECORDED fault."""

    def __init__(self, judge: str, recording: Recording, draw: str) -> None:
        self.name = f"replay:{judge}"
        self._judge, self._recording, self._draw = judge, recording, draw

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        """Give the recorded answer."""
        kept = self._recording.load(request_digest(self._judge, self._draw, messages, tools))
        if kept is None:
            raise JudgeFault(
                Cause.NOT_RECORDED,
                f"nothing is recorded of {self._judge} for this request (draw {self._draw!r}): "
                "page, tools, order of tools and utterance must be the recorded ones",
            )
        return kept
