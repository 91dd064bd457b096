"""Asking again what may pass: waits that grow, with jitter, and never beyond what a server asked for."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, wait_random_exponential

from measure.judges.judge import Cause, JudgeFault, Usage

T = TypeVar("T")


class PassingFault(JudgeFault):
    """A fault that may pass: worth another attempt, no sooner than `after`."""

    def __init__(
        self, cause: Cause, message: str, usage: Usage | None = None, *, after: timedelta | None = None
    ) -> None:
        super().__init__(cause, message, usage)
        self.after = after


class Retries(NamedTuple):
    """How often to ask, and how long to wait in between."""

    attempts: int = 6
    first_wait: timedelta = timedelta(seconds=1)
    longest_wait: timedelta = timedelta(seconds=60)
    """A server that asks for a longer pause is not asked again."""


async def attempted(ask: Callable[[], Awaitable[T]], retries: Retries) -> T:
    """Ask until there is an answer, a fault that does not pass, or no attempt left; raises the last fault.

    Full jitter (a uniform wait up to 1, 2, 4, … times the first wait), so that many judges that were refused at one
    moment do not come back at one moment: Brooker, "Exponential Backoff And Jitter" (AWS, 2015).
    """
    spread = wait_random_exponential(
        multiplier=retries.first_wait.total_seconds(), max=retries.longest_wait.total_seconds()
    )

    def wait(state: RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        asked = fault.after.total_seconds() if isinstance(fault, PassingFault) and fault.after else 0.0
        return asked + spread(state)

    def passes(fault: BaseException) -> bool:
        return isinstance(fault, PassingFault) and (fault.after is None or fault.after <= retries.longest_wait)

    again = AsyncRetrying(
        stop=stop_after_attempt(retries.attempts), retry=retry_if_exception(passes), wait=wait, reraise=True
    )
    return await again(ask)


def retry_after(value: str | None, now: float) -> timedelta | None:
    """Read a Retry-After header (RFC 9110, section 10.2.3): seconds, or a date; None when it says neither.

    `now` is in seconds since 1970. A moment that has passed is no wait.
    """
    if value is None:
        return None
    try:
        seconds = float(value) if value.strip().isdigit() else parsedate_to_datetime(value).timestamp() - now
        return timedelta(seconds=max(0.0, seconds))
    except (ValueError, OverflowError):
        return None
