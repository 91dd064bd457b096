"""A judge with a known rate, through the choice, the check of arguments and the interval of a rate."""

import asyncio
from math import sqrt

from census.interval import proportion
from measure.judges.judge import Message
from measure.judges.opening import JudgeOptions
from measure.rates.coverage import wilson_coverage
from measure.rates.trial import TrialKey
from measure.rates.trial_outcome import INVOKED
from measure.trials.call_verdict import verdict
from measure.trials.judges import TrialJudges, offers_of
from measure.trials.tool_order import order_seed, shown
from tests.measure.trials.held import SIZE, tool, utterance

RUNS, N, P = 500, 40, 0.8


def test_the_intervals_of_500_runs_hold_the_known_rate_as_often_as_the_exact_coverage_says() -> None:
    tools = (tool("order", SIZE), tool("cancel"), tool("look"))
    said = [
        utterance(f"u{number}", arguments={"size": "large"}, text=f"A large one for table {number}")
        for number in range(N)
    ]

    async def invoked(seed: int) -> int:
        judges = TrialJudges(f"noisy-oracle:p={P},seed={seed}", JudgeOptions())
        count = 0
        for each in said:
            key = TrialKey("index.html", "", "shop 1.0.0", each.id, 1, 1)
            offered = shown(tools, order_seed(1, key)).tools
            judge = judges.judge(each, key, offered)
            answer = await judge.answer([Message("user", each.text)], offers_of(offered))
            count += verdict(each, answer, offered).outcome in INVOKED
        return count

    async def all_runs() -> list[int]:
        return [await invoked(seed) for seed in range(RUNS)]

    rates = [proportion(k, N) for k in asyncio.run(all_runs())]
    held = sum(rate.low <= P <= rate.high for rate in rates) / RUNS
    exact = wilson_coverage(P, N)
    assert abs(held - exact) <= 3 * sqrt(exact * (1 - exact) / RUNS)
    mean = sum(rate.k for rate in rates) / (RUNS * N)
    assert abs(mean - P) <= 4 * sqrt(P * (1 - P) / (RUNS * N))
