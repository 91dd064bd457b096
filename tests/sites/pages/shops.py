"""Shops and bookings: several tools, script tools beside forms, routes of a single-page app."""

from tests.sites.gold import TOP_FRAME, Frame, GoldPage, Tool, captured, document, forms, javascript, scripts

SHOES = """
<h1>Sole &amp; Sons</h1>
<form id="search" toolname="search_shoes" tooldescription="Searches the shop by a free text." action="/shoes">
  <label for="q">What are you looking for?</label> <input id="q" name="q" type="search" required>
  <button>Search</button>
</form>
<script>
  const shoe = { type: "string", description: "The shoe's number, as search_shoes returns it" };
  document.modelContext.registerTool({
    name: "add_to_cart", description: "Puts a shoe into the cart.",
    inputSchema: {
      type: "object",
      properties: { shoe, size: { type: "number", multipleOf: 0.5 } },
      required: ["shoe", "size"],
    },
    execute: async () => "1 item",
  });
  document.modelContext.registerTool({
    name: "view_cart", description: "Returns the items and the sum.", annotations: { readOnlyHint: true },
    execute: async () => "[]",
  });
</script>
"""

HOTEL = """
<h1>Hotel Seeblick</h1><nav><a href="#/search">Search</a> <a href="#/hotel/1">Our house</a></nav><main></main>
<script>
  // Each route has tools of its own; a change of route takes the old ones back.
  const routes = {
    "#/search": ["search_hotels", "filter_by_price", "sort_results"],
    "#/hotel/1": ["get_rooms", "get_prices", "book_room", "add_breakfast", "ask_reception"],
  };
  let shown = new AbortController();
  function show() {
    shown.abort();
    shown = new AbortController();
    for (const name of routes[location.hash] ?? [])
      document.modelContext.registerTool(
        { name, description: `Hotel: ${name}.`, inputSchema: { type: "object" }, execute: async () => "ok" },
        { signal: shown.signal });
    document.querySelector("main").textContent = location.hash;
  }
  addEventListener("hashchange", show);
  show();
</script>
"""

FLIGHTS = """
<h1>Nordwind flights</h1><div id="root"></div><script src="/app.js" defer></script>
"""

FLIGHTS_JS = """
"use strict";
(function () {
  var tools = [
    { name: "search-flights", description: "Searches flights between two airports.",
      inputSchema: { type: "object", properties: {
        origin: { type: "string", pattern: "^[A-Z]{3}$" }, destination: { $ref: "#/properties/origin" } } } },
    { name: "select-flight", description: "Selects a flight by its number.", inputSchema: {} },
    { name: "choose-seat", description: "Chooses a seat.",
      inputSchema: { anyOf: [{ required: ["row"] }, { required: ["window"] }] } },
    { name: "pay", description: "Pays with the card on file.", inputSchema: { type: "object" },
      annotations: { consequentialHint: true } },
  ];
  tools.forEach(function (tool) {
    tool.execute = function () { return Promise.resolve("ok"); };
    if (document.modelContext) document.modelContext.registerTool(tool).then(null, console.error);
  });
  document.getElementById("root").textContent = "Ready.";
})();
"""

RESTAURANT = """
<h1>Chez Paulette</h1>
<form toolname="book_table" tooldescription="Books a table for this week." toolautosubmit action="/booked">
  <p><label>Name <input name="guest" required></label></p>
  <p><label>Guests <input name="guests" type="number" min="1" max="8" required></label></p>
  <p><label>Day <select name="day">
    <option value="fri">Friday</option><option value="sat">Saturday</option></select></label></p>
  <p><button>Book</button></p>
</form>
<script>
  addEventListener("load", () => document.modelContext.registerTool({
    name: "get_menu", description: "Returns today's menu.", execute: async () => "soup, quiche, tarte" }));
</script>
"""

TICKETS = """
<h1>Box office</h1>
<script>
  let retry = 0;
  (function start() {
    // A framework that waits for its own runtime: three looks, 250 ms apart.
    if (retry++ < 3) return setTimeout(start, 250);
    for (const name of ["find_event", "hold_seats", "buy_tickets", "get_directions"])
      document.modelContext.registerTool({ name, description: `Box office: ${name}.`, execute: () => "ok" });
  })();
</script>
"""

DASHBOARD = """
<h1>Energy dashboard</h1>
<iframe src="/meter?room=kitchen" title="Kitchen"></iframe>
<iframe src="/meter?room=cellar" title="Cellar"></iframe>
<script>
  document.modelContext.registerTool({ name: "get_total", description: "All meters.", execute: () => 12 });
</script>
"""

METER = """
<p id="reading">6 kWh</p>
<script>
  for (const name of ["get_total", "reset_meter"])
    document.modelContext.registerTool({ name, description: `Meter: ${name}.`, execute: () => 6 });
</script>
"""

REGISTER_TWICE = """
<h1>Gift cards</h1>
<script>
  // A component that mounts twice: the second time the names are taken, and only the console hears of it.
  function mount() {
    return Promise.allSettled(["buy_card", "check_balance", "redeem card"].map((name) =>
      document.modelContext.registerTool({ name, description: `Gift cards: ${name}.`, execute() {} })));
  }
  mount().then(mount);
</script>
"""

_HOTEL_ROUTES = {"/": document("Hotel Seeblick", HOTEL)}

PAGES = (
    GoldPage(
        "shoe-shop",
        "Shop with a search form and script tools",
        captured(
            Tool(
                "search_shoes",
                kind="form",
                input_schema={
                    "type": "object",
                    "properties": {"q": {"type": "string", "description": "What are you looking for?"}},
                    "required": ["q"],
                },
            ),
            *scripts("add_to_cart", "view_cart"),
        ),
        "measured: a form is a tool, its label describes the property",
        {"/": document("Sole & Sons", SHOES)},
        in_demo=True,
    ),
    GoldPage(
        "hotel",
        "Single-page app by hash routes: the search",
        captured(*scripts("search_hotels", "filter_by_price", "sort_results")),
        "measured: hash routes carry different tool sets",
        _HOTEL_ROUTES,
        path="/#/search",
        in_demo=True,
    ),
    GoldPage(
        "hotel-room",
        "Single-page app by hash routes: one hotel; a target of its own on the same site",
        captured(*scripts("get_rooms", "get_prices", "book_room", "add_breakfast", "ask_reception")),
        "measured: two targets that differ only in a route are two targets",
        url="{{hotel}}/#/hotel/1",
        in_demo=True,
    ),
    GoldPage(
        "flights",
        "Flight search from a bundled, deferred script; `$ref`, `{}` and `anyOf` in the schemas",
        captured(
            Tool("search-flights"),
            Tool("select-flight", input_schema={}),
            Tool("choose-seat", input_schema={"anyOf": [{"required": ["row"]}, {"required": ["window"]}]}),
            Tool("pay"),
        ),
        "measured: there is no schema validation whatever",
        {"/": document("Nordwind", FLIGHTS), "/app.js": javascript(FLIGHTS_JS)},
    ),
    GoldPage(
        "restaurant",
        "Booking form beside a script tool",
        captured(*forms("book_table"), *scripts("get_menu")),
        "measured: forms and scripts share the list",
        {"/": document("Chez Paulette", RESTAURANT)},
        in_demo=True,
    ),
    GoldPage(
        "box-office",
        "Tools that come after three polls, 0.75 s after parsing",
        captured(*scripts("find_event", "hold_seats", "buy_tickets", "get_directions")),
        "measured: late registration",
        {"/": document("Box office", TICKETS)},
    ),
    GoldPage(
        "energy",
        "Two frames of one origin whose tools have the names of the page's own",
        captured(
            *scripts("get_total"),
            *scripts("get_total", "reset_meter", frame="top.0"),
            *scripts("get_total", "reset_meter", frame="top.1"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin"), Frame("top.1", "same_origin")),
        ),
        "measured: names are unique in a document only; the host lists all five",
        {"/": document("Energy", DASHBOARD), "/meter": document("Meter", METER)},
        in_demo=True,
    ),
    GoldPage(
        "gift-cards",
        "Registers everything twice, and one name with a space: the calls reject, two tools stay",
        captured(*scripts("buy_card", "check_balance")),
        "spec: a duplicate name and an invalid name reject with InvalidStateError",
        {"/": document("Gift cards", REGISTER_TWICE)},
    ),
)
