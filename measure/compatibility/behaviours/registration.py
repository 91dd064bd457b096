"""What `registerTool()` takes, refuses and gives back."""

from collections.abc import Mapping

from measure.compatibility.answers import REGISTERING, yes_no
from measure.compatibility.behaviour import Behaviour, Script

_SECTION = "#dom-modelcontext-registertool"
_TOOL = "#model-context-tool"
_OPTIONS = "#model-context-register-tool-options"

_REASON = "const reason = new RangeError('why');\n"
_OUTCOME_OF_ABORT = """
try {
  await given;
} catch (error) {
  return error === reason ? 'reason' : error.name;
}
return (await probe.names()) === 'tool' ? 'registered' : 'not_registered';
"""
_ABORTING = {
    "reason": "The promise rejects with the signal's own reason.",
    "AbortError": "It rejects with AbortError, whatever the signal's reason was.",
    "registered": "No error, and the tool is registered.",
    "not_registered": "No error, and there is no tool.",
}


def _with(name: str, question: str, parts: str, section: str = _TOOL) -> Behaviour:
    """Register a tool with these parts put over a good one."""
    return _outcome(name, question, f"probe.register({parts})", section)


def _exposed(name: str, question: str, exposed_to: str) -> Behaviour:
    return _outcome(name, question, f"probe.register({{}}, {{ exposedTo: {exposed_to} }})", _OPTIONS)


def _outcome(name: str, question: str, work: str, section: str) -> Behaviour:
    return _asked(name, question, section, f"return await probe.outcome(() => {work});", REGISTERING)


def _asked(
    name: str, question: str, section: str, script: str, values: Mapping[str, str] | None, canonical: str = ""
) -> Behaviour:
    return Behaviour(f"registration/{name}", question, section, Script(script), values, canonical)


BEHAVIOURS = (
    _asked(
        "return-value",
        "What does `registerTool()` return?",
        _SECTION,
        """
        const given = probe.method('registerTool')(probe.tool());
        return typeof given?.then === 'function' ? 'promise' : typeof given;
        """,
        {"promise": "A promise.", "undefined": "Nothing.", "object": "An object that is no promise."},
    ),
    _asked(
        "error-delivery",
        "How does `registerTool()` report that `execute` is missing?",
        _SECTION,
        """
        let given;
        try {
          given = probe.method('registerTool')(probe.tool({ execute: undefined }));
        } catch {
          return 'throw';
        }
        return (await probe.outcome(() => given)) === 'ok' ? 'silence' : 'rejection';
        """,
        {
            "rejection": "The promise it returned rejects.",
            "throw": "It throws at once.",
            "silence": "It reports nothing.",
        },
    ),
    _asked(
        "unhandled-rejection",
        "Does a refused registration that nobody catches reach `unhandledrejection`?",
        "HTML: unhandled promise rejections",
        """
        const heard = probe.event(window, 'unhandledrejection', 3000);
        try {
          probe.method('registerTool')(probe.tool({ execute: undefined }));
        } catch {
          return 'no';
        }
        return (await heard) ? 'yes' : 'no';
        """,
        yes_no("The window hears of it.", "It does not; a throw, or silence."),
    ),
    _with("missing-name", "May a tool have no `name`?", "{ name: undefined }"),
    _with("missing-description", "May a tool have no `description`?", "{ description: undefined }"),
    _with("missing-execute", "May a tool have no `execute`?", "{ execute: undefined }"),
    _with("execute-not-callable", "May `execute` be something else than a function?", "{ execute: {} }"),
    _with("empty-description", "May the description be empty?", "{ description: '' }", _SECTION),
    _with("blank-description", "May the description be a single space?", "{ description: ' ' }", _SECTION),
    _with("unknown-members", "May a tool have members that no draft names?", "{ icons: [], handler: 5 }"),
    _asked(
        "duplicate",
        "What comes of a name that the document has registered already?",
        _SECTION,
        "await probe.register();\nreturn await probe.outcome(() => probe.register());",
        REGISTERING,
    ),
    _asked(
        "aborted-signal",
        "What comes of registering with a signal that is aborted already?",
        _SECTION,
        f"{_REASON}const given = probe.register({{}}, {{ signal: AbortSignal.abort(reason) }});{_OUTCOME_OF_ABORT}",
        _ABORTING,
    ),
    _asked(
        "aborted-at-once",
        "What comes of aborting the signal right after `registerTool()` returned?",
        _SECTION,
        f"""{_REASON}
        const stop = new AbortController();
        const given = probe.register({{}}, {{ signal: stop.signal }});
        stop.abort(reason);
        {_OUTCOME_OF_ABORT}""",
        _ABORTING,
    ),
    _asked(
        "abort-removes",
        "Does aborting the signal take the tool away?",
        _OPTIONS,
        """
        const stop = new AbortController();
        await probe.register({}, { signal: stop.signal });
        stop.abort();
        return (await probe.names()) === '(none)' ? 'yes' : 'no';
        """,
        yes_no("The tool is gone from the list.", "The tool stays."),
    ),
    _asked(
        "name-free-after-abort",
        "May the name of a tool that was aborted away be registered again?",
        _OPTIONS,
        """
        const stop = new AbortController();
        await probe.register({}, { signal: stop.signal });
        stop.abort();
        return await probe.outcome(() => probe.register());
        """,
        REGISTERING,
    ),
    _asked(
        "output-schema",
        "What becomes of `outputSchema`?",
        f"{_TOOL}; a member proposed for it",
        """
        const said = await probe.outcome(() => probe.register({ outputSchema: { type: 'string' } }));
        return said !== 'ok' ? said : 'outputSchema' in (await probe.tools())[0] ? 'listed' : 'dropped';
        """,
        {"dropped": "It is accepted and stands on no list.", "listed": "`getTools()` has it.", "TypeError": "Refused."},
    ),
    _with("annotations-text", "May `annotations` be a text?", "{ annotations: 'readOnlyHint' }"),
    _asked(
        "annotations-truthy",
        "What is listed for `readOnlyHint: 'false'`, a text?",
        f"{_TOOL}; Web IDL: boolean",
        """
        await probe.register({ annotations: { readOnlyHint: 'false' } });
        return String((await probe.tools())[0].annotations?.readOnlyHint);
        """,
        {
            "true": "True, as of any text that is not empty.",
            "false": "False.",
            "undefined": "No hint at all.",
        },
    ),
    _exposed("exposed-to-https", "May `exposedTo` name an https origin?", "['https://agent.test']"),
    _exposed("exposed-to-path", "May `exposedTo` name an address with a path?", "['https://agent.test/some/path']"),
    _exposed("exposed-to-localhost", "May `exposedTo` name `http://localhost`?", "['http://localhost:8080']"),
    _exposed("exposed-to-http", "May `exposedTo` name a plain http origin?", "['http://agent.test']"),
    _exposed("exposed-to-star", "May `exposedTo` be a star?", "['*']"),
    _exposed("exposed-to-null", "May `exposedTo` name the origin `null`?", "['null']"),
    _exposed("exposed-to-nonsense", "May `exposedTo` hold what is no address?", "['agent']"),
    _exposed("exposed-to-text", "May `exposedTo` be a text instead of a list?", "'https://agent.test'"),
    _with(
        "exposed-to-in-tool",
        "Is `exposedTo` looked at inside the tool, where it does not belong?",
        "{ exposedTo: ['http://agent.test'] }",
    ),
)
