"""The same questions over WebDriver BiDi: where a fetched Firefox is in the cache, its answers come by the same rules."""

import asyncio
from pathlib import Path

import pytest

from measure.browsers.build import Build, choose, read_builds
from measure.browsers.cache import Cache, default_cache
from measure.compatibility.behaviour import Switch
from measure.compatibility.cell import Cell
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.running import run_build
from measure.compatibility_data import BUILDS, compatibility_data
from tests.measure.compatibility.test_asking import QUESTIONS, asked

SAME = ("word", "throws", "rejects", "no_question", "hang", "after", "insecure", "file", "frame", "reload", "back")


@pytest.fixture(scope="module")
def executable() -> Path:
    (build,) = choose(read_builds(compatibility_data(BUILDS)), ("ff153",))
    path = Cache(default_cache()).executable(build)
    if path is None:
        pytest.skip("Firefox was not fetched: webmcp-census browsers fetch ff153")
    return path


@pytest.fixture(scope="module")
def answers(executable: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    questions = [
        *(QUESTIONS[name][0] for name in (*SAME, "devtools", "elsewhere")),
        asked("which", "return 'modelContext' in navigator ? 'navigator' : 'nowhere';"),
        asked("none", "return 'modelContext' in navigator ? 'navigator' : 'nowhere';", switch=Switch.NONE),
        asked("switch", "return 'asked';", switch=Switch.BLINK),
    ]
    firefox = Build(label="ff153", name="Mozilla Firefox", version="153.8.0esr", engine="firefox")

    async def all_of(web: ProbeWeb) -> dict[str, tuple[str, str]]:
        results = [result async for result in run_build(firefox, executable, questions, web)]
        return {result.behaviour: (result.value, result.detail) for result in results if isinstance(result, Cell)}

    with ProbeWeb(questions, tmp_path_factory.mktemp("files")) as web:
        return asyncio.run(all_of(web))


@pytest.mark.parametrize("name", SAME)
def test_what_comes_back_is_the_answer(answers, name):
    behaviour, expected = QUESTIONS[name]
    assert answers[behaviour.id][0] == expected.value


def test_several_tabs_are_of_one_context(answers):
    assert answers["exposure/elsewhere"][0] == "Second,about:blank"


def test_what_firefox_lacks_is_not_applicable_with_the_reason(answers):
    assert answers["exposure/devtools"] == ("not_applicable", "no DevTools protocol in this engine")
    assert answers["exposure/switch"] == ("not_applicable", "the switch is Chromium's")


def test_the_preference_brings_the_early_api_to_the_navigator(answers):
    assert answers["exposure/which"][0] == "navigator"
    assert answers["exposure/none"][0] == "nowhere"
