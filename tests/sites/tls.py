"""Loopback ports that speak TLS with a certificate no browser accepts, made when they are first asked for."""

import ipaddress
import socket
import ssl
import tempfile
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<h1>Never</h1>\n"
)


def _self_signed(host: str, *, until: timedelta) -> bytes:
    """A key and a certificate for a host, as one PEM text."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=90))
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


KINDS = {
    "self_signed": lambda host: _self_signed(host, until=timedelta(days=90)),
    "expired": lambda host: _self_signed(host, until=timedelta(days=-1)),
    "wrong_host": lambda host: _self_signed(f"not-{host}", until=timedelta(days=90)),
}
"""What is wrong with a port's certificate, beside that nobody vouches for it."""


class TlsPort:
    """A port that answers every https request with a page, to whoever accepts its certificate."""

    def __init__(self, kind: str, host: str) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as folder:
            pem = Path(folder) / "certificate.pem"
            pem.write_bytes(KINDS[kind](host))
            context.load_cert_chain(pem)
        self._context = context
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
