"""How a page calls a tool with `executeTool()`: what goes in, what comes out, how it is stopped."""

from collections.abc import Mapping

from measure.compatibility.answers import EXECUTING, in_js, yes_no
from measure.compatibility.behaviour import Behaviour, Script, Switch

_SECTION = "#dom-modelcontext-executetool"
_STEPS = "#imperative-execute-steps"
_VALIDATION = "#model-context-tool; validation is proposed for it"

_FIRST = "const [tool] = Array.from(await probe.tools());\n"
_CALLS_WITH = (
    f"await probe.register();\n{_FIRST}return await probe.outcome(() => probe.method('executeTool')(tool, %s));"
)
_GIVES_INPUT = "await probe.register({ execute: (input) => JSON.stringify(input) });\n"
_STRICT = """
let reached = false;
await probe.register({
  inputSchema: {
    type: 'object',
    properties: { size: { type: 'string', enum: ['small', 'large'] } },
    required: ['size'],
    additionalProperties: false,
  },
  execute: () => { reached = true; return 'done'; },
});
const said = await probe.outcome(() => probe.call('tool', %s));
return reached ? 'reached' : said;
"""
_STARTED = """
let start;
const started = new Promise((resolve) => { start = resolve; });
const reason = new RangeError('why');
const stop = new AbortController();
"""
_NEVER_ENDS = "await probe.register({ execute: () => new Promise(() => start()) });\n"


def _asked(
    name: str, question: str, section: str, script: str, values: Mapping[str, str] | None = None, canonical: str = ""
) -> Behaviour:
    """Ask with the testing switch: builds before `modelContext.executeTool()` let a page call with that alone."""
    return Behaviour(f"execution/{name}", question, section, Script(script), values, canonical, switch=Switch.TESTING)


def _result(name: str, question: str, value: str) -> Behaviour:
    return _asked(
        f"result-{name}",
        question,
        f"{_STEPS}: serializing the result",
        f"""
        await probe.register({{ execute: () => ({value}) }});
        const result = await probe.call('tool');
        return result === null ? 'null' : `${{typeof result}} ${{result}}`;
        """,
        canonical="the result's type and text; `null` for null",
    )


def _input(name: str, question: str, value: str) -> Behaviour:
    return _asked(
        f"input-{name}",
        question,
        _VALIDATION,
        _STRICT % value,
        {
            "reached": "The tool runs: nothing checks the input.",
            "DataError": "Rejected with DataError before it runs.",
            "UnknownError": "Rejected with UnknownError before it runs.",
            "TypeError": "Rejected with TypeError before it runs.",
        },
    )


BEHAVIOURS = (
    _asked(
        "object-input",
        "Does `executeTool()` take an object as input?",
        _SECTION,
        _CALLS_WITH % "{}",
        EXECUTING,
    ),
    _asked(
        "text-input",
        "Does `executeTool()` take JSON text as input?",
        _SECTION,
        _CALLS_WITH % "'{}'",
        EXECUTING,
    ),
    _asked(
        "null-input",
        "Does `executeTool()` take `null` as input?",
        _SECTION,
        _CALLS_WITH % "null",
        EXECUTING,
    ),
    _asked(
        "no-input",
        "What does a tool get when `executeTool()` is called without input?",
        _SECTION,
        f"{_GIVES_INPUT}{_FIRST}return await probe.method('executeTool')(tool);",
        canonical="the input as JSON, or `throws` and the error's name",
    ),
    _asked(
        "array-input",
        "What does a tool get that is called with an array?",
        _SECTION,
        f"{_GIVES_INPUT}return await probe.call('tool', [1, 2]);",
        canonical="the input as JSON, or `throws` and the error's name",
    ),
    _input("wrong-value", "Is the tool run with a value that the schema's `enum` does not have?", "{ size: 'huge' }"),
    _input("missing", "Is the tool run without a property that the schema requires?", "{}"),
    _input(
        "additional",
        "Is the tool run with a property that the schema rules out?",
        "{ size: 'small', colour: 'red' }",
    ),
    _result("text", "What does the caller get of a text?", "'done'"),
    _result("object", "What does the caller get of an object?", "{ a: [1, null] }"),
    _result("number", "What does the caller get of a number?", "5"),
    _result("null", "What does the caller get of `null`?", "null"),
    _result("undefined", "What does the caller get of a tool that returns nothing?", "undefined"),
    _asked(
        "result-lone-surrogate",
        "What does the caller get of a text with half a surrogate pair?",
        f"{_STEPS}: serializing the result",
        """
        await probe.register({ execute: () => 'half \\uD83C pizza' });
        const result = await probe.call('tool');
        return result === null ? 'null' : result.isWellFormed() ? 'replaced' : 'kept';
        """,
        {
            "null": "`null`: the whole text is lost.",
            "replaced": "The half is replaced.",
            "kept": "It is kept as it is.",
        },
    ),
    _result("bigint", "What does the caller get of a BigInt, which JSON does not have?", "5n"),
    _result("function", "What does the caller get of a function, which JSON does not have?", "() => 5"),
    _result("error-marked", "What does the caller get of a result that says `isError: true`?", "{ isError: true }"),
    _asked(
        "second-argument",
        "What is the second argument of `execute`?",
        "#tool-execute-callback-options",
        """
        let second = 'none';
        const members = ['signal', 'requestUserInteraction'];
        await probe.register({
          execute: (...given) => {
            if (given.length > 1) second = members.filter((name) => name in given[1]).join(',') || 'object';
            return 'done';
          },
        });
        await probe.call('tool');
        return second;
        """,
        {
            "signal": "Options with a `signal`.",
            "requestUserInteraction": "A client with `requestUserInteraction()`.",
            "signal,requestUserInteraction": "An object with both.",
            "object": "An object with neither.",
            "none": "There is none.",
        },
    ),
    _asked(
        "abort",
        "What does a call end with whose signal is aborted?",
        "#model-context-execute-tool-options",
        f"""
        probe.needsCalls();
        {_STARTED}{_NEVER_ENDS}
        const called = probe.call('tool', {{}}, {{ signal: stop.signal }})
          .then(() => 'resolved', (error) => error === reason ? 'reason' : error?.name ?? String(error));
        if (await probe.within(started) === 'pending') return await probe.within(called);
        stop.abort(reason);
        return await probe.within(called);
        """,
        {
            "reason": "It rejects with the signal's own reason.",
            "AbortError": "It rejects with AbortError, whatever the reason was.",
            "pending": "It goes on.",
            "UnknownError": "It rejects with UnknownError.",
        },
    ),
    _asked(
        "abort-reaches-tool",
        "With which reason is the tool's own signal aborted when the caller aborts?",
        "#cancel-a-pending-tool-execution",
        f"""
        probe.needsCalls();
        {_STARTED}
        let heard;
        const told = new Promise((resolve) => {{ heard = resolve; }});
        await probe.register({{
          execute: (input, given) => new Promise(() => {{
            const signal = given?.signal;
            signal?.addEventListener('abort', () => heard(signal.reason === reason ? 'reason' : signal.reason?.name));
            start(signal ? 'signal' : 'none');
          }}),
        }});
        probe.call('tool', {{}}, {{ signal: stop.signal }}).catch(() => {{}});
        if (await probe.within(started) !== 'signal') probe.notApplicable('a tool gets no signal');
        stop.abort(reason);
        return await probe.within(told);
        """,
        {
            "AbortError": "With AbortError: the caller's reason stays with the caller.",
            "reason": "With the caller's reason.",
            "pending": "It is not aborted.",
        },
    ),
    _asked(
        "aborted-before",
        "What does a call come to whose signal was aborted before?",
        "#model-context-execute-tool-options",
        """
        probe.needsCalls();
        let ran = 'not run';
        const reason = new RangeError('why');
        await probe.register({ execute: () => { ran = 'run'; return 'done'; } });
        const said = await probe.call('tool', {}, { signal: AbortSignal.abort(reason) })
          .then(() => 'resolved', (error) => error === reason ? 'reason' : error?.name ?? String(error));
        return `${said},${ran}`;
        """,
        {
            "reason,not run": "It rejects with the signal's reason, and the tool does not run.",
            "resolved,run": "The signal is not looked at.",
            "AbortError,not run": "It rejects with AbortError, and the tool does not run.",
            "UnknownError,not run": "It rejects with UnknownError, and the tool does not run.",
        },
    ),
    _asked(
        "two-at-once",
        "May one tool be called again before its first call has ended?",
        _STEPS,
        """
        let running = 0;
        let both;
        const met = new Promise((resolve) => { both = resolve; });
        await probe.register({ execute: () => { if (++running === 2) both('met'); return met; } });
        const calls = Promise.all([probe.call('tool'), probe.call('tool')]);
        return (await probe.within(calls)) === 'pending' ? 'no' : 'yes';
        """,
        yes_no("Both run.", "The second waits for the first."),
    ),
    _asked(
        "unregisters-itself",
        "What does a call come to whose tool takes itself off the list while it runs?",
        "#model-context-unregister-a-tool: a call that runs goes on",
        """
        const gone = new AbortController();
        const execute = async () => {
          gone.abort();
          // What it returns at once can be there before the news that it is gone.
          await probe.until(async () => !(await probe.names()).includes('tool'), 1000);
          return 'done';
        };
        await probe.register({ execute }, { signal: gone.signal });
        return await probe.within(probe.outcome(() => probe.call('tool')));
        """,
        EXECUTING,
    ),
    _asked(
        "same-origin-frame",
        "May a page call the tool of a same-origin frame?",
        _SECTION,
        f"""
        const frame = await probe.frame();
        await probe.ask(frame, {in_js("await probe.needs({ name: 'inner' });")});
        const inner = await probe.until(async () =>
          Array.from(await probe.tools()).find((tool) => tool.name === 'inner'));
        if (!inner) probe.notApplicable('a frame\\'s tool is not listed');
        return await probe.outcome(() => probe.call('inner'));
        """,
        EXECUTING,
    ),
    _asked(
        "exposed-frame",
        "May a page call the tool that a cross-site frame exposes to it?",
        _SECTION,
        f"""
        const frame = await probe.frame({{ origin: 'other_site', attributes: {{ allow: 'tools' }} }});
        await probe.ask(frame, {in_js("await probe.needs({}, { exposedTo: [probe.origin('https')] });")});
        const options = {{ fromOrigins: [probe.origin('other_site')] }};
        const inner = await probe.until(async () => Array.from(await probe.tools(options))[0]);
        if (!inner) probe.notApplicable('a cross-site frame\\'s tool is not listed');
        const input = probe.wantsText() ? '{{}}' : {{}};
        return await probe.outcome(() => probe.method('executeTool')(inner, input));
        """,
        EXECUTING,
    ),
)
