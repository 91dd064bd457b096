import os
from pathlib import Path

import pytest

from census import run_tables
from census.columns import TABLES
from census.errors import CensusError
from census.finding import Finding, Severity
from census.run import Run
from census.run_tables import tables_of
from census.vocabulary import Outcome, Pass
from tests.census.factories import captured, control, failed, make_run, tool

VISITS = [captured(f"https://{letter}.example/{number}", tools=[tool("t")]) for number in range(4) for letter in "cab"]
NOTE = Finding(rule="r/x", severity=Severity.NOTE, message="m", remedy="r")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    again = [VISITS[0].model_copy(update={"pass_": Pass.AUDIT, "visit_id": "again"})]
    lost = [failed("https://lost.example/", Outcome.TIMEOUT)]
    folder = make_run(tmp_path / "run", [*VISITS, *lost, *again], [control(), control()], vouched=[VISITS[1].visit_id])
    return Run(folder)


FINDINGS = {VISITS[2].visit_id: (NOTE,), VISITS[3].visit_id: ()}


def quiet(_: int, __: int) -> None:
    pass


def test_rows_are_sorted_by_site_and_then_in_the_order_of_the_targets(run: Run) -> None:
    pages = tables_of([run], {}, quiet)["pages"]
    expected = [f"https://{letter}.example/{number}" for letter in "abc" for number in range(4)]
    assert pages["target_url"].to_list() == [*expected, "https://lost.example/"]


def test_every_table_names_the_site(run: Run) -> None:
    tables = tables_of([run], FINDINGS, quiet)
    for name in ("frames", "tools", "findings", "observations"):
        sites = tables["pages"].select("target_url", "visit_id", expected="site")
        key = "target_url" if name == "observations" else "visit_id"
        joined = tables[name].join(sites, on=key)
        assert joined.height == tables[name].height > 0
        assert joined["site"].to_list() == joined["expected"].to_list()


def test_what_goes_with_a_visit_finds_it_in_any_chunk(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tables_of([run], FINDINGS, quiet)
    assert whole["pages"].filter(vouched=True)["visit_id"].to_list() == [VISITS[1].visit_id]
    assert whole["findings"]["visit_id"].to_list() == [VISITS[2].visit_id]
    assert whole["pages"].filter(linted=True)["visit_id"].to_list() == [VISITS[2].visit_id, VISITS[3].visit_id]
    assert whole["controls"].height == 2
    assert whole["observations"]["visit_id"].to_list() == ["again"]
    monkeypatch.setattr(run_tables, "CHUNK", 3)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    chunked = tables_of([run], FINDINGS, quiet)
    assert all(chunked[table].equals(whole[table]) for table in TABLES)


def test_processes_give_the_same_rows(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tables_of([run], FINDINGS, quiet)
    monkeypatch.setattr(run_tables, "CHUNK", 4)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    progress: list[tuple[int, int]] = []
    parallel = tables_of([run], FINDINGS, lambda done, total: progress.append((done, total)))
    assert all(parallel[table].equals(whole[table]) for table in TABLES)
    assert list(dict.fromkeys(progress)) == [(0, 13), (4, 13), (8, 13), (12, 13), (13, 13)]


def test_damaged_evidence_is_an_error_in_a_process_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, digest) = run.final_evidence()[5]
    path = run.folder / "evidence" / digest[:2] / f"{digest}.json.gz"
    path.write_bytes(path.read_bytes()[:-9])
    monkeypatch.setattr(run_tables, "CHUNK", 4)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with pytest.raises(CensusError, match=rf"{digest}\.json\.gz cannot be read"):
        tables_of([run], {}, quiet)


def test_a_run_with_controls_alone_and_one_with_nothing(tmp_path: Path) -> None:
    assert tables_of([Run(make_run(tmp_path / "one", [], [control()]))], {}, quiet)["controls"].height == 1
    nothing = tables_of([Run(make_run(tmp_path / "two", []))], {}, quiet)
    assert [table.height for table in nothing.values()] == [0] * len(TABLES)
