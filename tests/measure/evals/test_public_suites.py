"""The public suites, which stay outside the repository: WEBMCP_CENSUS_EVALS names the folder that holds them."""

import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from measure.evals.compat_verdict import check_compat
from measure.evals.files import read_tools
from measure.evals.judging import Matcher
from measure.evals.lint import lint_suite
from measure.evals.outcome import CaseOutcome, Ending
from measure.evals.running import Judges, Settings, run_suites
from measure.evals.suite import read_suite
from measure.judges.adversarial import BEHAVIOURS, Adversarial
from measure.judges.opening import JudgeOptions
from measure.lint.manifest import ManifestTool

FOLDER = os.environ.get("WEBMCP_CENSUS_EVALS", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="WEBMCP_CENSUS_EVALS is not set: the public suites are not here")


class Known(NamedTuple):
    """What a reader of a file counts in it."""

    cases: int
    calls: int
    """Calls that are expected in all its cases."""
    negatives: tuple[str, ...] = ()
    """Names of the cases that expect that nothing is called."""


FILES = {
    "address-form/evals.json": Known(2, 2),
    "commerce-retail/evals.json": Known(10, 9, ("Buy yacht for $50 (Unreasonable price)",)),
    "commerce-shopping/evals.json": Known(
        12, 10, ("Check Neon Yellow Availability", "Add Current Product to Cart (No Context)")
    ),
    "doors/evals.json": Known(14, 27),
    "events/evals.json": Known(5, 4, ("Book Restaurant: Ginno's Pizza",)),
    "french-bistro/evals.json": Known(2, 2),
    "french-bistro/evals-toolautosubmit.json": Known(2, 2),
    "french-bistro/evals-toolautosubmit-crossdocument.json": Known(2, 2),
    "french-bistro/evals-toolautosubmit-crossdocument-imperative.json": Known(2, 2),
    "healthcare/evals.json": Known(8, 7, ("Chest Tightness Emergency (No expected tool)",)),
    "pizza-maker/evals.json": Known(9, 9),
    "pizza-maker/evals-unordered.json": Known(1, 6),
    "real-estate/evals.json": Known(11, 10, ("House Search with $5000 Budget (Unreasonable)",)),
}

LIVE = {
    # These suites take their tools from the page; here are the names that their cases have.
    "doors": "openDoor1 openDoor2 openDoor3 talk dance hide castLight returnToHallway".split(),
    "french-bistro": ["book_table_le_petit_bistro"],
}

FAILURES = {
    # What the adversarial judge does, then what breaks: in every case with expected calls, and in every negative one.
    # A judge that goes on calling until it is stopped is endless; what it calls first is drawn by lot, so that of the
    # calls themselves only this much is certain.
    "made_up_name": ({"missing", "unknown_tool", "endless"}, {"unknown_tool", "endless"}),
    "other_case": ({"missing", "unknown_tool", "endless"}, {"unknown_tool", "endless"}),
    "arguments_text": ({"malformed"}, {"malformed", "unwanted"}),
    "arguments_list": ({"endless"}, {"endless", "unwanted"}),
    "arguments_null": ({"endless"}, {"endless", "unwanted"}),
    "arguments_extra": ({"endless"}, {"endless", "unwanted"}),
    "arguments_deep": ({"endless"}, {"endless", "unwanted"}),
    "twice": ({"endless"}, {"endless", "unwanted"}),
    "same_id": ({"endless", "unknown_tool"}, {"endless", "unknown_tool", "unwanted"}),
    "empty": ({"missing"}, set()),
    "malformed": ({"missing", "malformed"}, {"malformed"}),
    "text_that_lies": ({"missing"}, set()),
    "injected_text": ({"endless"}, {"endless", "unwanted"}),
}
EXACTLY = {"made_up_name", "other_case", "empty", "malformed", "text_that_lies"}
"""Behaviours in which no tool that there is is called, so that nothing else breaks."""
NO_CALL = {"empty", "malformed", "text_that_lies"}


class Always:
    """The adversarial judge, with one behaviour."""

    def __init__(self, behaviour: str) -> None:
        self.name = f"adversarial:{behaviour}"
        self._behaviour = behaviour

    def judge(self, case, tools, repeat, clock):
        return Adversarial(1, (self._behaviour,), f"{case.place} {repeat}")

    async def aclose(self) -> None:
        pass


def read(file: str):
    path = Path(FOLDER) / file
    suite = read_suite(path.read_text(encoding="utf-8"), file)
    schema = path.parent / "schema.json"
    names = LIVE.get(path.parent.name)
    tools = tuple(ManifestTool(name, name) for name in names) if names else read_tools(schema)
    return suite, tools


def run(file: str, judges, matcher: Matcher, steps: int = 30) -> tuple[CaseOutcome, ...]:
    return run_suites([read(file)], judges, Settings(matcher, max_steps=steps))


def test_no_file_of_the_suites_is_left_out():
    found = {path.relative_to(FOLDER).as_posix() for path in Path(FOLDER).glob("*/evals*.json")}
    assert found == set(FILES)
    assert len({file.partition("/")[0] for file in FILES}) == 9


def test_no_behaviour_of_the_adversary_is_left_out():
    assert FAILURES.keys() == BEHAVIOURS.keys()


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("matcher", Matcher)
def test_the_oracle_passes_every_case(file, matcher):
    suite, _ = read(file)
    check_compat(suite.cases, file)
    outcomes = run(file, Judges("oracle", JudgeOptions()), matcher)
    assert len(outcomes) == FILES[file].cases
    assert [each.case.name for each in outcomes if each.ending is not Ending.PASSED] == []
    assert sum(len(each.repeats[0].run.made) for each in outcomes) == FILES[file].calls


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("behaviour", FAILURES)
def test_the_adversary_fails_as_it_should(file, behaviour):
    wanted, unwanted = FAILURES[behaviour]
    outcomes = run(file, Always(behaviour), Matcher.DEFAULT, steps=3)
    counts: Counter[str] = Counter()
    for each in outcomes:
        negative = each.case.name in FILES[file].negatives
        violations = each.repeats[0].verdict.violations
        found = {violation.constraint.value for violation in violations}
        counts.update(violation.constraint.value for violation in violations)
        expected = unwanted if negative else wanted
        assert (found == expected) if negative or behaviour in EXACTLY else (found >= expected), each.case.name
        assert each.ending is (Ending.FAILED if expected else Ending.PASSED)
    if behaviour in EXACTLY:
        assert counts["missing"] == FILES[file].calls


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("behaviour", FAILURES)
def test_in_compat_the_adversary_passes_where_no_call_is_expected_and_none_is_made(file, behaviour):
    outcomes = run(file, Always(behaviour), Matcher.COMPAT, steps=3)
    passed = {each.case.name for each in outcomes if each.ending is Ending.PASSED}
    assert passed == (set(FILES[file].negatives) if behaviour in NO_CALL else set())


FINDINGS = {
    # A date that was fixed in January 2026 for "tomorrow".
    "events/evals.json": {"evals/relative-date": 1},
}


@pytest.mark.parametrize("file", FILES)
def test_lint_finds_what_a_reader_finds(file):
    suite, tools = read(file)
    expected = {"evals/untagged-request": 1, **FINDINGS.get(file, {})}
    if not FILES[file].negatives:
        expected["evals/no-negative"] = 1
    assert Counter(each.rule for each in lint_suite(suite, tools)) == expected
