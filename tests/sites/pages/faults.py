"""Pages that take their renderer with them, and pages that cannot be had at all."""

from dataclasses import replace

from tests.sites.gold import (
    UNCHECKED,
    Expect,
    Frame,
    GoldPage,
    captured,
    document,
    ended,
    html,
    registering,
    scripts,
)
from tests.sites.server import Manner, Reply, Site, redirect

HANGS = (
    registering("before_the_loop", "before_as_well")
    + """
<script>
  addEventListener("load", () => setTimeout(() => { for (;;); }, 500));
</script>
"""
)

CRASHES = """
<h1>Crashes</h1>
<script>
  // Reading the object of a document without a browsing context, then registering: builds 150 to 156 crash.
  document.implementation.createHTMLDocument("").modelContext;
</script>
""" + registering("too_late")

_HUNG = captured(
    *scripts("before_the_loop", "before_as_well", listing=None),
    frames=(Frame("top", "top", UNCHECKED, "timeout", "failed"),),
    api=UNCHECKED,
    page_view="failed",
    settled=UNCHECKED,
    views_stable=UNCHECKED,
    old_api=UNCHECKED,
    polyfill=UNCHECKED,
    unmeasured="page_view_failed",
    tools_callable=None,
    tools_listed=None,
    tools_unlisted=None,
)


def _by_address(name: str, title: str, expect: Expect, fact: str, url: str) -> GoldPage:
    return GoldPage(name, title, expect, fact, url=url)


def _answering(name: str, title: str, expect: Expect, fact: str, reply: Reply, *, demo: bool = False) -> GoldPage:
    return GoldPage(name, title, expect, fact, {"/": reply}, in_demo=demo)


PAGES = (
    GoldPage(
        "hangs-after-load",
        "A loop that begins 0.5 s after load and never ends",
        _HUNG,
        "design: the browser view was read, the page view failed; the page counts as not measured",
        {"/": document("Hangs", HANGS)},
    ),
    _answering(
        "crashes",
        "Crashes its renderer while it registers",
        ended("page_crashed"),
        "measured: createHTMLDocument('').modelContext, then registerTool: crash",
        document("Crashes", CRASHES),
    ),
    _by_address(
        "no-such-host",
        "A host name that resolves to nothing",
        ended("dns_error", http_status=None),
        "DNS: the name does not exist",
        "http://no-such-host.test/",
    ),
    _by_address(
        "refused",
        "A port where nobody listens",
        ended("connect_error", http_status=None),
        "TCP: connection refused",
        "http://refused.localhost:{{closed_port}}/",
    ),
    _by_address(
        "no-tls",
        "https where the server speaks http",
        ended("tls_error", http_status=None),
        "TLS: the answer is no handshake",
        "https://no-tls.localhost:{{port}}/",
    ),
    _answering(
        "reset",
        "The connection is reset instead of an answer",
        ended("connect_error", http_status=None),
        "TCP: reset",
        Reply(manner=Manner.RESET),
    ),
    _answering(
        "no-answer",
        "The connection is closed without an answer",
        ended("connect_error", http_status=None),
        "HTTP: a connection closed before any response",
        Reply(manner=Manner.CLOSE),
    ),
    _answering(
        "never-answers",
        "An answer that never comes",
        ended("timeout", http_status=None),
        "design: every wait has a bound",
        Reply(manner=Manner.HANG),
    ),
    _answering(
        "announces-too-much",
        "A document that announces ten gigabytes",
        ended("too_large", http_status=200),
        "design: a body over the stated cap is not read",
        Reply(html("Large", "<p>So far."), headers={"Content-Length": "10000000000"}, manner=Manner.DRIP),
    ),
    GoldPage(
        "redirect-loop",
        "Two paths that redirect to each other",
        ended("redirect_loop"),
        "HTTP: a client gives up after some twenty redirects",
        {"/": redirect("/a"), "/a": redirect("/b"), "/b": redirect("/a")},
        in_demo=True,
    ),
    GoldPage(
        "slow-redirects",
        "Three redirects of four seconds each, and then a page with a tool",
        captured(*scripts("at_the_end"), final_url="{{slow-redirects}}/c"),
        "design: a host that answers with a redirect has answered; the document after it gets its own time",
        {
            "/": replace(redirect("/a"), delay=4.0),
            "/a": replace(redirect("/b"), delay=4.0),
            "/b": replace(redirect("/c"), delay=4.0),
            "/c": document("The end", registering("at_the_end")),
        },
    ),
    GoldPage(
        "redirect-to-nowhere",
        "A redirect to a host that does not exist",
        ended("dns_error"),
        "DNS: the name does not exist",
        {"/": redirect("http://no-such-host.test/")},
    ),
    GoldPage(
        "redirect-to-disallowed",
        "A redirect to a site whose robots.txt forbids it",
        ended("robots_disallowed"),
        "RFC 9309 and design: robots.txt is obeyed after a redirect as well",
        {"/": redirect("{{redirect-to-disallowed-goal}}/private")},
        partners=(
            Site(
                "redirect-to-disallowed-goal",
                {
                    "/private": document("Private", registering("private")),
                    "/robots.txt": Reply("User-agent: *\nDisallow: /private\n", content_type="text/plain"),
                },
            ),
        ),
    ),
)
