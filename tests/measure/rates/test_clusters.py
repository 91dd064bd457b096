import numpy as np
import pytest
from scipy.stats import norm

from measure.rates.clusters import cluster_interval

SIMULATIONS = 2_000
CLUSTERS = 40


def test_single_trials_are_wilsons_interval_at_n_less_one_with_students_t():
    # 30 of 40: the variance p (1 - p) / 39 is that of 39 trials; t(39) at 97.5 % is 2.0227. By hand:
    # (0.75 + z²/78 ± z sqrt(0.75 0.25 / 39 + z²/6084)) / (1 + z²/39)
    interval = cluster_interval([True] * 30 + [False] * 10, range(40))
    assert interval is not None
    assert interval.effective_n == pytest.approx(39)
    assert (interval.low, interval.high) == pytest.approx((0.5907, 0.8618), abs=2e-4)


def test_repeats_that_always_agree_count_once():
    ok = [utterance < 15 for utterance in range(20) for _ in range(10)]
    utterances = [utterance for utterance in range(20) for _ in range(10)]
    interval = cluster_interval(ok, utterances)
    assert interval is not None
    assert (interval.clusters, interval.effective_n) == (20, pytest.approx(19))


def test_clusters_that_are_all_alike_never_make_it_narrower_than_independent_trials():
    # Each of 4 sessions has 8 of 10: no variance between sessions at all.
    ok = [trial < 8 for _ in range(4) for trial in range(10)]
    sessions = [session for session in range(4) for _ in range(10)]
    interval = cluster_interval(ok, sessions)
    assert interval is not None
    assert interval.effective_n == pytest.approx(40)
    assert interval.low < 0.8 - 0.1
    assert interval.high > 0.8 + 0.05


@pytest.mark.parametrize("ok", [True, False])
def test_when_all_trials_went_one_way_each_cluster_is_one_trial(ok):
    interval = cluster_interval([ok] * 60, [session for session in range(3) for _ in range(20)])
    assert interval is not None
    assert interval.effective_n == 3
    assert (interval.low if ok else interval.high) == pytest.approx(0.139 if ok else 0.861, abs=2e-3)


def test_one_cluster_says_nothing_of_others():
    assert cluster_interval([True, False], ["one", "one"]) is None
    assert cluster_interval([], []) is None


def test_a_second_kind_of_cluster_never_narrows_the_interval():
    rng = np.random.default_rng(3)
    ok = [bool(x) for x in rng.random(200) < 0.7]
    utterances, sessions = [n // 10 for n in range(200)], [n % 10 for n in range(200)]
    alone, both = cluster_interval(ok, utterances), cluster_interval(ok, utterances, sessions)
    assert alone is not None
    assert both is not None
    assert both.effective_n <= alone.effective_n
    assert both.high - both.low >= alone.high - alone.low


def test_a_trial_without_a_cluster_is_an_error():
    with pytest.raises(ValueError, match="a cluster of each kind"):
        cluster_interval([True, False], [1])


def covered(p: float, alike: float, size: int, seed: int) -> float:
    """The share of simulations whose interval holds p; a cluster's own rate is beta, `alike` its correlation."""
    rng = np.random.default_rng(seed)
    clusters = [cluster for cluster in range(CLUSTERS) for _ in range(size)]
    held = 0
    for _ in range(SIMULATIONS):
        own = rng.beta(p * (1 / alike - 1), (1 - p) * (1 / alike - 1), CLUSTERS) if alike else np.full(CLUSTERS, p)
        ok = [bool(each) for each in (rng.random((CLUSTERS, size)) < own[:, None]).ravel()]
        interval = cluster_interval(ok, clusters)
        assert interval is not None
        held += interval.low <= p <= interval.high
    return held / SIMULATIONS


@pytest.mark.parametrize(("p", "alike", "size"), [(0.8, 0.3, 5), (0.5, 0.6, 10), (0.9, 0.1, 3), (0.8, 0.0, 5)])
def test_with_40_clusters_it_covers_between_93_and_97_percent(p, alike, size):
    assert 0.93 <= covered(p, alike, size, seed=1) <= 0.97


def test_intervals_for_independent_trials_would_fail_that():
    # The same trials with each its own cluster: what ignoring the clusters does.
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(300):
        own = rng.beta(0.8 * 0.667, 0.2 * 0.667, CLUSTERS)
        ok = [bool(each) for each in (rng.random((CLUSTERS, 10)) < own[:, None]).ravel()]
        interval = cluster_interval(ok, range(len(ok)))
        assert interval is not None
        held += interval.low <= 0.8 <= interval.high
    assert held / 300 < 0.8


def test_40_utterances_crossed_with_40_sessions_are_covered_as_well():
    rng = np.random.default_rng(2)
    utterances = [n for n in range(CLUSTERS) for _ in range(40)]
    sessions = [n for _ in range(CLUSTERS) for n in range(40)]
    middle = norm.ppf(0.8) * np.sqrt(1 + 0.8**2 + 0.3**2)
    held = 0
    for _ in range(500):
        score = middle + rng.normal(0, 0.8, CLUSTERS)[:, None] + rng.normal(0, 0.3, 40) + rng.normal(0, 1, (40, 40))
        interval = cluster_interval([bool(each) for each in (score > 0).ravel()], utterances, sessions)
        assert interval is not None
        held += interval.low <= 0.8 <= interval.high
    # 500 simulations of a coverage of 95 % stay within these bounds but for one time in a thousand.
    assert 0.92 <= held / 500 <= 0.98
