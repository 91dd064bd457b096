"""A judge with a known rate through the real interval: what it holds is what enumeration says it holds."""

import asyncio
from math import sqrt

from census.interval import wilson
from measure.judges.judge import Call, Message, ToolOffer
from measure.judges.oracle import NoisyOracle, oracle
from measure.rates.coverage import wilson_coverage

RUNS, N, P = 500, 60, 0.8


def test_the_intervals_of_500_runs_hold_the_true_rate_as_often_as_the_exact_coverage_says():
    texts = [f"utterance {number}" for number in range(N)]
    truth = oracle({text: [[Call("pay", {})]] for text in texts})
    tools = [ToolOffer("pay", "Pays.", None), ToolOffer("add", "Adds.", None)]

    async def successes(seed: int) -> int:
        judge = NoisyOracle(truth, P, seed)
        answers = [await judge.answer([Message("user", text)], tools) for text in texts]
        return sum(bool(answer.calls) and answer.calls[0].name == "pay" for answer in answers)

    async def all_runs() -> list[int]:
        return [await successes(seed) for seed in range(RUNS)]

    counts = asyncio.run(all_runs())
    held = sum(low <= P <= high for low, high in (wilson(k, N) for k in counts)) / RUNS
    exact = wilson_coverage(P, N)
    assert abs(held - exact) <= 3 * sqrt(exact * (1 - exact) / RUNS)
    mean = sum(counts) / (RUNS * N)
    assert abs(mean - P) <= 4 * sqrt(P * (1 - P) / (RUNS * N))
