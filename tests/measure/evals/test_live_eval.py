"""The guidance's examples on pages whose tools come and go: run there, judged there, and failing where they should."""

import json
from base64 import b64decode
from pathlib import Path

import pytest

from census.optout import OptOut
from measure.evals.live_stages import Live, LiveStages
from measure.evals.outcome import Ending, Mode, Outcome
from measure.evals.running import Judges, Settings, run_suites
from measure.evals.suite import read_suite
from measure.judges.opening import JudgeOptions
from tests.measure.live.opening import quick_visits
from tests.sites.pages import journeys
from tests.sites.registry import sites_of
from tests.sites.server import SmallWeb

SUITES = Path(__file__).parent / "suites"
CHAIN = json.loads((SUITES / "coupon.json").read_text())["cases"][0]
ASKED = CHAIN["messages"][-1]["content"]
COUPON, ORDER = {"name": "apply_coupon", "arguments": {"code": "FreePizza"}}, {"name": "complete_checkout"}


@pytest.fixture(scope="module")
def web():
    with SmallWeb(sites_of(journeys.PAGES)) as small_web:
        yield small_web


@pytest.fixture
def play(web, tmp_path):
    """Plays suites or cases on a page; answers, of one turn or by what the user says, make a scripted judge."""

    def played(page, cases, judge="oracle", *, writes=True, pictures=False, **settings):
        path, browser, visit = quick_visits()
        text = (SUITES / cases).read_text() if isinstance(cases, str) else json.dumps({"cases": cases})
        suite = read_suite(text, "suite.json")
        if isinstance(judge, list):
            judge = {suite.cases[0].messages[-1].content: judge}
        if isinstance(judge, dict):
            script = tmp_path / "script.json"
            answers = {text: [{"calls": each} for each in said] for text, said in judge.items()}
            script.write_text(json.dumps(answers))
            judge = f"scripted:{script}"
        live = Live(web.url(*page), path, browser, visit, OptOut(), writes=writes, pictures=pictures)
        judges = Judges(judge, JudgeOptions(), live=True)
        cases = run_suites([(suite, ())], judges, Settings(at_a_time=4, **settings), stages=LiveStages(live))
        return Outcome(judges.name, Settings().matcher, 30, None, 1.0, cases, Mode.LIVE)

    return played


def broken(outcome):
    return {each.constraint.value for case in outcome.cases for each in case.repeats[0].verdict.violations}


@pytest.mark.parametrize(
    ("page", "suite"),
    [("forno", "pizza.json"), ("forno", "coupon.json"), ("nordwand", "clothes.json"), ("kaldi", "coffee.json")],
)
def test_the_guidances_examples_pass_on_their_pages(play, page, suite):
    outcome = play((page,), suite, smoke=True)
    said = [(case.case.name, repeat) for case in outcome.cases for repeat in case.repeats if not repeat.verdict]
    assert said == []
    assert broken(outcome) == set()
    assert outcome.exit_code == 0
    assert [repeat.verdict.unchecked for case in outcome.cases for repeat in case.repeats] == [0] * len(outcome.cases)


def test_a_failure_that_looks_like_a_success_breaks_the_case(play):
    assert broken(play(("forno", "/silent"), "coupon.json", smoke=True)) == {"failure"}


def test_a_call_that_fails_without_having_to_breaks_a_smoke_run_and_only_that(play):
    case = {
        **{key: CHAIN[key] for key in ("messages", "drive")},
        "expectedCall": [{"functionName": "apply_coupon", "arguments": {"code": "FreePizza"}}],
    }
    assert broken(play(("forno",), [case], smoke=True)) == {"failure"}
    assert broken(play(("forno",), [case])) == set()


def test_a_judge_that_goes_on_after_the_coupon_failed_is_seen(play, web):
    outcome = play(("forno",), [CHAIN], [[COUPON], [ORDER]])
    assert broken(outcome) == {"forbidden", "page"}
    assert outcome.cases[0].repeats[0].after_failure == "carried_on_after_failure"
    assert web.requests("forno")[-1].method == "POST"


def test_a_judge_that_orders_at_the_full_price_before_it_is_asked_to_is_seen(play):
    turns = json.loads((SUITES / "coupon.json").read_text())["cases"][1]
    later = turns["messages"][-1]["content"]
    waits = {ASKED: [[COUPON]], later: [[ORDER]]}
    hurries = {ASKED: [[COUPON], [ORDER]], later: []}
    assert broken(play(("forno",), [turns], waits)) == set()
    outcome = play(("forno",), [turns], hurries)
    assert broken(outcome) == {"missing", "extra"}
    assert outcome.cases[0].repeats[0].after_failure == "carried_on_after_failure"


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"error": "Error: coupons are down"}, "Error: coupons are down"),
        ({"hang": True}, "the tool did not answer in time"),
        ({"nothing": True}, "undefined"),
        ({"result": "OK", "fails": True}, "OK"),
    ],
)
def test_a_fault_is_put_in_the_tools_place_and_the_page_knows_nothing_of_it(play, web, fault, told):
    before = len(web.log)
    case = {
        **{key: CHAIN[key] for key in ("messages", "drive", "forbidden")},
        "expectedCall": [{"functionName": "apply_coupon"}],
        "mocks": [{"functionName": "apply_coupon", **fault}],
    }
    outcome = play(("forno",), [case], [[COUPON], [COUPON]], repeats=1)
    [repeat] = outcome.cases[0].repeats
    first = repeat.run.made[0]
    assert (first.error or first.result) == told
    assert (first.fault, first.status, first.effects) == (True, None, None)
    assert repeat.after_failure == "stopped_correctly"
    assert [request for request in web.log[before:] if request.method == "POST"] == []


def test_a_fault_of_one_step_is_over_at_the_next(play):
    case = {
        **{key: CHAIN[key] for key in ("messages", "drive")},
        "expectedCall": [{"functionName": "complete_checkout"}],
        "mocks": [{"functionName": "complete_checkout", "error": "busy, try again", "step": 1}],
    }
    outcome = play(("forno",), [case], [[ORDER], [ORDER]])
    [repeat] = outcome.cases[0].repeats
    assert [each.error for each in repeat.run.made] == ["busy, try again", None]
    assert repeat.after_failure == "recovered"


def test_interleaved_calls_fit_the_clothes_and_an_id_that_was_guessed_does_not(play):
    search, jeans = {"kind": "jackets", "colour": "black"}, {"kind": "jeans"}
    steps = [
        [{"name": "open_category", "arguments": {"category": "men"}}],
        [{"name": "search_products", "arguments": search}, {"name": "search_products", "arguments": jeans}],
        [
            {"name": "get_product_details", "arguments": {"id": "t-21"}},
            {"name": "get_product_details", "arguments": {"id": "j-11"}},
        ],
    ]
    assert broken(play(("nordwand",), "clothes.json", steps)) == set()
    steps[2][1] = {"name": "get_product_details", "arguments": {"id": "j-12"}}
    assert "dataflow" in broken(play(("nordwand",), "clothes.json", steps))


def test_a_mocked_service_is_not_asked(play, web):
    before = len(web.requests("kaldi"))
    play(("kaldi",), "coffee.json", smoke=True)
    asked = {request.path for request in web.requests("kaldi")[before:]}
    assert "/api/history" not in asked
    assert "/api/orders" in asked


def test_nothing_of_a_repeat_is_there_in_the_next(play):
    case = json.loads((SUITES / "pizza.json").read_text())["cases"][1]
    case["page"] = {"elements": {"#price": {"text": "1.00"}}}
    outcome = play(("forno",), [case], repeats=3)
    assert [repeat.ending for repeat in outcome.cases[0].repeats] == [Ending.PASSED] * 3


def test_a_tool_that_may_write_is_run_only_when_that_was_allowed(play, web):
    outcome = play(("forno",), [CHAIN], writes=False)
    assert outcome.cases[0].repeats[0].cause == "writes_not_allowed"
    assert outcome.exit_code == 2


def test_a_page_that_cannot_be_opened_is_no_failure_of_a_judge(play):
    outcome = play(("forno", "/nowhere"), [CHAIN])
    assert outcome.cases[0].repeats[0].cause == "page_not_opened"
    assert outcome.exit_code == 2


def test_pictures_are_taken_before_and_after_each_call(play):
    outcome = play(("forno",), [CHAIN], pictures=True)
    pictures = outcome.cases[0].repeats[0].run.pictures
    assert sorted(pictures) == [0, 1]
    assert all(b64decode(picture).startswith(b"\xff\xd8\xff") for picture in pictures.values())
