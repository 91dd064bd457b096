"""The screen: pages and their own site's scripts over plain HTTP, without a browser, to see which may have tools.

May not start a browser, or give an outcome to a page that the crawl would have visited.
"""
