import asyncio

import pytest

from census.vocabulary import Outcome
from crawler.addresses import is_public, literal_address, refuse_private

PUBLIC = ["1.1.1.1", "93.184.216.34", "172.15.255.255", "172.32.0.1", "192.169.0.1", "100.63.0.1", "100.128.0.1",
          "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1"]  # fmt: skip
PRIVATE = {
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd12:3456::1"],
    "link-local, clouds' metadata included": ["169.254.0.1", "169.254.169.254", "fe80::1", "fe80::1%eth0"],
    "site-local": ["fec0::1"],
    "carrier-grade NAT": ["100.64.0.1", "100.127.255.255"],
    "unspecified": ["0.0.0.0", "0.1.2.3", "::"],
    "multicast": ["224.0.0.1", "239.1.1.1", "ff02::1", "ff0e::1"],
    "reserved": ["240.0.0.1", "255.255.255.255", "192.0.0.1", "198.18.0.1"],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    "IPv4 mapped into IPv6": ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:7f00:1"],
    "IPv4 behind NAT64": ["64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1"],
    "IPv4 in 6to4 and Teredo": ["2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:80ff:fffe"],
    "IPv4-compatible IPv6": ["::127.0.0.1", "::10.0.0.1"],
}


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_public_internet_may_be_reached(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "address", [pytest.param(each, id=f"{kind}: {each}") for kind, found in PRIVATE.items() for each in found]
)
def test_any_other_address_may_not(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "127.0.0.1"), ("[::1]", "::1"), ("fe80::1%eth0", "fe80::1"), ("example.org", None), ("", None)],
)
def test_a_host_is_an_address_or_a_name(host, address):
    assert literal_address(host) == address


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/", "http://10.0.0.1/", "http://[::1]/", "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/", "http://localhost/", "http://LOCALHOST./", "https://a.b.localhost/",
        "http://user:word@127.0.0.1/",
    ],
)  # fmt: skip
def test_a_url_that_says_itself_that_it_is_private_is_refused(url):
    refusal = asyncio.run(refuse_private(url))
    assert refusal is not None
    assert refusal.outcome is Outcome.ADDRESS_REFUSED
    assert "--allow-private" in refusal.detail


@pytest.mark.parametrize("url", ["https://example.org/", "http://1.1.1.1/", "https://localhost.example.org/"])
def test_other_urls_are_left_to_whoever_resolves_them(url):
    assert asyncio.run(refuse_private(url)) is None
