from dataclasses import replace
from typing import Any

import pytest

from census.visit import ScriptEvidence
from census.vocabulary import Settled
from crawler.settle import PageState, SettleLimits, decide

LIMITS = SettleLimits(brief=1.2, quiet=2.0, first=4.0, late=10.0, margin=0.7, load=12.0, busy=4.0, cap=22.0)
SILENT = ScriptEvidence()
NAMES_API = ScriptEvidence(names_api=True)


def names_api(**further: Any) -> ScriptEvidence:
    return ScriptEvidence(names_api=True, **further)


def page(
    now: float,
    *,
    loaded_at: float | None = 1.0,
    changed_at: float = 0.0,
    tools: int = 0,
    network_idle: bool = True,
    evidence: ScriptEvidence | None = SILENT,
) -> PageState:
    return PageState(now, loaded_at, changed_at, tools, network_idle, evidence)


def waits_until(state: PageState) -> tuple[float, str]:
    decision = decide(state, LIMITS)
    assert decision.settled is None, f"read already: {decision}"
    return decision.look_again_at, decision.reason


def read_because(state: PageState) -> str:
    decision = decide(state, LIMITS)
    assert decision.settled is Settled.YES, f"not settled: {decision}"
    return decision.reason


def test_a_page_that_has_not_loaded_is_waited_for():
    assert waits_until(page(0.5, loaded_at=None)) == (12.0, "load_event")


def test_a_page_that_never_loads_is_read_when_it_was_quiet_for_long_enough_after_the_limit():
    assert waits_until(page(12.0, loaded_at=None)) == (13.2, "quiet")
    assert waits_until(page(13.2, loaded_at=None)) == (14.0, "quiet")
    assert read_because(page(14.0, loaded_at=None)) == "quiet"


def test_quiet_counts_from_the_load_and_from_every_change_after_it():
    assert waits_until(page(2.9)) == (3.0, "quiet")
    assert waits_until(page(3.5, changed_at=2.5, tools=1)) == (3.7, "quiet")
    assert read_because(page(3.7, changed_at=2.5, tools=1)) == "quiet"


def test_a_second_batch_that_comes_within_the_quiet_starts_it_again():
    first_batch, second_batch = 1.2, 2.3
    assert waits_until(page(2.1, changed_at=first_batch, tools=3)) == (2.4, "quiet")
    assert waits_until(page(2.4, changed_at=second_batch, tools=5)) == (3.5, "quiet")
    assert read_because(page(3.5, changed_at=second_batch, tools=5)) == "quiet"


def test_a_page_with_tools_whose_scripts_wait_for_an_unknown_time_gets_the_plain_quiet():
    assert waits_until(page(2.4, changed_at=1.2, tools=3, evidence=names_api(polls=True))) == (3.2, "quiet")
    assert waits_until(page(2.4, changed_at=1.2, tools=3, evidence=names_api(unread=1))) == (3.2, "quiet")
    assert read_because(page(2.4, changed_at=1.2, tools=3, evidence=NAMES_API)) == "quiet"


def test_the_script_texts_are_asked_for_before_a_quiet_page_is_read():
    assert waits_until(page(3.0, evidence=None)) == (3.0, "script_texts")


def test_a_page_whose_scripts_do_not_name_the_api_is_read_after_the_plain_quiet():
    busy_elsewhere = ScriptEvidence(names_api=False, longest_timer_ms=9_000, polls=True)
    assert read_because(page(3.0, evidence=busy_elsewhere)) == "quiet"


def test_a_page_that_names_the_api_and_has_no_tool_is_given_longer():
    assert waits_until(page(3.0, evidence=NAMES_API)) == (5.0, "api_named")
    assert read_because(page(5.0, evidence=NAMES_API)) == "api_named"


def test_a_page_that_names_the_api_and_has_its_tools_is_not():
    assert read_because(page(3.0, tools=2, evidence=NAMES_API)) == "quiet"


def test_a_page_that_has_tools_and_polls_in_known_intervals_is_waited_for_one_of_them():
    polls = names_api(polls=True, longest_timer_ms=650)
    assert waits_until(page(2.5, changed_at=1.2, tools=3, evidence=polls)) == (pytest.approx(2.55), "timer_in_script")
    assert read_because(page(2.6, changed_at=1.2, tools=3, evidence=polls)) == "timer_in_script"
    often = names_api(polls=True, longest_timer_ms=300)
    assert read_because(page(2.4, changed_at=1.2, tools=3, evidence=often)) == "quiet"


def test_a_page_that_polls_for_the_api_is_given_longest_until_its_first_tool():
    polls = names_api(polls=True)
    assert waits_until(page(5.0, evidence=polls)) == (11.0, "script_polls")
    assert read_because(page(11.0, evidence=polls)) == "script_polls"
    assert read_because(page(5.0, tools=1, changed_at=3.0, evidence=polls)) == "quiet"


@pytest.mark.parametrize("tools", [0, 4])
def test_a_timer_in_a_script_that_names_the_api_is_waited_for_with_a_margin(tools):
    timer = names_api(longest_timer_ms=6_000)
    assert waits_until(page(5.0, tools=tools, evidence=timer)) == (pytest.approx(7.7), "timer_in_script")
    assert read_because(page(7.8, tools=tools, evidence=timer)) == "timer_in_script"


def test_no_timer_is_waited_for_longer_than_the_limit():
    timer = names_api(longest_timer_ms=30_000)
    assert waits_until(page(5.0, evidence=timer)) == (11.0, "timer_in_script")


def test_a_short_timer_shortens_nothing():
    timer = names_api(longest_timer_ms=300)
    assert waits_until(page(3.0, evidence=timer)) == (5.0, "api_named")
    assert read_because(page(3.0, tools=1, evidence=timer)) == "quiet"


def test_a_quiet_page_with_requests_under_way_is_given_a_little_longer_and_no_more():
    assert waits_until(page(3.0, network_idle=False)) == (7.0, "network")
    assert read_because(page(7.0, network_idle=False)) == "quiet"


@pytest.mark.parametrize("loaded_at", [None, 1.0])
def test_a_page_that_is_never_quiet_is_read_at_the_cap(loaded_at):
    decision = decide(page(22.0, loaded_at=loaded_at, changed_at=21.99, tools=9), LIMITS)
    assert (decision.settled, decision.reason) == (Settled.DEADLINE, "hard_cap")


def test_nothing_is_waited_for_beyond_the_cap():
    assert waits_until(page(21.0, changed_at=20.9, tools=1)) == (22.0, "quiet")
    assert decide(page(0.1, loaded_at=None), replace(LIMITS, cap=1.0)).look_again_at == 1.0
