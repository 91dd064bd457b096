"""Pages that make a reader see something else: names that are clobbered, objects replaced, robots told apart."""

from tests.sites.gold import UNCHECKED, GoldPage, Tool, captured, document, registering, scripts
from tests.sites.server import Reply

TAMPERS_FIRST = """
<script>
  const register = ModelContext.prototype.registerTool.bind(document.modelContext);
  for (const type of [Array, Map, Set, Promise, Object, String, Function, EventTarget, Node, Element])
    for (const key of Object.getOwnPropertyNames(type.prototype))
      if (key !== "constructor" && typeof Object.getOwnPropertyDescriptor(type.prototype, key).value === "function"
          && type !== Promise && type !== Function)
        try { type.prototype[key] = () => { throw new TypeError("not today"); }; } catch {}
  JSON.stringify = JSON.parse = () => { throw new TypeError("not today"); };
  self.requestIdleCallback = self.setTimeout = self.fetch = undefined;
  register({ name: "registered_in_ruins", description: "It works.", execute: () => "" });
</script>
"""

OWN_GETTER = (
    registering("native_1", "native_2")
    + """
<script>
  Object.defineProperty(document, "modelContext", {
    get: () => ({ getTools: async () => [], registerTool: async () => {} }) });
</script>
"""
)

OWN_OBJECT = (
    registering("native_1", "native_2")
    + """
<script>
  Object.defineProperty(document, "modelContext", { %s });
</script>
"""
)

PROMISES_FIRST = """
<script>
  // Before anything is registered: no promise is ever settled, and the names of what makes one are gone.
  const nothing = function () { return this; };
  Object.assign(Promise.prototype, { then: nothing, catch: nothing, finally: nothing });
  self.Promise = self.queueMicrotask = self.MessageChannel = undefined;
  JSON.stringify = () => "{}";
</script>
""" + registering("promises_nothing", "nor_does_this")

POLLUTES = (
    registering("clean_1", "clean_2")
    + """
<script>
  // What every object inherits: a reader that looks for `get`, `value` or `toJSON` finds these.
  const lie = () => { throw new TypeError("polluted"); };
  for (const name of ["toJSON", "get", "set", "value", "then", "name", "tools", "length", "0"])
    Object.defineProperty(Object.prototype, name, { get: lie, configurable: true });
</script>
"""
)

CLOBBERS = (
    registering("not_clobbered", "nor_this")
    + """
<form name="modelContext"><input name="getTools"></form>
<img name="querySelectorAll" alt=""><img name="featurePolicy" alt=""><img name="title" alt="">
<img name="scripts" alt=""><img name="location" alt=""><img name="defaultView" alt="">
<iframe name="top"></iframe><iframe name="document"></iframe><iframe name="origin"></iframe>
"""
)

ROBOT = """
<script>
  const tool = (name) => ({ name, description: `Answers with ${name}.`, execute: () => name });
  document.modelContext.registerTool(tool("for_everybody"));
  if (!navigator.webdriver) document.modelContext.registerTool(tool("for_people_only"));
</script>
"""

HEADLESS = """
<script>
  // What pages look at to tell a browser without a window: none of it may give the crawler away.
  const tool = (name) => ({ name, description: `Answers with ${name}.`, execute: () => name });
  const brands = navigator.userAgentData?.brands.map(({ brand }) => brand).join() ?? "";
  const headless = /headless/i.test(navigator.userAgent + brands);
  const chrome = /Chrome\\/\\d+/.test(navigator.userAgent) && /Chromium/.test(brands);
  document.modelContext.registerTool(tool(headless ? "for_headless" : "for_windows"));
  document.modelContext.registerTool(tool(chrome ? "for_chromium" : "for_others"));
</script>
"""

WORKER_ANSWERS = (
    registering("from_the_server")
    + """
<script>
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  navigator.serviceWorker.register("/worker.js");
</script>
"""
)

WORKER_ANSWERS_JS = """
// Answers everything itself, with a page of its own.
const page = `<!doctype html><title>Worker</title><script>
  document.modelContext.registerTool({ name: "from_the_worker", description: "No server.", execute: () => "" });
<\\/script>`;
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(
  new Response(page, { headers: { "Content-Type": "text/html" } })));
"""

HIDES_WHEN_WATCHED = (
    registering("steadfast")
    + """
<script>
  // A getter on an object that is logged runs when somebody looks at the console through DevTools.
  const bait = new Error("bait");
  Object.defineProperty(bait, "stack", { get: () => { document.title = "watched"; return ""; } });
  console.debug(bait);
  addEventListener("visibilitychange", () => document.body.remove());
  addEventListener("blur", () => document.body.remove());
</script>
"""
)


def _own_object(name: str, title: str, descriptor: str, *listed: Tool) -> GoldPage:
    """A page whose own object stands in the place of the native one, which has two tools."""
    native = scripts("native_1", "native_2")
    return GoldPage(
        name,
        title,
        captured(*native, *listed, polyfill="replaces_native", tools_callable=2, tools_listed=2, tools_unlisted=0),
        "measured: an isolated world sees the untouched native object; design: every wait has a bound",
        {"/": document("Own object", OWN_OBJECT % descriptor)},
    )


PAGES = (
    GoldPage(
        "tampers-first",
        "Breaks every method of Array, Object, String, Node and more before it registers",
        captured(*scripts("registered_in_ruins")),
        "spec: an isolated world has built-ins of its own",
        {"/": document("Ruins", TAMPERS_FIRST)},
    ),
    GoldPage(
        "own-getter",
        "Puts a getter of its own in the place of `document.modelContext`, which shows no tools",
        captured(*scripts("native_1", "native_2"), polyfill="replaces_native"),
        "measured: an isolated world sees the untouched native object",
        {"/": document("Getter", OWN_GETTER)},
    ),
    _own_object(
        "getter-that-throws",
        "Puts a getter that throws in the place of `document.modelContext`",
        'get() { throw new Error("not for you"); }',
    ),
    _own_object(
        "list-that-never-comes",
        "Puts an object whose list never comes in the place of `document.modelContext`",
        "value: { getTools: () => new Promise(() => {}) }",
    ),
    _own_object(
        "list-that-loops",
        "Puts an object that never returns from its list in the place of `document.modelContext`",
        "value: { getTools() { for (;;); } }",
    ),
    _own_object(
        "list-without-end",
        "Puts an object whose list never ends in the place of `document.modelContext`: 500 are looked at",
        'value: { getTools: function* () { for (let n = 0; ; n++) yield { name: `endless_${n}`, description: "" }; } }',
        *(
            Tool(f"endless_{number}", kind=None, listing=None, listing_cause="library_only", callable=False)
            for number in range(500)
        ),
    ),
    GoldPage(
        "promises-first",
        "Breaks Promise and JSON before it registers",
        captured(*scripts("promises_nothing", "nor_does_this")),
        "spec: an isolated world has built-ins of its own",
        {"/": document("Promises", PROMISES_FIRST)},
    ),
    GoldPage(
        "pollutes",
        "Puts getters that throw on Object.prototype",
        captured(*scripts("clean_1", "clean_2")),
        "spec: an isolated world has built-ins of its own",
        {"/": document("Pollutes", POLLUTES)},
    ),
    GoldPage(
        "clobbers",
        "Elements with the names of the document's own members: modelContext, querySelectorAll, title",
        captured(*scripts("not_clobbered", "nor_this"), frames=None, polyfill=UNCHECKED),
        "spec: an isolated world does not see the names that a page gives its elements",
        {"/": document("Clobbers", CLOBBERS)},
    ),
    GoldPage(
        "hides-from-robots",
        "Keeps a tool from browsers that are driven (navigator.webdriver)",
        captured(*scripts("for_everybody")),
        "design: the crawler does not hide that it drives the browser",
        {"/": document("Robots", ROBOT)},
    ),
    GoldPage(
        "tells-headless-apart",
        "Other tools for a browser whose user agent or client hints say headless",
        captured(*scripts("for_windows", "for_chromium")),
        "design: the user agent and its client hints are those of a browser with a window",
        {"/": document("Headless", HEADLESS)},
    ),
    GoldPage(
        "watches-the-console",
        "A logged object whose getter tells whether somebody looks",
        captured(*scripts("steadfast")),
        "spec: a tool is there until its signal is aborted",
        {"/": document("Watches", HIDES_WHEN_WATCHED)},
    ),
    GoldPage(
        "worker-answers",
        "A service worker that answers everything, the page itself included",
        captured(*scripts("from_the_worker"), navigated_during_read=1),
        "spec: a service worker's answer is the document; the first one's tools went with it",
        {
            "/": document("Server", WORKER_ANSWERS),
            "/worker.js": Reply(WORKER_ANSWERS_JS, content_type="text/javascript"),
        },
    ),
)
