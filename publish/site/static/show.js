"use strict";
/* Draws the answer to a look-up. Every string of a page goes in as text, isolated from the direction around it. */
(() => {
  const place = document.getElementById("answer");
  const { lookUp, load, entryUrl, inert, shownUrl, root } = webmcpCensus;

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const isolated = (text) => element("bdi", {}, text);

  /* A sentence of ours with `code` in it. */
  function sentence(name, text) {
    const parts = text.split("`").map((part, at) => (at % 2 ? element("code", {}, inert(part, 600)) : inert(part, 600)));
    return element(name, {}, ...parts);
  }

  const counted = (number, thing) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;

  function says(page, index) {
    const outcome = page.outcome ?? "captured";
    if (outcome !== "captured") {
      const meaning = index.words.outcome[outcome];
      return `The page was not read: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`;
    }
    if (page.tools === undefined) return "The page was captured, but what an agent can call could not be measured.";
    return page.tools ? `An agent is offered ${counted(page.tools, "tool")} on this page.` : "An agent is offered no tool on this page.";
  }

  function tone(page) {
    if (page.tools === undefined) return "";
    if (page.problems?.error) return "bad";
    return page.tools && !page.problems?.warning ? "good" : "warn";
  }

  function problems(page) {
    return Object.entries(page.problems ?? {}).map(([severity, number]) => counted(number, severity)).join(", ");
  }

  function drawn(page, index) {
    const item = element("li");
    const link = element("a", { href: page.entry ? entryUrl(page.entry) : page.url, rel: "nofollow noreferrer ugc" });
    link.append(isolated(shownUrl(page.url)));
    item.append(element("h2", {}, link));
    const about = [page.project && inert(page.project, 120), `release ${index.release}`, `visited ${page.visited ?? index.visited}`];
    const line = element("p", { class: "dim" });
    about.filter(Boolean).forEach((part, at) => line.append(at ? " · " : "", isolated(part)));
    item.append(line);
    const box = element("div", { class: `verdict ${tone(page)}` }, element("p", { class: "says" }, says(page, index)));
    const points = [];
    if (page.final_url) points.push(element("li", {}, "It led to ", isolated(shownUrl(page.final_url)), "."));
    if (page.detail) points.push(element("li", {}, "Detail: ", isolated(inert(page.detail, 400))));
    if (page.unlisted) points.push(element("li", {}, `${counted(page.unlisted, "tool")} not in the page’s own list.`));
    for (const word of page.why ?? (page.tools === 0 ? ["nothing_registered"] : [])) points.push(sentence("li", index.words.why[word]));
    if (page.entry && problems(page)) points.push(element("li", {}, `Findings: ${problems(page)}.`));
    if (points.length) box.append(element("ul", {}, ...points));
    item.append(box);
    if (page.entry) item.append(element("p", {}, element("a", { href: entryUrl(page.entry) }, "Its tools, what to fix, and how it compares")));
    else item.append(...entryOf(page, index));
    return item;
  }

  /* The entry of a page without tools, from its shard. */
  function entryOf(page, index) {
    const parts = [];
    const findings = page.findings ?? [];
    if (findings.length) {
      const list = element("ol", { class: "findings" });
      for (const finding of findings) {
        const severity = element("span", { class: `severity ${finding.severity}` }, finding.severity);
        const first = sentence("p", finding.message);
        first.prepend(severity, " ");
        const remedy = sentence("p", finding.remedy);
        remedy.prepend(element("strong", {}, "Do:"), " ");
        list.append(element("li", {}, first, remedy, element("p", { class: "dim" }, element("code", {}, finding.rule))));
      }
      parts.push(element("h3", {}, "What to fix"), list);
    } else if (!page.outcome) {
      parts.push(element("p", {}, index.linted ? "Lint found nothing." : "Lint was not run, so nothing is said of findings."));
    }
    for (const [release, outcome, tools] of page.earlier ?? []) {
      const had = tools === null ? outcome : `${outcome}, ${counted(tools, "tool")}`;
      parts.push(element("p", { class: "dim" }, `Release ${release}: ${had}`));
    }
    parts.push(...yourself(page.url));
    return parts;
  }

  // Where `check` goes only when it is told that it may; of numbers in an address, those of the own machine and network.
  const LOCAL = /^https?:\/\/([^/?#]*\.)?localhost([:/?#]|$)|^https?:\/\/(127\.|10\.|192\.168\.|\[::1\])/i;

  function yourself(url) {
    const quoted = `'${url.replace(/'/g, "'\"'\"'")}'`;
    const allowed = LOCAL.test(url) ? " --allow-private" : "";
    const command = `webmcp-census check ${/^[\w@%+=:,./-]+$/.test(url) ? url : quoted}${allowed}`;
    const code = element("pre", { tabindex: "0" }, element("code", {}, isolated(inert(command, 400))));
    const leave = element("a", { href: new URL("method.html#opt-out", root).href }, "Leave it out");
    return [element("p", {}, "Measure it yourself:"), code, element("p", { class: "dim" }, "Your site? ", leave, ".")];
  }

  function line(page) {
    const link = element("a", { href: page.entry ? entryUrl(page.entry) : `?q=${encodeURIComponent(page.url)}` });
    link.append(isolated(shownUrl(page.url)));
    const has = page.tools === undefined || page.tools === null ? (page.outcome ?? "not measured") : counted(page.tools, "tool");
    const item = element("li", {}, link, " ", element("span", { class: "dim" }, has));
    if (page.project) item.append(element("span", { class: "dim" }, " · ", isolated(inert(page.project, 80))));
    return item;
  }

  function missing(answer, index) {
    const { asked, release } = answer;
    const parts = [
      element("h2", {}, isolated(inert(asked.text, 120)), " is not in this census"),
      element("p", {}, `Release ${release} has no such page. That can be because:`),
      element("ul", {}, ...index.words.missing.map((reason) => element("li", {}, reason))),
      element("p", {}, "To get in, have it put on a target list that the next census reads. ", element("a", { href: new URL("method.html#missing", root).href }, "How"), "."),
    ];
    return asked.url ? [...parts, ...yourself(asked.url)] : parts;
  }

  async function show(text) {
    const index = await load("index");
    const answer = await lookUp(text);
    if (answer.exact.length === 1 && answer.exact[0].entry) {
      location.replace(entryUrl(answer.exact[0].entry));
      return;
    }
    const parts = [];
    if (answer.exact.length) parts.push(element("ul", { class: "answers" }, ...answer.exact.map((page) => drawn(page, index))));
    if (answer.others.length) {
      const title = answer.exact.length ? "Other pages of the host" : answer.searched ? "Pages that fit" : "Pages of the host";
      parts.push(element("h2", {}, title), element("ul", { class: "plain" }, ...answer.others.map(line)));
      const more = answer.othersCount - answer.others.length;
      if (more > 0) parts.push(element("p", { class: "dim" }, `And ${more.toLocaleString("en")} more.`));
    }
    place.replaceChildren(...(parts.length ? parts : missing(answer, index)));
  }

  const asked = new URLSearchParams(location.search).get("q") ?? "";
  const box = document.getElementById("q");
  box.value = asked.slice(0, 2000);
  if (asked.trim()) {
    show(asked.slice(0, 2000)).catch((error) => {
      place.replaceChildren(element("p", { class: "notice", role: "alert" }, `The look-up failed: ${inert(String(error.message))}.`));
    });
  } else {
    box.focus();
  }
})();
