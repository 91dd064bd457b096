"""When tools come: in batches after seconds, for ever again, or on a page that never finishes loading."""

from dataclasses import replace

from tests.sites.gold import UNCHECKED, GoldPage, captured, document, javascript, registering, scripts
from tests.sites.server import Manner, Reply

_OFFER = """
  const offer = (...names) => names.forEach((name) => document.modelContext.registerTool(
    { name, description: `Answers with ${name}.`, execute: async () => name }));
"""


def _late(script: str) -> Reply:
    return document("Late", f"<h1>Late tools</h1><script>{_OFFER}  {script}\n</script>")


ROUTE = """
<h1>Loading…</h1>
<script>
  const offer = (name) =>
    document.modelContext.registerTool({ name, description: `Answers with ${name}.`, execute: () => name });
  setTimeout(() => {
    history.pushState({}, "", "/orders");
    document.querySelector("h1").textContent = "Orders";
    offer("list_orders");
    offer("cancel_order");
  }, 1000);
</script>
"""

FOR_EVER = """
<h1>A component that renders for ever</h1>
<script>
  let last;
  function render() {
    last?.abort();
    last = new AbortController();
    document.modelContext.registerTool(
      { name: "refresh", description: "Refreshes the view.", execute: () => "ok" }, { signal: last.signal });
  }
  render();
  setInterval(render, 20);
</script>
"""

FLICKER = """
<h1>A component that remounts for two seconds</h1>
<script>
  let last, rounds = 0;
  const timer = setInterval(() => {
    last?.abort();
    last = new AbortController();
    for (const name of ["open_panel", "close_panel"])
      document.modelContext.registerTool({ name, description: `Panel: ${name}.`, execute: () => "ok" },
        { signal: last.signal });
    if (++rounds === 40) clearInterval(timer);
  }, 50);
</script>
"""

POLLS = """
<h1>Waits for a library</h1>
<script>
  // The library comes after four seconds; until then this looks every half second.
  const timer = setInterval(() => {
    if (!self.library) return;
    clearInterval(timer);
    self.library(document.modelContext);
  }, 500);
</script>
<script src="/library.js" async></script>
"""

_LISTED = scripts("refresh")
_CHURN = captured(*_LISTED, settled=UNCHECKED, views_stable=True)
_CHURN_NOT_STABLE = captured(
    *(replace(tool, listing=None) for tool in _LISTED),
    settled=UNCHECKED,
    views_stable=False,
    tools_listed=None,
    tools_unlisted=None,
)
"""The honest second best: the views never agreed, so nothing is said of the listing."""

PAGES = (
    GoldPage(
        "batch-at-1500",
        "A second batch 1.5 s after the first",
        captured(*scripts("now", "later_1", "later_2")),
        "measured: late batches arrive when their timer fires",
        {"/": _late('offer("now"); setTimeout(() => offer("later_1", "later_2"), 1500);')},
        in_demo=True,
    ),
    GoldPage(
        "batch-at-3000",
        "The only batch 3 s after parsing",
        captured(*scripts("late_1", "late_2", "late_3")),
        "measured: late batches arrive when their timer fires",
        {"/": _late('setTimeout(() => offer("late_1", "late_2", "late_3"), 3000);')},
    ),
    GoldPage(
        "batch-at-6000",
        "A second batch 6 s after the first",
        captured(*scripts("now", "very_late")),
        "measured: late batches arrive when their timer fires",
        {"/": _late('offer("now"); setTimeout(() => offer("very_late"), 6000);')},
    ),
    GoldPage(
        "only-at-6000",
        "The only batch 6 s after parsing",
        captured(*scripts("very_late_1", "very_late_2")),
        "measured: late batches arrive when their timer fires",
        {"/": _late('setTimeout(() => offer("very_late_1", "very_late_2"), 6000);')},
    ),
    GoldPage(
        "batch-at-5000-from-another-script",
        "A second batch 5 s after the first; the script with the timer does not name the API",
        captured(*scripts("now", "very_late")),
        "measured: late batches arrive when their timer fires",
        {
            "/": document(
                "Late",
                f"<h1>Late tools</h1><script>{_OFFER}</script>"
                '<script>offer("now"); setTimeout(() => offer("very_late"), 5000);</script>',
            )
        },
    ),
    GoldPage(
        "batches",
        "Batches at once and after 1.5, 3 and 6 s",
        captured(*scripts("at_0", "at_1500_a", "at_1500_b", "at_3000", "at_6000_a", "at_6000_b")),
        "measured: late batches arrive when their timer fires",
        {
            "/": _late(
                """
  offer("at_0");
  setTimeout(() => offer("at_1500_a", "at_1500_b"), 1500);
  setTimeout(() => offer("at_3000"), 3000);
  setTimeout(() => offer("at_6000_a", "at_6000_b"), 6000);
"""
            )
        },
    ),
    GoldPage(
        "chained-timers",
        "Each batch starts the timer of the next: 1.4 s, then 1.4 s, then 1.4 s",
        captured(*scripts("step_0", "step_1", "step_2", "step_3")),
        "measured: late batches arrive when their timer fires",
        {"/": _late("(function step(n) { offer(`step_${n}`); if (n < 3) setTimeout(step, 1400, n + 1); })(0);")},
    ),
    GoldPage(
        "push-state",
        "A route that comes by pushState after one second, with its tools",
        captured(*scripts("list_orders", "cancel_order"), navigated_during_read=0),
        "measured: pushState removes nothing and is no navigation to another document",
        {"/": document("Route", ROUTE)},
    ),
    GoldPage(
        "polling-library",
        "A library of 4 s delay that the page polls for",
        captured(*scripts("from_library")),
        "measured: pages that poll for the API or a library",
        {
            "/": document("Polls", POLLS),
            "/library.js": javascript(
                'self.library = (context) => context.registerTool({ name: "from_library",'
                ' description: "Comes late.", execute: () => "ok" });',
                delay=4.0,
            ),
        },
    ),
    GoldPage(
        "slow-script",
        "A script that takes 2.5 s to come holds the load event up, and the tools",
        captured(*scripts("after_slow_script")),
        "spec: a classic script blocks the parser",
        {
            "/": document("Slow script", '<h1>Slow script</h1><script src="/slow.js"></script>'),
            "/slow.js": javascript(
                'document.modelContext.registerTool({ name: "after_slow_script", description: "Slow.",'
                ' execute: () => "ok" });',
                delay=2.5,
            ),
        },
    ),
    GoldPage(
        "re-registers-for-ever",
        "Takes its tool back and registers it again every 20 ms, for ever",
        (_CHURN, _CHURN_NOT_STABLE),
        "measured: at every moment between two tasks both views have the tool",
        {"/": document("For ever", FOR_EVER)},
        in_demo=True,
    ),
    GoldPage(
        "re-registers-for-two-seconds",
        "Takes two tools back and registers them again for two seconds, then holds still",
        captured(*scripts("open_panel", "close_panel")),
        "measured: an aborted signal frees the name",
        {"/": document("Remounts", FLICKER)},
    ),
    GoldPage(
        "image-hangs",
        "The load event never fires: an image does not come",
        captured(*scripts("read_anyway", "read_as_well"), load_event="never", settled=UNCHECKED),
        "spec: tools do not wait for the load event; HTML: load waits for images",
        {
            "/": document("Hangs", f'<img src="/never.png" alt="">{registering("read_anyway", "read_as_well")}'),
            "/never.png": Reply(manner=Manner.HANG),
        },
    ),
    GoldPage(
        "endless-body",
        "A document that never ends: its connection stays open",
        captured(*scripts("before_the_end"), load_event="never", settled=UNCHECKED),
        "spec: a script runs when the parser meets it",
        {
            "/": Reply(
                f"<!doctype html><title>Drip</title>{registering('before_the_end')}",
                manner=Manner.DRIP,
                interval=3600,
            )
        },
    ),
    GoldPage(
        "slow-answer",
        "The answer takes 3 s, within every limit",
        captured(*scripts("worth_the_wait")),
        "spec: nothing but patience",
        {
            "/": Reply(
                f"<!doctype html><title>Slow</title>{registering('worth_the_wait')}",
                delay=3.0,
            )
        },
    ),
    GoldPage(
        "fetch-hangs",
        "A fetch that never comes back, after load",
        captured(*scripts("first"), settled=UNCHECKED),
        "spec: a pending fetch delays nothing",
        {
            "/": document("Long poll", registering("first") + '<script>fetch("/events");</script>'),
            "/events": Reply(manner=Manner.HANG),
        },
    ),
)
