"""Visit records in an S3 bucket, one object each, named by the SHA-256 of its JSON text."""

import base64
import gzip
import hashlib
import logging
import zlib
from typing import Any

from census.errors import CensusError
from census.visit import Visit

_ATTEMPTS = 6
"""Of each request; the pauses between them grow to 20 seconds."""


class S3Evidence:
    """Like `census.run.EvidenceStore`, at PREFIX/ab/abcd….json.gz. Usable from several threads at once."""

    def __init__(self, bucket: str, prefix: str) -> None:
        """Raises CensusError when the bucket cannot be reached or written to."""
        try:
            import boto3
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError, ClientError
        except ImportError:
            raise CensusError("evidence in s3:// needs `pip install 'webmcp-census[workers]'`") from None
        # Its debugging messages hold signed headers.
        logging.getLogger("botocore").setLevel(logging.WARNING)
        self._errors = (BotoCoreError, ClientError)
        self._bucket = bucket
        self._prefix = f"{prefix}/" if prefix else ""
        self._config = Config(
            retries={"mode": "standard", "total_max_attempts": _ATTEMPTS}, connect_timeout=5, read_timeout=20
        )
        try:
            self._client: Any = boto3.session.Session().client("s3", config=self._config)
            self._client.head_bucket(Bucket=bucket)
        except (BotoCoreError, ClientError, ValueError) as error:
            raise CensusError(
                f"evidence cannot go to s3://{bucket}: {error}; see AWS_ENDPOINT_URL, AWS_REGION and the keys"
            ) from None

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
        except (*self._errors, OSError, EOFError, zlib.error) as error:
            raise CensusError(
                f"evidence s3://{self._bucket}/{self._key(digest)} cannot be read: {error}; restore it, or have its"
                " target visited again"
            ) from None
        if hashlib.sha256(text).hexdigest() != digest:
            raise CensusError(f"evidence s3://{self._bucket}/{self._key(digest)} does not have the digest in its name")
        return packed

    def _key(self, digest: str) -> str:
        return f"{self._prefix}{digest[:2]}/{digest}.json.gz"
