"""Frames with odd addresses, holders, and policies: data:, blob:, javascript:, objects, credentialless."""

from tests.sites.gold import TOP_FRAME, UNCHECKED, Frame, GoldPage, Tool, captured, document, registering, scripts
from tests.sites.server import Reply, Site

_BLOCKED = {"tools_policy": "blocked", "page_view": "failed", "error": "NotAllowedError"}


def _host(*parts: str, **headers: str) -> Reply:
    return document("Host", registering("host_tool") + "\n".join(parts), **headers)


def _inner(name: str, body: str = registering("partner_tool")) -> Site:
    return Site(name, {"/": document("Frame", body)})


def _allowed(name: str, title: str, fact: str, attributes: str, **headers: str) -> GoldPage:
    """A cross-site frame that may offer tools and exposes none of them to its host."""
    return GoldPage(
        name,
        title,
        captured(
            *scripts("host_tool"),
            Tool("partner_tool", "top.0", listing="own_document", listing_cause="not_exposed_to_host"),
            frames=(TOP_FRAME, Frame("top.0", "cross_site")),
        ),
        fact,
        {"/": _host(f'<iframe src="{{{{{name}-inner}}}}/" {attributes}></iframe>', **headers)},
        partners=(_inner(f"{name}-inner"),),
    )


_IN = "document.modelContext.registerTool({ name: '%s', description: 'Here.', execute: () => '' });"

PAGES = (
    GoldPage(
        "frame-data-url",
        "A data: frame: an origin of its own, and no tools",
        captured(
            *scripts("host_tool"),
            frames=(TOP_FRAME, Frame("top.0", "opaque", UNCHECKED, UNCHECKED, UNCHECKED)),
        ),
        "spec: a data: document has an opaque origin, which the policy does not allow tools",
        {"/": _host('<iframe src="data:text/html,<script>' + _IN % "never" + '</script>"></iframe>')},
    ),
    GoldPage(
        "frame-blob-url",
        "A blob: frame of the host's making",
        captured(
            *scripts("host_tool"),
            *scripts("in_blob", frame="top.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin")),
        ),
        "spec: a blob: document has the origin of who made it; same-origin frames are listed",
        {
            "/": _host(
                """<script>
  const page = "<script>" + `%s` + "</" + "script>";
  const frame = document.createElement("iframe");
  frame.src = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  document.body.append(frame);
</script>"""
                % (_IN % "in_blob")
            )
        },
    ),
    GoldPage(
        "frame-javascript-url",
        "A javascript: frame whose script writes the document",
        captured(
            *scripts("host_tool"),
            *scripts("in_javascript", frame="top.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin")),
        ),
        "HTML: a javascript: URL's document has the origin of the one it was in",
        {
            "/": _host(
                """<iframe src='javascript:"<script>"""
                + _IN.replace("'", "`") % "in_javascript"
                + """</script>"'></iframe>"""
            )
        },
    ),
    GoldPage(
        "frame-object-and-embed",
        "Documents in an object element and in an embed element",
        captured(
            *scripts("host_tool"),
            *scripts("held", frame="top.0"),
            *scripts("held", frame="top.1"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin"), Frame("top.1", "same_origin")),
        ),
        "HTML: object and embed hold documents as iframes do; same-origin frames are listed",
        {
            "/": _host('<object data="/held" type="text/html"></object>', '<embed src="/held" type="text/html">'),
            "/held": document("Held", registering("held")),
        },
    ),
    GoldPage(
        "frame-object-of-other-site",
        "A document of another site in an object element, which has no `allow`",
        captured(*scripts("host_tool"), frames=(TOP_FRAME, Frame("top.0", "cross_site", **_BLOCKED))),
        "measured: cross-origin without allow: NotAllowedError",
        {"/": _host('<object data="{{frame-object-of-other-site-inner}}/" type="text/html"></object>')},
        partners=(_inner("frame-object-of-other-site-inner"),),
    ),
    _allowed(
        "frame-credentialless",
        "A credentialless cross-site frame with `allow=tools`",
        "measured: credentialless cross-site with allow: callable, not listed",
        'credentialless allow="tools"',
    ),
    _allowed(
        "policy-star",
        "`Permissions-Policy: tools=*` on the host, and a cross-site frame with `allow=tools`",
        "measured: host tools=* with allow=tools: callable, not listed",
        'allow="tools"',
        Permissions_Policy="tools=*",
    ),
    _allowed(
        "policy-names-the-frame",
        '`Permissions-Policy: tools=(self "origin")` on the host, and a cross-site frame with `allow=tools`',
        "measured: host tools=(self and the frame's origin) with allow=tools: callable, not listed",
        'allow="tools"',
        Permissions_Policy='tools=(self "{{policy-names-the-frame-inner}}")',
    ),
    GoldPage(
        "policy-star-without-allow",
        "`Permissions-Policy: tools=*` on the host, and a cross-site frame without `allow`",
        captured(*scripts("host_tool"), frames=(TOP_FRAME, Frame("top.0", "cross_site", **_BLOCKED))),
        "measured: host tools=*, cross-site no allow: NotAllowedError, allow is still needed",
        {"/": _host('<iframe src="{{policy-star-without-allow-inner}}/"></iframe>', Permissions_Policy="tools=*")},
        partners=(_inner("policy-star-without-allow-inner"),),
    ),
    GoldPage(
        "there-and-back-not-allowed",
        "Host > cross-site frame without `allow` > allowed frame of the host's origin",
        captured(
            *scripts("host_tool"),
            frames=(
                TOP_FRAME,
                Frame("top.0", "cross_site", **_BLOCKED),
                Frame("top.0.0", "same_origin", **_BLOCKED),
            ),
        ),
        "measured: A > B(no allow) > A(allow): both NotAllowedError",
        {
            "/": _host('<iframe src="{{there-and-back-not-allowed-between}}/"></iframe>'),
            "/inner": document("Inner", registering("innermost")),
        },
        partners=(
            _inner(
                "there-and-back-not-allowed-between",
                registering("between") + '<iframe src="{{there-and-back-not-allowed}}/inner" allow="tools"></iframe>',
            ),
        ),
    ),
    GoldPage(
        "there-and-not-back",
        "Host > allowed cross-site frame > frame of the host's origin without `allow`",
        captured(
            *scripts("host_tool"),
            Tool("between", "top.0", listing="own_document", listing_cause="not_exposed_to_host"),
            frames=(TOP_FRAME, Frame("top.0", "cross_site"), Frame("top.0.0", "same_origin", **_BLOCKED)),
        ),
        "measured: A > B(allow) > A(no allow): the inner one NotAllowedError",
        {
            "/": _host('<iframe src="{{there-and-not-back-between}}/" allow="tools"></iframe>'),
            "/inner": document("Inner", registering("innermost")),
        },
        partners=(
            _inner(
                "there-and-not-back-between",
                registering("between") + '<iframe src="{{there-and-not-back}}/inner"></iframe>',
            ),
        ),
    ),
    GoldPage(
        "frame-under-shadow-tree",
        "A frame with a tool inside a frame that stands in a closed shadow tree",
        captured(
            *scripts("host_tool"),
            *scripts("in_shadow", frame="top.0"),
            *scripts("innermost", frame="top.0.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin"), Frame("top.0.0", "same_origin")),
        ),
        "measured: same-origin frames are listed by the host, at any depth",
        {
            "/": _host(
                """<div id="place"></div><script>
  const root = document.querySelector("#place").attachShadow({ mode: "closed" });
  root.innerHTML = '<iframe src="/middle"></iframe>';
</script>"""
            ),
            "/middle": document("Middle", registering("in_shadow") + '<iframe src="/inner"></iframe>'),
            "/inner": document("Inner", registering("innermost")),
        },
    ),
)
