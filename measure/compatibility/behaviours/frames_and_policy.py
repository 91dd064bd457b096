"""Which frames may register tools: `allow`, `sandbox` and the header `Permissions-Policy`."""

from collections.abc import Mapping

from measure.compatibility.answers import REGISTERING, REGISTERS, in_js, yes_no
from measure.compatibility.behaviour import ANSWERING, Behaviour, DevTools, Page, Script
from measure.compatibility.devtools_domain import domain, has_tool
from measure.compatibility.probing import Tab

_SECTION = "#permissions-policy"
_HTML = "<!doctype html><title>A page</title>"
_CROSS_SITE = "origin: 'other_site'"
_ALLOWED = "attributes: { allow: 'tools' }"

_REGISTERS_EXPOSED = """
return await probe.outcome(() => probe.register({}, { exposedTo: [probe.origin('https')] }));
"""


def _policy(tools: str) -> Mapping[str, str]:
    return {"Permissions-Policy": f"tools={tools}"}


def _frame(
    name: str,
    question: str,
    frame: str,
    host: Mapping[str, str] | None = None,
    child: Mapping[str, str] | None = None,
    section: str = _SECTION,
) -> Behaviour:
    """Ask a frame, under these headers of the host's page and of its own, to register."""
    pages = {"": Page(_HTML, host)} if host else {}
    if child:
        pages["child"] = Page(ANSWERING, child)
        frame = f"path: 'child', {frame}" if frame else "path: 'child'"
    return Behaviour(
        id=f"frames_and_policy/{name}",
        question=question,
        section=section,
        asked=Script(
            f"""
            const frame = await probe.frame({{ {frame} }});
            return await probe.ask(frame, {in_js(REGISTERS)});
            """
        ),
        values=REGISTERING,
        pages=pages,
    )


def _page(name: str, question: str, tools: str) -> Behaviour:
    """Ask the page itself to register under this policy."""
    return Behaviour(
        id=f"frames_and_policy/{name}",
        question=question,
        section=_SECTION,
        asked=Script(REGISTERS),
        values=REGISTERING,
        pages={"": Page(_HTML, _policy(tools))},
    )


def _inner(name: str, question: str, middle: str, inner: str) -> Behaviour:
    """Ask a frame of the host's own origin, inside a cross-site frame, to register."""
    nested = f"""
    const inner = await probe.frame({{ origin: 'https', {inner} }});
    return await probe.ask(inner, {in_js(REGISTERS)});
    """
    return Behaviour(
        id=f"frames_and_policy/{name}",
        question=question,
        section=_SECTION,
        asked=Script(
            f"""
            const middle = await probe.frame({{ {_CROSS_SITE}, {middle} }});
            return await probe.ask(middle, {in_js(nested)});
            """
        ),
        values=REGISTERING,
    )


async def _form_in_blocked_frame(tab: Tab) -> str:
    session = await domain(tab)
    await tab.open("host")
    await tab.ask("await probe.register({ name: 'fence' });")
    await session.event("WebMCP.toolsAdded", has_tool("fence"))
    await session.event("WebMCP.toolsAdded", has_tool("host_form"))
    return "yes" if any(has_tool("blocked_form")(added) for added in session.seen("WebMCP.toolsAdded")) else "no"


BEHAVIOURS = (
    _frame("same-origin", "May a same-origin frame register a tool?", ""),
    _frame(
        "same-origin-allow-none",
        "May a same-origin frame with `allow=\"tools 'none'\"` register a tool?",
        "attributes: { allow: \"tools 'none'\" }",
    ),
    _frame("same-site", "May a cross-origin frame of the same site register without `allow`?", "origin: 'same_site'"),
    _frame("cross-site", "May a cross-site frame register a tool without `allow`?", _CROSS_SITE),
    _frame(
        "same-site-allowed",
        "May a cross-origin frame of the same site register with `allow=tools`?",
        f"origin: 'same_site', {_ALLOWED}",
    ),
    _frame("cross-site-allowed", "May a cross-site frame register with `allow=tools`?", f"{_CROSS_SITE}, {_ALLOWED}"),
    _frame(
        "cross-site-allowed-star",
        'May a cross-site frame register with `allow="tools *"`?',
        f"{_CROSS_SITE}, attributes: {{ allow: 'tools *' }}",
    ),
    _frame(
        "child-policy-none",
        "May a same-origin frame register whose own header says `tools=()`?",
        "",
        child=_policy("()"),
    ),
    _page("policy-none", "May a page register whose header says `tools=()`?", "()"),
    _page("policy-self", "May a page register whose header says `tools=(self)`?", "(self)"),
    _page("policy-star", "May a page register whose header says `tools=*`?", "*"),
    _frame(
        "host-policy-none",
        "May a same-origin frame register when its host's header says `tools=()`?",
        _ALLOWED,
        _policy("()"),
    ),
    _frame(
        "host-policy-self",
        "May a cross-site frame with `allow=tools` register when the host's header says `tools=(self)`?",
        f"{_CROSS_SITE}, {_ALLOWED}",
        _policy("(self)"),
    ),
    _frame(
        "host-policy-star",
        "May a cross-site frame without `allow` register when the host's header says `tools=*`?",
        _CROSS_SITE,
        _policy("*"),
    ),
    _frame(
        "host-policy-names-frame",
        "May a cross-site frame with `allow=tools` register when the host's header names its origin?",
        f"{_CROSS_SITE}, {_ALLOWED}",
        _policy('(self "{{other_site}}")'),
    ),
    _frame(
        "sandboxed",
        "May a frame with `sandbox=allow-scripts` register a tool?",
        "attributes: { sandbox: 'allow-scripts' }",
    ),
    _frame(
        "sandboxed-allowed",
        "May it register with `allow=tools` beside the sandbox?",
        "attributes: { sandbox: 'allow-scripts', allow: 'tools' }",
    ),
    _frame(
        "sandboxed-same-origin",
        'May a frame with `sandbox="allow-scripts allow-same-origin"` register a tool?',
        "attributes: { sandbox: 'allow-scripts allow-same-origin' }",
    ),
    _inner(
        "there-and-back",
        "May the page's own origin register in an allowed frame inside an allowed cross-site frame?",
        _ALLOWED,
        _ALLOWED,
    ),
    _inner(
        "there-and-not-back",
        "May the page's own origin register in a frame without `allow` inside an allowed cross-site frame?",
        _ALLOWED,
        "attributes: {}",
    ),
    _inner(
        "not-there-but-back",
        "May the page's own origin register in an allowed frame inside a cross-site frame without `allow`?",
        "attributes: {}",
        _ALLOWED,
    ),
    _frame(
        "credentialless",
        "May a credentialless cross-site frame with `allow=tools` register a tool?",
        f"{_CROSS_SITE}, attributes: {{ allow: 'tools', credentialless: '' }}",
    ),
    _frame(
        "child-agent-cluster-off",
        "May an allowed cross-site frame with `Origin-Agent-Cluster: ?0` register a tool?",
        f"{_CROSS_SITE}, {_ALLOWED}",
        child={"Origin-Agent-Cluster": "?0"},
        section="HTML: origin-keyed agent clusters",
    ),
    Behaviour(
        id="frames_and_policy/list-in-blocked-frame",
        question="What does `getTools()` come to in a frame that may not register?",
        section="#dom-modelcontext-gettools",
        asked=Script(
            f"""
            const frame = await probe.frame({{ {_CROSS_SITE} }});
            return await probe.ask(frame, {in_js("return await probe.outcome(() => probe.tools());")});
            """
        ),
        values={"ok": "It gives a list.", "NotAllowedError": "Refused by the policy.", "SecurityError": "Refused."},
    ),
    Behaviour(
        id="frames_and_policy/exposing-does-not-allow",
        question="May a cross-site frame without `allow` register a tool that it exposes to its host?",
        section=_SECTION,
        asked=Script(
            f"""
            const frame = await probe.frame({{ {_CROSS_SITE} }});
            return await probe.ask(frame, {in_js(_REGISTERS_EXPOSED)});
            """
        ),
        values=REGISTERING,
    ),
    Behaviour(
        id="frames_and_policy/form-in-blocked-frame",
        question="Does the browser offer a form in a cross-origin frame without `allow`?",
        section="#permissions-policy; DevTools protocol: WebMCP.toolsAdded",
        asked=DevTools(_form_in_blocked_frame),
        values=yes_no("It offers the form.", "It does not."),
        pages={
            # Of the same site: with site isolation too, its tools would show in the page's own session.
            "host": Page(
                f'{_HTML}<form toolname="host_form" tooldescription="The host\'s."><input name="q"></form>'
                '<iframe src="{{same_site}}/frames_and_policy/form-in-blocked-frame/child"></iframe>'
            ),
            "child": Page(
                f'{_HTML}<form toolname="blocked_form" tooldescription="The frame\'s."><input name="q"></form>'
            ),
        },
    ),
)
