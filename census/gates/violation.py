"""One thing that keeps a release from being published."""

from typing import NamedTuple


class Violation(NamedTuple):
    """Which gate does not hold, and why."""

    rule: str
    """`accounts`, `duplicate-key`, `foreign-key`, `schema`, `opt-out`, `private-data`, `band/RATE`, `numbers`, ..."""
    message: str
