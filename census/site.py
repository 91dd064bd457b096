"""The site of a URL: the unit of politeness, of leases and of look-ups."""

from urllib.parse import urlsplit

import idna
import tldextract

# The list that comes with the package, with its private part: `a.vercel.app` and `b.vercel.app` are two
# sites. No download, so two machines of one crawl agree.
_extract = tldextract.TLDExtract(
    suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True, include_psl_private_domains=True
)

_DEFAULT_PORTS = {"http": 80, "https": 443}


def ascii_host(host: str) -> str:
    """Return a host name as it is asked for: lower case, `münchen.example` as `xn--mnchen-3ya.example` (UTS 46)."""
    host = host.lower()
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        return host


def registrable_domain(host: str) -> str | None:
    """Return a host name's registrable domain, or None without one (an IP address, `x.localhost`)."""
    return _extract.extract_str(ascii_host(host.strip("[]"))).top_domain_under_public_suffix or None


def site_of(url: str) -> str:
    """Return the site of an http(s) URL.

    The registrable domain by the bundled public-suffix list with its private part; a host without a public
    suffix (`localhost`, `x.localhost`, an IP address) is a site of its own with its port.

    Raises ValueError when the URL has no host or an impossible port.
    """
    parts = urlsplit(url)
    host = ascii_host(parts.hostname or "")
    if not host:
        raise ValueError(f"no host in URL: {url!r}")
    domain = registrable_domain(host)
    if domain:
        return domain
    port = parts.port or _DEFAULT_PORTS.get(parts.scheme.lower(), 0)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def same_site(url: str, other: str) -> bool:
    """Whether two origins are schemefully same-site, as browsers have it (HTML, "schemefully same site").

    The public-suffix list's default rule takes the last label of an unlisted name as its suffix, so
    `x.a.localhost` and `a.localhost` are same-site while `b.localhost` is another one.
    """
    one, two = urlsplit(url), urlsplit(other)
    return one.scheme == two.scheme and _browser_site(one.hostname or "") == _browser_site(two.hostname or "")


def _browser_site(host: str) -> str:
    if host.replace(".", "").isdigit() or ":" in host:
        return host
    return registrable_domain(host) or ".".join(host.split(".")[-2:])
