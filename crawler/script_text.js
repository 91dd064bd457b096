// Runs in an isolated world: the texts of this document's inline scripts that name the API, or set a timer.
// First it waits until the document is idle: idle callbacks run in the order they were asked for, so what the page
// left for an idle moment has run before.
async ({ search, idle }) => {
  const wasIdle = !idle || await new Promise((done) => {
    requestIdleCallback((deadline) => done(!deadline.didTimeout), { timeout: idle });
  });
  const words = new RegExp(search);
  const runs = (script) => !script.type || script.type === "module" || /(java|ecma)script/i.test(script.type);
  const texts = [];
  for (const script of document.scripts) {
    if (!script.src && runs(script) && words.test(script.textContent)) texts.push(script.textContent.slice(0, 500000).toWellFormed());
    if (texts.length >= 50) break;
  }
  return { texts, wasIdle };
}
