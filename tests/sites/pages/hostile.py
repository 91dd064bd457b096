"""Pages that get in the way: dialogs, popups, downloads, tampering with what a script relies on."""

from tests.sites.gold import UNCHECKED, GoldPage, Tool, captured, document, registering, scripts
from tests.sites.server import Reply, Site

DIALOGS = """
<h1>Three questions first</h1>
<script>
  alert("Welcome!");
  confirm("Do you accept cookies?");
  prompt("And your name?");
</script>
""" + registering("after_dialogs", "also_after")

LATE_DIALOG = registering("before_dialog") + (
    '<script>setTimeout(() => { if (confirm("Still there?")) document.title = "yes"; }, 700);</script>'
)

POPUP = (
    registering("opener_tool")
    + """
<script>
  addEventListener("load", () => window.open("/popup", "_blank", "width=300,height=200"));
</script>
"""
)

DOWNLOAD = (
    registering("stays_here")
    + """
<a id="gift" href="/gift.zip" download>A gift</a>
<script>addEventListener("load", () => document.querySelector("#gift").click());</script>
"""
)

DOWNLOAD_BY_LOCATION = registering("not_left") + (
    '<script>addEventListener("load", () => { location.href = "/gift.zip"; });</script>'
)

HOLDS_ON = (
    registering("reluctant")
    + """
<script>
  addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "Stay?"; });
  addEventListener("unload", () => { const end = Date.now() + 500; while (Date.now() < end); });
</script>
"""
)

LIAR = (
    registering("true_1", "true_2")
    + """
<script>
  ModelContext.prototype.getTools = async function () {
    return [{ name: "invented", description: "Not there.", origin: location.origin, window }];
  };
</script>
"""
)

LIAR_EMPTY = (
    registering("hidden_1", "hidden_2", "hidden_3")
    + "<script>ModelContext.prototype.getTools = async () => [];</script>"
)

TAMPERS = (
    registering("survives", "survives_too")
    + """
<script>
  // What a careless reader in the page's own world would trip over.
  for (const method of ["map", "filter", "forEach", "push", "slice", "some", "find", "join"])
    Array.prototype[method] = () => { throw new TypeError(`no ${method} today`); };
  Array.prototype[Symbol.iterator] = function* () {};
  JSON.stringify = () => "[]";
  JSON.parse = () => ({});
  Promise.prototype.then = function () { return this; };
  Object.keys = Object.entries = () => [];
  String.prototype.slice = () => "";
  self.Promise = undefined;
</script>
"""
)

DEBUGGER = registering("keeps_going") + "<script>debugger; setInterval(() => { debugger; }, 100);</script>"

REGISTERS_ON_READ = (
    registering("honest")
    + """
<script>
  // A page that watches for being looked at; a reader that touches nothing of it sees one tool.
  const { getTools } = ModelContext.prototype;
  ModelContext.prototype.getTools = function (...options) {
    document.modelContext.registerTool({ name: "seen_you", description: "You looked.", execute: () => "" });
    return getTools.apply(this, options);
  };
</script>
"""
)

FREEZES_GLOBALS = """
<script>
  Object.defineProperty(document, "readyState", { get: () => { throw new Error("no state"); } });
  window.frames = null;
  window.parent = null;
  delete window.ModelContext;
</script>
""" + registering("still_here")

_ZIP = Reply(b"PK\x05\x06" + b"\0" * 18, content_type="application/zip", headers={"Content-Disposition": "attachment"})

PAGES = (
    GoldPage(
        "dialogs",
        "alert, confirm and prompt while the page is parsed",
        captured(*scripts("after_dialogs", "also_after"), dialogs=3),
        "HTML: the parser waits for each dialog",
        {"/": document("Dialogs", DIALOGS)},
        in_demo=True,
    ),
    GoldPage(
        "late-dialog",
        "A confirm 0.7 s after parsing",
        captured(*scripts("before_dialog"), dialogs=1),
        "HTML: scripts stand still while a dialog is open",
        {"/": document("Late dialog", LATE_DIALOG)},
    ),
    GoldPage(
        "popup",
        "Opens a popup at load, which registers tools of its own",
        captured(*scripts("opener_tool"), popups=1),
        "measured: popups are not included; design: what one tab does shows in no other record",
        {
            "/": document("Opener", POPUP),
            "/popup": document("Popup", registering("popup_tool", "opener_tool")),
        },
        in_demo=True,
    ),
    GoldPage(
        "popup-elsewhere",
        "Opens a popup of another site at load",
        captured(*scripts("opener_tool"), popups=1),
        "measured: popups are not included",
        {"/": document("Opener", POPUP.replace('"/popup"', '"{{popup-elsewhere-goal}}/"'))},
        partners=(Site("popup-elsewhere-goal", {"/": document("Popup", registering("popup_tool"))}),),
    ),
    GoldPage(
        "download",
        "Clicks its own download link at load",
        captured(*scripts("stays_here"), downloads_blocked=1),
        "HTML: a download leaves the document where it is",
        {"/": document("Download", DOWNLOAD), "/gift.zip": _ZIP},
    ),
    GoldPage(
        "download-by-location",
        "Goes to a file at load, which turns out a download",
        captured(*scripts("not_left"), downloads_blocked=1, final_url="{{download-by-location}}/"),
        "HTML: a navigation that becomes a download leaves the document where it is",
        {"/": document("Download", DOWNLOAD_BY_LOCATION), "/gift.zip": _ZIP},
    ),
    GoldPage(
        "holds-on",
        "Asks before it lets go, and is slow to unload",
        captured(*scripts("reluctant"), dialogs=UNCHECKED),
        "HTML: beforeunload asks only where somebody has touched the page",
        {"/": document("Holds on", HOLDS_ON)},
    ),
    GoldPage(
        "liar",
        "Replaces ModelContext.prototype.getTools with one that invents a tool",
        captured(*scripts("true_1", "true_2")),
        "measured: lies in the main world, the isolated world is right",
        {"/": document("Liar", LIAR)},
        in_demo=True,
    ),
    GoldPage(
        "liar-empty",
        "Replaces ModelContext.prototype.getTools with one that hides every tool",
        captured(*scripts("hidden_1", "hidden_2", "hidden_3")),
        "measured: lies in the main world, the isolated world is right",
        {"/": document("Liar", LIAR_EMPTY)},
    ),
    GoldPage(
        "tampers",
        "Breaks Array, JSON, Promise, Object and String after registering",
        captured(*scripts("survives", "survives_too")),
        "spec: an isolated world has built-ins of its own",
        {"/": document("Tampers", TAMPERS)},
    ),
    GoldPage(
        "freezes-globals",
        "Shadows `frames`, `parent` and document.readyState before registering",
        captured(*scripts("still_here")),
        "spec: an isolated world does not see the page's own properties",
        {"/": document("Globals", FREEZES_GLOBALS)},
    ),
    GoldPage(
        "debugger",
        "`debugger` statements, once and every 0.1 s",
        captured(*scripts("keeps_going")),
        "ECMAScript: a debugger statement does nothing where no debugger stops",
        {"/": document("Debugger", DEBUGGER)},
    ),
    GoldPage(
        "registers-when-read",
        "Registers one tool more when its getTools() is called",
        captured(Tool("honest")),
        "measured: the page's own world only",
        {"/": document("Watches", REGISTERS_ON_READ)},
    ),
)
