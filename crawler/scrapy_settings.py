"""What Scrapy and scrapy-playwright are told for a crawl."""

import logging
import os
from pathlib import Path
from typing import Any

from crawler.browser import launch_arguments, sandboxed
from crawler.settings import PRODUCT, CrawlSettings

_SECRET_NAMES = ("AWS_", "HF_", "PG", "WEBMCP_CENSUS_FRONTIER")


def launch_options(path: Path, rules: str, proxy_url: str | None) -> dict[str, Any]:
    """How Playwright starts a browser; signals are the crawl's own business."""
    return {
        "executable_path": str(path),
        "args": launch_arguments(rules, proxy_url),
        "chromium_sandbox": sandboxed(),
        # A browser opens hostile pages and needs no key to a database, a store or a hub.
        "env": {name: value for name, value in os.environ.items() if not name.startswith(_SECRET_NAMES)},
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


def scrapy_settings(settings: CrawlSettings, rules: str) -> dict[str, Any]:
    """Scrapy's settings: nothing that listens, robots.txt and guards before everything else, our handler."""
    handler = "crawler.handler.CensusDownloadHandler"
    return {
        "ADDONS": {},
        # Scrapy starts so many tasks for what each callback returns, and ours return nothing.
        "CONCURRENT_ITEMS": 1,
        "CONCURRENT_REQUESTS": settings.concurrency * 2 + 8,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "COOKIES_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
        "DOWNLOAD_MAXSIZE": 1_000_000,
        "DOWNLOAD_TIMEOUT": 15,
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            "crawler.guard_middleware.GuardMiddleware": 50,
            "crawler.robots.RobotsMiddleware": 100 if settings.robots else None,
        },
        "HOST_RESOLVER_RULES": rules,
        # A proxy of the environment would resolve names by itself, past our own check of addresses.
        "HTTPPROXY_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "LOG_LEVEL": "WARNING",
        "PUBLIC_ADDRESSES_ONLY": not settings.visit.allow_private,
        "REMOTE_CONTROL_ENABLED": False,
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": settings.robots,
        "ROBOTSTXT_USER_AGENT": PRODUCT,
        "TELNETCONSOLE_ENABLED": False,
        "USER_AGENT": settings.visit.user_agent,
    }


def quiet_logs() -> None:
    """Let warnings through to stderr; what a dead host makes Scrapy say of its robots.txt is no news."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[handler], format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)
    logging.getLogger("scrapy.downloadermiddlewares.robotstxt").setLevel(logging.CRITICAL)
