"""What somebody types, and which page it is."""

import pytest

from publish.lookup.question import Address, address_of, letters, question, same_page


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://shop.example/", Address("shop.example", None, "")),
        ("  shop.example ", Address("shop.example", None, "")),
        ("SHOP.example:443/Cart/", Address("shop.example", None, "/Cart")),
        ("http://shop.example:80/a?b=1#top", Address("shop.example", None, "/a?b=1")),
        ("http://shop.example:8080", Address("shop.example", 8080, "")),
        ("shop.example/#/cart", Address("shop.example", None, "#/cart")),
        ("shop.example#!cart", Address("shop.example", None, "#!cart")),
        ("localhost:3000/x", Address("localhost", 3000, "/x")),
        ("http://[::1]:3000/", Address("::1", 3000, "")),
        ("münchen.example", Address("xn--mnchen-3ya.example", None, "")),
        ("shop.example.", Address("shop.example", None, "")),
    ],
)
def test_an_address_is_read_as_an_address(text, address):
    assert question(text).address == address


@pytest.mark.parametrize(
    "text", ["", "Corner Shop", "add_to_cart", "ftp://shop.example/", "https://", "a@b.example", "http://a:99999/", "1"]
)
def test_what_is_no_address_is_a_name(text):
    assert question(text).address is None


def test_a_leading_www_and_the_scheme_tell_no_two_pages_apart():
    assert same_page(address_of("http://www.shop.example/a"), address_of("https://shop.example/a/"))
    assert not same_page(address_of("https://shop.example/a"), address_of("https://shop.example/b"))
    assert not same_page(address_of("https://shop.example/a"), address_of("https://shop.example/A"))
    assert not same_page(address_of("https://shop.example:444/a"), address_of("https://shop.example/a"))


def test_a_path_is_the_same_however_it_is_encoded():
    assert same_page(address_of("https://a.example/%3Cb%3E/ü"), address_of("https://a.example/<b>/%C3%BC"))
    assert letters("/%3Cb%3E/%C3%BC?Q=1") == letters("/<b>/ü?q=1") == "bq1"
    # The Kelvin sign is a K to `lower()`, and %E2%84%AA in a browser's URL.
    assert letters("/\u212a") == letters("/%E2%84%AA") == ""
