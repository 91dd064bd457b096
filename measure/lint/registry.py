"""All rules, in the order of their families."""

from difflib import get_close_matches

from census.errors import CensusError
from measure.lint import (
    annotations,
    budget,
    descriptions,
    hidden_text,
    instructions,
    listing_rules,
    names,
    page_access,
    page_api,
    page_timing,
    pair_rules,
    parameters,
    patterns,
    schema_keywords,
    schema_shape,
    schema_validity,
    values,
)
from measure.lint.rule import Rule

RULES: tuple[Rule, ...] = (
    *names.RULES,
    *descriptions.RULES,
    *pair_rules.RULES,
    *instructions.RULES,
    *hidden_text.RULES,
    *schema_shape.RULES,
    *schema_validity.RULES,
    *schema_keywords.RULES,
    *parameters.RULES,
    *values.RULES,
    *patterns.RULES,
    *annotations.RULES,
    *page_access.RULES,
    *page_api.RULES,
    *listing_rules.RULES,
    *page_timing.RULES,
    *budget.RULES,
)


def rule_named(rule_id: str) -> Rule:
    """The rule of an id; CensusError, with near ids, when there is none."""
    for rule in RULES:
        if rule.id == rule_id:
            return rule
    part = rule_id.rpartition("/")[2]
    near = [rule.id for rule in RULES if part and (part in rule.id or rule.family == rule_id)]
    # Not from the id alone: a slip in the second part is nearer to a rule's name than to its whole id.
    near = near or get_close_matches(rule_id.strip().lower(), [rule.id for rule in RULES], 3)
    hint = f"did you mean {' or '.join(near[:5])}?" if near else "docs/rules.md lists them"
    raise CensusError(f"there is no rule {rule_id!r}; {hint}")
