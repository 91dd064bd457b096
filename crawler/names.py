"""Which address a host name stands for: one rule set for the browser and for Scrapy's own requests."""

from fnmatch import fnmatchcase
from typing import Self

from scrapy.crawler import Crawler
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError

from census.errors import CensusError
from crawler.addresses import is_public

NOT_FOUND = "~NOTFOUND"
"""Chromium's word for a name that resolves to nothing."""


class HostResolverRules:
    """Chromium's `--host-resolver-rules`: `MAP pattern address`, `MAP pattern ~NOTFOUND`, `EXCLUDE pattern`.

    An exclusion wins over every rule, otherwise the first rule that matches decides; `*` stands for anything.
    Names under `localhost` are this machine, as browsers have it (RFC 6761), unless a rule says otherwise.
    """

    def __init__(self, text: str = "") -> None:
        self.text = text.strip()
        self._excluded: list[str] = []
        self._mapped: list[tuple[str, str]] = []
        for rule in filter(None, (part.strip() for part in self.text.split(","))):
            match rule.split():
                case [word, pattern] if word.upper() == "EXCLUDE":
                    self._excluded.append(pattern.lower())
                case [word, pattern, address] if word.upper() == "MAP":
                    self._mapped.append((pattern.lower(), address))
                case _:
                    raise CensusError(
                        f"--host-resolver-rules: cannot read {rule!r};"
                        " write `MAP pattern address`, `MAP pattern ~NOTFOUND` or `EXCLUDE pattern`"
                    )

    def resolve(self, host: str) -> str | None:
        """The address for a host name, `NOT_FOUND`, or None where the system's resolver decides."""
        host = host.lower().rstrip(".")
        if not any(fnmatchcase(host, pattern) for pattern in self._excluded):
            for pattern, address in self._mapped:
                if fnmatchcase(host, pattern):
                    return address
        return "127.0.0.1" if host == "localhost" or host.endswith(".localhost") else None


class MappedResolver(CachingThreadedResolver):
    """Scrapy's resolver behind the settings `HOST_RESOLVER_RULES` and `PUBLIC_ADDRESSES_ONLY`."""

    _rules: HostResolverRules
    _public_only: bool

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        """Make the resolver that Scrapy installs on its reactor."""
        resolver = super().from_crawler(crawler, reactor)
        resolver._rules = HostResolverRules(crawler.settings.get("HOST_RESOLVER_RULES") or "")
        resolver._public_only = crawler.settings.getbool("PUBLIC_ADDRESSES_ONLY")
        return resolver

    def getHostByName(self, name: str, timeout: tuple[int, ...] = ()) -> Deferred[str]:  # type: ignore[override]  # noqa: N802 -- Twisted's name
        """Resolve by the rules first.

        Fails with DNSLookupError for a name mapped to nothing, or to an address that must not be reached:
        Scrapy connects to the address that it got here, so no second look-up can turn it into another.
        """
        address = self._rules.resolve(name)
        if address == NOT_FOUND:
            return defer.fail(DNSLookupError(f"{name} is mapped to nothing"))
        resolved = super().getHostByName(address or name, timeout)
        return resolved.addCallback(self._refuse_private, name) if self._public_only else resolved

    @staticmethod
    def _refuse_private(address: str, name: str) -> str:
        if not is_public(address):
            raise DNSLookupError(f"{name} is {address}, which is not public")
        return address
