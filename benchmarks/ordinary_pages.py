"""Serves the two pages that visits are timed on: one of 1 KiB, and one of 61 requests with an ordinary page's sizes.

Nothing is random between two runs, and no script names WebMCP. Run it as a program: it prints its port.
"""

import json
import random
import struct
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SCRIPTS, STYLESHEETS, IMAGES, FETCHES = 20, 8, 30, 2
_HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An ordinary page</title>'
_WORDS = ["the", "price", "of", "a", "room", "depends", "on", "season", "and", "length", "of", "stay", "so", "compare", "before", "you", "book", "one"]

Answer = tuple[str, bytes]


def small_page() -> bytes:
    """A document of 1 KiB that loads nothing."""
    start, end = f"{_HEAD}</head><body><h1>A small page</h1><p>", "</p></body></html>"
    return (start + _prose(random.Random(0), 1024)[: 1024 - len(start) - len(end)] + end).encode()


def ordinary_page() -> bytes:
    """A document of about 30 KB with stylesheets in its head, images in its text and scripts at both ends."""
    draw = random.Random(1)
    styles = "".join(f'<link rel="stylesheet" href="/style{n}.css">' for n in range(STYLESHEETS))
    early = "".join(f'<script src="/script{n}.js"></script>' for n in range(4))
    late = "".join(f'<script src="/script{n}.js" defer></script>' for n in range(4, SCRIPTS))
    sections = "".join(
        f'<section class="c{n}"><h2>Section {n}</h2><img src="/image{n}.png" width="96" height="64" alt="">'
        f"<p>{_prose(draw, 850)}</p></section>"
        for n in range(IMAGES)
    )
    fetches = "".join(
        f'fetch("/data{n}.json").then((r) => r.json()).then((d) => (document.body.dataset.d{n} = d.length));'
        for n in range(FETCHES)
    )
    return f"{_HEAD}{styles}{early}</head><body>{sections}{late}<script>{fetches}</script></body></html>".encode()


def answers() -> dict[str, Answer]:
    """Every path that is served, with its content type and body."""
    draw = random.Random(2)
    served: dict[str, Answer] = {
        "/small": ("text/html; charset=utf-8", small_page()),
        "/ordinary": ("text/html; charset=utf-8", ordinary_page()),
        "/robots.txt": ("text/plain", b"User-agent: *\nAllow: /\n"),
    }
    for n in range(SCRIPTS):
        size = 2_000 + 90_000 * n**2 // SCRIPTS**2
        served[f"/script{n}.js"] = ("text/javascript", _script(draw, n, size))
    for n in range(STYLESHEETS):
        served[f"/style{n}.css"] = ("text/css", _stylesheet(draw, n, 2_000 + 2_500 * n))
    for n in range(IMAGES):
        served[f"/image{n}.png"] = ("image/png", _image(draw, 32 + 2 * n, 24 + n))
    for n in range(FETCHES):
        rows = [{"id": row, "text": _prose(draw, 80)} for row in range(40)]
        served[f"/data{n}.json"] = ("application/json", json.dumps(rows).encode())
    return served


def _prose(draw: random.Random, characters: int) -> str:
    return " ".join(draw.choice(_WORDS) for _ in range(characters // 4))[:characters]


def _script(draw: random.Random, number: int, size: int) -> bytes:
    """Functions of which one in four is called, as in a bundle."""
    parts = [f"(() => {{ const kept{number} = [];"]
    length = function = 0
    while length < size:
        body = (
            f"function f{function}(a, b) {{ const t = {json.dumps(_prose(draw, 120))}; let s = {draw.randrange(999)};"
            f" for (let i = 0; i < {draw.randrange(20, 60)}; i++) s = (s * 31 + t.charCodeAt(i % t.length)) % 65521;"
            " return { a, b, s, get text() { return t.slice(0, s % 40); } }; }\n"
        )
        parts.append(body + (f"kept{number}.push(f{function}({function}, 1));\n" if function % 4 == 0 else ""))
        length += len(parts[-1])
        function += 1
    parts.append(f"document.documentElement.dataset.s{number} = kept{number}.length; }})();")
    return "".join(parts).encode()


def _stylesheet(draw: random.Random, number: int, size: int) -> bytes:
    rules: list[str] = []
    while sum(map(len, rules)) < size:
        colour, space = draw.randrange(0x1000000), draw.randrange(24)
        name = f".c{draw.randrange(IMAGES)} > p" if draw.random() < 0.2 else f".s{number}-{len(rules)}:hover a"
        rules.append(f"{name} {{ color: #{colour:06x}; margin: {space}px auto; padding: {space // 2}px; }}\n")
    return "".join(rules).encode()


def _image(draw: random.Random, width: int, height: int) -> bytes:
    """A PNG of noise, which compresses as little as a photograph."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + draw.randbytes(3 * width) for _ in range(height))
    header = struct.pack("!IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    served = answers()

    def do_GET(self) -> None:
        """Answer a known path; the query only makes addresses differ."""
        kind, body = self.served.get(self.path.partition("?")[0], ("text/plain", b""))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class's name
        """Say nothing."""


def main() -> None:
    """Serve on a free port of 127.0.0.1 until killed."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
