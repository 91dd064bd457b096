"""What a page can do to its own renderer."""

from collections.abc import Mapping
from dataclasses import replace

from measure.compatibility.answers import EXECUTING
from measure.compatibility.behaviour import Behaviour, Page, Script, Switch

_DEFECT = "A defect: no specification asks for it"
_STEPS = "#imperative-execute-steps: serializing the result"
_ALIVE = {"alive": "Nothing happens.", "crash": "The renderer crashes."}
_REGISTERS = """
await probe.outcome(() => probe.register());
await probe.outcome(() => probe.register({ name: 'second' }));
return 'alive';
"""

# Of one name: either has its own description. The page may crash while it loads.
_TWO_FORMS = """<!doctype html><title>A page</title>
<form toolname="search" tooldescription="first"><input name="a"></form>
<form toolname="search" tooldescription="second"><input name="b"></form>
"""
_SUBMITTED_AWAY = """<!doctype html><title>A page</title>
<form toolname="search" tooldescription="Searches." toolautosubmit><input name="q"><button>Search</button></form>
<script>
  document.forms[0].addEventListener('submit', (event) => {
    event.preventDefault();
    event.respondWith?.('done');
    event.target.remove();
  });
</script>
"""


def _asked(
    name: str,
    question: str,
    script: str,
    values: Mapping[str, str] = _ALIVE,
    section: str = _DEFECT,
    page: str | None = None,
    switch: Switch = Switch.WEBMCP,
) -> Behaviour:
    return Behaviour(
        id=f"crashes/{name}",
        question=question,
        section=section,
        asked=Script(script),
        values=values,
        pages={"": Page(page)} if page else {},
        switch=switch,
        may_crash=True,
    )


def _racing(name: str, question: str, script: str) -> Behaviour:
    """Ask what hangs on timing: builds 150 to 156 crash most times, and now and then they do not."""
    return replace(_asked(name, question, script), timing=True)


def _result(name: str, question: str, before: str, value: str) -> Behaviour:
    return _asked(
        name,
        question,
        f"""
        {before}
        await probe.register({{ execute: () => {value} }});
        return await probe.within(probe.outcome(() => probe.call('tool')));
        """,
        {**EXECUTING, "crash": "The renderer crashes."},
        _STEPS,
        # The switch that lets a page call a tool in every build that has tools.
        switch=Switch.EXPERIMENTAL,
    )


BEHAVIOURS = (
    _asked(
        "document-made",
        "Does a page survive that makes a document and then registers a tool?",
        f"document.implementation.createHTMLDocument('');\n{_REGISTERS}",
    ),
    _racing(
        "document-made-and-read",
        "Does a page survive that reads `modelContext` of a document it made and then registers a tool?",
        f"self.kept = document.implementation.createHTMLDocument('');\nself.kept.modelContext;\n{_REGISTERS}",
    ),
    _racing(
        "document-parsed-and-read",
        "Does a page survive that reads `modelContext` of a document it parsed and then registers a tool?",
        f"self.kept = new DOMParser().parseFromString('', 'text/html');\nself.kept.modelContext;\n{_REGISTERS}",
    ),
    _asked(
        "two-forms-of-one-name",
        "Which of two forms with one `toolname` is listed?",
        """
        const listed = await probe.until(async () => {
          const found = Array.from(await probe.tools()).map((tool) => tool.description);
          return found.length && found.join(',');
        }, 2000);
        return listed ?? 'neither';
        """,
        {
            "first": "The first.",
            "second": "The second.",
            "first,second": "Both.",
            "neither": "Neither.",
            "crash": "The renderer crashes while the page loads.",
        },
        "#declarative-api; the declarative explainer",
        _TWO_FORMS,
        Switch.TESTING,
    ),
    _asked(
        "form-removed-by-submit",
        "What does a call end with whose form is removed by its own submit event?",
        """
        const listed = await probe.until(async () => (await probe.names()).includes('search'), 2000);
        if (!listed) probe.notApplicable('no form becomes a tool');
        return await probe.within(probe.outcome(() => probe.call('search', { q: 'pizza' })));
        """,
        {**EXECUTING, "crash": "The renderer crashes."},
        "#declarative-api; web-platform-tests: webmcp/declarative/form_removal_submit_crash",
        _SUBMITTED_AWAY,
        Switch.TESTING,
    ),
    _asked(
        "frame-removed-by-its-tool",
        "What does a call end with whose tool removes its own frame?",
        """
        const frame = await probe.frame();
        const body = "await probe.needs({ execute: () => { frameElement.remove(); return 'done'; } });";
        await probe.ask(frame, body);
        if (!(await probe.until(async () => (await probe.names()).includes('tool'), 2000))) {
          probe.notApplicable('a frame\\'s tool is not listed');
        }
        return await probe.within(probe.outcome(() => probe.call('tool')));
        """,
        {**EXECUTING, "crash": "The renderer crashes."},
        "#unloading-document-cleanup-steps",
        switch=Switch.TESTING,
    ),
    _result("symbol-result", "What does a call end with whose tool returns a Symbol?", "", "Symbol('one')"),
    _result(
        "circular-result", "What of one that returns an object that holds itself?", "const it = {}; it.it = it;", "it"
    ),
    _result(
        "unserializable-result",
        "What of one whose result throws while it is serialized?",
        "",
        "({ toJSON() { throw new RangeError('why'); } })",
    ),
)
