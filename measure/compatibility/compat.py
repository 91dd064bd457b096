"""The work behind `webmcp-census compat`: ask what was not asked yet, then write and judge."""

import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from census.errors import CensusError
from measure.browsers.build import ListedBuild, read_builds
from measure.browsers.cache import Cache, default_cache, file_digest
from measure.compatibility.asked_builds import AskedBuild, cached, named
from measure.compatibility.behaviour import Behaviour, Topic
from measure.compatibility.cell import in_vocabulary
from measure.compatibility.cells_folder import CellsFolder, Measured
from measure.compatibility.expected import Difference, differences, read_expected
from measure.compatibility.matrix import Matrix, newest_first
from measure.compatibility.probe_web import ProbeWeb
from measure.compatibility.registry import all_behaviours
from measure.compatibility.running import Unasked, run_build
from measure.compatibility_data import BUILDS, EXPECTED, compatibility_data


@dataclass(frozen=True)
class Request:
    """What the command line asked for."""

    browsers: tuple[str, ...]
    every: bool
    out: Path
    only: tuple[str, ...]
    expected: Path | None
    jobs: int
    data_file: Path | None
    cache: Path | None


def compat(request: Request, *, as_json: bool) -> int:
    """Run it. Raises CensusError when nothing can be asked."""
    behaviours = chosen(all_behaviours(), request.only)
    asked = _asked(request)
    folder = CellsFolder(request.out)
    for each in asked:
        folder.begin(Measured(build=each.build, executable_sha256=file_digest(each.executable)))
    unasked = asyncio.run(_run(asked, behaviours, folder, request.jobs))
    matrix = matrix_of(folder, behaviours)
    differing = _differences(request, matrix, behaviours)
    outside = [
        cell
        for cell in matrix.cells.values()
        for behaviour in behaviours
        if behaviour.id == cell.behaviour and not in_vocabulary(behaviour, cell.value)
    ]
    _say(matrix, differing, unasked, as_json)
    for cell in outside:
        click.echo(f"{cell.behaviour} on {cell.build}: {cell.value!r} is no answer it declares", err=True)
    if unasked:
        return 2
    return int(bool(differing or outside))


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
    cells = {
        (cell.behaviour, build.label): cell for build in builds for cell in folder.cells(build, behaviours).values()
    }
    return Matrix(builds, behaviours, cells)


def _asked(request: Request) -> tuple[AskedBuild, ...]:
    if request.every == bool(request.browsers):
        raise CensusError("name browsers with --browser, or ask every fetched one with --all")
    cache = Cache(request.cache or default_cache())
    builds: tuple[ListedBuild, ...] = read_builds(request.data_file or compatibility_data(BUILDS))
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
                async for result in run_build(each.build, each.executable, todo, web):
                    if isinstance(result, Unasked):
                        unasked.append(result)
                        click.echo(f"{result.behaviour.id} on {each.build.label} was not asked: {result.why}", err=True)
                    else:
                        folder.write(result)

        async with asyncio.TaskGroup() as group:
            for each in asked:
                group.create_task(one(each))
    return unasked


def _differences(request: Request, matrix: Matrix, behaviours: Sequence[Behaviour]) -> list[Difference]:
    expected = read_expected(request.expected or compatibility_data(EXPECTED))
    timing = frozenset(behaviour.id for behaviour in behaviours if behaviour.timing)
    return [
        difference
        for build in matrix.builds
        for difference in differences(
            expected, build, [cell for cell in matrix.cells.values() if cell.build == build.label], timing
        )
    ]


def _say(matrix: Matrix, differing: Sequence[Difference], unasked: Sequence[Unasked], as_json: bool) -> None:
    if as_json:
        click.echo(
            json.dumps(
                {
                    "builds": [build.model_dump() for build in matrix.builds],
                    "values": {
                        behaviour.id: {build.label: matrix.value(behaviour.id, build) for build in matrix.builds}
                        for behaviour in matrix.behaviours
                    },
                    "unexpected": [difference._asdict() for difference in differing],
                    "unasked": [
                        {"behaviour": each.behaviour.id, "build": each.build.label, "why": each.why} for each in unasked
                    ],
                },
                indent=1,
            )
        )
        return
    click.echo(f"{len(matrix.cells)} cells: {len(matrix.behaviours)} behaviours, {len(matrix.builds)} builds")
    for each in differing:
        click.echo(f"{each.behaviour} on {each.build}: expected {each.expected!r}, got {each.value!r} {each.detail}")
