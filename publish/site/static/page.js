"use strict";
/* What every page adds where scripts run: the search goes to lookup.html, code can be copied, badges name this site. */
(() => {
  for (const form of document.querySelectorAll("form.search")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = new FormData(form).get("q").trim();
      if (text) location.href = `${new URL("lookup.html", webmcpCensus.root).href}?q=${encodeURIComponent(text)}`;
    });
  }

  for (const code of document.querySelectorAll("code[data-site]")) {
    // Without a base URL the links are relative to the site; here it is known where that is.
    code.textContent = code.textContent.replace(/\]\((?!https?:)/g, `](${webmcpCensus.root.href}`);
  }

  for (const block of document.querySelectorAll(".copy")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector("code").textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(block.querySelector("code"));
        button.textContent = "Selected";
      }
    });
    block.append(button);
  }
})();
