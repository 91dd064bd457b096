"""What a script's text says of the WebMCP API, without running or patching anything."""

import re
from collections.abc import Iterable

from census.visit import ScriptEvidence

QUICK_SEARCH = "modelContext|toolname|provideContext|registerTool"
"""Text without any of these says nothing of the API; the browser searches it for us."""

TIMER_SEARCH = "setTimeout|setInterval"
"""An inline script with one of these may set off what another script registers."""

_NAMES_API = re.compile(r"modelContext|\btoolname\b")
# `navigator` before the name, with `.`, `?.`, `["…"]`, or as `"modelContext" in navigator`: the old way only.
_THROUGH_NAVIGATOR = re.compile(
    r"""navigator\s*(?:\?\.|\.)\s*modelContext\w*
      | navigator\s*(?:\?\.)?\[\s*["']modelContext\w*["']\s*\]
      | ["']modelContext\w*["']\s*in\s+(?:window\s*\.\s*)?navigator
      | \bnavigator\s+as\s+any\)\s*(?:\?\.|\.)\s*modelContext\w*""",
    re.VERBOSE,
)
_LINE_COMMENT = re.compile(r"(?<![:\"'`\\])//[^\n]*")
# What looks like a comment behind a word or a quotation mark is a content type more often: `"image/*"`, `*/*`.
_COMMENT = re.compile(rf"(?<![\w*.\"'`])/\*.*?\*/|{_LINE_COMMENT.pattern}", re.DOTALL)
_OLD_NAMES = {
    "navigator.modelContext": _THROUGH_NAVIGATOR,
    "modelContextTesting": re.compile(r"\bmodelContextTesting\b"),
    "provideContext": re.compile(r"\bprovideContext\s*\("),
    "clearContext": re.compile(r"\bclearContext\s*\("),
    "registerTools": re.compile(r"\bregisterTools\s*\("),
    "unregisterTool": re.compile(r"\bunregisterTool\s*\("),
    "window.agent": re.compile(r"\bwindow\s*\.\s*agent\b"),
}
# A delay is a call's last argument (`}, 3000)`), a waiting function's only one (`sleep(1500)`), or a number
# that a name says is one (`POLL_INTERVAL = 500`, `delayMs: 6e3`). Names have a bound: in `waitwaitwait…` of a
# megabyte an unbounded search goes back and forth for hours.
_NUMBER = r"(\d{3,6}|\d{1,3}(?:\.\d+)?e3)"
_DELAY = re.compile(
    rf""",\s*{_NUMBER}\s*\)
      | \b\w{{0,40}}(?:sleep|wait|delay|pause|after|timeout|timer)\w{{0,40}}\s*\(\s*{_NUMBER}\s*\)
      | \b\w{{0,40}}(?:delay|timeout|interval|wait|pause|poll|_ms|Ms)\w{{0,40}}["']?\s*[:=]\s*{_NUMBER}\b""",
    re.VERBOSE | re.IGNORECASE,
)
# An interval, or a time-out whose callback is a named function, which may set itself again.
_POLLS = re.compile(r"\bsetInterval\s*\(|\bsetTimeout\s*\(\s*[A-Za-z_$][\w$.]*\s*,")
_TIMER = re.compile(r"\bset(?:Timeout|Interval)\b|\btimers?\b|\bscheduler\b", re.IGNORECASE)
# `setTimeout(register, ms)`: the delay is computed, so it may be any whole number that the script writes.
_COMPUTED_DELAY = re.compile(r",\s*[A-Za-z_$][\w$.]*(?:\s*[-+*]\s*[\w$.]+)*\s*\)")
_WHOLE_NUMBER = re.compile(r"(?<![\w.#$])(\d{4,5})(?![\w.])")
_SMALL = 100_000
"""Characters: in a larger text, a bundle, a number stands for anything."""
_LONGEST_MS = 30_000
"""A number above this is no delay that a visit could wait for."""
_LONGEST_COMPUTED_MS = 20_000


def read_scripts(texts: Iterable[str], unread: int = 0, *, old_names_count: bool = False) -> ScriptEvidence:
    """The evidence in the texts of a page's scripts; `unread` counts those that could not be had.

    `old_names_count`: the old names lead to the native object in this visit, so they name the API as well.

    Timers count in all the texts as soon as one of them names the API: one script's timer calls what another
    one defines.
    """
    codes = [_without_comments(text) for text in texts]
    old_names = {name for code in codes for name in _old_names(code)}
    names_api = any(_NAMES_API.search(_THROUGH_NAVIGATOR.sub(" ", code)) for code in codes)
    names_api = names_api or (old_names_count and bool(old_names))
    return ScriptEvidence(
        names_api=names_api,
        old_names=tuple(sorted(old_names)),
        longest_timer_ms=max(map(longest_timer_ms, codes), default=0) if names_api else 0,
        polls=names_api and any(map(_waits_unknown, codes)),
        unread=unread,
    )


def _without_comments(text: str) -> str:
    """The text without comments, in linear time: behind the last `*/` none is looked for that closes."""
    closed = text.rfind("*/") + 2 if "*/" in text else 0
    return _COMMENT.sub(" ", text[:closed]) + _LINE_COMMENT.sub(" ", text[closed:])


def _old_names(code: str) -> list[str]:
    """Names that are gone, in a script that is about WebMCP at all: `clearContext(` alone is anybody's."""
    found = [name for name, pattern in _OLD_NAMES.items() if pattern.search(code)]
    return found if "navigator.modelContext" in found or _NAMES_API.search(code) else []


def _waits_unknown(code: str) -> bool:
    """Whether the code looks for something again and again, or waits for a time that no number tells."""
    return bool(_POLLS.search(code)) or bool(_TIMER.search(code) and not longest_timer_ms(code))


def longest_timer_ms(code: str) -> int:
    """The longest delay, in ms, that a number in the code stands for; 0 when the code sets no timer."""
    if not _TIMER.search(code):
        return 0
    delays = [float(next(filter(None, match.groups()))) for match in _DELAY.finditer(code)]
    if len(code) < _SMALL and _COMPUTED_DELAY.search(code):
        numbers = map(float, _WHOLE_NUMBER.findall(code))
        delays += [number for number in numbers if number <= _LONGEST_COMPUTED_MS and not 1900 <= number <= 2100]
    return int(min(max(delays, default=0.0), _LONGEST_MS))
