"""The `WebMCP` domain of the DevTools protocol, as questions use it."""

from collections.abc import Callable, Mapping
from typing import Any

from measure.compatibility.probing import DevToolsSession, NotApplicable, Tab, Threw

ADDED, REMOVED = "WebMCP.toolsAdded", "WebMCP.toolsRemoved"
INVOKED, RESPONDED = "WebMCP.toolInvoked", "WebMCP.toolResponded"


async def domain(tab: Tab) -> DevToolsSession:
    """The session of the tab's page, its WebMCP domain enabled.

    Raises NotApplicable where the engine has no DevTools protocol or the build no such domain.
    """
    session = await tab.devtools()
    try:
        await session.send("WebMCP.enable")
    except Threw as error:
        raise NotApplicable("the DevTools protocol has no WebMCP domain") from error
    return session


def has_tool(name: str) -> Callable[[dict[str, Any]], bool]:
    """Whether an event of added or removed tools has one of this name."""
    return lambda event: any(tool["name"] == name for tool in event["tools"])


async def tool_named(session: DevToolsSession, name: str = "tool") -> dict[str, Any]:
    """The tool as its `toolsAdded` event has it. Raises NoAnswer when none comes."""
    event = await session.event(ADDED, has_tool(name))
    return next(dict(tool) for tool in event["tools"] if tool["name"] == name)


async def invoke(session: DevToolsSession, tool: Mapping[str, Any], given: object) -> str:
    """Call a tool through the browser; the call's id.

    Raises Threw when the browser refuses, and NotApplicable where it has no such command.
    """
    parameters = {"frameId": tool["frameId"], "toolName": tool["name"], "input": given}
    try:
        return str((await session.send("WebMCP.invokeTool", parameters))["invocationId"])
    except Threw as error:
        if "'WebMCP.invokeTool' wasn't found" in str(error):
            raise NotApplicable("the DevTools protocol has no WebMCP.invokeTool") from error
        raise


async def response(session: DevToolsSession, invocation: str) -> dict[str, Any]:
    """What a call came to. Raises NoAnswer when nothing does."""
    return await session.event(RESPONDED, lambda event: event["invocationId"] == invocation)


async def called(session: DevToolsSession, given: object = None) -> dict[str, Any]:
    """Call the tool `tool` and wait for what it comes to. Raises Threw and NoAnswer."""
    tool = await tool_named(session)
    return await response(session, await invoke(session, tool, given or {}))


def refusal(error: Threw) -> str:
    """What the browser says when it refuses a command, without what it repeats of the command."""
    said = str(error).rpartition("): ")[2] or str(error)
    return "Invalid parameters" if said.startswith("Invalid parameters") else said.splitlines()[0]
