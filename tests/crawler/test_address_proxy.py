import asyncio
import ipaddress
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import async_playwright

from census.target import Target
from census.visit import Visit
from census.vocabulary import Outcome
from crawler.address_proxy import AddressProxy
from crawler.browser import find_browser, identify, launch_arguments, sandboxed
from crawler.capture import capture
from crawler.gate import Gate
from crawler.names import HostResolverRules
from crawler.settings import VisitSettings, user_agent
from crawler.settle import SettleLimits
from crawler.visit_record import Job

ALLOWED, FORBIDDEN = "127.0.0.1", "127.0.0.2"
"""Stand for a public and a private address: the tests have only loopback."""
RULES = f"MAP public.test {ALLOWED}, MAP inner.test {FORBIDDEN}, MAP gone.test ~NOTFOUND"

GRANTED, NOT_ALLOWED, UNREACHABLE, REFUSED, NO_COMMAND = 0, 2, 4, 5, 7


class Listener:
    """A server on one loopback address that keeps the first line of each connection."""

    def __init__(self, address: str, answer: Callable[[str], str] = lambda line: "hello") -> None:
        self.address = address
        self.answer = answer
        self.lines: list[str] = []

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, self.address, 0)
        self.port: int = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode("latin-1").strip()
        self.lines.append(line)
        writer.write(self.answer(line).encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def proxy_and_listeners(
    answer: Callable[[str], str] = lambda line: "hello", **kwargs: Any
) -> AsyncIterator[tuple[AddressProxy, Listener, Listener]]:
    """A proxy that allows `ALLOWED` only, and a server on each of the two addresses."""
    outer, inner = Listener(ALLOWED, answer), Listener(FORBIDDEN)
    kwargs.setdefault("allowed", lambda address: address == ALLOWED)
    proxy = AddressProxy(HostResolverRules(RULES), **kwargs)
    for each in (outer, inner, proxy):
        await each.start()
    try:
        yield proxy, outer, inner
    finally:
        for each in (proxy, inner, outer):
            await each.stop()


async def connect(proxy: AddressProxy, host: str, port: int, command: int = 1) -> tuple[int, str]:
    """The proxy's reply code, and what the server behind it says to `ping`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    try:
        writer.write(b"\x05\x01\x00")
        assert await reader.readexactly(2) == b"\x05\x00"
        try:
            packed = ipaddress.ip_address(host).packed
            address = bytes([1 if len(packed) == 4 else 4]) + packed
        except ValueError:
            address = bytes([3, len(host)]) + host.encode()
        writer.write(bytes([5, command, 0]) + address + struct.pack("!H", port))
        reply = await reader.readexactly(10)
        if reply[1] != GRANTED:
            return reply[1], ""
        writer.write(b"ping\n")
        return reply[1], (await reader.read()).decode()
    finally:
        writer.close()


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60):
            await scenario()

    asyncio.run(bounded())


def test_an_allowed_address_is_connected_to():
    async def scenario() -> None:
        async with proxy_and_listeners() as (proxy, outer, _):
            assert await connect(proxy, ALLOWED, outer.port) == (GRANTED, "hello")
            assert await connect(proxy, "public.test", outer.port) == (GRANTED, "hello")
            assert outer.lines == ["ping", "ping"]
            assert proxy.failure("public.test") is None

    run(scenario)


@pytest.mark.parametrize("host", [FORBIDDEN, "inner.test", "INNER.test"])
def test_any_other_is_not_and_the_proxy_can_say_why(host):
    async def scenario() -> None:
        async with proxy_and_listeners() as (proxy, _, inner):
            assert await connect(proxy, host, inner.port) == (NOT_ALLOWED, "")
            assert inner.lines == []
            refusal = proxy.failure(host)
            assert refusal is not None
            assert refusal.outcome is Outcome.ADDRESS_REFUSED
            assert FORBIDDEN in refusal.detail

    run(scenario)


def test_only_the_exempt_host_and_port_are_exempt():
    async def scenario() -> None:
        exempt: list[int] = []
        async with proxy_and_listeners(exempt=lambda host, port: host == "inner.test" and port in exempt) as (
            proxy,
            _,
            inner,
        ):
            exempt.append(inner.port)
            assert await connect(proxy, "inner.test", inner.port) == (GRANTED, "hello")
            assert (await connect(proxy, "inner.test", inner.port + 1))[0] == NOT_ALLOWED
            assert (await connect(proxy, FORBIDDEN, inner.port))[0] == NOT_ALLOWED

    run(scenario)


def _answers(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Make the resolver give these answers, one after the other; returns the names it is asked for."""
    asked: list[str] = []

    async def getaddrinfo(host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        asked.append(host)
        answer = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in answer]

    loop = asyncio.get_running_loop()
    real = loop.getaddrinfo

    async def by_name(host: str, port: int, **kwargs: Any) -> Any:
        is_name = host.endswith(".example")
        return await (getaddrinfo(host, port) if is_name else real(host, port, **kwargs))

    monkeypatch.setattr(loop, "getaddrinfo", by_name)
    return asked


def test_a_name_that_changes_its_address_is_connected_to_where_it_was_judged(monkeypatch):
    async def scenario() -> None:
        async with proxy_and_listeners() as (proxy, outer, inner):
            asked = _answers(monkeypatch, [ALLOWED], [FORBIDDEN])
            assert await connect(proxy, "rebinds.example", outer.port) == (GRANTED, "hello")
            assert asked == ["rebinds.example"], "one look-up for one connection: the judged address is the one used"
            assert (await connect(proxy, "rebinds.example", inner.port))[0] == NOT_ALLOWED
            assert (len(outer.lines), inner.lines) == (1, [])

    run(scenario)


def test_a_name_with_one_forbidden_address_among_others_is_refused(monkeypatch):
    async def scenario() -> None:
        async with proxy_and_listeners() as (proxy, outer, _):
            _answers(monkeypatch, [ALLOWED, FORBIDDEN])
            assert (await connect(proxy, "mixed.example", outer.port))[0] == NOT_ALLOWED
            assert outer.lines == []

    run(scenario)


def test_what_cannot_be_resolved_or_reached_is_told_apart():
    async def scenario() -> None:
        async with proxy_and_listeners() as (proxy, outer, _):
            assert (await connect(proxy, "gone.test", 80))[0] == UNREACHABLE
            with socket.socket() as bound:
                bound.bind((ALLOWED, 0))
                assert (await connect(proxy, "public.test", bound.getsockname()[1]))[0] == REFUSED
            gone, closed = proxy.failure("gone.test"), proxy.failure("public.test")
            assert gone is not None
            assert closed is not None
            assert (gone.outcome, closed.outcome) == (Outcome.DNS_ERROR, Outcome.CONNECT_ERROR)
            await connect(proxy, "public.test", outer.port)
            assert proxy.failure("public.test") is None, "the last connection came about"

    run(scenario)


def test_what_is_no_request_to_connect_is_turned_away():
    async def scenario() -> None:
        async with proxy_and_listeners() as (proxy, outer, _):
            assert (await connect(proxy, ALLOWED, outer.port, command=3))[0] == NO_COMMAND
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await reader.read() == b""
            writer.close()
            assert outer.lines == []

    run(scenario)


# With the browser itself, and without the guards that look at a URL's own words: the proxy alone must hold.


async def visit_through(proxy: AddressProxy, url: str) -> Visit:
    path = find_browser()
    browser = identify(path)
    settings = VisitSettings(user_agent(browser.build, "tests"), settle=SettleLimits(cap=2.0), navigation_timeout=10.0)
    async with async_playwright() as playwright:
        live = await playwright.chromium.launch(
            executable_path=path, args=launch_arguments("", proxy.url), chromium_sandbox=sandboxed()
        )
        captured = await capture(live, browser, Job("t-1-1", Target(url=url), 1), settings, Gate(explain=proxy.failure))
        await live.close()
    return captured.visit


def http(body: str = "", status: str = "200 OK", *headers: str) -> str:
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html", f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*lines, *headers, "", body])


@pytest.mark.parametrize("host", [FORBIDDEN, "inner.test"])
def test_a_redirect_to_a_forbidden_address_ends_the_visit_and_reaches_nobody(host):
    async def scenario() -> None:
        target = ""
        async with proxy_and_listeners(lambda line: http("", "302 Found", f"Location: {target}")) as (
            proxy,
            outer,
            inner,
        ):
            target = f"http://{host}:{inner.port}/secret"
            visit = await visit_through(proxy, f"http://public.test:{outer.port}/")
            assert visit.outcome is Outcome.ADDRESS_REFUSED, visit.outcome_detail
            assert outer.lines[0].startswith("GET / ")
            assert inner.lines == []

    run(scenario)


REACHES_OUT = """<!doctype html><title>Reaches out</title>
<img src="http://FORBIDDEN/image"><iframe src="http://FORBIDDEN/frame"></iframe>
<link rel="stylesheet" href="http://FORBIDDEN/style"><link rel="preconnect" href="http://FORBIDDEN/">
<script>
  fetch("http://FORBIDDEN/fetch", {mode: "no-cors"}).catch(() => {});
  navigator.sendBeacon("http://FORBIDDEN/beacon");
  new WebSocket("ws://FORBIDDEN/socket");
  new Worker(URL.createObjectURL(new Blob(["fetch('http://FORBIDDEN/worker', {mode: 'no-cors'})"])));
  open("http://FORBIDDEN/popup");
  const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:STUN"}]});
  peer.createDataChannel("x");
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
</script>"""


def test_nothing_that_a_page_does_reaches_a_forbidden_address():
    async def scenario() -> None:
        body = ""
        datagrams: list[bytes] = []

        class Stun(asyncio.DatagramProtocol):
            def datagram_received(self, data: bytes, addr: object) -> None:
                datagrams.append(data)

        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(Stun, local_addr=("127.0.0.1", 0))
        async with proxy_and_listeners(lambda line: http(body)) as (proxy, outer, inner):
            stun = str(transport.get_extra_info("sockname")[1])
            body = REACHES_OUT.replace("FORBIDDEN", f"inner.test:{inner.port}").replace("STUN", stun)
            visit = await visit_through(proxy, f"http://public.test:{outer.port}/")
            assert visit.outcome is Outcome.CAPTURED, visit.outcome_detail
            assert proxy.failure("inner.test") is not None, "the page did not even try"
            assert inner.lines == []
            assert datagrams == []
        transport.close()

    run(scenario)
