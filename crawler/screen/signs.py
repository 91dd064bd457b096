"""Signs of WebMCP in a text, without running or parsing it. A sign too many costs a visit, one too few a page."""

import base64
import re
from collections.abc import Mapping

from census.vocabulary import Word


class Sign(Word):
    """What points to WebMCP. One of them is evidence; none says how many tools there are, or whether there are any."""

    API = "api", "The API's name, current or old, in any notation that a bundler leaves: `modelContext`."
    OLD_API = "old_api", "A method that the API had: `provideContext`, `registerTools`; or has: `registerTool`."
    FORM = "form", "`toolname` on a form, or in the script that puts it there."
    LIBRARY = "library", "A library that speaks WebMCP, by its name or by what it leaves in the page."
    TRIAL = "trial", "An origin-trial token for WebMCP, in the markup, a header or a script."
    FRAME = "frame", "A frame that is allowed to have tools (`allow=tools`)."
    SITE_FILE = "site_file", "A file of the site that is about WebMCP: `/.well-known/webmcp`, `llms.txt`."


def _base64_of(word: bytes) -> tuple[str, ...]:
    """What base64 makes of a word, wherever in a text the word stands (three ways)."""
    ways = []
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + word).decode()
        # The first and the last characters also depend on what stands beside the word.
        first = (0, 2, 3)[before]
        last = (before + len(word)) * 8 // 6
        ways.append(encoded[first:last])
    return tuple(ways)


# Tokens of one trial name may be written with a space behind the colon.
_TOKENS = _base64_of(b'"feature":"WebMCP') + _base64_of(b'"feature": "WebMCP')

_PATTERNS: Mapping[Sign, re.Pattern[str]] = {
    # `modelContext`, also with one of its letters as an escape: `model\u0043ontext`.
    Sign.API: re.compile(r"model\\?(?:u0043|x43|C)ontext"),
    Sign.OLD_API: re.compile(r"\b(?:provideContext|registerTools?)\b"),
    Sign.FORM: re.compile(r"\btoolname\b|\btooldescription\b|\btoolDescription\b", re.IGNORECASE),
    Sign.LIBRARY: re.compile(r"webmcp|\bmcp-b\b|BrowserMcpServer|__MCP_B_", re.IGNORECASE),
    Sign.TRIAL: re.compile("|".join(map(re.escape, _TOKENS))),
}
_IN_SCRIPTS: Mapping[Sign, re.Pattern[str]] = {
    **_PATTERNS,
    # Scripts of anybody's agents have a variable `toolName`.
    Sign.FORM: re.compile(r"\btooldescription\b|\btoolname\b"),
}


_NEEDS: Mapping[Sign, tuple[str, ...]] = {
    Sign.API: ("ontext",),
    Sign.OLD_API: ("providecontext", "registertool"),
    Sign.FORM: ("toolname", "toolde"),
    Sign.LIBRARY: ("mcp",),
}
"""What a text in lower case has one of where the pattern can match. None of these has a k, an s or an i, which patterns
that ignore case find in signs that `lower` leaves as they are; but for the names of methods, whose case counts."""


def _signs(text: str, patterns: Mapping[Sign, re.Pattern[str]]) -> frozenset[Sign]:
    """The signs whose pattern is in a text. Most texts have none, and a word is found a hundred times faster."""
    lower = text.lower()
    worth = {sign for sign, words in _NEEDS.items() if any(word in lower for word in words)}
    if any(word in text for word in _TOKENS):
        worth.add(Sign.TRIAL)
    return frozenset(sign for sign in worth if patterns[sign].search(text))


def signs_in_markup(text: str) -> frozenset[Sign]:
    """The signs in a document's markup, its inline scripts included."""
    return _signs(text, _PATTERNS)


def signs_in_script(text: str) -> frozenset[Sign]:
    """The signs in a script.

    There `toolName` is a common variable and no sign; the attribute is written in lower case, as a script that sets
    it has to write it for a form of another kind of document, and as every example does.
    """
    return _signs(text, _IN_SCRIPTS)


def signs_in_headers(origin_trial: str) -> frozenset[Sign]:
    """The signs in a document's `Origin-Trial` headers."""
    return frozenset({Sign.TRIAL}) if _PATTERNS[Sign.TRIAL].search(origin_trial) else frozenset()


def signs_in_site_file(path: str, content_type: str, text: str) -> frozenset[Sign]:
    """The signs in a file of the site. A page that answers to every path is none: the file must be no HTML."""
    if "html" in content_type.lower() or text.lstrip()[:1] == "<":
        return frozenset()
    if path.startswith("/.well-known/webmcp"):
        return frozenset({Sign.SITE_FILE})
    about = _PATTERNS[Sign.API].search(text) or _PATTERNS[Sign.LIBRARY].search(text)
    return frozenset({Sign.SITE_FILE}) if about else frozenset()


SITE_FILES = ("/.well-known/webmcp.json", "/.well-known/webmcp", "/llms.txt")
"""Asked once for each host, and only where nothing else was found."""
