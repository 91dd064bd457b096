import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from measure.evals.operators import OPERATORS
from measure.evals.schema_page import schema_text
from tests.measure.evals.plans import ASKED, call

SCHEMA = json.loads(schema_text())


def test_the_schema_in_the_docs_is_the_one_that_the_models_give():
    assert Path("docs/eval.schema.json").read_text(encoding="utf-8") == schema_text()


def test_it_is_a_json_schema_that_says_what_every_operator_means():
    Draft202012Validator.check_schema(SCHEMA)
    assert [name for name in OPERATORS if f"`{name}`:" not in SCHEMA["$comment"]] == []


@pytest.mark.parametrize(
    ("value", "good"),
    [
        ([{"messages": ASKED, "expectedCall": None}], True),
        ([{"messages": ASKED, "expectedCall": [{"unordered": [{"ordered": [call("a", {"x": {"$gt": 1}})]}]}]}], True),
        ({"cases": [{"messages": ASKED, "expectedCall": [call("a", result=None, id="x")]}], "mocks": []}, True),
        ([{"messages": [{"role": "model", "name": "a", "arguments": {}}], "expectedCall": None}], True),
        ([{"messages": ASKED}], False),
        ([{"messages": ASKED, "expectedCall": [{"functionName": "a", "args": {}}]}], False),
        ([{"messages": ASKED, "expectedCall": [{"ordered": []}]}], False),
        ([{"messages": ASKED, "expectedCall": None, "requests": "direct"}], False),
        ({"case": []}, False),
        ([], False),
    ],
)
def test_it_takes_what_is_read_and_nothing_else(value, good):
    assert Draft202012Validator(SCHEMA).is_valid(value) is good
