"""The outcome of `eval` as JUnit XML: a suite for each file, a case for each case."""

from io import BytesIO

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from census.text import inert, rate_text
from measure.evals.outcome import CaseOutcome, Ending, Outcome, by_suite


def outcome_junit(outcome: Outcome) -> str:
    """Write the outcome as JUnit XML. A case that failed in a repeat fails; one that is missing is an error."""
    xml = JUnitXml(f"webmcp-census eval, {outcome.judge}")
    for source, cases in by_suite(outcome.cases).items():
        suite = TestSuite(inert(source))
        suite.add_testcases([_case(each) for each in cases])
        xml.append(suite)  # type: ignore[no-untyped-call]
    # As in `lint`: `update_statistics()` would write an attribute here that Jenkins's schema does not have.
    suites = list(xml)
    xml.tests = sum(suite.tests for suite in suites)
    xml.failures = sum(suite.failures for suite in suites)
    xml.errors = sum(suite.errors for suite in suites)
    file = BytesIO()
    xml.write(file)
    return file.getvalue().decode("utf-8") + "\n"


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
