"""Firefox builds, driven over WebDriver BiDi (Playwright drives only a Firefox of its own)."""

import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from measure.browsers.libraries import environment
from measure.compatibility.behaviour import Behaviour, Switch
from measure.compatibility.bidi import Bidi, BidiError
from measure.compatibility.engine import Start, answer_of, question
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.probing import DevToolsSession, NotApplicable, Origin, Tab

_ENABLED, _TESTING = "dom.modelcontext.enabled", "dom.modelcontext.testing.enabled"
PREFERENCES: dict[Switch, tuple[str, ...]] = {
    Switch.WEBMCP: (_ENABLED,),
    Switch.NONE: (),
    Switch.TESTING: (_ENABLED, _TESTING),
}
"""The preferences of each switch that means something in Firefox."""

_ALWAYS: dict[str, Any] = {
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "app.update.checkInstallTime": False,
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # Every name is the loopback: the probes' hosts are reached, and nothing else is.
    "network.dns.forceResolve": "127.0.0.1",
    "toolkit.telemetry.enabled": False,
}
_LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_START, _LOAD, _END = 60.0, 30.0, 10.0


@asynccontextmanager
async def firefox(path: Path, web: ProbeWeb) -> AsyncIterator[Start]:
    """What starts a Firefox build; nothing of it is shared between two starts."""
    yield lambda switch: _engine(path, switch, web)


@asynccontextmanager
async def _engine(path: Path, switch: Switch, web: ProbeWeb) -> AsyncIterator["Firefox"]:
    """A start of a Firefox build.

    Raises NotApplicable for a switch that is Chromium's alone, and BidiError when the browser does not start.
    """
    if switch not in PREFERENCES:
        raise NotApplicable("the switch is Chromium's")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        _write_preferences(Path(profile), switch)
        process = await _start(path, profile)
        try:
            engine = Firefox(web)
            async with Bidi(await _address(process), engine.crashed.set) as bidi:
                engine.bidi = bidi
                yield engine
        finally:
            await _end(process)


def _write_preferences(profile: Path, switch: Switch) -> None:
    values = {**_ALWAYS, **dict.fromkeys(PREFERENCES[switch], True)}
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in values.items())
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")


async def _start(path: Path, profile: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        path,
        *("--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"),
        env={**environment(path), "HOME": profile, "MOZ_CRASHREPORTER_DISABLE": "1"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def _address(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    said: list[str] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(_START):
            while line := (await process.stderr.readline()).decode(errors="replace"):
                said.append(line)
                if found := _LISTENING.search(line):
                    return found[1]
    raise BidiError(f"Firefox did not start: {' '.join(said)[-300:]}")


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
        try:
            async with asyncio.timeout(_END):
                # Its errors are read to the end: a full pipe would hold it.
                await process.communicate()
        except TimeoutError:
            process.kill()
            await process.communicate()


class Firefox:
    """A running Firefox."""

    bidi: Bidi

    def __init__(self, web: ProbeWeb) -> None:
        self.crashed = asyncio.Event()
        self.spent = False
        self._web = web

    @asynccontextmanager
    async def tab(self, behaviour: Behaviour, patience: int = 1) -> AsyncIterator[Tab]:
        """A tab in a user context of its own."""
        user = (await self.bidi.send("browser.createUserContext"))["userContext"]
        try:
            yield await _Tab.opened(self.bidi, user, behaviour, self._web, patience)
        finally:
            try:
                async with asyncio.timeout(_END):
                    await self.bidi.send("browser.removeUserContext", {"userContext": user})
            except (TimeoutError, BidiError):
                self.spent = True


class _Tab:
    def __init__(self, bidi: Bidi, context: str, user: str, behaviour: Behaviour, web: ProbeWeb, patience: int) -> None:
        self._bidi = bidi
        self._context = context
        self._user = user
        self._behaviour = behaviour
        self._web = web
        self._patience = patience

    @classmethod
    async def opened(cls, bidi: Bidi, user: str, behaviour: Behaviour, web: ProbeWeb, patience: int) -> "_Tab":
        context = (await bidi.send("browsingContext.create", {"type": "tab", "userContext": user}))["context"]
        return cls(bidi, context, user, behaviour, web, patience)

    def url(self, path: str = "", origin: Origin = Origin.HTTPS) -> str:
        return self._web.url(self._behaviour, path, origin)

    async def open(self, path: str = "", origin: Origin = Origin.HTTPS) -> None:
        await self.open_url(self.url(path, origin))

    async def open_url(self, url: str) -> None:
        async with asyncio.timeout(_LOAD):
            await self._bidi.send(
                "browsingContext.navigate", {"context": self._context, "url": url, "wait": "complete"}
            )

    async def reload(self) -> None:
        async with asyncio.timeout(_LOAD):
            await self._bidi.send("browsingContext.reload", {"context": self._context, "wait": "complete"})

    async def back(self) -> None:
        shown = asyncio.Event()
        # The event of a document that is loaded again; one out of the cache has been there all the time.
        await self._bidi.listen("browsingContext.load", lambda _: shown.set())
        await self._bidi.send("browsingContext.traverseHistory", {"context": self._context, "delta": -1})
        with suppress(TimeoutError):
            await asyncio.wait_for(shown.wait(), 2.0)

    async def ask(self, script: str) -> str:
        # An array of strings comes back as BiDi's own notation; JSON is one string.
        asked = f"{question(self._web.probe(self._behaviour, self._patience), script)}.then(JSON.stringify)"
        said = await self._bidi.send(
            "script.evaluate", {"expression": asked, "target": {"context": self._context}, "awaitPromise": True}
        )
        if said["type"] == "exception":
            raise BidiError(said["exceptionDetails"]["text"])
        return answer_of(json.loads(said["result"]["value"]))

    async def devtools(self) -> DevToolsSession:
        raise NotApplicable("no DevTools protocol in this engine")

    async def frame_devtools(self, origin: Origin) -> DevToolsSession | None:
        raise NotApplicable("no DevTools protocol in this engine")

    async def new_tab(self) -> Tab:
        return await _Tab.opened(self._bidi, self._user, self._behaviour, self._web, self._patience)
