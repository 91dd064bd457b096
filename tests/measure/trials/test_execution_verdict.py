"""What an execution came to, from plain values."""

import pytest
from pydantic import JsonValue

from measure.live.effects import DialogSeen, Effects, NetworkWrite
from measure.live.execution import Execution
from measure.live.execution import ExecutionStatus as Status
from measure.rates.trial_outcome import TrialOutcome as Outcome
from measure.trials.execution_verdict import execution_verdict
from tests.measure.trials.held import answered

CHANGED = Effects(dom_changed=True)


@pytest.mark.parametrize(
    "status",
    [
        Status.ERROR,
        Status.CANCELED,
        Status.NO_ANSWER,
        Status.PAGE_CRASHED,
        Status.PAGE_CLOSED,
        Status.NOT_THERE,
        Status.REFUSED,
    ],
)
def test_what_did_not_come_to_an_answer_is_an_execution_error(status: Status) -> None:
    found = execution_verdict(Execution(status, error="TypeError: x is undefined", effects=CHANGED))
    assert found.outcome is Outcome.EXEC_ERROR
    assert found.detail == f"{status.value}: TypeError: x is undefined"


@pytest.mark.parametrize(
    "output",
    [
        {"isError": True, "content": [{"type": "text", "text": "sold out"}]},
        {"error": "sold out"},
        {"error": {"code": 7}},
        {"success": False},
        {"ok": False, "id": 3},
        "Error: sold out",
        "ERROR",
        "  failed to add: sold out",
        "❌ Error adding it",
        '{"success": false}',
        {"content": [{"type": "text", "text": '{"error": "sold out"}'}]},
        {"content": [{"type": "text", "text": "Fine."}, {"type": "text", "text": "Error: not so"}]},
    ],
)
def test_an_answer_that_tells_of_a_failure_fails_silently_even_where_the_page_changed(output: JsonValue) -> None:
    execution = Execution(Status.COMPLETED, output, effects=CHANGED)
    assert execution_verdict(execution).outcome is Outcome.SILENT_FAIL


@pytest.mark.parametrize(
    "output",
    [
        {"error": None, "id": 3},
        {"error": "", "success": True},
        {"success": True},
        {"isError": False, "content": []},
        {"orders": [{"error": "sold out"}]},
        {"content": [{"type": "text", "text": "Added."}]},
        "No errors found",
        "Errors: see below",
        "Failed orders: 3",
        [],
        {},
        0,
        False,
    ],
)
def test_an_answer_that_tells_of_no_failure_is_ok_although_nothing_changed(output: JsonValue) -> None:
    assert execution_verdict(answered(output)).outcome is Outcome.OK


@pytest.mark.parametrize("nothing", [None, "", " ", "undefined", "null"])
def test_nothing_answered_and_nothing_changed_fails_silently(nothing: JsonValue) -> None:
    assert execution_verdict(answered(nothing)).outcome is Outcome.SILENT_FAIL


@pytest.mark.parametrize(
    "effects",
    [
        CHANGED,
        Effects(navigated_to="http://shop.example/cart"),
        Effects(writes=(NetworkWrite("POST", "http://shop.example/cart"),)),
        Effects(tools_changed=True),
        # The page changes by itself, so that a call changed nothing cannot be seen.
        Effects(dom_changed=None),
    ],
)
def test_nothing_answered_is_ok_where_something_may_have_changed(effects: Effects) -> None:
    assert execution_verdict(Execution(Status.COMPLETED, "undefined", effects=effects)).outcome is Outcome.OK


def test_a_dialog_alone_is_no_change() -> None:
    effects = Effects(dialogs=(DialogSeen("alert", "Saved"),))
    assert execution_verdict(Execution(Status.COMPLETED, None, effects=effects)).outcome is Outcome.SILENT_FAIL


def test_a_navigation_is_what_the_call_did_and_an_error_page_is_a_failure() -> None:
    left = Execution(Status.NAVIGATED, [], effects=Effects(navigated_to="http://shop.example/thanks"))
    assert execution_verdict(left).outcome is Outcome.OK
    lost = Execution(Status.NAVIGATED, [], effects=Effects(navigated_to="chrome-error://chromewebdata/"))
    assert execution_verdict(lost).outcome is Outcome.EXEC_ERROR


def test_a_form_that_waits_for_a_person_was_called_as_it_should_be() -> None:
    execution = Execution(Status.WAITS_FOR_PERSON, effects=CHANGED)
    assert execution_verdict(execution).outcome is Outcome.OK
