"""What an answer tells its caller, by hand."""

import pytest

from measure.evals.channel import Form, Lasting, channel, failed, faults_of_failure, not_judged
from measure.evals.made import MadeCall
from measure.evals.mocks import NO_ANSWER
from measure.evals.plan import Failing
from measure.live.execution import ExecutionStatus


def answer(result=None, *, error=None, **more):
    return MadeCall(1, "coupon", {}, result, True, error, **more)


@pytest.mark.parametrize(
    ("made", "form"),
    [
        (answer(error="TypeError: x is not a function"), Form.EXCEPTION),
        (answer(error="whatever", status=ExecutionStatus.ERROR), Form.EXCEPTION),
        (answer(error=NO_ANSWER), Form.NO_ANSWER),
        (answer(error="the page crashed", status=ExecutionStatus.PAGE_CRASHED), Form.NO_ANSWER),
        (answer({"isError": True, "content": [{"type": "text", "text": "The coupon has expired."}]}), Form.IS_ERROR),
        (answer({"isError": False, "content": [{"type": "text", "text": "Done."}]}), None),
        (answer({"error": "expired"}), Form.ERROR_FIELD),
        (answer({"error": None, "price": 18}), None),
        (answer({"error": "", "price": 18}), None),
        (answer({"errors": [{"message": "bad code"}]}), Form.ERROR_FIELD),
        (answer({"success": False}), Form.ERROR_FIELD),
        (answer({"success": True}), None),
        (answer({"ok": False}), Form.ERROR_FIELD),
        (answer({"status": "failed"}), Form.ERROR_FIELD),
        (answer({"status": "paid"}), None),
        (answer("The coupon could not be applied."), Form.PROSE),
        (answer({"message": "The coupon has expired."}), Form.PROSE),
        (answer("Coupon applied, you pay 9.00."), None),
        (answer("OK"), None),
        (answer("undefined"), None),
        (answer(None), None),
        (answer(False), None),
        (answer([1, 2]), None),
    ],
)
def test_the_form_of_a_failure(made, form):
    assert channel(made).form is form


@pytest.mark.parametrize(
    ("made", "lasting"),
    [
        (answer(error="Error: Service unavailable. Try again later."), Lasting.TEMPORARY),
        (answer(error="TypeError: Failed to fetch"), Lasting.TEMPORARY),
        (answer({"error": "Too many requests"}), Lasting.TEMPORARY),
        (answer({"error": {"message": "No."}, "retryable": True}), Lasting.TEMPORARY),
        (answer({"error": {"message": "No.", "retryable": False}}), Lasting.PERMANENT),
        (answer({"success": False, "retryAfter": 30}), Lasting.TEMPORARY),
        (answer(error="Error: The coupon has expired."), Lasting.PERMANENT),
        (answer({"error": "There is no such product."}), Lasting.PERMANENT),
        (answer(error="Error: It failed."), Lasting.UNSAID),
        (answer(error="Error: Not found now; try again later."), Lasting.UNSAID),
    ],
)
def test_whether_a_failure_says_how_long_it_lasts(made, lasting):
    assert channel(made).lasting is lasting


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (answer(error="Error: The coupon has expired."), None),
        (answer(error="Object"), "nothing but"),
        (answer(error="Error: [object Object]"), "nothing but"),
        (answer(error="Error"), "nothing but"),
        (answer({"success": False}), "nothing but"),
        (answer(error="E4711"), "a code"),
        (answer({"error": 500}), "nothing but"),
        (answer({"error": "<html><body>Bad gateway</body></html>"}), "markup"),
        (answer({"error": "Error: it broke\n    at execute (app.js:3:7)"}), "stack trace"),
        (answer(error="Error: " + "the coupon is not valid here " * 60), "tokens long"),
        (answer(error=NO_ANSWER), "nothing came"),
    ],
)
def test_whether_a_message_can_be_read(made, why):
    illegible = channel(made).illegible
    assert illegible is None if why is None else why in (illegible or "")


def test_what_is_no_failure_is_not_judged_as_a_message():
    assert channel(answer("OK")).illegible is None
    assert channel(answer("OK")).tokens == 1


def test_a_fault_is_a_failure_whatever_it_looks_like():
    assert failed(answer("OK", fault=True))
    assert not failed(answer("OK"))
    assert failed(answer({"success": False}))
    # Words alone are a guess, on which no judge is to be blamed.
    assert not failed(answer("The coupon could not be applied."))


@pytest.mark.parametrize(
    ("wanted", "made", "faults"),
    [
        (Failing.SEEN, answer("OK"), ["looks like a success"]),
        (Failing.SEEN, answer(error="Error: The coupon has expired."), []),
        (Failing.SEEN, answer(error="Object"), ["cannot be read"]),
        (Failing.PERMANENT, answer(error="Error: The coupon has expired."), []),
        (Failing.TEMPORARY, answer(error="Error: The coupon has expired."), ["say that this is temporary"]),
        (Failing.TEMPORARY, answer({"success": False}), ["cannot be read", "say that this is temporary"]),
    ],
)
def test_what_is_wrong_with_the_answer_of_a_call_that_has_to_fail(wanted, made, faults):
    found = list(faults_of_failure(wanted, made))
    assert len(found) == len(faults)
    assert all(fault in said for fault, said in zip(faults, found, strict=True))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Der Gutschein ist leider abgelaufen.", Form.NOT_JUDGED),
        ("El cupón ha caducado.", Form.NOT_JUDGED),
        ("優惠券已過期", Form.NOT_JUDGED),
        ("Купон просрочен", Form.NOT_JUDGED),
        ("The coupon Café has expired.", Form.PROSE),
        ("The coupon was taken off the price of the café.", None),
        ("OK", None),
        ("Added ham.", None),
    ],
)
def test_a_text_of_another_language_is_not_judged(text, form):
    assert channel(answer(text)).form is form


def test_what_is_not_judged_breaks_nothing_and_is_counted():
    for said in (answer("Der Gutschein ist leider abgelaufen."), answer(error="Der Gutschein ist leider abgelaufen.")):
        assert list(faults_of_failure(Failing.PERMANENT, said)) == []
        assert not_judged(Failing.PERMANENT, said)
    assert not not_judged(Failing.SEEN, answer(error="Der Gutschein ist leider abgelaufen."))
    assert not not_judged(Failing.PERMANENT, answer(error="The coupon has expired."))
    assert list(faults_of_failure(Failing.SEEN, answer("OK"))) != []


def test_a_sentence_without_spaces_can_be_read():
    assert channel(answer(error="優惠券已過期")).illegible is None
    assert channel(answer(error="E42")).illegible is not None
