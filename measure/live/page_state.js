// Runs in the isolated world of the top document: its address, the text it shows, and what selectors find in it.
(limits) => {
  const elements = {};
  for (const selector of limits.selectors) {
    try {
      const found = document.querySelectorAll(selector);
      const first = found[0];
      const text = first === undefined ? null : "value" in first ? String(first.value) : first.innerText ?? first.textContent;
      elements[selector] = { count: found.length, text: text?.trim().slice(0, limits.text).toWellFormed() ?? null };
    } catch (error) {
      elements[selector] = { error: error.name };
    }
  }
  return {
    url: location.href,
    text: (document.body?.innerText ?? "").slice(0, limits.text).toWellFormed(),
    elements,
  };
}
