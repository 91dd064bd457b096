"""`lint`: sources, gates, suppressions, outputs and a RUN, with the rules as they are."""

import gzip
import hashlib
import io
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

import webmcp_census
from census.finding import Severity
from census.findings import FINDINGS, read_findings
from census.run import FRONTIER, SETTINGS, Run
from census.vocabulary import Outcome
from measure.lint.registry import RULES
from measure.lint_run import rules_digest
from tests.census.factories import captured, failed, make_run, tool

GOOD = {
    "name": "search_menu",
    "description": "Finds dishes on the menu by words and price. Use when the user looks for something to eat.",
    "inputSchema": {
        "type": "object",
        "properties": {"words": {"type": "string", "description": "Words of the dish's name, such as “lentil soup”."}},
        "required": ["words"],
    },
    "annotations": {"readOnlyHint": True},
}
NO_DESCRIPTION = {"name": "find_table", "description": "", "inputSchema": {"type": "object", "properties": {}}}
MISSING = "descriptions/missing"


@pytest.fixture
def lint(tmp_path, monkeypatch, capsys):
    """Runs `lint` in a folder of the test's own; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def lint(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["webmcp-census", "lint", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            webmcp_census.main()
        said = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, said.out, said.err

    return lint


def manifest(*tools: dict, name: str = "tools.json") -> str:
    Path(name).write_text(json.dumps({"tools": list(tools)}, indent=1))
    return name


def findings(out: str) -> list[dict]:
    return [finding for subject in json.loads(out)["subjects"] for finding in subject["findings"]]


def test_a_good_manifest_passes(lint):
    code, out, err = lint(manifest(GOOD))
    assert (code, err) == (0, "")
    assert out.splitlines() == ["tools.json", "  1 tool, no findings", "", "no findings in 1 tool"]


def test_a_finding_fails_the_build_and_has_its_line(lint):
    code, out, _ = lint(manifest(GOOD, NO_DESCRIPTION), "--json")
    assert code == 1
    (found,) = [finding for finding in findings(out) if finding["rule"] == MISSING]
    lines = Path("tools.json").read_text().splitlines()
    assert (found["tool"], found["severity"]) == ("find_table", "error")
    assert '"find_table"' in lines[found["line"]], "the line after the one where the tool's object begins"


@pytest.mark.parametrize(
    ("fail_on", "code"), [("error", 1), ("warning", 1), ("never", 0)]
)  # fmt: skip
def test_the_gate(lint, fail_on, code):
    assert lint(manifest(NO_DESCRIPTION), "--fail-on", fail_on)[0] == code


def test_standard_input_is_a_source(lint):
    code, out, _ = lint("-", "--json", stdin=json.dumps([GOOD, NO_DESCRIPTION]))
    assert code == 1
    assert json.loads(out)["subjects"][0]["source"] == "stdin"


def test_no_tools_is_no_answer_unless_allowed(lint):
    code, out, _ = lint(manifest())
    assert code == 2
    assert "no tools: the manifest lists none; --allow-empty" in out
    assert lint(manifest(), "--allow-empty")[0] == 0


def test_each_manifest_of_a_file_is_a_subject_with_its_own_lines(lint):
    arms = {"variants": {"clean": [GOOD], "bare": [GOOD, NO_DESCRIPTION]}}
    Path("arms.json").write_text(json.dumps(arms, indent=1))
    code, out, _ = lint("arms.json", "--json")
    subjects = json.loads(out)["subjects"]
    assert code == 1
    assert [subject["source"] for subject in subjects] == ["arms.json#clean", "arms.json#bare"]
    (found,) = [finding for finding in findings(out) if finding["rule"] == MISSING]
    assert '"find_table"' in Path("arms.json").read_text().splitlines()[found["line"]]


def test_accepted_findings_do_not_fail_a_build_and_are_counted(lint):
    Path(".webmcp-census.toml").write_text(
        f'[[suppress]]\nrule = "{MISSING}"\ntool = "find_*"\npage = "tools.json"\nreason = "written by the bank"\n'
    )
    code, out, _ = lint(manifest(NO_DESCRIPTION), "--fail-on", "error")
    assert code == 0
    assert "because: written by the bank" in out
    assert "1 accepted in 1 tool" in out


@pytest.mark.parametrize("spelling", ["tools.json", "./tools.json", "{cwd}/tools.json"])
def test_a_file_is_accepted_however_it_is_named(lint, spelling):
    """What fails a build may not depend on whether its script writes `./` or `$PWD/` before the path."""
    name = spelling.format(cwd=Path.cwd())
    manifest(NO_DESCRIPTION)
    Path(".webmcp-census.toml").write_text(
        f'[[suppress]]\nrule = "{MISSING}"\npage = "tools.json"\nreason = "Not ours."\n'
    )
    assert lint(name)[0] == 0


def test_a_suppression_that_nothing_needs_is_told(lint):
    Path("mine.toml").write_text(f'[[suppress]]\nrule = "{MISSING}"\nreason = "long gone"\n')
    code, out, _ = lint(manifest(GOOD), "--suppressions", "mine.toml")
    assert code == 0
    assert f"mine.toml, entry 1 ({MISSING}) accepts nothing here" in out


def test_several_outputs_of_one_run(lint):
    code, out, _ = lint(
        manifest(NO_DESCRIPTION), "--format", "github", "--format", "sarif=a.sarif", "--format=junit=b.xml"
    )
    assert code == 1
    assert out.startswith("::error file=tools.json,line=3,title=find_table%3A descriptions/missing::")
    log = json.loads(Path("a.sarif").read_text())
    assert log["runs"][0]["results"][0]["ruleId"] == MISSING
    assert len(log["runs"][0]["tool"]["driver"]["rules"]) == len(RULES)
    assert "<testsuites" in Path("b.xml").read_text()


@pytest.mark.parametrize("options", [("--format", "json=./tools.json"), ("--output", "hard.json")])
def test_no_output_is_written_over_what_is_read(lint, options):
    name = manifest(GOOD)
    Path("hard.json").hardlink_to(name)
    before = Path(name).read_bytes()
    code, _, err = lint(name, *options)
    assert code == 2
    assert "is what is read, and the output would replace it; name another file" in err
    assert Path(name).read_bytes() == before


def test_a_rule_is_explained(lint):
    code, out, _ = lint("--explain", MISSING)
    assert code == 0
    assert MISSING in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "nothing to lint: name a manifest file, a URL, a RUN"),
        (("",), "nothing to lint: name a manifest file, a URL, a RUN"),
        (("none.json",), "there is no file none.json"),
        (("a" * 5_000,), "cannot be looked up: File name too long"),
        (("shop.example",), "a URL with https:// before it"),
        (("folder",), "folder is a folder and no RUN"),
        (("broken.json",), "broken.json"),
        (("latin.json",), "is not UTF-8 (byte 1)"),
        (("tools.json", "--format", "yaml"), "--format 'yaml'"),
        (("tools.json", "--suppressions", "none.toml"), "suppressions none.toml cannot be read"),
        (("--explain", "descriptions/thinn"), "there is no rule 'descriptions/thinn'"),
        (("http://",), "give a whole URL"),
    ],
)
def test_what_cannot_be_linted_exits_with_2_and_says_what_to_do(lint, arguments, says):
    Path("folder").mkdir()
    Path("broken.json").write_text('{"tools": [')
    Path("latin.json").write_bytes(b'"\xe9"')
    manifest(GOOD)
    code, out, err = lint(*arguments)
    assert code == 2
    assert says in err
    assert "Traceback" not in err
    assert out == ""


# --- a RUN

VISITS = [
    captured("https://one.example/", tools=[tool("find_table", description=""), tool("pay", description="")]),
    captured("https://plain.example/"),
    failed("https://gone.example/", Outcome.DNS_ERROR),
]


def test_a_run_gets_its_findings_for_build(lint):
    run = make_run(Path("run"), VISITS)
    code, out, _ = lint("run")
    assert code == 0, "a census is no build: nothing fails unless it is asked for"
    found = read_findings(Run(run))
    assert found is not None
    assert set(found.by_visit) == {"visit of https://one.example/", "visit of https://plain.example/"}
    assert found.stamp.rules_sha256 == rules_digest()
    assert found.stamp.rules == tuple(rule.id for rule in RULES)
    rules = [finding.rule for finding in found.by_visit["visit of https://one.example/"]]
    assert rules.count(MISSING) == 2
    (row,) = [line.split() for line in out.splitlines() if line.startswith(MISSING)]
    assert row == [MISSING, "error", "1", "2"]
    assert f"{found.stamp.findings} findings on 2 captured pages" in out


def test_the_same_run_gives_the_same_findings(lint):
    run = make_run(Path("run"), VISITS)
    lint("run")
    first = (run / FINDINGS).read_bytes()
    lint("run")
    assert (run / FINDINGS).read_bytes() == first


def test_a_run_can_be_gated_and_written_in_every_format(lint):
    make_run(Path("run"), VISITS)
    assert lint("run", "--fail-on", "error")[0] == 1
    code, out, _ = lint("run", "--json")
    assert code == 0
    assert [subject["source"] for subject in json.loads(out)["subjects"]] == [
        "https://one.example/",
        "https://plain.example/",
    ]


def test_a_run_says_how_many_of_its_pages_with_tools_work_in_a_build(lint):
    no_description = tool("find_table", description="")
    make_run(
        Path("run"),
        [
            captured("https://good.example/", tools=[tool("find_table"), tool("pay")]),
            captured("https://half.example/", tools=[no_description, tool("pay")]),
            captured("https://none.example/", tools=[no_description]),
            captured("https://plain.example/"),
            failed("https://gone.example/", Outcome.DNS_ERROR),
        ],
    )
    out = " ".join(lint("run", "--builds", "156")[1].split())
    assert (
        "Chromium 156 (cr156): 3 pages with tools: 1 may work, 1 partly, 1 silent"
        " (2 because an empty description is refused [registration/empty-description: InvalidStateError])"
    ) in out
    code, _, error = lint("run", "--builds", "12")
    assert (code, "has no build '12'" in error) == (2, True)


def test_a_run_that_is_not_finished_says_so_and_one_without_a_page_is_no_answer(lint):
    make_run(Path("run"), VISITS, unfinished=["https://later.example/"])
    assert "1 targets are unfinished: lint again when the crawl has ended" in lint("run")[1]
    code, out, _ = lint("run", "--fail-on", "error")
    assert (code, "the crawl is unfinished, so no gate can pass" in out) == (2, True), "incomplete outranks a breach"
    make_run(Path("lost"), VISITS[2:])
    code, out, _ = lint("lost")
    assert code == 2
    assert "no page of this RUN was captured" in out


def _settings_of_another_version(run: Path) -> None:
    settings = json.loads((run / SETTINGS).read_text())
    (run / SETTINGS).write_text(json.dumps({**settings, "shards": 4}))


def _evidence_of_another_version(run: Path) -> None:
    text = json.dumps({**json.loads(VISITS[0].model_dump_json()), "mood": "good"}).encode()
    digest = hashlib.sha256(text).hexdigest()
    place = run / "evidence" / digest[:2] / f"{digest}.json.gz"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(gzip.compress(text))
    with closing(sqlite3.connect(run / FRONTIER)) as frontier, frontier:
        frontier.execute("UPDATE visits SET evidence = ?", (digest,))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda run: (run / SETTINGS).write_bytes(b"\xff\xfe"), "run.json is not readable as run settings"),
        (_settings_of_another_version, "run.json is not readable as run settings: shards: "),
        (lambda run: (run / FRONTIER).write_bytes(b"no database" * 100), "frontier.sqlite cannot be read: file is not"),
        (lambda run: (run / FRONTIER).write_bytes(b""), "frontier.sqlite cannot be read: no such table"),
        (_evidence_of_another_version, "is no visit as this version has them: mood: "),
    ],
)
def test_a_damaged_run_or_one_of_another_version_is_told_as_that(lint, damage, says):
    run = make_run(Path("run"), VISITS)
    damage(run)
    code, _, err = lint("run")
    assert code == 2
    assert says in err
    assert "damaged or of another version of webmcp-census: restore it, use that version, or crawl again" in err
    assert not (run / FINDINGS).exists()


def test_a_read_only_run_is_not_called_damaged(lint, monkeypatch):
    """A mount that takes no writes is not to be had in a test: its database cannot be read, as this one cannot."""
    run = make_run(Path("run"), VISITS)
    (run / FRONTIER).write_bytes(b"")
    monkeypatch.setattr("census.run.os.access", lambda path, mode: False)
    code, _, err = lint("run")
    assert code == 2
    assert "run is read-only: copy it, use the copy" in err
    assert "damaged" not in err


def test_findings_reach_the_release(lint, tmp_path, monkeypatch):
    make_run(Path("run"), VISITS)
    lint("run")
    monkeypatch.setattr(sys, "argv", ["webmcp-census", "build", "run", "--out", "release"])
    with pytest.raises(SystemExit):
        webmcp_census.main()
    rows = pl.read_parquet("release/data/findings.parquet")
    assert rows.filter(pl.col("rule") == MISSING)["tool"].to_list() == ["find_table", "pay"]


def test_every_rule_has_a_severity_that_the_outputs_know():
    assert {rule.severity for rule in RULES} <= set(Severity)
