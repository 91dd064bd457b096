import pytest

from census.errors import CensusError
from crawler.names import NOT_FOUND, HostResolverRules


@pytest.mark.parametrize(
    ("rules", "host", "address"),
    [
        ("", "a.localhost", "127.0.0.1"),
        ("", "LOCALHOST.", "127.0.0.1"),
        ("", "example.org", None),
        ("MAP *.test 127.0.0.1", "a.test", "127.0.0.1"),
        ("MAP *.test 127.0.0.1", "a.example", None),
        ("MAP gone.test ~NOTFOUND, MAP *.test 127.0.0.1", "gone.test", NOT_FOUND),
        ("MAP * ~NOTFOUND, EXCLUDE *.org", "example.org", None),
        ("MAP * ~NOTFOUND", "x.localhost", NOT_FOUND),
    ],
)
def test_the_first_matching_rule_decides_and_exclusions_win(rules, host, address):
    assert HostResolverRules(rules).resolve(host) == address


def test_a_rule_that_cannot_be_read_is_named():
    with pytest.raises(CensusError, match="cannot read 'MAPP a b'"):
        HostResolverRules("MAP *.test 127.0.0.1, MAPP a b")
