import pytest

from census.target import Target
from census.visit import Visit
from census.vocabulary import Outcome, Pass
from crawler.frontier import Fault, Lease
from crawler.outcomes import RetryPolicy, fault, outcome_of_error

POLICY = RetryPolicy(retries=1, delay=10.0)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        ("ERR_NAME_NOT_RESOLVED", Outcome.DNS_ERROR),
        ("ERR_NAME_RESOLUTION_FAILED", Outcome.DNS_ERROR),
        ("ERR_DNS_TIMED_OUT", Outcome.DNS_ERROR),
        ("ERR_DNS_SERVER_FAILED", Outcome.DNS_ERROR),
        ("ERR_ICANN_NAME_COLLISION", Outcome.DNS_ERROR),
        ("ERR_CONNECTION_REFUSED", Outcome.CONNECT_ERROR),
        ("ERR_CONNECTION_RESET", Outcome.CONNECT_ERROR),
        ("ERR_CONNECTION_CLOSED", Outcome.CONNECT_ERROR),
        ("ERR_EMPTY_RESPONSE", Outcome.CONNECT_ERROR),
        ("ERR_ADDRESS_UNREACHABLE", Outcome.CONNECT_ERROR),
        ("ERR_SOCKS_CONNECTION_FAILED", Outcome.CONNECT_ERROR),
        ("ERR_UNSAFE_PORT", Outcome.CONNECT_ERROR),
        ("ERR_HTTP2_PROTOCOL_ERROR", Outcome.CONNECT_ERROR),
        ("ERR_CERT_DATE_INVALID", Outcome.TLS_ERROR),
        ("ERR_CERT_AUTHORITY_INVALID", Outcome.TLS_ERROR),
        ("ERR_SSL_PROTOCOL_ERROR", Outcome.TLS_ERROR),
        ("ERR_SSL_VERSION_OR_CIPHER_MISMATCH", Outcome.TLS_ERROR),
        ("ERR_BAD_SSL_CLIENT_AUTH_CERT", Outcome.TLS_ERROR),
        ("ERR_TLS13_DOWNGRADE_DETECTED", Outcome.TLS_ERROR),
        ("ERR_ECH_NOT_NEGOTIATED", Outcome.TLS_ERROR),
        ("ERR_CONNECTION_TIMED_OUT", Outcome.TIMEOUT),
        ("ERR_TIMED_OUT", Outcome.TIMEOUT),
        ("ERR_TOO_MANY_REDIRECTS", Outcome.REDIRECT_LOOP),
        ("ERR_INTERNET_DISCONNECTED", Outcome.NETWORK_DOWN),
        ("ERR_NETWORK_CHANGED", Outcome.NETWORK_DOWN),
        ("ERR_PROXY_CONNECTION_FAILED", Outcome.NETWORK_DOWN),
        ("ERR_INSUFFICIENT_RESOURCES", Outcome.BROWSER_FAILED),
        ("ERR_OUT_OF_MEMORY", Outcome.BROWSER_FAILED),
        ("ERR_FAILED", Outcome.CONNECT_ERROR),
        ("ERR_SOMETHING_NEW", Outcome.CONNECT_ERROR),
    ],
)
def test_each_network_error_of_the_browser_is_one_outcome_and_is_named(error, outcome):
    assert outcome_of_error(f"Page.goto: net::{error} at https://a.org/") == (outcome, error)


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        ("Browser.new_context: Timeout 30000ms exceeded.", Outcome.BROWSER_FAILED),
        ("Page.goto: Page crashed", Outcome.PAGE_CRASHED),
        ("Protocol error (Page.navigate): Target crashed", Outcome.PAGE_CRASHED),
        ("Page.goto: Target page, context or browser has been closed", Outcome.BROWSER_FAILED),
        ("Browser.new_context: Connection closed while reading from the driver", Outcome.BROWSER_FAILED),
        ("something nobody has seen yet", Outcome.BROWSER_FAILED),
        ("", Outcome.BROWSER_FAILED),
    ],
)
def test_what_the_driver_says_of_itself_is_not_blamed_on_the_network(message, outcome):
    found, detail = outcome_of_error(message)
    assert found is outcome
    assert detail


@pytest.mark.parametrize("outcome", [Outcome.TIMEOUT, Outcome.CONNECT_ERROR, Outcome.PAGE_CRASHED])
def test_what_may_pass_is_tried_again_as_often_as_asked(outcome):
    assert POLICY.next_attempt_after(outcome, 1) == 10.0
    assert POLICY.next_attempt_after(outcome, 2) is None
    assert RetryPolicy(retries=0).next_attempt_after(outcome, 1) is None


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_status_that_may_pass_is_tried_again(status):
    assert POLICY.next_attempt_after(Outcome.HTTP_ERROR, 1, status) == 10.0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451, 501])
def test_a_status_that_will_not_is_final(status):
    assert POLICY.next_attempt_after(Outcome.HTTP_ERROR, 1, status) is None


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome.CAPTURED, Outcome.DNS_ERROR, Outcome.TLS_ERROR, Outcome.REDIRECT_LOOP, Outcome.TOO_LARGE,
        Outcome.NOT_HTML, Outcome.ROBOTS_DISALLOWED, Outcome.OPTED_OUT, Outcome.ADDRESS_REFUSED, Outcome.GAVE_UP,
    ],
)  # fmt: skip
def test_an_answer_is_final(outcome):
    assert POLICY.next_attempt_after(outcome, 1) is None


@pytest.mark.parametrize("outcome", [Outcome.BROWSER_FAILED, Outcome.NETWORK_DOWN])
def test_what_is_ours_gets_four_attempts_whatever_was_asked(outcome):
    never = RetryPolicy(retries=0, delay=1.0)
    assert [never.next_attempt_after(outcome, attempt) for attempt in (1, 2, 3, 4)] == [1.0, 2.0, 4.0, None]


def test_each_wait_is_twice_the_one_before():
    patient = RetryPolicy(retries=3, delay=5.0)
    assert [patient.next_attempt_after(Outcome.TIMEOUT, attempt) for attempt in (1, 2, 3)] == [5.0, 10.0, 20.0]


@pytest.mark.parametrize(("wish", "wait"), [(60.0, 60.0), (2.0, 10.0), (86_400.0, 600.0)])
def test_the_servers_wish_to_wait_is_obeyed_up_to_ten_minutes_and_never_shortens_the_wait(wish, wait):
    assert POLICY.next_attempt_after(Outcome.HTTP_ERROR, 1, 429, retry_after=wish) == wait


def leased(failed: int = 0, ours: int = 0, lost: int = 0) -> Lease:
    return Lease(1, Target(url="https://a.org/"), Pass.MAIN, 1 + failed + ours + lost, 1, lost, failed, ours)


def ended(outcome: Outcome, attempt: int) -> Visit:
    return Visit.model_validate(
        {"visit_id": "v", "target": {"url": "https://a.org/"}, "attempt": attempt, "outcome": outcome,
         "visited_at": "2026-11-03T12:00:00Z", "browser": None}
    )  # fmt: skip


def test_what_was_lost_or_ours_takes_none_of_the_sites_attempts():
    first = leased(ours=3, lost=4)
    assert POLICY.after(ended(Outcome.TIMEOUT, first.attempt), first) == 10.0
    second = leased(failed=1, ours=3, lost=4)
    assert POLICY.after(ended(Outcome.TIMEOUT, second.attempt), second) is None


def test_what_the_site_failed_takes_none_of_ours():
    for before, wait in ((0, 10.0), (1, 20.0), (2, 40.0), (3, None)):
        lease = leased(failed=5, ours=before, lost=4)
        assert POLICY.after(ended(Outcome.BROWSER_FAILED, lease.attempt), lease) == wait


def test_whose_fault_an_outcome_is():
    ours = {outcome for outcome in Outcome if fault(ended(outcome, 1)) is Fault.OURS}
    assert ours == {Outcome.BROWSER_FAILED, Outcome.NETWORK_DOWN}


def visited(*errors: str | None) -> Visit:
    documents = [
        {"frame": "top" if not i else f"top.{i - 1}", "parent": "top" if i else None, "url": "https://a.org/",
         "origin": "https://a.org", "relation": "same_origin" if i else "top",
         "page_view": "failed" if error else "read", "error": error}
        for i, error in enumerate(errors)
    ]  # fmt: skip
    return Visit.model_validate(
        {"visit_id": "v", "target": {"url": "https://a.org/"}, "attempt": 1, "outcome": "captured",
         "visited_at": "2026-11-03T12:00:00Z", "browser": None, "documents": documents}
    )  # fmt: skip


def test_a_document_that_did_not_answer_in_time_gets_two_more_visits_at_once():
    assert RetryPolicy(retries=0).after(visited(None, "timeout"), leased()) == 0.0
    assert RetryPolicy(retries=0).after(visited("timeout"), leased(ours=3, lost=4)) == 0.0
    assert RetryPolicy(retries=0).after(visited("timeout"), leased(failed=1)) == 0.0
    assert RetryPolicy(retries=3).after(visited("timeout"), leased(failed=2)) is None


def test_a_document_that_refused_has_answered():
    assert RetryPolicy(retries=3).after(visited(None, "NotAllowedError"), leased()) is None
