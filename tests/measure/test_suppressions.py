"""Accepted findings: one file, a reason for each, and none that nobody needs."""

import pytest

from census.errors import CensusError
from census.finding import Finding, Severity
from measure.suppressions import SUPPRESSIONS, Suppressions

RULES = ("descriptions/thin", "names/long", "page/insecure")


def finding(tool: str | None = "get_price", rule: str = "descriptions/thin") -> Finding:
    return Finding(rule=rule, severity=Severity.ERROR, tool=tool, message="m", remedy="r")


@pytest.fixture
def read(tmp_path):
    def read(text: str) -> Suppressions:
        path = tmp_path / "accepted.toml"
        path.write_text(text)
        return Suppressions.read(path, RULES)

    return read


def entry(**keys: str) -> str:
    return "[[suppress]]\n" + "".join(f'{key} = "{value}"\n' for key, value in keys.items())


@pytest.mark.parametrize(
    ("keys", "of", "sources", "accepted"),
    [
        ({}, finding(), ("a.json",), True),
        ({}, finding(None), ("a.json",), True),
        ({}, finding(rule="names/long"), ("a.json",), False),
        ({"tool": "get_*"}, finding(), ("a.json",), True),
        ({"tool": "get_*"}, finding("put_price"), ("a.json",), False),
        ({"tool": "GET_*"}, finding(), ("a.json",), False),
        ({"tool": "*"}, finding(None), ("a.json",), False),
        ({"page": "https://shop.example/*"}, finding(), ("https://shop.example/a/b?c",), True),
        ({"page": "https://shop.example/*"}, finding(), ("https://other.example/",), False),
        ({"page": "*/final"}, finding(), ("https://a.example/", "https://a.example/final"), True),
        ({"page": "manifests/*.json", "tool": "get_price"}, finding(), ("manifests/a.json",), True),
    ],
)
def test_what_a_suppression_covers(read, keys, of, sources, accepted):
    found = read(entry(rule="descriptions/thin", **keys, reason="legal wrote it")).reason(of, sources)
    assert found == ("legal wrote it" if accepted else None)


def test_the_first_that_covers_gives_the_reason(read):
    text = entry(rule="descriptions/thin", tool="x", reason="one") + entry(rule="descriptions/thin", reason="two")
    suppressions = read(text)
    assert suppressions.reason(finding("y"), ()) == "two"
    assert suppressions.reason(finding("x"), ()) == "one"


def test_those_that_accept_nothing_are_told(read):
    text = entry(rule="descriptions/thin", reason="a") + entry(rule="names/long", tool="q*", reason="b")
    suppressions = read(text)
    suppressions.reason(finding(), ())
    (said,) = suppressions.unused()
    assert "entry 2 (names/long, tool q*) accepts nothing here" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (entry(rule="descriptions/thin"), "entry 1: `reason` is missing"),
        (entry(rule="descriptions/thin", reason="  "), "entry 1: `reason`"),
        (entry(rule="descriptions/thin", reason="a") + entry(reason="x"), "entry 2: `rule` is missing"),
        (entry(rule="descriptions/thin", reason="a", until="2027"), "entry 1: `until` is no key of a suppression"),
        ("[[supress]]\nrule = 'x'\n", "'supress' is no key of it"),
        ("suppress = 5", "begins with a line `\\[\\[suppress\\]\\]`, in two brackets"),
        ("[suppress]\nrule = 'descriptions/thin'\nreason = 'a'\n", "in two brackets"),
        ("suppress = [1]", "entry 1 is no table of keys"),
        ("[[suppress", "are not TOML"),
        (entry(rule="descriptions/thinn", reason="a"), "entry 1: .* did you mean descriptions/thin\\?"),
        (entry(rule="zzz", reason="a"), "there is no rule 'zzz'; docs/rules.md lists them"),
    ],
)
def test_a_wrong_file_is_refused_naming_the_place(read, text, says):
    with pytest.raises(CensusError, match=says) as caught:
        read(text)
    assert "accepted.toml" in str(caught.value)


def test_an_empty_file_accepts_nothing(read):
    assert read("").reason(finding(), ()) is None


def test_a_named_file_must_be_there(tmp_path):
    with pytest.raises(CensusError, match="cannot be read"):
        Suppressions.named_or_default(tmp_path / "none.toml", RULES)


def test_the_working_directory_has_the_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert Suppressions.named_or_default(None, RULES).reason(finding(), ()) is None
    SUPPRESSIONS.write_text(entry(rule="descriptions/thin", reason="here"))
    assert Suppressions.named_or_default(None, RULES).reason(finding(), ()) == "here"
