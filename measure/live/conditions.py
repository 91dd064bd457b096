"""What a page is surrounded by: answers in the place of its network, and a clock that stands still."""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from playwright.async_api import BrowserContext, Route
from playwright.async_api import Error as PlaywrightError

from measure.live.browser import Prepare
from measure.live.network_mock import NetworkMock


def conditions(mocks: Sequence[NetworkMock], clock: datetime | None) -> Prepare:
    """Prepare a context: the first mock that fits a request and is not used up answers it.

    With a clock, `Date` in the page says that time; its timers run on.
    """

    async def prepare(context: BrowserContext) -> None:
        if clock is not None:
            await context.clock.set_fixed_time(clock if clock.tzinfo is not None else clock.replace(tzinfo=UTC))
        used: Counter[int] = Counter()
        # Of several routes that fit, Playwright asks the one that was added last.
        for index in reversed(range(len(mocks))):
            await context.route(mocks[index].url, _handler(index, mocks[index], used))

    return prepare


def _handler(index: int, mock: NetworkMock, used: Counter[int]) -> Any:
    async def answer(route: Route) -> None:
        fits = mock.method in (None, route.request.method) and (mock.times is None or used[index] < mock.times)
        try:
            if not fits:
                await route.fallback()
                return
            used[index] += 1
            if mock.abort:
                await route.abort("connectionfailed")
            else:
                await route.fulfill(status=mock.status, headers=_headers(mock), body=_body(mock))
        except PlaywrightError:
            # The page has gone meanwhile, and its request with it.
            return

    return answer


def _headers(mock: NetworkMock) -> dict[str, str]:
    kind = "text/plain" if mock.body is not None else "application/json"
    # A page may ask another origin, whose answer it can read only with this.
    return {"content-type": kind, "access-control-allow-origin": "*", **mock.headers}


def _body(mock: NetworkMock) -> str:
    return mock.body if mock.body is not None else json.dumps(mock.json)
