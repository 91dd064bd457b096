"""What a crawl is told: the conditions that are the same for every visit of a RUN."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

from pydantic import JsonValue, TypeAdapter, ValidationError

from census.errors import CensusError
from crawler.outcomes import RetryPolicy
from crawler.settle import SettleLimits

PRODUCT = "webmcp-census"


def code_version() -> str:
    """The version of this code, as a RUN names it."""
    return version(PRODUCT)


def user_agent(build: str, contact: str) -> str:
    """A browser-like user agent that ends in our name and the crawl's contact: pages sniff for Chrome in it."""
    major = build.partition(".")[0]
    return (
        f"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0"
        f" Safari/537.36 {PRODUCT}/{version(PRODUCT)} ({contact})"
    )


@dataclass(frozen=True, slots=True)
class VisitSettings:
    """The conditions of a visit. Times in seconds."""

    user_agent: str
    locale: str = "en-US"
    timezone: str = "UTC"
    viewport: tuple[int, int] = (1280, 800)
    navigation_timeout: float = 30.0
    """From the request, or the last redirect, to the commit of the document."""
    visit_deadline: float = 90.0
    """Over the whole visit, whatever hangs."""
    max_body: int = 50_000_000
    """Bytes that a document may announce."""
    settle: SettleLimits = field(default_factory=SettleLimits)
    host_resolver_rules: str = ""
    allow_private: bool = False


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """The settings of a RUN: two crawls of one RUN must agree in all of them."""

    visit: VisitSettings
    browser: str
    """Product and build, for example `Chromium 156.0.8078.114 (headless-shell)`."""
    concurrency: int = 4
    delay: float = 2.0
    """Seconds between two visits of one site."""
    robots: bool = True
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    control_host: str | None = None
    """HOST:PORT that answers whenever our own network is up."""
    control_every: int = 25
    """Visits of a browser between two control visits; 0 for none (a single page has no other to leak from)."""
    browser_visits: int = 200
    """Visits after which a browser is replaced."""
    legacy: bool = True
    """Whether a page that uses names of the API which are gone is visited again with these names restored."""
    audit: float = 0.0
    """Share of the captured pages that are visited again with `audit_browser`."""
    audit_browser: str | None = None
    max_lost: int = 5
    """Attempts that took their crawler down before a target is given up."""

    def plain(self) -> dict[str, JsonValue]:
        """As written to RUN: nested names joined by dots, so that a difference can be named."""
        return _flat(asdict(self))

    @classmethod
    def from_plain(cls, plain: Mapping[str, JsonValue]) -> "CrawlSettings":
        """Read what `plain` wrote. Raises CensusError when another version wrote it."""
        nested: dict[str, Any] = {}
        for name, value in plain.items():
            *path, last = name.split(".")
            place = nested
            for part in path:
                place = place.setdefault(part, {})
            place[last] = value
        try:
            settings = TypeAdapter(cls).validate_python(nested)
        except ValidationError as error:
            raise _other_version(".".join(map(str, error.errors()[0]["loc"]))) from None
        unknown = plain.keys() - settings.plain().keys()
        if unknown:
            raise _other_version(", ".join(sorted(unknown)))
        return settings


def _other_version(names: str) -> CensusError:
    return CensusError(f"the crawl's settings are of another version ({names}); use the one that began it")


def _flat(values: dict[str, JsonValue], prefix: str = "") -> dict[str, JsonValue]:
    flat: dict[str, JsonValue] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = list(value) if isinstance(value, tuple) else value
    return flat
