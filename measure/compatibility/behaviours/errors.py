"""How calls fail, and what an error says."""

from measure.compatibility.answers import EXECUTING, yes_no
from measure.compatibility.behaviour import Behaviour, Page, Script, Switch

_SECTION = "#dom-modelcontext-executetool"
_INPUT = "const input = probe.wantsText() ? '{}' : {};\n"
_CHANGED = f"""
await probe.register();
const [tool] = Array.from(await probe.tools());
{_INPUT}
return await probe.outcome(() => probe.method('executeTool')(%s, input));
"""
_MESSAGE = """
try {
  await %s;
} catch (error) {
  return error.message.replace(/^Failed to execute '.*?' on '.*?': /, '') || 'empty';
}
return 'no error';
"""


def _fails(name: str, question: str, execute: str) -> Behaviour:
    return Behaviour(
        id=f"errors/{name}",
        question=question,
        section="#imperative-execute-steps",
        asked=Script(
            f"await probe.register({{ execute: {execute} }});\nreturn await probe.outcome(() => probe.call('tool'));"
        ),
        values=EXECUTING,
        switch=Switch.TESTING,
    )


def _calls(name: str, question: str, tool: str) -> Behaviour:
    """Call with an item that was changed."""
    return Behaviour(f"errors/{name}", question, _SECTION, Script(_CHANGED % tool), EXECUTING)


def _message(name: str, question: str, work: str, before: str = "") -> Behaviour:
    return Behaviour(
        id=f"errors/{name}",
        question=question,
        section="#dom-modelcontext-registertool; the text is the browser's own",
        asked=Script(before + _MESSAGE % work),
        canonical="the error's message without the method's name; `no error`",
    )


BEHAVIOURS = (
    _fails("tool-throws", "What does the caller see of a tool that throws?", "() => { throw new RangeError('why'); }"),
    _fails(
        "tool-rejects",
        "What does the caller see of a tool whose promise rejects?",
        "async () => { throw new RangeError('why'); }",
    ),
    Behaviour(
        id="errors/detail",
        question="Does the caller see the text of the error that a tool threw?",
        section="#imperative-execute-steps",
        asked=Script(
            """
            probe.needsCalls();
            await probe.register({ execute: () => { throw new RangeError('out of pizza'); } });
            try {
              await probe.call('tool');
            } catch (error) {
              return String(error?.message).includes('out of pizza') ? 'yes' : 'no';
            }
            return 'no error';
            """
        ),
        values={**yes_no("The message has it.", "The message has nothing of it."), "no error": "The call succeeds."},
        switch=Switch.TESTING,
    ),
    _calls("unknown-tool", "What comes of calling a name that nobody registered?", "{ ...tool, name: 'elsewhere' }"),
    _calls("missing-origin", "What comes of calling an item without its `origin`?", "{ ...tool, origin: undefined }"),
    _calls(
        "wrong-origin",
        "What comes of calling an item whose `origin` is another than its window's?",
        "{ ...tool, origin: 'https://agent.test' }",
    ),
    Behaviour(
        id="errors/unregistered-tool",
        question="What comes of calling a tool that was unregistered after it was listed?",
        section=_SECTION,
        asked=Script(
            f"""
            const gone = new AbortController();
            await probe.register({{}}, {{ signal: gone.signal }});
            const [tool] = Array.from(await probe.tools());
            gone.abort();
            if ((await probe.names()) !== '(none)') probe.notApplicable('a signal takes no tool away');
            {_INPUT}
            return await probe.outcome(() => probe.method('executeTool')(tool, input));
            """
        ),
        values=EXECUTING,
    ),
    Behaviour(
        id="errors/opaque-origin",
        question="What comes of a page with an opaque origin calling its own tool?",
        section=_SECTION,
        asked=Script("await probe.register();\nreturn await probe.outcome(() => probe.call('tool'));"),
        values=EXECUTING,
        pages={
            "": Page("<!doctype html><title>A page</title>", {"Content-Security-Policy": "sandbox allow-scripts"}),
        },
    ),
    _message("message-of-bad-name", "What does the error of a bad name say?", "probe.register({ name: 'a b' })"),
    _message(
        "message-of-empty-description",
        "What does the error of an empty description say?",
        "probe.register({ description: '' })",
    ),
    _message(
        "message-of-duplicate",
        "What does the error of a duplicate name say?",
        "probe.register()",
        "await probe.register();",
    ),
)
