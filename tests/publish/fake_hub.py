"""A hub that takes commits, over real HTTP: what `huggingface_hub` and `datasets` ask of one, and no more.

Commits are compared and swapped under a lock as the real hub's are: 412 when the branch is not at `parentCommit`. Files
with a suffix of LFS are kept by their SHA-256 and refused when they do not have it. Writing needs the token, and so
does reading of a dataset in `private`. With `signs`, such files are read where the real hub has them: at a signed
address of another host (`localhost` here), which refuses whoever brings a token.
"""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

TOKEN = "hf_Th1sIsTheT0kenOfTheTests"
SIGNATURE = "X-Signature=th1sAddressIsASecretToo&Expires=1"
_LFS = (".parquet",)
_BEGIN = {".gitattributes": b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"}


@dataclass
class Commit:
    """A commit, with all its files."""

    oid: str
    title: str
    parent: str | None
    files: dict[str, bytes]


@dataclass
class Repository:
    """A dataset."""

    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def add(self, branch: str, title: str, files: dict[str, bytes], parent: str | None) -> str:
        oid = hashlib.sha1(f"{len(self.commits)} {branch} {title} {sorted(files)}".encode()).hexdigest()
        self.commits[oid] = Commit(oid, title, parent, files)
        self.branches[branch] = oid
        return oid

    def at(self, revision: str) -> Commit | None:
        revision = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        oid = self.branches.get(revision) or self.tags.get(revision) or revision
        return self.commits.get(oid)


class Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status, self.code = status, code


class FakeHub:
    """The hub; what it holds is in `repositories`."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.repositories: dict[str, Repository] = {}
        self.objects: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.private: set[str] = set()
        self.signs = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def files(self, name: str, revision: str) -> dict[str, bytes]:
        """The files of a revision, without those of the hub itself."""
        commit = self.repositories[name].at(revision)
        assert commit is not None
        return {path: content for path, content in commit.files.items() if path != ".gitattributes"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: FakeHub

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its name in the base class
        pass

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = unquote(urlsplit(self.path).path)
        with self.hub.lock:
            self.hub.requests.append(f"{self.command} {path}")
            try:
                for method, pattern, answer in _ROUTES:
                    match = re.fullmatch(pattern, path)
                    if match and method == ("GET" if self.command == "HEAD" else self.command):
                        if method != "GET" and not re.search("/validate-yaml|/paths-info/", path):
                            self._authorise(path)
                        answer(self, body, *match.groups())
                        return
                raise Refused(404, f"no such route: {self.command} {path}")
            except Refused as refused:
                self._send(refused.status, {"error": str(refused)}, {"X-Error-Code": refused.code})

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _serve  # noqa: N815 -- names of the base class

    def _authorise(self, path: str) -> None:
        # What a presigned address is for.
        if not path.startswith("/lfs/") and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise Refused(401, "Invalid credentials in Authorization header")

    def _send(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response_only(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _repository(self, name: str) -> Repository:
        if name not in self.hub.repositories:
            raise Refused(404, "Repository not found", "RepoNotFound")
        return self.hub.repositories[name]

    def _commit(self, name: str, revision: str) -> Commit:
        commit = self._repository(name).at(revision)
        if commit is None:
            raise Refused(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit

    def create(self, body: bytes) -> None:
        wanted = json.loads(body)
        assert wanted["type"] == "dataset"
        name = f"{wanted['organization']}/{wanted['name']}"
        url = f"http://{self.headers['Host']}/datasets/{name}"
        if name in self.hub.repositories:
            self._send(409, {"error": "You already created this dataset repo", "url": url})
            return
        self.hub.repositories[name] = repository = Repository()
        repository.add("main", "initial commit", dict(_BEGIN), None)
        self._send(200, {"url": url})

    def validate_yaml(self, _body: bytes) -> None:
        self._send(200, {"errors": [], "warnings": []})

    def refs(self, _body: bytes, name: str) -> None:
        repository = self._repository(name)
        self._send(
            200,
            {
                "branches": [
                    {"name": each, "ref": f"refs/heads/{each}", "targetCommit": oid}
                    for each, oid in repository.branches.items()
                ],
                "tags": [
                    {"name": each, "ref": f"refs/tags/{each}", "targetCommit": oid}
                    for each, oid in repository.tags.items()
                ],
                "converts": [],
            },
        )

    def info(self, _body: bytes, name: str, revision: str | None = None) -> None:
        commit = self._commit(name, revision or "main")
        siblings = [{"rfilename": path} for path in sorted(commit.files)]
        self._send(200, {"_id": "0", "id": name, "sha": commit.oid, "private": False, "tags": [], "siblings": siblings})

    def preupload(self, body: bytes, name: str, revision: str) -> None:
        commit = self._commit(name, revision)
        files = [
            {
                "path": each["path"],
                "uploadMode": "lfs" if each["path"].endswith(_LFS) else "regular",
                "shouldIgnore": False,
                **({"oid": _blob(commit.files[each["path"]])} if each["path"] in commit.files else {}),
            }
            for each in json.loads(body)["files"]
        ]
        self._send(200, {"files": files})

    def lfs_batch(self, body: bytes, name: str) -> None:
        self._repository(name)
        objects = []
        for each in json.loads(body)["objects"]:
            answer = {"oid": each["oid"], "size": each["size"]}
            if each["oid"] not in self.hub.objects:
                base = f"http://{self.headers['Host']}"
                answer["actions"] = {
                    "upload": {"href": f"{base}/lfs/{each['oid']}"},
                    "verify": {"href": f"{base}/lfs-verify"},
                }
            objects.append(answer)
        self._send(200, {"transfer": "basic", "objects": objects})

    def lfs_put(self, body: bytes, oid: str) -> None:
        if hashlib.sha256(body).hexdigest() != oid:
            raise Refused(400, "BadDigest")
        self.hub.objects[oid] = body
        self._send(200, {})

    def lfs_get(self, _body: bytes, oid: str) -> None:
        if self.headers.get("Authorization"):
            raise Refused(400, "Only one auth mechanism allowed")
        if urlsplit(self.path).query != SIGNATURE:
            raise Refused(403, "AccessDenied")
        self._send_range(self.hub.objects[oid], {})

    def lfs_verify(self, body: bytes) -> None:
        wanted = json.loads(body)
        if len(self.hub.objects.get(wanted["oid"], b"")) != wanted["size"]:
            raise Refused(404, "no such object")
        self._send(200, {})

    def commit(self, body: bytes, name: str, branch: str) -> None:
        repository = self._repository(name)
        header, *operations = [json.loads(line) for line in body.splitlines()]
        head = repository.branches.get(branch)
        if head is None:
            raise Refused(404, f"Invalid rev id: {branch}", "RevisionNotFound")
        if header["value"].get("parentCommit", head) != head:
            raise Refused(412, "A commit has happened since. Please refresh and try again.")
        files = dict(repository.commits[head].files)
        for operation in operations:
            value = operation["value"]
            if operation["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif operation["key"] == "lfsFile":
                if value["oid"] not in self.hub.objects:
                    raise Refused(400, f"LFS pointer pointed to a file that does not exist: {value['path']}")
                files[value["path"]] = self.hub.objects[value["oid"]]
            elif operation["key"] == "deletedFile":
                del files[value["path"]]
            else:
                raise Refused(400, f"no such operation: {operation['key']}")
        oid = repository.add(branch, header["value"]["summary"], files, head)
        self._send(200, {"success": True, "commitOid": oid, "commitUrl": f"/datasets/{name}/commit/{oid}"})

    def tag(self, body: bytes, name: str, revision: str) -> None:
        repository, commit = self._repository(name), self._commit(name, revision)
        tag = json.loads(body)["tag"]
        if tag in repository.tags:
            raise Refused(409, f"Tag {tag} already exists")
        repository.tags[tag] = commit.oid
        self._send(200, {})

    def branch(self, body: bytes, name: str, branch: str) -> None:
        repository = self._repository(name)
        if branch in repository.branches:
            raise Refused(409, f"Reference {branch} already exists")
        repository.branches[branch] = self._commit(name, json.loads(body).get("startingPoint", "main")).oid
        self._send(200, {})

    def tree(self, _body: bytes, name: str, revision: str, below: str | None = None) -> None:
        prefix = f"{below}/" if below else ""
        files = {path: each for path, each in self._commit(name, revision).files.items() if path.startswith(prefix)}
        if below and not files:
            raise Refused(404, f"{below} does not exist", "EntryNotFound")
        deep = "recursive=true" in self.path.lower()
        rests = {path: path.removeprefix(prefix) for path in files}
        folders = sorted({prefix + rest.split("/")[0] for rest in rests.values() if "/" in rest})
        entries = [{"type": "directory", "path": each, "oid": "0" * 40, "size": 0} for each in folders]
        entries += [_entry(path, files[path]) for path in sorted(files) if deep or "/" not in rests[path]]
        self._send(200, entries)

    def paths_info(self, body: bytes, name: str, revision: str) -> None:
        files = self._commit(name, revision).files
        content_type = self.headers.get("Content-Type", "")
        wanted = json.loads(body)["paths"] if "json" in content_type else re.findall(rb"paths=([^&]+)", body)
        paths = [unquote(each.decode()) if isinstance(each, bytes) else each for each in wanted]
        entries = []
        for path in paths:
            if path in files:
                entries.append(_entry(path, files[path]))
            elif any(each.startswith(f"{path}/") for each in files):
                entries.append({"type": "directory", "path": path, "oid": "0" * 40, "size": 0})
        self._send(200, entries)

    def resolve(self, _body: bytes, name: str, revision: str, path: str) -> None:
        if name in self.hub.private and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            raise Refused(401, "Invalid username or password.")
        commit = self._commit(name, revision)
        if path not in commit.files:
            raise Refused(404, "Entry not found", "EntryNotFound")
        content = commit.files[path]
        tag = hashlib.sha256(content).hexdigest() if path.endswith(_LFS) else _blob(content)
        headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{tag}"', "Accept-Ranges": "bytes"}
        if self.hub.signs and path.endswith(_LFS):
            headers["Location"] = f"http://localhost:{self.server.server_port}/lfs/{tag}?{SIGNATURE}"
            headers["X-Linked-ETag"], headers["X-Linked-Size"] = f'"{tag}"', str(len(content))
            self._send(302, b"", headers)
            return
        self._send_range(content, headers)

    def _send_range(self, content: bytes, headers: dict[str, str]) -> None:
        span = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if span is None or self.command != "GET":
            self._send(200, content, headers)
            return
        end = len(content) - 1
        first = int(span[1]) if span[1] else max(0, len(content) - int(span[2]))
        last = min(int(span[2] or end), end) if span[1] else end
        headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
        self._send(206, content[first : last + 1], headers)


def _blob(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def _entry(path: str, content: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": _blob(content)}
    if path.endswith(_LFS):
        pointer = b"version https://git-lfs.github.com/spec/v1\n"
        entry["oid"] = _blob(pointer + content)
        entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
    return entry


_NAME = r"([\w.-]+/[\w.-]+)"
_ROUTES: tuple[tuple[str, str, Callable[..., None]], ...] = (
    ("POST", "/api/repos/create", _Handler.create),
    ("POST", "/api/validate-yaml", _Handler.validate_yaml),
    ("GET", f"/api/datasets/{_NAME}/refs", _Handler.refs),
    ("GET", f"/api/datasets/{_NAME}", _Handler.info),
    ("GET", f"/api/datasets/{_NAME}/revision/(.+)", _Handler.info),
    ("POST", f"/api/datasets/{_NAME}/preupload/([^/]+)", _Handler.preupload),
    ("POST", f"/datasets/{_NAME}.git/info/lfs/objects/batch", _Handler.lfs_batch),
    ("PUT", r"/lfs/([0-9a-f]{64})", _Handler.lfs_put),
    ("GET", r"/lfs/([0-9a-f]{64})", _Handler.lfs_get),
    ("POST", "/lfs-verify", _Handler.lfs_verify),
    ("POST", f"/api/datasets/{_NAME}/commit/(.+)", _Handler.commit),
    ("POST", f"/api/datasets/{_NAME}/tag/(.+)", _Handler.tag),
    ("POST", f"/api/datasets/{_NAME}/branch/(.+)", _Handler.branch),
    ("GET", f"/api/datasets/{_NAME}/tree/([^/]+)", _Handler.tree),
    ("GET", f"/api/datasets/{_NAME}/tree/([^/]+)/(.+)", _Handler.tree),
    ("POST", f"/api/datasets/{_NAME}/paths-info/([^/]+)", _Handler.paths_info),
    ("GET", f"/datasets/{_NAME}/resolve/([^/]+)/(.+)", _Handler.resolve),
)
