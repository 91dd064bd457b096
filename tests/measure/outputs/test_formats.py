"""JUnit, GitHub, Markdown, JSON, text, and which of them go where."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from junitparser import JUnitXml
from rich.console import Console

from census.errors import CensusError
from census.finding import Severity
from measure.outputs.formats import Output, outputs_of, write_outputs
from measure.outputs.github import command, write_github
from measure.outputs.junit import write_junit
from measure.outputs.markdown import write_markdown
from measure.outputs.report import Report, Subject, counts_text
from measure.outputs.terminal import show
from tests.measure.outputs.reports import HOSTILE, NASTY, PAGE, SHOP, SILENT, report

FINE = Subject("fine.json", "fine.json", tools=("search",))


def text_of(written: Report, capsys: pytest.CaptureFixture[str]) -> str:
    write_outputs(written, [Output("text", None)])
    return capsys.readouterr().out


# --- exit codes


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (report(SHOP), 1),
        (report(SHOP, fail_on=None), 0),
        (report(SHOP, SILENT), 2),
        (report(), 0),
        (report(SILENT, fail_on=None), 2),
    ],
)
def test_the_exit_code(written, code):
    assert written.exit_code == code


@pytest.mark.parametrize(
    ("subjects", "text"),
    [
        ((SILENT,), "could not measure"),
        ((SILENT, FINE), "no findings; 1 not measured"),
        ((FINE,), "no findings"),
    ],
)
def test_what_was_not_measured_is_never_called_free_of_findings(subjects, text):
    written = report(*subjects)
    assert counts_text(written) == text
    assert write_markdown(written).startswith(f"# webmcp-census lint: {text}\n")
    assert write_github(written).endswith(f"webmcp-census lint: {text}\n")


def test_a_terminal_counts_no_tools_where_none_were_measured(capsys):
    assert text_of(report(SILENT), capsys).splitlines()[-1] == "could not measure"


def test_a_warning_fails_only_when_asked_and_an_accepted_finding_never():
    warned = replace(SHOP, results=SHOP.results[1:2])
    accepted = replace(SHOP, results=SHOP.results[2:])
    assert report(warned).exit_code == 0
    assert report(warned, fail_on=Severity.WARNING).exit_code == 1
    assert report(accepted, fail_on=Severity.NOTE).exit_code == 0


# --- JUnit


def test_junit_has_a_case_for_each_tool_and_one_for_the_page():
    xml = JUnitXml.fromstring(write_junit(report(SHOP, PAGE, SILENT)).encode())
    suites = list(xml)
    assert [suite.name for suite in suites] == ["shop/tools.json", "https://shop.example/", "https://empty.example/"]
    assert [case.name for case in suites[0]] == ["page", "search", "find", "pay"]
    assert [(suite.tests, suite.failures, suite.errors) for suite in suites] == [(4, 1, 0), (2, 1, 0), (1, 0, 1)]
    assert (xml.tests, xml.failures, xml.errors) == (7, 2, 1)
    root = ElementTree.fromstring(write_junit(report(SHOP)))
    assert set(root.attrib) == {"name", "tests", "failures", "errors"}, "all that Jenkins's schema has for it"


def test_junit_fails_at_the_gate_and_tells_the_rest():
    root = ElementTree.fromstring(write_junit(report(SHOP)))
    cases = {case.get("name"): case for case in root.iter("testcase")}
    (failure,) = cases["search"]
    assert (failure.tag, failure.get("type")) == ("failure", "descriptions/pair")
    assert failure.text == "shop/tools.json:3: error descriptions/pair: search has it. Say how they differ."
    (output,) = cases["pay"]
    assert output.tag == "system-out"
    assert "(accepted: the bank wrote it)" in (output.text or "")
    assert list(cases["page"]) == []


def test_junit_calls_what_could_not_be_measured_an_error():
    (error,) = ElementTree.fromstring(write_junit(report(SILENT))).iter("error")
    assert error.get("message") == "no tools: register one"


def test_junit_of_hostile_words_is_xml_and_has_them_as_text():
    root = ElementTree.fromstring(write_junit(report(HOSTILE)))
    (failure,) = root.iter("failure")
    assert "]]><script>&⟨U+0000⟩⟨U+001B⟩[31m" in (failure.get("message") or "")


# --- GitHub


def test_github_annotations_name_file_line_and_rule():
    lines = write_github(report(SHOP)).splitlines()
    assert lines == [
        "::error file=shop/tools.json,line=3,title=search%3A descriptions/pair::search has it. Say how they differ.",
        "::warning file=shop/tools.json,line=9,title=find%3A descriptions/thin::find has it. Say when to use it.",
        "webmcp-census lint: 1 error, 1 warning; 1 accepted",
    ]


def test_github_says_what_could_not_be_measured_first():
    first = write_github(report(SHOP, SILENT)).splitlines()[0]
    assert first == ("::error title=webmcp-census could not measure::https://empty.example/: no tools: register one")


def test_github_shows_a_page_at_the_anchor():
    lines = write_github(report(PAGE, anchor="src/tools.ts")).splitlines()
    assert lines[0].startswith("::error file=src/tools.ts,title=page/blocked::https://shop.example/: ")


def test_github_gets_paths_as_the_repository_has_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    below = replace(SHOP, file=str(tmp_path / "a/tools.json"))
    assert "file=a/tools.json," in write_github(report(below))
    assert "file=/elsewhere/tools.json," in write_github(report(replace(SHOP, file="/elsewhere/tools.json")))


def test_a_workflow_command_can_neither_be_ended_nor_followed_by_another():
    assert command("error", "100 %", title="a,b:c%") == "::error title=a%2Cb%3Ac%25::100 %25"
    assert command("error", "a\r\n::x::y", title="t\n") == "::error title=t⟨U+000A⟩::a⟨U+000D⟩⟨U+000A⟩::x::y"
    lines = write_github(report(HOSTILE)).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "webmcp-census"]
    properties = lines[0].removeprefix("::error ").partition("::")[0]
    assert properties.startswith("title=%250A%3A%3Aerror%3A%3A"), "a property's colons and commas are all encoded"
    assert "," not in properties
    assert "##[" not in lines[0]


# --- Markdown


def test_markdown_is_a_table_with_the_worst_first():
    written = write_markdown(report(SHOP, SILENT))
    rows = [line for line in written.splitlines() if line.startswith("| ")][2:]
    assert [row.split(" | ")[0] for row in rows] == ["| error", "| warning", "| accepted"]
    assert "| search (line 3) | search has it. | Say how they differ. | `descriptions/pair` |" in rows[0]
    assert "Accepted: the bank wrote it" in rows[2]
    assert "**Could not measure.** no tools\\: register one" in written


def test_markdown_keeps_hostile_words_in_their_cell():
    written = write_markdown(report(HOSTILE))
    assert "<script>" not in written
    assert "[a](http" not in written
    rows = [line for line in written.splitlines() if line.startswith("| error")]
    assert len(rows) == 1
    assert rows[0].replace("\\|", "").count("|") == 6


# --- JSON


def test_json_has_findings_counts_and_the_exit_code(capsys):
    write_outputs(report(SHOP, SILENT, details={"page": {"a": 1}}), [Output("json", None)])
    read = json.loads(capsys.readouterr().out)
    assert (read["command"], read["exit_code"], read["accepted"]) == ("lint", 2, 1)
    assert read["counts"] == {"error": 1, "warning": 1}
    assert read["page"] == {"a": 1}
    first = read["subjects"][0]["findings"][0]
    assert (first["rule"], first["tool"], first["line"], first["accepted"]) == ("descriptions/pair", "search", 3, None)
    assert read["subjects"][1]["unanswered"] == "no tools: register one"


def test_json_survives_any_words(capsys):
    write_outputs(report(HOSTILE), [Output("json", None)])
    written = capsys.readouterr().out
    assert written.isascii()
    assert json.loads(written)["subjects"][0]["findings"][1]["message"] == NASTY


# --- text


def test_text_is_by_tool_with_the_worst_first_and_the_remedy(capsys):
    lines = [line.strip() for line in text_of(report(SHOP), capsys).splitlines()]
    assert lines[:8] == [
        "shop/tools.json",
        "search",
        "error    search has it. [descriptions/pair, line 3]",
        "do: Say how they differ.",
        "find",
        "warning  find has it. [descriptions/thin, line 9]",
        "do: Say when to use it.",
        "pay",
    ]
    assert lines[-1] == "1 error, 1 warning; 1 accepted in 3 tools"


def test_text_begins_with_the_page_itself(capsys):
    lines = [line.strip() for line in text_of(report(PAGE), capsys).splitlines()]
    assert lines[1] == "the page"


def test_text_says_what_could_not_be_measured_and_what_to_know(capsys):
    said = text_of(report(SILENT, notices=("entry 2 accepts nothing",)), capsys)
    assert "  no tools: register one" in said
    assert "entry 2 accepts nothing" in said


def test_text_obeys_no_word_of_a_page(capsys):
    said = text_of(report(HOSTILE), capsys)
    assert "\x1b" not in said
    assert "##[" not in said
    assert not any(line.lstrip().startswith("::") for line in said.splitlines())


def test_text_wraps_on_a_narrow_terminal_without_losing_a_word(monkeypatch):
    file = StringIO()
    show(report(SHOP), Console(file=file, width=30, force_terminal=True, no_color=True, highlight=False))
    assert max(len(line.rstrip()) for line in file.getvalue().splitlines()) <= 60
    assert "differ." in file.getvalue()


# --- which go where


@pytest.mark.parametrize(
    ("formats", "as_json", "output", "meant"),
    [
        ((), False, None, [("text", None)]),
        ((), True, None, [("json", None)]),
        (("sarif",), False, "x.sarif", [("sarif", "x.sarif")]),
        (("github", "sarif=x", "markdown=y"), False, None, [("github", None), ("sarif", "x"), ("markdown", "y")]),
        (("sarif=x",), False, None, [("sarif", "x")]),
        (("sarif=x",), False, "t.txt", [("sarif", "x"), ("text", "t.txt")]),
        (("junit=a=b.xml",), False, None, [("junit", "a=b.xml")]),
    ],
)
def test_what_the_options_mean(formats, as_json, output, meant):
    found = outputs_of(formats, as_json, Path(output) if output else None)
    assert [(each.format, str(each.path) if each.path else None) for each in found] == meant


@pytest.mark.parametrize(
    ("formats", "as_json", "says"),
    [
        (("yaml",), False, "write one of text, json, sarif, junit, github, markdown"),
        (("sarif=",), False, "with =FILE"),
        (("sarif", "junit"), False, "cannot both go to standard output; give one a file: --format junit=FILE"),
        (("sarif",), True, "cannot both go to standard output"),
    ],
)
def test_options_that_mean_nothing_are_refused(formats, as_json, says):
    with pytest.raises(CensusError, match=says):
        outputs_of(formats, as_json, None)


@pytest.mark.parametrize("second", ["one.json", "sub/../one.json"])
def test_two_outputs_have_two_files(tmp_path, monkeypatch, second):
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    with pytest.raises(CensusError, match="only the last would stay; give each its own file"):
        outputs_of(("json=one.json", f"sarif={second}"), False, None)


def test_files_are_written_and_standard_output_has_the_one_without_a_file(tmp_path, capsys):
    files = [Output(name, tmp_path / name) for name in ("text", "json", "sarif", "junit", "markdown")]
    write_outputs(report(SHOP), [*files, Output("github", None)])
    assert capsys.readouterr().out.startswith("::error file=")
    assert json.loads((tmp_path / "sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "text").read_text().startswith("shop/tools.json\n")


def test_a_file_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(CensusError, match="cannot be written"):
        write_outputs(report(SHOP), [Output("json", tmp_path / "no/such/folder")])
