"""Lint over a RUN: every captured page, the findings kept in the RUN for `build`."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.resources import files

from rich.console import Console
from rich.table import Table
from rich.text import Text

from census.finding import Finding, Severity
from census.findings import LintStamp, write_findings
from census.run import Run
from census.visit import Visit
from census.vocabulary import Outcome
from measure.lint.registry import RULES
from measure.lint.visit_manifest import manifest_of_visit
from measure.linted import subject_of
from measure.outputs.report import RANK, Report, Subject
from measure.outputs.terminal import STYLES
from measure.suppressions import Suppressions

Watch = Callable[[Iterator[Visit], int], Iterable[Visit]]
"""Passes visits on and may show how many of how many there were."""


@dataclass
class RunTally:
    """How often each rule fired in a RUN."""

    pages: int = 0
    """Captured pages, all linted."""
    findings: Counter[str] = field(default_factory=Counter)
    on_pages: Counter[str] = field(default_factory=Counter)

    def add(self, findings: Iterable[Finding]) -> None:
        """Count the findings of one page."""
        rules = Counter(finding.rule for finding in findings)
        self.pages += 1
        self.findings += rules
        self.on_pages.update(rules.keys())


def rules_digest() -> str:
    """The SHA-256 of the rules' own code: findings of two digests are not of one kind."""
    digest = hashlib.sha256()
    for each in sorted(files("measure.lint").iterdir(), key=lambda file: file.name):
        if each.is_file() and not each.name.endswith(".pyc"):
            digest.update(each.name.encode() + b"\0" + each.read_bytes() + b"\0")
    return digest.hexdigest()


def lint_run(run: Run, keep: Callable[[Subject], None], watch: Watch) -> tuple[RunTally, LintStamp]:
    """Lint every captured page of a RUN and write the findings into it.

    Suppressions have no say here: a release tells what is there. Raises CensusError as `write_findings` does.
    """
    tally = RunTally()

    def found() -> Iterator[tuple[str, tuple[Finding, ...]]]:
        for visit in watch(run.final_visits(), run.targets() - run.unfinished()):
            if visit.outcome is not Outcome.CAPTURED:
                continue
            subject = subject_of(manifest_of_visit(visit), Suppressions())
            keep(subject)
            findings = tuple(result.finding for result in subject.results)
            tally.add(findings)
            yield visit.visit_id, findings

    stamp = write_findings(
        run,
        found(),
        code_version=version("webmcp-census"),
        rules_sha256=rules_digest(),
        rules=(rule.id for rule in RULES),
    )
    return tally, stamp


def show_tally(tally: RunTally, report: Report, console: Console) -> None:
    """Print which rule fires on how many of a RUN's pages, the worst and commonest first."""
    severity = {rule.id: rule.severity for rule in RULES}
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Rule", "Severity"):
        table.add_column(heading)
    for heading in ("Pages", "Findings"):
        table.add_column(heading, justify="right")

    def worst(rule: str) -> tuple[int, int, str]:
        return RANK[severity.get(rule, Severity.NOTE)], -tally.on_pages[rule], rule

    for rule in sorted(tally.findings, key=worst):
        level = severity.get(rule, Severity.NOTE)
        style = STYLES[level]
        table.add_row(rule, Text(level.value, style), f"{tally.on_pages[rule]:,}", f"{tally.findings[rule]:,}")
    if tally.findings:
        console.print(table)
        console.print()
    console.print(f"{tally.findings.total():,} findings on {tally.pages:,} captured pages")
    for notice in report.notices:
        console.print(Text(notice))
