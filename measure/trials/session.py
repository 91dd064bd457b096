"""One session of a run: its trials in an order of its own, their pages opened ahead of the judge."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from measure.rates.rate_plan import RatePlan
from measure.rates.trial import Trial, TrialKey
from measure.trials.making import Made, Maker
from measure.trials.record import Job
from measure.trials.stopping import Stopping
from measure.utterances.utterance_set import UtteranceSet


def session_jobs(
    plan: RatePlan,
    sets: Mapping[str, UtteranceSet],
    session: int,
    done: AbstractSet[TrialKey],
    url: Callable[[str, str], str],
) -> list[Job]:
    """The trials of a session that have no outcome yet, repeat after repeat, each repeat in an order drawn by seed.

    Pages and variants are mixed, so that whatever drifts while the session lasts drifts for all of them. `url` gives
    the address of a page's variant.
    """
    said = {(each_set, each.id): each for each_set, of in sets.items() for each in of.everything}
    keys = [key for key in plan.trials() if key.session == session]
    keys.sort(key=lambda key: (key.repeat, _rank(plan.seed, key)))
    names = {(page.page, page.variant): page.names for page in plan.pages}
    return [
        Job(key, said[key.set, key.utterance], url(key.page, key.variant), names[key.page, key.variant])
        for key in keys
        if key not in done
    ]


def _rank(seed: int, key: TrialKey) -> bytes:
    return hashlib.sha256("\0".join(map(str, (seed, *key))).encode()).digest()


async def run_session(
    jobs: Sequence[Job],
    maker: Maker,
    stopping: Stopping,
    ended: Callable[[Made], None],
    *,
    open_pages: int,
) -> Trial | None:
    """Make the trials, as many at a time as pages may be open; gives the gap that stopped the session, or None.

    More pages than judges are open, so that a judge finds the next page ready: a page takes its time to settle. A
    trial that is under way when the session stops is finished and kept, where its judge was asked already. `ended` is
    told of each trial in turn.
    """
    waiting: Iterator[Job] = iter(jobs)

    async def work() -> None:
        for job in waiting:
            if stopping.stopped:
                return
            made = await maker.make(job)
            if made is not None:
                stopping.see(made.trial)
                ended(made)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(open_pages, len(jobs))):
                group.create_task(work())
    except ExceptionGroup as failed:
        # The others were cancelled because of the first.
        raise failed.exceptions[0] from failed
    return stopping.because
