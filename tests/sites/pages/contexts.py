"""Where the API is there, where it is not, and where it is there and every call rejects."""

from tests.sites.gold import UNCHECKED, Frame, GoldPage, captured, document, registering, scripts
from tests.sites.server import Reply, Site

_FORM = '<form toolname="search" tooldescription="Searches."><input name="q"></form>'

PAGES = (
    GoldPage(
        "policy-none",
        "`Permissions-Policy: tools=()`: the object is there, every call rejects",
        captured(
            frames=(Frame("top", "top", "blocked", "NotAllowedError", "failed"),),
            api="blocked",
            page_view="failed",
            views_stable=UNCHECKED,
        ),
        "measured: NotAllowedError from registerTool and getTools",
        {"/": document("Policy", registering("never") + _FORM, Permissions_Policy="tools=()")},
        in_demo=True,
    ),
    GoldPage(
        "policy-none-with-frame",
        "`tools=()` holds in frames too, whatever their `allow` says",
        captured(
            frames=(
                Frame("top", "top", "blocked", "NotAllowedError", "failed"),
                Frame("top.0", "cross_site", "blocked", "NotAllowedError", "failed"),
            ),
            api="blocked",
            page_view="failed",
            views_stable=UNCHECKED,
        ),
        "measured: host header tools=(): NotAllowedError everywhere",
        {
            "/": document(
                "Policy",
                registering("never") + '<iframe src="{{policy-none-inner}}/" allow="tools"></iframe>',
                Permissions_Policy="tools=()",
            )
        },
        partners=(Site("policy-none-inner", {"/": document("Inner", registering("nor_this"))}),),
    ),
    GoldPage(
        "policy-self",
        "`Permissions-Policy: tools=(self)` allows the page itself",
        captured(*scripts("allowed")),
        "measured: header tools=(self): ok",
        {"/": document("Policy", registering("allowed"), Permissions_Policy="tools=(self)")},
    ),
    GoldPage(
        "no-agent-cluster",
        "`Origin-Agent-Cluster: ?0`: the object is there, every call rejects",
        captured(
            frames=(Frame("top", "top", UNCHECKED, "SecurityError", "failed"),),
            api="blocked",
            page_view="failed",
            views_stable=UNCHECKED,
        ),
        "measured: SecurityError from registerTool and getTools",
        {"/": document("Cluster", registering("never"), Origin_Agent_Cluster="?0")},
        in_demo=True,
    ),
    GoldPage(
        "plain-http",
        "Plain http on a host that is not local: no secure context, no object",
        captured(
            frames=(Frame("top", "top", UNCHECKED, None, "no_api"),),
            api="insecure",
            page_view="no_api",
            views_stable=UNCHECKED,
        ),
        "measured: not secure, no modelContext",
        {"/": document("Plain", "<h1>Plain</h1>" + registering("never") + _FORM)},
        secure=False,
        in_demo=True,
    ),
    GoldPage(
        "insecure-host",
        "A secure frame in an insecure page",
        captured(
            frames=(
                Frame("top", "top", UNCHECKED, None, "no_api"),
                Frame("top.0", "cross_site", UNCHECKED, None, "no_api"),
            ),
            api="insecure",
            page_view="no_api",
            views_stable=UNCHECKED,
        ),
        "measured: no object in both",
        {"/": document("Plain", '<iframe src="{{insecure-host-inner}}/" allow="tools"></iframe>')},
        partners=(Site("insecure-host-inner", {"/": document("Inner", registering("never"))}),),
        secure=False,
    ),
    GoldPage(
        "csp-sandbox",
        "`Content-Security-Policy: sandbox allow-scripts`: an opaque origin, and tools of its own",
        captured(*scripts("in_opaque_page")),
        'measured: ok, origin "null"; the own document lists it',
        {"/": document("Opaque", registering("in_opaque_page"), Content_Security_Policy="sandbox allow-scripts")},
    ),
    GoldPage(
        "strict-csp",
        "A content security policy that forbids inline and evaluated script, and every connection",
        captured(*scripts("under_csp")),
        "spec: the policy is about the page's scripts, not about reading it",
        {
            "/": document(
                "CSP",
                '<h1>Strict</h1><script src="/app.js"></script>',
                Content_Security_Policy="default-src 'none'; script-src 'self'",
            ),
            "/app.js": Reply(
                'document.modelContext.registerTool({ name: "under_csp", description: "Fine.", execute: () => "" });',
                content_type="text/javascript",
            ),
        },
    ),
    GoldPage(
        "xhtml",
        "An XHTML document",
        captured(*scripts("in_xhtml")),
        "HTML: XHTML documents are pages too",
        {
            "/": Reply(
                """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>XHTML</title></head><body><h1>XHTML</h1>
<script>
  document.modelContext.registerTool({ name: "in_xhtml", description: "In XHTML.", execute() {} });
</script>
</body></html>""",
                content_type="application/xhtml+xml",
            )
        },
    ),
    GoldPage(
        "origin-trial",
        "A page with an origin-trial token that is none",
        captured(*scripts("with_token")),
        "measured: with the feature forced on, a bad token changes nothing",
        {
            "/": document(
                "Token",
                registering("with_token"),
                '<meta http-equiv="origin-trial" content="A0AAbadTokenAAAAAAAAAAAAAAAAAAAA==">',
            )
        },
    ),
)
