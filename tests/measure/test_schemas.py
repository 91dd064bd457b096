"""What each kind of schema is, and is not, told off for. The expectations are JSON Schema's, not ours."""

import socket

import pytest

from census.vocabulary import Kind
from measure.lint.json_schema import pattern_fault, refusal
from measure.lint.linting import lint
from measure.lint.listed_values import listed_values
from measure.lint.manifest import Manifest, ManifestTool
from measure.lint.schema_walk import subschemas

TEXT = "Finds products by words and price. Use when the user looks for something to buy."


def rules(schema, text=TEXT):
    findings = lint(Manifest("page", (ManifestTool("lookup", text, input_schema=schema),)))
    return {finding.rule: finding for finding in findings if finding.rule.startswith("schemas/")}


def of_property(schema, *, required=False):
    return rules({"type": "object", "properties": {"value": schema}, "required": ["value"] if required else []})


@pytest.mark.parametrize(
    "schema",
    [
        {"enum": ["a", "b"]},
        {"const": "a"},
        {"anyOf": [{"type": "string"}, {"type": "number"}]},
        {"oneOf": [{"type": "string"}]},
        {"allOf": [{"type": "string"}]},
        {"type": ["string", "null"]},
        {"properties": {"a": {"type": "string"}}},
        {"items": {"type": "string"}},
    ],
)
def test_a_type_may_come_from_other_keywords(schema):
    assert "schemas/untyped" not in of_property(schema)


@pytest.mark.parametrize("schema", [{}, True, {"description": "a value"}, {"title": "Value", "default": 1}])
def test_a_property_that_takes_anything_is_untyped(schema):
    assert of_property(schema)["schemas/untyped"].pointer == "/0/inputSchema/properties/value"


def test_nested_properties_are_looked_at_too():
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": {"properties": {"inner": {}}}}}}
    assert rules(schema)["schemas/untyped"].pointer == "/0/inputSchema/properties/list/items/properties/inner"


def test_a_name_with_a_slash_is_escaped_in_the_pointer():
    schema = {"type": "object", "properties": {"a/b~c": {}}}
    assert rules(schema)["schemas/untyped"].pointer == "/0/inputSchema/properties/a~1b~0c"


def test_a_property_that_is_called_like_a_keyword_is_a_property():
    schema = {
        "type": "object",
        "properties": {
            "default": {"type": "string"},
            "enum": {"type": "string"},
            "required": {"type": "string"},
            "properties": {"type": "string"},
        },
    }
    assert not {"schemas/invalid", "schemas/default-contradicts", "schemas/nothing-fits"} & rules(schema).keys()


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"type": "objekt"}, "/0/inputSchema/type"),
        ({"type": "object", "required": "value"}, "/0/inputSchema/required"),
        ({"type": "object", "properties": {"a": []}}, "/0/inputSchema/properties/a"),
        ({"type": "object", "properties": {"a": {"minLength": -1}}}, "/0/inputSchema/properties/a/minLength"),
        ({"type": "object", "properties": {"a": {"type": "int"}}}, "/0/inputSchema/properties/a/type"),
    ],
)
def test_what_the_meta_schema_refuses_is_invalid(schema, pointer):
    assert rules(schema)["schemas/invalid"].pointer == pointer


def test_the_draft_that_a_schema_names_is_the_one_it_is_judged_by():
    bounds = {"type": "object", "properties": {"a": {"type": "number", "minimum": 1, "exclusiveMinimum": True}}}
    assert "schemas/invalid" in rules(bounds)
    assert "schemas/invalid" not in rules({"$schema": "http://json-schema.org/draft-04/schema#", **bounds})


@pytest.mark.parametrize("reference", ["#/$defs/a", "#", "#/properties/b", "#/$defs/with~1slash", "#anchored"])
def test_references_inside_the_schema_are_found(reference):
    schema = {
        "type": "object",
        "$defs": {"a": {"type": "string"}, "with/slash": {"type": "string"}, "c": {"$anchor": "anchored"}},
        "properties": {"value": {"$ref": reference}, "b": {"type": "string"}},
    }
    assert "schemas/unresolved-reference" not in rules(schema)


@pytest.mark.parametrize(
    "reference", ["#/$defs/b", "other.json", "https://schemas.example/a.json", "#/properties/value/x"]
)
def test_references_to_nothing_or_to_elsewhere_are_errors(reference):
    schema = {"type": "object", "$defs": {}, "properties": {"value": {"$ref": reference}}}
    assert rules(schema)["schemas/unresolved-reference"].pointer == "/0/inputSchema/properties/value/$ref"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 5, "maximum": 4},
        {"type": "string", "minLength": 3, "maxLength": 2},
        {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 1},
        {"type": "integer", "exclusiveMinimum": 5, "exclusiveMaximum": 5},
        {"type": "integer", "minimum": 5, "exclusiveMaximum": 5},
        {"type": "number", "exclusiveMinimum": 6, "maximum": 5},
        {"type": "string", "enum": []},
        {"type": "integer", "enum": ["1", "2"]},
        {"type": "string", "pattern": "^[0-9]+$", "enum": ["a", "b"]},
    ],
)
def test_schemas_that_take_no_value(schema):
    assert "schemas/nothing-fits" in of_property(schema)


@pytest.mark.parametrize("bounds", [{"minimum": 5, "maximum": 5}, {"exclusiveMinimum": 4, "maximum": 5}])
def test_bounds_that_leave_one_value_leave_one(bounds):
    assert "schemas/nothing-fits" not in of_property({"type": "integer", **bounds})


@pytest.mark.parametrize(
    ("schema", "contradicts"),
    [
        ({"type": "string", "default": "a", "enum": ["b"]}, True),
        ({"type": "integer", "default": 1.5}, True),
        ({"type": "integer", "default": 1.0}, False),
        ({"type": "string", "default": None}, True),
        ({"type": ["string", "null"], "default": None}, False),
        ({"type": "string", "pattern": "^a", "default": "b"}, True),
        ({"type": "string", "format": "date", "default": "tomorrow"}, True),
        ({"type": "string", "format": "date", "default": "2026-11-30"}, False),
        ({"$ref": "#/$defs/x", "default": 3}, False),
    ],
)
def test_defaults_are_held_against_their_schema(schema, contradicts):
    assert ("schemas/default-contradicts" in of_property(schema)) is contradicts


@pytest.mark.parametrize(
    ("pattern", "rule"),
    [
        ("([0-9]", "schemas/invalid-pattern"),
        ("*", "schemas/invalid-pattern"),
        ("(?P<year>[0-9]+)", "schemas/invalid-pattern"),  # Python's, not JavaScript's
        (r"^[\w-\.]+$", "schemas/pattern-not-unicode"),
        (r"^\-$", "schemas/pattern-not-unicode"),
        (r"^\p{L}+$", None),
        (r"^(?<year>\d{4})-\d{2}$", None),
        (r"^[a-z\d.-]+$", None),
    ],
)
def test_patterns_are_judged_as_javascript(pattern, rule):
    found = {name for name in of_property({"type": "string", "pattern": pattern}) if "pattern" in name}
    assert found == ({rule} if rule else set())


@pytest.mark.parametrize(
    ("pattern", "fires"),
    [
        (r"/^\d{5}$/", True),
        (r"/^\d{5}/i", True),
        (r"/[a-z]+$/", True),
        (r"/^(red|blue)$/", True),
        (r"/^[|]$/", True),
        (r"/^red|blue/", False),  # takes `blue/`
        (r"/price\$/", False),  # a dollar sign, taken as it is
        ("/products/[0-9]+/", False),
        (r"^/[a-z]+/$", False),
    ],
)
def test_the_slashes_of_a_javascript_literal_leave_nothing_that_fits(pattern, fires):
    assert ("schemas/pattern-delimiters" in of_property({"type": "string", "pattern": pattern})) is fires


def test_the_keys_of_pattern_properties_are_patterns():
    found = rules({"type": "object", "patternProperties": {"^x-": {"type": "string"}, "([0-9]": {"type": "string"}}})
    assert found["schemas/invalid-pattern"].pointer == "/0/inputSchema/patternProperties/([0-9]"
    assert "schemas/invalid-pattern" not in rules({"type": "object", "patternProperties": {"^x-": {"type": "string"}}})


@pytest.mark.parametrize(
    ("given", "meant"),
    [("Object", "object"), ("String", "string"), ("int", "integer"), ("float", "number"), ("any", None), (5, None)],
)
def test_what_is_no_type_is_told_with_the_type_that_is_meant(given, meant):
    found = of_property({"type": given})["schemas/invalid"]
    assert "is none of the types string, number, integer, boolean, object, array, null" in found.message
    assert "anyOf" not in found.message
    assert found.remedy.startswith(f'Write `"type": "{meant}"`.' if meant else "Mend that keyword")


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"sku": {"type": "string"}}, "/0/inputSchema/sku"),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "sku": {"type": "string"}}, "/0/inputSchema/sku"),
        ({"type": "object", "x-sku": {"type": "string"}}, None),
        ({"type": "object", "sku": "string"}, None),
        ({"type": "object", "$defs": {"sku": {"type": "string"}}}, None),
        ({"type": "object", "properties": {"sku": {"type": "string"}}}, None),
    ],
)
def test_a_parameter_outside_properties_is_none(schema, pointer):
    found = rules(schema).get("schemas/outside-properties")
    assert (found.pointer if found else None) == pointer


@pytest.mark.parametrize("pattern", ["^[0-9]{1,2}$", "^[1-9]$", "^[0-9a-z]$", "[2-5]-[0-9]"])
def test_ordinary_classes_are_no_number_ranges(pattern):
    assert "schemas/number-range-in-class" not in of_property({"type": "string", "pattern": pattern})


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('One of "asc" or "desc".', ["asc", "desc"]),
        ("Either 'km' or 'miles'", ["km", "miles"]),
        ('"true" or "false"', ["true", "false"]),
        ("'low', 'mid', 'high'.", ["low", "mid", "high"]),
        ("'low' or 'mid' of the range that the page shows", []),
        ('Use "add", "remove", or "toggle".', ["add", "remove", "toggle"]),
        ("Allowed values: low, medium, high.", ["low", "medium", "high"]),
        ("Sort order (asc|desc)", ["asc", "desc"]),
        ("Filter by state ('open', 'closed', 'all')", ["open", "closed", "all"]),
        ("A city ('Paris', 'Rome', etc.)", []),
        ("A city (e.g. 'Paris', 'Rome')", []),
        ("「昇順」または「降順」のいずれか", ["昇順", "降順"]),
        ('转换模式 "s2t" 或 "t2s"', ["s2t", "t2s"]),
        ("must be one of red, green or blue", ["red", "green", "blue"]),
        ("One of red, green, blue.", ["red", "green", "blue"]),
        ("one of many, which the page shows", []),
        ("The genre (e.g., horror, action, comedy).", []),
        ("The city, such as 'Paris' or 'Rome'.", []),
        ("Use codes, for example 'A1' or 'B2'.", []),
        ("Either the name or the number.", []),
        ("Must be today or in the future.", []),
        ("One of the categories that describe_dataset returned.", []),
        ("Must be 'a', 'b', etc.", []),
        ("", []),
    ],
)
def test_closed_lists_of_values_in_prose(text, values):
    assert listed_values(text) == values


def test_a_property_that_says_its_values_as_enum_needs_no_more():
    text = "Must be 'asc' or 'desc'."
    assert "schemas/no-enum" in of_property({"type": "string", "description": text})
    assert "schemas/no-enum" not in of_property({"type": "string", "description": text, "enum": ["asc", "desc"]})
    assert "schemas/no-enum" not in of_property({"type": "integer", "description": text})


def test_a_required_parameter_needs_a_description_unless_something_else_explains_it():
    assert "schemas/required-undescribed" in of_property({"type": "string"}, required=True)
    assert "schemas/required-undescribed" not in of_property({"type": "string"})
    assert "schemas/required-undescribed" not in of_property({"enum": ["a", "b"]}, required=True)
    assert "schemas/required-undescribed" not in of_property({"type": "string", "title": "Zip code"}, required=True)


def free(number):
    return {f"free{letter}": {"type": "string"} for letter in "abcdefghij"[:number]}


def test_over_parameterised_needs_three_blind_required_among_six_undescribed():
    def fires(properties, required):
        schema = {"type": "object", "properties": properties, "required": required}
        return "schemas/over-parameterised" in rules(schema)

    assert fires(free(6), ["freea", "freeb", "freec"])
    assert not fires(free(6), ["freea", "freeb"])
    assert not fires(free(5), ["freea", "freeb", "freec"])
    assert not fires({name: {"type": "string", "description": "Known."} for name in free(9)}, list(free(9)))
    assert not fires({name: {"type": "boolean"} for name in free(6)}, list(free(6)))


def test_latin1_is_the_browsers_trouble_and_other_scripts_are_not():
    def schema(text):
        return {"type": "object", "properties": {"value": {"type": "string", "description": text}}}

    assert "schemas/latin1-dropped" in rules(schema("Größe"))
    assert "schemas/latin1-dropped" not in rules(schema("Size"))
    assert "schemas/latin1-dropped" not in rules(schema("大きさ"))
    assert "schemas/latin1-dropped" not in rules(schema("Größe \u2013 in cm"))


def test_forms_are_not_blamed_for_what_the_browser_writes():
    schema = {"type": "object", "properties": {"time": {"type": "string", "format": "^[0-9]{2}:[0-9]{2}$"}}}
    form = ManifestTool("book", TEXT, input_schema=schema, kind=Kind.FORM)
    assert "schemas/format-is-pattern" not in {finding.rule for finding in lint(Manifest("page", (form,)))}
    assert "schemas/format-is-pattern" in rules(schema)


@pytest.mark.parametrize("pattern", ["^(a+)+$", "(x*)*y", "^(?=(a+)+$)b"])
def test_a_hostile_pattern_does_not_hold_the_rules_up(pattern):
    schema = {"type": "string", "pattern": pattern, "default": "a" * 5_000 + "!"}
    assert isinstance(refusal(schema, schema["default"]), str | None)


def test_a_remote_reference_is_never_fetched(monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    remote = {"$ref": "http://127.0.0.1:9/schema.json"}
    schema = {"type": "object", "properties": {"value": {**remote, "default": 1}}, **remote}
    assert "schemas/unresolved-reference" in rules(schema)


def test_a_lone_surrogate_in_a_pattern_is_judged_and_not_raised():
    assert pattern_fault("[\ud800") is not None


def test_the_walk_ends_on_a_schema_that_nests_for_ever():
    deep = {"type": "string"}
    for _ in range(20_000):
        deep = {"type": "object", "properties": {"inner": deep}}
    assert len(list(subschemas(deep))) < 100
    assert "schemas/too-deep" in rules(deep)


def test_keywords_beside_what_is_no_type_are_not_said_to_be_without_effect():
    """`"Object"` is the fault; that its `properties` do nothing would be false once it is mended."""
    found = rules({"type": "Object", "properties": {"n": {"type": "int", "minimum": 1}}})
    assert "schemas/invalid" in found
    assert "schemas/without-effect" not in found
    assert "schemas/without-effect" in of_property({"type": ["string", "null"], "minimum": 1})
