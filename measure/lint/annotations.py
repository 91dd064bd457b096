"""Rules on annotations: what a tool claims of itself against what its name says it does."""

from collections.abc import Iterator
from typing import Any

from census.finding import Severity
from census.vocabulary import Kind
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.text import listed, quoted, value_shown
from measure.lint.vocabulary import CONSEQUENTIAL, MOVES_PAGE, NOUNS_AFTER_VERB, PERSONAL, READS, USER_CONTENT, WRITES
from measure.lint.words import name_words, stem

_KNOWN = frozenset({"readOnly", "untrustedContent", "consequential", "debugging", "autosubmit"})
_OF_MCP = frozenset({"destructive", "idempotent", "openWorld", "title"})
_MOVES_PAGE = frozenset(stem(word) for word in MOVES_PAGE)
_USER_CONTENT = frozenset(stem(word) for word in USER_CONTENT)


def _acts(each: ToolAnalysis, verbs: frozenset[str]) -> str | None:
    """The verb at the start of a name when it is one of these, and the next word does not make it a noun."""
    if not each.name_words or each.name_words[0] not in verbs:
        return None
    following = each.name_words[1] if len(each.name_words) > 1 else ""
    return None if following in NOUNS_AFTER_VERB else each.name_words[0]


def _pointer(each: ToolAnalysis, hint: str) -> tuple[str | int, ...]:
    given = each.tool.annotations or {}
    return next((("annotations", name) for name in (f"{hint}Hint", hint) if name in given), ())


def _read_only_writes(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        verb = _acts(each, WRITES)
        if verb and each.hints.get("readOnly"):
            yield Hit(
                each.index,
                _pointer(each, "readOnly"),
                f"{quoted(each.name)} claims to be read-only, and its name says {quoted(verb)}; an agent may run"
                " read-only tools without asking.",
                f"Take `readOnlyHint` away from {quoted(each.name)}, or rename it if it really changes nothing.",
            )


def _contradiction(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if each.hints.get("readOnly") and each.hints.get("consequential"):
            yield Hit(
                each.index,
                _pointer(each, "consequential"),
                f"{quoted(each.name)} claims to be read-only and consequential at once.",
                "Keep `consequentialHint: true` if it does anything that is hard to take back, else `readOnlyHint`.",
            )


def _consequential(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        verb = _acts(each, CONSEQUENTIAL)
        if verb and not each.is_form and not each.hints.get("consequential") and not each.hints.get("readOnly"):
            yield Hit(
                each.index,
                _pointer(each, "consequential"),
                f"{quoted(each.name)} ({verb}) is not marked as consequential, so an agent may run it without asking.",
                f"Register {quoted(each.name)} with `annotations: {{consequentialHint: true}}` if it cannot be undone"
                " at once.",
            )


def _autosubmit(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if not each.hints.get("autosubmit"):
            continue
        verb = _acts(each, CONSEQUENTIAL)
        personal = [place.name for place in each.parameters if PERSONAL.intersection(name_words(place.name))]
        if verb or personal:
            why = f"({verb})" if verb else f"takes {listed(personal, 3)} and"
            yield Hit(
                each.index,
                _pointer(each, "autosubmit"),
                f"The form {quoted(each.name)} {why} submits itself: what an agent fills in is sent without anybody"
                " having seen it.",
                f"Remove `toolautosubmit` from {quoted(each.name)}; then the browser fills the form and a person sends"
                " it.",
            )


def _reads_unmarked(analysis: Analysis) -> Iterator[Hit]:
    unmarked = [
        each
        for each in analysis.offered
        if not each.is_form
        and _acts(each, READS)
        and not each.content_stems & _MOVES_PAGE
        and not each.hints.get("readOnly")
        and not each.hints.get("consequential")
    ]
    if unmarked:
        names = [each.name for each in unmarked]
        yield Hit(
            None,
            (),
            f"Names say that {listed(names)} only {'reads' if len(names) == 1 else 'read'}, and `readOnlyHint` is not"
            " set.",
            f"If so, register {listed(names)} with `annotations: {{readOnlyHint: true}}`: agents run such tools without"
            " asking.",
        )


def _untrusted(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        shown = [word for word in each.name_words[1:] if stem(word) in _USER_CONTENT]
        if shown and _acts(each, READS) and not each.hints.get("untrustedContent"):
            yield Hit(
                each.index,
                _pointer(each, "untrustedContent"),
                f"{quoted(each.name)} seems to return what other people wrote ({shown[0]}), and `untrustedContentHint`"
                " is not set.",
                f"Register {quoted(each.name)} with `annotations: {{untrustedContentHint: true}}`, so that an agent"
                " does not take it for instructions.",
            )


def _dropped(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for name in each.tool.annotations or {}:
            if name.removesuffix("Hint") not in _KNOWN:
                of_mcp = " (it is one of MCP's)" if name.removesuffix("Hint") in _OF_MCP else ""
                yield Hit(
                    each.index,
                    ("annotations", name),
                    f"The annotation {quoted(name)} of {quoted(each.name)} is dropped by the browser{of_mcp}.",
                    "The browser knows `readOnlyHint`, `untrustedContentHint` and `consequentialHint`; say the rest in"
                    " the description.",
                )


def _not_boolean(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for name, value in (each.tool.annotations or {}).items():
            if name.removesuffix("Hint") in _KNOWN and value is not None and not isinstance(value, bool):
                yield Hit(
                    each.index,
                    ("annotations", name),
                    f"{quoted(name)} of {quoted(each.name)} is {value_shown(value)}, which the browser reads as"
                    f" {'true' if _truthy(value) else 'false'}.",
                    f"Write {quoted(name)} as `true` or `false`, without quotes.",
                )


def _truthy(value: Any) -> bool:
    return True if isinstance(value, dict | list) else bool(value)


def _debugging(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if each.hints.get("debugging") is True:
            yield Hit(
                each.index,
                _pointer(each, "debugging"),
                f"{quoted(each.name)} is marked as a debugging tool and offered all the same.",
                f"Register {quoted(each.name)} in development builds only.",
            )


def _one(name: str, **annotations: Any) -> Manifest:
    return manifest(tool(name, "Does what its name says. Use when the user asks for it.", annotations=annotations))


def _form(**annotations: Any) -> Manifest:
    return manifest(tool("book_table", "Books a table for some people.", kind=Kind.FORM, annotations=annotations))


RULES = (
    Rule(
        "annotations/read-only-writes",
        Severity.ERROR,
        "An agent that trusts the hint changes something without asking.",
        "WebMCP, ToolAnnotations.readOnlyHint: the tool does not modify any state. Verbs at the start of a name only;"
        " `order_history` is no order.",
        "Take the hint away.",
        fires=_one("cancel_booking", readOnlyHint=True),
        silent=_one("order_history", readOnlyHint=True),
        check=_read_only_writes,
    ),
    Rule(
        "annotations/contradiction",
        Severity.ERROR,
        "Read-only and consequential exclude each other; an agent believes one of them.",
        "WebMCP, ToolAnnotations: readOnlyHint, consequentialHint.",
        "Keep one.",
        fires=_one("show_invoice", readOnlyHint=True, consequentialHint=True),
        silent=_one("show_invoice", readOnlyHint=True, consequentialHint=False),
        check=_contradiction,
    ),
    Rule(
        "annotations/consequential-unmarked",
        Severity.WARNING,
        "Money, messages, appointments and deletions should not happen without a question.",
        "WebMCP, ToolAnnotations.consequentialHint; listed by Chromium 156. Verbs at the start of a name only; a form"
        " cannot carry the hint.",
        "Set `consequentialHint`.",
        fires=_one("buy_ticket"),
        silent=_one("buy_ticket", consequentialHint=True),
        check=_consequential,
    ),
    Rule(
        "annotations/autosubmit",
        Severity.WARNING,
        "With `toolautosubmit` the browser sends the form as soon as an agent has filled it.",
        "Measured on Chromium 156: with `toolautosubmit` a POST left the browser; without it the form waits for a"
        " person. Fires for forms that buy, book, send or delete by name, or take a person's data.",
        "Remove `toolautosubmit`.",
        fires=_form(autosubmit=True),
        silent=_form(autosubmit=False),
        check=_autosubmit,
    ),
    Rule(
        "annotations/read-only-unmarked",
        Severity.NOTE,
        "Without the hint an agent has to ask before it looks something up. One finding for a page.",
        "WebMCP, ToolAnnotations.readOnlyHint.",
        "Set `readOnlyHint`.",
        fires=_one("find_products"),
        silent=_one("find_products", readOnlyHint=True),
        check=_reads_unmarked,
    ),
    Rule(
        "annotations/untrusted-unmarked",
        Severity.NOTE,
        "What other people wrote can hold instructions; the hint tells an agent to treat it as data.",
        "WebMCP, ToolAnnotations.untrustedContentHint.",
        "Set `untrustedContentHint`.",
        fires=_one("get_product_reviews", readOnlyHint=True),
        silent=_one("get_product_prices", readOnlyHint=True),
        check=_untrusted,
    ),
    Rule(
        "annotations/dropped",
        Severity.NOTE,
        "A hint that the browser does not know reaches no agent.",
        "Measured on Chromium 156: destructiveHint, idempotentHint, openWorldHint and title are dropped.",
        "Say it in the description.",
        fires=_one("find_products", readOnlyHint=True, destructiveHint=False),
        silent=_one("find_products", readOnlyHint=True, untrustedContentHint=False),
        check=_dropped,
    ),
    Rule(
        "annotations/not-boolean",
        Severity.ERROR,
        "The browser takes any truthy value for true: the text `false` is true.",
        "Measured on Chromium 156: `readOnlyHint: 'false'` is listed as true.",
        "Write true or false.",
        fires=_one("find_products", readOnlyHint="false"),
        silent=_one("find_products", readOnlyHint=False),
        check=_not_boolean,
    ),
    Rule(
        "annotations/debugging",
        Severity.WARNING,
        "A tool for developers is shown to every visitor's agent.",
        "WebMCP, ToolAnnotations.debugging.",
        "Leave it out of the public build.",
        fires=_one("dump_state", debugging=True),
        silent=_one("dump_state", debugging=False),
        check=_debugging,
    ),
)
