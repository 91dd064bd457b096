"""From a run of rates through a RUN into a release: the tables `trials` and `rates`, and the gates on them."""

import json
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from census.errors import CensusError
from census.measured_rates import RATES, read_rates
from census.opened_release import open_release
from census.optout import OptOut
from census.release import build_release
from census.run import Run
from census.verification import verify_release
from measure.rates.commands import rate_group
from tests.census.factories import captured, control, make_run
from tests.census.releases import tampered
from tests.measure.rate_report.runs import GOOD, Ends, small_run

SHOP = "https://shop.example/"
ENDS: Ends = GOOD | {
    "add-1": ["ok", "silent_fail", "wrong_tool", "bad_args"],
    "near-1": ["ok", "wrong_tool", "ok", "ok"],
    "off-1": ["not_registered", "ok", "ok", "ok"],
}


def crawl(folder: Path) -> Path:
    return make_run(folder, [captured(SHOP), captured("https://other.com/")], [control()])


def measured(folder: Path, page: str = SHOP, ends: Ends = ENDS, **plan: object) -> Path:
    return small_run(folder, ends, page=page, **plan)  # type: ignore[arg-type]


def put(run: Path, into: Path) -> Result:
    return CliRunner().invoke(rate_group, ["report", str(run), "--into", str(into)], standalone_mode=False)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    into = crawl(tmp_path / "crawl")
    assert put(measured(tmp_path / "rates"), into).return_value == 0
    build_release([Run(into)], tmp_path / "release")
    return tmp_path / "release"


def table(release: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(release / "data" / f"{name}.parquet")


def test_every_trial_is_a_row_that_joins_its_page(release):
    trials = table(release, "trials")
    assert trials.height == 24
    pages = table(release, "pages")
    joined = trials.join(pages, on=["target_key", "site"], how="inner")
    assert joined.height == 24
    assert set(joined["target_url"]) == {SHOP}
    silent = trials.filter(pl.col("outcome") == "silent_fail").row(0, named=True)
    assert (silent["tool"], silent["session"], silent["repeat"], silent["invoked"]) == ("add", 1, 2, True)
    assert json.loads(silent["calls"]) == [{"arguments": {}, "outcome": "silent_fail", "tool": "add"}]


def test_a_rate_is_what_its_trials_give(release):
    rates = {(row["measure"], row["name"]): row for row in table(release, "rates").iter_rows(named=True)}
    assert {key: (row["k"], row["n"]) for key, row in rates.items()} == {
        ("invocation", "add"): (6, 8),
        ("invocation", "pay"): (8, 8),
        # Of `off-1`, one trial had no tool to call, and says nothing.
        ("false_positive", "irrelevant"): (0, 3),
        ("false_positive", "near_miss"): (1, 4),
    }
    add = rates["invocation", "add"]
    # Session 1: 4 of 4; session 2: 2 of 4.
    assert (add["between_low"], add["between_high"]) == (0.5, 1.0)
    assert (add["direct_k"], add["direct_n"], add["ambiguous_k"], add["ambiguous_n"]) == (2, 4, 4, 4)
    assert add["floor_random"] == 0.5
    assert add["low"] < add["rate"] < add["high"]
    assert rates["false_positive", "near_miss"]["floor_random"] is None


def test_a_release_with_rates_holds_and_its_report_and_manifest_name_the_run(release):
    assert verify_release(release, OptOut()) == []
    report = (release / "report.md").read_text()
    assert "## How often a judge picks the right tool" in report
    assert "75.0 % (95 % interval" in report
    (stamp,) = open_release(release).manifest.rates
    assert (stamp.run, stamp.trials, stamp.sessions, stamp.repeats) == ("0123abcd", 24, 2, 2)


@pytest.mark.parametrize("column", ["k", "n", "rate", "low"])
def test_a_rate_that_its_trials_do_not_give_is_found(release, column):
    rates = table(release, "rates")
    tampered(release, "rates", rates.with_columns((pl.col(column) * 2).alias(column).cast(rates.schema[column])))
    assert "rate-counts" in {each.rule for each in verify_release(release, OptOut())}


def test_a_trial_without_a_rate_and_a_trial_twice_are_found(release):
    trials, rates = table(release, "trials"), table(release, "rates")
    tampered(release, "rates", rates.filter(pl.col("name") != "pay"))
    (lost,) = [each for each in verify_release(release, OptOut()) if each.rule == "rate-counts"]
    assert lost.message == "8 rows of `trials` are in no row of `rates`"
    tampered(release, "trials", pl.concat([trials, trials.head(1)]))
    assert "duplicate-key" in {each.rule for each in verify_release(release, OptOut())}


def test_a_release_without_rates_says_nothing_of_them(tmp_path):
    build_release([Run(crawl(tmp_path / "crawl"))], tmp_path / "release")
    assert table(tmp_path / "release", "rates").height == 0
    assert "judge" not in (tmp_path / "release/report.md").read_text()
    assert verify_release(tmp_path / "release", OptOut()) == []


def test_what_was_measured_on_a_site_that_opted_out_is_left_out(tmp_path):
    into = crawl(tmp_path / "crawl")
    put(measured(tmp_path / "shop"), into)
    put(measured(tmp_path / "served", page="index.html", run="89abcdef"), into)
    optout = OptOut(frozenset({"shop.example"}))
    build_release([Run(into)], tmp_path / "release", optout=optout)
    for name in ("trials", "rates"):
        assert set(table(tmp_path / "release", name)["page"]) == {"index.html"}
    assert verify_release(tmp_path / "release", optout) == []
    assert SHOP not in (tmp_path / "release/report.md").read_text()


def test_addresses_and_tokens_that_a_judge_wrote_are_taken_out(tmp_path):
    into, run = crawl(tmp_path / "crawl"), measured(tmp_path / "rates")
    trials = (run / "trials.jsonl").read_text().splitlines()
    first = json.loads(trials[0])
    first["calls"][0]["arguments"] = {"to": "ada@mail.com"}
    first["detail"] = "sent to bob@mail.com"
    (run / "trials.jsonl").write_text("\n".join([json.dumps(first), *trials[1:]]) + "\n")
    put(run, into)
    build_release([Run(into)], tmp_path / "release")
    row = table(tmp_path / "release", "trials").row(0, named=True)
    assert json.loads(row["calls"])[0]["arguments"] == {"to": "[e-mail]"}
    assert row["detail"] == "sent to [e-mail]"
    assert verify_release(tmp_path / "release", OptOut()) == []


def test_an_incomplete_run_does_not_go_into_a_release(tmp_path):
    into = crawl(tmp_path / "crawl")
    gap = measured(tmp_path / "gap", ends=GOOD | {"add-1": ["ok", "unavailable", "ok", "ok"]})
    done = put(gap, into)
    assert isinstance(done.exception, CensusError)
    assert "1 of 24 trials are missing" in str(done.exception)
    assert not (into / RATES).exists()


def test_the_same_run_again_replaces_itself_and_in_two_runs_it_is_refused(tmp_path):
    into, other = crawl(tmp_path / "crawl"), crawl(tmp_path / "other")
    run = measured(tmp_path / "rates")
    put(run, into)
    put(run, into)
    assert len(read_rates([into])) == 1
    put(run, other)
    with pytest.raises(CensusError, match="are one run of rates"):
        read_rates([into, other])


@pytest.mark.parametrize("damage", [lambda text: text[:-40], lambda text: text[text.index("\n") + 1 :], lambda _: ""])
def test_a_file_that_is_not_whole_is_refused(tmp_path, damage):
    into = crawl(tmp_path / "crawl")
    put(measured(tmp_path / "rates"), into)
    path = into / RATES / "0123abcd.jsonl"
    path.write_text(damage(path.read_text()))
    with pytest.raises(CensusError, match="not whole"):
        read_rates([into])


def test_a_folder_that_is_no_run_of_a_crawl_is_refused(tmp_path):
    (tmp_path / "else").mkdir()
    done = put(measured(tmp_path / "rates"), tmp_path / "else")
    assert "is no RUN" in str(done.exception)
