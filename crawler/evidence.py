"""Where visit records go: a folder, or an object store that many machines share."""

from pathlib import Path
from typing import Protocol

from census.errors import CensusError
from census.run import EvidenceStore
from census.s3_bucket import s3_address
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
    return S3Evidence(*s3_address("--evidence", location))
