"""How long the matchers take over an unordered group of twelve ordered groups of three calls; imports not counted.

Four kinds of group: every call of a tool of its own; the groups alike; the first call of each alike; every call alike.
Each with a sequence that the plan allows, interleaved, and with ones that it does not: two calls swapped, one too
many, one too few.

Example: python benchmarks/eval_matching.py
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

# The solver is imported when it is first needed, and imports are not counted.
import scipy.optimize
import scipy.sparse

from measure.evals.case import Case
from measure.evals.compat import compat_rows
from measure.evals.made import MadeCall
from measure.evals.matching import match
from measure.evals.suite import read_suite

assert scipy.optimize.milp
assert scipy.sparse.csr_array

GROUPS, STEPS = 12, 3
LIMIT = 0.1
"""Seconds for a sequence that passes."""

NAMES: dict[str, Callable[[int, int], str]] = {
    "all different": lambda group, step: f"tool_{group}_{step}",
    "groups alike": lambda _, step: f"tool_{step}",
    "first calls alike": lambda group, step: "tool" if step == 0 else f"tool_{group}_{step}",
    "all alike": lambda *_: "tool",
}


def case(name: Callable[[int, int], str]) -> Case:
    """The plan."""
    groups = [{"ordered": [{"functionName": name(group, step)} for step in range(STEPS)]} for group in range(GROUPS)]
    asked = [{"role": "user", "content": "Please."}]
    text = json.dumps([{"messages": asked, "expectedCall": [{"unordered": groups}]}])
    return read_suite(text, "benchmark").cases[0]


def interleaved(name: Callable[[int, int], str], chance: random.Random) -> list[str]:
    """A sequence that the plan allows."""
    left = [[name(group, step) for step in range(STEPS)] for group in range(GROUPS)]
    sequence = []
    while any(left):
        sequence.append(chance.choice([each for each in left if each]).pop(0))
    return sequence


def in_pieces(name: Callable[[int, int], str], chance: random.Random) -> list[str]:
    """A sequence that the public runner takes too: each group in one piece."""
    order = chance.sample(range(GROUPS), GROUPS)
    return [name(group, step) for group in order for step in range(STEPS)]


def made(sequence: list[str]) -> list[MadeCall]:
    """The sequence as calls."""
    offered = frozenset(sequence)
    return [MadeCall(step, name, {}, offered=offered) for step, name in enumerate(sequence, start=1)]


def seconds(run: Callable[[], Any], repeats: int) -> float:
    """The median of some runs."""
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        run()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def main() -> int:
    """Print a line for each kind and sequence; 1 when one that passes takes longer than the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    slow = False
    for kind, name in NAMES.items():
        chance = random.Random(1)
        plan, right = case(name), interleaved(name, chance)
        swapped = [*right]
        swapped[3], swapped[30] = swapped[30], swapped[3]
        sequences = {
            "right": right,
            "two swapped": swapped,
            "one too many": [*right, right[5]],
            "one too few": right[:-1],
        }
        for what, sequence in sequences.items():
            calls = made(sequence)
            passed = match(plan, calls).passed
            took = seconds(lambda plan=plan, calls=calls: match(plan, calls), repeats)
            slow = slow or (what == "right" and (took > LIMIT or not passed))
            print(f"default  {kind:<18} {what:<13} {'passes' if passed else 'fails':<7} {took * 1000:8.1f} ms")
        calls = made(in_pieces(name, chance))
        passed = all(row.passed for row in compat_rows(plan.plan, calls))
        took = seconds(lambda plan=plan, calls=calls: compat_rows(plan.plan, calls), repeats)
        slow = slow or took > LIMIT or not passed
        print(f"compat   {kind:<18} {'in pieces':<13} {'passes' if passed else 'fails':<7} {took * 1000:8.1f} ms")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
