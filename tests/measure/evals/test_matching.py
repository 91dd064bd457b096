import pytest

from measure.evals.made import MadeCall
from measure.evals.matching import match
from measure.evals.verdict import Constraint
from tests.measure.evals.plans import TOOLS, call, case_of, made


def broken(case, *calls, **more):
    """The constraints that broke, with the call from 1 that each names."""
    return [(each.constraint.value, each.made) for each in match(case, made(*calls), **more).violations]


JACKET_AND_JEANS = case_of(
    call("categories"),
    {
        "unordered": [
            {"ordered": [call("search", {"item": "jacket"}), call("details", {"item": "jacket"})]},
            {"ordered": [call("search", {"item": "jeans"}), call("details", {"item": "jeans"})]},
        ]
    },
)


def of(name, item):
    return (name, {"item": item})


@pytest.mark.parametrize(
    "rest",
    [
        [of("search", "jacket"), of("details", "jacket"), of("search", "jeans"), of("details", "jeans")],
        [of("search", "jeans"), of("details", "jeans"), of("search", "jacket"), of("details", "jacket")],
        [of("search", "jacket"), of("search", "jeans"), of("details", "jacket"), of("details", "jeans")],
        [of("search", "jeans"), of("search", "jacket"), of("details", "jacket"), of("details", "jeans")],
    ],
)
def test_two_items_are_looked_up_in_either_order_and_interleaved(rest):
    assert broken(JACKET_AND_JEANS, "categories", *rest) == []


def test_details_before_the_search_break_that_order_and_no_other():
    calls = [
        "categories",
        of("details", "jacket"),
        of("search", "jacket"),
        of("search", "jeans"),
        of("details", "jeans"),
    ]
    verdict = match(JACKET_AND_JEANS, made(*calls))
    [violation] = verdict.violations
    assert violation.constraint is Constraint.ORDER
    assert "has to come" in violation.message
    assert "'search'" in violation.message
    assert "'details'" in violation.message
    assert violation.made in (2, 3)


def test_one_early_extra_call_does_not_fail_what_follows_it():
    assert broken(case_of(call("a"), call("b"), call("c")), "x", "a", "b", "c") == [("extra", 1)]


def test_a_wrong_argument_is_that_and_not_one_call_missing_and_one_extra():
    case = case_of(call("a", {"n": 1}), call("b"))
    assert broken(case, ("a", {"n": 2}), "b") == [("arguments", 1)]


def test_of_two_calls_with_wrong_arguments_the_closer_one_is_taken():
    case = case_of(call("a", {"x": 1, "y": 2, "z": 3}))
    assert broken(case, ("a", {"x": 9, "y": 9, "z": 9}), ("a", {"x": 1, "y": 2, "z": 9})) == [
        ("arguments", 2),
        ("extra", 1),
    ]


def test_a_repeated_call_is_the_extra_one():
    assert broken(case_of(call("a"), call("b")), "a", "a", "b") == [("extra", 2)]


def test_a_call_of_no_tool_is_said_to_be_that():
    verdict = match(case_of(call("a")), made("a", "made_up", tools=frozenset("a")))
    assert [(each.constraint.value, each.made) for each in verdict.violations] == [("unknown_tool", 2)]


@pytest.mark.parametrize("calls", [["a"], ["made_up"]])
def test_where_no_call_may_be_made_every_call_fails(calls):
    verdict = match(case_of(expectedCall=None), made(*calls, tools=frozenset("a")))
    assert [each.constraint.value for each in verdict.violations] == ["unwanted" if calls == ["a"] else "unknown_tool"]


def test_where_no_call_may_be_made_a_read_only_one_fails_too():
    assert broken(case_of(expectedCall=None), "a", read_only=frozenset("a")) == [("unwanted", 1)]


def test_where_no_call_may_be_made_none_passes():
    assert match(case_of(expectedCall=None), ()).passed


class TestHarmless:
    def test_an_extra_call_of_a_read_only_tool_is_reported_apart(self):
        verdict = match(case_of(call("a")), made("look", "a"), read_only=frozenset(["look"]))
        assert verdict.passed
        assert verdict.harmless == (1,)

    def test_so_is_one_that_the_case_names(self):
        assert match(case_of(call("a"), harmless=["look"]), made("a", "look")).harmless == (2,)

    def test_it_does_not_stand_for_the_call_that_is_missing(self):
        verdict = match(case_of(call("a")), made("look"), read_only=frozenset(["look"]))
        assert [each.constraint for each in verdict.violations] == [Constraint.MISSING]
        assert verdict.harmless == (1,)

    def test_one_with_the_wrong_arguments_for_the_plan_is_the_wrong_call(self):
        case = case_of(call("look", {"n": 1}))
        assert broken(case, ("look", {"n": 2}), read_only=frozenset(["look"])) == [("arguments", 1)]

    def test_a_tool_that_there_is_not_is_never_harmless(self):
        case = case_of(call("a"), harmless=["made_up"])
        verdict = match(case, made("a", "made_up", tools=frozenset("a")))
        assert [each.constraint for each in verdict.violations] == [Constraint.UNKNOWN_TOOL]


class TestOptional:
    CASE = case_of(call("a"), call("x", optional=True), call("b"))

    @pytest.mark.parametrize("calls", [["a", "b"], ["a", "x", "b"]])
    def test_a_call_may_be_left_out(self, calls):
        assert broken(self.CASE, *calls) == []

    @pytest.mark.parametrize("calls", [["x", "a", "b"], ["a", "b", "x"]])
    def test_and_has_its_place_in_the_order(self, calls):
        assert broken(self.CASE, *calls) == [("extra", calls.index("x") + 1)]

    def test_it_does_not_take_the_call_that_a_later_one_needs(self):
        case = case_of(call("a", optional=True), call("a", {"n": 1}))
        assert broken(case, ("a", {"n": 1})) == []

    def test_one_that_does_not_fit_is_an_extra_call(self):
        case = case_of(call("a", {"n": 1}, optional=True), call("b"))
        assert broken(case, ("a", {"n": 2}), "b") == [("extra", 1)]

    GROUP = case_of({"ordered": [call("x"), call("y")], "optional": True}, call("b"))

    @pytest.mark.parametrize("calls", [["b"], ["x", "y", "b"]])
    def test_a_group_may_be_left_out_wholly(self, calls):
        assert broken(self.GROUP, *calls) == []

    @pytest.mark.parametrize("calls", [["x", "b"], ["y", "b"]])
    def test_and_not_in_part(self, calls):
        assert broken(self.GROUP, *calls) != []

    def test_groups_in_groups(self):
        inner = {"ordered": [call("y"), call("z")], "optional": True}
        case = case_of({"ordered": [call("x"), inner], "optional": True}, call("b"))
        assert broken(case, "b") == []
        assert broken(case, "x", "b") == []
        assert broken(case, "x", "y", "z", "b") == []
        assert broken(case, "y", "z", "b") != []
        assert broken(case, "x", "y", "b") != []


class TestForbiddenAndLimits:
    def test_a_forbidden_call_fails_by_that_alone(self):
        case = case_of(call("a"), forbidden=[call("pay")])
        assert broken(case, "a", "pay") == [("forbidden", 2)]

    def test_only_with_the_arguments_that_are_forbidden(self):
        case = case_of(call("pay", {"sum": {"$lt": 10}}), forbidden=[call("pay", {"sum": {"$gte": 10}})])
        assert broken(case, ("pay", {"sum": 5})) == []
        assert ("forbidden", 1) in broken(case, ("pay", {"sum": 10}))

    def test_in_a_case_without_expected_calls_too(self):
        assert ("forbidden", 1) in broken(case_of(expectedCall=None, forbidden=[call("pay")]), "pay")

    def test_a_forbidden_call_is_never_harmless(self):
        case = case_of(call("a"), forbidden=[call("look")])
        verdict = match(case, made("a", "look"), read_only=frozenset(["look"]))
        assert [each.constraint for each in verdict.violations] == [Constraint.FORBIDDEN]
        assert verdict.harmless == ()

    @pytest.mark.parametrize(("looks", "fails"), [(1, False), (2, False), (3, True)])
    def test_a_tool_may_be_called_so_often(self, looks, fails):
        case = case_of(call("a"), harmless=["look"], limits={"look": {"max": 2}})
        assert broken(case, "a", *["look"] * looks) == ([("limit", None)] if fails else [])

    def test_and_has_to_be_called_so_often(self):
        case = case_of(call("a"), harmless=["look"], limits={"look": {"min": 2}})
        assert broken(case, "a", "look") == [("limit", None)]

    def test_all_calls_together(self):
        case = case_of(call("a"), harmless=["look"], limits={"*": {"max": 2}})
        assert broken(case, "a", "look") == []
        assert broken(case, "a", "look", "look") == [("limit", None)]


class TestTools:
    """The list of tools, asserted at the step of a call."""

    def at(self, *offered, **wanted):
        return broken(case_of(call("a", tools=wanted)), *made("a", tools=frozenset(offered)))

    def test_a_call_of_a_tool_that_is_not_there_is_not_the_expected_one(self):
        verdict = match(case_of(call("a")), made("a", tools=frozenset("b")))
        assert [each.constraint.value for each in verdict.violations] == ["missing", "unknown_tool"]

    def test_has(self):
        assert self.at("a", "b", has=["b"]) == []
        assert self.at("a", has=["b"]) == [("tools", 1)]

    def test_lacks(self):
        assert self.at("a", lacks=["pay"]) == []
        assert self.at("a", "pay", lacks=["pay"]) == [("tools", 1)]

    def test_only(self):
        assert self.at("a", "b", only=["b", "a"]) == []
        assert self.at("a", only=["a", "b"]) == [("tools", 1)]
        assert self.at("a", "b", only=["a"]) == [("tools", 1)]

    def test_it_is_the_list_at_that_step(self):
        case = case_of(call("open"), call("talk", tools={"has": ["talk"]}), call("back"))
        steps = [
            MadeCall(1, "open", {}, offered=frozenset(["open"])),
            MadeCall(2, "talk", {}, offered=frozenset(["talk", "back"])),
            MadeCall(3, "back", {}, offered=frozenset(["back"])),
        ]
        assert broken(case, *steps) == []


class TestResult:
    CASE = case_of(call("a", result={"ok": True}))

    def test_a_known_result_is_held(self):
        assert broken(self.CASE, MadeCall(1, "a", {}, {"ok": True}, True, offered=TOOLS)) == []
        assert broken(self.CASE, MadeCall(1, "a", {}, {"ok": False}, True, offered=TOOLS)) == [("result", 1)]

    def test_an_unknown_one_is_not_and_is_counted(self):
        verdict = match(self.CASE, made(MadeCall(1, "a", {}, {}, False, offered=TOOLS)))
        assert verdict.passed
        assert verdict.unchecked == 1

    def test_a_call_that_failed_did_not_give_it(self):
        assert broken(self.CASE, MadeCall(1, "a", {}, None, True, "out of stock", TOOLS)) == [("result", 1)]


class TestDataflow:
    """The same coffee as last month: the id of the order is the one that the history gave."""

    CASE = case_of(call("history", id="history"), call("order", {"id": {"$from": "history#/last/id"}}))

    def calls(self, ordered, *, result={"last": {"id": 7}}, steps=(1, 2), **more):  # noqa: B006
        return [
            MadeCall(steps[0], "history", {}, result, **{"result_known": True, "offered": TOOLS, **more}),
            MadeCall(steps[1], "order", {"id": ordered}, offered=TOOLS),
        ]

    def test_the_id_that_came_out_is_the_one_that_went_in(self):
        assert broken(self.CASE, *self.calls(7)) == []

    def test_another_one_is_said_to_be_that(self):
        verdict = match(self.CASE, made(*self.calls(8)))
        [violation] = verdict.violations
        assert violation.constraint is Constraint.DATAFLOW
        assert "/id is 8, expected 7 from history#/last/id" in violation.message

    def test_an_id_of_the_same_answer_was_guessed(self):
        [violation] = match(self.CASE, made(*self.calls(7, steps=(1, 1)))).violations
        assert violation.constraint is Constraint.DATAFLOW
        assert "before the result" in violation.message

    def test_an_id_out_of_a_call_that_failed_was_made_up(self):
        [violation] = match(self.CASE, made(*self.calls(7, result=None, error="not signed in"))).violations
        assert violation.constraint is Constraint.DATAFLOW
        assert "not signed in" in violation.message

    def test_what_nothing_is_known_of_is_not_held_and_is_counted(self):
        verdict = match(self.CASE, made(*self.calls(7, result={}, result_known=False)))
        assert verdict.passed
        assert verdict.unchecked == 1

    def test_without_the_history_the_id_came_from_nowhere(self):
        case = case_of(
            call("history", id="history", optional=True), call("order", {"id": {"$from": "history#/last/id"}})
        )
        assert broken(case, ("order", {"id": 7})) == [("dataflow", 1)]

    def test_a_wrong_amount_beside_it_is_an_argument_and_not_the_flow(self):
        case = case_of(call("history", id="h"), call("order", {"id": {"$from": "h#/last/id"}, "n": 1}))
        [first, _] = self.calls(7)
        assert broken(case, first, MadeCall(2, "order", {"id": 7, "n": 2}, offered=TOOLS)) == [("arguments", 2)]

    def test_of_two_givers_each_taker_has_its_own(self):
        case = case_of(
            {
                "unordered": [
                    {"ordered": [call("search", id="one"), call("buy", {"id": {"$from": "one#/id"}})]},
                    {"ordered": [call("search", id="two"), call("buy", {"id": {"$from": "two#/id"}})]},
                ]
            }
        )

        def calls(*bought):
            found = [MadeCall(n, "search", {}, {"id": n}, True, offered=TOOLS) for n in (1, 2)]
            return [*found, *(MadeCall(3 + n, "buy", {"id": id_}, offered=TOOLS) for n, id_ in enumerate(bought))]

        assert broken(case, *calls(2, 1)) == []
        assert broken(case, *calls(1, 1)) == [("dataflow", 3)] or broken(case, *calls(1, 1)) == [("dataflow", 4)]

    def test_it_comes_from_a_driven_call(self):
        case = case_of(
            call("order", {"id": {"$from": "login#/user"}}), drive=[{"functionName": "login", "id": "login"}]
        )
        given = {"login": {"user": 3}}
        assert broken(case, ("order", {"id": 3}), driven=given) == []
        assert broken(case, ("order", {"id": 4}), driven=given) == [("arguments", 1)]
        assert match(case, made(("order", {"id": 4}))).unchecked == 1


def test_a_missing_call_is_said_with_what_was_wanted_of_it():
    [violation] = match(case_of(call("a", {"n": 1}), call("a", {"n": 2})), made(("a", {"n": 1}))).violations
    assert violation.constraint is Constraint.MISSING
    assert violation.planned == "cases[0].expectedCall[1]"
    assert violation.message == (
        "'a' (cases[0].expectedCall[1]) was not called once more (it was called once) with {\"n\": 2}"
    )


def test_parallel_calls_of_one_answer_stand_in_its_order():
    both = [MadeCall(1, name, {}, offered=TOOLS) for name in "ab"]
    assert broken(case_of(call("a"), call("b")), *both) == []
    assert broken(case_of({"unordered": [call("b"), call("a")]}), *both) == []
