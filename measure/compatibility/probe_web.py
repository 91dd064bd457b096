"""The small web that the questions are asked on: every behaviour's pages, on several origins of the loopback."""

import json
import ssl
import tempfile
import threading
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from measure.compatibility.behaviour import ANSWERING, Behaviour, Page
from measure.compatibility.probing import Origin

_HOSTS = {
    Origin.HTTPS: "https://host.test",
    Origin.SAME_SITE: "https://sub.host.test",
    Origin.OTHER_SITE: "https://other.test",
    Origin.THIRD_SITE: "https://third.test",
    Origin.HTTP: "http://host.test",
    Origin.LOCALHOST: "http://localhost",
    Origin.LOOPBACK: "http://127.0.0.1",
}
TEST_HOSTS = ("host.test", "sub.host.test", "other.test", "third.test")
"""The names that a browser must take for the loopback."""

_ANSWERING_SCRIPT = """
globalThis.addEventListener('message', async ({ data, ports }) => {
  if (typeof data?.probe !== 'string') return;
  const make = %s;
  const AsyncFunction = (async () => {}).constructor;
  const ask = new AsyncFunction('probe', data.probe);
  ports[0].postMessage(await make(%s, data.folder ?? '', data.patience ?? 1).run(ask));
});
"""


@cache
def probe_source() -> str:
    """The text of probe.js: an expression that makes `probe`."""
    text = files("measure.compatibility").joinpath("probe.js").read_text(encoding="utf-8")
    return text[text.index("(origins, folder, patience) =>") :].rstrip().removesuffix(";")


class ProbeWeb:
    """Serves the pages of behaviours while the `with` block lasts, over http and https."""

    def __init__(self, behaviours: Iterable[Behaviour], folder: Path) -> None:
        """`folder` gets the pages that are opened as files."""
        self._pages = {f"/{each.id}/{path}": page for each in behaviours for path, page in each.pages.items()}
        self._empty = {f"/{each.id}/" for each in behaviours if "" not in each.pages}
        self._folder = folder

    def __enter__(self) -> Self:
        self._plain = _Server(self)
        self._secure = _Server(self, _tls())
        self.origins = {
            origin: f"{host}:{(self._secure if host.startswith('https') else self._plain).port}"
            for origin, host in _HOSTS.items()
        }
        """Each origin, as `location.origin` says it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._plain.stop()
        self._secure.stop()

    def url(self, behaviour: Behaviour, path: str, origin: Origin) -> str:
        """The address of a page of a behaviour; a page at a `file:` address is written first."""
        where = f"/{behaviour.id}/{path}"
        if origin is not Origin.FILE:
            return self.origins[origin] + where
        file = self._folder / f"{behaviour.id}/{path or 'index'}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.expand((self.find(where) or Page()).body), encoding="utf-8", errors="surrogatepass")
        return file.resolve().as_uri()

    def expand(self, text: str) -> str:
        """Put origins for `{{https}}`, `{{other_site}}` and so on."""
        for origin, address in self.origins.items():
            text = text.replace("{{" + origin.value + "}}", address)
        return text

    def without_ports(self, text: str) -> str:
        """The text with the origins of this run as they are in every run: their ports taken out."""
        for origin, address in self.origins.items():
            text = text.replace(address, _HOSTS[origin])
        return text

    def probe(self, behaviour: Behaviour, patience: int = 1) -> str:
        """An expression that is the `probe` of a behaviour's scripts, whose waits are `patience` times as long."""
        return f"({probe_source()})({self._origins_json()}, {json.dumps(f'/{behaviour.id}/')}, {patience})"

    def find(self, path: str) -> Page | None:
        """The page at a path of every origin."""
        if path == "/answering":
            return Page(ANSWERING)
        if path == "/probe.js":
            script = _ANSWERING_SCRIPT % (probe_source(), self._origins_json())
            return Page(script, content_type="text/javascript; charset=utf-8")
        return Page() if path in self._empty else self._pages.get(path)

    def _origins_json(self) -> str:
        return json.dumps({origin.value: address for origin, address in self.origins.items()})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, web: ProbeWeb, tls: ssl.SSLContext | None = None) -> None:
        self.web = web
        super().__init__(("127.0.0.1", 0), _Handler)
        if tls:
            # Shaking hands when a connection is accepted would make all others wait for one that does not speak.
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.port: int = self.server_address[1]
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join(timeout=5)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: browsers that crash break their connections off."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def _serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length:
            self.rfile.read(length)
        web = self.server.web
        page = web.find(urlsplit(self.path).path)
        if page is None:
            page = Page("<!doctype html><title>404</title>", status=404)
        body = web.expand(page.body).encode("utf-8", "surrogatepass")
        self.send_response(page.status)
        headers: Mapping[str, str] = {
            "Content-Type": page.content_type,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            **page.headers,
        }
        for name, value in headers.items():
            self.send_header(name, web.expand(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    do_GET = do_POST = do_HEAD = _serve  # noqa: N815 -- the base class looks for these names

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class's name
        """Keep quiet."""


def _tls() -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, TEST_HOSTS[0])])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in TEST_HOSTS]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(private + certificate.public_bytes(serialization.Encoding.PEM))
        file.flush()
        context.load_cert_chain(file.name)
    return context
