"""Looking a page up where a release was published, an object store or a hub: only what is needed is loaded."""

import re
from typing import Any

import polars as pl
from pydantic import ValidationError

from census.errors import CensusError
from census.manifest import MANIFEST, Manifest
from census.optout import OptOut
from census.parquet import table_path
from census.s3_bucket import s3_address
from publish.latest import LATEST, parse_latest
from publish.lookup.release_tables import ReleaseTables

_HUB_NAME = re.compile(r"hf:([A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)(?:@([\w.-]+))?")


def s3_tables(address: str, optout: OptOut) -> ReleaseTables:
    """A release in `s3://BUCKET/PREFIX`: a version's own prefix, or one with `latest.json`, which names it.

    Keys, region and endpoint are those of the standard client. Raises CensusError when there is no release.
    """
    bucket, prefix = s3_address("--release", address)
    try:
        import boto3
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise CensusError("--release s3://… needs `pip install 'webmcp-census[publish]'`") from None
    session = boto3.session.Session()
    client = session.client("s3")
    base = f"{prefix}/" if prefix else ""
    try:
        manifest = _object(client, bucket, base + MANIFEST)
        if manifest is None:
            latest = _object(client, bucket, base + LATEST)
            base += parse_latest(latest, f"s3://{bucket}/{base}{LATEST}").path if latest is not None else ""
            manifest = _object(client, bucket, base + MANIFEST)
    except (BotoCoreError, ClientError) as error:
        raise CensusError(f"{address} cannot be read: {error}; see AWS_ENDPOINT_URL, AWS_REGION and the keys") from None
    options = _options(session, client)
    root = f"s3://{bucket}/{base}"
    return ReleaseTables(
        _version(address, manifest),
        lambda table: pl.scan_parquet(root + table_path(table), storage_options=options),
        optout,
    )


def hub_tables(address: str, optout: OptOut) -> ReleaseTables:
    """A release in the dataset `hf:OWNER/NAME`, its latest one, or `hf:OWNER/NAME@VERSION`.

    Token and endpoint are those of the official client. Raises CensusError when there is no release.
    """
    named = _HUB_NAME.fullmatch(address)
    if named is None:
        raise CensusError(f"--release {address}: write hf:OWNER/NAME, or hf:OWNER/NAME@2026.11.0")
    try:
        from publish.lookup.hub_dataset import HubDataset
    except ImportError:
        raise CensusError("--release hf:… needs `pip install 'webmcp-census[publish]'`") from None
    dataset = HubDataset(named[1], named[2])
    version = _version(address, dataset.manifest())
    return ReleaseTables(version, lambda table: pl.scan_parquet(dataset.place_of(table_path(table))), optout)


def _object(client: Any, bucket: str, key: str) -> bytes | None:
    """A small object; None when it is not there."""
    try:
        body: bytes = client.get_object(Bucket=bucket, Key=key)["Body"].read()
    except client.exceptions.NoSuchKey:
        return None
    return body


def _options(session: Any, client: Any) -> dict[str, str]:
    """What Polars needs to know of the standard client's settings."""
    options = {"aws_endpoint_url": client.meta.endpoint_url, "aws_region": client.meta.region_name or "us-east-1"}
    options["aws_allow_http"] = "true" if client.meta.endpoint_url.startswith("http:") else "false"
    if credentials := session.get_credentials():
        frozen = credentials.get_frozen_credentials()
        options |= {"aws_access_key_id": frozen.access_key, "aws_secret_access_key": frozen.secret_key}
        if frozen.token:
            options["aws_session_token"] = frozen.token
    return options


def _version(address: str, manifest: bytes | None) -> str:
    if manifest is None:
        raise CensusError(f"{address} holds no release; name what `webmcp-census publish --to` was given")
    try:
        return Manifest.model_validate_json(manifest).release_version
    except ValidationError as error:
        raise CensusError(f"{address} holds no release of this version of webmcp-census: {error}") from error
