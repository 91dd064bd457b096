"""Plans and calls for tests, written short."""

import json
from typing import Any

from measure.evals.case import Case
from measure.evals.made import MadeCall
from measure.evals.suite import read_suite

ASKED = [{"role": "user", "content": "Please."}]


def call(name: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """An expected call as the file has it."""
    return {"functionName": name, **({} if arguments is None else {"arguments": arguments}), **more}


def case_of(*nodes: dict[str, Any], **more: Any) -> Case:
    """A case that expects these nodes; `expectedCall=None` in `more` for one that expects none."""
    case = {"messages": ASKED, "expectedCall": list(nodes), **more}
    return read_suite(json.dumps([case]), "suite.json").cases[0]


TOOLS = frozenset(["history", "order", "search", "buy", *"abcdefghijklmnopqrstuvwxyz"])


def made(*calls: str | tuple[str, Any] | MadeCall, tools: frozenset[str] | None = None) -> tuple[MadeCall, ...]:
    """Calls that were made one after the other: a name, a name with arguments, or a call as it is."""
    found = []
    for step, each in enumerate(calls, start=1):
        if isinstance(each, MadeCall):
            found.append(each)
            continue
        name, arguments = (each, {}) if isinstance(each, str) else each
        offered = tools if tools is not None else TOOLS | {name}
        found.append(MadeCall(step, name, arguments, offered=offered))
    return tuple(found)
