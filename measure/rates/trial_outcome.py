"""How a trial ends: in exactly one outcome, or missing with one cause."""

from census.vocabulary import Word
from measure.judges.judge import Cause


class TrialOutcome(Word):
    """How far an utterance got, in the order of reach: the first thing that was not as it should be, or `ok`.

    An utterance's right tools are the one it expects and the acceptable ones. When an answer holds several calls, the
    outcome is that of the one that got least far. Of a control nothing may be called, so it is `ok` when nothing was,
    and a false positive when it is `wrong_tool` or `hallucinated_tool`; it never goes further.
    """

    NOT_SUPPORTED = "not_supported", "The page has no WebMCP object that answers: no secure context, a policy."
    NOT_REGISTERED = (
        "not_registered",
        "The page had settled without a right tool, or one that is to be called before; of a control: without any.",
    )
    NOT_DISCOVERED = (
        "not_discovered",
        "A right tool was registered, and the browser did not offer it to an agent when the judge was asked.",
    )
    NOT_SELECTED = "not_selected", "The judge called nothing."
    WRONG_TOOL = "wrong_tool", "The judge called a tool that was offered and is not right; of a control: any that was."
    HALLUCINATED_TOOL = "hallucinated_tool", "The judge called a tool that was never offered."
    BAD_ARGS = (
        "bad_args",
        "A right tool was called with arguments that break its schema or the expectation, or twice with the same ones.",
    )
    EXEC_ERROR = "exec_error", "The call was right and did not come to an answer: the tool threw, hung, or was gone."
    SILENT_FAIL = (
        "silent_fail",
        "The call was right and completed, and its answer tells of a failure, or nothing was answered nor changed.",
    )
    OK = "ok", "The call was right, and where it was executed it succeeded; of a control: nothing was called."


INVOKED = frozenset({TrialOutcome.EXEC_ERROR, TrialOutcome.SILENT_FAIL, TrialOutcome.OK})
"""Outcomes of an utterance whose tool was selected with valid arguments: the numerator of the invocation rate,
whether or not calls were executed."""

SELECTED = INVOKED | {TrialOutcome.BAD_ARGS}
"""Outcomes of an utterance whose tool was selected."""

FALSE_POSITIVE = frozenset({TrialOutcome.WRONG_TOOL, TrialOutcome.HALLUCINATED_TOOL})
"""Outcomes of a control that tell of a call."""

NOTHING_OFFERED = frozenset({TrialOutcome.NOT_SUPPORTED, TrialOutcome.NOT_REGISTERED})
"""Outcomes of a control that say nothing of the judge: there was no tool that it could have called."""


class HarnessCause(Word):
    """Why a measurement is missing, where the judge is not to blame."""

    PAGE_UNREACHED = "page_unreached", "The page could not be opened and read: its visit did not end as captured."
    BROWSER_FAILED = "browser_failed", "Ours: the browser failed, not the page."
    SETUP_FAILED = "setup_failed", "A call that the utterance needs before it did not succeed, so it made no sense."
    INTERRUPTED = "interrupted", "Ours: the trial was not finished within the time that it has."


MissingCause = Cause | HarnessCause
"""Every cause of a missing measurement; no word is in both."""
