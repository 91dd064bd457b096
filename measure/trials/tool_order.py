"""The tools of a page as one trial shows them to its judge: each name once, in an order that the trial draws."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from measure.live.live_tool import LiveTool
from measure.rates.trial import TrialKey


class Shown(NamedTuple):
    """What a judge is shown."""

    tools: tuple[LiveTool, ...]
    hidden: tuple[str, ...]
    """Names that more than one document gave to a tool, by name: a judge has one word for a tool, so only the tool of
    the earliest frame (the top document first) is shown."""


def order_seed(seed: int, key: TrialKey) -> str:
    """What the order of one trial is made of: the run's seed and the trial, but neither its page nor its variant.

    So a trial is shown the same tools in the same order in every variant that has them, and a comparison of variants
    compares nothing but them.
    """
    return f"{seed} {key.set} {key.utterance} {key.session} {key.repeat}"


def shown(tools: Sequence[LiveTool], seed: str) -> Shown:
    """Draw the order in which tools are shown: by the SHA-256 of the seed and the name, every order equally likely.

    A tool more or less leaves the order of the others as it is.
    """
    by_name: dict[str, LiveTool] = {}
    hidden = set()
    for tool in sorted(tools, key=lambda tool: _place(tool.frame)):
        if by_name.setdefault(tool.name, tool) is not tool:
            hidden.add(tool.name)
    ordered = sorted(by_name.values(), key=lambda tool: _rank(seed, tool.name))
    return Shown(tuple(ordered), tuple(sorted(hidden)))


def _rank(seed: str, name: str) -> bytes:
    # A page's name may hold lone surrogates.
    return hashlib.sha256(f"{seed}\0{name}".encode("utf-8", "surrogatepass")).digest()


def _place(frame: str) -> tuple[int, ...]:
    """`top.2` before `top.10`."""
    return tuple(int(step) for step in frame.split(".")[1:] if step.isdecimal())
