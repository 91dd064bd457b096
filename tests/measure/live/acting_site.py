"""A site whose tools each do one thing that a call can do, or fail in one way in which it can fail."""

from tests.sites.server import Reply, Site

_TOOLS = """
  answers: () => ({ id: 7 }),
  answers_nothing: () => undefined,
  answers_json_text: () => '{"id": 7}',
  answers_at_length: () => "x".repeat(300_000),
  answers_failure: () => ({ isError: true, content: [{ type: "text", text: "no such dish" }] }),
  throws: () => { throw new TypeError("coupon expired"); },
  throws_text: () => { throw "plain words"; },
  rejects: async () => { throw new Error("later"); },
  hangs: () => new Promise(() => {}),
  spins: () => { for (;;); },
  crashes: () => Symbol("a renderer does not survive this"),
  leaves: () => { location.href = "/other"; return new Promise(() => {}); },
  leaves_after_answer: () => { location.href = "/other"; return "going"; },
  routes: () => { history.pushState({}, "", "/route"); return "ok"; },
  writes_text: () => { document.querySelector("#text").textContent = "new"; return "ok"; },
  writes_into_shadow: () => { document.querySelector("#host").shadowRoot.textContent = "new"; return "ok"; },
  fills_in: () => { document.querySelector("#field").value = "new"; return "ok"; },
  keeps: async () => {
    localStorage.setItem("cart", "1");
    localStorage.setItem("theme", "dark");
    localStorage.removeItem("old");
    sessionStorage.setItem("step", "2");
    document.cookie = "seen=1";
    await new Promise((done) => { indexedDB.open("orders", 3).onsuccess = done; });
    return "ok";
  },
  posts: async () => { await fetch("/api/order?card=4111", { method: "POST", body: "x" }); return "ok"; },
  asks: () => confirm("Really?"),
  opens_window: () => { window.open("/other"); return "ok"; },
  downloads: () => { document.querySelector("#file").click(); return "ok"; },
  breaks_later: () => { setTimeout(() => { throw new Error("nobody caught this"); }, 10); return "ok"; },
  offers_more: () => { register("fresh", () => "ok"); return "ok"; },
  changes_late: () => { setTimeout(() => document.body.append("late"), 200); return "ok"; },
"""

_PAGE = f"""<!doctype html><title>Acting</title>
<p id="text">old</p><p id="host"></p><input id="field" value="old"><a id="file" href="/file" download>file</a>
<form toolname="waits" tooldescription="Waits for a person." action="/other"><input name="q"><button>go</button></form>
<form toolname="submits" tooldescription="Sends itself." toolautosubmit action="/other" method="post">
  <input name="attributes"><input name="nodeType"><button>go</button></form>
<form toolname="forgets" tooldescription="Never answers." toolautosubmit onsubmit="event.preventDefault()">
  <input name="q"><button>go</button></form>
<script>
  document.querySelector("#host").attachShadow({{ mode: "open" }}).textContent = "old";
  localStorage.setItem("theme", "light");
  localStorage.setItem("old", "1");
  const register = (name, execute) => document.modelContext.registerTool({{
    name, execute, description: `Tool ${{name}}.`, annotations: {{ readOnlyHint: name === "answers" }},
  }});
  const tools = {{ {_TOOLS} }};
  for (const [name, execute] of Object.entries(tools)) register(name, execute);
</script>
"""

_OTHER = """<!doctype html><title>Other</title><p>other</p>
<script type="application/ld+json">{"@type": "Order", "orderNumber": "4711"}</script>
<script>document.modelContext.registerTool({ name: "there", description: "Is there.", execute: () => "ok" });</script>
"""

_RESTLESS = """<!doctype html><title>Restless</title><p id="clock"></p>
<script>
  setInterval(() => { document.querySelector("#clock").textContent = Math.random(); }, 40);
  document.modelContext.registerTool({ name: "keeps", description: "Keeps something.", execute: () => {
    localStorage.setItem("kept", "1"); return "ok"; } });
</script>
"""

_FRAMED = """<!doctype html><title>Framed</title>
<iframe src="{{acting-frame}}/" allow="tools"></iframe><iframe src="/inner"></iframe>
<script>document.modelContext.registerTool({ name: "same", description: "Top's.", execute: () => "top" });</script>
"""

_INNER = """<!doctype html><p id="text">old</p>
<script>document.modelContext.registerTool({ name: "same", description: "The frame's.", execute: () => {
  document.querySelector("#text").textContent = "new"; return origin; } });</script>
"""

ACTING = Site(
    "acting",
    {
        "/": Reply(_PAGE),
        "/other": Reply(_OTHER),
        "/restless": Reply(_RESTLESS),
        "/framed": Reply(_FRAMED),
        "/inner": Reply(_INNER),
        "/api/order": Reply("{}", content_type="application/json"),
        "/file": Reply("text", content_type="application/octet-stream"),
        "/missing": Reply("none", status=404),
    },
)
ACTING_FRAME = Site("acting-frame", {"/": Reply(_INNER)})
