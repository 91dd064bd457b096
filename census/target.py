"""A target: a URL to visit, with where it came from."""

import json
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from census.recheck import Recheck
from census.site import ascii_host, site_of
from census.vocabulary import Screen

_DEFAULT_PORTS = {"http": 80, "https": 443}


class Target(BaseModel):
    """A URL to visit; `project` and `repository` say whose it is, `source` which list named it."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    url: str
    project: str | None = None
    repository: str | None = None
    source: str | None = None
    rank: int | None = Field(default=None, ge=1)
    """Place in the list that named it, 1 for the first; of a list that ranks in classes, the class's upper end."""
    screen: Screen | None = None
    """What the screen made of it; None where the crawl had none. Never from a target list."""

    recheck: Recheck | None = None
    """What must have changed since the last release for the page to be visited. Never from a target list."""
    found_on: str | None = None
    """The key of the target whose page links here; None for what a list named. Never from a target list."""

    @field_validator("url")
    @classmethod
    def _is_http(cls, url: str) -> str:
        parts = urlsplit(url)  # raises ValueError on malformed brackets
        if parts.scheme.lower() not in _DEFAULT_PORTS:
            raise ValueError("not an http(s) URL")
        if not parts.hostname:
            raise ValueError("no host")
        _ = parts.port  # raises ValueError when it is no port
        if any(c.isspace() or ord(c) < 0x20 for c in url):
            raise ValueError("white space or a control character inside the URL")
        return url

    @property
    def key(self) -> str:
        """Two URLs with one key are one target (see `target_key`)."""
        return target_key(self.url)

    @property
    def site(self) -> str:
        """The site this target belongs to."""
        return site_of(self.url)


_NOTHING = {name: field.default for name, field in Target.model_fields.items() if not field.is_required()}


def stored_target(record: str) -> Target:
    """Read what `model_dump_json(exclude_none=True)` wrote of a valid target.

    It is not validated again: that took a third of the time of a claim (measured).
    """
    fields = _NOTHING | json.loads(record)
    if fields["screen"] is not None:
        fields["screen"] = Screen(fields["screen"])
    if fields["recheck"] is not None:
        fields["recheck"] = Recheck.model_validate(fields["recheck"])
    return Target.model_construct(**fields)


def target_key(url: str) -> str:
    """Return the URL without what does not tell two targets apart.

    Dropped: a trailing slash, a default port, host and scheme case, the spelling of an international host, and a
    fragment that is no route. A fragment that starts with `#/` or `#!` is a route: pages carry different tool sets
    behind it.
    """
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    host = ascii_host(parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{host}]"
    port = parts.port
    netloc = host if port in (None, _DEFAULT_PORTS.get(scheme)) else f"{host}:{port}"
    userinfo = parts.netloc.rpartition("@")[0]
    if userinfo:
        netloc = f"{userinfo}@{netloc}"
    fragment = parts.fragment if parts.fragment.startswith(("/", "!")) else ""
    return urlunsplit((scheme, netloc, parts.path.rstrip("/"), parts.query, fragment))
