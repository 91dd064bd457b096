"""The command line in a process of its own, as the crawler's tests have it."""

from tests.crawler.conftest import cli, module_cli

__all__ = ["cli", "module_cli"]
