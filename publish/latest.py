"""`latest.json`: which version a place shows to those who ask for no other. It never goes back."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from census.errors import CensusError
from publish.payload import Payload
from publish.release_version import version_key

LATEST = "latest.json"


class Latest(BaseModel):
    """What `latest.json` holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    made_by: Literal["webmcp-census"] = "webmcp-census"
    release_version: str
    schema_version: str
    path: str
    """Where the version is, relative to this file."""
    manifest_sha256: str

    def content(self) -> bytes:
        """The file."""
        return (self.model_dump_json(indent=2) + "\n").encode()


def latest_of(payload: Payload) -> Latest:
    """What the file says when a release is the latest."""
    return Latest(
        release_version=payload.release_version,
        schema_version=payload.schema_version,
        path=f"{payload.release_version}/",
        manifest_sha256=payload.manifest.sha256,
    )


def parse_latest(content: bytes, place: str) -> Latest:
    """Read the file. Raises CensusError when it is not what this tool writes."""
    try:
        latest = Latest.model_validate_json(content)
        version_key(latest.release_version)
    except (ValidationError, ValueError):
        raise CensusError(
            f"{place} is not what webmcp-census writes; put it right or take it away, then publish again"
        ) from None
    if latest.path != f"{latest.release_version}/":
        raise CensusError(f"{place} points to {latest.path!r}, which is no version; put it right, then publish again")
    return latest
