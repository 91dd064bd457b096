"""The command `harvest`."""

import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import click

from census.errors import CensusError
from census.text import inert
from crawler.harvest.collected import Collected
from crawler.harvest.large_command import harvest_large_list, is_large
from crawler.harvest.large_list import form_of
from crawler.harvest.output import HarvestReport, OutputFiles
from crawler.harvest.report_text import in_words, now
from crawler.harvest.result import result_of
from crawler.harvest.spider import SourceFormat, run_spider, spider_settings
from crawler.names import HostResolverRules
from crawler.settings import plain_user_agent
from crawler.target_list import ListFormat, format_by_suffix, read_target_list

_PROGRESS_SECONDS = 5.0
_REASONS_SHOWN = 20

_EXAMPLE = """\b
Example:
  printf 'https://example.com/\\nhttps://example.org/\\n' > list.txt
  webmcp-census harvest list.txt --out targets.jsonl
\b
Ten thousand sites of a ranked list, as many of each power of ten:
  webmcp-census harvest top-1m.csv.zip --sample 10000 --out targets.jsonl
\b
A gallery, where CHALLENGE is the name of yours:
  webmcp-census harvest https://CHALLENGE.devpost.com/project-gallery --out targets.jsonl --contact YOU@example.org
"""


@click.command("harvest", short_help="Make a target list from a gallery, sitemap or list.", epilog=_EXAMPLE)
@click.argument("source")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The target list to write (JSONL).")
@click.option(
    "--format",
    "source_format",
    type=click.Choice([one.value for one in SourceFormat]),
    help="What SOURCE is; by default its name says it: .xml is a sitemap, .json .jsonl .csv .txt a list, "
    "any other URL a gallery, any other file a list.",
)
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="Draw N targets, as many of each stratum of the rank."
)
@click.option("--seed", metavar="TEXT", help="Decides which targets are drawn [default: 1].")
@click.option("--max-pages", type=click.IntRange(min=1), help="Stop after N gallery pages or sitemaps.")
@click.option(
    "--delay",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    help="Seconds between two requests.",
)
@click.option("--host-resolver-rules", default="", metavar="RULES", help="As Chromium has it: MAP name address, ….")
@click.option("--allow-private", is_flag=True, help="Allow private, loopback and link-local addresses.")
@click.option("--contact", metavar="URL|MAIL", help="Who you are; ends the user agent. Needed on the public web.")
@click.option("--user-agent", metavar="TEXT", help="The whole user agent, instead of the one made from --contact.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def harvest_command(
    source: str,
    out: Path,
    source_format: str | None,
    sample: int | None,
    seed: str | None,
    max_pages: int | None,
    delay: float,
    host_resolver_rules: str,
    allow_private: bool,
    contact: str | None,
    user_agent: str | None,
    as_json: bool,
) -> int:
    """Make a target list from a gallery, a sitemap or a list.

    SOURCE is a URL, a file, or - for a list on standard input. Beside OUT stand what was skipped and why
    (.skipped.jsonl), the projects with several possible demos (.ambiguous.jsonl) and the report
    (.harvest.json).

    Ranked lists (Tranco, CrUX, Majestic, Umbrella) keep their ranks; Common Crawl's index files (CDXJ) give the pages
    that answered with HTML. These, and any list of over 64 MB, are read in bounded memory, `.gz` and `.zip` unpacked.

    A gallery or a sitemap that could not be read to its end is an incomplete harvest: what was got is
    written (beside an OUT that is there already, as OUT.incomplete.jsonl), the reasons are printed, and the exit
    code is 2.
    """
    form = SourceFormat(source_format) if source_format else _format_of(source)
    if seed is not None and sample is None:
        raise CensusError("--seed: says which targets --sample draws; give that too")
    if is_large(source, form, sample):
        return harvest_large_list(source, form, out, sample, seed or "1", as_json=as_json)
    HostResolverRules(host_resolver_rules)  # a rule that cannot be read is said before anything is asked
    files = OutputFiles(out)
    files.prepare()
    started = now()
    agent = None
    if form.value in set(ListFormat) and not _is_url(source):
        as_given = ListFormat(form.value) if source_format else None
        listed = read_target_list(source, list_format=as_given)
        collected = Collected(pages=1, listed=listed)
    else:
        agent = user_agent or _user_agent(source, contact, allow_private=allow_private)
        progress = _Progress()
        collected = run_spider(
            _address(source),
            form,
            max_pages=max_pages,
            settings=spider_settings(
                delay=delay, user_agent=agent, host_resolver_rules=host_resolver_rules, allow_private=allow_private
            ),
            on_reply=progress.show,
        )
        progress.end()
    result = result_of(collected, source)
    if collected.shortfalls:
        files = files.beside_an_earlier_harvest()
    report = files.report_on(
        collected,
        result,
        source=source,
        source_format=form.value,
        started=started,
        finished=now(),
        settings={"max_pages": max_pages, "delay": delay, "user_agent": agent},
    )
    files.write(result, report)
    click.echo(report.model_dump_json(indent=2) if as_json else in_words(report))
    if not report.complete:
        click.echo(_why_incomplete(report), err=True)
    return 0 if report.complete else 2


def _format_of(source: str) -> SourceFormat:
    path = urlsplit(source).path if _is_url(source) else source
    if path.lower().endswith((".xml", ".xml.gz")):
        return SourceFormat.SITEMAP
    large = None if _is_url(source) else form_of(Path(source))
    if large:
        return SourceFormat(large)
    by_suffix = format_by_suffix(path)
    if by_suffix:
        return SourceFormat(by_suffix.value)
    if path.lower().endswith((".html", ".htm")) or _is_url(source):
        return SourceFormat.GALLERY
    return SourceFormat.TEXT


def _is_url(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _address(source: str) -> str:
    """Return the URL of a source; a saved gallery page or sitemap is a file URL."""
    if _is_url(source):
        if not urlsplit(source).hostname:
            raise CensusError(f"{source}: no host in the URL; give one such as https://example.com/gallery")
        return source
    path = Path(source)
    if not path.is_file():
        raise CensusError(f"{source}: no such file; give a file or an http(s) URL")
    return path.resolve().as_uri()


def _user_agent(source: str, contact: str | None, *, allow_private: bool) -> str:
    if _is_url(source) and not (contact or allow_private):
        raise CensusError(
            "say who you are: --contact URL-or-mail ends the user agent, so that a site can reach you"
            " (not needed with --allow-private)"
        )
    return plain_user_agent(contact or "local")


class _Progress:
    """Progress on stderr: one line that changes on a terminal, a line every few seconds elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._interval = 0.2 if self._terminal else _PROGRESS_SECONDS
        self._last = time.monotonic()

    def show(self, collected: Collected) -> None:
        now = time.monotonic()
        if now - self._last < self._interval:
            return
        self._last = now
        of = f" of {collected.announced}" if collected.announced is not None else ""
        text = (
            f"harvest: {collected.pages} pages,"
            f" {len(collected.entries) or len(collected.addresses)}{of} entries,"
            f" {len(collected.projects) + len(collected.failed)} project pages,"
            f" {len(collected.shortfalls)} problems"
        )
        click.echo(f"\r{text}\x1b[K" if self._terminal else text, err=True, nl=not self._terminal)

    def end(self) -> None:
        if self._terminal:
            click.echo("\r\x1b[K", err=True, nl=False)


def _why_incomplete(report: HarvestReport) -> str:
    shown = [f"  {inert(f'{one.url}: {one.reason}')}" for one in report.reasons[:_REASONS_SHOWN]]
    more = len(report.reasons) - len(shown)
    if more:
        shown.append(f"  and {more} more, in the report beside {report.files['targets']}")
    return "\n".join(["webmcp-census: the harvest is incomplete; what was got is written", *shown, _REMEDY])


_REMEDY = "Harvest again later, or with a longer --delay."
