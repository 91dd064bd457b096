"""Small apps as people submit them: a handful of tools, registered in the ways that tutorials show."""

from tests.sites.gold import GoldPage, Tool, captured, document, javascript, json_text, scripts

PIZZA = """
<h1>Tonda, pizza by the slice</h1>
<ul id="basket"></ul><p>Total: <output id="total">0.00</output> €</p>
<script>
  const basket = [];
  const prices = { margherita: 7.5, marinara: 6.5, diavola: 9 };
  function show() {
    document.querySelector("#basket").replaceChildren(...basket.map((name) => {
      const row = document.createElement("li");
      row.textContent = name;
      return row;
    }));
    document.querySelector("#total").value = basket.reduce((sum, name) => sum + prices[name], 0).toFixed(2);
  }
  document.modelContext.registerTool({
    name: "add_pizza",
    title: "Add a pizza",
    description: "Puts one pizza into the basket and returns the new total in euros.",
    inputSchema: {
      type: "object",
      properties: { pizza: { type: "string", enum: Object.keys(prices), description: "Which pizza" } },
      required: ["pizza"],
    },
    execute: async ({ pizza }) => {
      basket.push(pizza);
      show();
      return document.querySelector("#total").value;
    },
  });
  document.modelContext.registerTool({
    name: "empty_basket",
    description: "Takes everything out of the basket.",
    execute: async () => { basket.length = 0; show(); return "empty"; },
  });
  document.modelContext.registerTool({
    name: "place_order",
    description: "Orders what is in the basket for pick-up.",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string" }, minutes: { type: "integer", minimum: 15 } },
    },
    annotations: { consequentialHint: true },
    execute: async ({ name }) => `Thank you, ${name}.`,
  });
</script>
"""

TODO = """
<h1>To do</h1><ol id="list"></ol>
<script type="module" src="/todo.js"></script>
"""

TODO_JS = """
const items = [];
const render = () => { document.querySelector("#list").innerHTML = items.map(() => "<li></li>").join(""); };
const tools = {
  add_item: ["Adds an item to the list.", ({ text }) => { items.push(text); render(); return items.length; }],
  list_items: ["Returns all open items.", () => items],
  complete_item: ["Marks the item with this number as done.", ({ number }) => items.splice(number - 1, 1)],
  clear_done: ["Removes finished items.", () => "nothing left to remove"],
};
for (const [name, [description, execute]] of Object.entries(tools)) {
  await document.modelContext.registerTool({ name, description, inputSchema: { type: "object" }, execute });
}
"""

NOTES = """
<h1>Notes</h1><main id="notes"></main>
<script>
  document.addEventListener("DOMContentLoaded", () => {
    const notes = new Map();
    if (!("modelContext" in document)) return;
    document.modelContext.registerTool({
      name: "notes.write",
      description: "Writes a note, or replaces the one with this title.",
      inputSchema: {
        type: "object",
        properties: { title: { type: "string" }, text: { type: "string", maxLength: 2000 } },
        required: ["title", "text"],
        additionalProperties: false,
      },
      execute: async ({ title, text }) => { notes.set(title, text); return "saved"; },
    });
    document.modelContext.registerTool({
      name: "notes.read",
      description: "Reads the note with this title.",
      inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
      annotations: { readOnlyHint: true },
      execute: async ({ title }) => notes.get(title) ?? "no such note",
    });
  });
</script>
"""

LIBRARY = """
<h1>Reading room</h1><p id="state">Opening the catalogue…</p>
<script>
  addEventListener("load", () => {
    const books = [["Emma", 1815], ["Middlemarch", 1871]];
    document.modelContext?.registerTool({
      name: "search_catalogue", description: "Finds books by a word in the title.",
      inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
      execute: ({ word }) => JSON.stringify(books.filter(([title]) => title.includes(word))),
    });
    document.modelContext?.registerTool({
      name: "reserve_book", description: "Reserves a book for the reader who is signed in.",
      inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
      execute: ({ title }) => `${title} is waiting at the desk.`,
    });
    document.querySelector("#state").textContent = "Open.";
  });
</script>
"""

WEATHER = """
<h1>Weather for walkers</h1><p id="now">…</p>
<script>
  fetch("/stations.json").then((answer) => answer.json()).then((stations) => {
    document.querySelector("#now").textContent = `${stations.length} stations`;
    document.modelContext.registerTool({
      name: "get_forecast",
      description: "Forecast for one of our stations.",
      inputSchema: {
        type: "object",
        properties: {
          station: { type: "string", enum: stations },
          days: { type: "integer", minimum: 1, maximum: 5 },
        },
        required: ["station"],
      },
      annotations: { readOnlyHint: true },
      execute: async ({ station }) => `${station}: dry, light wind`,
    });
  });
</script>
"""

CALCULATOR = """
<h1>Four-function calculator</h1><output id="display">0</output>
<script>
  class Calculator {
    #context = document.modelContext;
    constructor(display) {
      this.display = display;
      this.#offer("add", "Adds two numbers.", (a, b) => a + b);
      this.#offer("subtract", "Subtracts the second number from the first.", (a, b) => a - b);
      this.#offer("multiply", "Multiplies two numbers.", (a, b) => a * b);
      this.#offer("divide", "Divides the first number by the second.", (a, b) => a / b);
    }
    async #offer(name, description, operation) {
      const number = { type: "number" };
      await this.#context.registerTool({
        name, description,
        inputSchema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
        annotations: { readOnlyHint: true },
        execute: ({ a, b }) => String((this.display.value = operation(a, b))),
      });
    }
  }
  new Calculator(document.querySelector("#display"));
</script>
"""

DRAWING = """
<h1>Sketch</h1><canvas width="320" height="200"></canvas>
<script>
  const pen = document.querySelector("canvas").getContext("2d");
  requestAnimationFrame(() => {
    pen.strokeRect(0, 0, 320, 200);
    document.modelContext.registerTool({
      name: "draw_line", description: "Draws a line between two points of the canvas.",
      inputSchema: { type: "object", properties: {
        from: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
        to: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 } } },
      execute: ({ from, to }) => { pen.moveTo(...from); pen.lineTo(...to); pen.stroke(); return "drawn"; },
    });
    document.modelContext.registerTool({
      name: "wipe", description: "Wipes the canvas.", execute: () => pen.clearRect(0, 0, 320, 200) });
  });
</script>
"""

QUIZ = """
<h1>Capitals quiz</h1><p id="question"></p>
<script>
  // The hint goes away once the quiz starts: the controller's signal takes the tool back.
  const hint = new AbortController();
  const { modelContext } = document;
  modelContext.registerTool({ name: "get_hint", description: "Says how the quiz works.",
    execute: () => "Answer with a city." }, { signal: hint.signal });
  modelContext.registerTool({ name: "answer_question", description: "Answers the question on the screen.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    execute: ({ city }) => city === "Oslo" });
  setTimeout(() => {
    document.querySelector("#question").textContent = "Which city is the capital of Norway?";
    hint.abort();
  }, 400);
</script>
"""

MAP = """
<h1>Benches of the park</h1><div id="map">No tiles in this sketch.</div>
<script>
  setTimeout(async () => {
    const point = { type: "object", properties: { lat: { type: "number" }, lon: { type: "number" } } };
    for (const name of ["zoom_to", "add_marker", "measure_distance"]) {
      await document.modelContext.registerTool({
        name, description: `Map: ${name.replace("_", " ")}.`,
        inputSchema: { type: "object", properties: { point }, required: ["point"] },
        execute: async () => "done",
      });
    }
  }, 1000);
</script>
"""

BOTH_NAMES = """
<h1>Plant diary</h1>
<script>
  const context = document.modelContext ?? navigator.modelContext;
  context?.registerTool({ name: "water_plant", description: "Notes that a plant was watered today.",
    inputSchema: { type: "object", properties: { plant: { type: "string" } } }, execute: () => "noted" });
  context?.registerTool({ name: "list_plants", description: "Lists the plants.", execute: () => "ivy" });
</script>
"""

PAGES = (
    GoldPage(
        "pizza-counter",
        "Pizza order, tools registered while the page is parsed",
        captured(
            Tool("add_pizza", title="Add a pizza"),
            Tool("empty_basket", input_schema=None, title=""),
            Tool("place_order", description="Orders what is in the basket for pick-up."),
        ),
        "spec: registerTool() from a classic script; measured: no inputSchema given, none reported",
        {"/": document("Tonda", PIZZA)},
        in_demo=True,
    ),
    GoldPage(
        "todo-list",
        "To-do list, tools awaited one after the other in a module",
        captured(*scripts("add_item", "list_items", "complete_item", "clear_done")),
        "measured: tools of a module script arrive within the load",
        {"/": document("To do", TODO), "/todo.js": javascript(TODO_JS)},
        in_demo=True,
    ),
    GoldPage(
        "notes",
        "Notes with dotted tool names, registered at DOMContentLoaded",
        captured(
            Tool(
                "notes.write",
                input_schema={
                    "type": "object",
                    "properties": {
                        "title": {"type": "string"},
                        "text": {"type": "string", "maxLength": 2000},
                    },
                    "required": ["title", "text"],
                    "additionalProperties": False,
                },
            ),
            Tool("notes.read"),
        ),
        "spec: a dot is allowed in a name; the schema is kept as it was given",
        {"/": document("Notes", NOTES)},
        in_demo=True,
    ),
    GoldPage(
        "reading-room",
        "Library catalogue, registered at the load event with `document.modelContext?.`",
        captured(*scripts("search_catalogue", "reserve_book")),
        "measured: tools registered at load",
        {"/": document("Reading room", LIBRARY)},
    ),
    GoldPage(
        "weather",
        "Forecast whose enum comes from a slow fetch",
        captured(
            Tool(
                "get_forecast",
                input_schema={
                    "type": "object",
                    "properties": {
                        "station": {"type": "string", "enum": ["Ridge", "Lake", "Pass"]},
                        "days": {"type": "integer", "minimum": 1, "maximum": 5},
                    },
                    "required": ["station"],
                },
            )
        ),
        "measured: tools that wait for a fetch arrive after it",
        {
            "/": document("Weather for walkers", WEATHER),
            "/stations.json": json_text('["Ridge", "Lake", "Pass"]', delay=0.5),
        },
        in_demo=True,
    ),
    GoldPage(
        "calculator",
        "Calculator, registered through a class",
        captured(*scripts("add", "subtract", "multiply", "divide")),
        "spec: registerTool() does not care who calls it",
        {"/": document("Calculator", CALCULATOR)},
        in_demo=True,
    ),
    GoldPage(
        "sketch",
        "Drawing board, registered in an animation frame",
        captured(*scripts("draw_line", "wipe")),
        "measured: tools registered in requestAnimationFrame arrive within the load",
        {"/": document("Sketch", DRAWING)},
    ),
    GoldPage(
        "quiz",
        "Quiz that takes a tool back through its AbortSignal after 0.4 s",
        captured(*scripts("answer_question")),
        "measured: a signal aborted later removes the tool",
        {"/": document("Capitals quiz", QUIZ)},
        in_demo=True,
    ),
    GoldPage(
        "park-map",
        "Map that registers one second after parsing",
        captured(*scripts("zoom_to", "add_marker", "measure_distance")),
        "measured: late tools are common in single-page apps",
        {"/": document("Benches", MAP)},
    ),
    GoldPage(
        "plant-diary",
        "Feature detection with both names, the current one first",
        captured(*scripts("water_plant", "list_plants"), old_api=["navigator.modelContext"]),
        "measured: `document.modelContext` is there, so the old name in the source is never reached",
        {"/": document("Plant diary", BOTH_NAMES)},
        in_demo=True,
    ),
)
