from dataclasses import replace
from datetime import UTC, datetime

import pytest

from census.target import Target
from census.visit import ScriptEvidence, Visit
from census.vocabulary import Outcome, Pass
from crawler.passes import further_passes, sampled
from crawler.settings import CrawlSettings, VisitSettings

SETTINGS = CrawlSettings(visit=VisitSettings(user_agent="ua"), browser="Chromium 156")
OLD = ScriptEvidence(old_names=("navigator.modelContext",))


def visit(**fields: object) -> Visit:
    values = {
        "visit_id": "v",
        "target": Target(url="https://a.org/"),
        "attempt": 1,
        "visited_at": datetime.now(UTC),
        "browser": None,
        "outcome": Outcome.CAPTURED,
        "script_evidence": OLD,
    }
    return Visit.model_validate({**values, **fields})


def test_a_page_that_uses_old_names_is_due_a_legacy_visit():
    assert further_passes(visit(), SETTINGS, "run") == (Pass.LEGACY,)


@pytest.mark.parametrize(
    "fields",
    [
        {"script_evidence": ScriptEvidence(names_api=True)},
        {"script_evidence": ScriptEvidence(names_api=True, old_names=("clearContext", "unregisterTool"))},
        {"script_evidence": None},
        {"pass_": Pass.LEGACY},
        {"outcome": Outcome.HTTP_ERROR},
    ],
)
def test_other_visits_are_not(fields):
    assert further_passes(visit(**fields), SETTINGS, "run") == ()


def test_the_legacy_pass_can_be_switched_off():
    assert further_passes(visit(), replace(SETTINGS, legacy=False), "run") == ()


def test_the_audit_takes_the_share_it_is_told_whatever_the_page_is():
    audited = replace(SETTINGS, legacy=False, audit=1.0)
    assert further_passes(visit(script_evidence=None), audited, "run") == (Pass.AUDIT,)
    keys = [f"https://{number}.org" for number in range(4000)]
    assert 720 < sum(sampled(key, 0.2, "run") for key in keys) < 880
    assert not any(sampled(key, 0.0, "run") for key in keys)


def test_the_sample_is_the_same_for_one_run_and_another_for_the_next():
    keys = [f"https://{number}.org" for number in range(200)]
    first = [key for key in keys if sampled(key, 0.5, "one")]
    assert first == [key for key in keys if sampled(key, 0.5, "one")]
    assert first != [key for key in keys if sampled(key, 0.5, "two")]
