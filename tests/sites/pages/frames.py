"""Frames that stay: tools that the host lists, can ask for, or never learns of."""

from tests.sites.gold import TOP_FRAME, Frame, GoldPage, Tool, captured, document, registering, scripts
from tests.sites.server import Reply, Site

_BLOCKED = {"tools_policy": "blocked", "page_view": "failed", "error": "NotAllowedError"}


def _exposing(name: str, *origins: str) -> str:
    listed = ", ".join(f'"{origin}"' for origin in origins)
    return f"""
<script>
  document.modelContext.registerTool(
    {{ name: "{name}", description: "Answers with {name}.", execute: async () => "{name}" }},
    {{ exposedTo: [{listed}] }});
</script>"""


def _host(*frames: str, tools: tuple[str, ...] = ("host_tool",), **headers: str) -> Reply:
    return document("Host", "<h1>Host</h1>" + registering(*tools) + "\n".join(frames), **headers)


def _partner(name: str, body: str, path: str = "/", **headers: str) -> Site:
    return Site(name, {path: document("Frame", body, **headers)})


def _foreign(tool: str, cause: str, frame: str = "top.0") -> Tool:
    return Tool(tool, frame=frame, listing="own_document", listing_cause=cause)


PAGES = (
    GoldPage(
        "same-origin-frames",
        "Three frames of one origin, one of them two levels deep, all with a tool `search`",
        captured(
            *scripts("search"),
            *scripts("search", frame="top.0"),
            *scripts("search", "deep", frame="top.0.0"),
            *scripts("search", frame="top.1"),
            frames=(
                TOP_FRAME,
                Frame("top.0", "same_origin"),
                Frame("top.0.0", "same_origin"),
                Frame("top.1", "same_origin"),
            ),
        ),
        "measured: same-origin frames are listed by the host, at any depth",
        {
            "/": _host('<iframe src="/a"></iframe>', '<iframe src="/b"></iframe>', tools=("search",)),
            "/a": document("A", registering("search") + '<iframe src="/deep"></iframe>'),
            "/deep": document("Deep", registering("search", "deep")),
            "/b": document("B", registering("search")),
        },
    ),
    GoldPage(
        "inherited-frames",
        "srcdoc, about:blank written by the host, not displayed, and sandboxed with allow-same-origin",
        captured(
            *scripts("host_tool"),
            *scripts("in_srcdoc", frame="top.0"),
            *scripts("in_blank", frame="top.1"),
            *scripts("in_hidden", frame="top.2"),
            *scripts("in_sandbox", frame="top.3"),
            frames=(TOP_FRAME, *(Frame(f"top.{index}", "same_origin") for index in range(4))),
        ),
        "measured: these documents have the host's origin, and the host lists them",
        {
            "/": _host(
                """<iframe srcdoc='<script>document.modelContext.registerTool({ name: "in_srcdoc",
                  description: "In srcdoc.", execute: () => "" });</script>'></iframe>""",
                '<iframe id="blank"></iframe>',
                '<iframe src="/hidden" style="display: none"></iframe>',
                '<iframe src="/sandbox" sandbox="allow-scripts allow-same-origin"></iframe>',
                """<script>
  document.querySelector("#blank").contentDocument.modelContext.registerTool(
    { name: "in_blank", description: "In about:blank.", execute: () => "" });
</script>""",
            ),
            "/hidden": document("Hidden", registering("in_hidden")),
            "/sandbox": document("Sandbox", registering("in_sandbox")),
        },
    ),
    GoldPage(
        "frame-without-allow",
        "A cross-site frame without `allow`: its calls reject, its form is no tool",
        captured(
            *scripts("host_tool"),
            frames=(TOP_FRAME, Frame("top.0", "cross_site", **_BLOCKED)),
        ),
        "measured: cross-origin without allow: NotAllowedError, also from getTools()",
        {"/": _host('<iframe src="{{frame-without-allow-inner}}/"></iframe>')},
        partners=(
            _partner(
                "frame-without-allow-inner",
                registering("never") + '<form toolname="nor_this" tooldescription="x"><input name="x"></form>',
            ),
        ),
    ),
    GoldPage(
        "frame-allowed",
        "A cross-site frame with `allow=tools`: callable, and only its own document lists it",
        captured(
            *scripts("host_tool"),
            _foreign("partner_tool", "not_exposed_to_host"),
            frames=(TOP_FRAME, Frame("top.0", "cross_site")),
        ),
        "measured: an allowed frame of another origin is callable and not listed by the host",
        {"/": _host('<iframe src="{{frame-allowed-inner}}/" allow="tools"></iframe>')},
        partners=(_partner("frame-allowed-inner", registering("partner_tool")),),
        in_demo=True,
    ),
    GoldPage(
        "frame-exposed",
        "A cross-site frame that exposes one tool to the host, one to somebody else, one to nobody",
        captured(
            Tool("for_host", frame="top.0", listing="on_request", listing_cause="needs_from_origins"),
            _foreign("for_others", "not_exposed_to_host"),
            _foreign("for_nobody", "not_exposed_to_host"),
            frames=(TOP_FRAME, Frame("top.0", "cross_site")),
        ),
        "measured: exposedTo the host: not listed, but with fromOrigins",
        {"/": document("Host", '<iframe src="{{frame-exposed-inner}}/" allow="tools *"></iframe>')},
        partners=(
            _partner(
                "frame-exposed-inner",
                _exposing("for_host", "{{frame-exposed}}")
                + _exposing("for_others", "https://example.org")
                + registering("for_nobody"),
            ),
        ),
        in_demo=True,
    ),
    GoldPage(
        "exposed-without-allow",
        "A cross-site frame that exposes a tool to the host, which did not allow it",
        captured(frames=(TOP_FRAME, Frame("top.0", "cross_site", **_BLOCKED))),
        "measured: cross-site without allow but exposedTo host: NotAllowedError",
        {"/": document("Host", '<iframe src="{{exposed-without-allow-inner}}/"></iframe>')},
        partners=(_partner("exposed-without-allow-inner", _exposing("for_host", "{{exposed-without-allow}}")),),
    ),
    GoldPage(
        "same-site-frame",
        "A frame of a sub-domain with `allow=tools`: another origin of the same site",
        captured(
            *scripts("host_tool"),
            _foreign("sub_tool", "not_exposed_to_host"),
            frames=(TOP_FRAME, Frame("top.0", "same_site")),
        ),
        "measured: cross-origin same-site with allow=tools: callable, not listed",
        {"/": _host('<iframe src="{{inner.same-site-frame}}/" allow="tools"></iframe>')},
        partners=(_partner("inner.same-site-frame", registering("sub_tool")),),
    ),
    GoldPage(
        "sandboxed-frame",
        "A sandboxed frame of an opaque origin without `allow`, and one with",
        captured(
            *scripts("host_tool"),
            _foreign("in_opaque", "opaque_origin", frame="top.1"),
            frames=(TOP_FRAME, Frame("top.0", "opaque", **_BLOCKED), Frame("top.1", "opaque")),
        ),
        'measured: sandbox=allow-scripts with allow=tools registers, with origin "null"',
        {
            "/": _host(
                '<iframe src="/inner" sandbox="allow-scripts"></iframe>',
                '<iframe src="/inner" sandbox="allow-scripts" allow="tools"></iframe>',
            ),
            "/inner": document("Inner", registering("in_opaque")),
        },
        in_demo=True,
    ),
    GoldPage(
        "frame-blocked-by-host",
        "Frames of the same origin that are blocked, by the host's `allow` and by their own header",
        captured(
            *scripts("host_tool"),
            frames=(
                TOP_FRAME,
                Frame("top.0", "same_origin", **_BLOCKED),
                Frame("top.1", "same_origin", **_BLOCKED),
            ),
        ),
        "measured: allow=\"tools 'none'\" or the child's header tools=()",
        {
            "/": _host("""<iframe src="/inner" allow="tools 'none'"></iframe>""", '<iframe src="/shut"></iframe>'),
            "/inner": document("Inner", registering("never")),
            "/shut": document("Shut", registering("nor_this"), Permissions_Policy="tools=()"),
        },
    ),
    GoldPage(
        "host-policy-beats-allow",
        "`tools=(self)` on the host, and a cross-site frame with `allow=tools`",
        captured(*scripts("host_tool"), frames=(TOP_FRAME, Frame("top.0", "cross_site", **_BLOCKED))),
        "measured: the host's policy must name the frame's origin",
        {
            "/": _host(
                '<iframe src="{{host-policy-beats-allow-inner}}/" allow="tools"></iframe>',
                Permissions_Policy="tools=(self)",
            )
        },
        partners=(_partner("host-policy-beats-allow-inner", registering("never")),),
    ),
    GoldPage(
        "there-and-back",
        "Host > allowed cross-site frame > allowed frame of the host's origin",
        captured(
            *scripts("host_tool"),
            _foreign("between", "not_exposed_to_host"),
            *scripts("innermost", frame="top.0.0"),
            frames=(TOP_FRAME, Frame("top.0", "cross_site"), Frame("top.0.0", "same_origin")),
        ),
        "measured: A > B(allow) > A(allow): the inner one is listed by the top A",
        {
            "/": _host('<iframe src="{{there-and-back-between}}/" allow="tools"></iframe>'),
            "/inner": document("Inner", registering("innermost")),
        },
        partners=(
            _partner(
                "there-and-back-between",
                registering("between") + '<iframe src="{{there-and-back}}/inner" allow="tools"></iframe>',
            ),
        ),
    ),
    GoldPage(
        "frame-own-agent-cluster",
        "An allowed cross-site frame that gives its origin-keyed agent cluster up",
        captured(
            *scripts("host_tool"),
            frames=(TOP_FRAME, Frame("top.0", "cross_site", page_view="failed", error="SecurityError")),
        ),
        "measured: child Origin-Agent-Cluster: ?0 with allow: SecurityError",
        {"/": _host('<iframe src="{{frame-own-agent-cluster-inner}}/" allow="tools"></iframe>')},
        partners=(_partner("frame-own-agent-cluster-inner", registering("never"), Origin_Agent_Cluster="?0"),),
    ),
)
