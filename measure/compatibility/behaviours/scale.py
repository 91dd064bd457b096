"""How many tools there may be, and how large."""

from measure.compatibility.behaviour import Behaviour, DevTools, Script, Switch
from measure.compatibility.devtools_domain import ADDED, domain, has_tool
from measure.compatibility.probing import Tab

_SECTION = "#mitigation-restrict-input-lengths: no limit is set"
_COUNTED = "return String(Array.from(await probe.tools()).length);"
_MEGABYTE = 1_000_000


async def _snapshot(tab: Tab) -> str:
    await tab.ask("for (let i = 0; i < 500; i++) await probe.register({ name: `tool_${i}` });")
    session = await domain(tab)
    await session.event(ADDED, has_tool("tool_499"))
    return str(len({tool["name"] for event in session.seen(ADDED) for tool in event["tools"]}))


BEHAVIOURS = (
    Behaviour(
        id="scale/500-tools",
        question="How many tools are listed of 500 that are registered one after the other?",
        section=_SECTION,
        asked=Script(f"for (let i = 0; i < 500; i++) await probe.register({{ name: `tool_${{i}}` }});\n{_COUNTED}"),
        canonical="the number of tools listed",
        within=60.0,
    ),
    Behaviour(
        id="scale/5000-tools-at-once",
        question="How many tools are listed of 5,000 that are registered without waiting?",
        section=_SECTION,
        asked=Script(
            f"""
            const given = [];
            for (let i = 0; i < 5000; i++) given.push(probe.register({{ name: `tool_${{i}}` }}));
            await Promise.all(given);
            {_COUNTED}
            """
        ),
        canonical="the number of tools listed",
        within=60.0,
    ),
    Behaviour(
        id="scale/long-description",
        question="How many characters are listed of a description of 1,000,000?",
        section=_SECTION,
        asked=Script(
            f"""
            await probe.register({{ description: 'x'.repeat({_MEGABYTE}) }});
            return String((await probe.tools())[0].description.length);
            """
        ),
        canonical="the number of characters",
    ),
    Behaviour(
        id="scale/large-schema",
        question="How many characters are listed of a schema's description of 1,000,000?",
        section=_SECTION,
        asked=Script(
            f"""
            await probe.register({{ inputSchema: {{ description: 'x'.repeat({_MEGABYTE}) }} }});
            const {{ inputSchema }} = (await probe.tools())[0];
            const schema = typeof inputSchema === 'string' ? JSON.parse(inputSchema) : inputSchema;
            return String(schema?.description?.length ?? 'absent');
            """
        ),
        canonical="the number of characters; `absent`",
    ),
    Behaviour(
        id="scale/large-input",
        question="How many characters reach a tool of an input of 1,000,000?",
        section=_SECTION,
        asked=Script(
            f"""
            await probe.register({{ execute: ({{ text }}) => text.length }});
            return await probe.call('tool', {{ text: 'x'.repeat({_MEGABYTE}) }});
            """
        ),
        canonical="the number of characters",
        switch=Switch.TESTING,
    ),
    Behaviour(
        id="scale/devtools-snapshot",
        question="How many of 500 tools does the DevTools protocol tell of when it is enabled late?",
        section="DevTools protocol: WebMCP.enable",
        asked=DevTools(_snapshot),
        canonical="the number of tools told of",
        within=60.0,
    ),
)
