"""A run of evals that is interrupted goes on, under the same conditions only, and ends as if it never had been."""

import json

import pytest

from census.errors import CensusError
from measure.evals.after_failure import AfterFailure
from measure.evals.checkpoint import Checkpoint
from measure.evals.made import MadeCall
from measure.evals.outcome import Repeat
from measure.evals.run import Run
from measure.evals.verdict import Constraint, Verdict, Violation
from measure.judges.judge import Cause, Usage
from measure.lint.manifest import ManifestTool
from measure.live.effects import Area, Change, Effects, NetworkWrite, StorageChange
from measure.live.execution import ExecutionStatus
from tests.measure.evals.plans import call, case_of
from tests.measure.evals.test_command import GOOD, NONE, files, run

__all__ = ["files"]

CASE = case_of(call("order"))
EFFECTS = Effects(
    dom_changed=None,
    writes=(NetworkWrite("POST", "http://a/api"),),
    storage=(StorageChange(Area.LOCAL, "http://a", "cart", Change.ADDED),),
)
MADE = MadeCall(
    1, "order", {"x": 1}, {"r": [1]}, True, None, frozenset(["order"]), None,
    ExecutionStatus.COMPLETED, EFFECTS, 5, True,
)  # fmt: skip
FULL = Repeat(
    Verdict((Violation(Constraint.PAGE, "no", None, 1),), {"cases[0].expectedCall[0]": 1}, (1,), 2),
    Run(
        (MADE,), {"id": 1}, "text", 1, True, None, 30, 4, (ManifestTool("order", "d", annotations={"readOnly": True}),),
        {"url": "http://a/"}, {0: "abc="},
    ),
    after_failure=AfterFailure.STOPPED,
)  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "evals.jsonl"


def test_a_repeat_comes_back_as_it_was(path):
    Checkpoint.open(path, {"judge": "a"}).add("suite.json", CASE, 0, FULL)
    again = Checkpoint.open(path, {"judge": "a"})
    assert again.get("suite.json", CASE, 0) == FULL
    assert again.get("suite.json", CASE, 1) is None
    assert again.spent() == Usage(30, 4)


def test_a_repeat_without_a_measurement_is_not_kept(path):
    Checkpoint.open(path, {}).add("suite.json", CASE, 0, Repeat(cause=Cause.RATE_LIMITED, message="429"))
    assert Checkpoint.open(path, {}).repeats == {}


def test_a_line_that_was_torn_off_is_forgiven_and_the_next_one_is_whole(path):
    Checkpoint.open(path, {}).add("suite.json", CASE, 0, FULL)
    whole = path.read_text()
    path.write_text(whole + whole.splitlines()[1][:40])
    Checkpoint.open(path, {}).add("suite.json", CASE, 1, FULL)
    assert sorted(number for _, _, number in Checkpoint.open(path, {}).repeats) == [0, 1]


def test_other_conditions_are_refused_by_their_names(path):
    Checkpoint.open(path, {"judge": "a", "clock": None, "url": "x"})
    with pytest.raises(CensusError, match=r"other conditions \(judge, url\)"):
        Checkpoint.open(path, {"judge": "b", "clock": None})


@pytest.mark.parametrize("text", ["{}\n", "[]\n", "nothing\n", '{"conditions": {}}\n{"suite": 1}\n'])
def test_what_is_no_checkpoint_is_refused(path, text):
    path.write_text(text)
    with pytest.raises(CensusError, match="another file"):
        Checkpoint.open(path, {})
    assert path.read_text() == text


def test_the_command_measures_only_what_is_not_there_yet(files, path):
    arguments = [*files(GOOD, NONE), "--judge", "noisy-oracle:p=0.5,seed=3", "--checkpoint", str(path), "--json"]
    _, first = run(*arguments, "--repeats", "2")
    kept = path.read_text().splitlines()
    assert len(kept) == 5
    # What is kept is taken as it is: a passing repeat in the place of each failing one shows in the outcome.
    path.write_text("\n".join([*kept[:3], ""]))
    _, again = run(*arguments, "--repeats", "2")
    assert json.loads(again)["cases"] == json.loads(first)["cases"]
    assert len(path.read_text().splitlines()) == 5


def test_the_command_takes_what_is_kept_and_does_not_ask_again(files, path):
    arguments = [*files(GOOD), "--judge", "oracle", "--checkpoint", str(path)]
    assert run(*arguments)[0] == 0
    kept = path.read_text().splitlines()
    line = json.loads(kept[1])
    made_up = {"constraint": "extra", "message": "made up", "planned": None, "made": 1}
    line["repeat"]["verdict"]["violations"] = [made_up]
    path.write_text(f"{kept[0]}\n{json.dumps(line)}\n")
    code, said = run(*arguments)
    assert code == 1
    assert "extra: made up" in said
