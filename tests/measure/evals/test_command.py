import json
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner
from junitparser import JUnitXml

import webmcp_census
from census.errors import CensusError
from tests.measure.evals.plans import ASKED, call

TOOLS = [
    {
        "name": "order",
        "description": "Orders a pizza.",
        "inputSchema": {"type": "object", "properties": {"size": {"type": "string"}}},
    },
    {"name": "look", "description": "Shows the menu.", "annotations": {"readOnlyHint": True}},
]
GOOD = {"name": "Order", "messages": ASKED, "expectedCall": [call("order", {"size": "S"})], "request": "direct"}
NONE = {
    "name": "None",
    "messages": [{"role": "user", "content": "Hello."}],
    "expectedCall": None,
    "request": "ambiguous",
}


@pytest.fixture
def files(tmp_path):
    def write(*cases, **suite) -> list[str]:
        path = tmp_path / "evals.json"
        path.write_text(json.dumps({"tools": TOOLS, "cases": list(cases), **suite}))
        return [str(path)]

    return write


def run(*arguments: str):
    done = CliRunner().invoke(webmcp_census.cli, ["eval", *arguments], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value, done.stdout


def test_a_suite_with_its_own_tools(files):
    code, said = run(*files(GOOD, NONE), "--judge", "oracle")
    assert code == 0
    assert "evals.json: 2 of 2 cases passed" in said
    assert "Cases passed in every repeat: 100.0 % (95 % interval 34.2 to 100.0 %; 2 of 2)" in said
    assert "direct requests: 100.0 % (95 % interval 20.7 to 100.0 %; 1 of 1)" in said


def test_tools_of_a_file_of_their_own_come_first(files, tmp_path):
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"name": "other", "description": "Other."}]))
    code, said = run(*files(GOOD), "--judge", "oracle", "--tools", str(tools))
    assert code == 1
    assert "unknown_tool: call 1 names 'order', which is no tool here" in said


def test_the_gate_is_the_share_of_cases(files):
    given = files(GOOD, NONE)
    assert run(*given, "--judge", "lexical")[0] == 1
    assert run(*given, "--judge", "lexical", "--fail-under", "0")[0] == 0


def test_json_has_every_call_and_the_rate_with_its_interval(files):
    code, said = run(*files(GOOD, NONE), "--judge", "noisy-oracle:p=0,seed=3", "--repeats", "2", "--json")
    found = json.loads(said)
    assert said.isascii()
    assert (found["cases_passed"]["k"], found["cases_passed"]["n"], code) == (0, 2, 1)
    assert found["requests"].keys() == {"direct", "ambiguous"}
    assert [len(case["repeats"]) for case in found["cases"]] == [2, 2]
    [first, *_] = found["cases"][0]["repeats"]
    assert first["violations"][0].keys() == {"constraint", "message", "expected", "call"}
    assert found["matcher"] == "default"
    [(name, digest)] = found["made_with"]["files"].items()
    assert digest == sha256(Path(name).read_bytes()).hexdigest()
    assert (found["made_with"]["browser"], found["made_with"]["version"]) == (None, version("webmcp-census"))
    assert found["exit_code"] == code


def test_junit_has_a_case_for_each_case(files, tmp_path):
    report = tmp_path / "report.xml"
    code, _ = run(*files(GOOD, {**NONE, "name": "\x1b[31mRed"}), "--judge", "lexical", "--junit", str(report))
    assert code == 1
    [suite] = JUnitXml.fromfile(str(report))
    assert [case.name for case in suite] == ["Order", "⟨U+001B⟩[31mRed"]
    assert suite.failures + suite.errors == sum(bool(case.result) for case in suite) > 0


def test_a_case_that_cannot_be_measured_outranks_one_that_failed(files, tmp_path):
    driven = {**GOOD, "drive": [{"functionName": "look"}], "mocks": [call("look", error="down")]}
    report = tmp_path / "report.xml"
    code, said = run(*files(driven, NONE), "--judge", "oracle", "--fail-under", "0", "--junit", str(report))
    assert code == 2
    assert "drive: drive[0], 'look', failed: down" in said
    assert "Missing: 1 repeats have no measurement" in said
    [suite] = JUnitXml.fromfile(str(report))
    assert (suite.errors, suite.failures) == (1, 0)


def test_compat_refuses_what_the_public_runner_does_not_know(files):
    for key, value in {"limits": {"order": {"max": 1}}, "page": {"text": "x"}}.items():
        with pytest.raises(CensusError, match=rf"cases\[0\]\.{key}: the public runner does not have this"):
            run(*files({**GOOD, key: value}), "--matcher", "compat")
    for key, value in {"fails": True, "effects": {"changed": True}}.items():
        with pytest.raises(CensusError, match=rf"expectedCall\[0\]\.{key}: the public runner does not have this"):
            run(*files({**GOOD, "expectedCall": [call("order", **{key: value})]}), "--matcher", "compat")


@pytest.mark.parametrize(
    ("text", "said"),
    [("[]", "cases: "), ("{", "is no JSON"), ('{"cases": [{"messages": [], "expectedCall": null}]}', "messages")],
)
def test_a_file_that_is_no_suite_is_refused(tmp_path, text, said):
    path = tmp_path / "evals.json"
    path.write_text(text)
    with pytest.raises(CensusError, match=said):
        run(str(path))


def test_a_suite_without_tools_is_refused(tmp_path):
    path = tmp_path / "evals.json"
    path.write_text(json.dumps([GOOD]))
    with pytest.raises(CensusError, match="name the file that has them with --tools"):
        run(str(path))
    with pytest.raises(CensusError, match=r"nowhere\.json cannot be read"):
        run(str(tmp_path / "nowhere.json"))


def test_a_file_with_several_lists_of_tools_is_refused(files, tmp_path):
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"variants": {"one": TOOLS, "two": TOOLS}}))
    with pytest.raises(CensusError, match="holds 2 lists of tools"):
        run(*files(GOOD), "--tools", str(tools))


def test_harmless_calls_and_misfits_are_noted(files):
    case = {**GOOD, "expectedCall": [call("order")]}
    _, said = run(
        *files({**case, "expectedCall": [call("order", {"size": {"$any": True}}), call("look", optional=True)]}),
        "--judge",
        "oracle",
    )
    assert "1 of 1 cases passed" in said


class TestLint:
    def test_its_findings_decide(self, files):
        given = files({**GOOD, "expectedCall": [call("ordr")]}, NONE)
        code, said = run("lint", *given)
        assert code == 1
        assert "[evals/unknown-tool, line 1]" in said
        assert "1 error in 2 cases" in said
        assert run("lint", *given, "--fail-on", "never")[0] == 0
        assert run("lint", *files(GOOD, NONE))[0] == 0

    def test_every_output_of_lint(self, files):
        _, said = run("lint", *files({**GOOD, "expectedCall": [call("ordr")]}, NONE), "--json")
        [subject] = json.loads(said)["subjects"]
        assert [each["rule"] for each in subject["findings"]] == ["evals/unknown-tool"]
        _, sarif = run("lint", *files({**GOOD, "expectedCall": [call("ordr")]}, NONE), "--format", "sarif")
        assert json.loads(sarif)["runs"][0]["results"][0]["ruleId"] == "evals/unknown-tool"

    def test_without_tools_it_says_what_it_did_not_judge(self, tmp_path):
        path = tmp_path / "evals.json"
        path.write_text(json.dumps([GOOD, NONE]))
        code, said = run("lint", str(path))
        assert code == 0
        assert "names and arguments were not judged" in said

    def test_its_help_has_an_example(self):
        said = CliRunner().invoke(webmcp_census.cli, ["eval", "lint", "--help"]).output
        assert "webmcp-census eval lint evals.json --tools schema.json" in said
        assert "Usage: cli eval lint" in said

    def test_a_file_of_that_name_is_named_with_its_folder(self, files, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path(files(GOOD)[0]).rename(tmp_path / "lint")
        assert run("./lint", "--judge", "oracle")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--smoke",), "--smoke is about a page"),
        (("--allow-writes",), "--allow-writes is about a page"),
        (("--url", "http://localhost:1/", "--smoke", "--matcher", "compat"), "which `compat` does not"),
        (("--url", "http://localhost:1/", "--tools", "tools.json"), "two lists of tools"),
        (("--url", "example.org"), "give a whole URL"),
    ],
)
def test_options_of_a_page_that_make_no_sense_are_refused(files, arguments, said):
    with pytest.raises(CensusError, match=said):
        run(*files(GOOD), *arguments)
