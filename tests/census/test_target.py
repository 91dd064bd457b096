import pytest
from pydantic import ValidationError

from census.target import Target, target_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/x/", "https://a.example/x"),
        ("https://a.example", "https://A.example:443/"),
        ("http://a.example:80/?q=1", "HTTP://a.example/?q=1"),
        ("https://a.example/#part", "https://a.example/"),
        ("https://a.example./", "https://a.example/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ],
)
def test_two_spellings_of_one_target(one: str, other: str) -> None:
    assert target_key(one) == target_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.example/#/cart", "https://a.example/"),
        ("https://a.example/#!cart", "https://a.example/#!pay"),
        ("https://a.example/", "http://a.example/"),
        ("https://a.example/", "https://a.example:8443/"),
        ("https://a.example/X", "https://a.example/x"),
        ("https://a.example/?q=1", "https://a.example/?q=2"),
        ("https://me@a.example/", "https://a.example/"),
    ],
)
def test_two_targets(one: str, other: str) -> None:
    assert target_key(one) != target_key(other)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://a.example/", "not an http"),
        ("https:///x", "no host"),
        ("https://a.example:x/", "Port"),
        ("https://a.example/a b", "white space"),
        ("https://[::1/", "Invalid IPv6"),
    ],
)
def test_what_is_no_target_is_said(url: str, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Target(url=url)
