"""The small web over TLS, for pages that have to be at an `https` address of their own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sites.server import Server, SmallWeb
from tests.sites.tls import self_signed, server_context

ACCEPTED = "--ignore-certificate-errors"
"""The switch of a browser that is to accept the certificate, which nobody vouches for."""


@contextmanager
def https_port(web: SmallWeb) -> Iterator[int]:
    """A port that serves the sites of a running web over TLS while the `with` block lasts."""
    server = Server(("127.0.0.1", 0), web.handler())
    # Shaking hands when the connection is accepted would make all others wait for one that does not speak.
    server.socket = server_context(self_signed("localhost")).wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        server.hang_up()
        thread.join(timeout=5)
