"""What behaviours of several topics share: vocabularies of answers, and the script that asks for one of them."""

import json
from collections.abc import Mapping

REGISTERS = """
if (!(document.modelContext ?? navigator.modelContext)) return 'no_api';
return await probe.within(probe.outcome(() => probe.register()));
"""
"""Whether this document may register a tool: the body of a script for the page or for an answering frame."""

REGISTERING: Mapping[str, str] = {
    "ok": "The tool is registered.",
    "no_api": "The document has no `modelContext`.",
    "TypeError": "Refused: what was given has the wrong type.",
    "InvalidStateError": "Refused with InvalidStateError.",
    "NotAllowedError": "Refused by the permissions policy.",
    "SecurityError": "Refused with SecurityError.",
    "pending": "The promise does not settle.",
}
"""What comes of registering a tool."""

EXECUTING: Mapping[str, str] = {
    "ok": "The call succeeds.",
    "TypeError": "Refused: what was given has the wrong type.",
    "UnknownError": "Rejected with UnknownError, which says no more.",
    "NotSupportedError": "Rejected with NotSupportedError.",
    "InvalidStateError": "Rejected with InvalidStateError.",
    "DataError": "Rejected with DataError: the input does not fit the schema.",
    "pending": "The promise does not settle.",
}
"""What comes of calling a tool from the page."""

LISTED: Mapping[str, str] = {
    "listed": "`getTools()` has the tool.",
    "not_listed": "`getTools()` does not have it.",
}


def yes_no(yes: str, no: str) -> Mapping[str, str]:
    """The vocabulary of a question that is answered `yes` or `no`, with what each of them means."""
    return {"yes": yes, "no": no}


def in_js(text: str) -> str:
    """A text as a JavaScript string literal: a script inside a script, for `probe.ask(frame, ...)`."""
    return json.dumps(text)
