"""Servers that misbehave: certificates, dripping heads, answers that are no HTTP, statuses, walls."""

import gzip
import random
from collections.abc import Mapping

from tests.sites.gold import UNCHECKED, GoldPage, captured, document, ended, html, registering, scripts
from tests.sites.server import Manner, Reply

_ON_ERROR_PAGE = html("Not now", "<h1>Not now</h1>" + registering("on_error_page"))


def _tls(kind: str, title: str) -> GoldPage:
    name = f"tls-{kind.replace('_', '-')}"
    return GoldPage(
        name,
        title,
        ended("tls_error", http_status=None),
        "TLS: the client refuses the certificate",
        url=f"https://{name}.test:{{{{tls_{kind}}}}}/",
    )


def _status(
    name: str, status: int, title: str, headers: Mapping[str, str], *, attempts: int = 1, body: str = _ON_ERROR_PAGE
) -> GoldPage:
    return GoldPage(
        name,
        title,
        ended("http_error", http_status=status, attempts=attempts),
        "HTTP: the server says that this is not the page that was asked for",
        {"/": Reply(body, status, headers)},
    )


CHALLENGE = """
<h1>Checking your browser</h1>
<p>This takes a few seconds.</p>
<script>document.cookie = "challenge=passed";</script>
"""

LOGIN = """
<h1>Sign in</h1>
<form action="/session" method="post">
  <label>Name <input name="name" autocomplete="username"></label>
  <label>Password <input name="password" type="password" autocomplete="current-password"></label>
  <button>Sign in</button>
</form>
"""


def _spoiled() -> bytes:
    """A page of half a megabyte as gzip, with zeros in the place of its second half."""
    text = html("Half", registering("in_the_first_half") + "<p>" + random.Random(1).randbytes(250_000).hex())
    packed = gzip.compress(text.encode(), mtime=0)
    return packed[: len(packed) // 2] + bytes(len(packed) - len(packed) // 2)


PAGES = (
    _tls("self_signed", "A certificate that its owner signed"),
    _tls("expired", "A certificate that ended yesterday"),
    _tls("wrong_host", "A certificate of another host"),
    _tls("not_yet_valid", "A certificate that begins tomorrow"),
    _tls("old_version", "TLS 1.1 and nothing newer"),
    _status(
        "wants-password", 401, "Status 401: asks for a name and a password", {"WWW-Authenticate": 'Basic realm="x"'}
    ),
    _status("legal-reasons", 451, "Status 451", {}),
    _status("not-found-without-body", 404, "Status 404 without a word", {}, body=""),
    _status("too-many-requests", 429, "Status 429: come again in a second", {"Retry-After": "1"}, attempts=2),
    _status("maintenance", 503, "Status 503: come again in a second", {"Retry-After": "1"}, attempts=2),
    _status(
        "challenge-refused",
        403,
        "A challenge with status 403",
        {"cf-mitigated": "challenge"},
        body=html("Just a moment...", CHALLENGE),
    ),
    GoldPage(
        "challenge",
        "A challenge with status 200: read, and said to be one",
        captured(challenge_suspected=True, login_suspected=False),
        "design: a captured visit says what stood in the way",
        {"/": document("Just a moment...", CHALLENGE)},
    ),
    GoldPage(
        "login-wall",
        "A login form and nothing else: read, and said to be one",
        captured(challenge_suspected=False, login_suspected=True),
        "design: a captured visit says what stood in the way",
        {"/": document("Sign in", LOGIN)},
    ),
    GoldPage(
        "login-in-a-menu",
        "Tools, and a password field that is not displayed",
        captured(*scripts("open_to_all"), login_suspected=False),
        "design: a field that nobody sees stands in nobody's way",
        {"/": document("Shop", registering("open_to_all") + f'<div style="display: none">{LOGIN}</div>')},
    ),
    GoldPage(
        "video",
        "A video",
        ended("not_html", http_status=200),
        "HTTP: not a web page",
        {"/": Reply(b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", content_type="video/mp4")},
    ),
    GoldPage(
        "head-without-end",
        "The head of the answer goes on for ever, header after header",
        ended("timeout", http_status=None, attempts=2),
        "design: every wait has a bound",
        {"/": Reply(manner=Manner.DRIP_HEAD, interval=0.1)},
    ),
    GoldPage(
        "no-http",
        "An answer that is no HTTP at all",
        ended("connect_error", http_status=None),
        "HTTP: a status line comes first",
        {"/": Reply(b"\x15\x03\x01\x00\x02\x02\x28" * 3, manner=Manner.RAW)},
    ),
    GoldPage(
        "not-gzip",
        "Plain text that its header says is gzip",
        ended("connect_error", attempts=2),
        "HTTP: the answer cannot be decoded; design: an error page is never a page without tools",
        {"/": Reply(html("Plain", registering("never_read")), headers={"Content-Encoding": "gzip"})},
    ),
    GoldPage(
        "gzip-with-a-fault",
        "A gzip answer whose second half is spoiled",
        captured(*scripts("in_the_first_half"), load_event=UNCHECKED, settled=UNCHECKED),
        "HTTP: an answer that is spoiled half-way; spec: a script runs when the parser meets it",
        {"/": Reply(_spoiled(), headers={"Content-Encoding": "gzip"})},
    ),
    GoldPage(
        "body-too-short",
        "Announces more than it sends, then closes the connection",
        captured(*scripts("in_the_first_half"), load_event=UNCHECKED, settled=UNCHECKED),
        "HTTP: an incomplete answer; spec: a script runs when the parser meets it",
        {
            "/": Reply(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n"
                "<!doctype html><title>Half</title>" + registering("in_the_first_half"),
                manner=Manner.RAW,
            )
        },
    ),
)
