"""Whether a description spells out a closed list of values, which an `enum` would make binding."""

import regex

from measure.lint import bounded

_QUOTED = r"[\"'`“\u2018「][^\"'`”\u2019」\n]{1,40}[\"'`”\u2019」]"
_SEPARATOR = r"(?:\s*,?\s+(?:or|and|oder|ou|o)\s+|\s*[,/|、]\s*|または|か)"
_CLOSED = regex.compile(
    r"(?i)(?:\b(?:one of|either|must be|can be|should be|may be|use|accepts?|allowed|valid|possible|supported"
    r"|values?|options?)\b(?: values?| options?)?(?: are| is| include)?\s*:?\s*)"
    rf"((?:{_QUOTED}{_SEPARATOR})+{_QUOTED})"
)
_CLOSED_BARE = regex.compile(
    r"(?i)\b(?:one of|(?:allowed|valid|possible|accepted|supported) values|values|options)(?: are)?\s*:\s*"
    rf"([\w-]+(?:{_SEPARATOR}[\w-]+)+)"
    r"|\bone of\s+([\w-]+(?:\s*,\s*[\w-]+)*\s*,?\s+or\s+[\w-]+|[\w-]+(?:\s*,\s*[\w-]+){2,}(?=\s*(?:[.;)]|$)))"
)
_NOTHING_ELSE = regex.compile(rf"^\s*((?:{_QUOTED}{_SEPARATOR})+{_QUOTED})\s*\.?\s*$")
_BRACKETS = regex.compile(rf"\(((?:{_QUOTED}{_SEPARATOR})+{_QUOTED})\)")
_PIPES = regex.compile(r"(?<![\w|])([\p{L}\p{N}_-]+(?:\s?\|\s?[\p{L}\p{N}_-]+)+)(?![\w|])")
_JAPANESE = regex.compile(r"((?:「[^」]{1,20}」[、・]?(?:または|か)?){2,})(?:のいずれか|のどれか|から選)")
_CHINESE = regex.compile(rf"((?:{_QUOTED}\s*[、\uff0c,]?\s*)*{_QUOTED}\s*(?:或者?|還是|还是)\s*{_QUOTED})")
_EXAMPLES = regex.compile(r"(?i)(?:e\.?\s?g\.?|for example|for instance|such as|like|examples?|例えば|など)[\s:,.(]*$")
_OPEN_END = regex.compile(r"(?i)^[\s,]*(?:,|and|or)?\s*(?:etc|\.\.\.|…|and so on|and more|など|or any|or a custom)")
_QUOTATION = regex.compile(_QUOTED)
_WORD = regex.compile(r"[\w-]+")
_SEARCHED = 2_000
_JOINING = frozenset({"or", "and", "oder", "ou", "o"})


def listed_values(description: str) -> list[str]:
    """The values that a text lists as the only ones; empty when it lists none, or only examples."""
    text = description[:_SEARCHED]
    for pattern in (_CLOSED, _CLOSED_BARE, _NOTHING_ELSE, _BRACKETS, _PIPES, _JAPANESE, _CHINESE):
        for found in bounded.each(pattern, text, _SEARCHED):
            group = next(index for index, each in enumerate(found.groups(), 1) if each is not None)
            before, after = text[: found.start(group)], text[found.end(group) :]
            if (
                _EXAMPLES.search(before[-30:])
                or _EXAMPLES.search(text[: found.start()][-30:])
                or _OPEN_END.match(after)
            ):
                continue
            items = [
                each.strip("\"'`“”\u2018\u2019「」")
                for each in (_QUOTATION.findall(found[group]) or _WORD.findall(found[group]))
            ]
            values = [each for each in items if each and each.lower() not in _JOINING]
            if len(set(values)) > 1:
                return values
    return []
