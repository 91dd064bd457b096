"""The files of a report in a folder: for programs, for people, for a build service, for a README."""

import re
from collections.abc import Iterator
from pathlib import Path

from census.badge_picture import badge_svg
from census.errors import CensusError
from measure.rate_report.badge import badge, badge_json
from measure.rate_report.figures import draw_figures
from measure.rate_report.junit import rates_junit
from measure.rate_report.markdown import report_markdown
from measure.rate_report.report import RateReport

REPORT_JSON, REPORT_PAGE, SUMMARY_PAGE, JUNIT = "report.json", "report.md", "summary.md", "junit.xml"
_BADGE = re.compile(r"badge(-\d+)?\.(json|svg)")


def write_report(report: RateReport, folder: Path) -> list[Path]:
    """Write the report's files into a folder, in place of an earlier report's; returns what was written.

    An incomplete run has no badge, and one of an earlier report is taken away: it would say what no longer is so.
    Raises CensusError when the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            if _BADGE.fullmatch(old.name):
                old.unlink()
        draw_figures(report, folder)
        written = []
        for name, text in _texts(report):
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
            written.append(folder / name)
    except OSError as error:
        raise CensusError(f"{folder} cannot be written: {error.strerror}; name another folder with --out") from error
    return written


def _texts(report: RateReport) -> Iterator[tuple[str, str]]:
    yield REPORT_JSON, report_json(report)
    yield REPORT_PAGE, report_markdown(report)
    # For a place that shows no pictures of ours: a build's summary, a comment.
    yield SUMMARY_PAGE, report_markdown(report, figures=False)
    yield JUNIT, rates_junit(report)
    if report.complete:
        for number, page in enumerate(report.pages, 1):
            if page.statistics is not None:
                # A run of one page has one badge, and a README may name it without a number.
                stem = "badge" if len(report.pages) == 1 else f"badge-{number}"
                content = badge(report, page)
                yield f"{stem}.json", badge_json(content)
                yield f"{stem}.svg", badge_svg(content)


def report_json(report: RateReport) -> str:
    """The report as `report.json` has it: ASCII, so that whatever a page says survives any pipe."""
    return report.model_dump_json(indent=1, ensure_ascii=True) + "\n"
