"""What the DevTools protocol's domain `WebMCP` offers whoever drives the browser."""

from collections.abc import Mapping

from measure.compatibility.answers import yes_no
from measure.compatibility.behaviour import Behaviour, DevTools, Page, Switch
from measure.compatibility.behaviours import devtools_calls
from measure.compatibility.devtools_domain import ADDED, REMOVED, domain, has_tool, tool_named
from measure.compatibility.probing import Dialogue, NoAnswer, NotApplicable, Origin, Tab, Threw

_EVENTS = "DevTools protocol: WebMCP.toolsAdded, WebMCP.toolsRemoved"
_REGISTERS_ALL = """
await probe.register({
  title: 'Tool', inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, untrustedContentHint: true, consequentialHint: true, debugging: true },
});
"""
_FENCE = "await probe.register({ name: 'fence' });"
_HTML = "<!doctype html><title>A page</title>"


def _behaviour(
    name: str,
    question: str,
    section: str,
    ask: Dialogue,
    values: Mapping[str, str] | None = None,
    canonical: str = "",
    pages: Mapping[str, Page] | None = None,
    switch: Switch = Switch.WEBMCP,
) -> Behaviour:
    return Behaviour(
        f"devtools/{name}", question, section, DevTools(ask), values, canonical, pages or {}, switch=switch
    )


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


async def _removed_on_navigation(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register();")
    await tool_named(session)
    await tab.open("next")
    await tab.ask(_FENCE)
    await session.event(ADDED, has_tool("fence"))
    return "yes" if any(map(has_tool("tool"), session.seen(REMOVED))) else "no"


async def _removed_with_frame(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask(
        """
        self.frame = await probe.frame();
        await probe.ask(self.frame, 'await probe.register();');
        """
    )
    try:
        await tool_named(session)
    except NoAnswer:
        raise NotApplicable("a frame's tool is not told of") from None
    await tab.ask(f"self.frame.remove();{_FENCE}")
    await session.event(ADDED, has_tool("fence"))
    return "yes" if any(map(has_tool("tool"), session.seen(REMOVED))) else "no"


async def _same_origin_frame(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("const frame = await probe.frame(); await probe.ask(frame, 'await probe.register();');")
    try:
        await session.event(ADDED, has_tool("tool"), within=3.0)
    except NoAnswer:
        return "no"
    return "yes"


async def _cross_site_frame(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask(
        "const frame = await probe.frame({ origin: 'other_site', attributes: { allow: 'tools' } });"
        "await probe.ask(frame, 'await probe.register();');"
    )
    own = await tab.frame_devtools(Origin.OTHER_SITE)
    if own is not None:
        await own.send("WebMCP.enable")
    try:
        await session.event(ADDED, has_tool("tool"), within=5.0 if own is None else 0.5)
    except NoAnswer:
        if own is None:
            return "none"
    else:
        return "page"
    await own.event(ADDED, has_tool("tool"))
    return "frame"


async def _late(tab: Tab) -> str:
    await tab.ask(
        """
        await probe.register({ name: 'outer' });
        const frame = await probe.frame();
        await probe.ask(frame, "await probe.register({ name: 'inner' });");
        """
    )
    session = await domain(tab)
    await tab.ask(_FENCE)
    await session.event(ADDED, has_tool("fence"))
    names = {tool["name"] for event in session.seen(ADDED) for tool in event["tools"]} - {"fence"}
    return ",".join(sorted(names)) or "none"


async def _enabled_twice(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register();")
    await tool_named(session)
    await session.send("WebMCP.enable")
    await tab.ask(_FENCE)
    await session.event(ADDED, has_tool("fence"))
    times = sum(tool["name"] == "tool" for event in session.seen(ADDED) for tool in event["tools"])
    return {1: "no", 2: "yes"}.get(times, str(times))


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
    _behaviour(
        "enable",
        "Is there a domain `WebMCP`?",
        "DevTools protocol: WebMCP.enable",
        _enables,
        yes_no("It can be enabled.", "There is none."),
    ),
    _behaviour(
        "enable-without-switch",
        "Is there a domain `WebMCP` in a browser as it comes?",
        "DevTools protocol: WebMCP.enable",
        _enables,
        yes_no("It can be enabled, and stays silent.", "There is none."),
        switch=Switch.NONE,
    ),
    _behaviour(
        "enable-with-feature-switch",
        "Is there a domain `WebMCP` with `--enable-features=WebMCP` alone?",
        "DevTools protocol: WebMCP.enable",
        _enables,
        yes_no("It can be enabled.", "There is none: it needs a feature of its own."),
        switch=Switch.FEATURE,
    ),
    _behaviour(
        "tells-of-tool",
        "Does the domain tell of a tool that a script registers?",
        _EVENTS,
        _tells,
        yes_no("It does.", "It does not."),
    ),
    _behaviour(
        "members-of-script-tool",
        "Which members has a script's tool, told of with everything given?",
        _EVENTS,
        _members,
        canonical="names of the members, sorted",
    ),
    _behaviour(
        "members-of-form-tool",
        "Which members has a form's tool?",
        _EVENTS,
        _members_of_form,
        canonical="names of the members, sorted",
        pages=_FORM_PAGE,
    ),
    _behaviour(
        "annotations",
        "Which hints of a tool with all of them does the domain tell of?",
        _EVENTS,
        _annotations,
        canonical="names of the hints that are true, sorted; `none`",
    ),
    _behaviour(
        "autosubmit",
        "Does the domain tell that a form submits by itself?",
        _EVENTS,
        _autosubmit,
        yes_no("It does.", "It does not."),
        pages=_FORM_PAGE,
    ),
    _behaviour(
        "events-of-burst",
        "In which events do tools arrive that are registered in a row?",
        _EVENTS,
        _events_of_burst,
        canonical="names of an event's tools joined by commas, events by semicolons",
    ),
    _behaviour(
        "removed-on-abort",
        "Does the domain tell that a tool is gone whose signal was aborted?",
        _EVENTS,
        _removed_on_abort,
        yes_no("It does.", "It does not."),
    ),
    _behaviour(
        "removed-on-navigation",
        "Does the domain tell that a page's tools are gone when the page navigates?",
        _EVENTS,
        _removed_on_navigation,
        yes_no("It does.", "It does not: whoever listens has to follow the navigations."),
        pages={"next": Page(_HTML)},
    ),
    _behaviour(
        "removed-with-frame",
        "Does the domain tell that a frame's tools are gone when the frame is removed?",
        _EVENTS,
        _removed_with_frame,
        yes_no("It does.", "It does not: whoever listens has to follow the frames."),
    ),
    _behaviour(
        "same-origin-frame",
        "Does the page's session tell of a same-origin frame's tool?",
        _EVENTS,
        _same_origin_frame,
        yes_no("It does.", "It does not."),
    ),
    _behaviour(
        "cross-site-frame",
        "Which session tells of an allowed cross-site frame's tool?",
        _EVENTS,
        _cross_site_frame,
        {
            "page": "The page's: the frame shares its process.",
            "frame": "One of the frame's own: sites are isolated.",
            "none": "None that can be had.",
        },
    ),
    _behaviour(
        "enabled-late",
        "Which tools does the domain tell of when it is enabled after a page and its frame registered?",
        "DevTools protocol: WebMCP.enable",
        _late,
        canonical="names of the tools (the page's `outer`, the frame's `inner`), sorted; `none`",
    ),
    _behaviour(
        "enabled-twice",
        "Does enabling the domain again tell of the same tools again?",
        "DevTools protocol: WebMCP.enable",
        _enabled_twice,
        yes_no("It does: whoever listens has to drop what is known.", "It does not."),
    ),
    _behaviour(
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
    _behaviour(
        "schema-not-an-object",
        "Is a schema told of that serializes to a text?",
        _EVENTS,
        _schema_of("{ toJSON: () => 'text' }"),
        _GIVEN,
    ),
    *devtools_calls.BEHAVIOURS,
)
