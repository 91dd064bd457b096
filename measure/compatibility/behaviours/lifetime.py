"""How long a tool lives: what takes it away, and what becomes of a call whose page goes."""

import json
from collections.abc import Mapping

from measure.compatibility.answers import EXECUTING, in_js
from measure.compatibility.behaviour import Behaviour, DevTools, Page, Script, Steps
from measure.compatibility.devtools_domain import RESPONDED, domain, invoke, response, tool_named
from measure.compatibility.probing import Tab

_REMOVAL = "#unloading-document-cleanup-steps"
_LIST = "#dom-modelcontext-gettools"
_STAYS = {"stays": "The tool is listed still.", "gone": "The tool is gone."}
_RESPONDED = "DevTools protocol: WebMCP.toolResponded"
_STATUS = {
    "Completed": "Completed, as if the tool had answered.",
    "Canceled": "Canceled.",
    "Error": "Error.",
}
_HTML = "<!doctype html><title>A page</title>"

_SAYS = "return (await probe.names()).includes('tool') ? 'stays' : 'gone';"
_FRAME_WITH_TOOL = f"""
const frame = await probe.frame();
await probe.ask(frame, {in_js("await probe.needs();")});
if (!(await probe.until(async () => (await probe.names()).includes('tool'), 2000))) {{
  probe.notApplicable('a frame\\'s tool is not listed');
}}
"""
_SAYS_WHEN_STARTED = "await probe.needs({ execute: () => new Promise(() => { parent.started = true; }) });"
_CALLED = """
const [tool] = Array.from(await probe.tools());
const input = probe.wantsText() ? '{}' : {};
const call = () => probe.within(probe.outcome(() => probe.method('executeTool')(tool, input)), 3000);
"""


def _asked(
    name: str,
    question: str,
    script: str,
    values: Mapping[str, str] = _STAYS,
    section: str = _LIST,
    pages: Mapping[str, Page] | None = None,
) -> Behaviour:
    return Behaviour(f"lifetime/{name}", question, section, Script(script), values, pages=pages or {})


async def _reload(tab: Tab) -> str:
    await tab.ask("await probe.register();")
    await tab.reload()
    return await tab.ask(_SAYS)


async def _navigation_in_call(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register({ execute: () => new Promise(() => { self.started = true; }) });")
    invocation = await invoke(session, await tool_named(session), {})
    await tab.ask("await probe.until(() => self.started);")
    await tab.open("next")
    # What the next page registers is told of after whatever there was to say of the call.
    await tab.ask("await probe.register({ name: 'fence' });")
    await tool_named(session, "fence")
    said = [event for event in session.seen(RESPONDED) if event["invocationId"] == invocation]
    return str(said[0]["status"]) if said else "none"


async def _navigation_by_tool(tab: Tab) -> str:
    session = await domain(tab)
    address = json.dumps(tab.url("next"))
    await tab.ask(
        f"await probe.register({{ execute: () => {{ location.href = {address}; return new Promise(() => {{}}); }} }});"
    )
    said = await response(session, await invoke(session, await tool_named(session), {}))
    return f"{said['status']},{json.dumps(said.get('output'))}"


BEHAVIOURS = (
    _asked(
        "push-state",
        "Is a tool still there after `history.pushState()`?",
        f"await probe.register();\nhistory.pushState(null, '', '?route');\n{_SAYS}",
    ),
    _asked(
        "fragment",
        "Is a tool still there after a change of the fragment?",
        f"""
        await probe.register();
        const changed = probe.event(window, 'hashchange');
        location.hash = 'route';
        await changed;
        {_SAYS}""",
    ),
    _asked(
        "document-open",
        "Is a tool still there after `document.open()`?",
        f"await probe.register();\ndocument.open();\ndocument.write('<p>New.');\ndocument.close();\n{_SAYS}",
    ),
    Behaviour(
        id="lifetime/reload",
        question="Is a tool still there after a reload?",
        section=_LIST,
        asked=Steps(_reload),
        values=_STAYS,
    ),
    _asked(
        "frame-removed",
        "Does a page's list keep the tool of a frame that was removed?",
        f"""
        {_FRAME_WITH_TOOL}
        frame.remove();
        await probe.until(async () => !(await probe.names()).includes('tool'), 2000);
        {_SAYS}""",
    ),
    _asked(
        "frame-navigated",
        "Does a page's list keep the tool of a frame that went elsewhere?",
        f"""
        {_FRAME_WITH_TOOL}
        const loaded = probe.event(frame, 'load', 5000);
        frame.src = probe.url('next');
        await loaded;
        await probe.until(async () => !(await probe.names()).includes('tool'), 2000);
        {_SAYS}""",
        pages={"next": Page(_HTML)},
    ),
    _asked(
        "call-of-frame-gone-elsewhere",
        "What comes of calling the tool of a frame that went elsewhere after it was listed?",
        f"""
        {_FRAME_WITH_TOOL}
        {_CALLED}
        const loaded = probe.event(frame, 'load', 5000);
        frame.src = probe.url('next');
        await loaded;
        return await call();""",
        EXECUTING,
        "#dom-modelcontext-executetool",
        {"next": Page(_HTML)},
    ),
    _asked(
        "frame-removed-in-call",
        "What does a call end with whose frame is removed while the tool runs?",
        f"""
        const frame = await probe.frame();
        await probe.ask(frame, {in_js(_SAYS_WHEN_STARTED)});
        if (!(await probe.until(async () => (await probe.names()).includes('tool'), 2000))) {{
          probe.notApplicable('a frame\\'s tool is not listed');
        }}
        {_CALLED}
        const called = call();
        await probe.until(() => self.started, 2000);
        frame.remove();
        return await called;""",
        EXECUTING,
        _REMOVAL,
    ),
    Behaviour(
        id="lifetime/navigation-in-call",
        question="With which status does a call through DevTools end whose page goes elsewhere while the tool runs?",
        section=_RESPONDED,
        asked=DevTools(_navigation_in_call),
        values={
            **_STATUS,
            "none": "There is no response: whoever called waits for ever.",
        },
        pages={"next": Page(_HTML)},
    ),
    Behaviour(
        id="lifetime/navigation-by-tool",
        question="What does a call through DevTools come to whose tool itself takes the page elsewhere?",
        section=_RESPONDED,
        asked=DevTools(_navigation_by_tool),
        canonical="the status and the output as JSON",
        pages={
            "next": Page(f'{_HTML}<script type="application/ld+json">{{"name": "pizza"}}</script>'),
        },
    ),
)
