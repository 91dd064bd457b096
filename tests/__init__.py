"""Tests; a package, so that `python -m tests.sites` serves the small web."""
