"""Findings of a RUN, in RUN/findings.jsonl: what lint said of each visit, and which visits and rules it was."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from census.atomic import drafted
from census.errors import CensusError
from census.finding import Finding
from census.run import Run

FINDINGS = "findings.jsonl"

ByVisit = Mapping[str, tuple[Finding, ...]]
"""The findings of each linted visit, by its id; a visit without findings is there too, an unlinted one is not."""


class LintStamp(BaseModel):
    """What the findings were made from; the last line of the file, so that a file without it is not whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    visits_sha256: str
    """Digest of the final visits of the RUN when it was linted: other visits make the findings stale."""
    visits: int
    """Visits that were linted: those that captured a page."""
    findings: int
    code_version: str
    rules_sha256: str
    """Digest of the rules' code: findings of two digests are not of one kind."""
    rules: tuple[str, ...]
    """Ids of the rules that were run; a rule that never fires is here all the same."""


class _VisitFindings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    visit_id: str
    findings: tuple[Finding, ...]


class RunFindings(NamedTuple):
    """The findings of one RUN, or of several that were linted by the same rules."""

    stamp: LintStamp
    by_visit: ByVisit


def visits_digest(run: Run) -> str:
    """The SHA-256 over the ids and evidence digests of a RUN's final visits, in the order of the targets."""
    lines = (f"{visit_id} {evidence}\n" for visit_id, evidence in run.final_evidence())
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
    return digest.hexdigest()


def write_findings(
    run: Run,
    found: Iterable[tuple[str, tuple[Finding, ...]]],
    *,
    code_version: str,
    rules_sha256: str,
    rules: Iterable[str],
) -> LintStamp:
    """Write the findings of a RUN's linted visits, whole or not at all, in place of earlier ones.

    Raises CensusError when the RUN's visits change meanwhile, and when the file cannot be written.
    """
    digest = visits_digest(run)
    path = run.folder / FINDINGS
    visits = findings = 0
    try:
        with drafted(path) as file:
            for visit_id, of_visit in found:
                row = _VisitFindings(visit_id=visit_id, findings=of_visit)
                file.write(row.model_dump_json() + "\n")
                visits += 1
                findings += len(of_visit)
            stamp = LintStamp(
                visits_sha256=digest,
                visits=visits,
                findings=findings,
                code_version=code_version,
                rules_sha256=rules_sha256,
                rules=tuple(rules),
            )
            file.write(stamp.model_dump_json() + "\n")
            if visits_digest(run) != digest:
                raise CensusError(
                    f"{run.folder} got further visits while it was linted; lint it again when its crawl rests"
                )
    except OSError as error:
        raise CensusError(f"{path} cannot be written: {error.strerror}; free the place and lint again") from error
    return stamp


def read_findings(run: Run) -> RunFindings | None:
    """Read the findings of a RUN; None when it was never linted.

    Raises CensusError when the file is damaged, or when the RUN has other visits than were linted.
    """
    path = run.folder / FINDINGS
    again = f"run `webmcp-census lint {run.folder}` again, or delete the file to build without findings"
    try:
        # Not splitlines(): a page's words may hold other line ends than ours.
        *lines, last = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        stamp = LintStamp.model_validate_json(last)
        rows = [_VisitFindings.model_validate_json(line) for line in lines]
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise CensusError(f"{path} is damaged or not whole ({type(error).__name__}); {again}") from error
    by_visit = {row.visit_id: row.findings for row in rows}
    if len(by_visit) != stamp.visits or sum(map(len, by_visit.values())) != stamp.findings:
        raise CensusError(f"{path} is not whole: it says {stamp.visits} visits and holds {len(by_visit)}; {again}")
    if stamp.visits_sha256 != visits_digest(run):
        raise CensusError(f"{path} is stale: {run.folder} has got other visits since it was linted; {again}")
    return RunFindings(stamp, by_visit)


def findings_of(runs: Iterable[Run]) -> RunFindings | None:
    """Read the findings of several RUNs as one; None when none of them was linted.

    Raises CensusError when only some were, when the rules differ, and as `read_findings` does.
    """
    read = [(run, read_findings(run)) for run in runs]
    linted = [(run, found) for run, found in read if found is not None]
    if not linted:
        return None
    for run, found in read:
        if found is None:
            raise CensusError(
                f"{run.folder} was never linted and {linted[0][0].folder} was;"
                f" run `webmcp-census lint {run.folder}` first, so that rates are over all pages"
            )
    (first_run, first), *others = linted
    for run, other in others:
        if (other.stamp.rules_sha256, other.stamp.rules) != (first.stamp.rules_sha256, first.stamp.rules):
            raise CensusError(
                f"{run.folder} and {first_run.folder} were linted by different rules;"
                " run `webmcp-census lint` on both with one version"
            )
    together = {visit_id: rows for _, found in linted for visit_id, rows in found.by_visit.items()}
    stamp = first.stamp.model_copy(
        update={
            "visits_sha256": _joined(found.stamp.visits_sha256 for _, found in linted),
            "visits": len(together),
            "findings": sum(map(len, together.values())),
        }
    )
    return RunFindings(stamp, together)


def _joined(digests: Iterable[str]) -> str:
    known = list(digests)
    return known[0] if len(known) == 1 else hashlib.sha256("\n".join(known).encode()).hexdigest()


def finding_rows(visit_id: str, findings: Iterable[Finding]) -> Iterable[dict[str, object]]:
    """Rows of the table `findings`, in lint's own order."""
    return ({"visit_id": visit_id, **finding.model_dump(mode="json")} for finding in findings)
