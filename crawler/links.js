// Runs in an isolated world: where this document's links lead, in its order. A form that is named like a method of the
// document hides it, so the method is taken from the prototype.
({ most }) => {
  const links = Document.prototype.querySelectorAll.call(document, "a[href], area[href]");
  return Array.from(links)
    .slice(0, most)
    .map((link) => link.href)
    .filter((href) => typeof href === "string" && href.length < 2000)
    .map((href) => href.toWellFormed());
}
