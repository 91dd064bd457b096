"""Gold pages for browsers without the feature switch: what a stock browser would be offered."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

import pytest

from tests.sites.gold import GoldPage
from tests.sites.https import ACCEPTED
from tests.sites.libraries import LibraryError, bring, why_unavailable
from tests.sites.pages.origin_trials_judged import real_trial
from tests.sites.registry import WITH_LIBRARIES_WITHOUT_API, WITH_OWN_KEY, WITH_REAL_TRIALS
from tests.sites.switches import WITHOUT_API, browser_with
from tests.sites.taking import BROWSER, Census, assert_as_written, taken
from tests.sites.tokens import OWN_KEY

PROGRAM = "tests.sites.without_control"

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def stock_census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    """The pages of real sites, whose addresses lead to this machine and its certificate, and those with libraries."""
    with suppress(LibraryError):
        bring()
    pages = WITH_REAL_TRIALS if why_unavailable() else WITH_REAL_TRIALS + WITH_LIBRARIES_WITHOUT_API
    folder = tmp_path_factory.mktemp("stock")
    browser = browser_with(folder, BROWSER, WITHOUT_API, ACCEPTED)
    with taken(pages, folder, browser, "--no-robots", "--no-legacy", program=PROGRAM) as found:
        yield found


@pytest.fixture(scope="module")
def own_key_census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    """The pages whose tokens our own key signed."""
    folder = tmp_path_factory.mktemp("own-key")
    browser = browser_with(folder, BROWSER, WITHOUT_API, OWN_KEY)
    with taken(WITH_OWN_KEY, folder, browser, "--no-legacy", program=PROGRAM) as found:
        yield found


@pytest.mark.parametrize("page", WITH_REAL_TRIALS, ids=lambda page: page.name)
def test_a_real_token_is_good_for_what_its_browser_says(stock_census: Census, page: GoldPage) -> None:
    assert_as_written(stock_census, page)


@pytest.mark.parametrize("page", WITH_OWN_KEY, ids=lambda page: page.name)
def test_a_token_decides_what_a_browser_without_the_switch_offers(own_key_census: Census, page: GoldPage) -> None:
    assert_as_written(own_key_census, page)


@pytest.mark.skipif(why_unavailable() is not None, reason=str(why_unavailable()))
@pytest.mark.parametrize("page", WITH_LIBRARIES_WITHOUT_API, ids=lambda page: page.name)
def test_what_a_library_holds_is_callable_by_nobody(stock_census: Census, page: GoldPage) -> None:
    bring()
    assert_as_written(stock_census, page)


def test_what_is_expected_of_the_real_token_turns_with_its_last_day() -> None:
    last_day = datetime.fromisoformat("2027-03-29T23:59:59Z")
    assert real_trial(last_day).page["origin_trial"] == "Success"
    assert real_trial(last_day + timedelta(seconds=1)).page["origin_trial"] == "Expired"
