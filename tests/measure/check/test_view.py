"""`check` for a person."""

from io import StringIO

from rich.console import Console

from census.finding import Finding, Severity
from census.visit import Visit
from census.vocabulary import Kind, Listing, Outcome, PageView
from measure.check.view import fix_order, show_check
from measure.lint.manifest import Manifest, ManifestTool
from measure.outputs.report import Report, Result, Subject
from tests.census.factories import captured, child, failed, top

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


def result(rule: str, severity: Severity, tool: str | None = "a", accepted: str | None = None) -> Result:
    message, remedy = f"{tool} has {rule}.", f"Mend {tool}."
    return Result(Finding(rule=rule, severity=severity, tool=tool, message=message, remedy=remedy), accepted=accepted)


def shown(visit: Visit, tools: tuple[ManifestTool, ...] = (), *results: Result, **fields: str) -> str:
    file = StringIO()
    subject = Subject("https://shop.example/", None, tuple(tool.name for tool in tools), results, **fields)
    console = Console(file=file, width=200, highlight=False, markup=False)
    show_check(visit, Manifest("https://shop.example/", tools), Report("check", (subject,)), console)
    return file.getvalue()


def test_errors_come_first_then_what_concerns_the_page_then_what_concerns_most_tools():
    results = [
        result("d/note", NOTE),
        result("d/one", WARNING, "a"),
        result("d/two", WARNING, "a"), result("d/two", WARNING, "b"),
        result("page/w", WARNING, None),
        result("d/error", ERROR, "b"),
        result("page/e", ERROR, None),
        result("d/error", ERROR, "a", accepted="so it is"),
    ]  # fmt: skip
    order = [(group[0].finding.rule, len(group)) for group in fix_order(results)]
    assert order == [("page/e", 1), ("d/error", 1), ("page/w", 1), ("d/two", 2), ("d/one", 1), ("d/note", 1)]


def test_a_tool_is_shown_as_an_agent_gets_it_with_how_the_page_can_learn_of_it():
    tools = (
        ManifestTool("search", "Finds\n dishes.", input_schema={"properties": {"q": {"type": "string"}}},
                     kind=Kind.SCRIPT, frame="top", listing=Listing.LISTED),
        ManifestTool("pay", "Pays.", kind=Kind.FORM, frame="top.0", listing=Listing.OWN_DOCUMENT,
                     listing_cause="not_exposed_to_host"),
        ManifestTool("dead", "Gone.", callable=False, listing_cause="library_only"),
    )  # fmt: skip
    lines = [line.strip() for line in shown(captured(), tools).splitlines()]
    assert "An agent is shown 2 tools; 1 of them unlisted: the page's own getTools() lacks them" in lines
    assert "search(q?: string)  script, listed" in lines
    assert "“Finds dishes.”" in lines
    assert "pay(no schema)  form, in top.0, own_document (not_exposed_to_host)" in lines
    assert any("only its own frame lists it" in line and "exposedTo" in line for line in lines)
    assert "dead  (only an object of the page's own has it)" in lines


def test_the_fix_list_says_each_rule_once_with_the_tools_it_is_about():
    results = [result("d/thin", WARNING, name) for name in ("a", "b", "c", "d", "e", "f", "g", "h")]
    said = shown(captured(), (ManifestTool("a", "A."),), *results, result("d/bad", ERROR, "b"))
    assert said.index("1. error b has d/bad. [d/bad]") < said.index("2. warning a has d/thin. [d/thin]")
    assert "do: Mend a." in said
    assert "likewise: b, c, d, e, f and 2 more" in said
    assert said.rstrip().endswith("1 error, 8 warnings")


def test_two_findings_of_a_rule_on_one_tool_name_it_once():
    twice = [result("d/thin", WARNING, "a"), result("d/thin", WARNING, "a")]
    said = shown(captured(), (ManifestTool("a", "A."),), *twice)
    assert "likewise" not in said
    assert "likewise: b\n" in shown(captured(), (ManifestTool("a", "A."),), *twice, result("d/thin", WARNING, "b"))


def test_one_name_in_two_frames_is_named_with_its_frame():
    inner = result("d/thin", WARNING, "pay")
    framed = Result(inner.finding.model_copy(update={"frame": "top.0"}))
    said = shown(captured(), (ManifestTool("pay", "P."),), inner, framed)
    assert "likewise: pay in top.0" in said


def test_a_visit_that_failed_is_a_line_and_a_hint():
    said = shown(failed("https://shop.example/", Outcome.DNS_ERROR), unanswered="dns_error: there is no such host")
    assert said.splitlines() == ["https://shop.example/", "  dns_error: there is no such host"]


def test_what_a_page_says_is_neither_markup_nor_a_code_for_the_terminal():
    nasty = "[bold]x[/bold] \x1b[31m ##[group]\n::error::"
    said = shown(captured(), (ManifestTool(nasty, nasty, kind=Kind.SCRIPT),), result("d/x", ERROR, nasty))
    assert "[bold]x[/bold] ⟨U+001B⟩[31m" in said
    assert "\x1b" not in said
    assert "##[" not in said
    assert not any(line.lstrip().startswith("::") for line in said.splitlines())


def test_frames_that_cannot_register_are_named_with_what_they_need():
    frame = child(page_view=PageView.FAILED, error="NotAllowedError", allow=None)
    lines = shown(captured(documents=[top(), frame])).splitlines()
    assert 'Frames that cannot register tools; those that should need allow="tools"' in lines
    assert "  top.0  https://widget.example/  (NotAllowedError)" in lines
    assert not any("Frames that" in line for line in shown(captured(documents=[top(), child()])).splitlines())


def test_very_many_tools_are_cut_and_counted():
    said = shown(captured(), tuple(ManifestTool(f"tool_{number}", "It.") for number in range(1000)))
    assert "An agent is shown 1,000 tools" in said
    assert "… and 960 more; --json has all of them" in said
