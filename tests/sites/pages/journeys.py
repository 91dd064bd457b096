"""Apps whose tools come and go with the state: a pizza, clothes, coffee. What an order of calls can be tested on."""

from tests.sites.gold import GoldPage, captured, document, json_text, scripts

_STATE = """
  const offer = (name, description, execute, more = {}) => {
    const shown = new AbortController();
    document.modelContext.registerTool({ name, description, execute, ...more }, { signal: shown.signal });
    return () => shown.abort();
  };
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  const one = (name, description, values) => ({
    inputSchema: {
      type: "object",
      properties: { [name]: { type: "string", description, ...(values && { enum: values }) } },
      required: [name],
    },
  });
"""

PIZZA = f"""
<h1>Forno</h1><p id="step">Welcome</p><p>Pizza: <span id="pizza">none</span></p>
<p>To pay: <output id="price">0.00</output></p><p id="order">No order</p>
<script>
{_STATE}
  const state = {{ style: null, size: null, toppings: [] }};
  const prices = {{ Small: 9, Medium: 14, Large: 18 }};
  const price = () => (prices[state.size] ?? 0) + state.toppings.length;
  const line = () => [state.size, state.style, "pizza", ...state.toppings.map((each) => "+ " + each)].join(" ");
  let hidden = [];
  const draw = () => {{ show("pizza", line()); document.getElementById("price").value = price().toFixed(2); }};

  const start = offer("start_pizza_creator", "Opens the pizza creator. Use it first, for any pizza.", () => {{
    start();
    show("step", "Creator");
    hidden = [
      offer("set_pizza_style", "Sets the style of the pizza in the creator.", ({{ style }}) => {{
        state.style = style; draw(); ready(); return `Style: ${{style}}.`;
      }}, one("style", "The style", ["Classic", "Bacon", "Veggie"])),
      offer("set_pizza_size", "Sets the size of the pizza in the creator.", ({{ size }}) => {{
        if (!(size in prices)) throw new Error(`There is no size ${{size}}; there are Small, Medium and Large.`);
        state.size = size; draw(); ready(); return `Size: ${{size}}.`;
      }}, one("size", "The size", ["Small", "Medium", "Large"])),
      offer("add_topping", "Adds one topping to the pizza in the creator.", ({{ topping }}) => {{
        state.toppings.push(topping); draw(); return `Added ${{topping}}.`;
      }}, one("topping", "The topping", ["pepperoni", "ham", "bacon", "olives", "mushrooms"])),
    ];
    return "The creator is open. Set a style and a size.";
  }});

  let checkout = null;
  const ready = () => {{
    if (checkout !== null || !state.style || !state.size) return;
    checkout = offer("start_checkout", "Goes on to the checkout, when style and size are set.", () => {{
      hidden.forEach((hide) => hide());
      checkout();
      show("step", "Checkout");
      offer("apply_coupon", "Applies a coupon to the order at the checkout.", COUPON, one("code", "The coupon's code"));
      offer("complete_checkout", "Orders and pays what the checkout shows.", async () => {{
        const answer = await fetch("/api/orders", {{ method: "POST", body: JSON.stringify({{ pizza: line() }}) }});
        if (!answer.ok) throw new Error(`The kitchen did not take the order (${{answer.status}}). Try again later.`);
        show("order", `Ordered: ${{line()}} for ${{price().toFixed(2)}}`);
        return `Ordered: ${{line()}}, paid ${{price().toFixed(2)}}.`;
      }});
      return `In the cart: ${{line()}}, ${{price().toFixed(2)}}.`;
    }});
  }};
</script>
"""

_HONEST = """({ code }) => {
        throw new Error(`The coupon ${code} has expired and cannot be used. The price stays ${price().toFixed(2)}.`);
      }"""
_SILENT = '({ code }) => "OK"'

CLOTHES = f"""
<h1>Nordwand</h1><p id="step">All departments</p><ul id="found"></ul>
<script>
{_STATE}
  const goods = [
    {{ id: "j-11", kind: "jackets", colour: "black", name: "Rainjacket Fell", material: "recycled polyamide" }},
    {{ id: "j-12", kind: "jackets", colour: "red", name: "Softshell Tarn", material: "polyester" }},
    {{ id: "t-21", kind: "jeans", colour: "blue", name: "Straight Jeans", material: "98 % cotton, 2 % elastane" }},
  ];
  const query = {{ inputSchema: {{
    type: "object",
    properties: {{
      kind: {{ type: "string", enum: ["jackets", "jeans"], description: "What is looked for" }},
      colour: {{ type: "string", description: "Only things of this colour" }},
    }},
    required: ["kind"],
  }}, annotations: {{ readOnlyHint: true }} }};
  offer("open_category", "Opens a department of the shop; only then its things can be searched.", ({{ category }}) => {{
    show("step", category);
    if (opened) return `Already in ${{category}}.`;
    opened = true;
    offer("search_products", "Searches the opened department and returns the ids of what fits.",
      ({{ kind, colour }}) => {{
        const found = goods.filter((each) => each.kind === kind && (!colour || each.colour === colour));
        document.getElementById("found").replaceChildren(...found.map((each) => {{
          const row = document.createElement("li"); row.textContent = each.name; return row;
        }}));
        return {{ products: found.map((each) => ({{ id: each.id, name: each.name }})) }};
      }}, query);
    offer("get_product_details", "Returns the material of a thing, by the id that the search gave.",
      ({{ id }}) => {{
        const found = goods.find((each) => each.id === id);
        return found ? {{ id, material: found.material }}
          : {{ isError: true, content: [{{ type: "text", text: `There is no product with the id ${{id}}.` }}] }};
      }}, {{ ...one("id", "The id that the search gave"), annotations: {{ readOnlyHint: true }} }});
    return `In ${{category}}.`;
  }}, one("category", "The department", ["men", "women", "children"]));
  let opened = false;
</script>
"""

COFFEE = f"""
<h1>Kaldi's</h1><p>Last: <span id="last">not asked</span></p><p>Order: <span id="order">none</span></p>
<script>
{_STATE}
  offer("order_history", "Returns what was ordered before, with the ids that an order needs, the latest first.",
    async () => {{
      const answer = await fetch("/api/history");
      if (!answer.ok) return {{ success: false, error: "The history is temporarily unavailable. Try again later." }};
      const history = await answer.json();
      show("last", history.orders[0].name);
      return history;
    }}, {{ annotations: {{ readOnlyHint: true }} }});
  offer("order_product", "Orders a product by its id.", async ({{ product_id }}) => {{
    await fetch("/api/orders", {{ method: "POST", body: JSON.stringify({{ product_id }}) }});
    show("order", `product ${{product_id}}`);
    return {{ ordered: product_id }};
  }}, {{ inputSchema: {{
    type: "object",
    properties: {{ product_id: {{ type: "integer", description: "The id that the history gave" }} }},
    required: ["product_id"],
  }} }});
  offer("today", "Returns today's date, as the shop's calendar has it.",
    () => new Date().toISOString().slice(0, 10), {{ annotations: {{ readOnlyHint: true }} }});
</script>
"""

_TAKES_ORDERS = json_text('{"taken": true}')
_HISTORY = '{"orders": [{"product_id": 8, "name": "Sidamo", "month": "2026-10"}]}'

PAGES: tuple[GoldPage, ...] = (
    GoldPage(
        "forno",
        "Pizza creator whose tools come with its steps; its coupon fails with an error",
        captured(*scripts("start_pizza_creator")),
        "spec: a tool is there from registerTool() until its signal is aborted",
        {
            "/": document("Forno", PIZZA.replace("COUPON", _HONEST)),
            "/silent": document("Forno", PIZZA.replace("COUPON", _SILENT)),
            "/api/orders": _TAKES_ORDERS,
        },
    ),
    GoldPage(
        "nordwand",
        "Clothes shop that can be searched once a department is open",
        captured(*scripts("open_category")),
        "spec: a tool that another tool would register is not there before",
        {"/": document("Nordwand", CLOTHES)},
    ),
    GoldPage(
        "kaldi",
        "Coffee shop whose order needs an id out of the history",
        captured(*scripts("order_history", "order_product", "today")),
        "spec: tools that are called by nobody ask nothing of their server",
        {
            "/": document("Kaldi's", COFFEE),
            "/api/history": json_text(_HISTORY),
            "/api/orders": _TAKES_ORDERS,
        },
    ),
)
