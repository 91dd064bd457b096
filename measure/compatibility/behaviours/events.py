"""Which events tell of tools that come, go, start and are cancelled, and where they arrive."""

from collections.abc import Mapping
from dataclasses import replace

from measure.compatibility.answers import in_js
from measure.compatibility.behaviour import Behaviour, Script, Switch

_SECTION = "#events"
_NOTIFY = "#notify-documents-of-a-tool-change"
_FIRED = {"fired": "The event arrives.", "silent": "No event arrives."}

# Events of both kinds of place come in one task, so what a second call brings is later than all of the first.
_LOGGED = """
const context = probe.context();
const places = { context, window };
const heard = new Set();
for (const [name, place] of Object.entries(places)) {
  place.addEventListener?.('%(event)s', () => heard.add(name));
}
"""
_AT = {
    "context": "On `modelContext`.",
    "window": "On the window.",
    "context,window": "On both.",
    "none": "Nowhere.",
}
_LISTENS = """
if (typeof probe.context().addEventListener !== 'function') probe.notApplicable('modelContext takes no listeners');
"""
_CANCELS = """
probe.needsCalls();
let start;
let started = new Promise((resolve) => { start = resolve; });
await probe.register({ execute: () => new Promise(() => start()) });
const cancel = async () => {
  const stop = new AbortController();
  const called = probe.call('tool', {}, { signal: stop.signal }).catch(() => {});
  if (await probe.within(started) === 'pending') probe.notApplicable('the tool does not start');
  started = new Promise((resolve) => { start = resolve; });
  stop.abort();
  if (await probe.within(called) === 'pending') probe.notApplicable('a call cannot be aborted');
};
"""


def _asked(name: str, question: str, section: str, script: str, values: Mapping[str, str]) -> Behaviour:
    return Behaviour(f"events/{name}", question, section, Script(script), values)


def _heard(name: str, question: str, section: str, script: str, values: Mapping[str, str]) -> Behaviour:
    """Ask by a listener on `modelContext`, which the first builds were not made for."""
    return _asked(name, question, section, _LISTENS + script, values)


def _racing(name: str, question: str, section: str, script: str, values: Mapping[str, str]) -> Behaviour:
    """Ask what hangs on timing: build 149 makes three, four or five events of three tools."""
    return replace(_heard(name, question, section, script, values), timing=True)


def _called(name: str, question: str, section: str, script: str, values: Mapping[str, str]) -> Behaviour:
    """Ask with the testing switch: builds before `modelContext.executeTool()` let a page call with that alone."""
    return replace(_asked(name, question, section, script, values), switch=Switch.TESTING)


BEHAVIOURS = (
    _heard(
        "toolchange-on-register",
        "Does `toolchange` fire when a tool is registered?",
        _NOTIFY,
        """
        const heard = probe.event(probe.context(), 'toolchange');
        await probe.register();
        return (await heard) ? 'fired' : 'silent';
        """,
        _FIRED,
    ),
    _heard(
        "toolchange-on-abort",
        "Does `toolchange` fire when a tool's signal is aborted?",
        _NOTIFY,
        """
        const stop = new AbortController();
        const first = probe.event(probe.context(), 'toolchange');
        await probe.register({}, { signal: stop.signal });
        await first;
        const heard = probe.event(probe.context(), 'toolchange');
        stop.abort();
        return (await heard) ? 'fired' : 'silent';
        """,
        _FIRED,
    ),
    _asked(
        "toolchange-handler",
        "Does a handler set as `ontoolchange` hear of a new tool?",
        _SECTION,
        """
        const context = probe.context();
        if (!('ontoolchange' in context)) return 'absent';
        const heard = new Promise((resolve) => { context.ontoolchange = () => resolve('fired'); });
        await probe.register();
        return (await probe.within(heard)) === 'fired' ? 'fired' : 'silent';
        """,
        {**_FIRED, "absent": "There is no `ontoolchange`."},
    ),
    _racing(
        "toolchange-count",
        "How many `toolchange` events do three tools registered in a row make?",
        _NOTIFY,
        """
        let count = 0;
        probe.context().addEventListener('toolchange', () => count++);
        for (const name of ['a', 'b', 'c']) probe.method('registerTool')(probe.tool({ name }));
        await probe.until(() => count >= 3, 2000);
        const before = count;
        await probe.register({ name: 'fence' });
        await probe.until(() => count > before, 2000);
        const made = count === before ? 0 : count - 1;
        return made > 3 ? 'more' : String(made);
        """,
        {
            "more": "More than there are tools.",
            "3": "One for each tool.",
            "2": "Two.",
            "1": "One for all three.",
            "0": "None.",
        },
    ),
    _heard(
        "toolchange-in-same-origin-frame",
        "Does `toolchange` fire in a same-origin frame when its host registers?",
        _NOTIFY,
        """
        const frame = await probe.frame();
        const inside = frame.contentDocument.modelContext ?? frame.contentWindow.navigator.modelContext;
        if (!inside) probe.notApplicable('no modelContext in the frame');
        // A frame that was never asked anything may not be told of the first tool.
        await inside.getTools?.();
        const heard = probe.event(inside, 'toolchange');
        await probe.register();
        return (await heard) ? 'fired' : 'silent';
        """,
        _FIRED,
    ),
    _heard(
        "toolchange-in-exposed-frame",
        "Does `toolchange` fire in an allowed cross-site frame for a tool that is exposed to it?",
        _NOTIFY,
        f"""
        const frame = await probe.frame({{ origin: 'other_site', attributes: {{ allow: 'tools' }} }});
        await probe.ask(frame, {
            in_js("await probe.context().getTools?.(); self.heard = probe.event(probe.context(), 'toolchange', 3000);")
        });
        await probe.register({{}}, {{ exposedTo: [probe.origin('other_site')] }});
        return await probe.ask(frame, "return (await self.heard) ? 'fired' : 'silent';");
        """,
        _FIRED,
    ),
    _heard(
        "toolchange-in-unexposed-frame",
        "Does `toolchange` fire there for a tool that is exposed to nobody?",
        _NOTIFY,
        f"""
        const frame = await probe.frame({{ origin: 'other_site', attributes: {{ allow: 'tools' }} }});
        await probe.ask(frame, {
            in_js("self.count = 0; probe.context().addEventListener('toolchange', () => self.count++);")
        });
        await probe.register({{ name: 'unexposed' }});
        for (const name of ['second', 'third']) {{
          await probe.register({{ name }}, {{ exposedTo: [probe.origin('other_site')] }});
        }}
        const count = await probe.ask(frame, {
            in_js("await probe.until(() => self.count >= 2, 3000); await probe.tools(); return self.count;")
        });
        return {{ 0: 'none', 2: 'silent', 3: 'fired' }}[count] ?? String(count);
        """,
        {**_FIRED, "none": "No event arrives there, not even for an exposed tool."},
    ),
    _called(
        "toolactivated-at",
        "Where does `toolactivated` arrive when a tool is called?",
        "#tool-activated-event",
        _LOGGED % {"event": "toolactivated"}
        + """
        await probe.register();
        await probe.call('tool');
        await probe.until(() => heard.size, 2000);
        if (heard.size) await probe.call('tool');
        return [...heard].sort().join(',') || 'none';
        """,
        _AT,
    ),
    _called(
        "toolactivated-interface",
        "Which interface has the `toolactivated` event?",
        "#tool-activated-event",
        """
        const heard = Promise.race([
          probe.event(window, 'toolactivated'),
          ...(probe.context().addEventListener ? [probe.event(probe.context(), 'toolactivated')] : []),
        ]);
        await probe.register();
        await probe.call('tool');
        const event = await heard;
        return event ? event.constructor.name : 'none';
        """,
        {
            "ToolActivatedEvent": "ToolActivatedEvent.",
            "WebMCPEvent": "WebMCPEvent.",
            "Event": "A plain Event.",
            "none": "There is no such event.",
        },
    ),
    _called(
        "toolactivated-order",
        "Which comes first, the tool's `execute` or `toolactivated`?",
        "#imperative-execute-steps",
        """
        const order = [];
        const log = () => { if (!order.includes('event')) order.push('event'); };
        window.addEventListener('toolactivated', log);
        probe.context().addEventListener?.('toolactivated', log);
        await probe.register({ execute: () => { order.push('tool'); return 'done'; } });
        await probe.call('tool');
        await probe.until(() => order.length > 1, 2000);
        return order.join(',');
        """,
        {
            "event,tool": "The event.",
            "tool,event": "The tool.",
            "tool": "There is no such event.",
        },
    ),
    _called(
        "toolactivated-of-frame",
        "In which document does `toolactivated` fire when a page calls the tool of a same-origin frame?",
        "#tool-activated-event",
        """
        const frame = await probe.frame();
        const inside = frame.contentDocument.modelContext ?? frame.contentWindow.navigator.modelContext;
        if (!inside) probe.notApplicable('no modelContext in the frame');
        probe.needsCalls();
        const heard = new Set();
        for (const place of [inside, frame.contentWindow]) {
          place.addEventListener?.('toolactivated', () => heard.add('owner'));
        }
        for (const place of [probe.context(), window]) {
          place.addEventListener?.('toolactivated', () => heard.add('caller'));
        }
        await inside.registerTool(probe.tool({ name: 'inner' }));
        const listed = await probe.until(async () => (await probe.names()).includes('inner'), 2000);
        if (!listed) probe.notApplicable('a frame\\'s tool is not listed');
        const called = await probe.outcome(() => probe.call('inner'));
        if (called !== 'ok') probe.notApplicable('a page cannot call the tool of its frame');
        await probe.until(() => heard.size, 2000);
        if (heard.size) await probe.call('inner');
        return [...heard].sort().join(',') || 'none';
        """,
        {
            "owner": "In the frame, which has the tool.",
            "caller": "In the page that called.",
            "caller,owner": "In both.",
            "none": "In neither.",
        },
    ),
    _called(
        "toolcancel-at",
        "Where does `toolcancel` arrive when a call is aborted?",
        "#tool-cancel-event",
        _LOGGED % {"event": "toolcancel"}
        + _CANCELS
        + """
        await cancel();
        await probe.until(() => heard.size, 2000);
        if (heard.size) await cancel();
        return [...heard].sort().join(',') || 'none';
        """,
        _AT,
    ),
    _called(
        "toolcancel-interface",
        "Which interface has the `toolcancel` event?",
        "#tool-cancel-event",
        _CANCELS
        + """
        const heard = Promise.race([
          probe.event(window, 'toolcancel'),
          ...(probe.context().addEventListener ? [probe.event(probe.context(), 'toolcancel')] : []),
        ]);
        await cancel();
        const event = await heard;
        return event ? event.constructor.name : 'none';
        """,
        {
            "ToolCancelEvent": "ToolCancelEvent.",
            "WebMCPEvent": "WebMCPEvent.",
            "Event": "A plain Event.",
            "none": "There is no such event.",
        },
    ),
)
