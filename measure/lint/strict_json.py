"""JSON as the specification has it: what Python's reader lets through, and a browser's would not, is an error here."""

import json

from pydantic import JsonValue

from census.errors import CensusError


def read_json(text: str, source: str) -> JsonValue:
    """The value of a JSON text; a byte order mark before it is let pass.

    CensusError names the source and the place: not JSON, empty, a name twice in one object (the second would win
    unseen), NaN or Infinity, too many levels.
    """
    body = text.removeprefix("\ufeff")
    if not body.strip():
        raise CensusError(f'{source} is empty; give a manifest as JSON, for example [{{"name": …, "description": …}}]')

    def no_constant(name: str) -> JsonValue:
        raise CensusError(f"{source} holds {name}, which is no JSON; write a number or null")

    def no_duplicates(pairs: list[tuple[str, JsonValue]]) -> JsonValue:
        values = dict(pairs)
        if len(values) < len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise CensusError(f"{source} has the key {twice!r} twice in one object; remove one of the two")
        return values

    try:
        value: JsonValue = json.loads(body, object_pairs_hook=no_duplicates, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        said = error.msg.removesuffix(" at")
        raise CensusError(
            f"{source} is no JSON: {said} at line {error.lineno}, column {error.colno}; mend it there"
        ) from None
    except RecursionError:
        raise CensusError(f"{source} is nested too deep to be read; flatten the schema") from None
    except ValueError as error:
        raise CensusError(f"{source} holds a number that cannot be read ({error}); shorten it") from None
    return value
