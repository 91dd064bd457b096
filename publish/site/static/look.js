"use strict";
/*
 * Looking a page up: addresses, digests and shards as `publish/lookup` has them.
 * Data files are loaded as scripts, which also works where the site is opened from a disk.
 */
const webmcpCensus = (() => {
  const root = new URL("..", document.currentScript.src);
  const data = new Map();
  const loading = new Map();
  const MOST = 50;

  function take(name, value) {
    data.set(name, value);
  }

  /* The data of a file below api/v1; rejects when the file cannot be had. */
  function load(name) {
    if (data.has(name)) return Promise.resolve(data.get(name));
    if (!loading.has(name)) {
      loading.set(name, script(`api/v1/${name}.js`).then(() => data.get(name)));
    }
    return loading.get(name);
  }

  function script(path) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = new URL(path, root).href;
      element.onload = resolve;
      element.onerror = () => reject(new Error(`${path} could not be loaded`));
      document.head.append(element);
    });
  }

  const HOST_LIKE = /^(?:\[[0-9a-f:.]+\]|localhost|[^\s/?#@:]+\.[^\s/?#@:]+)\.?(?::\d{1,5})?(?:[/?#]|$)/i;

  /* What somebody typed as {text, url, address}; url and address are null when it can be no address. */
  function question(text) {
    text = text.trim();
    const url = /^https?:\/\//i.test(text) ? text : HOST_LIKE.test(text) ? `https://${text}` : null;
    const address = url === null ? null : addressOf(url);
    return { text, url: address && url, address };
  }

  function addressOf(text) {
    let url;
    try {
      url = new URL(text);
    } catch {
      return null;
    }
    if (!["http:", "https:"].includes(url.protocol)) return null;
    const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    const fragment = url.hash.slice(1);
    const route = /^[/!]/.test(fragment) ? `#${fragment}` : "";
    const rest = url.pathname.replace(/\/+$/, "") + (url.search === "?" ? "" : url.search) + route;
    return { host, shardHost: host.replace(/^www\./, ""), port: url.port, rest };
  }

  function decoded(rest) {
    return rest.replace(/%[0-9A-Fa-f]{2}/g, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
  }

  function samePage(one, other) {
    return one.shardHost === other.shardHost && one.port === other.port && decoded(one.rest) === decoded(other.rest);
  }

  function fnv1a(text) {
    let value = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
    return (value >>> 0).toString(16).padStart(8, "0");
  }

  function letters(rest) {
    return rest.replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9]/g, "").toLowerCase();
  }

  function digest(address) {
    return fnv1a(address.shardHost) + fnv1a(letters(address.rest));
  }

  /* The shard of a whole or half digest; null when a half is not enough to tell. */
  function shardOf(code, index) {
    const split = new Set(index.split);
    let name = code.slice(0, index.prefix_length);
    while (split.has(name)) {
      if (name.length === code.length) return null;
      name = code.slice(0, name.length + 1);
    }
    return name;
  }

  /*
   * {release, asked, exact, others, othersCount}: the pages at the address; then more of the host, or pages that have
   * the name. `searched` is true when names were asked.
   */
  async function lookUp(text) {
    const index = await load("index");
    const asked = question(text);
    if (asked.address !== null) {
      const { exact, ofHost, count } = await byAddress(asked.address, index);
      const chosen = exact.length === 0 && ofHost.length === 1 ? ofHost : exact;
      if (chosen.length + ofHost.length > 0) {
        const others = ofHost.filter((page) => !chosen.includes(page));
        const othersCount = Math.max(others.length, count - chosen.length);
        return { release: index.release, asked, exact: chosen, others: others.slice(0, MOST), othersCount, searched: false };
      }
    }
    const named = asked.text === "" ? [] : await byName(asked.text);
    return { release: index.release, asked, exact: [], others: named.slice(0, MOST), othersCount: named.length, searched: true };
  }

  async function byAddress(address, index) {
    const name = shardOf(address.rest ? digest(address) : fnv1a(address.shardHost), index);
    const file = name === null ? `hosts/${fnv1a(address.shardHost)}` : `pages/${name}`;
    const shard = await load(file);
    const exact = shard.pages.filter((page) => isAt(page, address));
    const ofHost = shard.pages.filter((page) => {
      const place = addressOf(page.url);
      return place !== null && place.shardHost === address.shardHost && (!address.port || place.port === address.port);
    });
    const count = shard.hosts ? (shard.hosts[address.shardHost] ?? 0) : ofHost.length;
    return { exact, ofHost, count };
  }

  function isAt(page, address) {
    return [page.url, page.final_url].some((url) => {
      const place = url ? addressOf(url) : null;
      return place !== null && samePage(place, address);
    });
  }

  let engine = null;

  async function byName(text) {
    if (engine === null) {
      const [names] = await Promise.all([load("names"), script("static/minisearch.js")]);
      engine = new MiniSearch({
        idField: "entry",
        fields: ["project", "names", "url"],
        storeFields: ["url", "project", "tools", "entry"],
        tokenize: (words) => words.split(/[\s\p{Z}\p{P}]+/u).filter(Boolean),
        extractField: (page, field) => (field === "names" ? page.names.join(" ") : page[field]),
      });
      engine.addAll(names.pages);
    }
    return engine.search(text, { prefix: true, fuzzy: 0.15, combineWith: "AND", boost: { project: 3, names: 2 } });
  }

  /* Where the entry of a page is on the site. */
  function entryUrl(entry) {
    return new URL(`entry/${entry.slice(0, 2)}/${entry}.html`, root).href;
  }

  /* A page's string for people: invisible and direction characters spelled out, cut. The caller isolates it. */
  function inert(text, limit = 200) {
    const line = text.replace(/\s+/g, " ");
    const shown = line.length > limit ? `${line.slice(0, limit)}…` : line;
    return shown.replace(/[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, (each) => {
      return `⟨U+${each.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
    });
  }

  /* A URL for people, its host as it is asked for: look-alike letters show as xn--. */
  function shownUrl(text, limit = 200) {
    try {
      const url = new URL(text);
      const after = text.replace(/^[^:]+:\/\/[^/?#]*/, "");
      return inert(`${url.protocol}//${url.host}${after}`, limit);
    } catch {
      return inert(text, limit);
    }
  }

  const pages = { lookUp, load, take, question, digest, shardOf, fnv1a, letters, addressOf, entryUrl, inert, shownUrl, root };
  return pages;
})();
