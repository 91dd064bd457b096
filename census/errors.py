"""Errors that a user can do something about."""


class CensusError(Exception):
    """Says what was wrong, with which input, and what to do. The command line prints it and exits 2."""
