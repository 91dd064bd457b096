"""`compat` is the public runner's matcher: what it does is read in its source and in its own tests' names."""

from itertools import permutations
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from census.errors import CensusError
from measure.evals.compat import GaveUpError, compat_rows
from measure.evals.compat_verdict import check_compat, match_compat
from measure.evals.made import MadeCall
from measure.evals.plan import Group, Order, PlannedCall, calls_of
from tests.measure.evals.plans import TOOLS, call, case_of, made


def rows(nodes, *calls):
    """Each row: name expected, name made, whether it passed."""
    case, done = case_of(*nodes), made(*calls)
    return [
        (row.planned.name if row.planned else None, None if row.made is None else done[row.made].name, row.passed)
        for row in compat_rows(case.plan, done)
    ]


def passes(nodes, *calls):
    return all(passed for _, _, passed in rows(nodes, *calls))


A, B, C = call("a"), call("b"), call("c")


def test_a_sequence_is_walked_by_position():
    assert rows([A, B], "a", "b") == [("a", "a", True), ("b", "b", True)]
    assert rows([A, B], "a") == [("a", "a", True), ("b", None, False)]
    assert rows([A], "a", "b") == [("a", "a", True), (None, "b", False)]


def test_one_early_extra_call_fails_all_that_follow_it():
    assert rows([A, B], "x", "a", "b") == [("a", "x", False), ("b", "a", False), (None, "b", False)]


def test_without_expected_calls_every_call_fails_and_none_leaves_no_row():
    assert compat_rows(None, made("a"))[0].passed is False
    assert compat_rows(None, ()) == ()


def test_an_optional_call_that_fits_takes_the_call_whatever_comes_later():
    nodes = [call("a", optional=True), call("a", {"n": 1})]
    assert rows(nodes, ("a", {"n": 1})) == [("a", "a", True), ("a", None, False)]


def test_an_optional_call_that_does_not_fit_takes_none():
    assert rows([A, call("x", optional=True), B], "a", "b") == [("a", "a", True), ("b", "b", True)]
    assert rows([A, call("x", optional=True)], "a") == [("a", "a", True)]


def test_unordered_calls_are_matched_one_to_one():
    nodes = [{"unordered": [call("a", {"n": {"$any": True}}), call("a", {"n": 1})]}]
    assert passes(nodes, ("a", {"n": 1}), ("a", {"n": 2}))
    assert passes(nodes, ("a", {"n": 2}), ("a", {"n": 1}))
    assert not passes(nodes, ("a", {"n": 2}), ("a", {"n": 2}))


def test_an_unordered_group_takes_a_call_for_its_optional_member_too():
    nodes = [{"unordered": [A, call("x", optional=True)]}, B]
    assert passes(nodes, "a", "x", "b")
    assert rows(nodes, "a", "b") == [("a", "a", True), (None, "b", False), ("b", None, False)]


def test_members_of_a_nested_group_come_in_any_order_each_in_one_piece():
    nodes = [{"unordered": [{"ordered": [A, B]}, {"ordered": [call("c"), call("d")]}]}]
    assert passes(nodes, "a", "b", "c", "d")
    assert passes(nodes, "c", "d", "a", "b")
    assert not passes(nodes, "a", "c", "b", "d")


def test_of_nested_orders_with_equally_many_passes_the_first_is_reported():
    nodes = [{"unordered": [{"ordered": [A, B]}, {"ordered": [C]}]}]
    assert rows(nodes, "a", "c", "b") == [("a", "a", True), ("b", "c", False), ("c", "b", False)]


def test_it_gives_up_over_fifteen_members():
    nodes = [{"unordered": [{"ordered": [A]}] * 16}]
    with pytest.raises(GaveUpError, match="16 members"):
        rows(nodes, *["a"] * 16)
    assert passes([{"unordered": [A] * 16}], *["a"] * 16)


def test_a_result_is_held_only_when_it_is_known():
    nodes = [call("a", result={"ok": True})]
    assert passes(nodes, MadeCall(1, "a", {}, {"ok": True, "more": 1}, True, offered=TOOLS))
    assert not passes(nodes, MadeCall(1, "a", {}, {"ok": False}, True, offered=TOOLS))
    verdict = match_compat(case_of(*nodes), made("a"))
    assert verdict.passed
    assert verdict.unchecked == 1


def test_a_call_of_a_tool_that_is_not_there_fits_nothing():
    case = case_of(A)
    assert match_compat(case, made("a", tools=frozenset("a"))).passed
    assert not match_compat(case, made("a", tools=frozenset("b"))).passed


def test_no_arguments_are_any_arguments():
    assert passes([call("a")], ("a", {"n": 1}))
    assert passes([call("a", {})], ("a", {"n": 1}))
    assert not passes([call("a", {"n": 1})], ("a", {}))


@pytest.mark.parametrize(
    ("nodes", "more", "place"),
    [
        ([call("a", {"n": {"$in": [1]}})], {}, "cases[0].expectedCall[0]: $in"),
        ([call("a", {"n": [{"m": {"$not": 1}}]})], {}, "cases[0].expectedCall[0]: $not"),
        ([call("a", result={"$eq": 1})], {}, "cases[0].expectedCall[0]: $eq"),
        ([call("a", tools={"has": ["b"]})], {}, "cases[0].expectedCall[0].tools"),
        ([{"ordered": [A], "optional": True}], {}, "cases[0].expectedCall[0].optional"),
        ([A, call("b", {"n": {"$from": "x"}})], {"drive": [call("c", id="x")]}, "cases[0].expectedCall[1]: $from"),
        ([A], {"forbidden": [B]}, "cases[0].forbidden"),
        ([A], {"harmless": ["b"]}, "cases[0].harmless"),
        ([A], {"limits": {"a": {"max": 1}}}, "cases[0].limits"),
    ],
)
def test_what_the_public_runner_does_not_know_is_refused(nodes, more, place):
    with pytest.raises(CensusError) as refused:
        check_compat([case_of(*nodes, **more)], "suite.json")
    assert str(refused.value).startswith(f"suite.json: {place}: the public runner does not have this")


def test_what_is_no_matter_of_matching_is_let_pass():
    check_compat([case_of(A, request="direct", tags=["x"], mocks=[call("a", result=1)], clock="2026-01-19")], "s")


nodes = st.recursive(
    st.builds(lambda name, may: PlannedCall("", name, optional=may), st.sampled_from("abc"), st.booleans()),
    lambda below: st.builds(
        # Never of calls alone: such a group is matched one to one, and not by trying orders.
        lambda order, members: Group("", order, (Group("", Order.ORDERED, tuple(members[:1])), *members[1:])),
        st.sampled_from(Order),
        st.lists(below, min_size=1, max_size=4),
    ),
    max_leaves=8,
)


def tried(node, calls, start):
    """One node by the public runner's rules with every order tried out: consumed calls, and passed rows in order."""
    if isinstance(node, PlannedCall):
        if start >= len(calls):
            return (0, []) if node.optional else (1, [False])
        fits = calls[start] == node.name
        return (0, []) if node.optional and not fits else (1, [fits])
    if node.order is Order.ORDERED:
        return one_after_the_other(node.members, calls, start)
    best = None
    for order in permutations(node.members):
        found = one_after_the_other(order, calls, start)
        if best is None or sum(found[1]) > sum(best[1]):
            best = found
    return best


def one_after_the_other(members, calls, start):
    at, passed = start, []
    for member in members:
        found = tried(member, calls, at)
        at += found[0]
        passed += found[1]
    return at - start, passed


@settings(max_examples=300, deadline=None)
@given(st.lists(nodes, min_size=1, max_size=2), st.lists(st.sampled_from("abc"), max_size=8))
def test_its_rows_are_those_of_trying_every_order(plan, calls):
    consumed, passed = one_after_the_other(plan, calls, 0)
    left = [False] * max(0, len(calls) - consumed)
    assert [row.passed for row in compat_rows(plan, made(*calls))] == passed + left


def test_it_does_not_try_every_order():
    members = [{"ordered": [call(f"{name}{step}") for step in "123"]} for name in "abcdefghijkl"]
    sequence = [f"{name}{step}" for name in "lkjihgfedcba" for step in "123"]
    case, done = case_of({"unordered": members}), made(*sequence)
    begun = perf_counter()
    found = compat_rows(case.plan, done)
    assert all(row.passed for row in found)
    # Twelve members have 479 million orders, and 4,096 sets.
    assert perf_counter() - begun < 3
    assert len(found) == len(list(calls_of(case.plan)))
