// Runs in the page's own world, and only when an object of the page's own stands in place of, or beside, the native one:
// what that object lists. What a page tampered with can lie here; the browser view says what is true.
// One generation of libraries lists its tools through `modelContextTesting` only (measured: webmcp-polyfill 2).
async () => {
  const limit = 500;
  const found = [];
  const asked = [null, undefined];
  for (const object of [document.modelContext, navigator.modelContext, navigator.modelContextTesting]) {
    if (asked.includes(object)) continue;
    asked.push(object);
    try {
      const list = object.getTools ?? object.listTools;
      const answer = typeof list === "function" ? await list.call(object) : [];
      const tools = answer?.tools ?? answer;
      if (typeof tools?.[Symbol.iterator] !== "function") continue;
      // Counted while it goes: a list of the page's making need not end.
      let left = limit;
      for (const tool of tools) {
        if (left-- === 0) break;
        found.push({
          name: String(tool?.name ?? "").slice(0, 256),
          description: String(tool?.description ?? "").slice(0, 20000),
        });
      }
    } catch {
      continue; // one object that fails does not hide what the other one lists
    }
  }
  return found;
}
