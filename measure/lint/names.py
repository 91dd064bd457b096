"""Rules on names: what browsers and model APIs refuse, and what a model confuses."""

from collections import defaultdict
from collections.abc import Iterator

import regex

from census.finding import Severity
from census.vocabulary import Kind
from measure.lint.analysis import Analysis, ToolAnalysis
from measure.lint.examples import manifest, tool
from measure.lint.manifest import Manifest
from measure.lint.rule import Hit, Rule
from measure.lint.text import listed, quoted
from measure.lint.vocabulary import GENERIC

_VALID = regex.compile(r"[A-Za-z0-9_.-]{1,128}")
_BAD = regex.compile(r"[^A-Za-z0-9_.-]")
_MODEL_API = regex.compile(r"[A-Za-z0-9_-]{1,64}")
_CAMEL = regex.compile(r"[a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+")
_SNAKE = regex.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
_SERIES = 3
_NAME = ("name",)
_JOINING = frozenset("a an the of to for by and or it this that with from in on".split())
"""Words that a name can do without; `me` in `get_me` is its object."""


def _suggestion(name: str) -> str:
    cleaned = regex.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()[:64]
    return cleaned or "find_products"


def _invalid(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if _VALID.fullmatch(each.name):
            continue
        bad = _BAD.findall(each.name)
        why = (
            "is empty"
            if not each.name
            else f"has {listed(['space' if each == ' ' else each for each in sorted(set(bad))])}"
            if bad
            else f"has {len(each.name):,} characters"
        )
        fate = "gives the form no tool" if each.is_form else "rejects it with InvalidStateError"
        yield Hit(
            each.index,
            _NAME,
            f"The name {quoted(each.name)} {why}; Chromium 156 {fate}, and builds up to 153 list some such names.",
            f"Use 1 to 128 of the characters A-Z a-z 0-9 _ . -, for example `{_suggestion(each.name)}`.",
        )


def _model_api(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        if _VALID.fullmatch(each.name) and not _MODEL_API.fullmatch(each.name):
            why = "has a dot" if "." in each.name else f"has {len(each.name)} characters"
            yield Hit(
                each.index,
                _NAME,
                f"The name {quoted(each.name)} {why}; model APIs take up to 64 letters, digits, _ and -,"
                " so an agent has to rename the tool before a model sees it.",
                f"Rename it, for example to `{_suggestion(each.name)}`.",
            )


def _duplicate(analysis: Analysis) -> Iterator[Hit]:
    seen: dict[tuple[str | None, str], ToolAnalysis] = {}
    for each in analysis.offered:
        first = seen.setdefault((each.tool.frame, each.name), each)
        if first is not each and not (first.is_form or each.is_form):
            yield Hit(
                each.index,
                _NAME,
                f"{quoted(each.name)} is registered twice; Chromium refuses the second with InvalidStateError.",
                f"Give one of the two {quoted(each.name)} a name of its own, or register it once.",
            )


def _form_collision(analysis: Analysis) -> Iterator[Hit]:
    seen: dict[tuple[str | None, str], ToolAnalysis] = {}
    for each in analysis.offered:
        first = seen.setdefault((each.tool.frame, each.name), each)
        if first is not each and (first.is_form or each.is_form):
            both = "two forms" if first.is_form and each.is_form else "a form and a script"
            yield Hit(
                each.index,
                _NAME,
                f"{quoted(each.name)} is declared by {both}; the first wins, and two forms of one name crash"
                " Chromium 149 and 150.",
                f"Change the form's `toolname`, so that {quoted(each.name)} is declared once.",
            )


def _across_frames(analysis: Analysis) -> Iterator[Hit]:
    frames: dict[str, list[ToolAnalysis]] = defaultdict(list)
    for each in analysis.offered:
        if each.tool.frame is not None:
            frames[each.name].append(each)
    for name, same in frames.items():
        first = same[0]
        for each in same[1:]:
            if each.tool.frame != first.tool.frame:
                yield Hit(
                    each.index,
                    _NAME,
                    f"{quoted(name)} is a tool in {first.tool.frame} and in {each.tool.frame}; a model sees one name"
                    " twice and cannot say which it means.",
                    f"Say in each name what its frame is for, for example `{_suggestion(name)}_checkout`.",
                )


def _near_collision(analysis: Analysis) -> Iterator[Hit]:
    first: dict[str, ToolAnalysis] = {}
    for each in analysis.offered:
        key = regex.sub(r"[^\p{L}\p{N}]", "", each.name).lower()
        earlier = first.setdefault(key, each) if key else each
        if earlier.name != each.name:
            yield Hit(
                each.index,
                _NAME,
                f"{quoted(each.name)} and {quoted(earlier.name)} differ only in case and separators.",
                f"Remove one of the two, or name what {quoted(each.name)} does and {quoted(earlier.name)} does not.",
            )


def _generic(analysis: Analysis) -> Iterator[Hit]:
    for each in analysis.offered:
        telling = [word for word in each.name_words if not word.isnumeric() and word not in _JOINING]
        if telling and all(word in GENERIC for word in telling):
            yield Hit(
                each.index,
                _NAME,
                f"The name {quoted(each.name)} fits any tool: it says neither what is done nor to what.",
                "Name the action and its object as your users would, for example `search_flights` or `cancelBooking`.",
            )


def _mixed_style(analysis: Analysis) -> Iterator[Hit]:
    camel = [each.name for each in analysis.offered if _CAMEL.fullmatch(each.name)]
    snake = [each.name for each in analysis.offered if _SNAKE.fullmatch(each.name)]
    if camel and snake:
        fewer, style = (camel, "snake_case") if len(camel) <= len(snake) else (snake, "camelCase")
        yield Hit(
            None,
            (),
            f"The names mix camelCase ({listed(camel, 2)}) and snake_case ({listed(snake, 2)}).",
            f"Write all in {style}: rename {listed(fewer)}.",
        )


def _series(analysis: Analysis) -> Iterator[Hit]:
    series: dict[str, list[ToolAnalysis]] = defaultdict(list)
    for each in analysis.offered:
        base = regex.sub(r"\p{N}+", "#", each.name)
        if base != each.name:
            series[base].append(each)
    for same in series.values():
        if len(same) >= _SERIES:
            names = [each.name for each in same]
            yield Hit(
                same[0].index,
                _NAME,
                f"{len(same)} tools differ only in a number: {listed(names, 4)}.",
                f"Make them one tool with a parameter for what the number stands for, instead of {listed(names, 3)}.",
            )


_ADD = tool("add_to_cart", "Adds one product to the cart. Use when the user has chosen a size.")
_FIND = tool("find_products", "Finds products by words and price. Use before adding one to the cart.")


def _renamed(name: str) -> Manifest:
    return manifest(tool(name, "Adds one product to the cart. Use when the user has chosen a size."), _FIND)


RULES = (
    Rule(
        "names/invalid",
        Severity.ERROR,
        "The browser refuses the name, so the tool does not exist.",
        "WebMCP, registerTool(): 1 to 128 of A-Z a-z 0-9 _ . -; measured on Chromium 156, which also leaves out"
        " forms with such a `toolname`, 147 to 153 list them, Firefox 153 takes empty names.",
        "Use 1 to 128 of the permitted characters.",
        fires=_renamed("add to cart"),
        silent=_renamed("add.to-cart_2"),
        check=_invalid,
    ),
    Rule(
        "names/model-api",
        Severity.NOTE,
        "The name is good for the browser and not for the APIs of models, so every agent has to map it.",
        "Function names of the OpenAI and Anthropic APIs: letters, digits, _ and -, 64 at most in the stricter one.",
        "Use up to 64 letters, digits, _ and -.",
        fires=_renamed("cart.add"),
        silent=_renamed("cart_add"),
        check=_model_api,
    ),
    Rule(
        "names/duplicate",
        Severity.ERROR,
        "Two tools of one document cannot have one name; the second registration fails.",
        "WebMCP, registerTool(): InvalidStateError for a name in use; measured on Chromium 156.",
        "Give each tool a name of its own.",
        fires=manifest(_ADD, _ADD),
        silent=manifest(_ADD, _FIND),
        check=_duplicate,
    ),
    Rule(
        "names/form-collision",
        Severity.ERROR,
        "A form and a script, or two forms, claim one name: one of them is not there, and older builds crash.",
        "Measured: the first wins on Chromium 156; two forms with one `toolname` crash 149 and 150 at load.",
        "Change one `toolname`.",
        fires=manifest(_ADD, tool("add_to_cart", "Adds what the form says to the cart.", kind=Kind.FORM)),
        silent=manifest(_ADD, tool("add_by_form", "Adds what the form says to the cart.", kind=Kind.FORM)),
        check=_form_collision,
    ),
    Rule(
        "names/across-frames",
        Severity.WARNING,
        "The same name in two frames is two tools to the browser and one to a model.",
        "Measured on real pages: same-origin frames see each other's tools, five pages had one name twice.",
        "Say in each name what its frame is for.",
        fires=manifest(tool("search", "Finds dishes.", frame="top"), tool("search", "Finds tables.", frame="top.0")),
        silent=manifest(
            tool("find_dishes", "Finds dishes.", frame="top"), tool("find_tables", "Finds tables.", frame="top.0")
        ),
        check=_across_frames,
    ),
    Rule(
        "names/near-collision",
        Severity.WARNING,
        "Names that differ only in case or separators look like one tool to a model and to a reader.",
        "Names are compared exactly by the browser (WebMCP, registerTool()), so both are registered.",
        "Remove one, or name the difference.",
        fires=manifest(_ADD, tool("addToCart", "Puts many products into the cart at once.")),
        silent=manifest(_ADD, tool("addManyToCart", "Puts many products into the cart at once.")),
        check=_near_collision,
    ),
    Rule(
        "names/generic",
        Severity.WARNING,
        "A model reads the name first; one that fits any tool leaves the choice to the description alone.",
        "Chrome's guidance on evals: is the name intuitive? Measured: with a telling name, a vague description cost"
        " 1.7 points.",
        "Name the action and its object.",
        fires=_renamed("handle_data"),
        silent=_renamed("handle_refund"),
        check=_generic,
    ),
    Rule(
        "names/mixed-style",
        Severity.NOTE,
        "Models copy the pattern of the names they see; two patterns on one page invite a name that is not there.",
        "Good practice; no effect was measured.",
        "Use one style.",
        fires=manifest(_ADD, tool("findProducts", "Finds products by words and price.")),
        silent=manifest(_ADD, _FIND),
        check=_mixed_style,
    ),
    Rule(
        "names/numbered-series",
        Severity.NOTE,
        "Tools that differ only in a number are one tool with a parameter; each copy is paid for in every request.",
        "Good practice; no effect was measured.",
        "Make one tool with a parameter.",
        fires=manifest(*(tool(f"open_door_{each}", f"Opens door {each} of three.") for each in (1, 2, 3))),
        silent=manifest(*(tool(f"open_door_{each}", f"Opens door {each} of two.") for each in (1, 2))),
        check=_series,
    ),
)
