"""What the DevTools protocol tells of tools that go, of frames, and to whom it tells it."""

from measure.compatibility.answers import yes_no
from measure.compatibility.behaviour import Page
from measure.compatibility.behaviours.devtools_asked import asked_through
from measure.compatibility.devtools_domain import ADDED, REMOVED, domain, has_tool, tool_named
from measure.compatibility.probing import NoAnswer, NotApplicable, Origin, Tab

_EVENTS = "DevTools protocol: WebMCP.toolsAdded, WebMCP.toolsRemoved"
_FENCE = "await probe.register({ name: 'fence' });"


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
    await tab.devtools()
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


BEHAVIOURS = (
    asked_through(
        "removed-on-navigation",
        "Does the domain tell that a page's tools are gone when the page navigates?",
        _EVENTS,
        _removed_on_navigation,
        yes_no("It does.", "It does not: whoever listens has to follow the navigations."),
        pages={"next": Page()},
    ),
    asked_through(
        "removed-with-frame",
        "Does the domain tell that a frame's tools are gone when the frame is removed?",
        _EVENTS,
        _removed_with_frame,
        yes_no("It does.", "It does not: whoever listens has to follow the frames."),
    ),
    asked_through(
        "same-origin-frame",
        "Does the page's session tell of a same-origin frame's tool?",
        _EVENTS,
        _same_origin_frame,
        yes_no("It does.", "It does not."),
    ),
    asked_through(
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
    asked_through(
        "enabled-late",
        "Which tools does the domain tell of when it is enabled after a page and its frame registered?",
        "DevTools protocol: WebMCP.enable",
        _late,
        canonical="names of the tools (the page's `outer`, the frame's `inner`), sorted; `none`",
    ),
    asked_through(
        "enabled-twice",
        "Does enabling the domain again tell of the same tools again?",
        "DevTools protocol: WebMCP.enable",
        _enabled_twice,
        yes_no("It does: whoever listens has to drop what is known.", "It does not."),
    ),
)
