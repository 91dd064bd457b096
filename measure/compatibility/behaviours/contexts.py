"""Which documents have the API, and which of them may register a tool."""

from measure.compatibility.answers import REGISTERING, REGISTERS, in_js, yes_no
from measure.compatibility.behaviour import Behaviour, Page, Script, Steps
from measure.compatibility.probing import Origin, Tab

_SECTION = "#document-extension"
_HTML = "<!doctype html><title>A page</title>"


def _page(
    name: str, question: str, entry: Origin = Origin.HTTPS, page: Page | None = None, section: str = _SECTION
) -> Behaviour:
    """The entry page itself registers."""
    return Behaviour(
        id=f"contexts/{name}",
        question=question,
        section=section,
        asked=Script(REGISTERS),
        values=REGISTERING,
        pages={"": page} if page else {},
        entry=entry,
    )


def _address(name: str, question: str, url: str) -> Behaviour:
    """A top document at an address that nobody serves."""

    async def ask(tab: Tab) -> str:
        await tab.open_url(url)
        return await tab.ask(REGISTERS)

    return Behaviour(f"contexts/{name}", question, _SECTION, Steps(ask), REGISTERING)


def _frame(name: str, question: str, make: str, section: str = _SECTION, entry: Origin = Origin.HTTPS) -> Behaviour:
    """A frame that the page made and can reach into; `make` is JavaScript that sets up `element`."""
    return Behaviour(
        id=f"contexts/{name}",
        question=question,
        section=section,
        asked=Script(
            f"""
            const element = document.createElement('iframe');
            {make}
            const loaded = probe.event(element, 'load');
            document.body.append(element);
            await loaded;
            const inside = element.contentWindow;
            const context = inside.document.modelContext ?? inside.navigator.modelContext;
            if (!context) return 'no_api';
            return await probe.within(probe.outcome(() => context.registerTool(probe.tool())));
            """
        ),
        values=REGISTERING,
        entry=entry,
    )


_DATA_FRAME = r"""
const text = `<script>
  (async () => {
    const context = document.modelContext ?? navigator.modelContext;
    let said = 'no_api';
    if (context) {
      try {
        await context.registerTool({ name: 'tool', description: 'Does something.', execute: () => 'done' });
        said = 'ok';
      } catch (error) {
        said = error.name;
      }
    }
    parent.postMessage(said, '*');
  })();
<\/script>`;
const heard = probe.event(window, 'message', 5000);
const element = document.createElement('iframe');
element.allow = 'tools';
element.src = `data:text/html,${encodeURIComponent(text)}`;
document.body.append(element);
return (await heard)?.data ?? 'pending';
"""

_WORKER = """
const text = 'postMessage("modelContext" in navigator || "ModelContext" in self ? "yes" : "no")';
const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
const said = await probe.event(worker, 'message', 5000);
worker.terminate();
return said.data;
"""

_SERVICE_WORKER = """
if (!navigator.serviceWorker) probe.notApplicable('no service workers here');
const registration = await navigator.serviceWorker.register(probe.url('worker.js', 'localhost'));
const worker = registration.installing ?? registration.waiting ?? registration.active;
const channel = new MessageChannel();
const heard = probe.event(channel.port1, 'message', 10000);
channel.port1.start();
worker.postMessage('', [channel.port2]);
const said = (await heard)?.data;
await registration.unregister();
return said;
"""

_REMOVED_FRAME = """
const frame = await probe.frame();
const context = frame.contentDocument.modelContext ?? frame.contentWindow.navigator.modelContext;
if (!context) return 'no_api';
frame.remove();
return await probe.within(probe.outcome(() => context.registerTool(probe.tool())));
"""


def _sandboxed(name: str, question: str, asked: Script, values: dict[str, str] | None, canonical: str) -> Behaviour:
    return Behaviour(
        id=f"contexts/{name}",
        question=question,
        section="HTML: Content-Security-Policy sandbox; #registered-tool",
        asked=asked,
        values=values,
        canonical=canonical,
        pages={"": Page(_HTML, {"Content-Security-Policy": "sandbox allow-scripts"})},
    )


BEHAVIOURS = (
    _page("https", "May a page at an https address register a tool?"),
    _page("http", "May a page at a plain http address register a tool?", Origin.HTTP),
    _page("http-localhost", "May a page at `http://localhost` register a tool?", Origin.LOCALHOST),
    _page("http-loopback", "May a page at `http://127.0.0.1` register a tool?", Origin.LOOPBACK),
    _page("file", "May a page at a `file:` address register a tool?", Origin.FILE),
    _address("about-blank", "May a top document at `about:blank` register a tool?", "about:blank"),
    _address("data", "May a top document at a `data:` address register a tool?", "data:text/html,<title>A page"),
    _page("not-found", "May a page that came with status 404 register a tool?", page=Page(_HTML, status=404)),
    _page(
        "xhtml",
        "May an XHTML page register a tool?",
        page=Page(
            '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A page</title></head><body></body></html>',
            content_type="application/xhtml+xml",
        ),
    ),
    _page(
        "svg",
        "May an SVG document register a tool?",
        page=Page('<svg xmlns="http://www.w3.org/2000/svg"></svg>', content_type="image/svg+xml"),
    ),
    _page(
        "agent-cluster-off",
        "May a page with `Origin-Agent-Cluster: ?0` register a tool?",
        page=Page(_HTML, {"Origin-Agent-Cluster": "?0"}),
        section="HTML: origin-keyed agent clusters",
    ),
    _sandboxed(
        "csp-sandbox",
        "May a page that its Content-Security-Policy sandboxes register a tool?",
        Script(REGISTERS),
        dict(REGISTERING),
        "",
    ),
    _sandboxed(
        "csp-sandbox-origin",
        "Which origin does the list give for a tool of a page with an opaque origin?",
        Script(
            """
            await probe.register();
            const [tool] = await probe.tools();
            return tool ? tool.origin ?? 'absent' : 'none';
            """
        ),
        None,
        "the item's origin; `absent` where items have none; `none` where there is no item",
    ),
    _frame("blank-frame", "May an `about:blank` frame register a tool?", ""),
    _frame("srcdoc-frame", "May a `srcdoc` frame register a tool?", "element.srcdoc = '<title>A frame</title>';"),
    _frame(
        "blob-frame",
        "May a `blob:` frame register a tool?",
        "element.src = URL.createObjectURL(new Blob(['<title>A frame</title>'], { type: 'text/html' }));",
    ),
    Behaviour(
        id="contexts/data-frame",
        question="May a `data:` frame with `allow=tools` register a tool?",
        section=_SECTION,
        asked=Script(_DATA_FRAME),
        values=REGISTERING,
    ),
    Behaviour(
        id="contexts/secure-frame-of-insecure-page",
        question="May an https frame of a plain http page register a tool?",
        section="Secure Contexts: ancestors",
        asked=Script(
            f"""
            const frame = await probe.frame({{ origin: 'other_site', attributes: {{ allow: 'tools' }} }});
            return await probe.ask(frame, {in_js(REGISTERS)});
            """
        ),
        values=REGISTERING,
        entry=Origin.HTTP,
    ),
    Behaviour(
        id="contexts/removed-frame",
        question="What comes of registering with the context of a frame that was removed?",
        section="#dom-modelcontext-registertool: fully active",
        asked=Script(_REMOVED_FRAME),
        values=REGISTERING,
    ),
    Behaviour(
        id="contexts/worker",
        question="Does a dedicated worker have the API?",
        section="#model-context-container: Exposed=Window",
        asked=Script(_WORKER),
        values=yes_no("It has.", "It has not."),
    ),
    Behaviour(
        id="contexts/service-worker",
        question="Does a service worker have the API?",
        section="#model-context-container: Exposed=Window",
        asked=Script(_SERVICE_WORKER),
        values=yes_no("It has.", "It has not."),
        pages={
            "worker.js": Page(
                "addEventListener('message', ({ ports }) =>"
                " ports[0].postMessage('modelContext' in navigator || 'ModelContext' in self ? 'yes' : 'no'));",
                content_type="text/javascript",
            )
        },
        entry=Origin.LOCALHOST,
    ),
)
