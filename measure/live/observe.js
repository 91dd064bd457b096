// Runs in the isolated world of one document: what the page did to its own prototypes does not reach it.
// One synchronous look at what the document shows and keeps, as digests: nothing of it leaves the page.
async (limits) => {
  const digest = () => {
    let a = 0xdeadbeef, b = 0x41c6ce57;
    return {
      add(text) {
        for (let i = 0; i < text.length; i++) {
          const code = text.charCodeAt(i);
          a = Math.imul(a ^ code, 2654435761);
          b = Math.imul(b ^ code, 1597334677);
        }
        a = Math.imul(a ^ 0xffff, 2654435761); // an end of its own: "ab","c" is not "a","bc"
        b = Math.imul(b ^ 0xfffe, 1597334677);
      },
      text: () => (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0"),
    };
  };
  const hash = (text) => {
    const one = digest();
    one.add(String(text));
    return one.text();
  };

  // A field named `attributes` hides its form's own property: the getters of the prototypes cannot be hidden.
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (node) => get.call(node);
  };
  const nodeType = getter(Node, "nodeType");
  const localName = getter(Element, "localName");
  const attributes = getter(Element, "attributes");
  const shadowRoot = getter(Element, "shadowRoot");
  const seen = digest();
  let left = limits.nodes;
  const walk = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = root; node && left > 0; node = nodes.nextNode(), left--) {
      const type = nodeType(node);
      if (type === Node.TEXT_NODE) seen.add(node.data);
      if (type !== Node.ELEMENT_NODE) continue;
      seen.add(localName(node));
      for (const attribute of attributes(node)) {
        seen.add(attribute.name);
        seen.add(attribute.value);
      }
      if (node instanceof HTMLInputElement) seen.add(`${node.value} ${node.checked}`);
      else if (node instanceof HTMLTextAreaElement) seen.add(node.value);
      else if (node instanceof HTMLOptionElement) seen.add(`${node.selected}`);
      const shadow = shadowRoot(node);
      if (shadow) walk(shadow);
    }
  };
  walk(document.documentElement ?? document);

  const stored = (name) => {
    const held = {};
    try {
      const store = window[name];
      for (let i = 0; i < Math.min(store.length, limits.keys); i++) {
        const key = store.key(i);
        held[key.slice(0, limits.key)] = hash(store.getItem(key));
      }
    } catch {
      // An opaque origin has no storage.
    }
    return held;
  };
  const databases = {};
  try {
    for (const each of (await indexedDB.databases()).slice(0, limits.keys))
      databases[each.name.slice(0, limits.key)] = String(each.version);
  } catch {
    // Nor databases.
  }
  return {
    url: location.href,
    origin: location.origin,
    dom: seen.text(),
    local_storage: stored("localStorage"),
    session_storage: stored("sessionStorage"),
    indexed_db: databases,
  };
}
