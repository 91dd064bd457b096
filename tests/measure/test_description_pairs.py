"""Pairs, on pages of our own: what was measured on one page must not hang on that page's words."""

import pytest

from census.finding import Severity
from measure.lint.examples import manifest, tool
from measure.lint.linting import lint

PAIR = "descriptions/indistinguishable-pair"
UNANCHORED = "descriptions/unanchored-pair"

VAGUE = "Deals with what is on the page and returns a result for it."
OTHERWISE = "Handles what is on the page and gives an outcome for it."
GOOD = "Cancels the booking with the given number and frees the seats. Use when the user can no longer come."


def fired(*tools):
    return {finding.rule: finding for finding in lint(manifest(*tools)) if finding.rule.startswith("descriptions/")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cancel_booking", "cancelBooking_v2"),
        ("cancel_booking", "CancelBookings"),
        ("remove_booking", "delete_booking"),
        ("get-seat-map", "show_seat_map"),
        ("calc_fare", "calculateFare"),
        ("seat.map.show", "map_seat_show_v2"),
        ("organise_trip", "organizeTrip"),
    ],
)
def test_close_names_in_any_style_with_vague_descriptions_are_an_error(one, other):
    finding = fired(tool(one, VAGUE), tool(other, OTHERWISE))[PAIR]
    assert finding.severity is Severity.ERROR
    assert finding.tool == other
    assert finding.pointer == "/1/description"
    assert f"`{one}`" in finding.message
    assert f"`{other}`" in finding.message
    assert f"`{one}`" in finding.remedy
    assert f"`{other}`" in finding.remedy


def test_descriptions_that_say_only_two_names_of_one_thing_again_tell_nothing_apart():
    found = fired(tool("getUser", "Gets the user."), tool("fetch_user", "Fetches a user."))
    assert found[PAIR].severity is Severity.ERROR
    apart = fired(tool("getUser", "Gets the user."), tool("fetch_user", "Fetches a user by the e-mail address."))
    assert PAIR not in apart


def test_one_good_description_is_enough_to_tell_two_tools_apart():
    assert PAIR not in fired(tool("cancel_booking", GOOD), tool("cancelBookings", VAGUE))
    assert PAIR not in fired(tool("cancel_booking", VAGUE), tool("cancelBookings", GOOD))


def test_two_good_identical_descriptions_are_a_duplicate_and_no_error():
    found = fired(tool("cancel_booking", GOOD), tool("cancelBookings", GOOD))
    assert PAIR not in found
    assert found["descriptions/duplicate"].severity is Severity.WARNING


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cancel_booking", "create_booking"),
        ("open_door_1", "open_door_2"),
        ("show_seats", "show_fares"),
        ("booking", "booking_history"),
        ("set_size", "set_style"),
    ],
)
def test_vague_descriptions_under_names_of_different_things_are_no_error(one, other):
    found = fired(tool(one, VAGUE), tool(other, VAGUE))
    assert PAIR not in found
    assert UNANCHORED not in found


def test_vague_descriptions_without_a_word_in_common_are_a_warning():
    found = fired(tool("cancel_booking", VAGUE), tool("cancelBookings", "Covers various duties, as appropriate."))
    assert PAIR not in found
    assert found[UNANCHORED].severity is Severity.WARNING


def test_a_few_words_in_common_are_enough_for_an_error():
    found = fired(
        tool("cancel_booking", VAGUE), tool("cancelBookings", "Covers various duties on the page, as is fit.")
    )
    assert found[PAIR].severity is Severity.ERROR
    assert UNANCHORED not in found


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ("Deals with what is on the page, by its reference.", {"reference": {"type": "string"}}),
        ("Deals with what is refundable on the page.", {"kind": {"enum": ["refundable", "fixed"]}}),
        ("Deals with what the page calls 'Reservation'.", {}),
        ("Deals with what is on the page under its PNR.", {}),
        ("Deals with what is on the page. Use when nobody can come.", {}),
    ],
)
def test_a_parameter_a_value_or_something_literal_anchors_a_description(text, properties):
    assert PAIR not in fired(tool("cancel_booking", text, properties), tool("cancelBookings", VAGUE))


def test_a_title_anchors_a_description():
    titled = tool("cancel_booking", "Deals with the reservations on the page.", title="Reservations")
    assert PAIR not in fired(titled, tool("cancelBookings", VAGUE))


def test_japanese_descriptions_under_english_names():
    vague = "ページの内容を処理して結果を返します。"
    assert PAIR in fired(tool("cancel_booking", vague), tool("cancelBookings", vague))
    assert PAIR in fired(
        tool("cancel_booking", vague), tool("cancelBookings", "ページの内容を処理し、結果を返します。")
    )
    told_apart = "予約番号を指定して予約を一件取り消し、座席を解放します。"
    assert PAIR not in fired(tool("cancel_booking", told_apart), tool("cancelBookings", vague))


def test_long_identical_japanese_descriptions_are_no_error():
    good = (
        "指定した予約番号の予約を取り消し、座席を解放して、取消手数料と返金予定日を返します。"
        "利用者が来られなくなった場合に使います。"
    )
    assert PAIR not in fired(tool("cancel_booking", good), tool("cancelBookings", good))


def test_three_of_a_kind_are_reported_once_each():
    findings = lint(manifest(*(tool(name, VAGUE) for name in ("showOrders", "list_orders", "get-orders"))))
    assert [finding.tool for finding in findings if finding.rule == PAIR] == ["list_orders", "get-orders"]


def test_near_duplicates_in_a_script_without_spaces():
    one, other = "商品の一覧を新しい順に表示します。", "商品の一覧を安い順に表示します。"
    assert "descriptions/near-duplicate" in fired(tool("newest", one), tool("cheapest", other))
    assert "descriptions/near-duplicate" not in fired(
        tool("newest", one), tool("weather", "今日の天気を地域ごとに教えます。")
    )


def test_texts_that_differ_by_what_the_names_differ_by_are_no_near_duplicates():
    texts = ("Opens the first mystery door of the hall.", "Opens the second mystery door of the hall.")
    assert "descriptions/near-duplicate" not in fired(tool("openDoor1", texts[0]), tool("openDoor2", texts[1]))


def test_a_confusable_pair_is_not_reported_as_a_duplicate_too():
    found = fired(tool("cancel_booking", VAGUE), tool("cancelBookings", VAGUE))
    assert PAIR in found
    assert "descriptions/duplicate" not in found
    assert "descriptions/near-duplicate" not in found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("search_products", "Search for products in our store."), ("find_products", "Find products in the store.")),
        (("get_user", "Gets user data from the system."), ("fetchUser", "Fetches the user data from the system.")),
    ],
)
def test_one_thing_said_with_another_verb_is_a_near_duplicate(one, other):
    """Each text holds the words of its name, and a model still has nothing to choose by; no measured error, though."""
    found = fired(tool(*one), tool(*other))
    assert found["descriptions/near-duplicate"].severity is Severity.WARNING
    assert found["descriptions/near-duplicate"].tool == other[0]
    assert PAIR not in found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("search_products", "Searches products."), ("find_products", "Finds products by the barcode on their box.")),
        (("search_products", "Searches products in stock."), ("find_products", "Finds products not in stock.")),
        (("search_products", "Searches products."), ("find_shops", "Finds products.")),
        (("add_product", "Adds a product."), ("remove_product", "Removes a product.")),
    ],
)
def test_what_one_says_more_or_otherwise_tells_two_apart(one, other):
    assert "descriptions/near-duplicate" not in fired(tool(*one), tool(*other))


@pytest.mark.parametrize("text", ["undefined", "null", "[object Object]", "Shows [object Object]."])
def test_what_javascript_writes_for_a_missing_text_is_a_placeholder(text):
    assert "descriptions/placeholder" in fired(tool("show_cart", text))


def test_words_that_programs_use_are_no_placeholders():
    text = "Finds every undefined or null value in the sheet. Use when the user looks for gaps."
    assert "descriptions/placeholder" not in fired(tool("find_gaps", text))
