"""The command line, with crawls that visit no control page: `python -m tests.sites.without_control crawl …`.

In a browser without the API a control visit reads no page view, so it vouches for nothing, and every page is visited
again in another browser: right for a census, and in the way of pages whose truth is what such a browser shows.
"""

import sys
from dataclasses import replace
from typing import Any

import webmcp_census
from crawler import crawl_command
from crawler.settings import CrawlSettings

_made = crawl_command.crawl_settings


def _uncontrolled(*given: Any) -> CrawlSettings:
    return replace(_made(*given), control_every=0)


if __name__ == "__main__":
    crawl_command.crawl_settings = _uncontrolled
    sys.exit(webmcp_census.main())
