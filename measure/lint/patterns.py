"""Rules on the patterns and formats of a schema."""

from collections.abc import Iterator
from typing import Any

import regex
from rapidfuzz import fuzz, process

from census.finding import Severity
from census.vocabulary import Kind
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.json_schema import pattern_fault
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.schema_walk import Place
from measure.lint.text import quoted, value_shown

_FORMATS = frozenset(
    [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ]
)
_OTHER_FORMATS = frozenset(
    [
        "int32",
        "int64",
        "float",
        "double",
        "decimal",
        "byte",
        "binary",
        "password",
        "color",
        "phone",
        "month",
        "week",
        "tel",
    ]
)
_EXPRESSION = regex.compile(r"[\^$\[\](){}\\|*+?]")
_DELIMITED = regex.compile(r"(?s)/(\^.*|.*(?<!\\)\$)/([dgimsuvy]*)")
"""A literal of JavaScript with an anchor inside its slashes; one without may be meant for a path."""
_ATOM = regex.compile(r"\\.|\[(?:\\.|[^\]\\])*\]")
_GROUP = regex.compile(r"\([^()]*\)")
_RANGE_IN_CLASS = regex.compile(r"\[[^\[\]\\]*?(?<![0-9])([0-9]-[0-9]{2,})[^\[\]]*\]")


def _places(analysis: Analysis) -> Iterator[tuple[ToolAnalysis, Place]]:
    return ((each, place) for each in analysis.offered for place in each.places)


def _of(each: ToolAnalysis, place: Place) -> str:
    return f"{quoted(place.name)} of {quoted(each.name)}" if place.name else quoted(each.name)


def _invalid_pattern(analysis: Analysis) -> Iterator[Hit]:
    return _pattern_hits(analysis, unicode_only=False)


def _not_unicode(analysis: Analysis) -> Iterator[Hit]:
    return _pattern_hits(analysis, unicode_only=True)


def _patterns(place: Place) -> Iterator[tuple[tuple[str, ...], str]]:
    """The regular expressions of a schema, each with where it stands: keys of `patternProperties` are some too."""
    pattern, keyed = place.fields.get("pattern"), place.fields.get("patternProperties")
    if isinstance(pattern, str):
        yield ("pattern",), pattern
    if isinstance(keyed, dict):
        yield from ((("patternProperties", key), key) for key in keyed)


def _pattern_hits(analysis: Analysis, *, unicode_only: bool) -> Iterator[Hit]:
    found = ((each, place, *one) for each, place in _places(analysis) for one in _patterns(place))
    for each, place, where, pattern in found:
        fault = pattern_fault(pattern)
        if fault is None or (pattern_fault(pattern, "") is None) is not unicode_only:
            continue
        why = "is none with the `u` flag, as validators read it" if unicode_only else "is no regular expression"
        yield Hit(
            each.index,
            (*place.path, *where),
            f"The pattern {quoted(pattern)} of {_of(each, place)} {why}: {quoted(fault, 120)}.",
            "In a class, put a hyphen first or last (`[\\w.-]`), and escape only what has a meaning."
            if unicode_only
            else "Write it as a JavaScript regular expression and try it: `new RegExp(pattern, 'u')`.",
        )


def _delimited(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        pattern = place.fields.get("pattern")
        found = _DELIMITED.fullmatch(pattern[:2_000]) if isinstance(pattern, str) else None
        if found and not _has_branches(found[1]):
            flags = (
                f" Its flag `{found[2]}` has no place in JSON Schema: write it into the pattern." if found[2] else ""
            )
            yield Hit(
                each.index,
                (*place.path, "pattern"),
                f"No text fits the pattern {quoted(found[0])} of {_of(each, place)}: its slashes are JavaScript's, and"
                " a pattern takes them for letters before the beginning or after the end.",
                f"Leave them out: {quoted(found[1])}.{flags}",
            )


def _has_branches(pattern: str) -> bool:
    """Whether a pattern is several, of which an anchor binds only one."""
    rest = _ATOM.sub("", pattern)
    while rest != (rest := _GROUP.sub("", rest)):
        continue
    return "|" in rest


def _range_in_class(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        pattern = place.fields.get("pattern")
        found = _RANGE_IN_CLASS.search(pattern[:2_000]) if isinstance(pattern, str) else None
        if found:
            yield Hit(
                each.index,
                (*place.path, "pattern"),
                f"{quoted(found[0])} in the pattern of {_of(each, place)} matches one digit, not the numbers"
                f" {quoted(found[1])}.",
                "Spell numbers out by digits: 1 to 12 is `(?:[1-9]|1[0-2])`.",
            )


def _format_is_pattern(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        text = place.fields.get("format")
        # Of a form, the browser writes the expression there itself.
        if isinstance(text, str) and _EXPRESSION.search(text) and not each.is_form:
            yield Hit(
                each.index,
                (*place.path, "format"),
                f"The `format` of {_of(each, place)} is a regular expression, {quoted(text)}; a format is a name.",
                f'Move it to `pattern`: `"pattern": {value_shown(text).strip("`")}`.',
            )


def _unknown_format(analysis: Analysis) -> Iterator[Hit]:
    for each, place in _places(analysis):
        text = place.fields.get("format")
        if not isinstance(text, str) or text in _FORMATS or text in _OTHER_FORMATS or _EXPRESSION.search(text):
            continue
        match = process.extractOne(text.lower(), _FORMATS, scorer=fuzz.ratio, score_cutoff=70)
        hint = f"Did you mean {quoted(match[0])}?" if match else "Say the form in the description instead."
        yield Hit(
            each.index,
            (*place.path, "format"),
            f"{quoted(text)}, the format of {_of(each, place)}, is none of JSON Schema's, so it says nothing.",
            f"{hint} A pattern says exactly what is taken.",
        )


_TEXT = "Finds products by words and price. Use when the user looks for something to buy."


def _one(**schema: Any) -> Manifest:
    return manifest(tool("find_products", _TEXT, {"value": {"description": "What to look for.", **schema}}))


def _form(**schema: Any) -> Manifest:
    return manifest(tool("find_products", _TEXT, {"value": schema}, kind=Kind.FORM))


RULES = (
    Rule(
        "schemas/invalid-pattern",
        Severity.ERROR,
        "The pattern is no regular expression: it checks nothing, or makes the whole schema invalid.",
        "JSON Schema, core 6.4: patterns are those of ECMA-262.",
        "Write it as a JavaScript regular expression.",
        fires=_one(type="string", pattern="([0-9]"),
        silent=_one(type="string", pattern="([0-9])"),
        check=_invalid_pattern,
    ),
    Rule(
        "schemas/pattern-not-unicode",
        Severity.WARNING,
        "Validators read patterns with the `u` flag, and this one is an error there.",
        "JSON Schema, core 6.4: the `u` flag. A form's `pattern` attribute is read with the stricter `v` flag.",
        "Put hyphens first or last in a class; drop needless escapes.",
        fires=_one(type="string", pattern=r"^[\w-\.]+$"),
        silent=_one(type="string", pattern=r"^[\w.\-]+$"),
        check=_not_unicode,
    ),
    Rule(
        "schemas/pattern-delimiters",
        Severity.ERROR,
        "A pattern is the text between the slashes of a JavaScript literal; with them no value meets the schema.",
        "JSON Schema, core 6.4 and validation 6.3.3; ECMA-262: nothing comes before `^` or after `$`.",
        "Leave the slashes and the flags out.",
        fires=_one(type="string", pattern="/^[0-9]{5}$/"),
        silent=_one(type="string", pattern="/products/[0-9]+/"),
        check=_delimited,
    ),
    Rule(
        "schemas/number-range-in-class",
        Severity.WARNING,
        "A class matches one character: `[1-12]` is 1 or 2.",
        "ECMA-262, character classes. Seen on a public demo page, whose own example does not match.",
        "Spell the numbers out.",
        fires=_one(type="string", pattern="^[1-12]:[0-5][0-9]$"),
        silent=_one(type="string", pattern="^(?:[1-9]|1[0-2]):[0-5][0-9]$"),
        check=_range_in_class,
    ),
    Rule(
        "schemas/format-is-pattern",
        Severity.WARNING,
        "`format` takes a name; an expression there checks nothing.",
        "JSON Schema validation 7.3. Measured on Chromium 156: for time, month, week and color fields of a form the"
        " browser itself does this, which is no finding.",
        "Move it to `pattern`.",
        fires=_one(type="string", format="^[0-9]{2}:[0-9]{2}$"),
        silent=_form(type="string", format="^[0-9]{2}:[0-9]{2}$"),
        check=_format_is_pattern,
    ),
    Rule(
        "schemas/unknown-format",
        Severity.NOTE,
        "A format that nobody defines is ignored.",
        "JSON Schema validation 7.3, with the formats of OpenAPI and HTML.",
        "Use a known format or a pattern.",
        fires=_one(type="string", format="datetime"),
        silent=_one(type="string", format="date-time"),
        check=_unknown_format,
    ),
)
