"""Regular expressions as ECMA-262 has them, which is how `$pattern` is meant."""

from functools import cache

import regress

from measure.lint.text import well_formed

_FLAGS = "dgimsuvy"


@cache
def _compiled(pattern: str) -> tuple[regress.Regex, bool]:
    """The expression, and whether it has to match at the beginning (the flag `y`). Raises ValueError."""
    flags = ""
    if pattern.startswith("(?"):
        letters, closed, rest = pattern[2:].partition(")")
        if closed and letters.isascii() and letters.isalpha():
            unknown = sorted(set(letters) - set(_FLAGS))
            if unknown:
                raise ValueError(f"flag {unknown[0]!r} is not one of {' '.join(_FLAGS)}")
            flags, pattern = letters, rest
    try:
        return regress.Regex(well_formed(pattern), flags), "y" in flags
    except regress.RegressError as error:
        raise ValueError(str(error)) from None


def pattern_fault(pattern: str) -> str | None:
    """What is wrong with a `$pattern`; None when nothing is."""
    try:
        _compiled(pattern)
    except ValueError as error:
        return str(error)
    return None


def pattern_found(pattern: str, text: str) -> bool:
    """Whether a `$pattern` matches anywhere in a text, as JavaScript's `RegExp.test` says.

    Flags may stand before it, `(?i)colou?r`: letters of JavaScript's own. Raises ValueError for a pattern that is none.
    """
    expression, sticky = _compiled(pattern)
    found = expression.find(well_formed(text))
    if found is None:
        return False
    # The leftmost match is found, so where one begins at the beginning it is this one.
    return not sticky or found.range().start == 0
