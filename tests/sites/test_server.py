import http.client
import time

import pytest

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
