"""Where the API is, what it consists of, and which switch brings it."""

from measure.compatibility.answers import yes_no
from measure.compatibility.behaviour import Behaviour, Script, Switch

_PLACES = """
const places = {
  document: 'modelContext' in document,
  navigator: 'modelContext' in navigator,
  testing: 'modelContextTesting' in navigator,
};
return Object.keys(places).filter((name) => places[name]).join(',') || 'nowhere';
"""
_WHERE = {
    "document": "`document.modelContext` only.",
    "navigator": "`navigator.modelContext` only.",
    "document,navigator": "Both.",
    "nowhere": "Neither.",
    "testing": "`navigator.modelContextTesting` alone.",
    "document,testing": "`document.modelContext` and `navigator.modelContextTesting`.",
    "navigator,testing": "`navigator.modelContext` and `navigator.modelContextTesting`.",
    "document,navigator,testing": "All three.",
}


def _with_switch(name: str, question: str, switch: Switch) -> Behaviour:
    return Behaviour(
        id=f"exposure/{name}",
        question=question,
        section="A switch of the browser; the specification has none",
        asked=Script(_PLACES),
        values=_WHERE,
        switch=switch,
    )


BEHAVIOURS = (
    Behaviour(
        id="exposure/where",
        question="Which objects have `modelContext`?",
        section="#document-extension",
        asked=Script(
            """
            const places = { document, navigator };
            return Object.keys(places).filter((name) => 'modelContext' in places[name]).join(',') || 'nowhere';
            """
        ),
        values={
            "document": "`document.modelContext` only.",
            "navigator": "`navigator.modelContext` only.",
            "document,navigator": "Both.",
            "nowhere": "Neither.",
        },
    ),
    Behaviour(
        id="exposure/members",
        question="Which members does `ModelContext` have?",
        section="#model-context-container",
        asked=Script(
            """
            const prototype = Object.getPrototypeOf(probe.context());
            return Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor').sort().join(',');
            """
        ),
        canonical="names of the prototype's own members, sorted, without `constructor`",
    ),
    Behaviour(
        id="exposure/old-methods",
        question="Which methods of earlier drafts are still there?",
        section="Earlier drafts: provideContext, clearContext, unregisterTool",
        asked=Script(
            """
            const context = probe.context();
            const old = ['clearContext', 'provideContext', 'unregisterTool'];
            return old.filter((name) => typeof context[name] === 'function').join(',') || 'none';
            """
        ),
        canonical="names of the methods, sorted; `none` without any",
    ),
    Behaviour(
        id="exposure/getter",
        question="Which prototype holds the getter of `modelContext`?",
        section="#document-extension",
        asked=Script(
            """
            let holder = 'modelContext' in document ? document : navigator;
            if (!('modelContext' in holder)) probe.notApplicable('no modelContext in the page');
            while (!Object.hasOwn(holder, 'modelContext')) holder = Object.getPrototypeOf(holder);
            const { get } = Object.getOwnPropertyDescriptor(holder, 'modelContext');
            // Firefox breaks the line before `[native code]`.
            const native = get?.toString().replace(/\\s+/g, ' ') === 'function get modelContext() { [native code] }';
            return holder === Document.prototype ? (native ? 'Document' : 'Document,other')
              : holder === Navigator.prototype ? (native ? 'Navigator' : 'Navigator,other') : 'own';
            """
        ),
        values={
            "Document": "A native getter on `Document.prototype`.",
            "Navigator": "A native getter on `Navigator.prototype`.",
            "Document,other": "On `Document.prototype`, and its source does not read like a native getter's.",
            "Navigator,other": "On `Navigator.prototype`, and its source does not read like a native getter's.",
            "own": "It is a property of the object itself.",
        },
    ),
    Behaviour(
        id="exposure/same-object",
        question="Does reading `modelContext` twice give the same object?",
        section="#document-extension",
        asked=Script("return probe.context() === probe.context() ? 'yes' : 'no';"),
        values=yes_no("It is one object.", "Each read makes another."),
    ),
    Behaviour(
        id="exposure/event-target",
        question="Is `modelContext` an EventTarget?",
        section="#model-context-container",
        asked=Script("return probe.context() instanceof EventTarget ? 'yes' : 'no';"),
        values=yes_no("It takes listeners.", "It has no `addEventListener()` of an EventTarget."),
    ),
    Behaviour(
        id="exposure/interfaces",
        question="Which of the interfaces that drafts have named does the window have?",
        section="#model-context-container, #tool-activated-event, #tool-cancel-event",
        asked=Script(
            """
            const events = ['ToolActivatedEvent', 'ToolCancelEvent', 'WebMCPEvent'];
            const names = ['ModelContext', 'ModelContextClient', ...events];
            return names.filter((name) => name in window).join(',') || 'none';
            """
        ),
        canonical=(
            "those of ModelContext, ModelContextClient, ToolActivatedEvent, ToolCancelEvent, WebMCPEvent that are there"
        ),
    ),
    Behaviour(
        id="exposure/submit-event",
        question="What does `SubmitEvent` offer to a form that an agent submits?",
        section="#declarative-api",
        asked=Script(
            """
            const names = ['agentInvoked', 'respondWith'];
            return names.filter((name) => name in SubmitEvent.prototype).join(',') || 'none';
            """
        ),
        canonical="those of agentInvoked, respondWith that are there",
    ),
    Behaviour(
        id="exposure/policy-feature",
        question="Does the permissions policy know the feature `tools`?",
        section="#permissions-policy",
        asked=Script(
            """
            if (!document.featurePolicy) probe.notApplicable('a page cannot ask for the names of policy features');
            return document.featurePolicy.features().includes('tools') ? 'yes' : 'no';
            """
        ),
        values=yes_no("`tools` is a policy-controlled feature.", "There is no such feature."),
    ),
    _with_switch("without-switch", "What does a page get from a browser as it comes?", Switch.NONE),
    _with_switch("feature-switch", "What does `--enable-features=WebMCP` alone bring?", Switch.FEATURE),
    _with_switch("testing-switch", "What does `--enable-features=WebMCPTesting` bring?", Switch.TESTING),
    _with_switch("blink-switch", "What does `--enable-blink-features=WebMCP` bring?", Switch.BLINK),
    _with_switch(
        "experimental-switch",
        "What does `--enable-experimental-web-platform-features` bring?",
        Switch.EXPERIMENTAL,
    ),
    _with_switch(
        "devtools-switch", "What does `--enable-features=DevToolsWebMCPSupport` bring to a page?", Switch.DEVTOOLS
    ),
)
