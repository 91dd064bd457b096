"""The outcome of `eval` as JUnit XML: a suite for each file, a case for each case."""

from junitparser import Error, Failure, TestCase

from census.text import inert, rate_text
from measure.evals.outcome import CaseOutcome, Ending, Outcome, by_suite
from measure.outputs.junit_xml import junit_xml


def outcome_junit(outcome: Outcome) -> str:
    """Write the outcome as JUnit XML. A case that failed in a repeat fails; one that is missing is an error."""
    suites = ((source, map(_case, cases)) for source, cases in by_suite(outcome.cases).items())
    return junit_xml(f"webmcp-census eval, {outcome.judge}", suites)


def _case(outcome: CaseOutcome) -> TestCase:
    case = TestCase(inert(outcome.case.name), inert(f"{outcome.suite}: {outcome.case.place}"))
    if outcome.ending is Ending.MISSING:
        first = next(repeat for repeat in outcome.repeats if repeat.ending is Ending.MISSING)
        case.result = [Error(inert(first.message or ""), f"missing: {first.cause}")]
    elif outcome.ending is Ending.FAILED:
        violations = [
            each for repeat in outcome.repeats if repeat.verdict is not None for each in repeat.verdict.violations
        ]
        failure = Failure(inert(violations[0].message), violations[0].constraint.value)
        failure.text = "\n".join(inert(f"{each.constraint.value}: {each.message}") for each in violations)
        case.result = [failure]
    if len(outcome.repeats) > 1:
        case.system_out = rate_text(outcome.passes())
    return case
