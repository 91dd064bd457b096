"use strict";
/* The site's own tools for agents, where the browser has WebMCP. Both only read. */
(() => {
  const { lookUp, load, entryUrl } = webmcpCensus;
  const RELEASE = "^[0-9]{4}[.][0-9]{2}[.][0-9]+$";

  function summary(page, index) {
    const words = index.words;
    const outcome = page.outcome ?? "captured";
    return {
      url: page.url,
      final_url: page.final_url,
      project: page.project,
      visited: page.visited ?? index.visited,
      outcome,
      outcome_means: words.outcome[outcome],
      callable_tools: page.tools ?? null,
      tool_names: page.names,
      why_no_tools: (page.why ?? (page.tools === 0 ? ["nothing_registered"] : undefined))?.map((word) => words.why[word]),
      findings_by_severity: page.problems,
      findings: page.findings,
      entry: page.entry ? entryUrl(page.entry) : undefined,
    };
  }

  async function lookUpPage({ address }) {
    if (typeof address !== "string" || address.trim() === "") throw new Error("address must be a text that is not empty");
    const index = await load("index");
    const answer = await lookUp(address.slice(0, 2000));
    const found = answer.exact.length + answer.others.length > 0;
    return JSON.stringify({
      release: answer.release,
      found,
      pages: answer.exact.map((page) => summary(page, index)),
      other_pages: answer.others.slice(0, 20).map(({ url, project, tools, entry }) => ({ url, project, callable_tools: tools, entry: entry && entryUrl(entry) })),
      other_pages_count: answer.othersCount,
      note: found ? undefined : "Not in this census: on none of its target lists, under another address, or left out on request.",
    });
  }

  async function compareReleases({ from, to } = {}) {
    const { releases, changes } = await load("releases");
    const newer = releases.find((each) => each.release === (to ?? releases[0].release));
    const older = releases.find((each) => each.release === (from ?? releases[releases.indexOf(newer) + 1]?.release));
    if (!newer || !older) {
      const known = releases.map((each) => each.release);
      return JSON.stringify({ releases: known, note: from || to ? "There is no such release here." : "This site holds one release: there is nothing to compare it with." });
    }
    return JSON.stringify({
      from: older.release,
      to: newer.release,
      rates: Object.keys(newer.rates)
        .filter((id) => id in older.rates)
        .map((id) => ({ id, title: newer.rates[id].title, before: older.rates[id], after: newer.rates[id] })),
      like_for_like: changes.find((each) => each.from === older.release && each.to === newer.release),
      note: "Each rate is over its own release's pages, with k, n and a 95 % Wilson interval.",
    });
  }

  const TOOLS = [
    {
      name: "lookup_page",
      title: "Look a page up in the WebMCP census",
      description:
        "Looks a web page up in the newest WebMCP census and returns how its visit ended, which tools an AI agent can call on it, and what is wrong with them. Use when the user asks about one page, one site or one named project; to see how the whole web changed between two censuses, use `compare_releases`.",
      inputSchema: {
        type: "object",
        properties: {
          address: {
            type: "string",
            minLength: 1,
            maxLength: 2000,
            description: "The URL of the page, its host, or the name of the project or of a tool, as the user gave it; for example shop.example.com/cart.",
            examples: ["https://shop.example.com/cart"],
          },
        },
        required: ["address"],
        additionalProperties: false,
      },
      execute: lookUpPage,
    },
    {
      name: "compare_releases",
      title: "Compare two releases of the WebMCP census",
      description:
        "Compares two releases of the WebMCP census and returns each published rate before and after, with its interval. Use when the user wants to know what changed over time, such as adoption; for what a census says of a single page, use `lookup_page`.",
      inputSchema: {
        type: "object",
        properties: {
          from: {
            type: "string",
            pattern: RELEASE,
            description: "The earlier release as YYYY.MM.N, for example 2026.10.0; left out, the one before `to`.",
            examples: ["2026.10.0"],
          },
          to: {
            type: "string",
            pattern: RELEASE,
            description: "The later release as YYYY.MM.N, for example 2026.11.0; left out, the newest.",
            examples: ["2026.11.0"],
          },
        },
        additionalProperties: false,
      },
      execute: compareReleases,
    },
  ];

  if (typeof document.modelContext?.registerTool === "function") {
    for (const tool of TOOLS) {
      // Rejected where a policy forbids tools: the site works without.
      Promise.resolve(document.modelContext.registerTool({ ...tool, annotations: { readOnlyHint: true, untrustedContentHint: true } })).catch(() => undefined);
    }
  }
})();
