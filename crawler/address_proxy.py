"""A loopback SOCKS5 proxy that resolves each name once, refuses private addresses, and connects to what it saw.

Chromium resolves names itself, so a check beside it does not hold against DNS rebinding; here the address
that was judged is the one that is connected to, for every request of every page, redirects and frames included.
"""

import asyncio
import ipaddress
import socket
import struct
from collections import OrderedDict
from collections.abc import Callable

from census.vocabulary import Outcome
from crawler.addresses import is_public, literal_address
from crawler.gate import Refusal
from crawler.names import NOT_FOUND, HostResolverRules

CONNECT_TIMEOUT = 20.0
_MEMORY = 10_000
_GRANTED, _FAILURE, _NOT_ALLOWED, _UNREACHABLE, _REFUSED = 0, 1, 2, 4, 5
_CHUNK = 1 << 16

_Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AddressProxy:
    """Serves SOCKS5 (RFC 1928, CONNECT only, no authentication) on a free port of 127.0.0.1."""

    def __init__(
        self,
        rules: HostResolverRules,
        allowed: Callable[[str], bool] = is_public,
        exempt: Callable[[str, int], bool] = lambda host, port: False,
    ) -> None:
        self._rules = rules
        self._allowed = allowed
        self._exempt = exempt
        self._failures: OrderedDict[str, Refusal] = OrderedDict()
        self._server: asyncio.Server | None = None
        self._tunnels: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def url(self) -> str:
        """What the browser is told."""
        return f"socks5://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Begin to serve."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop serving and close what is open."""
        if self._server is not None:
            self._server.close()
        for tunnel in list(self._tunnels):
            tunnel.cancel()

    def failure(self, host: str) -> Refusal | None:
        """Why the last connection to a host did not come about; None when it did."""
        return self._failures.get(host.lower().strip("[]"))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tunnels.add(task)
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                host, port = await _read_request(reader, writer)
            upstream = await self._connect(host, port, writer)
            if upstream is not None:
                await _pipe(reader, writer, *upstream)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.CancelledError, ValueError):
            # Either side hung up, or it was no SOCKS5: the connection ends here, as it would without a proxy.
            return
        finally:
            self._tunnels.discard(task)
            writer.close()

    async def _connect(self, host: str, port: int, client: asyncio.StreamWriter) -> _Stream | None:
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                addresses = await self._resolve(host, port)
                if not self._exempt(host, port):
                    refused = next((address for address in addresses if not self._allowed(address)), None)
                    if refused is not None:
                        detail = f"{host} is {refused}: private, loopback or link-local (--allow-private)"
                        await self._fail(client, host, _NOT_ALLOWED, Outcome.ADDRESS_REFUSED, detail)
                        return None
                upstream = await _open_first(addresses, port)
        except socket.gaierror as error:
            await self._fail(client, host, _UNREACHABLE, Outcome.DNS_ERROR, f"{host}: {error.strerror or error}")
            return None
        except TimeoutError:
            detail = f"no connection to {host}:{port} in {CONNECT_TIMEOUT:.0f} s"
            await self._fail(client, host, _FAILURE, Outcome.TIMEOUT, detail)
            return None
        except OSError as error:
            detail = f"{host}:{port}: {error.strerror or error}"
            await self._fail(client, host, _REFUSED, Outcome.CONNECT_ERROR, detail)
            return None
        self._failures.pop(host, None)
        client.write(_reply(_GRANTED))
        await client.drain()
        return upstream

    async def _fail(self, client: asyncio.StreamWriter, host: str, code: int, outcome: Outcome, detail: str) -> None:
        self._failures[host] = Refusal(outcome, detail)
        if len(self._failures) > _MEMORY:
            self._failures.popitem(last=False)
        client.write(_reply(code))
        await client.drain()

    async def _resolve(self, host: str, port: int) -> list[str]:
        mapped = self._rules.resolve(host) or host
        if mapped == NOT_FOUND:
            raise socket.gaierror(socket.EAI_NONAME, "mapped to nothing")
        literal = literal_address(mapped)
        if literal is not None:
            return [literal]
        found = await asyncio.get_running_loop().getaddrinfo(mapped, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(info[4][0]) for info in found))


async def _read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    version, methods = struct.unpack("!BB", await reader.readexactly(2))
    if version != 5:
        raise ValueError("no SOCKS5")
    await reader.readexactly(methods)
    writer.write(b"\x05\x00")
    await writer.drain()
    _, command, _, kind = struct.unpack("!BBBB", await reader.readexactly(4))
    if kind == 3:
        (length,) = await reader.readexactly(1)
        host = (await reader.readexactly(length)).decode("ascii").lower()
    elif kind in (1, 4):
        host = str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))
    else:
        raise ValueError("no such address type")
    (port,) = struct.unpack("!H", await reader.readexactly(2))
    if command != 1:
        writer.write(_reply(7))
        raise ValueError("only CONNECT")
    return host, int(port)


def _reply(code: int) -> bytes:
    return struct.pack("!BBBBIH", 5, code, 0, 1, 0, 0)


async def _open_first(addresses: list[str], port: int) -> _Stream:
    problem: OSError | None = None
    for address in addresses:
        try:
            return await asyncio.open_connection(address, port)
        except OSError as error:
            problem = error
    raise problem or socket.gaierror(socket.EAI_NONAME, "no address")


async def _pipe(
    client: asyncio.StreamReader,
    to_client: asyncio.StreamWriter,
    server: asyncio.StreamReader,
    to_server: asyncio.StreamWriter,
) -> None:
    async def copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while chunk := await source.read(_CHUNK):
            sink.write(chunk)
            await sink.drain()

    # Browsers close both ways at once; waiting for a silent server's own end would keep the tunnel for ever.
    copies = [asyncio.ensure_future(copy(client, to_server)), asyncio.ensure_future(copy(server, to_client))]
    try:
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in copies:
            each.cancel()
        await asyncio.gather(*copies, return_exceptions=True)
        to_server.close()
