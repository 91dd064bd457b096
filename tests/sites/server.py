"""A small web on the loopback: many sites on one port, each on an origin of its own, well-mannered or not."""

import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from http import HTTPStatus
from http.client import responses
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from tests.sites.tls import TlsPort

RESOLVER_RULES = "MAP no-such-host.test ~NOTFOUND, MAP *.test 127.0.0.1"
"""Chromium's `--host-resolver-rules` that reach the `.test` hosts, all but `no-such-host.test`."""

_PLACEHOLDER = re.compile(r"\{\{([a-z0-9][a-z0-9.-]*|closed_port|port|tls_[a-z_]+)\}\}")
_NO_BODY = frozenset({204, 304})


class Manner(Enum):
    """How the server goes about an answer."""

    ANSWER = auto()
    CLOSE = auto()
    """Close the connection without a byte."""
    RESET = auto()
    """Break the connection off with a TCP reset."""
    HANG = auto()
    """Say nothing, for ever (until the server stops)."""
    DRIP = auto()
    """Send the head and the body, then the body again every `interval` seconds, for ever."""
    DRIP_HEAD = auto()
    """Send the status, then one header after the other every `interval` seconds, for ever."""
    RAW = auto()
    """Send the body's bytes and nothing around them, then close."""


@dataclass(frozen=True)
class Reply:
    """An answer. `{{name}}` in a text body or a header becomes the origin of the site `name`."""

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/html; charset=utf-8"
    delay: float = 0.0
    """Seconds of silence before the answer."""
    manner: Manner = Manner.ANSWER
    interval: float = 0.05
    """Seconds between two drops of a `DRIP`."""


@dataclass(frozen=True)
class Request:
    """What was asked, and when (`time.monotonic()`)."""

    method: str
    host: str
    path: str  # without the query
    query: str
    headers: Mapping[str, str]
    body: bytes
    at: float


Route = Reply | Callable[[Request], Reply]


@dataclass(frozen=True)
class Site:
    """One site. A route's key is a path with its query, or a path alone; the longer one wins."""

    name: str
    routes: Mapping[str, Route]

    def find(self, request: Request) -> Reply | None:
        """The reply to a request, or None where there is no such path."""
        full = f"{request.path}?{request.query}" if request.query else request.path
        route = self.routes.get(full) or self.routes.get(request.path)
        return route if route is None or isinstance(route, Reply) else route(request)


def redirect(location: str, status: int = 302) -> Reply:
    """A redirect; the location may hold `{{name}}`."""
    return Reply(status=status, headers={"Location": location})


class SmallWeb:
    """Serves sites while the `with` block lasts.

    `http://NAME.localhost:PORT/` is a secure context; `http://NAME.test:PORT/` is the same site, insecure,
    and is reached with `RESOLVER_RULES`. An unknown host gets 421, an unknown path 404.
    """

    def __init__(self, sites: Iterable[Site], port: int = 0) -> None:
        self._sites: dict[str, Site] = {}
        for site in sites:
            self.add(site)
        self._wanted_port = port
        self.log: list[Request] = []
        """Every request, in order of arrival."""

    def add(self, site: Site) -> None:
        """Serve one site more (also while running)."""
        if site.name in self._sites:
            raise ValueError(f"two sites with the name {site.name!r}")
        self._sites[site.name] = site

    def __enter__(self) -> Self:
        self._stopping = threading.Event()
        self._server = Server(("127.0.0.1", self._wanted_port), self.handler())
        self.port: int = self._server.server_address[1]
        # Bound and never listening: a port that refuses every connection, and that nobody else can take.
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))
        self.closed_port: int = self._closed.getsockname()[1]
        self._tls: dict[str, TlsPort] = {}
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._server.hang_up()
        self._closed.close()
        for tls in self._tls.values():
            tls.close()
        self._thread.join(timeout=5)

    def url(self, name: str, path: str = "/") -> str:
        """The URL of a path of a site; `name.test` names its insecure twin."""
        host = name if name.endswith(".test") else f"{name}.localhost"
        return f"http://{host}:{self.port}{path}"

    def expand(self, text: str) -> str:
        """Put origins for `{{name}}`, `{{name.test}}`, and ports for `{{port}}`, `{{closed_port}}`, `{{tls_KIND}}`."""
        if "{{" not in text:
            return text
        return _PLACEHOLDER.sub(lambda match: self._meaning(match[1]), text)

    def _meaning(self, word: str) -> str:
        if word == "port":
            return str(self.port)
        if word == "closed_port":
            return str(self.closed_port)
        if word.startswith("tls_"):
            if word not in self._tls:
                self._tls[word] = TlsPort(word.removeprefix("tls_"), f"{word.replace('_', '-')}.test")
            return str(self._tls[word].port)
        return self.url(word, "")

    def requests(self, name: str) -> list[Request]:
        """The requests that a site got so far."""
        return [request for request in self.log if _name_of(request.host) == name]

    def reply_to(self, request: Request) -> Reply:
        """The reply to a request."""
        self.log.append(request)
        site = self._sites.get(_name_of(request.host))
        if site is None:
            return Reply("no such site here\n", status=421, content_type="text/plain")
        return site.find(request) or Reply("<!doctype html><title>404</title><h1>Not found</h1>", status=404)

    def handler(self) -> type[BaseHTTPRequestHandler]:
        """What answers a connection to this web."""
        web = self

        class Handler(_Handler):
            small_web = web
            stopping = web._stopping

        return Handler


def _name_of(host: str) -> str:
    return host.partition(":")[0].removesuffix(".localhost").removesuffix(".test")


class Server(ThreadingHTTPServer):
    """Ends its connections when it ends itself."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 512
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._open: set[socket.socket] = set()

    def process_request(self, request: socket.socket, client_address: tuple[str, int]) -> None:  # type: ignore[override]
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override]
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Close what clients keep open, so that no thread outlives the server for long."""
        for connection in tuple(self._open):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: browsers break connections off all the time, and here some are broken on purpose."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    small_web: SmallWeb
    stopping: threading.Event

    def _serve(self) -> None:
        split = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            method=self.command,
            host=self.headers.get("Host", "").lower(),
            path=split.path or "/",
            query=split.query,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length) if length else b"",
            at=time.monotonic(),
        )
        reply = self.small_web.reply_to(request)
        if reply.delay and self.stopping.wait(reply.delay):
            self.close_connection = True
            return
        match reply.manner:
            case Manner.ANSWER:
                self._answer(reply)
            case Manner.DRIP:
                self._head(reply, {"Connection": "close"})
                self._drip(self._body(reply), reply.interval)
            case Manner.DRIP_HEAD:
                self.send_response(reply.status)
                self.flush_headers()
                self._drip(b"X-More-To-Come: yes\r\n", reply.interval)
            case Manner.RAW:
                self.close_connection = True
                self.wfile.write(self._body(reply))
            case Manner.HANG:
                self.close_connection = True
                self.stopping.wait()
            case Manner.CLOSE:
                self.close_connection = True
            case Manner.RESET:
                self.close_connection = True
                # Lingering for no time makes close() send a reset; a shutdown() first would end it in order.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                socket.close(self.connection.detach())

    do_GET = do_POST = do_HEAD = do_PUT = do_OPTIONS = _serve  # noqa: N815 -- the base class looks for these names

    def _body(self, reply: Reply) -> bytes:
        body = reply.body
        return self.small_web.expand(body).encode("utf-8", "surrogatepass") if isinstance(body, str) else body

    def _head(self, reply: Reply, framing: Mapping[str, str]) -> None:
        self.send_response(reply.status, responses.get(reply.status, HTTPStatus.OK.phrase))
        headers = {"Content-Type": reply.content_type, "Cache-Control": "no-store", **framing}
        if reply.status in _NO_BODY:
            del headers["Content-Type"]
        for name, value in {**headers, **reply.headers}.items():
            self.send_header(name, self.small_web.expand(value))
        self.end_headers()

    def _answer(self, reply: Reply) -> None:
        body = b"" if reply.status in _NO_BODY else self._body(reply)
        self._head(reply, {} if reply.status in _NO_BODY else {"Content-Length": str(len(body))})
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def _drip(self, drop: bytes, interval: float) -> None:
        self.close_connection = True
        while True:
            self.wfile.write(drop)
            self.wfile.flush()
            if self.stopping.wait(interval):
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class's name
        """Keep quiet; `SmallWeb.log` has every request."""
