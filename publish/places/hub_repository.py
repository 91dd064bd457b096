"""A dataset repository on a Hugging Face hub: what publishing asks of it, and which refusals may pass."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import EntryNotFoundError, RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile

from census.checksums import is_below
from census.errors import CensusError
from census.manifest import MANIFEST
from publish.hub_client import DATASET, ENDPOINT, HUB_ERRORS, cause, prepare, status, without_secret
from publish.payload import PublishedFile
from publish.release_version import version_key

TOKEN = "HF_TOKEN"  # noqa: S105 -- the name of a variable
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504})
_MOVED = 412

Tree = Mapping[str, RepoFile]


class NotNowError(CensusError):
    """The hub did not answer, or refused for now: what it did is to be looked up."""


class MovedError(NotNowError):
    """The hub did not take a commit, because the branch is not where it was."""


class Refs(NamedTuple):
    """Where the branches and the tags of a repository point to."""

    branches: Mapping[str, str]
    tags: Mapping[str, str]


class HubRepository:
    """Every method raises CensusError when the hub refuses, NotNowError when it may be asked again."""

    def __init__(self, name: str) -> None:
        """Raises CensusError without a token in the environment; no other place is looked at for one."""
        self._token = os.environ.get(TOKEN, "").strip()
        if not self._token:
            raise CensusError(f"there is no token to publish with: set {TOKEN} in the environment")
        prepare()
        self.name = name
        self._api = HfApi(endpoint=os.environ.get(ENDPOINT) or None, token=self._token, library_name="webmcp-census")

    def refs(self) -> Refs | None:
        """Branches and tags; None when there is no such repository."""
        with self._asking("looked at"):
            try:
                refs = self._api.list_repo_refs(self.name, repo_type=DATASET)
            except RepositoryNotFoundError:
                return None
        return Refs(
            {each.name: each.target_commit for each in refs.branches},
            {each.name: each.target_commit for each in refs.tags},
        )

    def create(self) -> None:
        """Make the repository, as visible as the account's default is."""
        with self._asking("made"):
            self._api.create_repo(self.name, repo_type=DATASET, exist_ok=True)

    def tree(self, revision: str) -> Tree:
        """Every file of a commit or a tag, by path."""
        with self._asking("looked at"):
            entries = self._api.list_repo_tree(self.name, repo_type=DATASET, revision=revision, recursive=True)
            return {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}

    def version_at(self, revision: str) -> str | None:
        """Which version a commit is; None when it has no manifest."""
        with TemporaryDirectory() as folder, self._asking("looked at"):
            try:
                path = self._api.hf_hub_download(
                    self.name, MANIFEST, repo_type=DATASET, revision=revision, local_dir=folder
                )
            except EntryNotFoundError:
                # A connection that failed is an error of this kind too, as the file is not in the cache either.
                if MANIFEST in self.tree(revision):
                    raise
                return None
            content = Path(path).read_bytes()
        try:
            version = str(json.loads(content)["release_version"])
            version_key(version)
        except (ValueError, KeyError, TypeError):
            raise CensusError(f"hf:{self.name} holds a {MANIFEST} that is no release's; name another dataset") from None
        return version

    def commit(self, title: str, branch: str, parent: str, files: Sequence[PublishedFile], gone: Sequence[str]) -> None:
        """Make one commit on a branch, if it still is at `parent`. Raises CensusError when a file is not as listed."""
        adds = [CommitOperationAdd(path_in_repo=file.path, path_or_fileobj=str(file.source)) for file in files]
        for add, file in zip(adds, files, strict=True):
            if add.upload_info.sha256.hex() != file.sha256:
                raise CensusError(f"{file.source} is not what its checksum says; build the release again")
        with self._asking("committed to"):
            self._api.create_commit(
                self.name,
                [*adds, *(CommitOperationDelete(path_in_repo=path) for path in gone)],
                commit_message=title,
                repo_type=DATASET,
                revision=branch,
                parent_commit=parent,
            )

    def tag(self, name: str, commit: str) -> None:
        """Give a commit a tag; one that is there stays where it is."""
        with self._asking("tagged"):
            self._api.create_tag(self.name, tag=name, revision=commit, repo_type=DATASET, exist_ok=True)

    def create_branch(self, name: str, commit: str) -> None:
        """Begin a branch at a commit; one that is there stays."""
        with self._asking("branched"):
            self._api.create_branch(self.name, branch=name, revision=commit, repo_type=DATASET, exist_ok=True)

    def download(self, revision: str, into: Path) -> None:
        """Load every file of a commit."""
        with self._asking("loaded"):
            for path in self.tree(revision):
                if not is_below(path):
                    raise CensusError(f"hf:{self.name} holds {path!r}, which is no path of a release")
                self._api.hf_hub_download(self.name, path, repo_type=DATASET, revision=revision, local_dir=into)

    @contextmanager
    def _asking(self, done: str) -> Iterator[None]:
        try:
            yield
        except CensusError:
            raise
        except HUB_ERRORS as error:
            message = f"hf:{self.name} cannot be {done}: {without_secret(str(cause(error)), self._token)}"
            answer = status(error)
            if answer == _MOVED:
                raise MovedError(f"{message}; run the same command again") from None
            if answer is None or answer in _MAY_PASS:
                raise NotNowError(f"{message}; run the same command again, it goes on where it was") from None
            raise CensusError(f"{message}; see {TOKEN}, {ENDPOINT} and the name") from None


def is_the_same(there: RepoFile | None, file: PublishedFile) -> bool:
    """Whether a file of a repository has the bytes of a file of a release: by LFS' SHA-256, or git's own digest."""
    if there is None or there.size != file.bytes:
        return False
    if there.lfs:
        return there.lfs.sha256 == file.sha256
    content = file.source.read_bytes()
    return there.blob_id == hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
