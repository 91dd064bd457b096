from collections import Counter

import pytest
from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from hypothesis import given
from hypothesis import strategies as st

from census.redaction import SIGNS, redact_json, redact_text, redact_value

# Made up here, in the vendors' documented shapes.
SECRETS = {
    "AWS Access Key": "AKIA" + "Q7ZLM2X4N6P8R1T3",
    "GitHub Token": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "GitLab Token": "glpat-" + "x9Yz8Wv7Ut6Sr5Qp4On3",
    "Slack Token": "xoxb-" + "123456789012-abcdefghijkl",
    "Stripe Access Key": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "SendGrid API Key": "SG." + "ngeVfQFYQlKU0ufo8x5d1A" + "." + "TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr",
    "JSON Web Token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "PyPI Token": "pypi-AgEIcHlwaS5vcmc" + "A" * 72,
    "OpenAI Token": "sk-" + "a1B2c3D4e5F6g7H8i9J0" + "T3BlbkFJ" + "k1L2m3N4o5P6q7R8s9T0",
}


def redacted(text: str) -> tuple[str, dict[str, int]]:
    found: Counter[str] = Counter()
    return redact_text(text, found), dict(found)


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("Write to jo.doe+x@mail.example.com.", "Write to [e-mail].", {"e_mail": 1}),
        ("mailto:a@b.co.uk?subject=x", "mailto:[e-mail]?subject=x", {"e_mail": 1}),
        ("https://x.example/?to=jo%40mail.com&a=1", "https://x.example/?to=[e-mail]&a=1", {"e_mail": 1}),
        ("two: a@mail.com, b@mail.com", "two: [e-mail], [e-mail]", {"e_mail": 2}),
        ("jürgen@müller.de schreibt", "[e-mail] schreibt", {"e_mail": 1}),
        ("https://jo:pw@shop.example/cart", "https://shop.example/cart", {"user_info": 1}),
        ("https://token@shop.example/", "https://shop.example/", {"user_info": 1}),
        ("wss://jo@shop.com/a@b", "wss://shop.com/a@b", {"user_info": 1}),
        ("https://x.example/?token=abcdefgh&p=2", "https://x.example/?token=[secret]&p=2", {"secret": 1}),
        ("https://x.example/#access_token=abcdefgh12", "https://x.example/#access_token=[secret]", {"secret": 1}),
        ("/a?X-Amz-Signature=0123456789abcdef", "/a?X-Amz-Signature=[secret]", {"secret": 1}),
        (
            "k -----BEGIN RSA PRIVATE KEY-----\nMIIEpAIB\n-----END RSA PRIVATE KEY----- e",
            "k [secret] e",
            {"secret": 1},
        ),
        ("-----BEGIN PRIVATE KEY-----\nMIIEpAIB and cut he", "[secret]", {"secret": 1}),
    ],
)
def test_what_no_release_may_hold_is_replaced_and_counted(text: str, expected: str, found: dict[str, int]) -> None:
    assert redacted(text) == (expected, found)


@pytest.mark.parametrize(
    "text",
    [
        "https://cdn.example/logo@2x.png",
        "https://cdn.example/npm/vue@3.2.1/dist/vue.js",
        "https://cdn.example/npm/@scope/pkg@1.0.0/index.mjs",
        "https://cdn.example/npm/app@1.0.0.min.js",
        "https://social.example/@alice",
        "an @ alone, a@b, and @decorator",
        "https://shop.example/?key=red&token=2",
        "https://shop.example/?monkey=abcdefghijk",
        "The token= of a page is described here.",
        "task-1234567890123456789012345",
        "eyJ is how base64 of an object begins",
        "https://shop.example:8443/a:b@c",
    ],
)
def test_what_only_looks_a_little_like_it_stays(text: str) -> None:
    assert redacted(text) == (text, {})


@pytest.mark.parametrize("kind", SECRETS)
def test_tokens_of_known_shapes_are_taken_out_of_texts_urls_and_json(kind: str) -> None:
    token = SECRETS[kind]
    assert redacted(f"use {token} here") == ("use [secret] here", {"secret": 1})
    assert token not in redacted(f"https://x.example/{token}/x.js")[0]
    found: Counter[str] = Counter()
    assert token not in redact_json(f'{{"default":"{token}"}}', found)


@pytest.mark.parametrize("kind", SECRETS)
def test_what_another_library_finds_in_a_text_it_finds_no_more_afterwards(kind: str) -> None:
    detector = get_mapping_from_secret_type_to_class()[kind]()
    line = f"use {SECRETS[kind]} here"
    assert list(detector.analyze_string(line)), "the library must know the shape, or this shows nothing"
    assert list(detector.analyze_string(redacted(line)[0])) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Escapes: the letter after a backslash is no part of an address.
        (r'{"d":"line\nme@mail.com"}', r'{"d":"line\n[e-mail]"}'),
        (r'{"d":"tab\tme@mail.com\"q\""}', r'{"d":"tab\t[e-mail]\"q\""}'),
        ('{"me@mail.com":{"x":["you@mail.com",1,null,true]}}', '{"[e-mail]":{"x":["[e-mail]",1,null,true]}}'),
    ],
)
def test_json_stays_json(text: str, expected: str) -> None:
    assert redact_json(text, Counter()) == expected


def test_settings_are_redacted_as_values() -> None:
    found: Counter[str] = Counter()
    value = {"visit.user_agent": "Mozilla/5.0 webmcp-census/0.1.0 (me@mail.com)", "delay": 2.0, "list": [1, "x"]}
    assert redact_value(value, found) == {
        "visit.user_agent": "Mozilla/5.0 webmcp-census/0.1.0 ([e-mail])",
        "delay": 2.0,
        "list": [1, "x"],
    }
    assert found == {"e_mail": 1}


FRAGMENTS = st.lists(
    st.sampled_from(
        [*SECRETS.values(), "me@mail.com", "https://a:b@", "https://", "?token=", "&key=", "%40", "@", ".", "/", " ",
         "mail.com", "abcdefgh", "[secret]", "[e-mail]", "-----BEGIN PRIVATE KEY-----", "\n", "é", "'", '"']
    ),
    max_size=8,
).map("".join)  # fmt: skip


@given(FRAGMENTS)
def test_redacting_twice_finds_nothing_more(text: str) -> None:
    once, _ = redacted(text)
    assert redacted(once) == (once, {})


@given(FRAGMENTS)
def test_a_text_without_a_sign_holds_nothing(text: str) -> None:
    if not any(sign in text.lower() for sign in SIGNS):
        assert redacted(text) == (text, {})
