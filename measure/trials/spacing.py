"""A length of time on the command line: 90s, 30m, 6h, 1d."""

import re
from datetime import timedelta
from typing import Any

import click

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_TEXT = re.compile(r"(\d+(?:\.\d+)?)([smhd])")


class Spacing(click.ParamType[timedelta]):
    """Reads a number and its unit."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """Read it; a length of time stays as it is."""
        if isinstance(value, timedelta):
            return value
        found = _TEXT.fullmatch(str(value).strip())
        if found is None:
            self.fail(f"{value!r} is no length of time: write one such as 90s, 30m, 6h or 1d", param, ctx)
        return timedelta(**{_UNITS[found[2]]: float(found[1])})
