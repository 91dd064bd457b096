"""A crawl without --allow-private reaches nothing on this machine, by whatever name it is called."""

import pytest

from census.vocabulary import Outcome
from tests.crawler.conftest import final_visits, query
from tests.sites.gold import document, registering
from tests.sites.server import RESOLVER_RULES, Site, SmallWeb

HOSTS = ["127.0.0.1", "127.1", "2130706433", "x.localhost", "localhost", "[::1]", "[::ffff:127.0.0.1]", "name.test"]


@pytest.fixture(scope="module")
def refused(module_cli):
    """The crawl's final visits by host, and what the server was asked."""
    with SmallWeb([Site(host, {"/": document("Inside", registering("secret"))}) for host in HOSTS]) as web:
        urls = {host: f"http://{host}:{web.port}/" for host in HOSTS} | {"10.0.0.1": "http://10.0.0.1/"}
        done = module_cli(
            "crawl", module_cli.list(urls.values()), "--out", "run", "--contact", "https://example.org/about",
            "--host-resolver-rules", RESOLVER_RULES, "--delay", "0", "--retry-delay", "0.1", "--concurrency", "8",
        )  # fmt: skip
        assert done.code == 0, done.err
        run = module_cli.folder / "run"
        visits = final_visits(run)
        yield {host: visits[url] for host, url in urls.items()}, web, run


@pytest.mark.parametrize("host", [*HOSTS, "10.0.0.1"])
def test_a_private_address_is_refused_however_it_is_written(refused, host):
    visit = refused[0][host]
    assert visit.outcome is Outcome.ADDRESS_REFUSED
    assert "--allow-private" in visit.outcome_detail
    assert visit.documents == ()


def test_a_refusal_is_an_answer_and_is_not_tried_again(refused):
    assert {visit.attempt for visit in refused[0].values()} == {1}


def test_the_server_sees_no_request_for_rules_or_pages(refused):
    assert refused[1].log == []


def test_nothing_was_captured_so_no_control_visit_was_owed(refused):
    assert query(refused[2], "SELECT count(*) FROM visits WHERE outcome != 'address_refused'") == [(0,)]
