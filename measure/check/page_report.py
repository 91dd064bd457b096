"""The report of one visited page: lint's findings, what could not be answered, and remarks."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from census.visit import Visit
from measure.check.verdict import remarks, unanswered
from measure.gate import gate_of
from measure.lint.registry import RULES
from measure.lint.visit_manifest import manifest_of_visit
from measure.linted import rule_texts, subject_of
from measure.outputs.report import Report
from measure.suppressions import Suppressions

_NO_DETAILS: Mapping[str, JsonValue] = {}


def page_report(
    command: str,
    visit: Visit,
    options: Mapping[str, Any],
    details: Mapping[str, JsonValue] = _NO_DETAILS,
    notices: Sequence[str] = (),
) -> Report:
    """Make the report of a visit. `options` are those of `gate_options`."""
    suppressions = Suppressions.named_or_default(options["suppressions"], (rule.id for rule in RULES))
    subject = subject_of(
        manifest_of_visit(visit),
        suppressions,
        names=[url for url in (visit.target.url, visit.final_url) if url],
        unanswered=unanswered(visit, allow_empty=options["allow_empty"]),
    )
    return Report(
        command,
        (subject,),
        rule_texts(),
        fail_on=gate_of(options["fail_on"]),
        notices=(*remarks(visit), *notices, *suppressions.unused()),
        anchor=options["anchor"],
        details=details,
    )
