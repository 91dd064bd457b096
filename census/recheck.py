"""What a release keeps of a page so that the next census can ask whether it has changed."""

import json

from pydantic import BaseModel, ConfigDict

from census.canonical_json import canonical_json


class Validator(BaseModel):
    """A document or script, and what its server said by which to ask for it again (RFC 9110, 8.8 and 13.1)."""

    model_config = ConfigDict(frozen=True)

    url: str
    etag: str | None = None
    last_modified: str | None = None
    """The header's text, or the same time as a date of HTTP."""


class Recheck(BaseModel):
    """The release that has a page, and what must not have changed for its rows to be carried over."""

    model_config = ConfigDict(frozen=True)

    release: str
    resources: tuple[Validator, ...]


def validators_json(resources: tuple[Validator, ...] | None) -> str | None:
    """As the tables have it: a list of [url, etag, last-modified]; null when there is nothing to ask by."""
    if not resources:
        return None
    return canonical_json([[each.url, each.etag, each.last_modified] for each in resources])


def validators_of(text: str | None) -> tuple[Validator, ...]:
    """Read a table's value back; nothing when it has none."""
    return tuple(
        Validator(url=url, etag=etag, last_modified=modified) for url, etag, modified in json.loads(text or "[]")
    )
