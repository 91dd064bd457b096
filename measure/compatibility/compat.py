"""The work behind `webmcp-census compat`: ask what was not asked yet, then write and judge."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import click

from census.errors import CensusError
from measure.browsers.build import read_builds
from measure.browsers.cache import Cache, default_cache
from measure.compatibility.asked_builds import AskedBuild, cached, named
from measure.compatibility.behaviour import Behaviour, Topic
from measure.compatibility.cells_folder import CellsFolder, Measured
from measure.compatibility.corrections import read_corrections
from measure.compatibility.expected import read_expected
from measure.compatibility.matrix import Matrix, newest_first
from measure.compatibility.outcome import RunOutcome, show
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.published import PublishedMatrix, read_published
from measure.compatibility.registry import all_behaviours
from measure.compatibility.running import Unasked, run_build
from measure.compatibility.verdict import judge
from measure.compatibility.writing import publish, write_outputs
from measure.compatibility_data import BUILDS, CORRECTIONS, EXPECTED, MATRIX, compatibility_data


@dataclass(frozen=True)
class Request:
    """What the command line asked for."""

    browsers: tuple[str, ...]
    every: bool
    out: Path
    only: tuple[str, ...]
    expected: Path | None
    published: Path | None
    corrections: Path | None
    publish: bool
    jobs: int
    data_file: Path | None
    cache: Path | None


def compat(request: Request, *, as_json: bool) -> int:
    """Run it. Returns the exit code; raises CensusError when nothing can be asked."""
    every = all_behaviours()
    behaviours = chosen(every, request.only)
    expected = read_expected(request.expected or compatibility_data(EXPECTED))
    corrections = read_corrections(request.corrections or compatibility_data(CORRECTIONS))
    published = _published(request.published)
    asked = _asked(request)
    folder = CellsFolder(request.out)
    with folder.held():
        for each in asked:
            folder.begin(Measured(build=each.build, executable_sha256=each.digest))
        unasked = asyncio.run(_run(asked, behaviours, folder, request.jobs))
    matrix = matrix_of(folder, every)
    write_outputs(folder.folder, matrix, corrections)
    verdict = judge(matrix_of(folder, behaviours), expected, _only(published, behaviours), corrections)
    outcome = RunOutcome(matrix, behaviours, verdict, tuple(unasked))
    show(outcome, folder.folder, as_json=as_json)
    if request.publish and outcome.exit_code == 0:
        publish(matrix, corrections, published)
    return outcome.exit_code


def chosen(behaviours: Sequence[Behaviour], only: Sequence[str]) -> tuple[Behaviour, ...]:
    """The behaviours of these ids and topics; all of them when none is named. Raises CensusError for an unknown one."""
    topics = {topic.value for topic in Topic}
    known = {behaviour.id for behaviour in behaviours} | topics
    if unknown := [name for name in only if name not in known]:
        raise CensusError(f"no behaviour or topic is called {', '.join(unknown)}; topics: {', '.join(sorted(topics))}")
    return tuple(each for each in behaviours if not only or each.id in only or each.topic.value in only)


def matrix_of(folder: CellsFolder, behaviours: Sequence[Behaviour]) -> Matrix:
    """Everything that a folder knows of these behaviours."""
    builds = newest_first(folder.builds())
    cells = (cell for build in builds for cell in folder.cells(build, behaviours).values())
    return Matrix(builds, behaviours, {(cell.behaviour, cell.build): cell for cell in cells})


def _published(named_file: Path | None) -> PublishedMatrix | None:
    if named_file is not None:
        return read_published(named_file)
    try:
        path = compatibility_data(MATRIX)
    except CensusError:
        return None  # nothing was published yet
    return read_published(path)


def _only(published: PublishedMatrix | None, behaviours: Sequence[Behaviour]) -> PublishedMatrix | None:
    """The published rows that this run asked for, or that no longer exist."""
    if published is None:
        return None
    unasked = {behaviour.id for behaviour in all_behaviours()} - {behaviour.id for behaviour in behaviours}
    rows = {behaviour: row for behaviour, row in published.behaviours.items() if behaviour not in unasked}
    return published.model_copy(update={"behaviours": rows})


def _asked(request: Request) -> tuple[AskedBuild, ...]:
    if request.every == bool(request.browsers):
        raise CensusError("name browsers with --browser, or ask every fetched one with --all")
    cache = Cache(request.cache or default_cache())
    builds = read_builds(request.data_file or compatibility_data(BUILDS))
    if request.browsers:
        return named(request.browsers, builds, cache)
    have, lacking = cached(builds, cache)
    if not have:
        raise CensusError(f"no build is in {cache.folder}; `webmcp-census browsers fetch` brings them")
    for build in lacking:
        click.echo(f"{build.label} is not in the cache and is left out: `browsers fetch {build.label}`", err=True)
    return have


async def _run(
    asked: Sequence[AskedBuild], behaviours: Sequence[Behaviour], folder: CellsFolder, jobs: int
) -> list[Unasked]:
    unasked: list[Unasked] = []
    room = asyncio.Semaphore(jobs)
    with tempfile.TemporaryDirectory() as files, ProbeWeb(behaviours, Path(files)) as web:

        async def one(each: AskedBuild) -> None:
            async with room:
                todo = [behaviour for behaviour in behaviours if folder.read(each.build, behaviour) is None]
                click.echo(f"{each.build.label}: {len(todo)} of {len(behaviours)} questions to ask", err=True)
                since = time.monotonic()
                async with aclosing(run_build(each.build, each.executable, todo, web)) as results:
                    async for result in results:
                        if isinstance(result, Unasked):
                            unasked.append(result)
                        else:
                            folder.write(result)
                click.echo(f"{each.build.label}: done in {time.monotonic() - since:.0f} s", err=True)

        try:
            async with asyncio.TaskGroup() as group:
                # The slowest first: Firefox, then the full browsers. One that is left for the end is waited for alone.
                for each in sorted(asked, key=lambda each: (each.build.engine == "chromium", each.build.shell)):
                    group.create_task(one(each))
        except* CensusError as errors:
            # One of them says what to do; the others are its like.
            raise errors.exceptions[0] from None
    return unasked
