"""What a command found, as plain values: every output is written from this and from nothing else."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from census.finding import Finding, Severity

RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
"""The worst first."""


@dataclass(frozen=True)
class Result:
    """A finding, where it is, and whether it was accepted beforehand."""

    finding: Finding
    line: int | None = None
    """Line of the file, from 1; None when the source is no file or the place in it is not known."""
    accepted: str | None = None
    """The reason given in the suppressions file; None when the finding counts."""


@dataclass(frozen=True)
class Subject:
    """One thing that was measured: a page, or one manifest of a file."""

    source: str
    """What a person calls it: the URL, the file, the file and the manifest in it."""
    file: str | None = None
    """The file it was read from; None for a page and for standard input."""
    tools: tuple[str, ...] = ()
    """Names of its tools, in order; a name in two frames is there twice."""
    results: tuple[Result, ...] = ()
    unanswered: str | None = None
    """Why it could not be measured, and what to do; None when it was."""
    part: str = "tool"
    """What a person calls each of `tools`: a suite of evals has its cases there."""
    whole: str = "page"
    """What a person calls what findings about none of them are about."""


@dataclass(frozen=True)
class RuleText:
    """What an output that carries rules says of one."""

    id: str
    severity: Severity
    summary: str
    """Why the rule is there, in a sentence or two."""
    help: str
    """What to change, and what the rule rests on."""


@dataclass(frozen=True)
class Report:
    """All that a command answers."""

    command: str
    subjects: tuple[Subject, ...]
    rules: tuple[RuleText, ...] = ()
    fail_on: Severity | None = Severity.ERROR
    """Findings at least as bad as this fail the build; None: none do."""
    notices: tuple[str, ...] = ()
    """What the user should know besides: suppressions that nothing used."""
    anchor: str | None = None
    """File of the user's repository that findings of a page are shown at, where an output needs a file."""
    details: Mapping[str, JsonValue] = field(default_factory=dict)
    """Further keys of the JSON output: the record of a page."""

    def results(self) -> Iterator[tuple[Subject, Result]]:
        """Every result with what it is of."""
        return ((subject, result) for subject in self.subjects for result in subject.results)

    def fails(self, result: Result) -> bool:
        """Whether a result is at or above the gate, and not accepted."""
        if result.accepted is not None or self.fail_on is None:
            return False
        return RANK[result.finding.severity] <= RANK[self.fail_on]

    def counts(self) -> Counter[Severity]:
        """How many findings count, by severity."""
        return Counter(result.finding.severity for _, result in self.results() if result.accepted is None)

    def accepted(self) -> int:
        """How many findings were accepted beforehand."""
        return sum(result.accepted is not None for _, result in self.results())

    @property
    def exit_code(self) -> int:
        """0 good, 1 a finding at or above the gate, 2 something could not be measured, which outranks 1."""
        if any(subject.unanswered for subject in self.subjects):
            return 2
        return 1 if any(self.fails(result) for _, result in self.results()) else 0


def ordered(results: tuple[Result, ...]) -> list[Result]:
    """Results with the worst first and accepted ones last; otherwise as they came."""
    return sorted(results, key=lambda result: (result.accepted is not None, RANK[result.finding.severity]))


def counts_text(report: Report) -> str:
    """Write the findings of a report in a phrase: `2 errors, 1 warning; 1 accepted; 1 not measured`.

    Where nothing was measured, it is not called free of findings.
    """
    counts = report.counts()
    unmeasured = sum(subject.unanswered is not None for subject in report.subjects)
    if unmeasured == len(report.subjects) > 0 and not any(True for _ in report.results()):
        return "could not measure"
    parts = [_number(counts[severity], severity.value) for severity in Severity if counts[severity]]
    text = ", ".join(parts) or "no findings"
    text = f"{text}; {report.accepted()} accepted" if report.accepted() else text
    return f"{text}; {unmeasured:,} not measured" if unmeasured else text


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
