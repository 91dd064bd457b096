"""Visits pages with a real browser and records which WebMCP tools each page registers.

May not import `measure` or `publish`, know a lint rule or a table, or run a page's tool.
"""
