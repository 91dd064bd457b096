"""No judge judges what it wrote: a model finds its own wording easy."""

import re
from collections.abc import Iterable

from census.errors import CensusError
from measure.utterances.utterance_set import Author, UtteranceSet

_DATE = re.compile(r"[-@]?(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


def refuse_own_author(utterances: UtteranceSet, judge: str) -> None:
    """Raise CensusError when the judge wrote any utterance or control of the set.

    `judge` is its name as records have it (`openai:MODEL@URL,…`). Models are compared without the date of their
    build, and however they are reached: another build of one model, or another endpoint, is the same author. An author
    that names a family (`anthropic:claude`) is every model of it, since any of them may have been the one.
    """
    authors = [each.author for each in utterances.everything]
    model = _model(judge)
    if any(model == author or model.startswith(f"{author}-") for author in _models(authors)):
        raise CensusError(
            f"{model} wrote part of {utterances.name} {utterances.version} and may not judge it: take another judge"
        )


def _models(authors: Iterable[Author]) -> set[str]:
    return {_model(author.name) for author in authors if author.kind == "model"}


def _model(name: str) -> str:
    bare = name.removeprefix("replay:").partition("@http")[0]
    kind, colon, rest = bare.partition(":")
    model = (rest if colon and kind in ("openai", "anthropic") else bare).rpartition("/")[2]
    return _DATE.sub("", model.casefold())
