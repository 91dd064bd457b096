"""Pages that leave, close themselves, go at once, or ask somebody who is not there."""

from typing import Any

from tests.sites.gold import (
    TOP_FRAME,
    UNCHECKED,
    GoldPage,
    captured,
    document,
    ended,
    html,
    one_of,
    registering,
    scripts,
)
from tests.sites.pages.bounds import Expects, at_least, busy, restless, unread
from tests.sites.server import Manner, Reply, redirect


def _at_load(name: str, title: str, source: str, expect: Expects, fact: str) -> GoldPage:
    body = registering("was_there") + f'<script>addEventListener("load", () => {{ {source} }});</script>'
    return GoldPage(name, title, expect, fact, {"/": document(title, body)})


def _registers(name: str) -> str:
    return f"document.modelContext.registerTool({{ name: '{name}', description: 'Here.', execute() {{}} }});"


_STAYS = captured(*scripts("was_there"))

ASKS = """
  const nobody = () => {};
  Notification.requestPermission().catch(nobody);
  navigator.geolocation.getCurrentPosition(nobody, nobody);
  navigator.mediaDevices?.getUserMedia({ audio: true, video: true }).catch(nobody);
  navigator.clipboard?.readText().catch(nobody);
  navigator.storage?.persist().catch(nobody);
  navigator.credentials?.get({ password: true }).catch(nobody);
  navigator.requestMIDIAccess?.().catch(nobody);
  document.documentElement.requestFullscreen().catch(nobody);
  document.body.requestPointerLock?.()?.catch?.(nobody);
  document.body.insertAdjacentHTML("beforeend", "<input type=file>");
  document.querySelector("input").click();
"""

_AT_ONCE: dict[str, Any] = {
    "settled": "deadline",
    "load_event": UNCHECKED,
    "http_status": one_of(200, None),
    "navigated_during_read": at_least(5),
}

PAGES = (
    _at_load(
        "closes-itself",
        "window.close() at load, also through open() of itself",
        'window.close(); open("", "_self").close();',
        captured(*scripts("was_there")),
        "HTML: a script closes only what a script opened, or what has no history",
    ),
    _at_load(
        "goes-back",
        "history.back() half a second after load",
        "setTimeout(() => history.back(), 500);",
        ended("connect_error", attempts=2),
        "design: the page left for the blank one that a tab begins with, as for a visitor who typed its address",
    ),
    _at_load(
        "goes-blank",
        "Goes to about:blank at load",
        'location.href = "about:blank";',
        ended("connect_error", attempts=2),
        "design: the page left, and what is there instead is not the target: never a page without tools",
    ),
    _at_load(
        "goes-to-a-blob",
        "Goes to a document of its own making at load, which has a tool",
        "location.href = URL.createObjectURL(new Blob([`<title>Blob</title><script>"
        + _registers("in_the_blob")
        + "<\\/script>`], { type: 'text/html' }));",
        captured(*scripts("in_the_blob"), navigated_during_read=1, http_status=one_of(200, None)),
        "HTML: a blob: document has the origin of its maker",
    ),
    GoldPage(
        "goes-back-at-once",
        "history.back() while it is parsed",
        ended("connect_error", attempts=2),
        "design: as half a second later; a blank page is never the target",
        {"/": document("Back", "<script>history.back();</script>" + registering("was_there"))},
    ),
    _at_load(
        "goes-to-mail",
        "Goes to a mailto: address and to an app's own scheme at load",
        'location.href = "mailto:nobody@example.org"; setTimeout(() => { location.href = "someapp://open"; }, 300);',
        captured(*scripts("was_there")),
        "HTML: what is handed to another program leaves the document where it is",
    ),
    _at_load(
        "goes-to-what-is-forbidden",
        "Goes to file:, data:, chrome: and about: addresses at load",
        'for (const url of ["file:///etc/passwd", "data:text/html,hello", "chrome://crash", "chrome://version"])'
        " try { location.href = url; } catch {}",
        _STAYS,
        "spec: a page may not navigate the top to these",
    ),
    _at_load(
        "stops-itself",
        "window.stop() at load",
        "window.stop();",
        _STAYS,
        "HTML: what is loaded stays",
    ),
    _at_load(
        "asks-for-permissions",
        "Asks for notifications, position, camera, clipboard, full screen and a file",
        ASKS,
        _STAYS,
        "spec: nobody answers; a tool does not wait for it",
    ),
    GoldPage(
        "reloads-at-once",
        "Reloads itself while it is parsed, some ten times a second, for ever",
        (
            *restless(*scripts("was_there"), **_AT_ONCE),
            unread("was_there", **_AT_ONCE),
            unread(**_AT_ONCE),
        ),
        "design: read at the hard cap; a page that could not be asked is never one without tools",
        {"/": document("At once", registering("was_there") + "<script>location.reload();</script>")},
    ),
    GoldPage(
        "frame-takes-the-top",
        "A frame of the same origin that sends the top elsewhere",
        captured(
            *scripts("at_the_goal"),
            frames=(TOP_FRAME,),
            final_url="{{frame-takes-the-top}}/goal",
            navigated_during_read=1,
        ),
        "HTML: a frame may navigate a top document of its own origin",
        {
            "/": document("Host", registering("left_behind") + '<iframe src="/inner"></iframe>'),
            "/inner": document("Inner", '<script>setTimeout(() => { top.location = "/goal"; }, 500);</script>'),
            "/goal": document("Goal", registering("at_the_goal")),
        },
    ),
    GoldPage(
        "head-too-large",
        "Half a megabyte of headers",
        ended("connect_error", http_status=None),
        "HTTP: a client limits what it reads of a head",
        {
            "/": Reply(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + f"X-Large: {'x' * 5000}\r\n" * 100 + "\r\n",
                manner=Manner.RAW,
            )
        },
    ),
    GoldPage(
        "redirect-to-file",
        "A redirect to a file: address",
        ended("connect_error"),
        "HTTP: a redirect leads to another http or https address",
        {"/": redirect("file:///etc/passwd")},
    ),
    GoldPage(
        "redirect-without-goal",
        "Status 302 without a Location: its body is the page",
        captured(*scripts("was_there"), http_status=302),
        "HTTP: without a Location there is nowhere to go",
        {"/": Reply(html("Where?", registering("was_there")), status=302)},
    ),
    GoldPage(
        "no-content-type",
        "HTML that does not say what it is",
        _STAYS,
        "HTML: a client finds out by itself",
        {
            "/": Reply(
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + html("What?", registering("was_there")),
                manner=Manner.RAW,
            )
        },
    ),
    GoldPage(
        "long-address",
        "Gives itself an address of a hundred thousand characters",
        captured(*scripts("was_there")),
        "design: strings are cut at stated limits",
        {
            "/": document(
                "Long",
                registering("was_there") + "<script>history.replaceState({}, '', '/?' + 'x'.repeat(100000));</script>",
            )
        },
    ),
    GoldPage(
        "scripts-from-nowhere",
        "Tools registered by scripts from data: and blob: addresses, by eval, and by a name of its own choice",
        busy(*scripts("from_data", "from_blob", "from_eval", "named_itself")),
        "spec: a script registers wherever it came from",
        {
            "/": document(
                "Scripts",
                f"""<script src="data:text/javascript,{_registers("from_data")}"></script>
<script>
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([`{_registers("from_blob")}`], {{ type: "text/javascript" }}));
  document.head.append(script);
  eval(`{_registers("from_eval")}`);
  eval(`{_registers("named_itself")} //# sourceURL=../../etc/passwd`);
</script>""",
            )
        },
    ),
    GoldPage(
        "utf-16",
        "A page in UTF-16",
        _STAYS,
        "HTML: a byte order mark tells the encoding",
        {"/": Reply(html("UTF-16", registering("was_there")).encode("utf-16"), content_type="text/html")},
    ),
)
