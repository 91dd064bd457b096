"""Tokens in an answer of `Page.getOriginTrials`, which the DevTools protocol describes."""

import pytest

from crawler.origin_trials import webmcp_tokens
from tests.sites.tokens import FAR, token


def judged(status: str, group: str, named: str | None, raw: str = "") -> dict:
    """An answer with one token: the trial that it stands under, and the one that its text names."""
    parsed = {
        "origin": "https://a.example:443", "matchSubDomains": False, "trialName": named, "expiryTime": FAR,
        "isThirdParty": False, "usageRestriction": "None",
    }  # fmt: skip
    with_status = {"rawTokenText": raw, "status": status} | ({"parsedToken": parsed} if named else {})
    return {"originTrials": [{"trialName": group, "status": "TrialNotAllowed", "tokensWithStatus": [with_status]}]}


def test_a_token_of_a_trial_that_the_browser_does_not_know_is_named_by_its_own_text():
    (found,) = webmcp_tokens(judged("UnknownTrial", "UNKNOWN", "WebMCPTesting"))
    assert (found.feature, found.status, found.origin) == ("WebMCPTesting", "UnknownTrial", "https://a.example:443")
    assert found.expires_at is not None
    assert found.expires_at.timestamp() == FAR


def test_a_token_without_a_good_signature_is_read_from_its_own_text():
    raw = token("https://b.example:443")
    (found,) = webmcp_tokens(judged("InvalidSignature", "UNKNOWN", None, raw))
    assert (found.feature, found.status, found.origin) == ("WebMCP", "InvalidSignature", "https://b.example:443")


@pytest.mark.parametrize("raw", ["", "no token!", "A" * 60, token(feature="FencedFrames")])
def test_what_names_another_feature_or_none_is_no_token_of_ours(raw):
    assert webmcp_tokens(judged("Malformed", "UNKNOWN", None, raw)) == ()
    assert webmcp_tokens(judged("Success", "FencedFrames", "FencedFrames", raw)) == ()
