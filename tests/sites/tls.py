"""Loopback ports that speak TLS with a certificate no browser accepts, made when they are first asked for."""

import ipaddress
import socket
import ssl
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<h1>Never</h1>\n"
)


def self_signed(host: str, *, since: timedelta = timedelta(days=-90), until: timedelta = timedelta(days=90)) -> bytes:
    """A key and a certificate for a host, as one PEM text; the times are counted from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + since)
        .not_valid_after(now + until)
        .add_extension(
            x509.SubjectAlternativeName([x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def server_context(pem: bytes) -> ssl.SSLContext:
    """What a server needs to speak TLS with this key and certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(pem)
        file.flush()
        context.load_cert_chain(file.name)
    return context


def _old_version(host: str) -> ssl.SSLContext:
    """TLS 1.1 and no newer: browsers gave it up in 2020."""
    context = server_context(self_signed(host))
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # old is what it is to be
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    return context


KINDS: dict[str, Callable[[str], ssl.SSLContext]] = {
    "self_signed": lambda host: server_context(self_signed(host)),
    "expired": lambda host: server_context(self_signed(host, until=timedelta(days=-1))),
    "not_yet_valid": lambda host: server_context(self_signed(host, since=timedelta(days=1))),
    "wrong_host": lambda host: server_context(self_signed(f"not-{host}")),
    "old_version": _old_version,
}
"""What is wrong with a port, beside that nobody vouches for its certificate."""


class TlsPort:
    """A port that answers every https request with a page, to whoever accepts its certificate."""

    def __init__(self, kind: str, host: str) -> None:
        self._context = KINDS[kind](host)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Accept nobody any more."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        try:
            with self._context.wrap_socket(connection, server_side=True) as secured:
                secured.recv(4096)
                secured.sendall(_ANSWER)
        except OSError:
            # A client that does not accept the certificate hangs up: that is what the port is for.
            connection.close()
