import http.client
import socket
import ssl
import time

import pytest

from tests.sites.https import https_port
from tests.sites.server import Manner, Reply, Request, Site, SmallWeb, redirect


def _ask(web: SmallWeb, host: str, path: str = "/", method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=5)
    try:
        connection.request(method, path, headers={"Host": f"{host}:{web.port}"})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def test_sites_are_told_apart_by_host_and_share_one_port() -> None:
    with SmallWeb([Site("a", {"/": Reply("A")}), Site("b.c", {"/": Reply("B")})]) as web:
        assert _ask(web, "a.localhost")[2] == b"A"
        assert _ask(web, "a.test")[2] == b"A"
        assert _ask(web, "b.c.localhost")[2] == b"B"
        assert _ask(web, "unknown.localhost")[0] == 421
        assert _ask(web, "a.localhost", "/missing")[0] == 404


def test_a_path_with_its_query_wins_over_the_path_alone() -> None:
    with SmallWeb([Site("a", {"/": Reply("any"), "/?page=2": Reply("two")})]) as web:
        assert _ask(web, "a.localhost", "/?page=2")[2] == b"two"
        assert _ask(web, "a.localhost", "/?page=3")[2] == b"any"


def test_placeholders_become_origins() -> None:
    sites = [Site("a", {"/": Reply("{{b}} {{b.test}} {{port}} {{ else }}"), "/r": redirect("{{b}}/x")})]
    with SmallWeb(sites) as web:
        expected = f"http://b.localhost:{web.port} http://b.test:{web.port} {web.port} {{{{ else }}}}"
        assert _ask(web, "a.localhost")[2].decode() == expected
        status, headers, _ = _ask(web, "a.localhost", "/r")
        assert (status, headers["Location"]) == (302, f"http://b.localhost:{web.port}/x")
        assert web.url("b.test", "/p") == f"http://b.test:{web.port}/p"


def test_a_route_can_be_a_function_and_requests_are_logged() -> None:
    def echo(request: Request) -> Reply:
        return Reply(f"{request.method} {request.query} {request.headers['host']}")

    with SmallWeb([Site("a", {"/echo": echo})]) as web:
        body = _ask(web, "a.localhost", "/echo?x=1")[2].decode()
        assert body == f"GET x=1 a.localhost:{web.port}"
        assert [request.path for request in web.requests("a")] == ["/echo"]
        assert web.requests("b") == []


def test_head_and_204_have_no_body() -> None:
    with SmallWeb([Site("a", {"/": Reply("text"), "/none": Reply("ignored", status=204)})]) as web:
        assert _ask(web, "a.localhost", method="HEAD")[1]["Content-Length"] == "4"
        assert _ask(web, "a.localhost", "/none")[2] == b""


@pytest.mark.parametrize("manner", [Manner.CLOSE, Manner.RESET])
def test_a_connection_can_end_without_an_answer(manner: Manner) -> None:
    with (
        SmallWeb([Site("a", {"/": Reply(manner=manner)})]) as web,
        pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)),
    ):
        _ask(web, "a.localhost")


def _connected(web: SmallWeb, host: str) -> socket.socket:
    """A connection on which a host's page was asked for."""
    connection = socket.create_connection(("127.0.0.1", web.port), timeout=5)
    connection.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{web.port}\r\n\r\n".encode())
    return connection


def _received(connection: socket.socket, until: bytes, times: int = 1) -> bytes:
    """What arrives until it holds a text so many times, or until the other side closes."""
    received = b""
    while received.count(until) < times and (more := connection.recv(4096)):
        received += more
    return received


def test_a_head_can_go_on_without_end() -> None:
    reply = Reply(manner=Manner.DRIP_HEAD, interval=0.01)
    with SmallWeb([Site("a", {"/": reply})]) as web, _connected(web, "a.localhost") as connection:
        head = _received(connection, b"X-More-To-Come: yes\r\n", times=20)
        assert head.startswith(b"HTTP/1.1 200 ")
        assert head.count(b"X-More-To-Come: yes\r\n") >= 20
        assert b"\r\n\r\n" not in head, "the head has an end"


def test_a_body_can_come_again_and_again() -> None:
    reply = Reply("drop", manner=Manner.DRIP, interval=0.01)
    with SmallWeb([Site("a", {"/": reply})]) as web, _connected(web, "a.localhost") as connection:
        head, _, body = _received(connection, b"drop", times=5).partition(b"\r\n\r\n")
        assert b"Content-Length" not in head
        assert body.startswith(b"drop" * 5)


def test_raw_bytes_are_sent_as_they_are_and_then_the_connection_ends() -> None:
    reply = Reply(b"\x00no HTTP\xff", manner=Manner.RAW)
    with SmallWeb([Site("a", {"/": reply})]) as web, _connected(web, "a.localhost") as connection:
        assert _received(connection, b"never there") == b"\x00no HTTP\xff"


def _certificate_problem(web: SmallWeb, kind: str) -> tuple[str, str]:
    """What a client that trusts just this port's certificate says of it; the host is the one it was made for."""
    port = int(web.expand(f"{{{{tls_{kind}}}}}"))
    host = f"tls-{kind.replace('_', '-')}.test"
    context = ssl.create_default_context(cadata=ssl.get_server_certificate(("127.0.0.1", port)))
    with (
        pytest.raises(ssl.SSLCertVerificationError) as refused,
        socket.create_connection(("127.0.0.1", port), timeout=5) as connection,
    ):
        context.wrap_socket(connection, server_hostname=host)
    return host, refused.value.verify_message


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        ("expired", "certificate has expired"),
        ("not_yet_valid", "certificate is not yet valid"),
        ("wrong_host", "Hostname mismatch, certificate is not valid for '{host}'."),
    ],
)
def test_a_tls_port_has_the_fault_of_its_name_even_for_who_trusts_it(kind: str, problem: str) -> None:
    with SmallWeb([]) as web:
        host, message = _certificate_problem(web, kind)
        assert message == problem.format(host=host)


def test_a_self_signed_certificate_is_good_for_who_trusts_it_and_for_nobody_else() -> None:
    with SmallWeb([]) as web:
        port = int(web.expand("{{tls_self_signed}}"))
        assert web.expand("{{tls_self_signed}}") == str(port), "one port for one kind"
        trusting = ssl.create_default_context(cadata=ssl.get_server_certificate(("127.0.0.1", port)))
        for context, accepted in ((trusting, True), (ssl.create_default_context(), False)):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
                if accepted:
                    context.wrap_socket(connection, server_hostname="tls-self-signed.test").close()
                else:
                    with pytest.raises(ssl.SSLCertVerificationError, match="self-signed"):
                        context.wrap_socket(connection, server_hostname="tls-self-signed.test")


def test_a_port_with_an_old_version_of_tls_knows_no_newer_one() -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    with SmallWeb([]) as web:
        port = int(web.expand("{{tls_old_version}}"))
        with (
            socket.create_connection(("127.0.0.1", port), timeout=5) as connection,
            pytest.raises(ssl.SSLError, match="PROTOCOL_VERSION"),
        ):
            context.wrap_socket(connection, server_hostname="tls-old-version.test")


def test_the_same_sites_can_be_had_over_tls() -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with SmallWeb([Site("example.org", {"/": Reply("secured")})]) as web, https_port(web) as port:
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=5, context=context)
        connection.request("GET", "/", headers={"Host": "example.org"})
        assert connection.getresponse().read() == b"secured"
        connection.close()


def test_stopping_does_not_wait_for_answers_that_never_come() -> None:
    with SmallWeb([Site("a", {"/": Reply(manner=Manner.HANG)})]) as web:
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=5)
        connection.request("GET", "/", headers={"Host": f"a.localhost:{web.port}"})
        while not web.log:
            time.sleep(0.01)
        began = time.monotonic()
    connection.close()
    assert time.monotonic() - began < 1


def test_the_closed_port_refuses() -> None:
    with SmallWeb([]) as web, pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection("127.0.0.1", web.closed_port, timeout=5).connect()


def test_two_sites_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two sites"):
        SmallWeb([Site("a", {}), Site("a", {})])
