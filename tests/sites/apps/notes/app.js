const KEY = "notes";
const FIRST = [
  { title: "Dentist", text: "Dr. Weiss, every March. Ask about the upper left.", label: "health", pinned: false },
  { title: "Packing list", text: "Passport, charger, rain jacket, swimsuit, plasters.", label: "travel", pinned: false },
  { title: "Books to read", text: "Middlemarch; The Leopard; Piranesi.", label: "leisure", pinned: false },
  { title: "Wi-Fi", text: "The network in the hut is called Murmeltier.", label: "home", pinned: false },
  { title: "Birthday ideas", text: "Mum: secateurs. Jonas: head torch.", label: "family", pinned: false },
  { title: "Garden", text: "Prune the roses, sow peas, mend the water butt.", label: "home", pinned: false },
  { title: "Pancakes", text: "Four eggs, 250 g flour, half a litre of milk.", label: "recipes", pinned: false },
];

const notes = JSON.parse(localStorage.getItem(KEY) ?? "null") ?? FIRST;

function show() {
  const rows = notes.toSorted((one, other) => other.pinned - one.pinned).map((note) => {
    const row = document.createElement("li");
    row.textContent = `${note.pinned ? "📌 " : ""}${note.title}: ${note.text}`;
    return row;
  });
  document.querySelector("#notes").replaceChildren(...rows);
}

function keep() {
  localStorage.setItem(KEY, JSON.stringify(notes));
  show();
}

function named(title) {
  const wanted = String(title).toLowerCase();
  const note = notes.find((each) => each.title.toLowerCase() === wanted);
  if (!note) throw new Error(`There is no note “${title}”; search for it first.`);
  return note;
}

const actions = {
  search_notes({ words, label }) {
    const wanted = String(words ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const found = notes.filter((note) => (!label || note.label === label) &&
      (wanted.length === 0 || wanted.some((word) => `${note.title} ${note.text}`.toLowerCase().includes(word))));
    document.querySelector("#found").textContent = `${found.length} found`;
    return found;
  },
  write_note({ title, text, label = null }) {
    const old = notes.find((each) => each.title.toLowerCase() === String(title).toLowerCase());
    if (old) Object.assign(old, { text, label });
    else notes.push({ title, text, label, pinned: false });
    keep();
    return old ? `Replaced “${title}”.` : `Wrote “${title}”.`;
  },
  pin_note({ title, pinned = true }) {
    named(title).pinned = pinned;
    keep();
    return pinned ? `“${title}” is at the top.` : `“${title}” is back in its place.`;
  },
  delete_note({ title }) {
    notes.splice(notes.indexOf(named(title)), 1);
    keep();
    return `Deleted “${title}”.`;
  },
};

const tools = await (await fetch("tools.json")).json();
for (const tool of tools) {
  await document.modelContext.registerTool({ ...tool, execute: async (input) => actions[tool.name](input) });
}
show();
