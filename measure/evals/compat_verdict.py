"""What the public runner's rows come to for a case, in the words of our own verdicts."""

from collections.abc import Sequence

from census.errors import CensusError
from measure.evals.case import Case
from measure.evals.compat import compat_rows, unknown_to_compat
from measure.evals.json_values import shown
from measure.evals.made import MadeCall
from measure.evals.plan import ABSENT
from measure.evals.verdict import Constraint, Verdict, Violation


def match_compat(case: Case, made: Sequence[MadeCall]) -> Verdict:
    """Hold the calls of one run against a case as the public runner does; the case passed when each of its rows did.

    Raises CensusError for a case with something that runner does not know, and GaveUpError where it gives up.
    """
    rows = compat_rows(case.plan, made)
    return Verdict(
        tuple(
            Violation(*_said(row.planned.name if row.planned else None, made, row.made),
                      planned=row.planned.place if row.planned else None,
                      made=None if row.made is None else row.made + 1)
            for row in rows
            if not row.passed
        ),
        aligned={
            row.planned.place: row.made + 1 for row in rows if row.planned and row.made is not None and row.passed
        },
        unchecked=sum(
            row.planned is not None
            and row.planned.result is not ABSENT
            and row.made is not None
            and row.passed
            and not made[row.made].result_known
            for row in rows
        ),
    )  # fmt: skip


def check_compat(cases: Sequence[Case], source: str) -> None:
    """Raise CensusError when the public runner does not know something that a case is judged by."""
    for case in cases:
        for place in unknown_to_compat(case):
            raise CensusError(
                f"{source}: {place}: the public runner does not have this, so it cannot be judged as that runner does;"
                " use --matcher default"
            )


def _said(planned: str | None, made: Sequence[MadeCall], index: int | None) -> tuple[Constraint, str]:
    got = "no further call was made" if index is None else f"call {index + 1} is {_call(made[index])}"
    wanted = "no further call" if planned is None else f"{planned!r}"
    return Constraint.POSITION, f"{got}, where {wanted} is expected"


def _call(call: MadeCall) -> str:
    return f"{call.name}({shown(call.arguments)})"
