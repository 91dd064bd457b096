"""Pages that speak to names the browser no longer has, and pages with an object of their own."""

from tests.sites.gold import GoldPage, Tool, captured, document, forms, javascript, scripts

NAVIGATOR = """
<h1>Tide tables</h1>
<script>
  const execute = async () => "";
  if ("modelContext" in navigator) {
    navigator.modelContext.registerTool({ name: "get_tides", description: "High and low water.", execute });
    navigator.modelContext.registerTool({ name: "set_harbour", description: "Sets the harbour.", execute });
  }
</script>
"""

PROVIDE_CONTEXT = """
<h1>Typing tutor</h1><script src="/tools.js"></script>
"""

PROVIDE_CONTEXT_JS = """
const tools = ["start_lesson", "get_speed"].map((name) => ({
  name, description: `Typing tutor: ${name}.`, inputSchema: { type: "object", properties: {} },
  execute: async () => ({ content: [{ type: "text", text: "ok" }] }),
}));
window.navigator.modelContext?.provideContext({ tools });
addEventListener("pagehide", () => navigator.modelContext?.clearContext());
"""

THROWS = """
<h1>Bird calls</h1>
<script>
  navigator.modelContext.registerTool({ name: "play_call", description: "Plays a call.", execute: () => "" });
  document.querySelector("h1").textContent = "Never reached";
</script>
"""

MIXED = """
<h1>Allotment</h1>
<form toolname="request_plot" tooldescription="Asks for a plot.">
  <label>Name <input name="name"></label>
</form>
<script>
  navigator.modelContext?.registerTool({ name: "list_plots", description: "Free plots.", execute() {} });
  navigator.modelContext?.unregisterTool("list_plots");
</script>
"""

OLD_METHOD = """
<h1>Coin collection</h1>
<script>
  // The right object, and a method that it lost.
  document.modelContext.registerTool({ name: "find_coin", description: "Finds a coin.", execute: () => "" });
  try {
    document.modelContext.provideContext({ tools: [{ name: "value_coin", description: "Values a coin." }] });
  } catch (error) {
    console.warn(error.message);
  }
</script>
"""

SHIM_ON_NAVIGATOR = """
<h1>Postcards</h1>
<script>
  const kept = new Map();
  if (!navigator.modelContext)
    Object.defineProperty(navigator, "modelContext", {
      value: { registerTool: (tool) => kept.set(tool.name, tool) },
    });
  navigator.modelContext.registerTool(
    { name: "send_postcard", description: "Sends a postcard.", execute: () => "" });
</script>
"""

LIBRARY_REPLACES = """
<h1>Star charts</h1><script src="/library.js"></script>
<script>
  document.modelContext.registerTool({ name: "find_star", description: "Finds a star.", execute: () => "" });
</script>
"""

LIBRARY_REPLACES_JS = """
// A library that puts an object of its own in the place of the native one and keeps the tools to itself.
(() => {
  const tools = new Map();
  const library = {
    async registerTool(tool) { tools.set(tool.name, tool); },
    async getTools() { return [...tools.values()]; },
  };
  Object.defineProperty(document, "modelContext", { value: library, configurable: true });
})();
"""

LIBRARY_MIRRORS_JS = """
// A library that replaces the native object and hands every tool on to it.
(() => {
  const native = document.modelContext;
  const library = {
    registerTool: (tool, options) => native.registerTool({ ...tool, title: tool.name }, options),
    getTools: () => native.getTools(),
  };
  Object.defineProperty(document, "modelContext", { value: library, configurable: true });
})();
"""

PAGES = (
    GoldPage(
        "tide-tables",
        "`navigator.modelContext` only, behind feature detection: nothing is registered, silently",
        captured(old_api=["navigator.modelContext"]),
        "measured: navigator.modelContext is gone since 152",
        {"/": document("Tide tables", NAVIGATOR)},
        in_demo=True,
    ),
    GoldPage(
        "typing-tutor",
        "`provideContext()` with optional chaining, in an external script",
        captured(old_api=["clearContext", "navigator.modelContext", "provideContext"]),
        "measured: provideContext was dropped",
        {"/": document("Typing tutor", PROVIDE_CONTEXT), "/tools.js": javascript(PROVIDE_CONTEXT_JS)},
        in_demo=True,
    ),
    GoldPage(
        "bird-calls",
        "`navigator.modelContext` without a look: the script throws",
        captured(old_api=["navigator.modelContext"]),
        "measured: undefined has no registerTool",
        {"/": document("Bird calls", THROWS)},
    ),
    GoldPage(
        "allotment",
        "A form that works beside script tools for the old name",
        captured(*forms("request_plot"), old_api=["navigator.modelContext", "unregisterTool"]),
        "measured: a count above zero is no proof that all was seen",
        {"/": document("Allotment", MIXED)},
        in_demo=True,
    ),
    GoldPage(
        "coin-collection",
        "The current object, and a method that it lost",
        captured(*scripts("find_coin"), old_api=["provideContext"]),
        "measured: no provideContext on ModelContext",
        {"/": document("Coins", OLD_METHOD)},
    ),
    GoldPage(
        "postcards",
        "An object of the page's own on `navigator`",
        captured(old_api=["navigator.modelContext"], polyfill="beside_native"),
        "measured: what such an object holds, the browser does not know",
        {"/": document("Postcards", SHIM_ON_NAVIGATOR)},
    ),
    GoldPage(
        "star-charts",
        "A library that replaces `document.modelContext` and keeps the tools to itself",
        captured(
            Tool("find_star", kind=None, listing=None, listing_cause="library_only", callable=False),
            tools_callable=0,
            tools_listed=0,
            polyfill="replaces_native",
        ),
        "measured: a tool of the library only is in no view of the browser's",
        {"/": document("Star charts", LIBRARY_REPLACES), "/library.js": javascript(LIBRARY_REPLACES_JS)},
        in_demo=True,
    ),
    GoldPage(
        "star-charts-mirrored",
        "A library that replaces `document.modelContext` and hands the tools on",
        captured(*scripts("find_star"), polyfill="replaces_native"),
        "measured: mirrored tools are native tools; the isolated world lists them",
        {"/": document("Star charts", LIBRARY_REPLACES), "/library.js": javascript(LIBRARY_MIRRORS_JS)},
    ),
    GoldPage(
        "two-generations",
        "Feature detection with the old name first",
        captured(*scripts("count_sheep"), old_api=["navigator.modelContext"]),
        "measured: the old name is undefined, so the expression falls through to the current one",
        {
            "/": document(
                "Sheep",
                """<script>
(navigator.modelContext ?? document.modelContext).registerTool({
  name: "count_sheep", description: "Counts the sheep.", execute: () => "12" });
</script>""",
            )
        },
    ),
)
