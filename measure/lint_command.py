"""`webmcp-census lint`."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import track

from census.errors import CensusError
from census.run import Run
from census.visit import Visit
from crawler.options import visit_options
from measure.compatibility.builds_option import builds_option
from measure.gate import gate_of, gate_options
from measure.lint_source import STDIN, SourceKind, kind_of, read_text
from measure.outputs.formats import TEXT, Output, keep_source, output_options, outputs_of, write_outputs
from measure.outputs.report import Report, Subject

if TYPE_CHECKING:
    from measure.lint.manifest import Manifest

_NO_TOOLS = "no tools: the manifest lists none; --allow-empty if that is meant"
_UNFINISHED = "the crawl is unfinished, so no gate can pass: what the other targets show is not known; resume it first"
_NO_PAGES = "no page of this RUN was captured, so there is nothing to lint; look at its outcomes, or --allow-empty"


@click.command("lint", short_help="Say what is wrong with the tools of a page, a manifest file or a RUN.")
@click.argument("source", required=False)
@click.option("--explain", metavar="RULE", help="Explain a rule, with an example that it fires on, and end.")
@click.option("--robots/--no-robots", default=True, show_default=True, help="Obey robots.txt (a URL only).")
@builds_option
@output_options
@gate_options
@visit_options
def lint_command(source: str | None, explain: str | None, as_json: bool, **options: Any) -> int:
    """Say what is wrong with tools, without a model and without calling one of them.

    SOURCE is a manifest file (a list of tools, `{"tools": [...]}`, or what the known libraries export), `-` for
    standard input, a URL, or a RUN, into which the findings are written for `build`. docs/rules.md explains the rules.

    \b
    Examples:
      webmcp-census lint tools.json
      webmcp-census lint https://example.org/ --format sarif=lint.sarif
      webmcp-census lint run
      webmcp-census lint --explain descriptions/thin

    Exits 0 when no finding is at or above --fail-on, 1 when one is, 2 when SOURCE could not be linted or has no tools.
    """
    # The rules bring libraries that take a while to import; `--help` need not wait for them.
    from measure.lint.rules_page import explain as explain_rule

    if explain is not None:
        click.echo(explain_rule(explain))
        return 0
    if not source:
        # An empty one is a shell's variable that was never set; the path of it would be the working directory.
        raise CensusError("nothing to lint: name a manifest file, a URL, a RUN, or `-`; `lint --help` has examples")
    outputs = outputs_of(options["formats"], as_json, options["output"])
    kind = kind_of(source)
    if kind is SourceKind.RUN:
        return _lint_run(Path(source), outputs, options)
    if kind is SourceKind.FILE:
        keep_source(outputs, Path(source))
    report = _lint_url(source, options) if kind is SourceKind.URL else _lint_manifests(source, options)
    write_outputs(report, outputs)
    return report.exit_code


def _lint_manifests(source: str, options: dict[str, Any]) -> Report:
    from measure.lint.manifest_file import read_manifests
    from measure.lint.registry import RULES
    from measure.linted import rule_texts, subject_of
    from measure.suppressions import Suppressions
    from measure.tool_lines import ToolLines

    suppressions = Suppressions.named_or_default(options["suppressions"], (rule.id for rule in RULES))
    text = read_text(source)
    file = None if source == STDIN else source
    lines = ToolLines(text) if file else None
    manifests = tuple(read_manifests(text, "stdin" if source == STDIN else source))
    subjects = tuple(
        subject_of(
            manifest,
            suppressions,
            file=file,
            lines=lines,
            arm=_arm(manifest.source, source),
            unanswered=None if manifest.tools or options["allow_empty"] else _NO_TOOLS,
        )
        for manifest in manifests
    )
    return Report(
        "lint",
        subjects,
        rule_texts(),
        fail_on=gate_of(options["fail_on"]),
        notices=(*_in_builds(manifests, options["builds"]), *suppressions.unused()),
        anchor=options["anchor"],
    )


def _in_builds(manifests: "Sequence[Manifest]", builds: str | None) -> Iterator[str]:
    from measure.compatibility.in_builds import sentences, support_in
    from measure.compatibility.page_use import use_of_manifest

    for manifest in manifests if builds else ():
        of = f"{manifest.source}: " if len(manifests) > 1 else ""
        yield from (f"{of}{text}" for text in sentences(support_in(builds or "", use_of_manifest(manifest))))


def _arm(manifest: str, source: str) -> str | None:
    """Which of several manifests of a file it is: `arms.json#clean`."""
    return manifest.removeprefix(f"{source}#") if manifest != source else None


def _lint_url(url: str, options: dict[str, Any]) -> Report:
    from measure.check.live_page import visit_page
    from measure.check.page_report import page_report
    from measure.compatibility.in_builds import sentences, support_in
    from measure.compatibility.page_use import use_of_visit
    from measure.lint.visit_manifest import manifest_of_visit

    visit = visit_page(url, options, robots=options["robots"])
    builds = options["builds"]
    supports = support_in(builds, use_of_visit(visit, manifest_of_visit(visit))) if builds else []
    return page_report("lint", visit, options, notices=sentences(supports))


def _lint_run(folder: Path, outputs: tuple[Output, ...], options: dict[str, Any]) -> int:
    from measure.compatibility.run_support import RunSupport
    from measure.lint_run import lint_run
    from measure.linted import rule_texts

    run = Run(folder)
    support = RunSupport(options["builds"]) if options["builds"] else None
    subjects: list[Subject] = []
    wanted = any(output.format != TEXT for output in outputs) or options["fail_on"] not in (None, "never")

    def watch(visits: Iterator[Visit], total: int) -> Iterable[Visit]:
        return _progress(support.counting(visits) if support else visits, total)

    tally, stamp = lint_run(run, subjects.append if wanted else _forget, watch)
    notices = [f"Findings: {folder / 'findings.jsonl'} ({stamp.rules_sha256[:12]})"]
    notices += [each.sentence() for each in support.tallies] if support else []
    if run.unfinished():
        notices.append(f"{run.unfinished():,} targets are unfinished: lint again when the crawl has ended")
        if gate_of(options["fail_on"], default=None) is not None:
            subjects.append(Subject(str(folder), unanswered=_UNFINISHED))
    if not tally.pages and not options["allow_empty"]:
        subjects.append(Subject(str(folder), unanswered=_NO_PAGES))
    report = Report(
        "lint",
        tuple(subjects),
        rule_texts(),
        fail_on=gate_of(options["fail_on"], default=None),
        notices=tuple(notices),
        anchor=options["anchor"],
    )
    write_outputs(report, outputs, partial(_show_run, tally))
    return report.exit_code


def _forget(subject: Subject) -> None:
    """A large RUN's findings need not all be in memory when only their numbers are shown."""


def _show_run(tally: Any, report: Report, console: Console) -> None:
    from measure.lint_run import show_tally

    for subject in report.subjects:
        if subject.unanswered:
            console.print(f"could not measure: {subject.source}: {subject.unanswered}")
    show_tally(tally, report, console)


def _progress(visits: Iterator[Visit], total: int) -> Iterable[Visit]:
    console = Console(stderr=True)
    return track(visits, "Linting pages", total=total, console=console, disable=not console.is_terminal)
