"""`check`: one page, live, for a person and for a program."""

import json

import pytest

import webmcp_census
from census.errors import CensusError
from tests.crawler.conftest import REACHABLE, Cli, Done
from tests.sites.gold import document, html, registering
from tests.sites.server import Reply, Site, SmallWeb, redirect

pytestmark = pytest.mark.timeout(900)
"""All checks are made before the first test: nine browsers one after the other."""

ESCAPES = "[bold]not bold[/bold] \x1b[31mred"
"""What a page says is shown as it is: no markup, no terminal codes."""

HOSTILE = f"""<script>
document.modelContext.registerTool({{name: "hostile", description: {json.dumps(ESCAPES)}, execute() {{}}}});
</script>"""

SITES = (
    Site("shop", {
        "/": document("Shop", registering("search") + HOSTILE + '<iframe src="{{pay}}/" allow="tools"></iframe>'),
        "/moved": redirect("/"),
    }),
    Site("pay", {"/": document("Pay", registering("pay_now"))}),
    Site("old", {"/": document("Old", "<script>navigator.modelContext?.provideContext({tools: []})</script>")}),
    Site("locked", {"/": Reply(html("Locked", registering("x")), headers={"Permissions-Policy": "tools=()"})}),
    Site("plain", {"/": document("Plain", "<p>Nothing for an agent.</p>")}),
    Site("bare", {"/": document("Bare", registering("do_it"))}),
    Site("rules", {"/robots.txt": Reply("User-agent: *\nDisallow: /", content_type="text/plain")}),
)  # fmt: skip

CHECKS = {
    "json": ("shop", "/moved", "--json", "--format", "sarif=check.sarif", "--fail-on", "never"),
    "person": ("shop", "/", "--fail-on", "never"),
    "gate": ("bare", "/", "--fail-on", "warning"),
    "old API": ("old", "/"),
    "insecure": ("shop.test", "/"),
    "blocked": ("locked", "/"),
    "empty": ("plain", "/"),
    "empty, allowed": ("plain", "/", "--allow-empty"),
    "rules": ("rules", "/"),
}


@pytest.fixture(scope="module")
def web():
    with SmallWeb(SITES) as web:
        yield web


@pytest.fixture(scope="module")
def checks(module_cli, web):
    """How each check ended, one after the other."""

    def check(site: str, path: str, *options: str) -> Done:
        return module_cli("check", web.url(site, path), *options, *REACHABLE, "--settle-cap", "2.5")

    return {name: check(*arguments) for name, arguments in CHECKS.items()}


def test_the_record_as_json_is_the_rows_of_the_release(checks, web):
    done = checks["json"]
    assert done.code == 0, done.err
    record = json.loads(done.out)
    assert set(record) >= {"page", "frames", "tools"}
    page = record["page"]
    assert (page["outcome"], page["final_url"], page["tools_callable"]) == ("captured", web.url("shop"), 3)
    assert (page["tools_listed"], page["tools_unlisted"]) == (2, 1)
    assert {(tool["name"], tool["frame"], tool["listing"]) for tool in record["tools"]} == {
        ("search", "top", "listed"), ("hostile", "top", "listed"), ("pay_now", "top.0", "own_document"),
    }  # fmt: skip
    assert [frame["frame"] for frame in record["frames"]] == ["top", "top.0"]
    assert [request.path for request in web.requests("shop")].count("/moved") == 1


def test_the_record_for_a_person_says_what_an_agent_could_call(checks, web):
    done = checks["person"]
    assert done.code == 0, done.err
    assert done.out.startswith(web.url("shop"))
    assert "captured, with " in done.out
    assert "An agent is shown 3 tools; 1 of them unlisted" in done.out
    for name in ("search", "hostile", "pay_now"):
        assert name in done.out
    assert "own_document" in done.out


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("old API", "declared, dead in this browser"),
        ("insecure", "not a secure context, so it has no WebMCP: serve it over https"),
        ("blocked", "every call of the API is rejected (NotAllowedError)"),
        ("empty", "no tools: WebMCP is there and the page registers nothing"),
    ],
)
def test_a_page_without_tools_exits_with_2_and_says_why_with_the_fix(checks, name, says):
    assert checks[name].code == 2, checks[name].err
    assert says in checks[name].out


def test_no_tools_is_an_answer_when_that_is_allowed(checks):
    assert checks["empty, allowed"].code == 0, checks["empty, allowed"].out
    assert "no tools:" not in checks["empty, allowed"].out


def test_a_finding_at_the_gate_exits_with_1_and_is_in_the_fix_list(checks):
    done = checks["gate"]
    assert done.code == 1, done.out + done.err
    assert "What to fix, what matters most first" in done.out
    assert "  1. " in done.out


def test_json_has_what_an_agent_is_shown_and_the_findings(checks):
    record = json.loads(checks["json"].out)
    assert [tool["name"] for tool in record["agent_view"]] == ["hostile", "search", "pay_now"]
    (subject,) = record["subjects"]
    assert {finding["rule"] for finding in subject["findings"]} >= {"page/not-exposed"}
    assert record["exit_code"] == 0


def test_a_second_output_goes_to_its_file(checks, module_cli, web):
    log = json.loads((module_cli.folder / "check.sarif").read_text())
    found = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in log["runs"][0]["results"]
    }
    assert found == {web.url("shop")}


def test_what_a_page_says_is_neither_markup_nor_terminal_codes(checks):
    assert "[bold]not bold[/bold] ⟨U+001B⟩[31mred" in checks["person"].out
    assert "\x1b" not in checks["person"].out


def test_a_page_that_could_not_be_read_exits_with_2_and_says_why(checks):
    assert checks["rules"].code == 2
    assert "robots_disallowed (robots.txt)" in checks["rules"].out
    assert "Traceback" not in checks["rules"].err


def test_no_check_leaves_anything_in_the_temporary_folder(checks, module_cli):
    assert len(checks) == len(CHECKS)
    assert list((module_cli.folder / "tmp").iterdir()) == []


def test_without_leave_a_private_address_is_refused_and_not_asked(cli: Cli, web):
    before = len(web.log)
    done = cli("check", web.url("shop"))
    assert done.code == 2
    assert "address_refused" in done.out
    assert "--allow-private" in done.out
    assert len(web.log) == before


def test_lint_of_a_page_has_the_same_findings_as_its_check(cli: Cli, checks, web):
    done = cli("lint", web.url("shop"), "--json", "--fail-on", "never", *REACHABLE, "--settle-cap", "2.5")
    assert done.code == 0, done.err
    (linted,) = json.loads(done.out)["subjects"]
    (checked,) = json.loads(checks["json"].out)["subjects"]
    assert linted["findings"] == checked["findings"]
    assert "page" not in json.loads(done.out)


@pytest.mark.parametrize("url", ["shop.example", "ftp://a.org/", "http://", "http://a b/", "http://a:port/"])
def test_what_is_no_url_is_refused_with_an_example_of_one(url):
    with pytest.raises(CensusError, match=r"give a whole URL such as https://example.org/"):
        webmcp_census.cli.main(["check", url], standalone_mode=False)
