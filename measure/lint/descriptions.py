"""Rules on one description: what is missing from it, or should not be there."""

from collections import defaultdict
from collections.abc import Iterator

import regex

from census.finding import Severity
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.name_pairs import overlap
from measure.lint.rule import Hit, Rule
from measure.lint.text import listed, quoted
from measure.lint.when_cues import says_when
from measure.lint.words import content_words, name_words, stem

_PLACE = ("description",)
_THIN = 3
"""Content words up to which a description is thin. The vague ones that were measured have 5 and more."""
_API_LIMIT = 1_024
_RIVALS = 40
_RIVAL = 0.5
"""Share of a name's telling words (Dice) from which another tool is near."""
_NAMED = 20

_PLACEHOLDER = regex.compile(
    r"(?i:^(?:todo|tbd|fixme|n/?a|(?:tool |no )?description|placeholder|test|foo|xxx+|undefined|null|nan|\.+"
    r"|-+)[.!:]?$)"
    r"|(?i:lorem ipsum|\[object object\]|\[(?:insert|your)[^\]]*\]|<(?:insert|your)[^>]*>)"
    r"|\b(?:TODO|FIXME|TBD)\b\s*[:(]"
)
_NOUN_PHRASE = regex.compile(r"(?:The|A|An)\b(?!.{0,80}\b(?:tool|function|method|action)\b)")
_RETIRED = regex.compile(
    r"(?i)\b(?:do not use(?: this(?: tool)?)?(?=[.!]|$)|don't use(?: this(?: tool)?)?(?=[.!]|$)|deprecated|obsolete"
    r"|no longer (?:used|supported|works))\b|^old version"
)


def _missing(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if each.description:
            continue
        fate = (
            "a form without `tooldescription` text is offered with none"
            if each.is_form
            else "Chromium rejects an empty description with InvalidStateError"
            if not each.tool.description
            else "white space says nothing"
        )
        yield Hit(
            each.index,
            _PLACE,
            f"{quoted(each.name)} has no description; {fate}.",
            f"Say what {quoted(each.name)} does, what it returns, and when to use it:"
            " “…. Use when the user asks for ….”",
        )


def _restates_name(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if each.description and each.restates_name:
            yield Hit(
                each.index,
                _PLACE,
                f"The description of {quoted(each.name)} says only its name again: {quoted(each.description)}.",
                f"Add what the name {quoted(each.name)} does not say: on what it works, what it returns or changes, and"
                " when to use it: “Use when the user ….”",
            )


def _thin(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if not each.description or each.restates_name or _PLACEHOLDER.search(each.description):
            continue
        if each.content_size <= _THIN:
            yield Hit(
                each.index,
                _PLACE,
                f"The description of {quoted(each.name)} is too thin to choose by: {quoted(each.description)}.",
                f"Say in one sentence what {quoted(each.name)} does and returns, and in a second when it is the right"
                " tool: “Use when the user ….”",
            )


def _rival(each: ToolAnalysis, index: dict[str, list[ToolAnalysis]]) -> ToolAnalysis | None:
    """The earliest of the tools whose names have most in common with a tool's, if that is half of them."""
    near = {other.index: other for word in each.telling_stems for other in index[word][:_RIVALS] if other is not each}
    best = max(
        near.values(), key=lambda other: (overlap(each.telling_stems, other.telling_stems), -other.index), default=None
    )
    return best if best and overlap(each.telling_stems, best.telling_stems) >= _RIVAL else None


def _no_when(analysis: Analysis) -> Iterator[Hit]:
    index: dict[str, list[ToolAnalysis]] = defaultdict(list)
    for each in analysis.offered:
        for word in each.telling_stems:
            index[word].append(each)
    beside: dict[str, str] = {}
    for each in analysis.offered:
        if each.description and says_when(each.description) is False:
            rival = _rival(each, index)
            if rival is not None:
                beside.setdefault(each.name, rival.name)
    if beside:
        name, rival_name = next(iter(beside.items()))
        what = (
            f"the description of {quoted(name)} says"
            if len(beside) == 1
            else f"the descriptions of {listed(list(beside), _NAMED)} say"
        )
        yield Hit(
            None,
            (),
            f"Beside tools of like names, {what} what the tool does and not when to use it.",
            f"Add a sentence to each, in {quoted(name)} for example: “Use when the user …; for …, use"
            f" {quoted(rival_name)}.”",
        )


def _too_long(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        size = len(each.description)
        if size > _API_LIMIT:
            yield Hit(
                each.index,
                _PLACE,
                f"The description of {quoted(each.name)} has {size:,} characters; OpenAI's API refused a request with"
                f" more than {_API_LIMIT:,} in one.",
                f"Keep the first sentences under {_API_LIMIT:,} characters; move what concerns one parameter into that"
                " parameter's description.",
            )


def _placeholder(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        found = _PLACEHOLDER.search(each.description)
        if found:
            yield Hit(
                each.index,
                _PLACE,
                f"The description of {quoted(each.name)} still holds a placeholder: {quoted(found[0])}.",
                f"Write what {quoted(each.name)} does, and when to use it.",
            )


def _retired(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        found = _RETIRED.search(each.description)
        if found:
            yield Hit(
                each.index,
                _PLACE,
                f"{quoted(each.name)} is offered and says that it is not to be used: {quoted(found[0])}.",
                f"Do not register {quoted(each.name)}: a tool that is listed is called.",
            )


def _describes_parameter(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if not each.english or not _NOUN_PHRASE.match(each.description):
            continue
        opening = {stem(word) for word in content_words(each.description.partition(".")[0])}
        verb = {stem(word) for word in each.name_words[:1]}
        for place in each.parameters:
            own = {stem(word) for word in name_words(place.name)}
            if own and own <= opening and not verb & opening:
                yield Hit(
                    each.index,
                    _PLACE,
                    f"The description of {quoted(each.name)} reads like that of its parameter {quoted(place.name)}:"
                    f" {quoted(each.description)}.",
                    f"Move it to the `description` of {quoted(place.name)}, and say here what {quoted(each.name)} does"
                    " and when to use it.",
                )
                break


_GOOD = "Finds products by words and price, with stock. Use when the user looks for something to buy."

RULES = (
    Rule(
        "descriptions/missing",
        Severity.ERROR,
        "Without a description a script's tool is refused, and a form's tool is chosen by its name alone.",
        "WebMCP, registerTool(): InvalidStateError for an empty description; measured on Chromium 156. White space and"
        " a form's empty `tooldescription` are accepted.",
        "Say what the tool does, what it returns, and when to use it.",
        fires=manifest(tool("find_products", " ")),
        silent=manifest(tool("find_products", _GOOD)),
        check=_missing,
    ),
    Rule(
        "descriptions/restates-name",
        Severity.WARNING,
        "A description that only says the name again gives a model nothing more to choose by.",
        "Measured: a vague description alone cost 1.7 points; beside a tool of like name it cost 46.7.",
        "Add what the name does not say.",
        fires=manifest(tool("find_products", "Find the product.")),
        silent=manifest(tool("find_products", _GOOD)),
        check=_restates_name,
    ),
    Rule(
        "descriptions/thin",
        Severity.WARNING,
        "Three content words or fewer: too little to tell the tool from one that is added later.",
        "Measured: thin descriptions under telling names were still chosen in 100 %, so this is never an error."
        " Counted by script: words in scripts with spaces, without function words; two Han characters, a run of"
        " katakana, or four Thai letters as one.",
        "Say what it does and returns, and when to use it.",
        fires=manifest(tool("checkInventory", "在庫確認")),
        silent=manifest(tool("checkInventory", "商品番号から店舗ごとの在庫数を調べて返します。購入前に使います。")),
        check=_thin,
    ),
    Rule(
        "descriptions/describes-a-parameter",
        Severity.WARNING,
        "The text of a parameter stands where the tool's belongs, so nothing says what the tool does.",
        "Seen twice in one public suite of a browser's vendor. English only: a text that begins with an article and"
        " names a parameter, and not what the tool does.",
        "Move it to the parameter.",
        fires=manifest(
            tool("checkResults", "The clinical name of the test, as printed.", {"testName": {"type": "string"}})
        ),
        silent=manifest(
            tool("checkResults", "Checks the results of a test by its name.", {"testName": {"type": "string"}})
        ),
        check=_describes_parameter,
    ),
    Rule(
        "descriptions/no-when",
        Severity.NOTE,
        "The description says what the tool does and not when it is the right one, and the page has a tool of like"
        " name.",
        "Chrome's guidance on evals: does the description say when? No cost was measured where descriptions were"
        " good. Cues are known for English, Japanese, Chinese, Korean, Russian, German, French, Spanish and"
        " Portuguese; in other languages the rule is silent, and where no other tool is near. One finding for a"
        " page.",
        "Add “Use when …”, and name the tool for the other case.",
        fires=manifest(
            tool("set_pizza_size", "Sets the size of the pizza to one of four."),
            tool("set_pizza_style", "Sets the colours of the pizza. Use when the user asks for another look."),
        ),
        silent=manifest(
            tool("set_pizza_size", "Sets the size. Use when the user says how many people eat."),
            tool("set_pizza_style", "Sets the colours of the pizza. Use when the user asks for another look."),
        ),
        check=_no_when,
    ),
    Rule(
        "descriptions/too-long",
        Severity.WARNING,
        "Some model APIs refuse the whole request when one description is over their limit.",
        "OpenAI's API: “string too long. Expected a string with maximum length 1024” for a function's description.",
        "Stay under 1,024 characters.",
        fires=manifest(tool("find_products", _GOOD * 12)),
        silent=manifest(tool("find_products", _GOOD * 10)),
        check=_too_long,
    ),
    Rule(
        "descriptions/placeholder",
        Severity.WARNING,
        "The text was meant to be replaced before the page went out.",
        "Good practice; no effect was measured.",
        "Write the description.",
        fires=manifest(tool("find_products", "TODO: describe")),
        silent=manifest(
            tool("add_todo", "Adds a todo item to the list, or a TODO of the code. Use when the user plans the day.")
        ),
        check=_placeholder,
    ),
    Rule(
        "descriptions/retired",
        Severity.WARNING,
        "A tool that says it is not to be used is still offered, paid for and sometimes chosen.",
        "Good practice; the degraded manifest that was measured has one.",
        "Do not register it.",
        fires=manifest(tool("find_products", "Old version. Do not use.")),
        silent=manifest(tool("find_products", f"{_GOOD} Do not use it for orders.")),
        check=_retired,
    ),
)
