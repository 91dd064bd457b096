// Runs in the page's own world, and only when an object of the page's own stands in place of, or beside, the native one:
// what that object lists. What a page tampered with can lie here; the browser view says what is true.
async () => {
  const objects = [document.modelContext, navigator.modelContext].filter((each) => each);
  const found = [];
  for (const object of objects) {
    const list = object.getTools ?? object.listTools;
    const tools = typeof list === "function" ? await list.call(object) : [];
    for (const tool of Array.from(tools?.tools ?? tools ?? []).slice(0, 500)) {
      found.push({
        name: String(tool?.name ?? "").slice(0, 256),
        description: String(tool?.description ?? "").slice(0, 20000),
      });
    }
  }
  return found;
}
