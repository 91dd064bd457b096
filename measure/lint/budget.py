"""Rules on what a manifest costs: every tool is in every request that an agent makes for the page."""

from collections.abc import Iterator

from census.finding import Severity
from measure.lint.analysis import Analysis
from measure.lint.examples import manifest, tool
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.text import listed, quoted

_MANY = 20
_API_LIMIT = 128
_PAGE_TOKENS = 8_000
_TOOL_TOKENS = 1_000
_ENUM = 100


def _count(analysis: Analysis) -> int:
    dropped = analysis.page.tools_dropped if analysis.page else 0
    return len(analysis.offered) + dropped


def _many(analysis: Analysis) -> Iterator[Hit]:
    count = _count(analysis)
    if _MANY < count <= _API_LIMIT:
        yield Hit(
            None,
            (),
            f"The page offers {count} tools at once; the more there are, the more often a model picks another one.",
            "Register what the page's state calls for (no checkout before there is a cart), and abort the signals of"
            " the rest.",
        )


def _over_limit(analysis: Analysis) -> Iterator[Hit]:
    count = _count(analysis)
    if count > _API_LIMIT:
        yield Hit(
            None,
            (),
            f"The page offers {count:,} tools; OpenAI's API refuses a request with more than {_API_LIMIT}.",
            f"Offer at most {_API_LIMIT} at a time: one tool with a parameter instead of one for each item, and only"
            " those that the page's state calls for.",
        )


def _page_tokens(analysis: Analysis) -> Iterator[Hit]:
    costs = [(each.tokens, each) for each in analysis.offered]
    total = sum(cost for cost, _ in costs)
    if total > _PAGE_TOKENS:
        costs.sort(key=lambda pair: (-pair[0], pair[1].index))
        names = listed([each.name for _, each in costs[:3]])
        yield Hit(
            None,
            (),
            f"The tools take some {total:,} tokens of every request (o200k_base).",
            f"Shorten the dearest first: {names} take {sum(cost for cost, _ in costs[:3]):,}.",
        )


def _tool_tokens(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        cost = each.tokens
        if cost > _TOOL_TOKENS:
            yield Hit(
                each.index,
                (),
                f"{quoted(each.name)} alone takes some {cost:,} tokens of every request (o200k_base).",
                "Cut long lists of values and examples; let another tool return what is only sometimes needed.",
            )


def _large_enum(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        for place in each.places:
            values = place.fields.get("enum")
            if isinstance(values, list) and len(values) > _ENUM:
                yield Hit(
                    each.index,
                    (*place.path, "enum"),
                    f"{quoted(place.name or each.name)} of {quoted(each.name)} lists {len(values):,} values.",
                    "Take text and look the value up, or offer a tool that searches the values.",
                )


_TEXT = "Finds products by words and price. Use when the user looks for something to buy."


def _tools(number: int, text: str = _TEXT) -> Manifest:
    return manifest(*(tool(f"find_{word}", f"{word} {text}") for word in map(str, range(number))))


def _enum(number: int) -> Manifest:
    values = [f"value {each}" for each in range(number)]
    return manifest(tool("find_products", _TEXT, {"kind": {"type": "string", "enum": values}}))


RULES = (
    Rule(
        "budget/many-tools",
        Severity.WARNING,
        "Choosing among many tools is harder, and all are paid for in every request.",
        "OpenAI's guide to function calling: aim for fewer than 20. The median page with tools has 7, the largest known"
        " 154. No effect of the number alone was measured.",
        "Register what the page's state calls for.",
        fires=_tools(21),
        silent=_tools(20),
        check=_many,
    ),
    Rule(
        "budget/over-api-limit",
        Severity.ERROR,
        "A request with all the tools is refused as a whole.",
        "OpenAI's API: “array too long. Expected an array with maximum length 128” for `tools`.",
        "Offer at most 128 at a time.",
        fires=_tools(129),
        silent=_tools(128),
        check=_over_limit,
    ),
    Rule(
        "budget/page-tokens",
        Severity.WARNING,
        "The tools take room from the conversation, and their price is due with every request.",
        "Counted with o200k_base over name, description and input schema. 8,000 is a sixteenth of a context of 128,000"
        " tokens; no effect on choice was measured.",
        "Shorten the dearest tools.",
        fires=_tools(100, _TEXT * 6),
        silent=_tools(100),
        check=_page_tokens,
    ),
    Rule(
        "budget/tool-tokens",
        Severity.NOTE,
        "One tool takes as much as a dozen ordinary ones.",
        "Counted with o200k_base; tools of the public suites take 40 to 600.",
        "Cut lists of values and examples.",
        fires=_tools(1, _TEXT * 70),
        silent=_tools(1, _TEXT * 10),
        check=_tool_tokens,
    ),
    Rule(
        "budget/large-enum",
        Severity.NOTE,
        "A list that long belongs into a search and not into every request.",
        "OpenAI's API bounds the values of a strict schema; good practice otherwise.",
        "Take text and look the value up.",
        fires=_enum(101),
        silent=_enum(100),
        check=_large_enum,
    ),
)
