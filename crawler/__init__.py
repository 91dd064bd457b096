"""Visits pages with a real browser and records which WebMCP tools each page registers."""
