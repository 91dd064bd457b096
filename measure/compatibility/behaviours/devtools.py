"""What the DevTools protocol's domain `WebMCP` offers whoever drives the browser."""

from measure.compatibility.answers import yes_no
from measure.compatibility.behaviour import Page, Switch
from measure.compatibility.behaviours import devtools_calls, devtools_sessions
from measure.compatibility.behaviours.devtools_asked import asked_through
from measure.compatibility.devtools_domain import ADDED, REMOVED, domain, has_tool, tool_named
from measure.compatibility.probing import Dialogue, NoAnswer, NotApplicable, Tab, Threw

_EVENTS = "DevTools protocol: WebMCP.toolsAdded, WebMCP.toolsRemoved"
_REGISTERS_ALL = """
await probe.register({
  title: 'Tool', inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, untrustedContentHint: true, consequentialHint: true, debugging: true },
});
"""
_FENCE = "await probe.register({ name: 'fence' });"
_HTML = "<!doctype html><title>A page</title>"


async def _enables(tab: Tab) -> str:
    session = await tab.devtools()
    try:
        await session.send("WebMCP.enable")
    except Threw:
        return "no"
    return "yes"


async def _tells(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register();")
    try:
        await session.event(ADDED, has_tool("tool"), within=3.0)
    except NoAnswer:
        return "no"
    return "yes"


async def _members(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask(_REGISTERS_ALL)
    return ",".join(sorted(await tool_named(session)))


async def _members_of_form(tab: Tab) -> str:
    session = await domain(tab)
    await tab.open("form")
    try:
        return ",".join(sorted(await tool_named(session, "search")))
    except NoAnswer:
        raise NotApplicable("no form becomes a tool") from None


async def _annotations(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask(_REGISTERS_ALL)
    hints = (await tool_named(session)).get("annotations") or {}
    return ",".join(sorted(hint for hint, value in hints.items() if value)) or "none"


async def _autosubmit(tab: Tab) -> str:
    session = await domain(tab)
    await tab.open("form")
    try:
        tool = await tool_named(session, "search")
    except NoAnswer:
        raise NotApplicable("no form becomes a tool") from None
    return "yes" if (tool.get("annotations") or {}).get("autosubmit") else "no"


async def _events_of_burst(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("for (const name of ['c', 'a', 'b', 'fence']) probe.method('registerTool')(probe.tool({ name }));")
    await session.event(ADDED, has_tool("fence"))
    events = [[tool["name"] for tool in event["tools"]] for event in session.seen(ADDED)]
    return ";".join(",".join(names) for names in events if names)


async def _removed_on_abort(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask(
        "const stop = new AbortController(); await probe.register({}, { signal: stop.signal }); stop.abort();" + _FENCE
    )
    await session.event(ADDED, has_tool("fence"))
    return "yes" if any(map(has_tool("tool"), session.seen(REMOVED))) else "no"


async def _lone_surrogate(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register({ description: 'half \\uD83C pizza' });")
    description = (await tool_named(session)).get("description") or ""
    if not description:
        return "empty"
    return "kept" if any(0xD800 <= ord(char) <= 0xDFFF for char in description) else "replaced"


def _schema_of(schema: str) -> Dialogue:
    async def ask(tab: Tab) -> str:
        session = await domain(tab)
        await tab.ask(f"await probe.register({{ inputSchema: {schema} }});")
        return "given" if "inputSchema" in await tool_named(session) else "left_out"

    return ask


_GIVEN = {"given": "The event has it.", "left_out": "The event leaves it out."}
_FORM_PAGE = {
    "form": Page(f'{_HTML}<form toolname="search" tooldescription="Searches." toolautosubmit><input name="q"></form>')
}

BEHAVIOURS = (
    asked_through(
        "enable",
        "Is there a domain `WebMCP`?",
        "DevTools protocol: WebMCP.enable",
        _enables,
        yes_no("It can be enabled.", "There is none."),
    ),
    asked_through(
        "enable-without-switch",
        "Is there a domain `WebMCP` in a browser as it comes?",
        "DevTools protocol: WebMCP.enable",
        _enables,
        yes_no("It can be enabled, and stays silent.", "There is none."),
        switch=Switch.NONE,
    ),
    asked_through(
        "enable-with-feature-switch",
        "Is there a domain `WebMCP` with `--enable-features=WebMCP` alone?",
        "DevTools protocol: WebMCP.enable",
        _enables,
        yes_no("It can be enabled.", "There is none: it needs a feature of its own."),
        switch=Switch.FEATURE,
    ),
    asked_through(
        "tells-of-tool",
        "Does the domain tell of a tool that a script registers?",
        _EVENTS,
        _tells,
        yes_no("It does.", "It does not."),
    ),
    asked_through(
        "members-of-script-tool",
        "Which members has a script's tool, told of with everything given?",
        _EVENTS,
        _members,
        canonical="names of the members, sorted",
    ),
    asked_through(
        "members-of-form-tool",
        "Which members has a form's tool?",
        _EVENTS,
        _members_of_form,
        canonical="names of the members, sorted",
        pages=_FORM_PAGE,
    ),
    asked_through(
        "annotations",
        "Which hints of a tool with all of them does the domain tell of?",
        _EVENTS,
        _annotations,
        canonical="names of the hints that are true, sorted; `none`",
    ),
    asked_through(
        "autosubmit",
        "Does the domain tell that a form submits by itself?",
        _EVENTS,
        _autosubmit,
        yes_no("It does.", "It does not."),
        pages=_FORM_PAGE,
    ),
    asked_through(
        "events-of-burst",
        "In which events do tools arrive that are registered in a row?",
        _EVENTS,
        _events_of_burst,
        canonical="names of an event's tools joined by commas, events by semicolons",
    ),
    asked_through(
        "removed-on-abort",
        "Does the domain tell that a tool is gone whose signal was aborted?",
        _EVENTS,
        _removed_on_abort,
        yes_no("It does.", "It does not."),
    ),
    asked_through(
        "lone-surrogate",
        "What becomes of a description with half a surrogate pair on its way through the protocol?",
        _EVENTS,
        _lone_surrogate,
        {
            "kept": "It arrives as it is, and is not writable as UTF-8.",
            "replaced": "The half is replaced.",
            "empty": "The whole description is lost.",
        },
    ),
    asked_through(
        "schema-not-an-object",
        "Is a schema told of that serializes to a text?",
        _EVENTS,
        _schema_of("{ toJSON: () => 'text' }"),
        _GIVEN,
    ),
    *devtools_sessions.BEHAVIOURS,
    *devtools_calls.BEHAVIOURS,
)
