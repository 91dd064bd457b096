"""What every test run needs first."""

# Scrapy looks through every module that is there already when it is imported: seconds for each worker, were it last.
import scrapy.core.downloader.contextfactory  # noqa: F401
