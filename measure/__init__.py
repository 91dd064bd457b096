"""Measurements of pages and of browsers that go beyond what a visit records."""
