"""What Scrapy and scrapy-playwright are told for a crawl."""

import logging
import os
from pathlib import Path
from typing import Any

from crawler.browser import launch_arguments, sandboxed
from crawler.screen.settings import ScreenSettings
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
            "crawler.recheck.RecheckMiddleware": 150,
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


def screen_settings(settings: ScreenSettings, concurrency: int, max_body: int) -> dict[str, Any]:
    """Scrapy's settings for the screen: the same guards, plain HTTP, and nothing that a request does not need."""
    unneeded = (
        "cookies.CookiesMiddleware", "httpauth.HttpAuthMiddleware", "httpcache.HttpCacheMiddleware",
        "httpproxy.HttpProxyMiddleware", "offsite.OffsiteMiddleware", "redirect.MetaRefreshMiddleware",
        "retry.RetryMiddleware", "robotstxt.RobotsTxtMiddleware", "stats.DownloaderStats",
    )  # fmt: skip
    return {
        "ADDONS": {},
        # Its own workers bound what is under way; Scrapy's scheduler has nothing to do.
        "CONCURRENT_REQUESTS": concurrency * 4,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Language": "en-US,en;q=0.9",
        },
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_HANDLERS": {"data": None, "file": None, "ftp": None, "s3": None},
        "DOWNLOAD_MAXSIZE": max_body,
        "DOWNLOAD_TIMEOUT": settings.timeout,
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOADER_MIDDLEWARES": {
            **{f"scrapy.downloadermiddlewares.{name}": None for name in unneeded},
            "crawler.guard_middleware.GuardMiddleware": 50,
            "crawler.robots.RobotsMiddleware": 100 if settings.robots else None,
        },
        "EXTENSIONS_BASE": {},
        "HOST_RESOLVER_RULES": settings.host_resolver_rules,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "LOG_LEVEL": "WARNING",
        "PUBLIC_ADDRESSES_ONLY": not settings.allow_private,
        "REACTOR_THREADPOOL_MAXSIZE": 40,
        "REDIRECT_MAX_TIMES": 10,
        "REMOTE_CONTROL_ENABLED": False,
        "ROBOTSTXT_OBEY": settings.robots,
        "ROBOTSTXT_USER_AGENT": PRODUCT,
        "TELNETCONSOLE_ENABLED": False,
        "USER_AGENT": settings.user_agent,
    }


def quiet_logs() -> None:
    """Let warnings through to stderr; what a dead host makes Scrapy say of its robots.txt is no news."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[handler], format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("scrapy-playwright").setLevel(logging.ERROR)
    logging.getLogger("scrapy.downloadermiddlewares.robotstxt").setLevel(logging.CRITICAL)


def quiet_downloads() -> None:
    """Keep what servers do wrong out of the log of a stage that has it on record for each page.

    To be called when the process is made: making it resets what is said of Scrapy's loggers.
    """
    for name in ("core.downloader", "downloadermiddlewares"):
        logging.getLogger(f"scrapy.{name}").setLevel(logging.ERROR)
