"""Pages that move: client redirects, reloads, refreshes. The record is that of the document that stays."""

from tests.sites.gold import GoldPage, captured, document, javascript, registering, scripts
from tests.sites.server import Site, redirect

REDIRECT = '<script>location.href = "/en/";</script><p>One moment…</p>'

RELOADS_ONCE = (
    registering("after_reload")
    + """
<script>
  setTimeout(() => {
    if (sessionStorage.getItem("seen")) return;
    sessionStorage.setItem("seen", "yes");
    location.reload();
  }, 600);
</script>
"""
)

LATE_REDIRECT = registering("old_tool", "shared_tool") + (
    '<script>addEventListener("load", () => setTimeout(() => location.assign("/app"), 2000));</script>'
)

SPLASH = """
<h1>Preparing your workspace…</h1>
<script>addEventListener("load", () => setTimeout(() => { location.href = "/workspace"; }, 1800));</script>
"""

SERVICE_WORKER = (
    registering("list_files", "open_file", "share_file", "delete_file")
    + """
<script>
  // The first visit installs the worker and loads again, so that the worker serves the page.
  if ("serviceWorker" in navigator && !navigator.serviceWorker.controller) {
    navigator.serviceWorker.register("/worker.js").catch(() => {});
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  }
</script>
"""
)

SERVICE_WORKER_JS = """
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", () => {});
"""

FRAME_BUSTER = """
<h1>Moves on twice</h1>
<script>setTimeout(() => location.replace("/second"), 300);</script>
"""

PAGES = (
    GoldPage(
        "to-english",
        "A client redirect from `/` to `/en/` while the page is parsed",
        captured(*scripts("english_tool"), final_url="{{to-english}}/en/"),
        "measured: read the new document; never an error",
        {"/": document("…", REDIRECT), "/en/": document("English", registering("english_tool"))},
        in_demo=True,
    ),
    GoldPage(
        "reloads-once",
        "Reloads itself once during the first second",
        captured(*scripts("after_reload"), final_url="{{reloads-once}}/", navigated_during_read=1),
        "measured: no toolsRemoved on reload and the frame id stays; the tool counts once",
        {"/": document("Reloads", RELOADS_ONCE)},
        in_demo=True,
    ),
    GoldPage(
        "redirects-late",
        "Goes elsewhere 2 s after load, with other tools there",
        captured(*scripts("new_tool", "shared_tool"), final_url="{{redirects-late}}/app", navigated_during_read=1),
        "measured: the old document's tools are gone, though nobody says so",
        {
            "/": document("Old", LATE_REDIRECT),
            "/app": document("App", registering("new_tool", "shared_tool")),
        },
    ),
    GoldPage(
        "splash-screen",
        "A splash screen without tools that goes to the app 1.8 s after load",
        captured(*scripts("open_project"), final_url="{{splash-screen}}/workspace", navigated_during_read=1),
        "measured: read the new document",
        {
            "/": document("Splash", SPLASH),
            "/workspace": document("Workspace", registering("open_project")),
        },
    ),
    GoldPage(
        "location-replace",
        "location.replace() during parsing, to a page that does it again",
        captured(*scripts("final_tool"), final_url="{{location-replace}}/third"),
        "measured: read the new document",
        {
            "/": document("First", registering("first_tool") + '<script>location.replace("/second");</script>'),
            "/second": document("Second", FRAME_BUSTER.replace("/second", "/third")),
            "/third": document("Third", registering("final_tool")),
        },
    ),
    GoldPage(
        "meta-refresh",
        "A meta refresh after one second",
        captured(*scripts("refreshed"), final_url="{{meta-refresh}}/next"),
        "HTML: http-equiv=refresh",
        {
            "/": document("Refresh", "<p>Moved.</p>", '<meta http-equiv="refresh" content="1; url=/next">'),
            "/next": document("Next", registering("refreshed")),
        },
    ),
    GoldPage(
        "to-another-site",
        "A redirect by the server to another site",
        captured(*scripts("moved_here"), final_url="{{to-another-site-goal}}/home"),
        "HTTP: the record is of where the visit ends",
        {"/": redirect("{{to-another-site-goal}}/home", status=301)},
        partners=(Site("to-another-site-goal", {"/home": document("Goal", registering("moved_here"))}),),
        in_demo=True,
    ),
    GoldPage(
        "client-redirect-to-another-site",
        "A client redirect to another site 0.5 s after load",
        captured(*scripts("arrived"), final_url="{{client-redirect-goal}}/", navigated_during_read=1),
        "measured: a page's session survives a navigation to another site",
        {
            "/": document(
                "Bye",
                registering("left_behind") + '<script>addEventListener("load", () =>'
                " setTimeout(() => location.assign('{{client-redirect-goal}}/'), 500));</script>",
            )
        },
        partners=(Site("client-redirect-goal", {"/": document("Goal", registering("arrived"))}),),
    ),
    GoldPage(
        "service-worker",
        "Installs a service worker and reloads itself once through it",
        captured(*scripts("list_files", "open_file", "share_file", "delete_file")),
        "measured: eight adds for four tools",
        {"/": document("Files", SERVICE_WORKER), "/worker.js": javascript(SERVICE_WORKER_JS)},
    ),
    GoldPage(
        "document-open",
        "Writes its document anew after 0.5 s with document.open(): the tools stay",
        captured(*scripts("kept", "written")),
        "measured: document.open removes nothing",
        {
            "/": document(
                "Writes",
                registering("kept")
                + """
<script>
  setTimeout(() => {
    document.open();
    document.write("<title>Written</title><p>New text.");
    document.close();
    document.modelContext.registerTool({ name: "written", description: "Comes after.", execute: () => "" });
  }, 500);
</script>""",
            )
        },
    ),
)
