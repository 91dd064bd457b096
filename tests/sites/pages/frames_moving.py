"""Frames that come, go and change, and frames in places where counting them is easily got wrong."""

from tests.sites.gold import (
    TOP_FRAME,
    UNCHECKED,
    Frame,
    GoldPage,
    captured,
    document,
    forms,
    registering,
    scripts,
)
from tests.sites.server import Manner, Reply, Site

REMOVED_WHEN_ASKED = (
    '<iframe src="/inner"></iframe>'
    + registering("in_host")
    + """
<script>
  addEventListener("load", () => setTimeout(() => {
    // Whoever asks the frame in this time hears that it is gone.
    const until = performance.now() + 900;
    while (performance.now() < until);
    document.querySelector("iframe").remove();
  }, 1000));
</script>
"""
)

REMOVED = (
    registering("stays")
    + """
<iframe src="/inner"></iframe><iframe src="/other"></iframe>
<script>
  addEventListener("load", () => setTimeout(() => document.querySelector("iframe").remove(), 800));
</script>
"""
)

NAVIGATED = (
    registering("host_tool")
    + """
<iframe src="/step-1"></iframe>
<script>
  addEventListener("load", () => setTimeout(() => { frames[0].location.href = "/step-2"; }, 800));
</script>
"""
)

LATE_FRAME = (
    registering("host_tool")
    + """
<script>
  setTimeout(() => {
    const frame = document.createElement("iframe");
    frame.src = "/inner";
    document.body.prepend(frame);
  }, 900);
</script>
"""
)

IN_SHADOW = """
<div id="shop-window"></div>
<script>
  const root = document.querySelector("#shop-window").attachShadow({ mode: "open" });
  root.innerHTML = '<iframe src="/shadow"></iframe>';
</script>
<iframe src="/light"></iframe>
"""

LAZY = registering("host_tool") + '<div style="height: 20000px"></div><iframe src="/inner" loading="lazy"></iframe>'

PAGES = (
    GoldPage(
        "frame-removed-when-asked",
        "A frame that is removed while its scripts are asked for",
        captured(*scripts("in_host"), old_api=[], names_api=True),
        "design: what a frame's scripts said does not matter when the frame is no part of the page any more",
        {
            "/": document("Removes", REMOVED_WHEN_ASKED),
            "/inner": document("Inner", "<script>document.title += '.'</script>"),
        },
    ),
    GoldPage(
        "frame-removed",
        "Two frames, the first of which is removed 0.8 s after load",
        captured(
            *scripts("stays"),
            *scripts("second", frame="top.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin")),
        ),
        "measured: a removed frame's tools are gone, though there is no toolsRemoved",
        {
            "/": document("Removes", REMOVED),
            "/inner": document("Inner", registering("first")),
            "/other": document("Other", registering("second")),
        },
    ),
    GoldPage(
        "frame-navigated",
        "A frame that goes to another document 0.8 s after load",
        captured(
            *scripts("host_tool"),
            *scripts("step_2", "both", frame="top.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin")),
        ),
        "measured: the frame id stays, the old document's tools do not",
        {
            "/": document("Navigates", NAVIGATED),
            "/step-1": document("1", registering("step_1", "both")),
            "/step-2": document("2", registering("step_2", "both")),
        },
    ),
    GoldPage(
        "frame-to-other-site",
        "An allowed frame that goes from the host's origin to another site",
        captured(
            *scripts("host_tool"),
            frames=(
                TOP_FRAME,
                Frame(
                    "top.0",
                    "cross_site",
                    tools_policy="blocked",
                    page_view="failed",
                    error="NotAllowedError",
                ),
            ),
        ),
        "measured: the old document's tools are gone, the new one may not register",
        {
            "/": document("Host", NAVIGATED.replace('"/step-2"', '"{{frame-to-other-site-goal}}/"')),
            "/step-1": document("1", registering("step_1")),
        },
        partners=(Site("frame-to-other-site-goal", {"/": document("Goal", registering("never"))}),),
    ),
    GoldPage(
        "frame-late",
        "A frame that a script puts at the top of the page after 0.9 s",
        captured(
            *scripts("host_tool"),
            *scripts("came_late", frame="top.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin")),
        ),
        "measured: same-origin frames are listed",
        {"/": document("Late frame", LATE_FRAME), "/inner": document("Inner", registering("came_late"))},
    ),
    GoldPage(
        "frame-in-shadow-tree",
        "A frame in a shadow tree beside one in the page: both have a tool `pay`",
        captured(
            *scripts("pay", "only_shadow", frame="top.0"),
            *scripts("pay", "only_light", frame="top.1"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin"), Frame("top.1", "same_origin")),
        ),
        "HTML: window.length counts no frame in a shadow tree; the frame tree has them in order of insertion",
        {
            "/": document("Shadow", IN_SHADOW),
            "/light": document("Light", registering("pay", "only_light")),
            "/shadow": document("Shadow", registering("pay", "only_shadow")),
        },
    ),
    GoldPage(
        "frame-lazy",
        "A lazy frame far below the fold: it never loads, and nobody may wait for it",
        captured(*scripts("host_tool"), frames=None),
        "measured: evaluate hangs in an unloaded lazy frame; the page is read all the same",
        {"/": document("Lazy", LAZY), "/inner": document("Inner", registering("never"))},
    ),
    GoldPage(
        "frame-hangs",
        "A frame whose answer never comes",
        captured(*scripts("host_tool"), frames=None, load_event="never", settled=UNCHECKED),
        "HTML: load waits for frames; tools do not",
        {
            "/": document("Hangs", registering("host_tool") + '<iframe src="/never"></iframe>'),
            "/never": Reply(manner=Manner.HANG),
        },
    ),
    GoldPage(
        "form-in-frame",
        "A form in a frame of the same origin, with the name of a form in the page",
        captured(
            *forms("search"),
            *forms("search", frame="top.0"),
            frames=(TOP_FRAME, Frame("top.0", "same_origin")),
        ),
        "measured: names are unique in a document only; the host lists both",
        {
            "/": document(
                "Forms",
                '<form toolname="search" tooldescription="Of the page."><input name="q"></form>'
                '<iframe src="/inner"></iframe>',
            ),
            "/inner": document(
                "Inner", '<form toolname="search" tooldescription="Of the frame."><input name="p"></form>'
            ),
        },
    ),
)
