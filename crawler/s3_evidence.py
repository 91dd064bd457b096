"""Visit records in an S3 bucket, one object each, named by the SHA-256 of its JSON text."""

import base64
import gzip
import hashlib
import zlib

from census.errors import CensusError
from census.s3_bucket import open_bucket
from census.visit import Visit

_ATTEMPTS = 6
"""Of each request."""


class S3Evidence:
    """Like `census.run.EvidenceStore`, at PREFIX/ab/abcd….json.gz. Usable from several threads at once."""

    def __init__(self, bucket: str, prefix: str) -> None:
        """Raises CensusError when the bucket cannot be reached or written to."""
        store = open_bucket(bucket, what="evidence", extra="workers", attempts=_ATTEMPTS)
        self._client = store.client
        self._errors = store.errors
        self._unreadable: tuple[type[Exception], ...] = (*store.errors, OSError, EOFError, zlib.error)
        self._bucket = bucket
        self._prefix = f"{prefix}/" if prefix else ""

    def save(self, visit: Visit) -> str:
        """Write the record; the server compares a checksum before it says yes."""
        text = visit.model_dump_json().encode()
        digest = hashlib.sha256(text).hexdigest()
        packed = gzip.compress(text, compresslevel=6, mtime=0)
        try:
            self._client.put_object(
                Bucket=self._bucket,
                Key=self._key(digest),
                Body=packed,
                ContentType="application/gzip",
                ChecksumSHA256=base64.b64encode(hashlib.sha256(packed).digest()).decode(),
            )
        except self._errors as error:
            raise CensusError(
                f"evidence cannot be written to s3://{self._bucket}: {error}; what was recorded is kept, run the"
                " same command again when the store is well"
            ) from None
        return digest

    def packed(self, digest: str) -> bytes:
        """A record as it is stored. Raises CensusError when it is missing or is not what its name says."""
        try:
            answer = self._client.get_object(Bucket=self._bucket, Key=self._key(digest))
            packed: bytes = answer["Body"].read()
            text = gzip.decompress(packed)
        except self._unreadable as error:
            raise CensusError(
                f"evidence s3://{self._bucket}/{self._key(digest)} cannot be read: {error}; restore it, or have its"
                " target visited again"
            ) from None
        if hashlib.sha256(text).hexdigest() != digest:
            raise CensusError(f"evidence s3://{self._bucket}/{self._key(digest)} does not have the digest in its name")
        return packed

    def _key(self, digest: str) -> str:
        return f"{self._prefix}{digest[:2]}/{digest}.json.gz"
