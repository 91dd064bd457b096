"""Which addresses a crawl may reach. Pure decisions about IP addresses and host names."""

import ipaddress
from urllib.parse import urlsplit

from census.vocabulary import Outcome
from crawler.gate import Refusal

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# Not of the public internet either, and not (or not in every Python) known to `is_global`: IPv4-compatible
# addresses, local-use NAT64, site-local addresses, documentation, segment routing.
_FURTHER = tuple(map(ipaddress.ip_network, ("::/96", "64:ff9b:1::/48", "fec0::/10", "3fff::/20", "5f00::/16")))


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet (IANA special-purpose registries).

    IPv6 addresses that carry an IPv4 one (mapped, 6to4, Teredo, NAT64) are judged by what they carry.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        carried = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if carried is None and ip in _NAT64:
            carried = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if carried is not None:
            return is_public(str(carried))
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _FURTHER)


def literal_address(host: str) -> str | None:
    """The IP address that a host is written as, or None for a name."""
    try:
        return str(ipaddress.ip_address(host.strip("[]").partition("%")[0]))
    except ValueError:
        return None


async def refuse_private(url: str) -> Refusal | None:
    """Refuse a URL whose host is a private address or this machine by its very name.

    Names that only resolve to such an address are refused where they are resolved (`crawler.address_proxy`).
    """
    host = (urlsplit(url).hostname or "").lower().rstrip(".")
    address = literal_address(host)
    if (address is not None and not is_public(address)) or host == "localhost" or host.endswith(".localhost"):
        return Refusal(Outcome.ADDRESS_REFUSED, f"{host} is private, loopback or link-local (--allow-private)")
    return None
