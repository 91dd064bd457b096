"""Pages that never come to an end: loops, dialogs, reloads, messages, connections."""

import base64
import hashlib

from tests.sites.gold import UNCHECKED, GoldPage, Tool, document, javascript, registering, scripts
from tests.sites.pages.bounds import Expects, at_least, busy, hung, restless
from tests.sites.server import Manner, Reply, Request


def script_page(name: str, title: str, source: str, expect: Expects, fact: str) -> GoldPage:
    """A page that registers a tool and then runs a script."""
    body = registering("came_first") + f"<script>\n{source}\n</script>"
    return GoldPage(name, title, expect, fact, {"/": document(title, body)})


def _web_socket(request: Request) -> Reply:
    """The handshake of RFC 6455, and then a text message every second, for ever."""
    key = request.headers.get("sec-websocket-key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode(), usedforsecurity=False).digest()).decode()
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept}
    return Reply(b"\x81\x05hello", 101, headers, manner=Manner.DRIP, interval=1.0)


HANGS = "design: every wait has a bound; the browser view was read, the page view failed, so it is not measured"
ALIVE = busy(*scripts("came_first"))
MOVES = "design: read at the hard cap, whatever the page does"

RELOADS = registering("after_each_load") + (
    '<script>addEventListener("load", () => setTimeout(() => location.reload(), 1000));</script>'
)
PING, PONG = (
    registering("on_both")
    + f'<script>addEventListener("load", () => setTimeout(() => location.replace("{goal}"), 900));</script>'
    for goal in ("/pong", "/")
)

PAGES = (
    GoldPage(
        "loop-before-load",
        "A loop before the load event, which never comes; the tools were there 0.6 s before",
        hung("came_first", load_event="never"),
        HANGS,
        {
            "/": document("Loop", registering("came_first") + '<script src="/loop.js"></script>'),
            "/loop.js": javascript("for (;;);", delay=0.6),
        },
    ),
    script_page(
        "microtasks-without-end",
        "Microtasks that queue the next one, from half a second after load: no task ever follows",
        'const again = () => queueMicrotask(again);\naddEventListener("load", () => setTimeout(again, 500));',
        hung("came_first"),
        HANGS,
    ),
    script_page(
        "asks-until-accepted",
        "Asks in a loop until its question is accepted, which nobody does",
        'addEventListener("load", () => setTimeout(() => { while (!confirm("Accept all cookies?")); }, 500));',
        hung("came_first", dialogs=at_least(2)),
        "HTML: scripts stand still while a dialog is open; design: every dialog is dismissed",
    ),
    script_page(
        "alerts-for-ever",
        "An alert every 0.1 s, for ever",
        '(function ask() { alert("You have won!"); setTimeout(ask, 100); })();',
        busy(*scripts("came_first"), dialogs=at_least(5)),
        "HTML: scripts stand still while a dialog is open; between two of them the page can be asked",
    ),
    script_page(
        "prompts-and-prints",
        "prompt() and print(), again and again",
        'for (let i = 0; i < 20; i++) { prompt("Your name?"); print(); }',
        busy(*scripts("came_first"), dialogs=20),
        "HTML: a prompt is a dialog; printing needs somebody who prints",
    ),
    script_page(
        "push-state-for-ever",
        "history.pushState every 5 ms, for ever",
        "let n = 0; setInterval(() => history.pushState({}, '', `/page/${n++}`), 5);",
        ALIVE,
        "measured: pushState removes nothing and is no navigation to another document",
    ),
    script_page(
        "console-for-ever",
        "Two thousand lines of a thousand characters each second on the console",
        'const line = "x".repeat(1000);\nsetInterval(() => { for (let i = 0; i < 20; i++) console.log(line); }, 10);',
        ALIVE,
        "spec: the console is not the page",
    ),
    script_page(
        "frames-for-ever",
        "A frame more every 0.1 s, for ever",
        'setInterval(() => document.body.append(document.createElement("iframe")), 100);',
        restless(*scripts("came_first")),
        "design: at most 200 documents are read",
    ),
    script_page(
        "frames-that-come-and-go",
        "A frame that is taken out and put in again every 10 ms",
        'const frame = document.createElement("iframe");\n'
        "setInterval(() => { frame.isConnected ? frame.remove() : document.body.append(frame); }, 10);",
        restless(*scripts("came_first")),
        "design: a document that is gone is no error of the page",
    ),
    script_page(
        "writes-itself-anew",
        "document.open() and document.write() every 0.1 s, for ever",
        "let n = 0;\n"
        "setInterval(() => { document.open(); document.write(`<p>Edition ${n++}`); document.close(); }, 100);",
        restless(*scripts("came_first")),
        "measured: document.open() removes no tool; " + MOVES,
    ),
    GoldPage(
        "frame-reloads-for-ever",
        "A frame that reloads itself every 0.1 s, beside a page that holds still",
        restless(*scripts("came_first")),
        "design: a document that is gone is no error of the page",
        {
            "/": document("Host", registering("came_first") + '<iframe src="/inner"></iframe>'),
            "/inner": document("Inner", "<script>setTimeout(() => location.reload(), 100);</script>"),
        },
    ),
    GoldPage(
        "writes-scripts-for-ever",
        "A script that writes a script that writes a script, for ever, while the parser waits",
        busy(*scripts("came_first"), load_event="never"),
        "HTML: a written script blocks the parser; design: a load event that never comes is not waited for",
        {
            "/": document("Writes", registering("came_first") + '<script src="/again.js"></script>'),
            "/again.js": javascript(
                'document.write(`<script src="/again.js?${Math.random()}"><` + `/script>`);', delay=0.05
            ),
        },
    ),
    script_page(
        "mines",
        "A worker that computes for ever",
        'new Worker(URL.createObjectURL(new Blob(["for (;;);"])));',
        ALIVE,
        "HTML: a worker runs beside its page",
    ),
    GoldPage(
        "registers-without-end",
        "Twenty tools more, with new names, every 50 ms, for ever",
        restless(
            *scripts(*(f"tool_{number:06}" for number in range(2000))),
            frames=None,
            tools_callable=at_least(2500),
            tools_dropped=at_least(500),
            tools_listed=None,
            tools_unlisted=None,
            settled="deadline",
        ),
        "design: 2,000 tools of a page are kept, the others are counted, and how all are listed is not known then; "
        + MOVES,
        {
            "/": document(
                "Growing",
                """<script>
  let number = 0;
  setInterval(() => {
    for (let i = 0; i < 20; i++)
      document.modelContext.registerTool({
        name: `tool_${String(number++).padStart(6, "0")}`, description: "One more.", execute: () => "" });
  }, 50);
</script>""",
            )
        },
    ),
    GoldPage(
        "reloads-for-ever",
        "Reloads itself a second after each load, for ever",
        restless(
            *scripts("after_each_load"), settled="deadline", load_event=UNCHECKED, navigated_during_read=at_least(5)
        ),
        MOVES,
        {"/": document("Reloads", RELOADS)},
    ),
    GoldPage(
        "refreshes-for-ever",
        "A meta refresh to itself each second",
        restless(*scripts("refreshed"), settled="deadline", load_event=UNCHECKED, navigated_during_read=at_least(5)),
        MOVES,
        {"/": document("Refreshes", registering("refreshed"), '<meta http-equiv="refresh" content="1">')},
    ),
    GoldPage(
        "ping-pong",
        "Two pages that send the browser to each other, for ever",
        restless(*scripts("on_both"), settled="deadline", load_event=UNCHECKED, navigated_during_read=at_least(5)),
        MOVES,
        {"/": document("Ping", PING), "/pong": document("Pong", PONG)},
    ),
    GoldPage(
        "popups-in-a-chain",
        "A popup that opens a popup that opens a popup, and the page opens another each 0.2 s",
        busy(*scripts("opener"), popups=at_least(2)),
        "measured: popups are not included; design: what one tab does shows in no other record",
        {
            "/": document("Opener", registering("opener") + '<script>setInterval(() => open("/popup"), 200);</script>'),
            "/popup": document("Popup", registering("in_popup") + '<script>open("/popup");</script>'),
        },
    ),
    GoldPage(
        "web-socket",
        "A WebSocket that never closes, with a message each second",
        busy(*scripts("came_first", "told_by_socket")),
        "spec: a connection that stays open delays no load event",
        {
            "/": document(
                "Socket",
                registering("came_first")
                + """<script>
  const socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("message", () => document.modelContext.registerTool(
    { name: "told_by_socket", description: "The server spoke.", execute: () => "" }), { once: true });
</script>""",
            ),
            "/socket": _web_socket,
        },
    ),
    GoldPage(
        "event-source",
        "Server-sent events without end",
        busy(*scripts("came_first", "told_by_server")),
        "spec: a connection that stays open delays no load event",
        {
            "/": document(
                "Events",
                registering("came_first")
                + """<script>
  new EventSource("/events").addEventListener("message", () => document.modelContext.registerTool(
    { name: "told_by_server", description: "The server spoke.", execute: () => "" }), { once: true });
</script>""",
            ),
            "/events": Reply(
                "data: still here\n\n", content_type="text/event-stream", manner=Manner.DRIP, interval=0.2
            ),
        },
    ),
    GoldPage(
        "document-without-end",
        "A document that goes on for ever, paragraph after paragraph",
        busy(Tool("in_the_stream"), load_event="never"),
        "spec: a script runs when the parser meets it; HTML: a document that is not over has no load event",
        {
            "/": Reply(
                "<!doctype html><title>More</title><p>More.</p>" + registering("in_the_stream"),
                manner=Manner.DRIP,
                interval=0.1,
            )
        },
    ),
)
