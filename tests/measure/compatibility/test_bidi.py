"""The BiDi connection, against a server that speaks the protocol's words."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from measure.compatibility.bidi import Bidi, BidiError


@asynccontextmanager
async def browser(log: list[dict[str, Any]]) -> AsyncIterator[str]:
    """Answers `session.*`, refuses `bad`, answers `slow` after `fast`, hangs up at `die`."""

    async def speak(socket: ServerConnection) -> None:
        waiting: list[int] = []
        async for text in socket:
            message = json.loads(text)
            log.append(message)
            match message["method"]:
                case "die":
                    await socket.close()
                case "slow":
                    waiting.append(message["id"])
                    continue
                case "bad":
                    answer = {"type": "error", "id": message["id"], "error": "invalid argument", "message": "no such"}
                    await socket.send(json.dumps(answer))
                    continue
                case "tell":
                    event = {"type": "event", "method": "log.entry", "params": {"text": "hello"}}
                    await socket.send(json.dumps(event))
            for number in (message["id"], *waiting):
                await socket.send(json.dumps({"type": "success", "id": number, "result": {"of": number}}))
            waiting.clear()

    async with serve(speak, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


async def conversation(log: list[dict[str, Any]]) -> dict[str, Any]:
    heard: list[dict[str, Any]] = []
    gone = asyncio.Event()
    async with browser(log) as address, Bidi(address, gone.set) as bidi:
        await bidi.listen("log.entry", heard.append)
        await bidi.listen("log.entry", heard.append)
        slow, fast = await asyncio.gather(bidi.send("slow", {"a": 1}), bidi.send("tell"))
        with pytest.raises(BidiError, match="invalid argument: no such"):
            await bidi.send("bad")
        with pytest.raises(BidiError, match="the browser has gone"):
            await bidi.send("die")
        await asyncio.wait_for(gone.wait(), 10)
        with pytest.raises(BidiError, match="the browser has gone"):
            await bidi.send("after")
    return {"slow": slow, "fast": fast, "heard": heard}


def test_answers_find_their_commands_and_events_their_listeners():
    log: list[dict[str, Any]] = []
    said = asyncio.run(conversation(log))
    by_method = {message["method"]: message for message in log}
    assert said["slow"] == {"of": by_method["slow"]["id"]}
    assert said["fast"] == {"of": by_method["tell"]["id"]}
    assert by_method["slow"]["params"] == {"a": 1}
    assert said["heard"] == [{"text": "hello"}, {"text": "hello"}]
    assert [message["method"] for message in log].count("session.subscribe") == 1
    assert log[0]["params"] == {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}}


def test_an_orderly_end_is_no_crash():
    async def end() -> bool:
        gone = asyncio.Event()
        async with browser([]) as address:
            async with Bidi(address, gone.set):
                pass
            return gone.is_set()

    assert asyncio.run(end()) is False
