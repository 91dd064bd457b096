"""A release in a dataset of a Hugging Face hub, read by range with the token of whoever asks.

The official client finds the token (`HF_TOKEN`, or what `hf auth login` left) and sends it to the hub alone. The hub
answers with an address of the file that is signed and valid for a while, and the Parquet reader is given that one: it
has no use for a token, and none reaches the host where the bytes lie. The address is a secret too, and is never shown.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from huggingface_hub import HfApi, get_token, hf_hub_url
from huggingface_hub.errors import EntryNotFoundError

from census.errors import CensusError
from census.manifest import MANIFEST
from publish.hub_client import DATASET, ENDPOINT, HUB_ERRORS, cause, prepare, status, without_secret

_NOT_FOR_YOU = frozenset({401, 403, 404})
"""What a hub answers for a dataset that is not there, and for one that whoever asks must not see."""


class HubDataset:
    """One commit of a dataset: the one that its branch or tag was at when its manifest was asked for.

    Every method raises CensusError when the hub refuses or cannot be asked.
    """

    def __init__(self, name: str, version: str | None) -> None:
        """`version` is a tag; None is the latest release."""
        prepare()
        self._name, self._revision = name, version
        self._api = HfApi(endpoint=os.environ.get(ENDPOINT) or None, library_name="webmcp-census")
        self.place_of = cache(self._place_of)

    def manifest(self) -> bytes | None:
        """The manifest; None when the dataset has none. What is read afterwards is of the same commit."""
        with self._asking():
            try:
                self._revision = self._api.get_hf_file_metadata(url=self._url(MANIFEST)).commit_hash or self._revision
            except EntryNotFoundError:
                return None
            with TemporaryDirectory() as folder:
                return Path(self._download(MANIFEST, folder)).read_bytes()

    def _place_of(self, path: str) -> str:
        """Where a file can be read without a token: an address, or a copy in the client's cache.

        A hub that serves its files itself has no address for whoever brings no token; with one, the file is copied.
        """
        with self._asking():
            place = self._api.get_hf_file_metadata(url=self._url(path)).location
            if get_token() and urlsplit(place).netloc == urlsplit(self._api.endpoint).netloc:
                return self._download(path, None)
            return place

    def _url(self, path: str) -> str:
        return hf_hub_url(self._name, path, repo_type=DATASET, revision=self._revision, endpoint=self._api.endpoint)

    def _download(self, path: str, folder: str | None) -> str:
        return self._api.hf_hub_download(self._name, path, repo_type=DATASET, revision=self._revision, local_dir=folder)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        name = f"hf:{self._name}" + (f"@{self._revision}" if self._revision else "")
        try:
            yield
        except HUB_ERRORS as error:
            if status(error) in _NOT_FOR_YOU:
                raise CensusError(
                    f"{name} is not there, or is not for everybody: see the name, and set HF_TOKEN or log in with"
                    " `hf auth login` for a private dataset"
                ) from None
            said = without_secret(str(cause(error)), get_token())
            raise CensusError(f"{name} cannot be read: {said}; see HF_TOKEN and {ENDPOINT}") from None
