"""A cell of the matrix: what one build answered to one question, with its evidence."""

import hashlib
import inspect
import json
from datetime import datetime
from functools import cache
from textwrap import dedent
from types import ModuleType

from pydantic import BaseModel, ConfigDict

from measure.compatibility import devtools_domain
from measure.compatibility.behaviour import Behaviour, Script, Switch
from measure.compatibility.probe_web import probe_source
from measure.compatibility.probing import CRASH, HANG, NOT_APPLICABLE, Dialogue, Origin

OURS = frozenset({CRASH, HANG, NOT_APPLICABLE})
"""Answers that any behaviour may have beside its own."""


class Cell(BaseModel):
    """One answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    behaviour: str
    build: str
    """The build's label."""
    version: str
    """The build's full version."""
    value: str
    detail: str = ""
    """Why it is not applicable, or what the error's message was: evidence, never compared."""
    run: str
    """What was run, for a reader: the script, or the function that led the dialogue."""
    asked: str
    """Digest of the question: its text, its pages, the helpers it uses. Another digest is another probe."""
    switch: Switch
    """How the browser was started."""
    entry: Origin
    """Where the entry page was."""
    measured_at: datetime
    took_ms: int


def question_text(behaviour: Behaviour) -> str:
    """What is run, for a reader."""
    if isinstance(behaviour.asked, Script):
        return dedent(behaviour.asked.text).strip()
    return dedent(_source(behaviour.asked.function)).strip()


def question_digest(behaviour: Behaviour) -> str:
    """The SHA-256 over everything that makes the answer: 16 hexadecimal digits of it."""
    parts = [
        behaviour.id,
        _run(behaviour),
        probe_source(),
        behaviour.entry.value,
        behaviour.switch.value,
        *(
            json.dumps([path, page.body, dict(page.headers), page.content_type, page.status])
            for path, page in sorted(behaviour.pages.items())
        ),
    ]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _run(behaviour: Behaviour) -> str:
    if isinstance(behaviour.asked, Script):
        return behaviour.asked.text
    # A function may lean on anything in its module, and on what all of them share.
    return _source(inspect.getmodule(behaviour.asked.function) or behaviour.asked.function) + _source(devtools_domain)


@cache
def _source(of: ModuleType | Dialogue) -> str:
    # Python parses the whole file for a function's source.
    return inspect.getsource(of)


def in_vocabulary(behaviour: Behaviour, value: str) -> bool:
    """Whether an answer is one that the behaviour declares; a free one must be a short line."""
    if value in OURS:
        return True
    if behaviour.values is not None:
        return value in behaviour.values
    return 0 < len(value) <= 200 and value.isprintable()
