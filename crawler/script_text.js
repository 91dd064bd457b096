// Runs in an isolated world: the texts of this document's inline scripts, and which others it loaded.
(search) => {
  const words = new RegExp(search);
  const runs = (script) => !script.type || script.type === "module" || /(java|ecma)script/i.test(script.type);
  const texts = [];
  for (const script of document.scripts) {
    if (!script.src && runs(script) && words.test(script.textContent)) texts.push(script.textContent.slice(0, 500000).toWellFormed());
    if (texts.length >= 50) break;
  }
  return texts;
}
