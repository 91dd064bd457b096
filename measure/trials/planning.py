"""From the command line to the plan of a run."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from census.errors import CensusError
from census.visit import Browser
from crawler.options import named
from crawler.settings import CrawlSettings, VisitSettings, code_version
from measure.rates.rate_plan import PlannedPage, Prediction, RatePlan
from measure.trials.beginning import planned_set
from measure.trials.chosen_pages import pages_of_folder, pages_of_urls, set_id
from measure.trials.serving import served
from measure.utterances.authorship import refuse_own_author
from measure.utterances.digest import require_frozen
from measure.utterances.utterance_set import UtteranceSet, read_set

_PREDICTIONS: TypeAdapter[tuple[Prediction, ...]] = TypeAdapter(tuple[Prediction, ...])


@dataclass(frozen=True)
class Wanted:
    """What a user asks of a run."""

    judge: str
    """As the judge names itself."""
    browser: Browser
    visit: VisitSettings
    urls: tuple[str, ...] = ()
    serve: Path | None = None
    variants: tuple[str, ...] = ()
    """Of the served folder; none for all."""
    sessions: int = 1
    repeats: int = 1
    seed: int = 1
    spacing: timedelta = timedelta(0)
    execute: bool = True
    allow_writes: bool = False
    bound_s: float = 10.0
    predictions: tuple[Prediction, ...] = ()


def read_sets(files: Sequence[Path], judge: str) -> tuple[UtteranceSet, ...]:
    """Read the sets of a run.

    Raises CensusError for a set that is not frozen, one that the judge wrote, and one that is there twice.
    """
    sets = tuple(read_set(file) for file in files)
    for each in sets:
        require_frozen(each)
        refuse_own_author(each, judge)
        if sum(set_id(each) == set_id(other) for other in sets) > 1:
            raise CensusError(f"the set {set_id(each)} is given twice: give each once")
    return sets


def read_predictions(file: Path | None) -> tuple[Prediction, ...]:
    """Read what was predicted: a JSON list of {"tool", "rate", "page"?, "variant"?, "by"?}. Raises CensusError."""
    if file is None:
        return ()
    try:
        return _PREDICTIONS.validate_python(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        said = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise CensusError(
            f'--predictions {file}: {said}; give a JSON list such as [{{"tool": "add", "rate": 0.8, "by": "Ada"}}]'
        ) from None


def plan_of(wanted: Wanted, sets: Sequence[UtteranceSet]) -> RatePlan:
    """Make the plan. Raises CensusError for pages and sets that do not belong together, and unknown predicted tools."""
    pages: tuple[PlannedPage, ...]
    if wanted.serve is not None:
        pages = pages_of_folder(wanted.serve, sets, wanted.variants)
    else:
        pages = pages_of_urls(wanted.urls, sets)
    known = {each.tool for one in sets for each in one.utterances}
    for prediction in wanted.predictions:
        if prediction.tool not in known:
            listed = ", ".join(sorted(known))
            raise CensusError(f"a rate is predicted of {prediction.tool}, which no set expects; they expect: {listed}")
    settings = CrawlSettings(visit=wanted.visit, browser=named(wanted.browser)).plain()
    return RatePlan(
        run=secrets.token_hex(4),
        created_at=datetime.now(UTC),
        code_version=code_version(),
        judge=wanted.judge,
        browser=named(wanted.browser),
        sets=tuple(planned_set(each, may_set_up=wanted.execute and wanted.allow_writes) for each in sets),
        pages=pages,
        served=None if wanted.serve is None else served(wanted.serve),
        sessions=wanted.sessions,
        repeats=wanted.repeats,
        seed=wanted.seed,
        spacing=wanted.spacing,
        execute=wanted.execute,
        allow_writes=wanted.allow_writes,
        bound_s=wanted.bound_s,
        visit={name.removeprefix("visit."): value for name, value in settings.items() if name.startswith("visit.")},
        predictions=wanted.predictions,
    )
