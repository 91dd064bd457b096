"""Answers that are no page to read: errors, files, and what robots.txt forbids."""

from tests.sites.gold import GoldPage, captured, document, ended, html, registering, scripts
from tests.sites.server import Reply

_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
_PDF = b"""%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
"""


def _error(status: int, *, demo: bool = False) -> GoldPage:
    return GoldPage(
        f"error-{status}",
        f"Status {status}, with a page that registers a tool all the same",
        ended("http_error", http_status=status),
        "HTTP: the server says that this is not the page that was asked for",
        {"/": Reply(html(str(status), f"<h1>{status}</h1>" + registering("on_error_page")), status=status)},
        in_demo=demo,
    )


def _file(name: str, title: str, reply: Reply, *, demo: bool = False) -> GoldPage:
    return GoldPage(
        name,
        title,
        ended("not_html", http_status=reply.status),
        "HTTP: not a web page",
        {"/": reply},
        in_demo=demo,
    )


def _robots(text: str, **reply: object) -> Reply:
    return Reply(text, content_type="text/plain", **reply)  # type: ignore[arg-type]


_OPEN = document("Open", registering("may_be_read"))

PAGES = (
    _error(404, demo=True),
    _error(403),
    _error(410),
    _error(500),
    _error(503),
    _file("no-content", "Status 204: nothing to show", Reply(status=204)),
    _file("pdf", "A PDF document", Reply(_PDF, content_type="application/pdf"), demo=True),
    _file("image", "An image", Reply(_PNG, content_type="image/png")),
    _file("json", "JSON, without any page", Reply('{"tools": []}', content_type="application/json")),
    _file("plain-text", "Plain text", Reply("registerTool\n", content_type="text/plain")),
    _file(
        "attachment",
        "HTML that is to be saved, not shown",
        Reply(
            html("Saved", registering("never")),
            headers={"Content-Disposition": 'attachment; filename="page.html"'},
        ),
    ),
    _file("archive", "A zip archive", Reply(b"PK\x05\x06" + b"\0" * 18, content_type="application/zip")),
    GoldPage(
        "disallowed",
        "robots.txt forbids everything to everybody",
        ended("robots_disallowed", http_status=None),
        "RFC 9309: Disallow: /",
        {"/": _OPEN, "/robots.txt": _robots("User-agent: *\nDisallow: /\n")},
        in_demo=True,
    ),
    GoldPage(
        "disallowed-elsewhere",
        "robots.txt forbids another path, and everything to another robot",
        captured(*scripts("may_be_read")),
        "RFC 9309: the group that fits, the longest match",
        {
            "/": _OPEN,
            "/robots.txt": _robots("User-agent: SomeOtherBot\nDisallow: /\n\nUser-agent: *\nDisallow: /admin\n"),
        },
    ),
    GoldPage(
        "robots-missing",
        "No robots.txt: everything is allowed",
        captured(*scripts("may_be_read")),
        "RFC 9309: 4xx means that there are no rules",
        {"/": _OPEN, "/robots.txt": _robots("", status=404)},
    ),
    GoldPage(
        "robots-html",
        "A single-page app that answers /robots.txt with its own page",
        captured(*scripts("may_be_read")),
        "RFC 9309: lines that are no rules are ignored",
        {"/": _OPEN, "/robots.txt": Reply(html("App", "<h1>App</h1>"))},
    ),
)
