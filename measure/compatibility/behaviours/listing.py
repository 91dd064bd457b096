"""What `getTools()` gives a page: which tools, in which order, with which members."""

from measure.compatibility.answers import LISTED, in_js, yes_no
from measure.compatibility.behaviour import Behaviour, Script

_SECTION = "#dom-modelcontext-gettools"
_ITEM = "#registered-tool"

# A frame that finds its own tool on its own list has been heard by the browser: the host may be asked then.
_INNER = """
await probe.needs({ name: 'inner' }, %s);
await probe.until(async () => (await probe.names()).includes('inner'));
"""
_ASKS_HOST = """
return (await probe.names(%s)).includes('inner') ? 'listed' : 'not_listed';
"""


def _of_frame(
    name: str,
    question: str,
    frame: str = "{ origin: 'other_site', attributes: { allow: 'tools' } }",
    options: str = "undefined",
    asked_with: str = "undefined",
) -> Behaviour:
    """Look for a frame's tool, registered with `options`, on the host's list."""
    return Behaviour(
        id=f"listing/{name}",
        question=question,
        section=f"{_SECTION}; #tool-is-exposed-to-an-origin",
        asked=Script(
            f"""
            const frame = await probe.frame({frame});
            await probe.ask(frame, {in_js(_INNER % options)});
            {_ASKS_HOST % asked_with}
            """
        ),
        values=LISTED,
    )


_KEYS = "return Object.keys((await probe.tools())[0]).sort().join(',');"
_ALL_PARTS = """
await probe.register({
  title: 'Tool', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true }, outputSchema: {},
});
"""
_EXPOSED = "{ exposedTo: [probe.origin('https')] }"
_FROM_FRAME = "{ fromOrigins: [probe.origin('other_site')] }"

_INNERMOST = f"""
const frame = await probe.frame({{ origin: 'https', attributes: {{ allow: 'tools' }} }});
await probe.ask(frame, {in_js(_INNER % "undefined")});
"""

_POPUP = f"""
const popup = window.open(`${{probe.origin('https')}}/answering`);
if (!popup) probe.notApplicable('no pop-up opens without a click');
await probe.until(() => popup.location.href !== 'about:blank' && popup.document.readyState === 'complete');
await probe.ask(popup, {in_js(_INNER % "undefined")});
{_ASKS_HOST % ""}
"""

BEHAVIOURS = (
    Behaviour(
        id="listing/return-value",
        question="What does `getTools()` return?",
        section=_SECTION,
        asked=Script(
            """
            const given = probe.method('getTools')();
            return typeof given?.then === 'function' ? 'promise' : Array.isArray(given) ? 'array' : typeof given;
            """
        ),
        values={"promise": "A promise.", "array": "The list itself.", "object": "An object that is neither."},
    ),
    Behaviour(
        id="listing/members",
        question="Which members does an item have when the tool was given everything?",
        section=_ITEM,
        asked=Script(_ALL_PARTS + _KEYS),
        canonical="names of the item's members, sorted",
    ),
    Behaviour(
        id="listing/members-of-bare-tool",
        question="Which members does the item of a tool with nothing but the required parts have?",
        section=_ITEM,
        asked=Script("await probe.register();\n" + _KEYS),
        canonical="names of the item's members, sorted",
    ),
    Behaviour(
        id="listing/annotations",
        question="What are the annotations of a tool that gave none of its hints?",
        section=f"{_ITEM}; #model-context-tool",
        asked=Script(
            """
            await probe.register({ annotations: {} });
            const { annotations } = (await probe.tools())[0];
            if (!annotations) return 'absent';
            return Object.entries(annotations).map(([hint, value]) => `${hint}=${value}`).sort().join(',') || 'empty';
            """
        ),
        canonical="`hint=value` for each, sorted; `empty` for an object without any; `absent`",
    ),
    Behaviour(
        id="listing/missing-title",
        question="What is the title of a tool that has none?",
        section=_ITEM,
        asked=Script(
            """
            await probe.register();
            const { title } = (await probe.tools())[0];
            return title === undefined ? 'absent' : title === '' ? 'empty' : String(title);
            """
        ),
        values={"empty": "An empty text.", "absent": "There is none.", "tool": "The tool's name."},
    ),
    Behaviour(
        id="listing/order",
        question="In which order are tools listed that were registered as c, a, B?",
        section=_SECTION,
        asked=Script(
            """
            for (const name of ['c', 'a', 'B']) await probe.register({ name });
            return await probe.names();
            """
        ),
        values={
            "B,a,c": "By name, by code unit.",
            "a,B,c": "By name, whatever the case.",
            "c,a,B": "As they were registered.",
        },
    ),
    Behaviour(
        id="listing/lone-surrogate",
        question="What becomes of a description with half a surrogate pair?",
        section="Web IDL: DOMString",
        asked=Script(
            """
            await probe.register({ description: 'half \\uD83C pizza' });
            const { description } = (await probe.tools())[0];
            return description === '' ? 'empty' : description.isWellFormed() ? 'replaced' : 'kept';
            """
        ),
        values={
            "empty": "The whole description is lost.",
            "replaced": "The half is replaced.",
            "kept": "It is kept as it is.",
        },
    ),
    _of_frame("same-origin-frame", "Does a page's list have the tools of a same-origin frame?", "{}"),
    Behaviour(
        id="listing/host-of-same-origin-frame",
        question="Does a same-origin frame's list have the tools of its host?",
        section=_SECTION,
        asked=Script(
            """
            await probe.register({ name: 'outer' });
            const frame = await probe.frame();
            const names = await probe.ask(frame, 'return await probe.names();');
            return names.includes('outer') ? 'listed' : 'not_listed';
            """
        ),
        values=LISTED,
    ),
    Behaviour(
        id="listing/same-name-in-two-frames",
        question="May two same-origin frames have a tool of one name, and how does the list show it?",
        section=f"{_SECTION}; #model-context-tool-map",
        asked=Script(
            f"""
            await probe.register({{ name: 'inner' }});
            const frame = await probe.frame();
            await probe.ask(frame, {in_js(_INNER % "undefined")});
            return await probe.names();
            """
        ),
        canonical="the names listed, joined by commas",
    ),
    Behaviour(
        id="listing/window",
        question="Is an item's `window` that of the frame that registered the tool?",
        section=_ITEM,
        asked=Script(
            f"""
            const frame = await probe.frame();
            await probe.ask(frame, {in_js(_INNER % "undefined")});
            const inner = Array.from(await probe.tools()).find((tool) => tool.name === 'inner');
            if (!inner) probe.notApplicable('a frame\\'s tool is not listed');
            return inner.window === frame.contentWindow ? 'yes' : inner.window === undefined ? 'absent' : 'no';
            """
        ),
        values={**yes_no("It is.", "It is another window."), "absent": "Items have no `window`."},
    ),
    _of_frame("cross-site-frame", "Does a page's list have the tools of a cross-site frame with `allow=tools`?"),
    _of_frame(
        "cross-site-frame-asked-for",
        "Does it have them when it asks with `fromOrigins`, and they are exposed to nobody?",
        asked_with=_FROM_FRAME,
    ),
    _of_frame("exposed", "Does it have them without asking when they are exposed to the page?", options=_EXPOSED),
    _of_frame(
        "exposed-and-asked-for",
        "Does it have them when they are exposed to the page and it asks with `fromOrigins`?",
        options=_EXPOSED,
        asked_with=_FROM_FRAME,
    ),
    _of_frame(
        "exposed-to-another",
        "Does it have them when they are exposed to another origin and it asks?",
        options="{ exposedTo: [probe.origin('third_site')] }",
        asked_with=_FROM_FRAME,
    ),
    _of_frame(
        "exposed-same-site",
        "Does a page that asks get the exposed tools of a cross-origin frame of its own site?",
        "{ origin: 'same_site', attributes: { allow: 'tools' } }",
        _EXPOSED,
        "{ fromOrigins: [probe.origin('same_site')] }",
    ),
    _of_frame(
        "opaque-frame",
        "Does a page's list have the tools of a sandboxed frame with `allow=tools`?",
        "{ attributes: { sandbox: 'allow-scripts', allow: 'tools' } }",
    ),
    Behaviour(
        id="listing/there-and-back",
        question="Does a page's list have the tools of its own origin's frame inside an allowed cross-site frame?",
        section=_SECTION,
        asked=Script(
            f"""
            const middle = await probe.frame({{ origin: 'other_site', attributes: {{ allow: 'tools' }} }});
            await probe.ask(middle, {in_js(_INNERMOST)});
            {_ASKS_HOST % ""}
            """
        ),
        values=LISTED,
    ),
    Behaviour(
        id="listing/popup",
        question="Does a page's list have the tools of a same-origin window that it opened?",
        section=_SECTION,
        asked=Script(_POPUP),
        values=LISTED,
    ),
    Behaviour(
        id="listing/from-insecure-origin",
        question="May `fromOrigins` name a plain http origin?",
        section="#model-context-get-tool-options",
        asked=Script("return await probe.outcome(() => probe.tools({ fromOrigins: ['http://agent.test'] }));"),
        values={"ok": "It may.", "SecurityError": "Refused with SecurityError."},
    ),
)
