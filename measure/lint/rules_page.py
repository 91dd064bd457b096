"""The rules for people: `docs/rules.md`, and what `lint --explain RULE` prints."""

import json
import unicodedata
from typing import Any

from census.finding import Severity
from measure.lint.analysis import Analysis
from measure.lint.manifest import Manifest, ManifestTool
from measure.lint.registry import RULES, rule_named
from measure.lint.rule import Rule
from measure.lint.text import well_formed

_FAMILIES = {
    "names": "What browsers and model APIs refuse, and what a model confuses.",
    "descriptions": "Whether a model can tell from the text which tool is right, and whether the text is only that.",
    "schemas": "Whether a model can give right arguments, and whether the schema arrives at all.",
    "annotations": "Whether the hints say what the tool does.",
    "page": "What stands between the page's tools and an agent. These rules need a visit.",
    "budget": "What the tools cost in every request.",
}
_HOW = (
    "Every rule has an example that fires and one that does not; the tests run both. Where a threshold was measured,"
    " the source says how; where nothing was measured, it says that. In the examples an `inputSchema` without"
    " properties is left out."
)
_LONG = 600
"""Characters of an example's tool that are shown."""
_SHOWN = 4
"""Tools of an example that are shown."""
_NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}


def explain(rule_id: str) -> str:
    """One rule as plain text; CensusError when there is no such rule."""
    rule = rule_named(rule_id)
    found = next(iter(rule.check(Analysis(rule.fires))))
    return "\n".join(
        [
            f"{rule.id} ({rule.severity})",
            "",
            rule.reason,
            "",
            f"Source: {rule.source}",
            f"Remedy: {rule.remedy}",
            "",
            "Fires:",
            *_indented(_example(rule.fires)),
            f"  → {well_formed(found.message)}",
            f"  → {well_formed(found.remedy)}",
            "",
            "Silent:",
            *_indented(_example(rule.silent)),
        ]
    )


def rules_page() -> str:
    """`docs/rules.md` as Markdown."""
    parts = [
        "# What lint looks for",
        f"{len(RULES)} rules in {len(_FAMILIES)} families. Made from `measure/lint/` by `make docs`.",
        "\n".join(f"- *{severity}*: {severity.meaning}" for severity in Severity),
        _HOW,
    ]
    for family, about in _FAMILIES.items():
        parts += [f"## {family}", about, *(_section(rule) for rule in RULES if rule.family == family)]
    return "\n\n".join(parts) + "\n"


def _section(rule: Rule) -> str:
    found = next(iter(rule.check(Analysis(rule.fires))))
    return "\n\n".join(
        [
            f"### {rule.id}",
            f"*{rule.severity}.* {rule.reason}",
            f"*Source.* {rule.source}",
            f"*Remedy.* {rule.remedy}",
            f"Fires for:\n\n```\n{_example(rule.fires)}\n```",
            f"> {well_formed(found.message)} {well_formed(found.remedy)}",
            f"Silent for:\n\n```\n{_example(rule.silent)}\n```",
        ]
    )


def _example(manifest: Manifest) -> str:
    lines = [] if manifest.page is None else [f"page: {_shown(_page(manifest))}"]
    lines += [_shown(_written(each)) for each in manifest.tools[:_SHOWN]]
    more = len(manifest.tools) - _SHOWN
    return "\n".join([*lines, f"… and {more} more tools like these"] if more > 0 else lines)


def _shown(value: dict[str, Any]) -> str:
    # Characters that cannot be seen are spelled out: they are what some rules are about.
    text = json.dumps(value, default=str, ensure_ascii=False)
    spelled = "".join(f"⟨U+{ord(each):04X}⟩" if unicodedata.category(each) in ("Cf", "Cs") else each for each in text)
    return spelled if len(spelled) <= _LONG else f"{spelled[:_LONG]}…"


def _written(tool: ManifestTool) -> dict[str, Any]:
    schema = None if tool.input_schema == _NO_PARAMETERS else tool.input_schema
    shown = {
        "name": tool.name,
        "title": tool.title or None,
        "description": tool.description,
        "inputSchema": schema,
        "annotations": tool.annotations,
        "kind": tool.kind,
        "frame": tool.frame,
        "callable": None if tool.callable is True else tool.callable,
        "listing": tool.listing,
        "listing_cause": tool.listing_cause,
        "first_seen_ms": tool.first_seen_ms,
    }
    return {name: value for name, value in shown.items() if value is not None}


def _page(manifest: Manifest) -> dict[str, Any]:
    facts = manifest.page
    assert facts is not None
    names = (
        "url", "api", "error", "old_api", "polyfill", "tokens", "documents", "settled", "settle_ms", "views_stable",
        "navigated_during_read", "dialogs",
    )  # fmt: skip
    values = {name: getattr(facts, name) for name in names}
    return {name: value for name, value in values.items() if value not in (None, (), 0)}


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


if __name__ == "__main__":
    print(rules_page(), end="")  # noqa: T201 -- `make docs` redirects it
