"""Whether our own network is up, told by a host that always answers."""

import asyncio

from census.errors import CensusError

TIMEOUT = 5.0


def parse_host_port(text: str) -> tuple[str, int]:
    """HOST or HOST:PORT (443 by default). Raises CensusError on anything else."""
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, "443"
    if not host or not port.isdigit() or not 0 < int(port) < 65536 or "/" in text:
        raise CensusError(f"--control-host {text!r}: write HOST or HOST:PORT")
    return host, int(port)


async def answers(control_host: str) -> bool:
    """Whether the control host accepts a connection within `TIMEOUT` seconds."""
    host, port = parse_host_port(control_host)
    try:
        async with asyncio.timeout(TIMEOUT):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
