"""Every question, put to the browser that is installed: what was written down by hand has to come back."""

import asyncio
from pathlib import Path

import pytest

from crawler.browser import find_browser
from measure.browsers.cache import Cache
from measure.compatibility.asked_builds import AskedBuild, named
from measure.compatibility.behaviour import Behaviour, Topic
from measure.compatibility.cell import Cell
from measure.compatibility.expected import Expected, differences, expected_value, read_expected
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.registry import all_behaviours
from measure.compatibility.running import run_build
from measure.compatibility_data import EXPECTED, compatibility_data


@pytest.fixture(scope="module")
def expected() -> Expected:
    return read_expected(compatibility_data(EXPECTED))


@pytest.fixture(scope="module")
def asked(expected: Expected, tmp_path_factory: pytest.TempPathFactory) -> AskedBuild:
    (found,) = named([str(find_browser())], (), Cache(tmp_path_factory.mktemp("cache")))
    if (found.build.engine, found.build.major) != (expected.engine, expected.major):
        pytest.skip(f"{found.build.version} is installed, and the answers are those of {expected.major}")
    return found


async def cells(asked: AskedBuild, behaviours: tuple[Behaviour, ...], folder: Path) -> list[Cell]:
    with ProbeWeb(behaviours, folder) as web:
        results = [result async for result in run_build(asked.build, asked.executable, behaviours, web)]
    assert [result for result in results if not isinstance(result, Cell)] == []
    return [result for result in results if isinstance(result, Cell)]


@pytest.mark.parametrize("topic", Topic, ids=[topic.value for topic in Topic])
def test_the_installed_browser_answers_as_expected(
    topic: Topic, asked: AskedBuild, expected: Expected, tmp_path: Path
) -> None:
    behaviours = tuple(behaviour for behaviour in all_behaviours() if behaviour.topic is topic)
    answered = asyncio.run(cells(asked, behaviours, tmp_path))
    assert {cell.behaviour for cell in answered} == {behaviour.id for behaviour in behaviours}
    timing = frozenset(behaviour.id for behaviour in behaviours if behaviour.timing)
    assert differences(expected, asked.build, answered, timing) == ()


def test_a_full_browser_and_a_shell_differ_in_whose_session_shows_a_cross_site_frame(
    asked: AskedBuild, expected: Expected
) -> None:
    full, shell = (asked.build.model_copy(update={"shell": shell}) for shell in (False, True))
    assert expected_value(expected, full, "devtools/cross-site-frame") == "frame"
    assert expected_value(expected, shell, "devtools/cross-site-frame") == "page"
