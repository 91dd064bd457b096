import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from census.columns import TABLES, schema
from census.errors import CensusError
from census.manifest import read_manifest
from census.optout import OptOut
from census.release import build_release
from census.run import Run
from census.summary import read_summary, recompute
from census.vocabulary import Outcome
from tests.census.factories import captured, control, failed, make_run, tool

HOSTILE = "pay|`x`<img src=x onerror=alert(1)>\n# heading \u202e"
VISITS = [
    captured("https://one.example/", tools=[tool("search")]),
    captured("https://evil.example/?q=a|b", tools=[tool(HOSTILE), tool("search")]),
    captured("https://plain.example/"),
    failed("https://gone.example/", Outcome.DNS_ERROR),
]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    vouched = [VISITS[0].visit_id, VISITS[2].visit_id]
    return Run(make_run(tmp_path / "run", VISITS, [control(), control()], vouched=vouched))


@pytest.fixture
def release(run: Run, tmp_path: Path) -> Path:
    build_release([run], tmp_path / "release")
    return tmp_path / "release"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refusal(runs: Sequence[Run], out: Path, **options: bool) -> str:
    before = contents(out.parent)
    with pytest.raises(CensusError) as caught:
        build_release(runs, out, **options)
    assert contents(out.parent) == before, "a refused build leaves nothing behind"
    return str(caught.value)


def test_a_release_has_its_files(release: Path) -> None:
    assert set(contents(release)) == {
        "data/pages.parquet",
        "data/frames.parquet",
        "data/observations.parquet",
        "data/tools.parquet",
        "data/findings.parquet",
        "data/controls.parquet",
        "data/compatibility.parquet",
        "data/trials.parquet",
        "data/rates.parquet",
        "figures/outcomes.svg",
        "figures/tools_per_page.svg",
        "summary.json",
        "report.md",
        "README.md",
        "croissant.json",
        "CHANGES.md",
        "changes.json",
        "manifest.json",
        "SHA256SUMS",
    }


def test_two_builds_are_the_same_bytes(run: Run, tmp_path: Path) -> None:
    build_release([run], tmp_path / "here")
    build_release([run], tmp_path / "elsewhere" / "deeper" / "there")
    assert contents(tmp_path / "here") == contents(tmp_path / "elsewhere" / "deeper" / "there")


def test_a_rebuild_replaces_the_release_as_a_whole(run: Run, release: Path) -> None:
    before = contents(release)
    (release / "stale.txt").write_text("left over")
    (release / "report.md").write_text("old")
    build_release([run], release)
    assert contents(release) == before
    assert [path.name for path in release.parent.iterdir() if path.name.startswith(".")] == []


def test_the_manifest_accounts_for_every_target_and_file(release: Path) -> None:
    manifest = read_manifest(release)
    assert manifest is not None
    assert manifest.release_version == "2026.11.0"
    assert (manifest.targets, manifest.unfinished, manifest.partial) == (4, 0, False)
    assert manifest.outcomes == {"captured": 3, "dns_error": 1}
    assert [(build.build, build.shell, build.visits) for build in manifest.builds] == [("156.0.8078.114", True, 4)]
    assert manifest.settings == {"locale": "en-US", "quiet_ms": 1500}
    files = {file.path: file for file in manifest.files}
    for path, content in contents(release).items():
        if path not in {"manifest.json", "SHA256SUMS"}:
            file = files[path]
            assert (file.bytes, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    assert (files["data/pages.parquet"].rows, files["data/tools.parquet"].rows) == (4, 3)


def test_the_checksums_cover_everything_but_themselves(release: Path) -> None:
    sums = dict(reversed(line.split("  ", 1)) for line in (release / "SHA256SUMS").read_text().splitlines())
    expected = contents(release)
    del expected["SHA256SUMS"]
    assert sums == {path: hashlib.sha256(content).hexdigest() for path, content in expected.items()}


@pytest.mark.parametrize("table", TABLES)
def test_parquet_keeps_the_schema(release: Path, table: str) -> None:
    assert pl.read_parquet_schema(release / "data" / f"{table}.parquet") == schema(table)


def test_nothing_in_a_release_names_the_folder_it_was_built_in(release: Path, tmp_path: Path) -> None:
    assert all(str(tmp_path).encode() not in content for content in contents(release).values())


def test_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    run = Run(make_run(tmp_path / "run", VISITS, unfinished=["https://later.example/"]))
    message = refusal([run], tmp_path / "release")
    assert "1 unfinished target" in message
    assert "--partial" in message


def test_a_partial_release_says_so(tmp_path: Path) -> None:
    run = Run(make_run(tmp_path / "run", VISITS, unfinished=["https://later.example/"]))
    build_release([run], tmp_path / "release", partial=True)
    manifest = read_manifest(tmp_path / "release")
    assert manifest is not None
    assert (manifest.partial, manifest.targets, manifest.unfinished) == (True, 5, 1)
    assert sum(manifest.outcomes.values()) + manifest.unfinished == manifest.targets
    assert "**Partial: 1 of 5 targets" in (tmp_path / "release" / "report.md").read_text()


def test_a_frontier_that_lost_a_target_is_refused(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", VISITS)
    settings = json.loads((folder / "run.json").read_text())
    settings["targets_read"]["targets"] = 9
    (folder / "run.json").write_text(json.dumps(settings))
    assert "begun with 9 targets and its frontier holds 4" in refusal([Run(folder)], tmp_path / "release")


def test_a_folder_with_something_else_in_it_is_refused(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "chapter.txt").write_text("years of work")
    assert "is not empty and is no release" in refusal([run], out)
    (out / "manifest.json").write_text('{"name": "somebody else\'s"}')
    assert "is not empty and is no release" in refusal([run], out)


def test_a_file_as_out_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "release").write_text("a file")
    assert "is a file" in refusal([run], tmp_path / "release")


def test_an_empty_folder_as_out_is_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    build_release([run], tmp_path / "release")
    assert read_manifest(tmp_path / "release") is not None


def test_a_release_version_has_a_form(run: Run, tmp_path: Path) -> None:
    with pytest.raises(CensusError, match=r"'v1' is not YYYY\.MM\.N"):
        build_release([run], tmp_path / "release", release_version="v1")


def test_several_runs_make_one_release_sorted_by_site(tmp_path: Path) -> None:
    first = Run(make_run(tmp_path / "first", VISITS[2:]))
    second = Run(make_run(tmp_path / "second", VISITS[:2]))
    build_release([first, second], tmp_path / "release")
    urls = pl.read_parquet(tmp_path / "release" / "data" / "pages.parquet")["target_url"].to_list()
    assert urls == [VISITS[1].target.url, VISITS[3].target.url, VISITS[0].target.url, VISITS[2].target.url]


def test_runs_with_other_settings_are_refused_by_the_settings_name(tmp_path: Path) -> None:
    first = Run(make_run(tmp_path / "first", VISITS[:1], settings={"locale": "en-US", "quiet_ms": 1500}))
    second = Run(make_run(tmp_path / "second", VISITS[1:], settings={"locale": "en-US", "quiet_ms": 800}))
    message = refusal([first, second], tmp_path / "release")
    assert "`quiet_ms` (1500 and 800)" in message


def test_a_target_in_two_runs_is_refused(tmp_path: Path) -> None:
    first = Run(make_run(tmp_path / "first", VISITS[:2]))
    second = Run(make_run(tmp_path / "second", [captured("https://ONE.example")]))
    message = refusal([first, second], tmp_path / "release")
    assert "https://one.example is a target of" in message


def test_a_run_without_targets_makes_a_release(tmp_path: Path) -> None:
    build_release([Run(make_run(tmp_path / "run", []))], tmp_path / "release")
    report = (tmp_path / "release" / "report.md").read_text()
    assert "No page was measured." in report
    assert recompute(tmp_path / "release") == []


def test_a_hostile_name_does_not_break_the_report(release: Path) -> None:
    report = (release / "report.md").read_text()
    assert "<img" not in report
    assert "\u202e" not in report
    assert "\n# heading" not in report
    (line,) = [line for line in report.splitlines() if "onerror" in line]
    assert line.replace("\\|", "").count("|") == 5
    assert "https\\://evil.example/?q=a\\|b" in report


def test_every_share_in_the_report_has_its_interval_and_n(release: Path) -> None:
    report = (release / "report.md").read_text()
    assert (
        "66.7 % of the measured pages have at least one tool that an agent could call"
        " (95 % interval 20.8 to 93.9 %; 2 of 3 pages)" in report
    )
    assert "| captured | 3 | 75.0 % | 30.1 to 95.4 % |" in report


def test_a_release_recomputes_to_what_it_published(release: Path) -> None:
    assert recompute(release) == []


def test_recompute_finds_a_tampered_table(release: Path) -> None:
    path = release / "data" / "pages.parquet"
    pages = pl.read_parquet(path)
    pages.with_columns(tools_callable=pl.col("tools_callable").fill_null(7)).write_parquet(path)
    found = {difference.id: difference for difference in recompute(release)}
    assert {"tools", "tools_max"} <= set(found)
    tools = found["tools"]
    assert tools.published is not None
    assert tools.recomputed is not None
    assert (tools.published.value, tools.recomputed.value) == (3, 10)


def test_recompute_finds_a_number_that_was_taken_out(release: Path) -> None:
    path = release / "summary.json"
    summary = json.loads(path.read_text())
    summary["numbers"] = [number for number in summary["numbers"] if number["id"] != "adoption"]
    path.write_text(json.dumps(summary))
    (difference,) = recompute(release)
    assert (difference.id, difference.published) == ("adoption", None)


def test_a_release_that_cannot_be_read_is_an_error(release: Path, tmp_path: Path) -> None:
    with pytest.raises(CensusError, match=r"summary\.json cannot be read"):
        read_summary(tmp_path)
    (release / "data" / "tools.parquet").unlink()
    with pytest.raises(CensusError, match=r"a table of .* cannot be read"):
        recompute(release)


def test_of_a_site_that_opted_out_after_its_visit_only_a_count_is_left(run: Run, tmp_path: Path) -> None:
    build_release([run], tmp_path / "release", optout=OptOut(frozenset({"evil.example"})))
    pages = pl.read_parquet(tmp_path / "release/data/pages.parquet")
    assert sorted(pages["outcome"].to_list()) == ["captured", "captured", "dns_error"]
    manifest = read_manifest(tmp_path / "release")
    assert manifest is not None
    assert (manifest.targets, manifest.outcomes) == (4, {"captured": 2, "dns_error": 1, "opted_out": 1})
    everything = b"".join(contents(tmp_path / "release").values())
    assert HOSTILE.encode() not in everything
    assert b"evil.example" not in everything
    assert "1 further targets are of sites that opted out" in (tmp_path / "release/report.md").read_text()


def test_addresses_and_credentials_are_taken_out_everywhere_and_counted(tmp_path: Path) -> None:
    visits = [
        captured(
            "https://jo:pw@one.example/?mail=jo@mail.com",
            tools=[tool("ask", description="Ask jo@mail.com")],
            visit_id="v-1",
        ),
        captured("https://two.example/", headers={"link": "<mailto:jo@mail.com>"}, visit_id="v-2"),
    ]
    folder = make_run(tmp_path / "run", visits, settings={"visit.user_agent": "Mozilla/5.0 (jo@mail.com)"})
    build_release([Run(folder)], tmp_path / "release")
    everything = b"".join(contents(tmp_path / "release").values())
    assert b"jo@mail.com" not in everything
    assert b"jo:pw" not in everything
    pages = pl.read_parquet(tmp_path / "release/data/pages.parquet")
    assert pages["target_url"].to_list() == ["https://one.example/?mail=[e-mail]", "https://two.example/"]
    assert pages["headers"].to_list() == [None, '{"link":"<mailto:[e-mail]>"}']
    manifest = read_manifest(tmp_path / "release")
    assert manifest is not None
    # Target URL, final URL and key of the first page with user info and address each; description, header, setting.
    assert manifest.redacted == {"e_mail": 6, "user_info": 3}
    assert manifest.settings == {"visit.user_agent": "Mozilla/5.0 ([e-mail])"}
