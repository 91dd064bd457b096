"""Lint: what is wrong with a page's tools, and how to put it right. Rules are pure; nothing here asks a page."""
