import re
from pathlib import Path

import pytest

from census.errors import CensusError
from census.finding import Severity
from measure.lint.linting import lint
from measure.lint.manifest import Manifest, ManifestTool
from measure.lint.registry import RULES
from measure.lint.rules_page import explain, rules_page

FAMILIES = {"names", "descriptions", "schemas", "annotations", "page", "budget"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_fires_on_its_firing_example(rule):
    found = [finding for finding in lint(rule.fires) if finding.rule == rule.id]
    assert found
    for finding in found:
        assert finding.severity is rule.severity
        assert finding.message.endswith(".")
        assert len(finding.remedy) > 10


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_rule_fires_on_its_silent_example(rule):
    assert [finding.message for finding in lint(rule.silent) if finding.rule == rule.id] == []


def test_ids_are_families_and_names_each_once():
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids)) >= 30
    assert all(re.fullmatch(r"[a-z]+/[a-z0-9-]+", rule_id) for rule_id in ids)
    assert {rule.family for rule in RULES} == FAMILIES


def test_every_rule_says_why_from_where_and_what_to_do():
    for rule in RULES:
        assert rule.reason.endswith(".")
        assert rule.source.endswith(".")
        assert rule.remedy.endswith(".")


def test_the_page_in_the_docs_is_the_one_that_the_rules_give():
    assert Path("docs/rules.md").read_text() == rules_page()


def test_a_rule_is_explained_with_its_examples():
    text = explain("schemas/untyped")
    assert text.startswith("schemas/untyped (warning)\n")
    assert '"category": {"description": "A category."}' in text
    assert '"category": {"enum": ["shoes", "hats"]}' in text


def test_a_rule_that_is_not_there_names_near_ones():
    with pytest.raises(CensusError, match=r"schemas/untyped"):
        explain("typing/untyped")


@pytest.mark.parametrize(
    "slip", ["descriptions/thn", "Descriptions/Thin", "descriptions.thin", "descriptions/thin ", "thin"]
)
def test_a_slip_in_a_rules_id_is_understood(slip):
    with pytest.raises(CensusError, match=r"did you mean (.* or )?descriptions/thin\b"):
        explain(slip)


def test_errors_come_first_then_the_page_then_the_tools_in_order():
    findings = lint(
        Manifest(
            "mixed",
            (
                ManifestTool("find_products", "Find products.", input_schema={"properties": {}}),
                ManifestTool("a b", "Adds one product to the cart of the user."),
            ),
        )
    )
    order = [Severity.ERROR, Severity.WARNING, Severity.NOTE]
    assert [order.index(finding.severity) for finding in findings] == sorted(
        order.index(finding.severity) for finding in findings
    )
    assert findings[0].rule == "names/invalid"
    assert findings[0].pointer == "/1/name"
    warnings = [finding.tool for finding in findings if finding.severity is Severity.WARNING]
    assert warnings == ["find_products", "find_products"]
    page_notes = [finding for finding in findings if finding.severity is Severity.NOTE and finding.tool is None]
    assert page_notes
    assert page_notes[0].pointer == ""
