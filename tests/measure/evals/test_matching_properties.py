"""The default matcher against what a plan means: the set of all sequences of calls that it allows.

The set is written out here, for small plans, from nothing but the meaning of the words: `ordered` is one after the
other, `unordered` is every way of shuffling into each other, `optional` is wholly or not at all.
"""

import random
from itertools import chain, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from measure.evals.matching import match
from measure.evals.verdict import Constraint
from tests.measure.evals.plans import call, case_of, made

Node = dict[str, Any]
Words = set[tuple[str, ...]]


def trees(names: st.SearchStrategy[str], optional: bool = False) -> st.SearchStrategy[Node]:
    flag = st.booleans() if optional else st.just(False)
    leaves = st.builds(lambda name, may: call(name, optional=may), names, flag)
    return st.recursive(
        leaves,
        lambda below: st.builds(
            lambda kind, members, may: {kind: members, "optional": may},
            st.sampled_from(["ordered", "unordered"]),
            st.lists(below, min_size=1, max_size=3),
            flag,
        ),
        max_leaves=6,
    )


def shuffles(one: tuple[str, ...], other: tuple[str, ...]) -> Words:
    if not one or not other:
        return {one + other}
    return {one[:1] + rest for rest in shuffles(one[1:], other)} | {
        other[:1] + rest for rest in shuffles(one, other[1:])
    }


def words(node: Node) -> Words:
    if "functionName" in node:
        found: Words = {(node["functionName"],)}
    elif "ordered" in node:
        found = {tuple(chain.from_iterable(parts)) for parts in product(*(words(each) for each in node["ordered"]))}
    else:
        found = {()}
        for each in node["unordered"]:
            found = {word for one, other in product(found, words(each)) for word in shuffles(one, other)}
    return found | {()} if node.get("optional") else found


@settings(max_examples=300, deadline=None)
@given(st.lists(trees(st.sampled_from("ab"), optional=True), min_size=1, max_size=2), st.data())
def test_a_sequence_passes_exactly_when_the_plan_allows_it(nodes, data):
    allowed = words({"ordered": nodes})
    some = st.lists(st.sampled_from("ab"), max_size=6).map(tuple)
    sequence = data.draw(st.one_of(st.sampled_from(sorted(allowed)), some))
    verdict = match(case_of(*nodes), made(*sequence))
    assert verdict.passed == (sequence in allowed), verdict.violations


class Named:
    """A plan in which every call is of another tool, and one of the sequences that it allows."""

    def __init__(self, shape: Node, chance: random.Random) -> None:
        self.names: list[str] = []
        self.before: set[tuple[str, str]] = set()
        self.root, self.sequence = self._named(shape, chance)

    def _named(self, shape: Node, chance: random.Random) -> tuple[Node, list[str]]:
        if "functionName" in shape:
            self.names.append(f"tool{len(self.names)}")
            return call(self.names[-1]), [self.names[-1]]
        kind = "ordered" if "ordered" in shape else "unordered"
        members = [self._named(each, chance) for each in shape[kind]]
        sequences = [sequence for _, sequence in members]
        if kind == "ordered":
            merged = list(chain.from_iterable(sequences))
            for index, earlier in enumerate(sequences):
                later = list(chain.from_iterable(sequences[index + 1 :]))
                self.before |= set(product(earlier, later))
        else:
            merged, left = [], [list(each) for each in sequences]
            while any(left):
                merged.append(chance.choice([each for each in left if each]).pop(0))
        return {kind: [node for node, _ in members]}, merged


named = st.builds(Named, trees(st.just("x")), st.randoms(use_true_random=False))


@settings(max_examples=100, deadline=None)
@given(named)
def test_every_linear_extension_of_a_tree_passes(plan):
    verdict = match(case_of(plan.root), made(*plan.sequence))
    assert verdict.passed, verdict.violations
    assert sorted(verdict.aligned.values()) == list(range(1, len(plan.sequence) + 1))


@settings(max_examples=100, deadline=None)
@given(named.filter(lambda plan: bool(plan.before)), st.data())
def test_a_sequence_that_breaks_one_order_fails_by_it(plan, data):
    first, second = data.draw(st.sampled_from(sorted(plan.before)))
    sequence = [name for name in plan.sequence if name != second]
    sequence.insert(sequence.index(first), second)
    verdict = match(case_of(plan.root), made(*sequence))
    assert {each.constraint for each in verdict.violations} == {Constraint.ORDER}
    broken = {pair for pair in plan.before if sequence.index(pair[0]) > sequence.index(pair[1])}
    for violation in verdict.violations:
        # Each violation names two calls that really are the wrong way round.
        said = {name for name in plan.names if f"'{name}'" in violation.message}
        assert any(set(pair) == said for pair in broken), violation


@settings(max_examples=100, deadline=None)
@given(named, st.data())
def test_a_sequence_without_one_call_fails_by_it_alone(plan, data):
    left_out = data.draw(st.sampled_from(plan.names))
    verdict = match(case_of(plan.root), made(*(name for name in plan.sequence if name != left_out)))
    [violation] = verdict.violations
    assert violation.constraint is Constraint.MISSING
    assert f"'{left_out}'" in violation.message


@settings(max_examples=100, deadline=None)
@given(named, st.data())
def test_a_sequence_with_one_call_more_fails_by_it_alone_wherever_it_stands(plan, data):
    place = data.draw(st.integers(0, len(plan.sequence)))
    sequence = [*plan.sequence[:place], "stray", *plan.sequence[place:]]
    verdict = match(case_of(plan.root), made(*sequence))
    [violation] = verdict.violations
    assert (violation.constraint, violation.made) == (Constraint.EXTRA, place + 1)


@settings(max_examples=100, deadline=None)
@given(named, st.data())
def test_a_sequence_with_one_wrong_argument_fails_by_it_alone(plan, data):
    wrong = data.draw(st.sampled_from(plan.names))

    def expecting(node: Node) -> Node:
        if "functionName" in node:
            return {**node, "arguments": {"id": 1}}
        return {key: [expecting(each) for each in value] for key, value in node.items()}

    calls = [(name, {"id": 2 if name == wrong else 1}) for name in plan.sequence]
    verdict = match(case_of(expecting(plan.root)), made(*calls))
    [violation] = verdict.violations
    assert violation.constraint is Constraint.ARGUMENTS
    assert violation.made == plan.sequence.index(wrong) + 1
    assert "/id is 2, expected 1" in violation.message
