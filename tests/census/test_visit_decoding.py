import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, JsonValue

from census.tables import build_tables
from census.visit import Event, OriginTrial, ScriptEvidence, Visit
from census.visit_decoding import decode_visit
from census.vocabulary import Outcome
from tests.census.factories import NOON, captured, child, failed, item, tool, top

VISITS = [
    captured(
        "https://shop.example/#/cart",
        documents=[top(item("a", None), on_request=(item("b", "top.0"),)), child(item("b", "top.0"))],
        tools=[tool("a", annotations={"readOnly": True}), tool("b", "top.0")],
        script_evidence=ScriptEvidence(old_names=("navigator.modelContext",), unread=1),
        origin_trials=(OriginTrial(feature="WebMCP", status="Success", expires_at=NOON),),
        headers={"permissions-policy": "tools=()"},
        events=(Event(at_ms=1, what="load"),),
    ),
    captured("https://plain.example/"),
    failed("https://gone.example/", Outcome.DNS_ERROR, browser=None),
]


def plain(value: object) -> object:
    """A decoded record as plain values, whatever its class."""
    fields = getattr(value, "__struct_fields__", None) or getattr(type(value), "model_fields", None)
    if fields is not None:
        return {name: plain(getattr(value, name)) for name in fields}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value


@pytest.mark.parametrize("visit", VISITS, ids=lambda visit: visit.target.site)
def test_a_decoded_record_has_the_models_values(visit: Visit) -> None:
    decoded = decode_visit(visit.model_dump_json().encode())
    assert plain(decoded) == plain(visit)
    assert type(decoded.outcome) is Outcome
    assert (decoded.target.key, decoded.target.site) == (visit.target.key, visit.target.site)


def test_it_is_read_without_the_model() -> None:
    assert not isinstance(decode_visit(VISITS[0].model_dump_json().encode()), BaseModel)


def test_the_tables_are_the_same() -> None:
    decoded = [decode_visit(visit.model_dump_json().encode()) for visit in VISITS]
    from_models, from_records = build_tables(VISITS, [], VISITS), build_tables(decoded, [], decoded)
    for name, table in from_models.items():
        assert from_records[name].equals(table)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(JSON)
def test_a_schema_is_read_as_the_model_reads_it(schema: JsonValue) -> None:
    visit = captured(tools=[tool("a", input_schema={"x": schema})])
    text = visit.model_dump_json().encode()
    decoded, model = decode_visit(text), Visit.model_validate_json(text)
    assert repr(decoded.browser_tools[0].input_schema) == repr(model.browser_tools[0].input_schema)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-20],
        lambda text: b"{}",
        lambda text: text.replace(b'"attempt":1', b'"attempt":"one"'),
        lambda text: text.replace(b'"captured"', b'"caught"'),
        lambda text: text.replace(b'"attempt":1', b'"attempt":1,"surprise":1'),
    ],
)
def test_what_is_no_record_is_an_error(damage) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="Visit"):
        decode_visit(damage(VISITS[0].model_dump_json().encode()))
