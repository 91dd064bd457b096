"""Waits at the limits of what a visit waits for, and tools that go again."""

from tests.sites.gold import UNCHECKED, Expect, GoldPage, captured, document, registering, scripts

_OFFER = """
  const offer = (...names) => names.forEach((name) => document.modelContext.registerTool(
    { name, description: `Answers with ${name}.`, execute: async () => name }));
"""

POLLS_8_S = """
  const began = performance.now();
  const look = setInterval(() => {
    if (performance.now() - began < 8 * 1000) return;
    clearInterval(look);
    offer("seen_at_last");
  }, 500);
"""

TAKEN_BACK = """
  const controller = new AbortController();
  for (const name of ["gone_1", "gone_2"])
    document.modelContext.registerTool(
      { name, description: "Not for long.", execute: () => "" }, { signal: controller.signal });
  offer("stays");
  setTimeout(() => controller.abort(), 1000);
"""

HASH_ROUTE = """
  addEventListener("hashchange", () => offer("list_orders", "cancel_order"));
  setTimeout(() => { location.hash = "#/orders"; }, 1000);
"""

ALL_TAKEN_BACK = """
  document.modelContext.registerTool(
    { name: "brief", description: "Not for long.", execute: () => "" }, { signal: AbortSignal.timeout(1000) });
"""


def _page(name: str, title: str, expect: Expect, fact: str, script: str) -> GoldPage:
    body = f"<h1>Wait</h1><script>{_OFFER}{script}</script>"
    return GoldPage(name, title, expect, fact, {"/": document("Wait", body)})


PAGES = (
    _page(
        "polls-for-eight-seconds",
        "Looks every half second, and finds what it looks for after 8 s",
        captured(*scripts("seen_at_last")),
        "design: a script that names the API and polls is waited for up to ten seconds",
        POLLS_8_S,
    ),
    _page(
        "only-at-9000",
        "The only tool 9 s after parsing",
        captured(*scripts("just_in_time")),
        "design: a delay that the script writes is waited for, up to ten seconds",
        'setTimeout(() => offer("just_in_time"), 9000);',
    ),
    _page(
        "only-at-20000",
        "The only tool 20 s after parsing: later than any visit waits",
        captured(settled=UNCHECKED),
        "design: ten seconds are the longest wait that a script's text can ask for",
        'setTimeout(() => offer("too_late"), 20000);',
    ),
    _page(
        "taken-back-at-1000",
        "Two of three tools are taken back after 1 s",
        captured(*scripts("stays")),
        "measured: signal aborted later: the tool is gone",
        TAKEN_BACK,
    ),
    _page(
        "all-taken-back-at-1000",
        "The only tool is taken back after 1 s",
        captured(settled=UNCHECKED),
        "measured: signal aborted later: the tool is gone",
        ALL_TAKEN_BACK,
    ),
    _page(
        "hash-route-at-1000",
        "Goes to a hash route after 1 s, which brings its tools",
        captured(
            *scripts("list_orders", "cancel_order"),
            navigated_during_read=0,
            final_url="{{hash-route-at-1000}}/#/orders",
        ),
        "HTML: a change of the fragment is no navigation to another document",
        HASH_ROUTE,
    ),
    GoldPage(
        "hash-route-in-target",
        "The target itself is a hash route; another one has other tools",
        captured(*scripts("search"), final_url="{{hash-route-in-target}}/#/search"),
        "design: a fragment that is a route is part of the target",
        {
            "/": document(
                "Routes",
                registering("on_start").replace("<script>", '<script>if (location.hash === "")')
                + registering("search").replace("<script>", '<script>if (location.hash === "#/search")'),
            )
        },
        path="/#/search",
    ),
)
