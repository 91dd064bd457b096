"""Arguments that somebody who knows what is expected would give: what an oracle calls an utterance's tool with."""

from pydantic import JsonValue

from measure.evals.examples import NoExampleError, example
from measure.utterances.utterance_set import Utterance

_TESTS = {"pattern": "$pattern", "minimum": "$gte", "maximum": "$lte", "minLength": "$length"}


def oracle_arguments(said: Utterance, tool: str, schema: JsonValue) -> dict[str, JsonValue]:
    """Give the expected arguments, and for what the schema requires besides, values that fit it.

    Of an acceptable tool nothing is expected but its schema. Raises NoExampleError where no value is found.
    """
    expected = dict(said.arguments or {}) if tool == said.tool else {}
    given = example(expected, schema)
    if not isinstance(given, dict):
        raise NoExampleError("what is expected of the arguments is no object")
    if not isinstance(schema, dict):
        return given
    properties, required = schema.get("properties"), schema.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in given:
            of_name = properties.get(name) if isinstance(properties, dict) else None
            given[name] = example(_test_of(of_name), of_name)
    return given


def _test_of(schema: JsonValue) -> dict[str, JsonValue]:
    """An expectation that leads to a value that the schema takes."""
    if isinstance(schema, dict) and not schema.keys() & {"enum", "const", "default", "examples"}:
        for key, operator in (
            ("pattern", "$pattern"),
            ("minimum", "$gte"),
            ("maximum", "$lte"),
            ("minLength", "$length"),
        ):
            if key in schema:
                return {operator: schema[key]}
    return {"$any": True}
