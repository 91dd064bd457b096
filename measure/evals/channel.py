"""What the answer of a tool tells its caller: that it failed or not, for how long, in words that can be read.

Imperative tools have no schema for failures: a thrown error, `isError`, an error field and a sentence all come back
on the same channel, and the browser marks only the first as an error (measured). A failure that looks like a success
is worse than a crash, because the chain goes on.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from census.vocabulary import Word
from measure.evals.conversation import result_text
from measure.evals.made import MadeCall
from measure.evals.mocks import NO_ANSWER
from measure.evals.plan import Failing
from measure.lint.token_count import tokens_of_text


class Form(Word):
    """In which form an answer tells of a failure, the plainest first."""

    EXCEPTION = "exception", "The tool threw, or the browser refused: the caller is told of an error."
    NO_ANSWER = "no_answer", "Nothing came: the tool hung, the page crashed, closed or left."
    IS_ERROR = "is_error", "An object with `isError: true`, as MCP has it."
    ERROR_FIELD = (
        "error_field",
        "An object that says so in a field: `error`, `errors`, `success: false`, `ok: false`, a `status` of failure.",
    )
    PROSE = "prose", "A text with words of failure. English only, and a guess."
    NOT_JUDGED = "not_judged", "A text that is not known to be English: whether it tells of a failure is not judged."


class Lasting(Word):
    """Whether another attempt can succeed, by the answer's own word."""

    TEMPORARY = "temporary", "It can succeed later: unavailable, busy, too many requests, try again."
    PERMANENT = "permanent", "Another attempt is of no use: expired, not found, invalid, not allowed."
    UNSAID = "unsaid", "The answer does not say, or says both."
    NOT_JUDGED = "not_judged", "The answer is a text that is not known to be English."


PLAIN = frozenset({Form.EXCEPTION, Form.NO_ANSWER, Form.IS_ERROR, Form.ERROR_FIELD})
"""Forms that a program can tell from a success."""

_FAILED_WORDS = frozenset({"error", "failed", "failure", "fail"})
_PROSE = re.compile(
    r"(?i)\b(error|fail(ed|ure|s)?|could ?n[o']t|can ?not|can't|unable to|invalid|expired|not (found|allowed|available"
    r"|possible|applied|accepted|valid)|unavailable|denied|refused|rejected|does(n't| not) exist|no longer|sorry)\b"
)
_TEMPORARY = re.compile(
    r"(?i)\b(try( it)? again|again later|later|temporar(y|ily)|timed? ?out|did not answer|unavailable|busy|overloaded"
    r"|too many requests|rate.limit(ed)?|retry|in a (moment|minute)|offline|failed to fetch|50[234]|429)\b"
)
_PERMANENT = re.compile(
    r"(?i)\b(expired|not found|invalid|not valid|does(n't| not) exist|no such|not (allowed|supported|permitted)"
    r"|unsupported|forbidden|permanent(ly)?|no longer|never|already|40[0134]|410)\b"
)
_MARKUP = re.compile(r"<(!doctype|html|body|div|span|p)\b", re.IGNORECASE)
_STACK = re.compile(r"\n\s+at \S+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ENGLISH = re.compile(
    r"(?i)\b(the|an?|is|are|was|were|be|been|has|have|had|to|of|for|with|and|or|not|your?|this|that|there|it|its|by|from)\b"
)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that put no space between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""
_MANY_WORDS = 4
_CLASS = re.compile(r"^[A-Za-z]*(Error|Exception):\s*")
_MOST_TOKENS = 200
"""Tokens of a message beyond which it is no message any more."""


@dataclass(frozen=True)
class Channel:
    """The verdict on one answer."""

    form: Form | None
    """None when nothing in it tells of a failure."""
    lasting: Lasting
    illegible: str | None
    """Why a person or a model cannot read what failed; None when they can, or nothing failed."""
    tokens: int
    """What the whole answer costs a model (`o200k_base`)."""


def channel(made: MadeCall) -> Channel:
    """Judge what a call's answer tells its caller."""
    text = made.error if made.error is not None else result_text(made.result)
    form = _form(made)
    tokens = tokens_of_text(text)
    if form is None or form is Form.NOT_JUDGED:
        return Channel(form, Lasting.NOT_JUDGED if form else Lasting.UNSAID, None, tokens)
    message = text if made.error is not None else _message(made.result) or ""
    # What the harness says of a call that nothing came of is its own word, not the tool's.
    return Channel(form, lasting(made), _illegible(message) if form is not Form.NO_ANSWER else "nothing came", tokens)


def failed(made: MadeCall) -> bool:
    """Whether a call failed as far as a program can tell, or a mock made it fail."""
    return made.error is not None or made.fault or _form(made) in PLAIN


def _form(made: MadeCall) -> Form | None:
    if made.error is not None:
        silent = made.status is not None and made.status.value not in ("error", "completed", "refused", "not_there")
        return Form.NO_ANSWER if silent or made.error == NO_ANSWER else Form.EXCEPTION
    value = made.result
    if isinstance(value, dict):
        if value.get("isError") is True:
            return Form.IS_ERROR
        if _field_says_failure(value):
            return Form.ERROR_FIELD
        value = _message(value)
    if not isinstance(value, str):
        return None
    if _PROSE.search(value):
        return Form.PROSE
    return Form.NOT_JUDGED if _may_be_foreign(value) else None


def _may_be_foreign(text: str) -> bool:
    """Whether a text has no English function word, and is long enough, or has letters, that it should have one."""
    words = _WORD.findall(text)
    return _ENGLISH.search(text) is None and (len(words) >= _MANY_WORDS or not all(word.isascii() for word in words))


def _field_says_failure(value: dict[str, JsonValue]) -> bool:
    if value.get("error") not in (None, False, "", [], {}) or value.get("errors") not in (None, False, "", [], {}):
        return True
    if value.get("success") is False or value.get("ok") is False:
        return True
    status = value.get("status")
    return isinstance(status, str) and status.lower() in _FAILED_WORDS


def _message(value: JsonValue) -> str | None:
    """The text of an answer, wherever it is usual to put it; None when there is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        texts = [text for each in value if (text := _message(each)) is not None]
        return " ".join(texts) or None
    if isinstance(value, dict):
        for key in ("error", "errors", "message", "detail", "reason", "description", "text", "content"):
            text = _message(value.get(key))
            if text is not None:
                return text
    return None


def lasting(made: MadeCall) -> Lasting:
    """Whether a failed call says that it is temporary, or permanent: by its fields, then by its words."""
    value = made.result if made.error is None else None
    if isinstance(value, dict):
        inner = value["error"] if isinstance(value.get("error"), dict) else {}
        for holder in (value, inner):
            assert isinstance(holder, dict)
            for key in ("retryable", "temporary", "transient", "retry"):
                if isinstance(holder.get(key), bool):
                    return Lasting.TEMPORARY if holder[key] else Lasting.PERMANENT
            if holder.get("retryAfter") is not None or holder.get("retry_after") is not None:
                return Lasting.TEMPORARY
            if holder.get("permanent") is True:
                return Lasting.PERMANENT
    text = made.error if made.error is not None else result_text(made.result)
    temporary, permanent = bool(_TEMPORARY.search(text)), bool(_PERMANENT.search(text))
    if not temporary and not permanent and _may_be_foreign(text):
        return Lasting.NOT_JUDGED
    if temporary == permanent:
        return Lasting.UNSAID
    return Lasting.TEMPORARY if temporary else Lasting.PERMANENT


def _illegible(message: str) -> str | None:
    said = _CLASS.sub("", message.strip())
    if said in ("", "undefined", "null", "{}", "[]", "[object Object]", "Object", "Error"):
        return f"it says nothing but {message.strip()!r}"
    if _MARKUP.search(said):
        return "it is markup"
    if _STACK.search(said):
        return "it is a stack trace"
    if len(_WORD.findall(said)) < 2 and len(_UNSPACED.findall(said)) < _MANY_WORDS:
        return "it is a code and no sentence"
    tokens = tokens_of_text(said)
    return f"it is {tokens} tokens long" if tokens > _MOST_TOKENS else None


def faults_of_failure(wanted: Failing, made: MadeCall) -> Iterator[str]:
    """What is wrong with the answer of a call that has to fail: that it hides it, cannot be read, does not say more."""
    verdict = channel(made)
    if verdict.form is None:
        yield f"had to fail, and its answer looks like a success: {result_text(made.result)[:120]}"
        return
    if verdict.form is Form.NOT_JUDGED:
        return
    if verdict.illegible is not None:
        yield f"failed, and what it says cannot be read: {verdict.illegible}"
    judged = verdict.lasting is not Lasting.NOT_JUDGED
    if wanted is not Failing.SEEN and judged and verdict.lasting.value != wanted.value:
        yield f"had to fail and say that this is {wanted.value}; by its words that is {verdict.lasting.value}"


def not_judged(wanted: Failing, made: MadeCall) -> bool:
    """Whether something of that cannot be said, because the answer is in words that are not known to be English."""
    verdict = channel(made)
    return verdict.form is Form.NOT_JUDGED or (
        wanted is not Failing.SEEN and verdict.form is not None and verdict.lasting is Lasting.NOT_JUDGED
    )
