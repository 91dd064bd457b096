"""The screen: pages and their own site's scripts over plain HTTP, without a browser, to see which may have tools."""
