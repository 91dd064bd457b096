"""A bucket of an object store that speaks S3: its address, and a client that is told apart from a missing one.

Keys come from the environment or a profile and the endpoint from `AWS_ENDPOINT_URL`, as the client library has it.
"""

import logging
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from census.errors import CensusError

_CONNECT_TIMEOUT, _READ_TIMEOUT = 5, 20
"""Seconds, of a connection and of silence."""


class Bucket(NamedTuple):
    """A bucket that answered."""

    name: str
    client: Any
    errors: tuple[type[Exception], ...]
    """What a request can raise."""


def s3_address(option: str, location: str) -> tuple[str, str]:
    """Bucket and prefix of `s3://BUCKET/PREFIX`. Raises CensusError, which never repeats a key in the address."""
    parts = urlsplit(location)
    if "@" in location or parts.query or parts.fragment or not parts.netloc:
        raise CensusError(
            f"{option}: write s3://BUCKET/PREFIX and nothing else; keys come from AWS_ACCESS_KEY_ID and"
            " AWS_SECRET_ACCESS_KEY or a profile, the endpoint from AWS_ENDPOINT_URL"
        )
    return parts.netloc, parts.path.strip("/")


def open_bucket(name: str, *, what: str, extra: str, attempts: int) -> Bucket:
    """Connect to a bucket; each request is made up to `attempts` times, with pauses that grow to 20 seconds.

    Raises CensusError when it cannot be reached; `what` says what was to go there, `extra` what installs the client.
    """
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise CensusError(f"{what} in s3:// needs `pip install 'webmcp-census[{extra}]'`") from None
    # Its debugging messages hold signed headers.
    logging.getLogger("botocore").setLevel(logging.WARNING)
    config = Config(
        retries={"mode": "standard", "total_max_attempts": attempts},
        connect_timeout=_CONNECT_TIMEOUT,
        read_timeout=_READ_TIMEOUT,
    )
    try:
        client = boto3.session.Session().client("s3", config=config)
        client.head_bucket(Bucket=name)
    except (BotoCoreError, ClientError, ValueError) as error:
        raise CensusError(
            f"{what} cannot go to s3://{name}: {error}; see AWS_ENDPOINT_URL, AWS_REGION and the keys"
        ) from None
    return Bucket(name, client, (BotoCoreError, ClientError))
