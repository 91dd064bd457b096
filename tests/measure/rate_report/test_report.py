"""A run's report against numbers counted by hand from its twenty-four trials."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from census.errors import CensusError
from measure.rate_report.gate import Thresholds, gated, thresholds_of
from measure.rate_report.making import report_of
from measure.rate_report.markdown import report_markdown
from measure.rate_report.report import PageReport, RateReport, ToolReport
from measure.rate_report.schema_page import schema_text
from measure.rate_report.terminal import report_text
from measure.rate_report.writing import report_json
from measure.rates.rate_run import read_rate_run
from tests.measure.rate_report.runs import GOOD, Ends, small_run

# Sessions 1 and 2, each with repeats 1 and 2: `add` succeeds in 3 of 8, and in session 1 only.
MIXED: Ends = GOOD | {
    "add-1": ["ok", "silent_fail", "wrong_tool", "bad_args"],
    "add-2": ["ok", "not_selected", "wrong_tool", "hallucinated_tool"],
    "near-1": ["ok", "wrong_tool", "ok", "ok"],
}
PREDICTED = [
    {"tool": "add", "rate": 0.5, "by": "Ada"},
    {"tool": "pay", "rate": 0.1, "by": "Ada"},
    {"tool": "add", "rate": 0.5, "by": "Bob", "page": "other.html"},
]


def report_on(folder: Path, ends: Ends, **more: object) -> RateReport:
    return report_of(read_rate_run(small_run(folder / "run", ends, **more)))  # type: ignore[arg-type]


def tool(page: PageReport, name: str) -> ToolReport:
    (found,) = [each for each in page.tools if each.tool == name]
    return found


@pytest.fixture
def mixed(tmp_path: Path) -> RateReport:
    return report_on(tmp_path, MIXED, predictions=PREDICTED)


def test_a_tools_rate_is_of_its_trials_whose_tool_was_called_with_valid_arguments(mixed):
    found = tool(mixed.pages[0], "add").statistics
    assert found is not None
    # ok, silent_fail, ok: a tool that fails silently was invoked all the same.
    assert (found.rate.k, found.rate.n) == (3, 8)
    # Wilson, JASA 22 (1927): 3 of 8 with z = 1.959964.
    assert (found.rate.low, found.rate.high) == pytest.approx((0.136844, 0.694258), abs=1e-5)
    assert (found.selected.k, found.selected.n) == (4, 8)
    assert (found.succeeded.k, found.succeeded.n) == (2, 3)


def test_direct_and_ambiguous_requests_are_apart(mixed):
    found = tool(mixed.pages[0], "add").statistics
    assert found is not None
    assert {tag: (share.k, share.n) for tag, share in found.by_tag.items()} == {"direct": (2, 4), "ambiguous": (1, 4)}


def test_spreads_between_and_within_sessions_are_not_mixed(mixed):
    found = tool(mixed.pages[0], "add").statistics
    assert found is not None
    # Session 1 has 3 of 4, session 2 none.
    assert found.between_sessions is not None
    assert (found.between_sessions.low, found.between_sessions.high) == (0.0, 0.75)
    # Session 1: repeat 1 has 2 of 2, repeat 2 has 1 of 2, so 0.25 off each way; session 2: nothing off.
    assert found.within_sessions is not None
    assert (found.within_sessions.low, found.within_sessions.high, found.within_sessions.n) == (-0.25, 0.25, 4)


def test_pass_power_is_the_unbiased_estimate(mixed):
    found = tool(mixed.pages[0], "add").statistics
    assert found is not None
    # add-1: 2 of 4, add-2: 1 of 4; three in a row have C(2,3)/C(4,3) = 0 and 0; five are more than the trials.
    assert found.in_a_row == {"1": 0.375, "3": 0.0, "5": None}


def test_floors_stand_beside_the_rate(mixed):
    page = mixed.pages[0]
    add, pay = tool(page, "add").statistics, tool(page, "pay").statistics
    assert add is not None
    assert pay is not None
    # "apple" and "basket" are words of `add`; "I am hungry" has no word of any tool. `add` comes first by name.
    assert add.floors.lexical == 0.5
    assert (add.floors.majority, pay.floors.majority) == (1.0, 0.0)
    assert add.floors.random == 0.5
    assert page.statistics is not None
    assert page.statistics.floors.majority == 0.5


def test_outcomes_and_what_was_called_instead(mixed):
    add = tool(mixed.pages[0], "add")
    assert add.outcomes == {
        "not_selected": 1, "wrong_tool": 2, "hallucinated_tool": 1, "bad_args": 1, "silent_fail": 1, "ok": 2,
    }  # fmt: skip
    assert add.called == {"": 1, "add": 4, "fly": 1, "pay": 2}
    assert [(each.utterance, each.invoked, each.measured) for each in add.utterances] == [
        ("add-1", 2, 4),
        ("add-2", 1, 4),
    ]


def test_false_positives_are_told_by_kind(mixed):
    told = {each.kind: each.false_positives for each in mixed.pages[0].controls}
    assert {kind: (share.k, share.n) for kind, share in told.items() if share} == {
        "irrelevant": (0, 4),
        "near_miss": (1, 4),
    }


def test_a_control_on_a_page_without_tools_tells_nothing_of_the_judge(tmp_path):
    ends = GOOD | {"off-1": ["not_registered", "not_registered", "ok", "wrong_tool"]}
    (irrelevant, _) = report_on(tmp_path, ends).pages[0].controls
    assert irrelevant.nothing_offered == 2
    assert irrelevant.false_positives is not None
    assert (irrelevant.false_positives.k, irrelevant.false_positives.n) == (1, 2)


def test_predictions_are_scored_by_brier_and_by_the_interval(mixed):
    add, pay = mixed.predictions
    assert (add.tool, add.by, add.measured) == ("add", "Ada", 0.375)
    # (3 * 0.25 + 5 * 0.25) / 8, and 0.375 * 0.625 for the best constant.
    assert (add.brier, add.brier_least, add.hit) == (0.25, pytest.approx(0.234375), True)
    assert (pay.brier, pay.brier_least) == (pytest.approx(0.81), 0.0)


@pytest.mark.parametrize("cause", ["unavailable", "browser_failed", "budget"])
def test_an_incomplete_run_has_causes_and_no_rate_in_any_form(tmp_path, cause):
    report = report_on(tmp_path, GOOD | {"add-1": ["ok", "ok", cause, "ok"]}, predictions=PREDICTED[:1], drop=2)
    assert not report.complete
    assert report.exit_code == 2
    assert (report.coverage.planned, report.coverage.measured) == (24, 21)
    assert (report.coverage.missing, report.coverage.not_made) == ({cause: 1}, 2)
    assert all(each.statistics is None for page in report.pages for each in (page, *page.tools))
    assert all(each.false_positives is None for page in report.pages for each in page.controls)
    assert report.predictions[0].brier is None
    for text in (report_text(report), report_markdown(report)):
        assert cause in text
        assert " % (95 %" not in text
    assert gated(report, Thresholds(fail_under=1.0)).gate.breaches == ()


@pytest.mark.parametrize(
    ("fail_under", "controls", "failing"),
    [
        (["0.375"], None, []),
        (["0.38"], None, ["add"]),
        (["0.38", "add=0.2"], None, []),
        (["pay=1"], None, []),
        (["0.5"], 0.25, ["add"]),
        (["0"], 0.2, ["near_miss"]),
    ],
)
def test_the_gate_holds_the_point_rate_of_each_tool_and_each_kind_of_control(mixed, fail_under, controls, failing):
    report = gated(mixed, thresholds_of(fail_under, controls))
    assert [each.name for each in report.gate.breaches] == failing
    assert report.exit_code == (1 if failing else 0)


def test_controls_that_no_tool_could_answer_do_not_pass_a_gate(tmp_path):
    report = report_on(tmp_path, GOOD | {"off-1": ["not_registered"] * 4})
    breaches = gated(report, thresholds_of([], 0.5)).gate.breaches
    assert [each.name for each in breaches] == ["irrelevant"]


@pytest.mark.parametrize("wrong", [["1.5"], ["many"], ["add="], ["add=-0.1"], ["0.5", "0.6"], ["nan"]])
def test_a_threshold_that_is_none_is_refused(wrong):
    with pytest.raises(CensusError, match="--fail-under"):
        thresholds_of(wrong, None)


def test_a_threshold_of_a_tool_that_is_not_measured_is_refused(mixed):
    with pytest.raises(CensusError, match="no tool of this name is measured; measured are: add, pay"):
        gated(mixed, thresholds_of(["ad=0.5"], None))


def test_report_json_is_what_its_schema_says(mixed):
    schema = json.loads(schema_text())
    content = json.loads(report_json(mixed))
    Draft202012Validator(schema).validate(content)
    assert Path("docs/rate-report.schema.json").read_text(encoding="utf-8") == schema_text()
    assert RateReport.model_validate_json(report_json(mixed)) == mixed


def test_nothing_that_a_judge_or_a_set_says_is_markup(tmp_path):
    report = report_on(tmp_path, MIXED, judge="openai:<b>[x](http://e)|\u202e", served=None)
    text = report_markdown(report)
    assert "<b>" not in text
    assert "[x](" not in text
    assert "\u202e" not in report_text(report)


def test_the_same_trials_give_the_same_report_whatever_was_made_again(tmp_path):
    whole = small_run(tmp_path / "whole", MIXED)
    again = small_run(tmp_path / "again", MIXED)
    lines = (again / "trials.jsonl").read_text().splitlines()
    first = json.loads(lines[0]) | {"outcome": None, "missing": "unavailable", "calls": [], "executed": None}
    (again / "trials.jsonl").write_text("\n".join([json.dumps(first), *lines, '{"torn'])[:-3])
    assert report_of(read_rate_run(again)) == report_of(read_rate_run(whole))
