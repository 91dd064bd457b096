"""Conditions on the rows of `pages` that many published numbers share, in SQL."""

MEASURED = "unmeasured IS NULL"
WITH_TOOLS = "tools_callable > 0"
EVERYTHING = "TRUE"

UNSCREENED = "screen IS NULL"
"""The screen picks pages with signs of WebMCP: what it picked stands for nothing but itself."""
