"""A folder of pages, served on loopback while it is measured, and the variants of a page in it."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from census.errors import CensusError
from measure.rates.rate_plan import Served


def variants(folder: Path, page: str) -> list[str]:
    """The variants of a page in a folder: the folder itself (an empty name), then its sub-folders, that have the page.

    Raises CensusError when there is none, and for a page that is no path in a folder.
    """
    path = PurePosixPath(page)
    if path.is_absolute() or ".." in path.parts or "://" in page:
        raise CensusError(f"a set is for {page!r}, which is no path in a folder: leave out --serve and give URLs")
    here = [""] if (folder / path).is_file() else []
    below = sorted(each.name for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))
    found = here + [name for name in below if (folder / name / path).is_file()]
    if not found:
        raise CensusError(f"neither {folder} nor a sub-folder of it has the page {page}: name the folder with --serve")
    return found


def served(folder: Path) -> Served:
    """Name a folder by its content. Raises CensusError when it cannot be read."""
    digest = hashlib.sha256()
    try:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise CensusError(f"--serve {folder} cannot be read: {error.filename}: {error.strerror}") from error
    return Served(name=folder.resolve().name, digest=digest.hexdigest())


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of 127.0.0.1; gives the address of its root, without a slash at the end."""
    server = _Server(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def served_url(root: str, page: str, variant: str) -> str:
    """The address of a page's variant."""
    return "/".join([root, *filter(None, [quote(variant), quote(page)])])


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Many pages are opened at once, and the default is five connections.
    request_queue_size = 256


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def end_headers(self) -> None:
        # A page that is measured twice is fetched twice.
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class's name
        """Say nothing: the progress has the terminal."""
