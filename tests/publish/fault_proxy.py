"""Stands between a publisher and a real server, counts the requests, and spoils those that a test names."""

import socket
import struct
import threading
from collections.abc import Callable
from enum import Enum, auto
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

_OF_THE_HOP = {"connection", "keep-alive", "transfer-encoding", "expect", "content-length"}


class Fault(Enum):
    """What becomes of a request."""

    CUT_BEFORE = auto()
    """The connection breaks off before the server has seen anything."""
    CUT_AFTER = auto()
    """The server does what was asked, and the connection breaks off before its answer."""
    SPOIL_REQUEST = auto()
    """A byte of the body is another one when the server gets it."""
    SPOIL_ANSWER = auto()
    """A byte of the server's answer is another one."""


Rule = Callable[[int, str], "Fault | int | None"]
"""From a request's number and its `METHOD /path` to a fault, or a status that answers in the server's place."""


class FaultProxy:
    """A reverse proxy on loopback. The host that the client names reaches the server, so signatures hold."""

    def __init__(self, upstream: str) -> None:
        self._upstream = urlsplit(upstream).netloc
        self._lock = threading.Lock()
        self.requests: list[str] = []
        self.rule: Rule = lambda _number, _request: None
        handler = type("Handler", (_Handler,), {"proxy": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def spoil(self, number: int, fault: "Fault | int") -> None:
        """Spoil the request with this number, counted from now, and no other."""
        self.requests = []
        self.rule = lambda each, _: fault if each == number else None

    def count(self) -> None:
        """Spoil nothing more, and count from now."""
        self.requests = []
        self.rule = lambda _number, _request: None

    def fault_of(self, request: str) -> "Fault | int | None":
        with self._lock:
            self.requests.append(request)
            number = len(self.requests) - 1
        return self.rule(number, request)

    def ask(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> tuple[int, list, bytes]:
        """Hand a request on."""
        connection = HTTPConnection(self._upstream, timeout=120)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                if name.lower() not in _OF_THE_HOP:
                    connection.putheader(name, value)
            if body or method in {"PUT", "POST"}:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body or None)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    proxy: FaultProxy

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its name in the base class
        pass

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fault = self.proxy.fault_of(f"{self.command} {self.path}")
        if isinstance(fault, int):
            self._answer(fault, [], b"" if self.command == "HEAD" else b"<Error><Code>Test</Code></Error>")
            return
        if fault is Fault.CUT_BEFORE:
            self._cut()
            return
        if fault is Fault.SPOIL_REQUEST and body:
            body = _spoiled(body)
        status, headers, content = self.proxy.ask(self.command, self.path, list(self.headers.items()), body)
        if fault is Fault.CUT_AFTER:
            self._cut()
            return
        if fault is Fault.SPOIL_ANSWER and content:
            content = _spoiled(content)
        self._answer(status, headers, content)

    def _answer(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        self.send_response_only(status)
        length = next((value for name, value in headers if name.lower() == "content-length"), str(len(content)))
        for name, value in headers:
            if name.lower() not in _OF_THE_HOP:
                self.send_header(name, value)
        if status not in {204, 304}:
            self.send_header("Content-Length", length if self.command == "HEAD" else str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _serve  # noqa: N815 -- names of the base class


def _spoiled(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
