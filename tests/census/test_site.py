"""Expectations from the public-suffix list's rules, RFC 6761 and UTS 46."""

import pytest

from census.site import same_site, site_of


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.example.co.uk/a", "example.co.uk"),
        ("https://a.vercel.app/", "a.vercel.app"),
        ("https://b.a.vercel.app/", "a.vercel.app"),
        ("http://x.localhost:8080/", "x.localhost:8080"),
        ("https://localhost/", "localhost:443"),
        ("http://10.0.0.1/", "10.0.0.1:80"),
        ("http://[::1]:81/", "[::1]:81"),
        ("https://www.MÜNCHEN.de/", "xn--mnchen-3ya.de"),
        ("https://www.xn--mnchen-3ya.de/", "xn--mnchen-3ya.de"),
        # A soft hyphen is ignored in names.
        ("https://a\u00adb.de/", "ab.de"),
    ],
)
def test_site(url: str, site: str) -> None:
    assert site_of(url) == site


@pytest.mark.parametrize("url", ["https:///x", "http://localhost:99999/"])
def test_a_url_without_a_host_or_a_possible_port_has_no_site(url: str) -> None:
    with pytest.raises(ValueError, match=r"host|[Pp]ort"):
        site_of(url)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.example.org", "https://b.example.org", True),
        ("https://a.example.org", "http://a.example.org", False),
        ("http://127.0.0.1:1", "http://127.0.0.1:2", True),
        ("http://127.0.0.1:1", "http://127.0.0.2:1", False),
        ("http://x.a.localhost", "http://a.localhost", True),
        ("http://a.localhost", "http://b.localhost", False),
    ],
)
def test_same_site_as_browsers_have_it(one: str, other: str, same: bool) -> None:
    assert same_site(one, other) is same
