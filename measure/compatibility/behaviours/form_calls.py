"""What calling the tool of a form does: it fills, it submits, it answers."""

from measure.compatibility.answers import EXECUTING, yes_no
from measure.compatibility.behaviour import Behaviour
from measure.compatibility.behaviours.form_pages import FOUND, NAMED, asked_of, form

_SUBMITTING = f"{NAMED} toolautosubmit"
_FIELDS = '<input name="q"><button>Search</button>'
_OUTCOME = "return await probe.within(probe.outcome(() => probe.call('search', %s)));\n"
_SIZES = (
    '<select name="size"><option value="s">Small</option><option value="l">Large</option></select><button>Go</button>'
)


def _answering(script: str) -> str:
    """A form that submits by itself, and what its page does about the submission."""
    handler = f"document.forms[0].addEventListener('submit', (event) => {{ event.preventDefault(); {script} }});"
    return f"{form(_FIELDS, _SUBMITTING)}<script>{handler}</script>"


_ANSWERS = _answering("event.respondWith?.('done');")


def _refuses(name: str, question: str, fields: str, given: str) -> Behaviour:
    """A call with input that the form cannot take; its page would answer any submission."""
    body = _ANSWERS.replace(_FIELDS, fields)
    return asked_of(name, question, body, FOUND + _OUTCOME % given, EXECUTING)


BEHAVIOURS = (
    asked_of(
        "answer",
        "What does the caller get of `respondWith('done')` in the submit event?",
        _ANSWERS,
        FOUND
        + """
        const result = await probe.call('search', { q: 'pizza' });
        return result === null ? 'null' : `${typeof result} ${result}`;
        """,
        canonical="the result's type and text; `null` for null",
    ),
    asked_of(
        "agent-invoked",
        "Does the submit event say that an agent submits?",
        _answering("self.invoked = event.agentInvoked; event.respondWith?.('done');"),
        FOUND + "await probe.call('search', { q: 'pizza' });\nreturn String(self.invoked);",
        {
            "true": "`agentInvoked` is true.",
            "false": "`agentInvoked` is false.",
            "undefined": "There is no `agentInvoked`.",
        },
    ),
    asked_of(
        "no-answer",
        "What does a call end with whose submit event is prevented and not answered?",
        _answering(""),
        FOUND + _OUTCOME % "{ q: 'pizza' }",
        EXECUTING,
    ),
    asked_of(
        "waits-for-person",
        "What does a call do to a form without `toolautosubmit`?",
        _answering("event.respondWith?.('done');").replace(" toolautosubmit", ""),
        FOUND
        + """
        const called = probe.outcome(() => probe.call('search', { q: 'pizza' }));
        const filled = await probe.until(() => document.forms[0].elements.q.value === 'pizza', 3000);
        // A call of a tool by script goes the same way round and ends later.
        await probe.register({ name: 'later' });
        await probe.call('later');
        const ended = await Promise.race([called, Promise.resolve('pending')]);
        return `${filled ? 'filled' : 'not filled'},${ended}`;
        """,
        {
            "filled,pending": "It fills the fields and waits for a person.",
            "filled,ok": "It fills the fields and submits.",
            "not filled,pending": "It waits, and fills nothing.",
            "not filled,UnknownError": "It is refused.",
        },
    ),
    asked_of(
        "events-of-filling",
        "Which events does a field fire that a call fills?",
        _ANSWERS,
        FOUND
        + """
        const fired = new Set();
        for (const type of ['input', 'change']) {
          document.forms[0].elements.q.addEventListener(type, () => fired.add(type));
        }
        await probe.call('search', { q: 'pizza' });
        return [...fired].sort().join(',') || 'none';
        """,
        {
            "change,input": "`input` and `change`.",
            "input": "`input` alone.",
            "change": "`change` alone.",
            "none": "None.",
        },
    ),
    _refuses(
        "unknown-parameter", "What comes of calling a form with a field it does not have?", _FIELDS, "{ nope: 'x' }"
    ),
    _refuses(
        "value-not-offered", "What comes of calling a form with an option it does not offer?", _SIZES, "{ size: 'xl' }"
    ),
    _refuses(
        "invalid-value",
        "What comes of calling a form with a value that its own validation refuses?",
        '<input type="email" name="q" required><button>Go</button>',
        "{ q: 'no address' }",
    ),
    asked_of(
        "no-button",
        "What comes of calling a form without `toolautosubmit` that has no submit button?",
        form(),
        FOUND + _OUTCOME % "{ q: 'pizza' }",
        EXECUTING,
    ),
    asked_of(
        "pseudo-classes",
        "Does the browser know `:tool-form-active` and `:tool-submit-active`?",
        "",
        """
        const known = (name) => CSS.supports(`selector(:${name})`);
        return known('tool-form-active') && known('tool-submit-active') ? 'yes' : 'no';
        """,
        yes_no("It knows both.", "It does not know both."),
    ),
)
