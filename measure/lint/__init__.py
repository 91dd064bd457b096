"""Lint: what is wrong with a page's tools, and how to put it right. Rules are pure; nothing here asks a page.

May not ask a page, or depend on where a manifest came from.
"""
