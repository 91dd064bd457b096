"""Thresholds on rates: which tools and which controls are beyond them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from census.errors import CensusError
from census.interval import Proportion
from census.text import rate_text
from measure.rate_report.report import Breach, Gate, PageReport, RateReport

_NAMED = re.compile(r"(?P<tool>[A-Za-z0-9_.-]{1,128})=(?P<share>.+)", re.DOTALL)


@dataclass(frozen=True)
class Thresholds:
    """What fails a build: rates of tools under a share, false positives of any kind of control over one."""

    fail_under: float | None = None
    tools: Mapping[str, float] = field(default_factory=dict)
    """Thresholds of single tools, in place of the general one."""
    fail_controls_over: float | None = None

    def refuse_unknown(self, measured: Iterable[str]) -> None:
        """Raise CensusError for a threshold of a tool that is not measured."""
        known = sorted(set(measured))
        for name in self.tools:
            if name not in known:
                listed = ", ".join(known) or "none"
                raise CensusError(f"--fail-under {name}=…: no tool of this name is measured; measured are: {listed}")


def thresholds_of(fail_under: Sequence[str], fail_controls_over: float | None) -> Thresholds:
    """Read `--fail-under SHARE` and `--fail-under TOOL=SHARE`. Raises CensusError for what is neither."""
    general: float | None = None
    tools: dict[str, float] = {}
    for text in fail_under:
        named = _NAMED.fullmatch(text)
        share = _share(named["share"] if named else text, text)
        if named:
            tools[named["tool"]] = share
        elif general is not None:
            raise CensusError(f"--fail-under is given twice for all tools ({general:g} and {text}); keep one")
        else:
            general = share
    return Thresholds(general, tools, fail_controls_over)


def _share(text: str, given: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise CensusError(f"--fail-under {given!r}: give a share from 0 to 1, such as 0.8, or TOOL=0.8")
    return share


def gated(report: RateReport, thresholds: Thresholds) -> RateReport:
    """Hold a report against thresholds: the point rate counts, and the interval is said beside it.

    20 of 20 has a lower bound of 83.9 %, so a bound would fail a tool that never failed. An incomplete run has no
    breach, because it has no rate. Raises CensusError for a threshold of a tool that the run does not measure.
    """
    thresholds.refuse_unknown(tool.tool for page in report.pages for tool in page.tools)
    gate = Gate(
        fail_under=thresholds.fail_under,
        fail_under_tools=dict(sorted(thresholds.tools.items())),
        fail_controls_over=thresholds.fail_controls_over,
        breaches=tuple(each for page in report.pages for each in _breaches(page, thresholds)),
    )
    return report.model_copy(update={"gate": gate})


def breach_text(report: RateReport, breach: Breach) -> str:
    """What a breach is, with its page and variant where the run has several."""
    if len(report.pages) == 1:
        return breach.message
    place = f"{breach.page} ({breach.variant})" if breach.variant else breach.page
    return f"{place}: {breach.message}"


def _breaches(page: PageReport, thresholds: Thresholds) -> Iterator[Breach]:
    for tool in page.tools:
        least = thresholds.tools.get(tool.tool, thresholds.fail_under)
        rate = tool.statistics.rate if tool.statistics else None
        if least is not None and rate is not None and _point(rate, 0.0) < least:
            yield Breach(
                page=page.page, variant=page.variant, about="tool", name=tool.tool, measured=rate, threshold=least,
                message=f"{tool.tool}: invoked in {rate_text(rate)}, under {100 * least:g} %",
            )  # fmt: skip
    most = thresholds.fail_controls_over
    for control in page.controls:
        rate = control.false_positives
        if most is not None and rate is not None and _point(rate, 1.0) > most:
            yield Breach(
                page=page.page, variant=page.variant, about="control", name=control.kind, measured=rate, threshold=most,
                message=f"{control.kind} controls: answered with a call in {rate_text(rate)}, over {100 * most:g} %",
            )  # fmt: skip


def _point(rate: Proportion, without: float) -> float:
    """The share; where there is nothing to count, the one that fails: a gate does not pass unmeasured."""
    return rate.k / rate.n if rate.n else without
