"""Findings of a RUN, from lint to the release: whole, of these visits, of one set of rules, or refused."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl
import pytest

from census.errors import CensusError
from census.finding import Finding, Severity
from census.findings import FINDINGS, LintStamp, findings_of, read_findings, write_findings
from census.manifest import read_manifest
from census.optout import OptOut
from census.release import build_release
from census.run import Run
from census.summary import read_summary, recompute
from census.visit import Visit
from census.vocabulary import BrowserView, Outcome
from tests.census.factories import captured, failed, make_run, tool

THIN, VAGUE, INSECURE = "descriptions/thin", "descriptions/vague", "page/insecure"


def finding(rule: str, tool: str | None = None, severity: Severity = Severity.WARNING, **fields: str) -> Finding:
    values = {"message": f"{rule} of {tool}", "remedy": "say more"}
    return Finding(rule=rule, severity=severity, tool=tool, **{**values, **fields})


def visit_id(name: str) -> str:
    return f"visit of https://{name}.example/"


ONE = captured("https://one.example/", tools=[tool("search"), tool("pay")])
TWO = captured("https://two.example/", tools=[tool("search")])
PLAIN = captured("https://plain.example/")
BLIND = captured("https://blind.example/", tools=[tool("x")], browser_view=BrowserView.UNAVAILABLE)
GONE = failed("https://gone.example/", Outcome.DNS_ERROR)
VISITS = (ONE, TWO, PLAIN, BLIND, GONE)
FOUND = {
    visit_id("one"): (
        finding(VAGUE, "search", Severity.ERROR, pointer="/0/description", frame="top"),
        finding(THIN, "search"),
        finding(THIN, "pay"),
    ),
    visit_id("two"): (finding(THIN, "search"),),
    visit_id("plain"): (finding(INSECURE, None, Severity.ERROR),),
    visit_id("blind"): (finding(THIN, "x"),),
}


def linted(
    folder: Path,
    found: Mapping[str, tuple[Finding, ...]] = FOUND,
    visits: Sequence[Visit] = VISITS,
    *,
    rules_sha256: str = "aa" * 32,
) -> Run:
    run = Run(make_run(folder, visits))
    write_findings(run, found.items(), code_version="0.1.0", rules_sha256=rules_sha256, rules=[THIN, VAGUE, INSECURE])
    return run


def test_what_was_written_is_read_back(tmp_path):
    run = linted(tmp_path / "run")
    read = read_findings(run)
    assert read is not None
    assert dict(read.by_visit) == FOUND
    assert (read.stamp.visits, read.stamp.findings, read.stamp.rules) == (4, 6, (THIN, VAGUE, INSECURE))
    assert [path.name for path in run.folder.iterdir() if path.name.startswith(".")] == []


def test_words_of_a_page_with_line_ends_of_their_own_are_read_back(tmp_path):
    found = {visit_id("one"): (finding(THIN, "a\u2028b\x85c\r\nd"),)}
    read = read_findings(linted(tmp_path / "run", found))
    assert read is not None
    assert dict(read.by_visit) == found


def test_a_run_that_was_never_linted_has_none(tmp_path):
    assert read_findings(Run(make_run(tmp_path / "run", VISITS))) is None
    assert findings_of([Run(tmp_path / "run")]) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[1:],
        lambda lines: [lines[0][:-20], *lines[1:]],
        lambda lines: [lines[0].replace('"findings":[', '"findings":[],"x":['), *lines[1:]],
        lambda lines: [],
    ],
    ids=["stamp missing", "visit missing", "cut line", "unknown key", "empty"],
)
def test_a_file_that_is_not_whole_is_refused_with_the_way_out(tmp_path, damage):
    run = linted(tmp_path / "run")
    path = run.folder / FINDINGS
    path.write_text("\n".join(damage(path.read_text().splitlines())))
    with pytest.raises(CensusError, match=r"webmcp-census lint .*run` again, or delete the file"):
        build_release([run], tmp_path / "release")
    assert not (tmp_path / "release").exists()


def test_findings_of_other_visits_are_stale(tmp_path):
    run = linted(tmp_path / "run")
    fresh = Run(make_run(tmp_path / "fresh", [*VISITS, captured("https://later.example/")]))
    (fresh.folder / FINDINGS).write_bytes((run.folder / FINDINGS).read_bytes())
    with pytest.raises(CensusError, match="is stale"):
        build_release([fresh], tmp_path / "release")


def test_a_page_visited_again_makes_findings_stale(tmp_path):
    run = linted(tmp_path / "run")
    fresh = Run(make_run(tmp_path / "fresh", [ONE.model_copy(update={"settle_ms": 9}), *VISITS[1:]]))
    (fresh.folder / FINDINGS).write_bytes((run.folder / FINDINGS).read_bytes())
    with pytest.raises(CensusError, match="is stale"):
        read_findings(fresh)


def test_a_release_has_the_findings_and_says_which_pages_were_linted(tmp_path):
    build_release([linted(tmp_path / "run")], tmp_path / "release")
    rows = pl.read_parquet(tmp_path / "release/data/findings.parquet")
    assert rows.columns == "visit_id site rule severity tool frame pointer message remedy".split()
    assert rows.row(1) == (
        visit_id("one"), "one.example:443", VAGUE, "error", "search", "top", "/0/description", f"{VAGUE} of search",
        "say more",
    )  # fmt: skip
    assert rows["rule"].to_list() == [THIN, VAGUE, THIN, THIN, INSECURE, THIN]
    pages = pl.read_parquet(tmp_path / "release/data/pages.parquet")
    assert dict(pages.select("target_url", "linted").iter_rows()) == {
        "https://one.example/": True, "https://two.example/": True, "https://plain.example/": True,
        "https://blind.example/": True, "https://gone.example/": None,
    }  # fmt: skip
    manifest = read_manifest(tmp_path / "release")
    assert manifest is not None
    assert isinstance(manifest.lint, LintStamp)
    assert manifest.lint.findings == 6


def test_rates_are_over_the_linted_measured_pages_with_tools(tmp_path):
    build_release([linted(tmp_path / "run")], tmp_path / "release")
    summary = read_summary(tmp_path / "release")
    errors, any_ = summary.rate("lint_errors"), summary.rate("lint_findings")
    assert (errors.k, errors.n) == (1, 2)
    assert (any_.k, any_.n) == (2, 2)
    assert errors.leaves_out == {"browser_view_unavailable": 1, "dns_error": 1, "no_tools": 1}
    rules = summary.parts("lint_tool_rules")
    assert rules.n == 2
    assert [(part.part, part.k, part.n) for part in rules.parts] == [(THIN, 2, 2), (VAGUE, 1, 2)]
    # Wilson's interval of 1 of 2, from the formula by hand.
    assert (round(rules.parts[1].low, 4), round(rules.parts[1].high, 4)) == (0.0945, 0.9055)
    pages = summary.parts("lint_page_rules")
    assert (pages.n, [(part.part, part.k) for part in pages.parts]) == (3, [(INSECURE, 1)])
    assert recompute(tmp_path / "release") == []


def test_without_lint_the_report_does_not_say_that_there_are_no_findings(tmp_path):
    build_release([Run(make_run(tmp_path / "run", VISITS))], tmp_path / "release")
    assert pl.read_parquet(tmp_path / "release/data/findings.parquet").height == 0
    report = (tmp_path / "release/report.md").read_text()
    assert "Lint was not run on these visits" in report
    assert "Rule about tools" not in report
    assert json.loads((tmp_path / "release/manifest.json").read_text())["lint"] is None
    assert read_summary(tmp_path / "release").rate("lint_errors").leaves_out["not_linted"] == 3


def test_the_report_names_the_rules_with_their_intervals(tmp_path):
    build_release([linted(tmp_path / "run")], tmp_path / "release")
    report = (tmp_path / "release/report.md").read_text()
    assert "| descriptions/vague | 1 | 50.0 % | 9.5 to 90.5 % |" in report
    assert "| page/insecure | 1 | 33.3 % |" in report
    assert "Lint was not run" not in report


def test_nothing_of_a_site_that_opted_out_is_published(tmp_path):
    optout = OptOut(frozenset({"one.example"}))
    build_release([linted(tmp_path / "run")], tmp_path / "release", optout=optout)
    rows = pl.read_parquet(tmp_path / "release/data/findings.parquet")
    assert visit_id("one") not in rows["visit_id"].to_list()
    assert rows.height == 3
    assert read_summary(tmp_path / "release").rate("lint_errors").n == 1


def test_runs_of_which_only_some_were_linted_are_refused(tmp_path):
    run = linted(tmp_path / "run")
    other = Run(make_run(tmp_path / "other", [captured("https://other.example/", tools=[tool("x")])]))
    with pytest.raises(CensusError, match=r"other was never linted"):
        build_release([run, other], tmp_path / "release")


def test_runs_linted_by_different_rules_are_refused(tmp_path):
    run = linted(tmp_path / "run")
    visits = [captured("https://other.example/", tools=[tool("x")])]
    other = linted(tmp_path / "other", {visit_id("other"): ()}, visits, rules_sha256="bb" * 32)
    with pytest.raises(CensusError, match="different rules"):
        build_release([run, other], tmp_path / "release")


def test_runs_linted_alike_are_one_release(tmp_path):
    run = linted(tmp_path / "run")
    visits = [captured("https://other.example/", tools=[tool("x")])]
    other = linted(tmp_path / "other", {visit_id("other"): ()}, visits)
    build_release([run, other], tmp_path / "release")
    manifest = read_manifest(tmp_path / "release")
    assert manifest is not None
    assert manifest.lint is not None
    assert (manifest.lint.visits, manifest.lint.findings) == (5, 6)
    assert read_summary(tmp_path / "release").rate("lint_findings").n == 3


def test_findings_are_not_written_over_a_run_that_goes_on(tmp_path):
    folder = make_run(tmp_path / "run", VISITS)
    run = Run(folder)

    def crawl_goes_on():
        yield visit_id("one"), ()
        make_run(tmp_path / "more", [*VISITS, captured("https://later.example/")])
        (tmp_path / "more/frontier.sqlite").replace(folder / "frontier.sqlite")

    with pytest.raises(CensusError, match="further visits"):
        write_findings(run, crawl_goes_on(), code_version="0.1.0", rules_sha256="aa" * 32, rules=[THIN])
    assert not (folder / FINDINGS).exists()
