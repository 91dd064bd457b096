"""How whoever drives the browser calls a page's tools, and what comes back."""

from measure.compatibility.answers import yes_no
from measure.compatibility.behaviours.devtools_asked import asked_through
from measure.compatibility.devtools_domain import INVOKED, called, domain, invoke, refusal, response, tool_named
from measure.compatibility.probing import Dialogue, Tab, Threw

_INVOKE = "DevTools protocol: WebMCP.invokeTool"
_RESPONDED = "DevTools protocol: WebMCP.toolResponded"


def _output(execute: str) -> Dialogue:
    """The status of a call, and the kind of what the tool gave."""

    async def ask(tab: Tab) -> str:
        session = await domain(tab)
        await tab.ask(f"await probe.register({{ execute: {execute} }});")
        said = await called(session)
        kind = type(said["output"]).__name__ if "output" in said else "none"
        return f"{said['status']},{_KINDS.get(kind, kind)}{',exception' if 'exception' in said else ''}"

    return ask


_KINDS = {"str": "text", "dict": "object", "NoneType": "null", "list": "array", "int": "number", "float": "number"}
_OUTPUT = "the status and the kind of the output (`none` without any), and `exception` where the event has one"


async def _unknown_tool(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register();")
    tool = await tool_named(session)
    try:
        await invoke(session, {**tool, "name": "elsewhere"}, {})
    except Threw as error:
        return refusal(error)
    return "accepted"


async def _unknown_frame(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register();")
    tool = await tool_named(session)
    try:
        await invoke(session, {**tool, "frameId": "0" * 32}, {})
    except Threw as error:
        return refusal(error)
    return "accepted"


async def _array_input(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register();")
    tool = await tool_named(session)
    try:
        await invoke(session, tool, [1, 2])
    except Threw as error:
        return refusal(error)
    return "accepted"


async def _unchecked_input(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask(
        """
        await probe.register({
          inputSchema: { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] },
          execute: () => { self.reached = true; return 'done'; },
        });
        """
    )
    said = await called(session, {"size": "huge"})
    return "reached" if await tab.ask("return Boolean(self.reached);") == "true" else str(said["status"])


async def _call_of_page(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register(); await probe.call('tool');")
    await tab.ask("await probe.register({ name: 'fence' });")
    await tool_named(session, "fence")
    return "yes" if session.seen(INVOKED) else "no"


async def _input_told(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register();")
    await called(session, {"q": "pizza"})
    told = session.seen(INVOKED)
    if not told:
        return "none"
    return "text" if isinstance(told[0].get("input"), str) else type(told[0].get("input")).__name__


async def _cancel(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register({ execute: () => new Promise(() => {}) });")
    invocation = await invoke(session, await tool_named(session), {})
    await session.event(INVOKED)
    try:
        await session.send("WebMCP.cancelInvocation", {"invocationId": invocation})
    except Threw as error:
        return refusal(error)
    return str((await response(session, invocation))["status"])


async def _unlisted(tab: Tab) -> str:
    session = await domain(tab)
    await tab.ask("await probe.register({ inputSchema: { toJSON: () => 'text' } });")
    return str((await called(session))["status"])


BEHAVIOURS = (
    asked_through(
        "result-text", "How does a tool's text arrive?", _RESPONDED, _output("() => 'done'"), canonical=_OUTPUT
    ),
    asked_through(
        "result-json-text",
        "How does a text arrive that is JSON?",
        _RESPONDED,
        _output("""() => '{"a":1}'"""),
        canonical=_OUTPUT,
    ),
    asked_through(
        "result-undefined",
        "What arrives of a tool that returns nothing?",
        _RESPONDED,
        _output("() => {}"),
        canonical=_OUTPUT,
    ),
    asked_through(
        "result-error-marked",
        "What arrives of a result that says `isError: true`?",
        _RESPONDED,
        _output("() => ({ isError: true })"),
        canonical=_OUTPUT,
    ),
    asked_through(
        "result-throw",
        "What arrives of a tool that throws?",
        _RESPONDED,
        _output("() => { throw new RangeError('out of pizza'); }"),
        canonical=_OUTPUT,
    ),
    asked_through(
        "unknown-tool",
        "What does the browser say to calling a tool that nobody registered?",
        _INVOKE,
        _unknown_tool,
        canonical="the browser's message; `accepted`",
    ),
    asked_through(
        "unknown-frame",
        "What does it say to calling a tool of a frame that is not there?",
        _INVOKE,
        _unknown_frame,
        canonical="the browser's message; `accepted`",
    ),
    asked_through(
        "array-input",
        "What does it say to input that is an array?",
        _INVOKE,
        _array_input,
        canonical="the browser's message; `accepted`",
    ),
    asked_through(
        "unchecked-input",
        "Does a call with input of the wrong type reach the tool?",
        _INVOKE,
        _unchecked_input,
        {"reached": "It does: nothing checks the input.", "Error": "It ends with status Error before."},
    ),
    asked_through(
        "unlisted-tool",
        "What does a call come to of a tool whose schema serializes to a text?",
        _INVOKE,
        _unlisted,
        {"Completed": "It runs, whatever the lists of pages say.", "Error": "It does not run."},
    ),
    asked_through(
        "call-of-page",
        "Does the domain tell of a call that the page makes?",
        "DevTools protocol: WebMCP.toolInvoked",
        _call_of_page,
        yes_no("It does.", "It tells of its own calls only."),
    ),
    asked_through(
        "input-told",
        "As what is the input of a call told?",
        "DevTools protocol: WebMCP.toolInvoked",
        _input_told,
        {"text": "As JSON text.", "dict": "As an object.", "none": "Calls are not told of."},
    ),
    asked_through(
        "cancel",
        "What does a call end with that is cancelled?",
        "DevTools protocol: WebMCP.cancelInvocation",
        _cancel,
        canonical="the status, or the browser's message",
    ),
)
