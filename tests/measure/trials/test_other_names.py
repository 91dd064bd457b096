"""A variant that calls its tools otherwise is asked the same, and counts by the set's names."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.rates.rate_plan import PlannedPage, PlannedSet, RatePlan
from measure.trials.chosen_pages import pages_of_folder
from measure.trials.other_names import by_other_names, other_names
from measure.trials.record import TrialRecord
from measure.trials.session import session_jobs
from measure.utterances.utterance_set import SetupCall, Utterance, UtteranceSet
from tests.measure.trials.held import control, utterance

NAMES = {"order": "action_1", "look": "action_2"}
SAID = utterance(tool="order", acceptable=("look", "pay")).model_copy(update={"setup": (SetupCall(tool="look"),)})
SET = UtteranceSet(
    format=1, name="small", version="1.0.0", page="index.html", utterances=(SAID,), controls=(control(),)
)


def plan(page: PlannedPage) -> RatePlan:
    ids = tuple(each.id for each in SET.everything)
    planned = PlannedSet(name="small", version="1.0.0", digest="d", file="small.json", utterances=ids)
    return RatePlan(
        run="0123abcd", created_at=datetime(2026, 11, 20, tzinfo=UTC), code_version="0", judge="j", browser="b",
        sets=(planned,), pages=(page,), sessions=1, repeats=1, seed=1, spacing=timedelta(0), execute=True,
        allow_writes=True, bound_s=1, visit={},
    )  # fmt: skip


def test_expected_acceptable_and_setup_tools_go_by_the_pages_names():
    here = by_other_names(SAID, NAMES)
    assert isinstance(here, Utterance)
    assert (here.tool, here.acceptable, here.setup[0].tool) == ("action_1", ("action_2", "pay"), "action_2")
    assert (here.text, here.arguments) == (SAID.text, SAID.arguments)
    assert by_other_names(control(), NAMES) == control()


def test_the_record_and_so_the_rate_go_by_the_sets_names():
    the_plan = plan(PlannedPage(page="index.html", variant="opaque", set="small 1.0.0", names=NAMES))
    jobs = session_jobs(the_plan, {"small 1.0.0": SET}, 1, set(), lambda page, variant: f"http://h/{variant}/{page}")
    (job,) = [each for each in jobs if each.said.id == SAID.id]
    assert isinstance(job.here, Utterance)
    assert job.here.tool == "action_1"
    trial = TrialRecord(job, the_plan, "p", "s").gap("interrupted", "")  # type: ignore[arg-type]
    assert (trial.tool, trial.acceptable) == ("order", ("look", "pay"))


def test_the_names_are_read_from_the_variants_folder(tmp_path: Path):
    for variant in ("clean", "opaque"):
        (tmp_path / variant).mkdir()
        (tmp_path / variant / "index.html").touch()
    (tmp_path / "opaque" / "names.json").write_text('{"order": "action_1"}')
    pages = pages_of_folder(tmp_path, [SET], [])
    assert {page.variant: page.names for page in pages} == {"clean": {}, "opaque": {"order": "action_1"}}


@pytest.mark.parametrize("text", ["[]", "{", '{"order": 1}', '{"order": ""}', '{"order": "a", "look": "a"}'])
def test_a_file_that_holds_no_names_is_refused(tmp_path: Path, text: str):
    (tmp_path / "names.json").write_text(text)
    with pytest.raises(CensusError, match=r"names\.json"):
        other_names(tmp_path)
