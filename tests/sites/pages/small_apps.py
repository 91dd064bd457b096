"""More small apps: frames, dynamic imports, custom elements, and pages without any tool."""

from tests.sites.gold import (
    TOP_FRAME,
    Frame,
    GoldPage,
    Tool,
    captured,
    document,
    javascript,
    json_text,
    scripts,
)

HABITS = """
<h1>Habits</h1><habit-board></habit-board>
<script>
  customElements.define("habit-board", class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: "open" }).innerHTML = "<p>Nothing tracked yet.</p>";
      const paragraph = this.shadowRoot.querySelector("p");
      const offer = (name, description, execute) =>
        document.modelContext?.registerTool({ name, description, execute });
      offer("track_habit", "Counts one more day.", () => (paragraph.textContent = "1 day"));
      offer("reset_habit", "Starts again at zero.", () => (paragraph.textContent = "0 days"));
    }
  });
</script>
"""

INVOICES = """
<h1>Invoices</h1>
<script>
  (async () => {
    const { invoiceTools } = await import("/tools.js");
    await Promise.all(invoiceTools.map((tool) => document.modelContext.registerTool(tool)));
  })();
</script>
"""

INVOICES_JS = """
const number = { type: "string", pattern: "^R-[0-9]{4}$", description: "Invoice number such as R-0042" };
const tool = (name, description) => ({
  name, description, execute: async () => "ok",
  inputSchema: { type: "object", properties: { number }, required: ["number"] },
});
export const invoiceTools = [
  tool("create_invoice", "Creates a draft."), tool("send_invoice", "Sends a draft to the customer."),
  tool("cancel_invoice", "Cancels an invoice that was sent."), tool("get_invoice", "Returns an invoice."),
  tool("remind", "Sends a reminder for an overdue invoice."),
];
"""

CHAT = """
<h1>Help desk</h1><p>Write to us in the box below.</p>
<iframe src="/widget" title="Chat" width="320" height="160"></iframe>
"""

CHAT_WIDGET = """
<form onsubmit="return false"><input name="text"></form>
<script>
  for (const name of ["send_message", "read_messages"])
    document.modelContext.registerTool({ name, description: `Chat: ${name}.`, execute: async () => "" });
</script>
"""

MUSIC = """
<h1>Radio</h1><audio controls></audio>
<script>
  const player = { play: "Starts the music.", pause: "Pauses the music.", next_track: "Skips one track." };
  const schedule = self.requestIdleCallback ?? setTimeout;
  schedule(() => {
    for (const [name, description] of Object.entries(player))
      document.modelContext.registerTool({ name, description, execute: () => document.title });
  });
  queueMicrotask(() => document.modelContext.registerTool({
    name: "set_volume", description: "Sets the volume in percent.",
    inputSchema: { type: "object", properties: { percent: { type: ["integer", "null"] } } },
    execute: () => "ok",
  }));
</script>
"""

RECIPES = """
<h1>Recipes for two</h1><div style="height: 3000px">Scroll for more.</div><p id="end">The end</p>
<script>
  document.modelContext.registerTool({ name: "find_recipe", description: "Finds a recipe by ingredient.",
    execute: async () => "lentil soup" });
  // These two need a visitor: nobody clicks and nobody scrolls in a census.
  document.querySelector("h1").addEventListener("click", () => document.modelContext.registerTool({
    name: "print_recipe", description: "Prints the recipe.", execute: async () => "" }));
  new IntersectionObserver(([entry]) => entry.isIntersecting && document.modelContext.registerTool({
    name: "load_more", description: "Loads more recipes.", execute: async () => "" }),
  ).observe(document.querySelector("#end"));
</script>
"""

KANBAN = """
<h1>Board</h1>
<script>
  const board = {
    async init() {
      const cards = await (await fetch("/cards.json")).json();
      this.register("list_cards", () => cards);
      await new Promise((resolve) => setTimeout(resolve, 300));
      this.register("move_card", () => "moved");
      this.register("archive_card", () => "archived");
      if (cards.length > 1) this.register("sort_cards", () => cards.sort());
    },
    register(name, execute) {
      document.modelContext.registerTool({ name, description: `The board's ${name}.`, execute,
        inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" } })
        .catch((error) => console.error(error));
    },
  };
  board.init();
</script>
"""

HIKES = """
<h1>Wanderungen für Anfänger</h1>
<script>
  document.modelContext.registerTool({
    name: "suche_wanderung",
    title: "Wanderung suchen",
    description: "Sucht eine Wanderung nach Länge und Höhenmetern, z. B. „leicht, 8 km“. 🥾",
    inputSchema: { type: "object", properties: { länge: { type: "number", description: "Länge in km" } } },
    execute: async () => "Seerunde",
  });
</script>
"""

PORTFOLIO = """
<h1>Ada Palmer, photographer</h1><p>Portraits and landscapes.</p>
<script>document.querySelector("p").append(" By appointment.");</script>
"""

ARTICLE = """
<h1>What is WebMCP?</h1>
<p>A page calls <code>document.modelContext.registerTool()</code>, earlier
<code>navigator.modelContext</code>, and an agent may then use the tool. Forms do it with
<code>toolname="…"</code>.</p>
<pre>&lt;form toolname="search" tooldescription="Searches"&gt;&lt;/form&gt;</pre>
<template>
  <form toolname="never" tooldescription="A form in a template is no form of the page."></form>
</template>
"""

EXTENSION_STORE = """
<h1>Sunflower MCP</h1><p>Our server speaks the Model Context Protocol over HTTP.</p>
<script>
  window.agent = { tools: ["search"], callTool: (name) => fetch(`/mcp/${name}`) };
  addEventListener("message", (event) => { if (event.data?.type === "mcp") console.log(event.data); });
</script>
"""

PAGES = (
    GoldPage(
        "habits",
        "Habit tracker, registered by a custom element",
        captured(*scripts("track_habit", "reset_habit")),
        "spec: registerTool() does not care who calls it",
        {"/": document("Habits", HABITS)},
    ),
    GoldPage(
        "invoices",
        "Invoices, tools from a dynamic import and registered at once",
        captured(
            *scripts("create_invoice", "send_invoice", "cancel_invoice", "get_invoice", "remind"),
        ),
        "measured: tools of imported modules arrive within the load",
        {"/": document("Invoices", INVOICES), "/tools.js": javascript(INVOICES_JS)},
        in_demo=True,
    ),
    GoldPage(
        "help-desk",
        "Chat widget in a frame of the same origin, no tool of the page's own",
        captured(
            *scripts("send_message", "read_messages", frame="top.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin")),
        ),
        "measured: a same-origin frame's tools are listed by the host",
        {"/": document("Help desk", CHAT), "/widget": document("Chat", CHAT_WIDGET)},
        in_demo=True,
    ),
    GoldPage(
        "radio",
        "Music player, registered in a microtask and when idle; a type union in a schema",
        captured(*scripts("play", "pause", "next_track", "set_volume")),
        "measured: microtask and idle callbacks arrive within the load",
        {"/": document("Radio", MUSIC)},
    ),
    GoldPage(
        "recipes",
        "More tools after a click and after scrolling: one load gives a floor",
        captured(*scripts("find_recipe")),
        "measured: click and scroll tools never come without input",
        {"/": document("Recipes for two", RECIPES)},
        in_demo=True,
    ),
    GoldPage(
        "board",
        "Kanban board, tools in two steps after a fetch",
        captured(*scripts("list_cards", "move_card", "archive_card", "sort_cards")),
        "measured: tools that wait for a fetch and a timer",
        {"/": document("Board", KANBAN), "/cards.json": json_text('["paint", "sand"]', delay=0.2)},
    ),
    GoldPage(
        "wanderungen",
        "A tool in German, with letters beyond ASCII in every field but the name",
        captured(
            Tool(
                "suche_wanderung",
                title="Wanderung suchen",
                description="Sucht eine Wanderung nach Länge und Höhenmetern, z. B. „leicht, 8 km“. 🥾",
                input_schema={
                    "type": "object",
                    "properties": {"länge": {"type": "number", "description": "Länge in km"}},
                },
            )
        ),
        "measured: only the name is limited to ASCII",
        {"/": document("Wanderungen", HIKES)},
        in_demo=True,
    ),
    GoldPage(
        "portfolio",
        "A site without WebMCP",
        captured(),
        "spec: no call, no tool",
        {"/": document("Ada Palmer", PORTFOLIO)},
        in_demo=True,
    ),
    GoldPage(
        "empty-page",
        "An empty HTML answer",
        captured(),
        "spec: an empty document is a document",
        {"/": document("", "")},
    ),
    GoldPage(
        "article",
        "An article about WebMCP, which shows every name of the API and registers nothing",
        captured(),
        "measured: talk about the API registers nothing, nor does a form in a template",
        {"/": document("What is WebMCP?", ARTICLE)},
        in_demo=True,
    ),
    GoldPage(
        "other-mcp",
        "Another thing with a similar name: an object `window.agent` of the page's own",
        captured(),
        "measured: a page-made `window.agent` with no word of WebMCP is another thing",
        {"/": document("Sunflower MCP", EXTENSION_STORE)},
    ),
)
