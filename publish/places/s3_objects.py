"""The objects of a bucket: written under a condition, with a digest for the store to compare, and read back."""

import base64
import hashlib
import random
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

from census.errors import CensusError
from census.s3_bucket import open_bucket

ATTEMPTS = 6
"""Of each request, and of taking part in a race for one object."""
_MISSING, _CONFLICT, _PRECONDITION = 404, 409, 412
_CHUNK = 1 << 20


class S3Objects:
    """What publishing needs of a bucket. Every method raises CensusError when the store refuses or does not answer."""

    def __init__(self, bucket: str) -> None:
        """Raises CensusError when the bucket cannot be reached."""
        self._bucket = open_bucket(bucket, what="a release", extra="publish", attempts=ATTEMPTS)

    def name(self, key: str) -> str:
        """The address of an object, for people."""
        return f"s3://{self._bucket.name}/{key}"

    def put(self, key: str, body: bytes | BinaryIO, sha256: str, **condition: str) -> bool:
        """Write an object; False when the condition (`IfNoneMatch="*"` or `IfMatch=TAG`) does not hold.

        The store compares the digest, and refuses a body that does not have it.
        """
        checksum = base64.b64encode(bytes.fromhex(sha256)).decode()
        for attempt in range(ATTEMPTS):
            if not isinstance(body, bytes):
                body.seek(0)
            try:
                self._bucket.client.put_object(
                    Bucket=self._bucket.name, Key=key, Body=body, ChecksumSHA256=checksum, **condition
                )
            except self._bucket.errors as error:
                status = _status(error)
                if status == _CONFLICT and attempt + 1 < ATTEMPTS:
                    # S3's answer when two conditional writes of one object meet: ask again.
                    pause(attempt)
                    continue
                # With `If-Match`, a missing object is a condition that does not hold.
                if status == _PRECONDITION or (status == _MISSING and "IfMatch" in condition):
                    return False
                raise self._failed("written", key, error) from None
            return True
        raise AssertionError("the last attempt returns or raises")

    def read(self, key: str) -> tuple[bytes, str] | None:
        """A small object and its entity tag; None when it is not there."""
        try:
            answer = self._bucket.client.get_object(Bucket=self._bucket.name, Key=key)
            return answer["Body"].read(), answer["ETag"]
        except self._bucket.errors as error:
            if _status(error) == _MISSING:
                return None
            raise self._failed("read", key, error) from None

    def chunks(self, key: str) -> Iterator[bytes]:
        """An object of any size, piece by piece."""
        try:
            answer = self._bucket.client.get_object(Bucket=self._bucket.name, Key=key)
            yield from answer["Body"].iter_chunks(_CHUNK)
        except self._bucket.errors as error:
            raise self._failed("read", key, error) from None

    def sha256_sent(self, key: str) -> str:
        """The digest of what the store sends to a reader, in hex."""
        digest = hashlib.sha256()
        for chunk in self.chunks(key):
            digest.update(chunk)
        return digest.hexdigest()

    def sha256(self, key: str) -> str:
        """The store's own digest of an object where it keeps one of the whole object, else that of what it sends."""
        try:
            head = self._bucket.client.head_object(Bucket=self._bucket.name, Key=key, ChecksumMode="ENABLED")
        except self._bucket.errors as error:
            raise self._failed("read", key, error) from None
        checksum = head.get("ChecksumSHA256")
        if checksum and head.get("ChecksumType", "FULL_OBJECT") == "FULL_OBJECT":
            return base64.b64decode(checksum).hex()
        return self.sha256_sent(key)

    def keys(self, prefix: str) -> set[str]:
        """The keys of all objects with a prefix."""
        try:
            pages = self._bucket.client.get_paginator("list_objects_v2").paginate(
                Bucket=self._bucket.name, Prefix=prefix
            )
            return {each["Key"] for page in pages for each in page.get("Contents", [])}
        except self._bucket.errors as error:
            raise self._failed("listed", prefix, error) from None

    def _failed(self, done: str, key: str, error: Exception) -> CensusError:
        return CensusError(
            f"{self.name(key)} cannot be {done}: {error}; what is there stays, run the same command again when the"
            " store is well"
        )


def pause(attempt: int) -> None:
    """Wait a little longer each time, and not as long as the others in the race do."""
    time.sleep(random.uniform(0.05, 0.1) * 2**attempt)  # noqa: S311 -- no secret


def _status(error: Exception) -> int:
    response: dict[str, Any] = getattr(error, "response", None) or {}
    status: int = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return status
