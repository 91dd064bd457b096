"""What is wrong with an utterance set before anything is measured with it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from measure.lint.manifest import ManifestTool
from measure.utterances.digest import digest_of
from measure.utterances.expectation import misfits
from measure.utterances.utterance_set import ControlKind, Tag, UtteranceSet

LEAST_UTTERANCES, LEAST_CONTROLS = 20, 20
"""Of each tool, and of the whole set: 20 of 20 has a lower bound of 83.9 % (Wilson, 95 %), fewer say too little."""


class Problem(NamedTuple):
    """One thing to mend, and where: the id of an utterance or control, a tool's name, or the set."""

    where: str
    message: str


class Least(NamedTuple):
    """How many there must be."""

    utterances: int = LEAST_UTTERANCES
    controls: int = LEAST_CONTROLS


def problems(
    utterances: UtteranceSet, tools: Sequence[ManifestTool] | None, least: Least | None = None
) -> list[Problem]:
    """Find every problem. Without `tools`, the page's manifest, nothing is said of tools and their schemas."""
    least = least or Least()
    found = [*_duplicates(utterances), *_counts(utterances, least), *_expected(utterances, tools), *_leaks(utterances)]
    if tools is not None:
        found += _unknown(utterances, tools)
    if utterances.digest is not None and utterances.digest != digest_of(utterances):
        message = "was changed after it was frozen: give it a new version, take the digest out, and freeze it again"
        found.append(Problem("the set", message))
    return found


def _duplicates(utterances: UtteranceSet) -> Iterator[Problem]:
    """The same words twice weigh twice; under two expectations one of them must fail."""
    first: dict[str, str] = {}
    for each in utterances.everything:
        said = normal(each.text)
        if not said:
            yield Problem(each.id, "says nothing: write a text with words")
        elif said in first:
            yield Problem(each.id, f"says the same as {first[said]}: write another text, or remove one of the two")
        first.setdefault(said, each.id)


def normal(text: str) -> str:
    """Give what is left of a text without case, marks of punctuation and spacing."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w\s]", " ", plain).split())


def _counts(utterances: UtteranceSet, least: Least) -> Iterator[Problem]:
    for tool, count in sorted(Counter(each.tool for each in utterances.utterances).items()):
        if count < least.utterances:
            yield Problem(tool, f"has {count} utterances, at least {least.utterances} are needed: write more")
    if not utterances.utterances:
        yield Problem("the set", "has no utterance: write some")
    if len(utterances.controls) < least.controls:
        said = f"has {len(utterances.controls)} controls, at least {least.controls} are needed: write more"
        yield Problem("the set", said)
    kinds = {each.kind for each in utterances.controls}
    for kind in ControlKind:
        if kind not in kinds:
            yield Problem("the set", f"has no control of the kind {kind.value} ({kind.meaning}): write some")
    tags = {each.tag for each in utterances.utterances}
    for tag in (Tag.DIRECT, Tag.AMBIGUOUS):
        if tag not in tags:
            yield Problem("the set", f"has no {tag.value} utterance ({tag.meaning}): the two are scored apart")


def _expected(utterances: UtteranceSet, tools: Sequence[ManifestTool] | None) -> Iterator[Problem]:
    known = {tool.name: tool for tool in tools or ()}
    for each in utterances.utterances:
        if each.tool in each.acceptable or len(set(each.acceptable)) < len(each.acceptable):
            yield Problem(each.id, "names a tool twice in `tool` and `acceptable`: name each once")
        if each.arguments is not None:
            for misfit in misfits(each.arguments, known.get(each.tool)):
                yield Problem(each.id, f"expects arguments that cannot be: {misfit}")
    for one in utterances.everything:
        for call in one.setup:
            for misfit in misfits(dict(call.arguments), known.get(call.tool)):
                yield Problem(one.id, f"sets up with arguments that do not fit {call.tool}: {misfit}")


def _leaks(utterances: UtteranceSet) -> Iterator[Problem]:
    """A text with a tool's technical name in it measures reading, not choosing."""
    names = {each.tool for each in utterances.utterances}
    technical = sorted(name for name in names if re.search(r"[_.\-]|[a-z][A-Z]", name))
    for each in utterances.utterances:
        for name in technical:
            if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", each.text):
                yield Problem(each.id, f"has the tool's name {name} in its text, as no user would: say it in words")


def _unknown(utterances: UtteranceSet, tools: Sequence[ManifestTool]) -> Iterator[Problem]:
    names = {tool.name for tool in tools}
    listed = ", ".join(sorted(names)) or "none"
    for each in utterances.utterances:
        for name in (each.tool, *each.acceptable):
            if name not in names:
                yield Problem(each.id, f"expects {name}, which the page has not; it has: {listed}")
    for one in utterances.everything:
        for call in one.setup:
            if call.tool not in names:
                yield Problem(one.id, f"sets up with {call.tool}, which the page has not; it has: {listed}")
    measured = {each.tool for each in utterances.utterances}
    for name in sorted(names - measured):
        yield Problem(name, "has no utterance: write some, or measure a page without it")
