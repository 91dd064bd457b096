"""What an executed call came to: by the browser's word, by what the tool answered, by what became of the page."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import JsonValue

from measure.evals.json_values import as_json, shown
from measure.live.execution import Execution, ExecutionStatus
from measure.rates.trial_outcome import TrialOutcome

_NOTHING = frozenset({"", "null", "undefined"})
"""Texts that stand for no answer: a tool that returns nothing is answered with `undefined` (measured)."""
_FAILURE = re.compile(r"\W*(error\b|failure:|failed to\b)", re.IGNORECASE)
_ERROR_PAGE = "chrome-error://"
_ENDS_WELL = frozenset({ExecutionStatus.COMPLETED, ExecutionStatus.NAVIGATED, ExecutionStatus.WAITS_FOR_PERSON})


class ExecutionVerdict(NamedTuple):
    """EXEC_ERROR, SILENT_FAIL or OK, and what it is about."""

    outcome: TrialOutcome
    detail: str = ""


def execution_verdict(execution: Execution) -> ExecutionVerdict:
    """Judge an execution of a right call.

    A call that took its document away by navigating did what it does, unless it ended on the browser's error page. A
    form that waits for a person was filled in, and nobody is there to submit it: the call did all that a call can.
    """
    went_to = execution.effects.navigated_to or ""
    if went_to.startswith(_ERROR_PAGE):
        return ExecutionVerdict(TrialOutcome.EXEC_ERROR, "the call led to a page that could not be loaded")
    if execution.status not in _ENDS_WELL:
        said = f": {execution.error}" if execution.error else ""
        return ExecutionVerdict(TrialOutcome.EXEC_ERROR, f"{execution.status.value}{said}")
    if execution.status is ExecutionStatus.WAITS_FOR_PERSON:
        return ExecutionVerdict(TrialOutcome.OK, "the form was filled in and waits for a person")
    if execution.status is ExecutionStatus.NAVIGATED:
        return ExecutionVerdict(TrialOutcome.OK, f"the call led to {went_to}" if went_to else "the call led elsewhere")
    sign = failure_sign(execution.output)
    if sign is not None:
        return ExecutionVerdict(TrialOutcome.SILENT_FAIL, f"completed, and the answer tells of a failure: {sign}")
    effects = execution.effects
    # A page that changes by itself cannot show that a call changed nothing.
    if is_nothing(execution.output) and effects.dom_changed is not None and not effects.any_change:
        if effects.dialogs:
            return ExecutionVerdict(TrialOutcome.SILENT_FAIL, "nothing but a dialog, which no agent can read")
        return ExecutionVerdict(TrialOutcome.SILENT_FAIL, "completed, answered nothing and changed nothing")
    return ExecutionVerdict(TrialOutcome.OK)


def is_nothing(output: JsonValue) -> bool:
    """Whether a tool answered nothing at all. An empty list or object is an answer: nothing was found."""
    return output is None or (isinstance(output, str) and output.strip() in _NOTHING)


def failure_sign(output: JsonValue) -> str | None:
    """What in a completed call's answer tells of a failure; None when nothing does.

    An object with `isError: true` (MCP's results), with an `error` that is not empty, or with `success` or `ok` that
    is `false`; a text that begins with "error", "failure:" or "failed to"; and either of these in the texts of an MCP
    result's `content`. Only the answer's own members count: an `error` further down may be data.
    """
    return next((sign for part in _parts(output) if (sign := _sign(part)) is not None), None)


def _parts(output: JsonValue) -> Iterator[JsonValue]:
    read = as_json(output)
    yield read
    content = read.get("content") if isinstance(read, dict) else None
    for item in content if isinstance(content, list) else ():
        if isinstance(item, dict) and item.get("type") == "text":
            yield as_json(item.get("text"))


def _sign(part: JsonValue) -> str | None:
    if isinstance(part, str):
        return shown(part) if _FAILURE.match(part) else None
    if not isinstance(part, dict):
        return None
    if part.get("isError") is True:
        return "isError is true"
    if part.get("error"):
        return f"error is {shown(part['error'])}"
    return next((f"{name} is false" for name in ("success", "ok") if part.get(name) is False), None)
