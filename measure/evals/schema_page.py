"""The JSON Schema of a suite's file, made from the models that read it."""

import json

from measure.evals.expected import FROM, REF
from measure.evals.operators import OPERATORS
from measure.evals.suite_file import SuiteFile


def schema_text() -> str:
    """`docs/eval.schema.json`.

    What an expected value may be is said in words: JSON Schema cannot tell the operand of `$eq` from an operator.
    """
    schema = SuiteFile.model_json_schema(by_alias=True)
    operators = [f"`{name}`: {operator.meaning}" for name, operator in OPERATORS.items()]
    operators += [
        f"`{FROM}`: the value that an earlier call gave, `id` or `id#/pointer`.",
        f"`{REF}`: what the suite's `definitions` have, `#/definitions/name`.",
    ]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "$comment": "An object whose keys all begin with $ is a test in the place of a value. " + " ".join(operators),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")  # noqa: T201 -- `make docs` redirects it
