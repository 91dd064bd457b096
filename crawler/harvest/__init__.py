"""Harvest: from a gallery, a sitemap or a list to a target list, with what was skipped and why.

May not start a browser, or write anywhere but to OUT and the files beside it.
"""
