"""Whether a page works in a build, from what it uses and what the published matrix says; nothing else is claimed."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from census.vocabulary import Relation, Word
from measure.browsers.build import Build
from measure.compatibility.page_use import PageUse, ToolUse
from measure.compatibility.probing import CRASH, NOT_APPLICABLE
from measure.compatibility.published import PublishedMatrix

_OK = "ok"


class Support(Word):
    """What a build makes of a page."""

    WORKS = "works", "Of what the page is seen to use, nothing that the matrix asks about is missing there."
    MAY_WORK = "may_work", "Likewise, but what registers its tools, or that it has any, was not seen."
    PARTLY = "partly", "Some of its tools, or of the methods that its scripts call, are missing."
    SILENT = "silent", "None of its tools is there."
    CRASHES = "crashes", "The page takes the renderer down."


class Reason(NamedTuple):
    """One thing that the page uses and the build does not do."""

    text: str
    behaviour: str
    value: str
    """The cell that says so."""
    tools: tuple[str, ...]
    """The tools that are lost by it, as far as they are known."""


class BuildSupport(NamedTuple):
    """A page in a build."""

    build: Build
    support: Support
    reasons: tuple[Reason, ...]


class _Claim(NamedTuple):
    behaviour: str
    good: Callable[[str], bool]
    text: str
    tools: tuple[ToolUse, ...]
    whole: bool = False
    """Whether nothing of the page is left without it, also when no tool of it is known."""


def support(use: PageUse, matrix: PublishedMatrix, build: Build) -> BuildSupport:
    """What a build makes of a page that uses this. A cell that is not there, or not applicable, claims nothing."""
    failed = [
        (claim, value)
        for claim in _claims(use)
        if (value := matrix.value(claim.behaviour, build.label)) is not None
        and (value != NOT_APPLICABLE or claim.behaviour.startswith("contexts/"))
        and not claim.good(value)
    ]
    reasons = tuple(
        Reason(claim.text, claim.behaviour, value, tuple(tool.name for tool in claim.tools)) for claim, value in failed
    )
    if any(value == CRASH for _, value in failed):
        return BuildSupport(build, Support.CRASHES, reasons)
    lost = {id(tool) for claim, _ in failed for tool in claim.tools}
    if any(claim.whole for claim, _ in failed) or (use.tools and len(lost) == len(use.tools)):
        return BuildSupport(build, Support.SILENT, reasons)
    if reasons:
        return BuildSupport(build, Support.PARTLY, reasons)
    return BuildSupport(build, Support.WORKS if _seen(use) else Support.MAY_WORK, ())


def _seen(use: PageUse) -> bool:
    """Whether it was seen that there are tools, and which object the scripts register them with."""
    return bool(use.tools) and (use.through is not None or all(tool.form for tool in use.tools))


def _claims(use: PageUse) -> Iterator[_Claim]:
    scripts = tuple(tool for tool in use.tools if not tool.form)
    forms = tuple(tool for tool in use.tools if tool.form)
    if use.context:
        yield _Claim(use.context, _ok, "a page at such an address has no usable API", use.tools, True)
    if use.keyed_off:
        yield _Claim(
            "contexts/agent-cluster-off", _ok, "the header `Origin-Agent-Cluster: ?0` blocks it", use.tools, True
        )
    if use.through and (scripts or not use.tools):
        through = use.through
        alone = " or ".join(f"`{name}.modelContext`" for name in sorted(through))
        yield _Claim(
            "exposure/where",
            lambda value: bool(through.intersection(value.split(","))),
            f"its scripts use {alone}, which is not there",
            scripts,
            whole=not use.tools,
        )
    for method in sorted(use.old_methods):
        yield _Claim(
            "exposure/old-methods",
            lambda value, method=method: method in value.split(","),  # type: ignore[misc]
            f"its scripts call `{method}()`, which is not there",
            (),
        )
    if forms:
        yield _Claim("forms/listed", lambda value: value == "listed", "a form with `toolname` makes no tool", forms)
    for tool in use.tools:
        yield from _form_claims(tool) if tool.form else _script_claims(tool)
        yield from _frame_claims(tool)


def _ok(value: str) -> bool:
    return value == _OK


def _script_claims(tool: ToolUse) -> Iterator[_Claim]:
    for behaviour in _names(tool.name):
        yield _Claim(behaviour, _ok, "its name is refused", (tool,))
    if tool.description == "":
        yield _Claim("registration/empty-description", _ok, "an empty description is refused", (tool,))
    if tool.again:
        yield _Claim("registration/duplicate", _ok, "a name that is there already is refused", (tool,))
    sort = {str: "text", bool: "boolean", list: "array"}.get(type(tool.schema))
    if sort:
        yield _Claim(f"schemas/{sort}", _ok, "an inputSchema that is no object is refused", (tool,))


def _form_claims(tool: ToolUse) -> Iterator[_Claim]:
    def listed(value: str) -> bool:
        return value == "listed"

    if tool.name == "":
        yield _Claim("forms/empty-name", listed, "a form with an empty `toolname` makes no tool", (tool,))
    if " " in tool.name:
        yield _Claim("forms/bad-name", listed, "a form whose `toolname` has a space makes no tool", (tool,))
    if tool.description == "":
        yield _Claim("forms/empty-description", listed, "a form without a description makes no tool", (tool,))


def _names(name: str) -> Iterator[str]:
    """The behaviours that ask for such a name."""
    if name == "":
        yield "names/empty"
    if len(name) > 128:
        yield "names/too-long"
    for character, behaviour in ((" ", "space"), ("/", "slash"), (":", "colon")):
        if character in name:
            yield f"names/{behaviour}"
    beyond = [character for character in name if ord(character) > 127]
    if any(character.isalpha() for character in beyond):
        yield "names/letter-beyond-ascii"
    if any(ord(character) > 0xFFFF and not character.isalpha() for character in beyond):
        yield "names/emoji"


def _frame_claims(tool: ToolUse) -> Iterator[_Claim]:
    behaviours = {
        Relation.SAME_ORIGIN: "same-origin",
        Relation.SAME_SITE: "same-site-allowed" if tool.allowed else "same-site",
        Relation.CROSS_SITE: "cross-site-allowed" if tool.allowed else "cross-site",
        Relation.OPAQUE: "sandboxed-allowed" if tool.allowed else "sandboxed",
    }
    behaviour = behaviours.get(tool.relation)
    if behaviour:
        relation = tool.relation.value.replace("_", "-")
        text = f"a {relation} frame{' with `allow` for tools' if tool.allowed else ''} may not register"
        yield _Claim(f"frames_and_policy/{behaviour}", _ok, text, (tool,))
