"""The stamp of a frozen set: what was measured is what is in the file."""

import hashlib
import json

from census.errors import CensusError
from measure.utterances.utterance_set import UtteranceSet


def digest_of(utterances: UtteranceSet) -> str:
    """Give the SHA-256 of everything in the set but its digest; layout and the order of keys make no difference.

    Keys are sorted and texts escaped, so it is the digest of one ASCII text. A field with its default value counts as
    one that is not there, so that a field which a later format adds changes no old set's digest.
    """
    content = utterances.model_dump(mode="json", exclude={"digest"}, exclude_defaults=True)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def frozen(utterances: UtteranceSet) -> UtteranceSet:
    """Give the set with its stamp. Raises CensusError for one that was frozen before and changed since."""
    digest = digest_of(utterances)
    if utterances.digest not in (None, digest):
        raise CensusError(
            f"{utterances.name} {utterances.version} was frozen and changed since, so rates measured with it would be "
            "called the same and are not: give it a new version and take the digest out"
        )
    return utterances.model_copy(update={"digest": digest})


def require_frozen(utterances: UtteranceSet) -> None:
    """Raise CensusError unless the set is frozen and unchanged: only then may a rate name its version."""
    if utterances.digest is None:
        raise CensusError(f"{utterances.name} {utterances.version} is a draft: run `utterances freeze` on it first")
    frozen(utterances)
