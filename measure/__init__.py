"""Measurements of pages and of browsers that go beyond what a visit records.

May not import `publish`, or write into a release: what it finds goes into the RUN.
"""
