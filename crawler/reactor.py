"""Scrapy's reactor, run for one coroutine: once in a process, and stopped by signals of our choosing."""

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from scrapy.crawler import Crawler

from crawler.names import MappedResolver


def run_reactor(crawler: Crawler, main: Callable[[], Awaitable[bool]]) -> bool:
    """Run a coroutine on Scrapy's reactor until it is over; returns and raises what it does."""
    from twisted.internet import reactor as installed

    reactor: Any = installed
    # Scrapy installs the resolver of its settings in `process.start()`, which waits for signals of its own.
    MappedResolver.from_crawler(crawler, reactor).install_on_reactor()
    ended: list[asyncio.Future[bool]] = []

    def begin() -> None:
        task = asyncio.ensure_future(main())
        ended.append(task)
        task.add_done_callback(lambda _: reactor.stop())

    reactor.callWhenRunning(begin)
    reactor.run(installSignalHandlers=False)
    return ended[0].result()


def stop_on_signals(stop: Callable[[], None]) -> None:
    """Call `stop` on Ctrl-C or SIGTERM."""
    for signum in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(signum, stop)
