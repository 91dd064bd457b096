"""Whatever a page does to the browser is an answer, bounded, and none of it shows in the next one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from crawler.browser import find_browser
from measure.compatibility.asking import Answer
from measure.compatibility.behaviour import ANSWERING, Behaviour, DevTools, Page, Script, Steps, Switch
from measure.compatibility.cell import Cell
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.probing import Origin, Tab
from measure.compatibility.running import Unasked, run_build
from tests.measure.compatibility.matrices import build


async def reloaded(tab: Tab) -> str:
    await tab.ask("globalThis.kept = 1;")
    await tab.reload()
    return await tab.ask("return typeof globalThis.kept;")


async def opened_elsewhere(tab: Tab) -> str:
    await tab.open("second", Origin.LOCALHOST)
    second = await tab.new_tab()
    await second.open_url("about:blank")
    return f"{await tab.ask('return document.title;')},{await second.ask('return location.href;')}"


async def navigated_back(tab: Tab) -> str:
    await tab.open("second")
    await tab.back()
    return await tab.ask("return document.title;")


async def no_answer(tab: Tab) -> str:
    session = await tab.devtools()
    await session.event("WebMCP.toolsAdded", within=0.2)
    raise AssertionError("an event that never comes has come")


async def in_devtools(tab: Tab) -> str:
    session = await tab.devtools()
    await session.send("WebMCP.enable")
    await tab.ask("await probe.register();")
    added = await session.event("WebMCP.toolsAdded", lambda event: event["tools"][0]["name"] == "tool")
    again = session.seen("WebMCP.toolsAdded")
    return f"{added['tools'][0]['name']},{len(again)}"


async def refused_by_devtools(tab: Tab) -> str:
    await (await tab.devtools()).send("WebMCP.noSuchMethod")
    raise AssertionError("there is no such method")


async def two_origins(tab: Tab) -> str:
    await tab.open("host")
    assert await tab.frame_devtools(Origin.OTHER_SITE) is None  # the shell has no site isolation
    with pytest.raises(LookupError):
        await tab.frame_devtools(Origin.THIRD_SITE)
    return "asked"


PAGES = {
    "": Page("<!doctype html><title>Entry</title>"),
    "second": Page("<!doctype html><title>Second</title>"),
    "host": Page('<!doctype html><iframe src="{{other_site}}/answering"></iframe>'),
    "header": Page(ANSWERING, {"X-Other": "{{other_site}}"}),
}


def asked(name: str, how: str | Steps | DevTools, **fields: object) -> Behaviour:
    values: dict[str, object] = {"pages": PAGES, **fields}
    how = Script(how) if isinstance(how, str) else how
    return Behaviour(f"exposure/{name}", "What?", "#x", how, canonical="any", **values)  # type: ignore[arg-type]


QUESTIONS = {
    "word": (asked("word", "return 'word';"), Answer("word")),
    "number": (asked("number", "return 5;"), Answer("5")),
    "throws": (asked("throws", "null.x;"), Answer("throws TypeError")),
    "rejects": (asked("rejects", "throw new DOMException('', 'DataError');"), Answer("throws DataError")),
    "no_question": (asked("na", "probe.notApplicable('nothing there');"), Answer("not_applicable", "nothing there")),
    "surrogate": (asked("surrogate", "return 'a\\ud800';"), Answer("a\\ud800")),
    "hang": (asked("hang", "await new Promise(() => {});", within=1.0), Answer("hang", "no answer within 3 s")),
    "busy": (asked("busy", "for (;;);", within=1.0), Answer("hang", "no answer within 3 s")),
    "after": (asked("after", "return 'alive';"), Answer("alive")),
    "secure": (asked("secure", "return isSecureContext ? 'yes' : 'no';"), Answer("yes")),
    "insecure": (asked("insecure", "return isSecureContext ? 'yes' : 'no';", entry=Origin.HTTP), Answer("no")),
    "localhost": (asked("localhost", "return location.hostname;", entry=Origin.LOCALHOST), Answer("localhost")),
    "file": (asked("file", "return location.protocol + document.title;", entry=Origin.FILE), Answer("file:Entry")),
    "frame": (
        asked(
            "frame",
            "const frame = await probe.frame({ origin: 'other_site' });"
            " return await probe.ask(frame, 'return location.origin === probe.origin(\"other_site\") ? 1 : 0;');",
        ),
        Answer("1"),
    ),
    "late": (
        asked("late", "return await probe.within(new Promise((resolve) => setTimeout(resolve, 3000, 'late')));"),
        Answer("late"),
    ),
    "late_in_frame": (
        asked(
            "late-in-frame",
            "return await probe.ask(await probe.frame(), 'const from = performance.now();"
            ' return (await probe.until(() => performance.now() > from + 3000, 2000)) ? "late" : "never";\');',
        ),
        Answer("late"),
    ),
    "frame_path": (
        asked(
            "frame-path",
            "const frame = await probe.frame({ path: 'header', origin: 'same_site' });"
            " return await probe.ask(frame, 'return (await fetch(location)).headers.get(\"X-Other\");');",
        ),
        Answer("https://other.test"),
    ),
    "frame_throws": (
        asked("frame-throws", "return await probe.ask(await probe.frame(), 'throw new RangeError();');"),
        Answer("throws RangeError"),
    ),
    "off": (asked("off", "return 'modelContext' in document ? 'yes' : 'no';", switch=Switch.NONE), Answer("no")),
    "on": (asked("on", "return 'modelContext' in document ? 'yes' : 'no';"), Answer("yes")),
    "reload": (asked("reload", Steps(reloaded)), Answer("undefined")),
    "elsewhere": (asked("elsewhere", Steps(opened_elsewhere)), Answer("Second,about:blank")),
    "back": (asked("back", Steps(navigated_back)), Answer("Entry")),
    "devtools": (asked("devtools", DevTools(in_devtools)), Answer("tool,1")),
    "no_event": (asked("no-event", DevTools(no_answer)), Answer("no_answer", "no WebMCP.toolsAdded within 0.2 s")),
    "refused": (asked("refused", DevTools(refused_by_devtools)), Answer("throws ProtocolError")),
    "origins": (asked("origins", DevTools(two_origins)), Answer("asked")),
    "crash": (
        asked(
            "crash",
            "document.implementation.createHTMLDocument('').modelContext; await probe.register(); return 'alive';",
            may_crash=True,
        ),
        Answer("crash"),
    ),
    "last": (asked("last", "return 'alive';", may_crash=True), Answer("alive")),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Cell | Unasked]:
    behaviours = [behaviour for behaviour, _ in QUESTIONS.values()]

    async def all_of(web: ProbeWeb) -> dict[str, Cell | Unasked]:
        results: AsyncIterator[Cell | Unasked] = run_build(build("hs156"), Path(find_browser()), behaviours, web)
        found: dict[str, Cell | Unasked] = {}
        async for result in results:
            found[result.behaviour if isinstance(result, Cell) else result.behaviour.id] = result
        return found

    with ProbeWeb(behaviours, tmp_path_factory.mktemp("files")) as web:
        return asyncio.run(all_of(web))


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_comes_back_is_the_answer(answers, name):
    behaviour, expected = QUESTIONS[name]
    cell = answers[behaviour.id]
    assert isinstance(cell, Cell), cell
    assert cell.value == expected.value, cell.detail
    if expected.detail:
        assert cell.detail == expected.detail


def test_evidence_says_what_was_run_and_where(answers):
    cell = answers["exposure/off"]
    assert isinstance(cell, Cell)
    assert cell.run == "return 'modelContext' in document ? 'yes' : 'no';"
    assert (cell.switch, cell.entry, cell.build) == (Switch.NONE, Origin.HTTPS, "hs156")


def test_a_browser_that_does_not_start_leaves_the_question_unasked(tmp_path):
    broken = tmp_path / "browser"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    question = asked("word", "return 'word';")

    async def first(web: ProbeWeb) -> Cell | Unasked:
        async with aclosing(run_build(build("hs156"), broken, [question], web)) as results:
            return await anext(results)

    with ProbeWeb([question], tmp_path) as web:
        result = asyncio.run(first(web))
    assert isinstance(result, Unasked)
    assert result.behaviour is question
    assert result.why
