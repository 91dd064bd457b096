// The shop behind every manifest of it: `tools.json` beside the page says which tools are offered, and by which names.
const STOCK = {
  "apples": { price: 2.4, diets: ["vegan", "vegetarian", "gluten free"], words: "fruit fresh snack" },
  "bananas": { price: 1.9, diets: ["vegan", "vegetarian", "gluten free"], words: "fruit fresh snack" },
  "tomatoes": { price: 3.2, diets: ["vegan", "vegetarian", "gluten free"], words: "vegetable fresh salad sauce" },
  "potatoes": { price: 2.1, diets: ["vegan", "vegetarian", "gluten free"], words: "vegetable fresh" },
  "milk": { price: 1.3, diets: ["vegetarian", "gluten free"], words: "dairy drink breakfast" },
  "oat drink": { price: 2.2, diets: ["vegan", "vegetarian"], words: "drink breakfast" },
  "eggs": { price: 3.4, diets: ["vegetarian", "gluten free"], words: "breakfast baking" },
  "butter": { price: 2.8, diets: ["vegetarian", "gluten free"], words: "dairy baking breakfast spread" },
  "cheddar": { price: 4.5, diets: ["vegetarian", "gluten free"], words: "dairy cheese" },
  "sourdough bread": { price: 4.2, diets: ["vegan", "vegetarian"], words: "bakery breakfast loaf" },
  "spaghetti": { price: 1.6, diets: ["vegan", "vegetarian"], words: "pasta noodles dry" },
  "coffee": { price: 6.9, diets: ["vegan", "vegetarian", "gluten free"], words: "drink breakfast" },
};
const DAYS = ["today", "tomorrow", "saturday"];
const WINDOWS = ["morning", "afternoon", "evening"];

const cart = new Map();
let delivery = null;

function show() {
  document.querySelector("#cart").replaceChildren(...[...cart].map(([product, quantity]) => {
    const row = document.createElement("li");
    row.textContent = `${quantity} × ${product}, ${(quantity * STOCK[product].price).toFixed(2)} €`;
    return row;
  }));
  document.querySelector("#total").value = total();
  document.querySelector("#delivery").value = delivery ? `${delivery.day}, ${delivery.window}` : "not chosen yet";
  sessionStorage.setItem("cart", JSON.stringify([...cart]));
}

const total = () => [...cart].reduce((sum, [product, quantity]) => sum + quantity * STOCK[product].price, 0).toFixed(2);

function known(product) {
  if (!Object.hasOwn(STOCK, product)) throw new Error(`We do not sell ${product}; search the shelves first.`);
  return product;
}

function whole(quantity) {
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > 50) throw new Error("A quantity is 1 to 50.");
  return quantity;
}

function inCart(product) {
  if (!cart.has(known(product))) throw new Error(`There is no ${product} in the cart.`);
  return product;
}

const contents = () => ({
  items: [...cart].map(([product, quantity]) => ({ product, quantity })), total: `${total()} €`, delivery,
});

const actions = {
  search_products({ query, diet, max_price: most }) {
    const words = String(query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const found = Object.entries(STOCK).filter(([name, { price, diets, words: more }]) =>
      words.some((word) => `${name} ${more}`.includes(word)) &&
      (!diet || diets.includes(diet)) && (most === undefined || price <= most));
    document.querySelector("#found").textContent = found.map(([name]) => name).join(", ") || "nothing found";
    return found.map(([product, { price, diets }]) => ({ product, price, diets }));
  },
  add_to_cart({ product, quantity = 1 }) {
    cart.set(known(product), whole(quantity) + (cart.get(product) ?? 0));
    show();
    return contents();
  },
  set_quantity({ product, quantity }) {
    cart.set(inCart(product), whole(quantity));
    show();
    return contents();
  },
  remove_from_cart({ product }) {
    cart.delete(inCart(product));
    show();
    return contents();
  },
  view_cart: contents,
  choose_delivery({ day, window }) {
    if (!DAYS.includes(day) || !WINDOWS.includes(window)) throw new Error("We do not drive out then.");
    delivery = { day, window };
    show();
    return `Delivery ${day}, in the ${window}.`;
  },
};

const tools = await (await fetch("tools.json")).json();
for (const { implements: action, ...tool } of tools) {
  await document.modelContext.registerTool({ ...tool, execute: async (input) => actions[action ?? tool.name](input) });
}
show();
