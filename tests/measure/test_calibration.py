"""Lint against published invocation rates, which stay outside the repository.

WEBMCP_CENSUS_MANIFESTS names the folder that holds `arms.json` and `live/`, WEBMCP_CENSUS_EVALS that of the public
eval suites.
"""

import os
from pathlib import Path

import pytest

from benchmarks.lint_calibration import lowest_rates
from census.finding import Severity
from measure.lint.linting import lint
from measure.lint.manifest_file import read_manifests

MANIFESTS = os.environ.get("WEBMCP_CENSUS_MANIFESTS", "")
EVALS = os.environ.get("WEBMCP_CENSUS_EVALS", "")

with_manifests = pytest.mark.skipif(not MANIFESTS, reason="set WEBMCP_CENSUS_MANIFESTS to run on published manifests")
with_evals = pytest.mark.skipif(not EVALS, reason="set WEBMCP_CENSUS_EVALS to run on public eval suites")


def arms():
    text = (Path(MANIFESTS) / "arms.json").read_text()
    rates = lowest_rates(text)
    assert len(rates) >= 11
    errors = {
        manifest.source.partition("#")[2]: [each for each in lint(manifest) if each.severity is Severity.ERROR]
        for manifest in read_manifests(text, "arms")
    }
    return rates, errors


@with_manifests
def test_every_arm_that_fell_through_the_pair_has_an_error_that_names_it():
    rates, errors = arms()
    fell = [arm for arm, rate in rates.items() if rate <= 58.3 and "pair" in arm]
    assert len(fell) == 4
    for arm in fell:
        [pair] = [error for error in errors[arm] if error.rule == "descriptions/indistinguishable-pair"]
        assert "`sum_by_category`" in pair.message, arm
        assert "`summarise_by_category`" in pair.message, arm


@with_manifests
def test_no_arm_of_which_the_lowest_tool_is_at_90_percent_or_above_has_an_error():
    rates, errors = arms()
    good = [arm for arm, rate in rates.items() if rate >= 90]
    assert len(good) == 5
    assert {arm: errors[arm] for arm in [*good, "clean"] if errors[arm]} == {}


@with_manifests
def test_the_arm_with_the_bad_schema_has_a_finding_of_its_own():
    _, errors = arms()
    [error] = errors["ablate-schema"]
    assert error.rule == "schemas/over-parameterised"
    assert error.tool == "top_expenses"


@with_manifests
def test_live_pages_are_judged_without_an_error():
    for path in sorted((Path(MANIFESTS) / "live").glob("*.json")):
        for manifest in read_manifests(path.read_text(), path.name):
            assert [each.message for each in lint(manifest) if each.severity is Severity.ERROR] == [], path.name


@with_evals
def test_public_suites_are_judged_without_an_error():
    paths = sorted(Path(EVALS).glob("*/schema.json"))
    assert paths
    for path in paths:
        for manifest in read_manifests(path.read_text(), str(path)):
            assert [each.message for each in lint(manifest) if each.severity is Severity.ERROR] == [], path
