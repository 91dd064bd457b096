"""Gold pages whose truth needs a browser that gives each site a process of its own: the full one, not the shell."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from census.errors import CensusError
from crawler.browser import find_full_browser
from tests.sites.gold import GoldPage
from tests.sites.pages.crashes import FRAME_ALONE, IN_ANOTHER_SITE
from tests.sites.taking import Census, assert_as_written, taken

PAGES = tuple(replace(page, expect=FRAME_ALONE) for page in IN_ANOTHER_SITE)

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Census]:
    try:
        browser = find_full_browser()
    except CensusError as error:
        pytest.skip(str(error))
    with taken(PAGES, tmp_path_factory.mktemp("isolated"), browser) as found:
        yield found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_frame_that_crashes_alone_takes_its_own_tools_and_nothing_else(census: Census, page: GoldPage) -> None:
    assert_as_written(census, page)
