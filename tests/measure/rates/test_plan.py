import json
from math import comb

import pytest
from click.testing import CliRunner

from census.errors import CensusError
from census.interval import wilson
from measure.rates.commands import rate_group
from measure.rates.plan import Difference, least_discordant, plan, power, utterances_for_width


def enumerated(n: int, only_a: float, only_b: float, level: float) -> float:
    """Every outcome of n pairs, with the two-sided exact p written out."""
    total = 0.0
    for a in range(n + 1):
        for b in range(n - a + 1):
            p = min(1.0, 2 * sum(comb(a + b, i) for i in range(min(a, b) + 1)) / 2 ** (a + b))
            if p <= level:
                ways = comb(n, a) * comb(n - a, b)
                total += ways * only_a**a * only_b**b * (1 - only_a - only_b) ** (n - a - b)
    return total


@pytest.mark.parametrize("n", [5, 6, 9, 23, 40])
@pytest.mark.parametrize(("only_a", "only_b"), [(0.32, 0.12), (0.05, 0.3), (0.2, 0.2), (0.6, 0.4)])
@pytest.mark.parametrize("level", [0.05, 0.05 / 8])
def test_the_power_is_that_of_enumeration(n, only_a, only_b, level):
    assert power(n, only_a, only_b, level) == pytest.approx(enumerated(n, only_a, only_b, level), abs=1e-9)


def test_the_plan_is_the_fewest_utterances_with_the_power():
    found = plan(Difference(0.8, 0.5))
    only_a, only_b = 0.8 * 0.5, 0.2 * 0.5
    assert found.discordant == pytest.approx((only_a, only_b))
    assert enumerated(found.utterances, only_a, only_b, 0.05) >= 0.8
    assert enumerated(found.utterances - 1, only_a, only_b, 0.05) < 0.8


def test_more_tools_need_more_and_alike_results_fewer():
    plain = plan(Difference(0.8, 0.6)).utterances
    assert plan(Difference(0.8, 0.6, tools=8)).utterances > plain
    assert plan(Difference(0.8, 0.6, correlation=0.5)).utterances < plain


def test_at_least_six_must_change_for_a_level_of_5_percent():
    assert least_discordant(0.05) == 6  # 2/2^5 = 0.0625, 2/2^6 = 0.03125
    assert least_discordant(0.05 / 8) == 9  # 2/2^8 = 0.0078, 2/2^9 = 0.0039


def test_the_trials_for_a_width():
    found = utterances_for_width(0.5, 0.1)
    low, high = wilson(round(0.5 * found), found)
    # Wilson's half width at 1/2 is z / (2 sqrt(n + z²)): 0.1 needs n = 24.01 z² / 3.8415 - z² = 92.2.
    assert found == 93
    assert (high - low) / 2 <= 0.1


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (Difference(0.8, 0.8), "no difference"),
        (Difference(0.8, 0.2, correlation=0.9), "cannot have a correlation"),
        (Difference(0.8, 0.799), "too alike"),
    ],
)
def test_what_has_no_plan_says_why(difference, said):
    with pytest.raises(CensusError, match=said):
        plan(difference)


def test_the_command_says_how_many_trials():
    said = CliRunner().invoke(
        rate_group, ["plan", "--from", "0.8", "--to", "0.5", "--sessions", "3", "--repeats", "2", "--json"]
    )
    assert said.exit_code == 0
    told = json.loads(said.output)
    assert told["utterances"] == plan(Difference(0.8, 0.5)).utterances
    assert told["trials_a_run"] == 6 * told["utterances"]
    shown = CliRunner().invoke(rate_group, ["plan", "--from", "0.5", "--width", "0.1"])
    assert "93 utterances" in shown.output


@pytest.mark.parametrize("arguments", [[], ["--to", "0.5", "--width", "0.1"]])
def test_the_command_wants_one_aim(arguments):
    said = CliRunner().invoke(rate_group, ["plan", "--from", "0.8", *arguments])
    assert isinstance(said.exception, CensusError)
