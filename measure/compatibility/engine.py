"""A running browser, as the runner sees it: it gives out tabs, and says when something has gone down."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeAlias

from measure.compatibility.behaviour import Behaviour, Switch
from measure.compatibility.probing import NotApplicable, Tab, Threw


class Engine(Protocol):
    """One start of one build with one switch."""

    crashed: asyncio.Event
    """Set when a renderer or the browser goes down. Only the end of the engine clears it."""
    spent: bool
    """Whether a tab did not close in time, by which no more questions can be put: a slow machine, no answer."""

    def tab(self, behaviour: Behaviour, patience: int = 1) -> AbstractAsyncContextManager[Tab]:
        """A tab in a browser context of its own for a behaviour, with nothing open in it yet.

        What its pages wait for, they wait `patience` times as long.
        """


Start: TypeAlias = Callable[[Switch], AbstractAsyncContextManager[Engine]]
"""Starts a build with a switch."""


def answer_of(outcome: dict[str, Any]) -> str:
    """What a script came to, from what `probe.run` returned.

    Raises NotApplicable and Threw, as the script did.
    """
    if "notApplicable" in outcome:
        raise NotApplicable(outcome["notApplicable"])
    if "threw" in outcome:
        raise Threw(outcome["threw"], outcome["message"])
    return str(outcome["value"])


def question(probe: str, script: str) -> str:
    """An expression that runs the body of an async function with `probe` and never rejects."""
    return f"({probe}).run(async (probe) => {{\n{script}\n}})"
