"""Whether a visit answers, and if not, which of the different reasons it is."""

import pytest

from census.visit import ScriptEvidence
from census.vocabulary import BrowserView, Outcome, PageView, Settled
from measure.check.verdict import remarks, unanswered
from tests.census.factories import captured, failed, item, tool, top

URL = "https://shop.example/"
WITH_TOOLS = captured(tools=[tool("search")])
EMPTY = captured()
NEVER_SETTLED = captured(settled=Settled.DEADLINE)
NO_API = captured(documents=[top(page_view=PageView.NO_API, secure=True)])
INSECURE = captured(documents=[top(page_view=PageView.NO_API, secure=False)])
POLICY = captured(documents=[top(page_view=PageView.FAILED, error="NotAllowedError")])
AGENT_CLUSTER = captured(documents=[top(page_view=PageView.FAILED, error="SecurityError")])
DEAD = captured(script_evidence=ScriptEvidence(old_names=("navigator.modelContext", "provideContext")))
DEAD_AND_LATE = DEAD.model_copy(update={"settled": Settled.DEADLINE})
LIBRARY = captured(documents=[top(own_list=(item("find_star"),), polyfill="replaces_native")])
HANGS = captured(documents=[top(page_view=PageView.FAILED, error="timeout")])
BLIND = captured(tools=[tool("x")], browser_view=BrowserView.UNAVAILABLE, browser_view_error="the target went away")

EMPTY_PAGES = {
    "no tools": (EMPTY, "no tools: WebMCP is there and the page registers nothing"),
    "never settled": (NEVER_SETTLED, "never settled: "),
    "no API": (NO_API, "no API: the document has no modelContext although"),
    "insecure": (INSECURE, "no API: the page is not a secure context, so it has no WebMCP: serve it over https"),
    "policy": (POLICY, "Permissions-Policy: tools=()"),
    "agent cluster": (AGENT_CLUSTER, "Origin-Agent-Cluster: ?0"),
    "dead": (DEAD, "dead in this browser: its scripts use navigator.modelContext, provideContext; use document."),
    "dead and late": (DEAD_AND_LATE, "dead in this browser"),
    "library": (LIBRARY, "keeps 1 of them to itself"),
}


@pytest.mark.parametrize("name", EMPTY_PAGES)
def test_a_page_without_tools_is_no_answer_and_says_which_kind_it_is(name):
    visit, says = EMPTY_PAGES[name]
    why = unanswered(visit)
    assert why is not None
    assert says in why


def test_the_kinds_are_told_apart():
    said = [unanswered(visit) for visit, _ in EMPTY_PAGES.values()]
    assert len(set(said)) == len(EMPTY_PAGES) - 1, "only the two with old names say the same"


@pytest.mark.parametrize("name", EMPTY_PAGES)
def test_a_page_without_tools_is_an_answer_when_that_is_allowed(name):
    assert unanswered(EMPTY_PAGES[name][0], allow_empty=True) is None


def test_a_page_with_tools_is_an_answer_also_when_it_never_settled():
    assert unanswered(WITH_TOOLS) is None
    assert unanswered(WITH_TOOLS.model_copy(update={"settled": Settled.DEADLINE})) is None


@pytest.mark.parametrize(("visit", "says"), [(HANGS, "did not answer getTools() (timeout)"), (BLIND, "went away")])
@pytest.mark.parametrize("allow_empty", [False, True])
def test_what_could_not_be_read_is_never_an_answer(visit, says, allow_empty):
    why = unanswered(visit, allow_empty=allow_empty)
    assert why is not None
    assert says in why


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.CAPTURED])
def test_every_other_outcome_is_named_with_its_detail_and_what_to_do(outcome):
    why = unanswered(failed(URL, outcome, outcome_detail="the detail"), allow_empty=True)
    assert why is not None
    head, _, hint = why.partition(": ")
    assert head == f"{outcome.value} (the detail)"
    assert len(hint) > 20


@pytest.mark.parametrize(
    ("outcome", "option"),
    [
        (Outcome.ADDRESS_REFUSED, "--allow-private"),
        (Outcome.ROBOTS_DISALLOWED, "--no-robots"),
        (Outcome.OPTED_OUT, "--opt-out"),
        (Outcome.TIMEOUT, "--navigation-timeout"),
        (Outcome.BROWSER_FAILED, "webmcp-census doctor"),
    ],
)
def test_a_hint_names_the_option_that_helps(outcome, option):
    assert option in (unanswered(failed(URL, outcome)) or "")


def test_remarks_are_about_what_lint_cannot_see():
    assert remarks(WITH_TOOLS) == []
    assert remarks(failed(URL, Outcome.DNS_ERROR)) == []
    visit = captured(tools_dropped=1234, challenge_suspected=True, login_suspected=True)
    said = " ".join(remarks(visit))
    assert "1,234 further tools" in said
    assert "bot challenge" in said
    assert "login" in said
