import json

import pytest

from measure.evals.lint import lint_suite
from measure.evals.place_lines import PlaceLines
from measure.evals.suite import read_suite
from measure.lint.manifest import ManifestTool
from tests.measure.evals.plans import ASKED, call

SCHEMA = {
    "type": "object",
    "properties": {
        "size": {"type": "string", "enum": ["S", "M"]},
        "count": {"type": "integer", "minimum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
        "to": {
            "type": "object",
            "properties": {"zip": {"type": "string"}, "city": {"type": "string"}},
            "required": ["city"],
        },
        "required": {"type": "boolean"},
        "free": {},
    },
    "required": ["size"],
}
TOOLS = (ManifestTool("order", "Orders.", input_schema=SCHEMA), ManifestTool("look", "Looks."))
NEGATIVE = {"messages": [{"role": "user", "content": "Nothing."}], "expectedCall": None, "request": "direct"}


def findings(*cases, tools=TOOLS, **suite):
    asked = [
        {"messages": [{"role": "user", "content": f"Case {n}."}], "request": "direct", **each}
        for n, each in enumerate(cases)
    ]
    text = json.dumps({"cases": [*asked, NEGATIVE], **suite})
    return lint_suite(read_suite(text, "suite.json"), tools)


def rules(*cases, **more):
    return [each.rule.removeprefix("evals/") for each in findings(*cases, **more)]


def expecting(*nodes, **more):
    return {"expectedCall": list(nodes), **more}


def test_a_good_suite_has_no_findings():
    assert rules(expecting(call("order", {"size": "S", "to": {"zip": "1"}, "tags": ["a"]}), call("look"))) == []


@pytest.mark.parametrize(
    "case",
    [
        expecting(call("ordr")),
        expecting({"unordered": [{"ordered": [call("ordr")]}]}),
        expecting(call("order"), forbidden=[call("pay")]),
        expecting(call("order"), drive=[call("login")]),
        expecting(call("order"), mocks=[call("login", result=1)]),
        expecting(call("order"), limits={"ordr": {"max": 1}, "*": {"max": 9}}),
        expecting(call("order"), harmless=["ordr"]),
    ],
)
def test_a_name_that_no_tool_has(case):
    assert rules(case) == ["unknown-tool"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"size": "XL"},
        {"count": "1"},
        {"count": 0},
        {"tags": "a"},
        {"tags": [1]},
        {"to": {"zip": 90210}},
        {"required": ["size"]},
        {"size": {"$eq": "XL"}},
    ],
)
def test_arguments_that_the_schema_refuses(arguments):
    assert rules(expecting(call("order", arguments))) == ["arguments-do-not-fit"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"count": 1},
        {"to": {"zip": "1"}},
        {"tags": [{"$any": True}, 7]},
        {"free": {"any": ["thing"]}},
        {"size": {"$in": ["S", "XL"]}},
        {"required": True},
    ],
)
def test_what_is_not_expected_is_not_missed_and_operators_are_not_values(arguments):
    assert rules(expecting(call("order", arguments))) == []


@pytest.mark.parametrize("arguments", [{"colour": "red"}, {"to": {"street": "x"}}])
def test_an_argument_that_the_schema_does_not_have(arguments):
    assert rules(expecting(call("order", arguments))) == ["unknown-argument"]


def test_a_schema_that_takes_more_has_every_argument():
    tools = (ManifestTool("order", "Orders.", input_schema={**SCHEMA, "additionalProperties": True}),)
    assert rules(expecting(call("order", {"colour": "red"})), tools=tools) == []


@pytest.mark.parametrize("test", [{"$contains": "1"}, {"$pattern": "1"}, {"$type": "string"}, {"$length": 1}])
def test_an_operator_for_another_type_never_holds(test):
    assert rules(expecting(call("order", {"count": test}))) == ["never-holds"]
    assert rules(expecting(call("order", {"free": test}))) == []


@pytest.mark.parametrize("test", [{"$gt": 1}, {"$type": "number"}, {"$in": [1]}, {"$close": {"value": 1, "within": 0}}])
def test_an_operator_for_this_type_may_hold(test):
    assert rules(expecting(call("order", {"count": test}))) == []


def dated(text, date="2026-01-20", **more):
    return expecting(call("order", {"free": date}), messages=[{"role": "user", "content": text}], **more)


@pytest.mark.parametrize("words", ["tomorrow", "tonight", "this coming Friday", "next week", "in 3 days", "last month"])
def test_a_fixed_date_for_a_day_that_moves(words):
    assert rules(dated(f"Book it {words}.")) == ["relative-date"]


def test_not_where_the_day_is_pinned_or_given_or_no_date_is_fixed():
    assert rules(dated("Book it tomorrow.", clock="2026-01-19")) == []
    assert rules(dated("Book it tomorrow."), clock="2026-01-19") == []
    assert rules(dated("Book it on 2026-01-20, which is tomorrow.")) == []
    assert rules(dated("Book it for 20 January 2026.")) == []
    assert rules(dated("Book it tomorrow.", {"$type": "string"})) == []


def test_two_cases_that_ask_the_same():
    one, other = (expecting(call("order", {"size": size}), messages=ASKED) for size in ("S", "M"))
    assert rules(one, one) == ["same-prompt"]
    assert rules(one, other) == ["contradiction"]
    shouting = {**one, "messages": [{"role": "user", "content": " PLEASE. "}]}
    assert rules(one, shouting) == ["same-prompt"]
    elsewhere = {**one, "drive": [call("look")]}
    assert rules(one, elsewhere) == []


def test_a_case_that_cannot_pass():
    assert rules(expecting(call("order"), forbidden=[call("order")])) == ["cannot-pass"]
    assert rules(expecting(call("order", {"size": "S"}), forbidden=[call("order", {"size": "M"})])) == []
    assert rules(expecting(call("order"), call("order"), limits={"order": {"max": 1}})) == ["cannot-pass"]
    assert rules(expecting(call("order"), call("look", optional=True), limits={"*": {"max": 1}})) == []


def test_a_value_that_nothing_gives():
    taking = [call("look", id="l"), call("order", {"free": {"$from": "l#/id"}})]
    assert rules(expecting(*taking)) == ["nothing-to-take"]
    assert rules(expecting(*taking, mocks=[call("look", result={"id": 1})])) == []
    given = [call("look", id="l", mockOutput={"id": 1}), taking[1]]
    assert rules(expecting(*given)) == []


def test_a_suite_in_which_something_is_always_called():
    text = json.dumps([{"messages": ASKED, "expectedCall": [call("order")], "request": "direct"}])
    assert [each.rule for each in lint_suite(read_suite(text, "s"), TOOLS)] == ["evals/no-negative"]


def test_requests_that_do_not_say_how_direct_they_are_are_one_finding():
    case = {"messages": ASKED, "expectedCall": None}
    found = lint_suite(read_suite(json.dumps([case]), "s"), TOOLS)
    assert [(each.rule, each.severity.value) for each in found] == [("evals/untagged-request", "note")]


def test_without_tools_names_and_arguments_are_not_judged():
    assert rules(expecting(call("anything", {"size": "XL"})), tools=None) == []


def test_a_finding_says_where_and_the_worst_comes_first():
    found = findings(dated("Book it tomorrow."), expecting(call("ordr")))
    assert [each.severity.value for each in found] == ["error", "warning"]
    assert "'ordr'" in found[0].message
    assert (found[0].case, found[0].place) == ("Case 1.", "cases[1].expectedCall[0]")


TEXT = """{
  "cases": [
    {
      "messages": [{"role": "user", "content": "x"}],
      "expectedCall": [
        {"unordered": [
          {"functionName": "a"},
          {"functionName": "b", "arguments": {"x/y": {"$gt": 1}}}
        ]}
      ]
    }
  ]
}"""


@pytest.mark.parametrize(
    ("place", "pointer", "line"),
    [
        ("cases[0]", "/cases/0", 3),
        ("cases[0].expectedCall[0].unordered[1]", "/cases/0/expectedCall/0/unordered/1", 8),
        (
            "cases[0].expectedCall[0].unordered[1].arguments.x/y",
            "/cases/0/expectedCall/0/unordered/1/arguments/x~1y",
            8,
        ),
        ("cases[0].expectedCall[0].unordered[1].nothing", "/cases/0/expectedCall/0/unordered/1", 8),
        ("cases[7]", "/cases", None),
        ("", "", None),
    ],
)
def test_a_place_has_a_pointer_and_a_line(place, pointer, line):
    assert PlaceLines(TEXT).find(place) == (pointer, line)


def test_in_a_list_of_cases_the_pointer_begins_with_the_case():
    assert PlaceLines("\ufeff[\n{},\n{}]").find("cases[1]") == ("/1", 3)
