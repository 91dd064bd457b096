import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.judges.judge import Cause
from measure.rates.rate_plan import PlannedPage, PlannedSet, RatePlan
from measure.rates.rate_run import read_rate_run
from measure.rates.trial import Trial
from measure.rates.trial_outcome import HarnessCause, TrialOutcome
from measure.utterances.digest import frozen
from measure.utterances.utterance_set import Author, Control, ControlKind, Tag, Utterance, UtteranceSet, write_set

WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)
PERSON = Author(kind="person", name="Ada")
SET = frozen(
    UtteranceSet(
        format=1,
        name="shop",
        version="1.0.0",
        page="index.html",
        utterances=(Utterance(id="one", text="Put it in", tag=Tag.DIRECT, author=PERSON, tool="add"),),
        controls=(Control(id="none", text="Sing", kind=ControlKind.IRRELEVANT, author=PERSON),),
    )
)


def plan(digest: str | None = None) -> RatePlan:
    planned = PlannedSet(
        name="shop", version="1.0.0", digest=digest or SET.digest or "", file="shop.json", utterances=("one", "none")
    )
    return RatePlan(
        run="0a1b2c3d", created_at=WHEN, code_version="0", judge="oracle", browser="Chromium 156", sets=(planned,),
        pages=(PlannedPage(page="index.html", variant="clean", set="shop 1.0.0"),), sessions=1, repeats=2, seed=7,
        execute=False, allow_writes=False, bound_s=10, visit={},
    )  # fmt: skip


def trial(repeat: int, outcome: TrialOutcome | None = TrialOutcome.OK, **changes: object) -> Trial:
    return Trial.model_validate(
        {
            "run": "0a1b2c3d", "page": "index.html", "variant": "clean", "set": "shop 1.0.0", "utterance": "one",
            "session": 1, "repeat": repeat, "tag": "direct", "tool": "add", "judge": "oracle", "build": "Chromium 156",
            "order_seed": "x", "outcome": outcome, "started_at": WHEN, "ms": 1, "process": "p", **changes,
        }
    )  # fmt: skip


def control(repeat: int, outcome: TrialOutcome) -> Trial:
    return trial(repeat, outcome, utterance="none", tag=None, tool=None, control="irrelevant")


def folder(path: Path, *lines: str, digest: str | None = None) -> Path:
    (path / "sets").mkdir()
    write_set(path / "sets" / "shop.json", SET)
    (path / "plan.json").write_text(plan(digest).model_dump_json())
    (path / "trials.jsonl").write_text("".join(lines))
    return path


def line(made: Trial) -> str:
    return made.model_dump_json() + "\n"


def test_a_run_is_complete_when_every_planned_trial_has_an_outcome(tmp_path: Path) -> None:
    made = [trial(1), trial(2), control(1, TrialOutcome.OK), control(2, TrialOutcome.WRONG_TOOL)]
    run = read_rate_run(folder(tmp_path, *map(line, made)))
    assert run.complete
    assert [(each.repeat, each.utterance) for each in run.trials] == [(1, "one"), (1, "none"), (2, "one"), (2, "none")]
    assert [each.false_positive for each in run.trials] == [None, False, None, True]
    assert [each.invoked for each in run.trials] == [True, None, True, None]


def test_a_trial_that_was_missing_and_made_again_counts_as_it_ended(tmp_path: Path) -> None:
    missing = trial(1, None, missing=Cause.UNAVAILABLE)
    run = read_rate_run(folder(tmp_path, line(missing), line(trial(1, TrialOutcome.NOT_SELECTED))))
    assert [each.outcome for each in run.trials] == [TrialOutcome.NOT_SELECTED]
    assert (run.missing, len(run.not_made), run.complete) == ({}, 3, False)


def test_missing_measurements_are_counted_by_cause(tmp_path: Path) -> None:
    made = [trial(1, None, missing=Cause.BUDGET), trial(2, None, missing=HarnessCause.PAGE_UNREACHED)]
    run = read_rate_run(folder(tmp_path, *map(line, made)))
    assert run.missing == {"budget": 1, "page_unreached": 1}
    assert [(each.utterance, each.repeat) for each in run.not_made] == [("none", 1), ("none", 2)]


def test_a_torn_last_line_is_left_out_and_one_before_it_is_not(tmp_path: Path) -> None:
    whole = line(trial(1))
    run = read_rate_run(folder(tmp_path, whole, whole[: len(whole) // 2]))
    assert len(run.trials) == 1
    (tmp_path / "trials.jsonl").write_text(whole[: len(whole) // 2] + "\n" + whole)
    with pytest.raises(CensusError, match=r"trials\.jsonl:1 is no trial"):
        read_rate_run(tmp_path)


def test_trials_of_another_run_and_a_changed_set_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(CensusError, match="another run"):
        read_rate_run(folder(tmp_path / "other", line(trial(1, run="ffffffff"))))
    (tmp_path / "set").mkdir()
    with pytest.raises(CensusError, match="not the set that was measured with"):
        read_rate_run(folder(tmp_path / "set", digest="sha256:" + "0" * 64))


def test_a_folder_that_is_no_run_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(CensusError, match="no run of rates"):
        read_rate_run(tmp_path)


@pytest.mark.parametrize("wrong", [{"missing": "budget"}, {"outcome": None}, {"control": "irrelevant"}, {"tool": None}])
def test_a_trial_has_one_end_and_one_subject(wrong: dict[str, object]) -> None:
    fields = json.loads(line(trial(1)))
    with pytest.raises(ValueError, match="a trial"):
        Trial.model_validate({**fields, **wrong})


def test_a_control_on_a_page_without_tools_is_no_right_silence() -> None:
    assert control(1, TrialOutcome.NOT_REGISTERED).false_positive is None
