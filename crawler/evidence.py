"""Where visit records go: a folder, or an object store that many machines share."""

from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from census.errors import CensusError
from census.run import EvidenceStore
from census.visit import Visit
from crawler.s3_evidence import S3Evidence


class Evidence(Protocol):
    """Keeps visit records by their digest. Saving one twice is saving it once."""

    def save(self, visit: Visit) -> str:
        """Keep a record so that it survives; returns the SHA-256 of its JSON text, in hex."""


def open_evidence(location: str) -> EvidenceStore | S3Evidence:
    """The store at `s3://BUCKET/PREFIX` or in a folder. Raises CensusError when it cannot be used."""
    scheme, colon, _ = location.partition("://")
    if not colon:
        folder = Path(location)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CensusError(
                f"evidence cannot go to {folder}: {error.strerror}; give --evidence another place"
            ) from error
        return EvidenceStore(folder)
    if scheme != "s3":
        raise CensusError(f"--evidence {scheme}://…: evidence goes to a folder or to s3://BUCKET/PREFIX")
    parts = urlsplit(location)
    if "@" in location or parts.query or parts.fragment or not parts.netloc:
        raise CensusError(
            "--evidence: write s3://BUCKET/PREFIX and nothing else; keys come from AWS_ACCESS_KEY_ID and"
            " AWS_SECRET_ACCESS_KEY or a profile, the endpoint from AWS_ENDPOINT_URL"
        )
    return S3Evidence(parts.netloc, parts.path.strip("/"))
