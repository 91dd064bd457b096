"""The plan of a run, written before anything is measured: what there has to be when the run is complete."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from measure.rates.trial import TrialKey


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlannedSet(_Part):
    """A frozen utterance set of the run; the set itself is in the run's folder, under `file`."""

    name: str
    version: str
    digest: str
    file: str
    """In the folder `sets` of the run."""
    utterances: tuple[str, ...]
    """The ids of its utterances and controls that are put to the judge, in the order of the set."""
    left_out: tuple[str, ...] = ()
    """The ids of those that are not: they need calls before them, which may change the page, and the run may not."""

    @property
    def id(self) -> str:
        """As trials name it."""
        return f"{self.name} {self.version}"


class PlannedPage(_Part):
    """A page, in one variant, and the set that is put to the judge on it."""

    page: str
    """Its URL; of a served folder its path in it."""
    variant: str = ""
    """The sub-folder of the served folder that has this manifest of the page, or empty."""
    set: str
    """As `PlannedSet.id`."""
    names: dict[str, str] = {}
    """What the page calls tools that the set knows by another name: the page's name by the set's."""


class Served(_Part):
    """A folder that the run serves on loopback while it measures."""

    name: str
    digest: str
    """SHA-256 over the paths and contents of its files."""


class Prediction(_Part):
    """What somebody expected before the measurement."""

    tool: str
    rate: Annotated[float, Field(ge=0, le=1)]
    """The invocation rate, as a share."""
    page: str | None = None
    """None stands for every page of the run."""
    variant: str | None = None
    """None stands for every variant."""
    by: str = ""


class RatePlan(_Part):
    """What a run measures and how. A run that is resumed must have the same, but for `run` and `created_at`."""

    format: int = 1
    run: str
    """Eight hex digits, drawn when the run was begun."""
    created_at: datetime
    """UTC."""
    code_version: str
    judge: str
    """As the judge names itself: every setting that changes its answers, never a key."""
    browser: str
    """Product and build."""
    sets: tuple[PlannedSet, ...]
    pages: tuple[PlannedPage, ...]
    served: Served | None = None
    sessions: Annotated[int, Field(ge=1)]
    repeats: Annotated[int, Field(ge=1)]
    """In each session."""
    seed: int
    """Of the order of tools and trials."""
    spacing: timedelta = timedelta(0)
    """From the beginning of one session to that of the next."""
    execute: bool
    allow_writes: bool
    bound_s: float
    """Seconds that an executed tool has."""
    visit: dict[str, JsonValue]
    """The conditions of the visits, names joined by dots as in a crawl's settings."""
    predictions: tuple[Prediction, ...] = ()

    def trials(self) -> Iterator[TrialKey]:
        """Every trial that there has to be: by session, repeat, page, and the order of the set."""
        utterances = {each.id: each.utterances for each in self.sets}
        for session in range(1, self.sessions + 1):
            for repeat in range(1, self.repeats + 1):
                for page in self.pages:
                    for utterance in utterances[page.set]:
                        yield TrialKey(page.page, page.variant, page.set, utterance, session, repeat)
