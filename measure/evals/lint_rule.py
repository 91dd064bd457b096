"""The rules of `eval lint`: what can be wrong with a suite before any judge is asked."""

from typing import NamedTuple

from census.finding import Finding, Severity
from census.vocabulary import Word
from measure.evals.place_lines import PlaceLines
from measure.outputs.report import Result, RuleText


class SuiteRule(Word):
    """A rule, with what it is for."""

    UNKNOWN_TOOL = "evals/unknown-tool", "A case names a tool that is not in the list, so it can never be called."
    BAD_ARGUMENTS = "evals/arguments-do-not-fit", "The input schema refuses what is expected of an argument."
    UNKNOWN_ARGUMENT = "evals/unknown-argument", "The input schema does not have an argument that is expected."
    NEVER_HOLDS = "evals/never-holds", "An operator cannot hold of any value of the type that the schema gives."
    RELATIVE_DATE = "evals/relative-date", "A date that follows from the day of the run is expected as a fixed one."
    SAME_PROMPT = "evals/same-prompt", "Two cases ask the same and expect the same, so one counts twice."
    CONTRADICTION = "evals/contradiction", "Two cases ask the same and expect different calls; one of them must fail."
    CANNOT_PASS = "evals/cannot-pass", "What a case expects it also forbids, or allows too seldom."
    NOTHING_TO_TAKE = "evals/nothing-to-take", "A value is to be taken from a result that no mock gives."
    NO_NEGATIVE = (
        "evals/no-negative",
        "No case expects that nothing is called, so a judge that always calls looks good.",
    )
    UNTAGGED = "evals/untagged-request", "Direct and ambiguous requests cannot be scored apart where cases do not say."


_ERRORS = frozenset(
    [
        SuiteRule.UNKNOWN_TOOL,
        SuiteRule.BAD_ARGUMENTS,
        SuiteRule.NEVER_HOLDS,
        SuiteRule.CONTRADICTION,
        SuiteRule.CANNOT_PASS,
    ]
)


class SuiteHit(NamedTuple):
    """One thing that is wrong with a suite."""

    rule: SuiteRule
    case: str | None
    """The case's name; None when the suite as a whole is meant."""
    place: str
    """Where in the file, as a person writes it: `cases[3].expectedCall[0]`; empty for the suite."""
    message: str
    remedy: str

    @property
    def severity(self) -> Severity:
        """How bad it is: an error makes a case measure nothing."""
        if self.rule is SuiteRule.UNTAGGED:
            return Severity.NOTE
        return Severity.ERROR if self.rule in _ERRORS else Severity.WARNING

    def result(self, lines: PlaceLines) -> Result:
        """What the outputs take: a finding with the case in the place of a tool, its pointer and its line."""
        pointer, line = lines.find(self.place)
        finding = Finding(
            rule=self.rule.value,
            severity=self.severity,
            tool=self.case,
            pointer=pointer,
            message=f"{self.message} ({self.place})" if self.place else self.message,
            remedy=self.remedy,
        )
        return Result(finding, line)


def rule_texts() -> tuple[RuleText, ...]:
    """What the outputs say of each rule."""
    return tuple(
        RuleText(rule.value, SuiteHit(rule, None, "", "", "").severity, rule.meaning, rule.meaning)
        for rule in SuiteRule
    )
