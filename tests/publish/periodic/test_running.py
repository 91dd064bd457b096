"""The steps in their order, the state after each, and where a census goes on after a stop."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from census.errors import CensusError
from publish.periodic.beginning import begin
from publish.periodic.children import Children
from publish.periodic.config import Config, read_config
from publish.periodic.running import Ending, take
from publish.periodic.state import State, read_state, write_state
from publish.periodic.steps import Step
from publish.places.directory import DirectoryPlace
from tests.publish.payloads import bytes_of, small_release

TEXT = """
folder = "made"
[harvest]
sources = ["list.txt"]
[build.options]
accept = []
[publish]
to = ["dir:out"]
"""
NOVEMBER = datetime(2026, 11, 30, tzinfo=UTC)
STEPS = ["harvest list.txt", "crawl", "lint", "build", "verify", "publish dir:out"]


class Stub(Children):
    """Steps that end as a test says."""

    def __init__(self, code_of: Callable[[str], int] = lambda _step: 0) -> None:
        self.code_of = code_of
        self.ran: list[str] = []
        self.checked: list[str] = []

    def run(self, step: Step) -> int:
        self.ran.append(step.name)
        return self.code_of(step.name)

    def check(self, step: Step) -> None:
        self.checked.append(step.name)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    (tmp_path / "made").mkdir()
    return configured(tmp_path, TEXT)


def configured(tmp_path: Path, text: str) -> Config:
    (tmp_path / "census.toml").write_text(text)
    return read_config(tmp_path / "census.toml")


def run(config: Config, tmp_path: Path, steps: Stub, now: datetime = NOVEMBER) -> Ending:
    state, reason = begin(config, tmp_path, None, now)
    return take(config, tmp_path, state, steps) if state else Ending("nothing_to_do", 0, None, reason)


def state_of(tmp_path: Path, version: str = "2026.11.0") -> State:
    state = read_state(tmp_path / "made" / version)
    assert state is not None
    return state


def test_all_steps_are_done_once(config: Config, tmp_path: Path) -> None:
    steps = Stub()
    ending = run(config, tmp_path, steps)
    assert (ending.status, ending.code) == ("finished", 0)
    assert steps.ran == STEPS
    assert steps.checked == ["build"], "the only one that has options"
    assert [done.step for done in state_of(tmp_path).done] == STEPS
    assert state_of(tmp_path).finished
    again = Stub()
    assert run(config, tmp_path, again) == Ending("nothing_to_do", 0, None, "2026.11.0 is finished")
    assert again.ran == []


@pytest.mark.parametrize("stopped", STEPS)
@pytest.mark.parametrize("code", [1, 2, -9])
def test_a_step_that_does_not_succeed_is_the_last_one_and_the_next_time_the_first(
    config: Config, tmp_path: Path, stopped: str, code: int
) -> None:
    steps = Stub(lambda step: code if step == stopped else 0)
    ending = run(config, tmp_path, steps)
    assert (ending.status, ending.code) == (("gate_failed", 1) if code == 1 else ("failed", 2))
    assert ending.step == stopped
    assert steps.ran == STEPS[: STEPS.index(stopped) + 1]
    assert not state_of(tmp_path).finished
    again = Stub()
    assert run(config, tmp_path, again, datetime(2026, 12, 1, tzinfo=UTC)).code == 0
    assert again.ran == STEPS[STEPS.index(stopped) :]
    assert state_of(tmp_path).finished


def test_nothing_is_published_when_a_gate_failed(config: Config, tmp_path: Path) -> None:
    steps = Stub(lambda step: 1 if step == "verify" else 0)
    assert run(config, tmp_path, steps).code == 1
    assert not [step for step in steps.ran if step.startswith("publish")]


def test_a_rate_that_is_accepted_is_built_again_and_not_crawled_again(config: Config, tmp_path: Path) -> None:
    run(config, tmp_path, Stub(lambda step: 1 if step == "verify" else 0))
    accepting = configured(tmp_path, TEXT.replace("accept = []", 'accept = ["band/adoption:it is true"]'))
    again = Stub()
    assert run(accepting, tmp_path, again).code == 0
    assert again.ran == ["build", "verify", "publish dir:out"]


def test_an_option_that_is_not_taken_is_said_before_anything_is_begun(config: Config, tmp_path: Path) -> None:
    class Refusing(Stub):
        def check(self, step: Step) -> None:
            if step.name == "build":
                raise CensusError("no such option")

    steps = Refusing()
    with pytest.raises(CensusError, match="no such option"):
        run(config, tmp_path, steps)
    assert steps.ran == []
    assert read_state(tmp_path / "made" / "2026.11.0") is None


def test_the_next_month_is_compared_with_the_last_release(config: Config, tmp_path: Path) -> None:
    run(config, tmp_path, Stub())
    small_release(tmp_path / "made" / "2026.11.0" / "release", "2026.11.0")
    DirectoryPlace(tmp_path / "out").publish(small_release(tmp_path / "x", "2026.11.0"))
    steps = Stub()
    run(config, tmp_path, steps, datetime(2026, 12, 3, tzinfo=UTC))
    assert state_of(tmp_path, "2026.12.0").previous == "made/2026.11.0/release"
    assert steps.ran[5] == "diff"


def test_the_last_release_is_loaded_from_the_place_when_it_is_not_here(config: Config, tmp_path: Path) -> None:
    DirectoryPlace(tmp_path / "out").publish(small_release(tmp_path / "x", "2026.10.2"))
    state, _ = begin(config, tmp_path, None, NOVEMBER)
    assert state is not None
    assert state.previous == "made/previous/2026.10.2"
    assert bytes_of(tmp_path / state.previous) == bytes_of(tmp_path / "x")


def test_a_last_release_that_is_not_whole_is_not_compared_with(config: Config, tmp_path: Path) -> None:
    DirectoryPlace(tmp_path / "out").publish(small_release(tmp_path / "x", "2026.10.0"))
    (tmp_path / "out" / "2026.10.0" / "README.md").write_text("changed")
    with pytest.raises(CensusError, match=r"could not be loaded whole: README\.md was changed"):
        begin(config, tmp_path, None, NOVEMBER)
    assert not (tmp_path / "made" / "previous" / "2026.10.0").exists()


@pytest.mark.parametrize(("version", "nothing"), [(None, True), ("2026.11.0", True), ("2026.11.2", False)])
def test_a_month_that_has_its_release_is_not_taken_again_unless_by_name(
    config: Config, tmp_path: Path, version: str | None, nothing: bool
) -> None:
    DirectoryPlace(tmp_path / "out").publish(small_release(tmp_path / "x", "2026.11.1"))
    state, reason = begin(config, tmp_path, version, NOVEMBER)
    assert (state is None) == nothing
    assert reason == ("2026.11.1 is published at dir:out already" if nothing else "")


def test_without_a_place_the_last_one_of_the_folder_is_the_last(tmp_path: Path) -> None:
    config = configured(tmp_path, TEXT.replace('to = ["dir:out"]', "to = []"))
    for version in ("2026.09.0", "2026.10.0"):
        (tmp_path / "made" / version).mkdir(parents=True)
        write_state(tmp_path / "made" / version, State(release_version=version, previous=None, finished=True))
    state, _ = begin(config, tmp_path, None, NOVEMBER)
    assert state is not None
    assert state.previous == "made/2026.10.0/release"


def test_a_state_that_cannot_be_read_is_said(config: Config, tmp_path: Path) -> None:
    (tmp_path / "made" / "2026.11.0").mkdir()
    (tmp_path / "made" / "2026.11.0" / "state.json").write_text("{")
    with pytest.raises(CensusError, match=r"state\.json cannot be read .*; take .* away to begin that census again"):
        begin(config, tmp_path, None, NOVEMBER)


@pytest.mark.parametrize("version", ["2026.11", "november", "2026.11.x"])
def test_a_version_that_is_none_is_said(config: Config, tmp_path: Path, version: str) -> None:
    with pytest.raises(CensusError, match=r"write it as 2026\.11\.0"):
        begin(config, tmp_path, version, NOVEMBER)
