import json
import re
from pathlib import Path

import polars as pl
import pytest

from census.changes import Changes, changes_page
from census.checksums import write_checksums
from census.errors import CensusError
from census.finding import Finding, Severity
from census.findings import write_findings
from census.gates.violation import Violation
from census.opened_release import open_release
from census.optout import OptOut
from census.release import build_release
from census.run import Run
from census.verification import verify_release
from census.vocabulary import Outcome
from tests.census.factories import captured, child, control, failed, item, make_run, tool, top
from tests.census.releases import before_and_after, release_of, tampered

NOBODY = OptOut()
VISITS = [
    captured(
        "https://frames.com/",
        documents=[top(item("a")), child(item("b", "top.0"))],
        tools=[tool("a"), tool("b", "top.0")],
    ),
    captured("https://one.com/", tools=[tool("search")]),
    captured("https://plain.com/"),
    failed("https://down.com/", Outcome.DNS_ERROR),
    failed("https://asked.com/", Outcome.OPTED_OUT),
]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    run = Run(make_run(tmp_path / "run", VISITS, [control()]))
    finding = Finding(rule="r/x", severity=Severity.NOTE, tool="a", frame="top", message="m", remedy="r")
    found = ((visit.visit_id, (finding,) if visit is VISITS[0] else ()) for visit in VISITS[:3])
    write_findings(run, found, code_version="0.1.0", rules_sha256="ab" * 32, rules=["r/x"])
    build_release([run], tmp_path / "release")
    return tmp_path / "release"


def rules(violations: list[Violation]) -> set[str]:
    return {violation.rule for violation in violations}


def edit_json(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_release_as_built_holds(release: Path) -> None:
    assert verify_release(release, NOBODY) == []


def test_one_that_was_compared_holds_with_and_without_the_other(tmp_path: Path) -> None:
    before, after = before_and_after(tmp_path)
    assert verify_release(after.folder, NOBODY) == []
    assert verify_release(after.folder, NOBODY, before) == []
    assert rules(verify_release(after.folder, NOBODY, after)) == {"previous"}


def test_changes_that_the_two_releases_do_not_give_are_found(tmp_path: Path) -> None:
    before, after = before_and_after(tmp_path)
    changes = json.loads((after.folder / "changes.json").read_text())
    changes["counts"]["pages_added"] = 100
    (after.folder / "changes.json").write_text(json.dumps(changes))
    (after.folder / "CHANGES.md").write_text(changes_page(Changes.model_validate(changes)))
    write_checksums(after.folder)
    assert rules(verify_release(after.folder, NOBODY)) == set()
    assert rules(verify_release(after.folder, NOBODY, before)) == {"previous"}


def test_every_file_is_held_against_its_digest(release: Path) -> None:
    (release / "figures/outcomes.svg").write_text("<svg/>")
    (release / "extra.txt").write_text("x")
    (release / "CHANGES.md").unlink()
    messages = [each.message for each in verify_release(release, NOBODY) if each.rule == "checksum"]
    assert messages == [
        "CHANGES.md is missing", "extra.txt is not in SHA256SUMS", "figures/outcomes.svg was changed",
    ]  # fmt: skip


def broken(table: str, change: pl.Expr | None = None, *, rows: slice | None = None, twice: bool = False):  # type: ignore[no-untyped-def]
    def apply(release: Path) -> None:
        frame = open_release(release).tables[table]
        if change is not None:
            frame = frame.with_columns(change)
        if rows is not None:
            frame = frame[rows]
        tampered(release, table, pl.concat([frame, frame]) if twice else frame)

    return apply


@pytest.mark.parametrize(
    ("tamper", "expected"),
    [
        (broken("pages", rows=slice(0, -1)), {"accounts", "foreign-key", "numbers", "pages-written"}),
        (broken("pages", twice=True), {"accounts", "duplicate-key", "numbers"}),
        (broken("frames", twice=True), {"accounts", "duplicate-key"}),
        (broken("tools", twice=True), {"accounts", "duplicate-key", "numbers"}),
        (broken("pages", pl.lit("https://one.com").alias("target_key")), {"duplicate-key"}),
        (broken("pages", pl.lit(None, pl.String).alias("site")), {"duplicate-key", "foreign-key", "numbers"}),
        (broken("frames", rows=slice(0, 0)), {"accounts", "foreign-key"}),
        (broken("frames", pl.lit("top.7").alias("parent")), {"foreign-key"}),
        (broken("tools", pl.lit("other.com").alias("site")), {"foreign-key"}),
        (broken("tools", pl.lit("top.9").alias("frame")), {"foreign-key"}),
        (broken("findings", pl.lit("no visit").alias("visit_id")), {"foreign-key", "numbers"}),
        (broken("pages", pl.col("attempts").cast(pl.Int32)), {"schema"}),
        (broken("pages", pl.col("tools_callable") + 1), {"numbers"}),
        (broken("pages", pl.lit("timeout").alias("outcome")), {"accounts", "numbers", "pages-written"}),
        (broken("tools", pl.lit("ask jo@mail.com").alias("description")), {"private-data"}),
        (broken("pages", pl.lit("https://jo:pw@one.com/").alias("final_url")), {"private-data"}),
        (broken("pages", pl.lit('{"link":"jo@mail.com"}').alias("headers")), {"private-data"}),
        (broken("controls", pl.lit("ghp_" + "a1B2c3D4" * 5).alias("detail")), {"private-data"}),
        (broken("pages", pl.lit("opted_out").alias("outcome")), {"opt-out", "accounts"}),
    ],
)
def test_a_tampered_table_is_found_though_its_digest_fits(tamper, expected: set[str], release: Path) -> None:  # type: ignore[no-untyped-def]
    tamper(release)
    assert expected <= rules(verify_release(release, NOBODY))


def test_types_alone_are_enough(release: Path) -> None:
    broken("pages", pl.col("attempts").cast(pl.Int32))(release)
    assert rules(verify_release(release, NOBODY)) == {"schema"}


def test_a_site_that_opted_out_since_is_found_wherever_it_is(release: Path) -> None:
    assert {each.message for each in verify_release(release, OptOut(frozenset({"one.com"})))} == {
        "`pages.target_url` names a site of the opt-out list",
        "`pages.final_url` names a site of the opt-out list",
    }
    assert rules(verify_release(release, OptOut(frozenset({"two.com"})))) == set()


@pytest.mark.parametrize(
    "changes", [{"targets": 9}, {"unfinished": 1}, {"outcomes": {"captured": 5}}, {"partial": True}]
)
def test_a_manifest_that_does_not_add_up_is_found(changes: dict[str, object], release: Path) -> None:
    edit_json(release / "manifest.json", **changes)
    write_checksums(release)
    assert "accounts" in rules(verify_release(release, NOBODY))


def test_an_unknown_schema_version_is_found(release: Path) -> None:
    edit_json(release / "manifest.json", schema_version="9.0.0")
    write_checksums(release)
    assert "schema" in rules(verify_release(release, NOBODY))


def test_a_summary_that_says_something_else_is_found(release: Path) -> None:
    text = (release / "summary.json").read_text()
    (release / "summary.json").write_text(re.sub(r'"k": 2,', '"k": 3,', text, count=1))
    write_checksums(release)
    assert rules(verify_release(release, NOBODY)) == {"numbers", "pages-written"}


@pytest.mark.parametrize(
    ("page", "said", "instead"),
    [
        ("report.md", "66.7 %", "99.9 %"),
        ("README.md", "66.7 %", "99.9 %"),
        ("CHANGES.md", "No earlier", "An earlier"),
        ("figures/outcomes.svg", "75.0 %", "95.0 %"),
        ("croissant.json", "sc:Integer", "sc:Text"),
    ],
)
def test_a_number_changed_in_a_page_is_found(page: str, said: str, instead: str, release: Path) -> None:
    path = release / page
    assert said in path.read_text()
    path.write_text(path.read_text().replace(said, instead))
    write_checksums(release)
    (violation,) = verify_release(release, NOBODY)
    assert violation == Violation("pages-written", f"{page} is not what the tables and the manifest give")


def test_an_address_in_a_page_is_found(release: Path) -> None:
    (release / "report.md").write_text((release / "report.md").read_text() + "jo@mail.com\n")
    write_checksums(release)
    assert rules(verify_release(release, NOBODY)) == {"private-data", "pages-written"}


def many(with_tools: int) -> list[object]:
    return [captured(f"https://x{i:03}.com/", tools=[tool("a")] if i < with_tools else []) for i in range(200)]


def test_a_rate_that_leaves_its_band_must_be_accepted_by_name(tmp_path: Path) -> None:
    before = release_of(tmp_path / "before", many(150), release_version="2026.10.0")  # type: ignore[arg-type]
    after = release_of(tmp_path / "after", many(60), previous=before)  # type: ignore[arg-type]
    violations = verify_release(after.folder, NOBODY)
    beyond = {"band/adoption", "band/adoption_reached", "band/adoption_unhindered"}
    assert rules(violations) == beyond
    assert "75.0 % (150 of 200) in 2026.10.0, 30.0 % (60 of 200) now" in violations[0].message

    words = [f"{rule}:the largest host closed" for rule in sorted(beyond)]
    run = Run(tmp_path / "after" / "run")
    build_release([run], tmp_path / "some", previous=before, accepted=words[:1])
    assert rules(verify_release(tmp_path / "some", NOBODY)) == beyond - {"band/adoption"}
    build_release([run], tmp_path / "all", previous=before, accepted=words)
    assert verify_release(tmp_path / "all", NOBODY) == []
    accepted = open_release(tmp_path / "all").manifest.accepted
    assert (accepted[0].rule, accepted[0].reason) == ("band/adoption", "the largest host closed")


@pytest.mark.parametrize("words", ["accounts:because", "band/nothing:because", "band/adoption", "band/adoption: "])
def test_only_a_band_gives_way_and_only_for_a_reason(words: str, tmp_path: Path) -> None:
    run = Run(make_run(tmp_path / "run", VISITS[:1]))
    with pytest.raises(CensusError, match="--accept"):
        build_release([run], tmp_path / "release", accepted=[words])


def test_what_cannot_be_read_is_an_error(release: Path, tmp_path: Path) -> None:
    with pytest.raises(CensusError, match="SHA256SUMS cannot be read"):
        verify_release(tmp_path, NOBODY)
    (release / "changes.json").write_text("{")
    with pytest.raises(CensusError, match=r"changes\.json cannot be read"):
        verify_release(release, NOBODY)
