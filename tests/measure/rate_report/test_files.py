"""The files of a report: badge, JUnit, figures, Markdown, and what is taken away again."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from census.errors import CensusError
from measure.rate_report.badge import badge
from measure.rate_report.gate import gated, thresholds_of
from measure.rate_report.making import report_of
from measure.rate_report.report import RateReport
from measure.rate_report.writing import write_report
from measure.rates.rate_run import read_rate_run
from tests.measure.rate_report.runs import GOOD, small_run

MISSED = GOOD | {"add-1": ["ok", "ok", "wrong_tool", "ok"]}
GAP = GOOD | {"add-1": ["ok", "ok", "rate_limited", "ok"]}


def report_on(folder: Path, ends) -> RateReport:
    return report_of(read_rate_run(small_run(folder, ends)))


def test_a_badge_carries_n_and_an_interval_in_the_form_of_the_endpoint(tmp_path):
    report = report_on(tmp_path / "run", MISSED)
    content = badge(report, report.pages[0])
    # https://shields.io/badges/endpoint-badge: these keys, and the version 1.
    assert content["schemaVersion"] == 1
    assert content["label"] == "invocation rate"
    message = str(content["message"])
    assert message.startswith("93.8 % (")
    assert message.endswith("%), n = 16")
    assert isinstance(content["color"], str)


def test_an_incomplete_run_has_no_badge_and_an_old_one_is_taken_away(tmp_path):
    folder = tmp_path / "report"
    write_report(report_on(tmp_path / "whole", GOOD), folder)
    assert (folder / "badge.json").is_file()
    assert (folder / "badge.svg").is_file()
    gap = report_on(tmp_path / "gap", GAP)
    write_report(gap, folder)
    assert list(folder.glob("badge*")) == []
    with pytest.raises(CensusError, match=r"1 of 24 trials are missing"):
        badge(gap, gap.pages[0])


def test_every_file_is_written_and_names_what_is_there(tmp_path):
    folder = tmp_path / "report"
    write_report(report_on(tmp_path / "run", MISSED), folder)
    page = (folder / "report.md").read_text()
    for figure in ("figures/rates-1.svg", "figures/outcomes-1.svg"):
        assert f"({figure})" in page
        assert ET.parse(folder / figure).getroot().tag.endswith("svg")
    shown = ET.parse(folder / "badge.svg").getroot()
    assert "n = 16" in "".join(shown.itertext())
    assert json.loads((folder / "report.json").read_text())["complete"] is True


def test_the_forest_plot_shows_each_tool_with_its_count(tmp_path):
    write_report(report_on(tmp_path / "run", MISSED), tmp_path / "report")
    texts = "".join(ET.parse(tmp_path / "report/figures/rates-1.svg").getroot().itertext())
    for said in ("add", "pay", "all tools", "7 of 8", "8 of 8", "15 of 16", "lexical", "majority", "random"):
        assert said in texts


def test_the_same_report_gives_the_same_bytes(tmp_path):
    report = report_on(tmp_path / "run", MISSED)
    for name in ("one", "two"):
        write_report(report, tmp_path / name)
    for path in (tmp_path / "one").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


def test_junit_fails_a_breach_and_calls_a_gap_an_error(tmp_path):
    breached = gated(report_on(tmp_path / "missed", MISSED), thresholds_of(["0.9"], 0.0))
    write_report(breached, tmp_path / "one")
    suites = ET.parse(tmp_path / "one/junit.xml").getroot()
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("4", "1", "0")
    (failed,) = [case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None]
    assert failed == "add"
    write_report(report_on(tmp_path / "gap", GAP), tmp_path / "two")
    suites = ET.parse(tmp_path / "two/junit.xml").getroot()
    assert (suites.get("failures"), suites.get("errors")) == ("0", "4")
    texts = [each.get("message") or "" for each in suites.iter("error")]
    assert any("1 rate_limited" in text for text in texts)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(CensusError, match="taken cannot be written"):
        write_report(report_on(tmp_path / "run", GOOD), tmp_path / "taken")
