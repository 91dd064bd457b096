"""Tools at the edges: odd schemas, huge texts, very many of them, lone surrogates, names that reject."""

from typing import Any

from tests.sites.gold import GoldPage, Tool, captured, document, scripts

NO_OBJECT = """
<h1>Schemas that are none</h1>
<script>
  const register = (name, inputSchema) => document.modelContext.registerTool(
    { name, description: `Schema of ${name}.`, inputSchema, execute: async () => "runs" }).catch(() => {});
  register("good", { type: "object" });
  register("to_string", { toJSON: () => "text" });
  register("to_null", { toJSON: () => null });
  register("date", new Date(0));
  register("rejected_text", "text");
  register("rejected_null", null);
</script>
"""

STRANGE_SCHEMAS = """
<h1>Strange and valid</h1>
<script>
  const register = (name, inputSchema) => document.modelContext.registerTool(
    { name, description: `Schema of ${name}.`, inputSchema, execute: async () => "" }).catch(() => {});
  register("array", []);
  register("nonsense", { type: "nonsense", required: 5 });
  register("null_in_enum", { type: "object", properties: { a: { enum: ["x", null] } } });
  class Schema { constructor() { this.type = "object"; } }
  register("instance", new Schema());
  let deep = { type: "object" };
  for (let level = 0; level < 150; level++) deep = { type: "object", properties: { next: deep } };
  register("deep", deep);
  const circle = {};
  circle.self = circle;
  register("rejected_circle", circle);
</script>
"""

NAMES = """
<h1>Names</h1>
<script>
  const names = ["A.b-c_9", "x".repeat(128), 5, null, "", "x".repeat(129), "a b", "a/b", "naïve", "🍕"];
  for (const name of names)
    document.modelContext.registerTool({ name, description: "A name.", execute: () => "" }).catch(() => {});
  document.modelContext.registerTool({ name: "no_description", description: "", execute() {} })
    .catch(() => {});
  document.modelContext.registerTool({ name: "blank_description", description: " ", execute: () => "" });
  document.modelContext.registerTool({ name: "no_execute", description: "x" }).catch(() => {});
</script>
"""

HUGE = """
<h1>A long story</h1>
<script>
  const story = "word ".repeat(200000);
  document.modelContext.registerTool({ name: "long_story", description: story, execute() {} });
  document.modelContext.registerTool({ name: "short_story", description: "Short.", execute: () => "" });
</script>
"""

MANY = """
<h1>Three hundred tools</h1>
<script>
  for (let number = 0; number < 300; number++)
    document.modelContext.registerTool({
      name: `tool_${String(number).padStart(3, "0")}`, description: `Tool number ${number}.`,
      inputSchema: { type: "object", properties: { n: { type: "integer" } } }, execute: () => number });
</script>
"""

SURROGATE = r"""
<h1>Half a character</h1>
<script>
  document.modelContext.registerTool({
    name: "half", description: "Half a pizza: \ud83c", title: "\udf55",
    inputSchema: { type: "object", properties: { slice: { type: "string", description: "\ud83c" } } },
    execute: () => "" });
  document.modelContext.registerTool({
    name: "whole", description: "A whole one: \ud83c\udf55", execute() {} });
</script>
"""

MARKUP = """
<h1>Text that means something elsewhere</h1>
<script>
  document.modelContext.registerTool({
    name: "hostile_text",
    title: "<\\/script><script>alert(1)<\\/script>",
    description: "<img src=x onerror=alert(1)> | a cell | [link](javascript:alert(1))"
      + " ${jndi:x} '; DROP TABLE pages; --",
    inputSchema: {
      type: "object",
      properties: { "../../etc/passwd": { type: "string", default: "$(reboot)" } },
    },
    execute: () => "" });
</script>
"""

ANNOTATIONS = """
<h1>Annotations</h1>
<script>
  const register = (name, annotations) => document.modelContext.registerTool(
    { name, description: `Hints of ${name}.`, annotations, execute: () => "" }).catch(() => {});
  register("reads", { readOnlyHint: true, untrustedContentHint: true });
  register("truthy_text", { readOnlyHint: "false", destructiveHint: true });
  register("rejected", "readOnlyHint");
</script>
"""

ABORTED = """
<h1>Taken back at once</h1>
<script>
  const controller = new AbortController();
  const { signal } = controller;
  const tool = (name) => ({ name, description: `Answers with ${name}.`, execute: () => name });
  document.modelContext.registerTool(tool("never_there"), { signal: AbortSignal.abort() }).catch(() => {});
  document.modelContext.registerTool(tool("gone_at_once"), { signal }).catch(() => {});
  controller.abort();
  document.modelContext.registerTool(tool("gone_at_once"));
  document.modelContext.registerTool(tool("gone_by_timer"), { signal: AbortSignal.timeout(300) });
</script>
"""

_NOWHERE: dict[str, Any] = {"listing": "nowhere", "listing_cause": "schema_not_an_object", "input_schema": None}

PAGES = (
    GoldPage(
        "schema-not-an-object",
        "Schemas that serialise to something else than an object: callable, and on no list",
        captured(
            *scripts("good"),
            Tool("to_string", **_NOWHERE),
            Tool("to_null", **_NOWHERE),
            Tool("date", **_NOWHERE),
        ),
        "measured: toJSON to a string or null, and a Date: missing from getTools(), there for the browser",
        {"/": document("Schemas", NO_OBJECT)},
        in_demo=True,
    ),
    GoldPage(
        "strange-schemas",
        "Schemas that mean nothing and are accepted: an array, nonsense, 150 levels deep",
        # Each level is two of JSON's, so the deepest is over the 150 that are kept.
        captured(*scripts("array", "nonsense", "null_in_enum", "instance"), Tool("deep", input_schema=None, cut=True)),
        "measured: no schema validation whatever",
        {"/": document("Strange", STRANGE_SCHEMAS)},
    ),
    GoldPage(
        "names",
        "Names at the limits of what is valid; the others reject",
        captured(*scripts("A.b-c_9", "x" * 128, "5", "null", "blank_description")),
        "measured: 1 to 128 of [A-Za-z0-9_.-]",
        {"/": document("Names", NAMES)},
    ),
    GoldPage(
        "huge-description",
        "A description of one million characters",
        captured(Tool("long_story", cut=True), Tool("short_story")),
        "measured: 1 MB is accepted; design: strings are cut at stated limits and marked as cut",
        {"/": document("Story", HUGE)},
    ),
    GoldPage(
        "three-hundred",
        "Three hundred tools",
        captured(*scripts(*(f"tool_{number:03}" for number in range(300)))),
        "measured: no limit in the browser",
        {"/": document("Many", MANY)},
        in_demo=True,
    ),
    GoldPage(
        "lone-surrogate",
        "Lone surrogates in a description, a title and a schema",
        captured(
            Tool("half"),
            Tool("whole", description="A whole one: 🍕"),
        ),
        "measured: accepted, and not writable as UTF-8",
        {"/": document("Half", SURROGATE)},
    ),
    GoldPage(
        "hostile-text",
        "Markup, Markdown, shell and SQL in a tool's texts",
        captured(
            Tool(
                "hostile_text",
                description="<img src=x onerror=alert(1)> | a cell | [link](javascript:alert(1))"
                " ${jndi:x} '; DROP TABLE pages; --",
                input_schema={
                    "type": "object",
                    "properties": {"../../etc/passwd": {"type": "string", "default": "$(reboot)"}},
                },
            )
        ),
        "spec: a description is any string; design: nothing a page says is run",
        {"/": document("Text", MARKUP)},
    ),
    GoldPage(
        "annotations",
        "Hints, a hint that is a text, and annotations that are no object",
        captured(*scripts("reads", "truthy_text")),
        "measured: any truthy value is true; a string rejects",
        {"/": document("Annotations", ANNOTATIONS)},
    ),
    GoldPage(
        "aborted",
        "Signals aborted before, at once, and by a timer",
        captured(*scripts("gone_at_once")),
        "measured: aborted in the same tick: added and removed; then the name is free again",
        {"/": document("Aborted", ABORTED)},
    ),
)
