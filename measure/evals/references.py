"""Named parts of a suite: `{"$ref": "#/definitions/name"}` in an expected value is replaced when the file is read."""

from collections.abc import Mapping

from pydantic import JsonValue

from measure.evals.expected import DEFINITIONS, REF


class BadReferenceError(ValueError):
    """A reference that leads nowhere, or into itself; `path` is where in the value it stands."""

    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.path = path


def resolved(
    value: JsonValue,
    definitions: Mapping[str, JsonValue],
    path: tuple[str | int, ...] = (),
    within: tuple[str, ...] = (),
) -> JsonValue:
    """The value with each reference replaced by what it names; what `$eq` holds is left as it is.

    Raises BadReferenceError.
    """
    if isinstance(value, list):
        return [resolved(each, definitions, (*path, index), within) for index, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if REF in value:
        return _named(value, definitions, path, within)
    return {
        key: each if key == "$eq" else resolved(each, definitions, (*path, key), within) for key, each in value.items()
    }


def _named(
    value: dict[str, JsonValue],
    definitions: Mapping[str, JsonValue],
    path: tuple[str | int, ...],
    within: tuple[str, ...],
) -> JsonValue:
    reference = value[REF]
    if len(value) > 1:
        raise BadReferenceError((*path, REF), "$ref stands beside other members; write it alone")
    name = reference.removeprefix(DEFINITIONS) if isinstance(reference, str) else ""
    if not isinstance(reference, str) or not reference.startswith(DEFINITIONS) or name not in definitions:
        known = ", ".join(f"{DEFINITIONS}{each}" for each in definitions) or "none"
        raise BadReferenceError((*path, REF), f"{reference!r} names no definition of this file; there are: {known}")
    if name in within:
        raise BadReferenceError((*path, REF), f"{reference!r} leads into itself, by {' and '.join(within)}")
    return resolved(definitions[name], definitions, path, (*within, name))
