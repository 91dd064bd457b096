"""The rules for people: `docs/rules.md`, and what `lint --explain RULE` prints."""

import json
from typing import Any

from measure.lint.analysis import Analysis
from measure.lint.manifest import Manifest
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
_LONG = 1_200


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
        "An *error* breaks a tool or the choice of it, a *warning* costs calls, a *note* is worth knowing. Every rule"
        " has an example that fires and one that does not; the tests run both. Where a threshold was measured, the"
        " source says how; where nothing was measured, it says that.",
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
            f"**Source.** {rule.source}",
            f"**Remedy.** {rule.remedy} For the example: {_inert(found.remedy)}",
            f"Fires: {_inert(found.message)}",
            f"```json\n{_example(rule.fires)}\n```",
            "Silent:",
            f"```json\n{_example(rule.silent)}\n```",
        ]
    )


def _inert(text: str) -> str:
    return well_formed(text)


def _example(manifest: Manifest) -> str:
    tools = [_written(each) for each in manifest.tools]
    value: Any = tools
    if manifest.page is not None:
        value = {"page": _page(manifest), "tools": tools} if tools else {"page": _page(manifest)}
    text = json.dumps(value, indent=1, default=str)
    return text if len(text) <= _LONG else text[:_LONG] + "\n…"


def _written(tool: Any) -> dict[str, Any]:
    shown = {
        "name": tool.name,
        "title": tool.title or None,
        "description": tool.description,
        "inputSchema": tool.input_schema,
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
