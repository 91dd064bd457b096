"""What `crawl` answers when it ends."""

import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path

import click

from census.vocabulary import OURS
from crawler.crawl import CrawlResult
from crawler.target_list import TargetList


def answer(result: CrawlResult, *, listed: TargetList | None, out: Path | None, as_json: bool) -> int:
    """Print how far the crawl is, and return its exit code.

    0 when every target has its outcome and not all outcomes are failures of ours, or when a worker was told to end
    (`listed` is None for a worker), else 2.
    """
    if as_json:
        read = {"list": asdict(listed.counts)} if listed is not None else {}
        click.echo(json.dumps(read | {"interrupted": result.interrupted, **asdict(result.counts)}, indent=1))
    else:
        click.echo("\n".join(_lines(result, listed, out)))
    counts = result.counts
    ours = sum(counts.outcomes.get(outcome, 0) for outcome in OURS)
    if ours:
        click.echo(
            f"{ours} targets have an outcome that is ours, not the page's: see `outcome_detail`,"
            " and try `webmcp-census doctor`",
            err=True,
        )
    if listed is None and result.drained and not result.interrupted:
        return 0
    return 0 if counts.complete and (not ours or ours < counts.finished) else 2


def _lines(result: CrawlResult, listed: TargetList | None, out: Path | None) -> list[str]:
    counts = result.counts
    place = f", in {out}" if out is not None else ""
    lines = [f"{counts.finished} of {counts.targets} targets have their outcome{place}"]
    lines += [f"  {number:>7}  {outcome}" for outcome, number in sorted(counts.outcomes.items(), key=lambda i: -i[1])]
    read = asdict(listed.counts) if listed is not None else {}
    skipped = {name: number for name, number in read.items() if name != "targets" and number}
    if skipped:
        lines.append("not visited: " + ", ".join(f"{number} {name}" for name, number in skipped.items()))
    if counts.observations:
        lines.append(f"{counts.observations_finished} of {counts.observations} further observations are made")
    if counts.complete:
        lines.append(f"next: webmcp-census build {out} --out RELEASE" if out else "next: webmcp-census crawl collect")
    else:
        why = "interrupted; " if result.interrupted else "drained; " if result.drained else ""
        lines.append(f"{why}run the same command again to go on:\n  {shlex.join(['webmcp-census', *sys.argv[1:]])}")
    return lines
