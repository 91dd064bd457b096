from collections import Counter

from measure.rates.trial import TrialKey
from measure.trials.tool_order import order_seed, shown
from tests.measure.trials.held import tool

A, B, C = tool("a"), tool("b"), tool("c")


def names(seed: str, *tools: object) -> str:
    return "".join(each.name for each in shown(tools, seed).tools)  # type: ignore[arg-type]


def test_every_order_of_three_tools_is_about_equally_likely() -> None:
    drawn = Counter(names(f"seed {number}", A, B, C) for number in range(1_200))
    assert set(drawn) == {"abc", "acb", "bac", "bca", "cab", "cba"}
    # 200 each; the standard deviation of one is 12.9.
    assert all(140 <= count <= 260 for count in drawn.values())


def test_the_order_of_registration_makes_no_difference_and_a_further_tool_leaves_the_others() -> None:
    for number in range(50):
        seed = str(number)
        assert names(seed, A, B, C) == names(seed, C, A, B)
        assert names(seed, A, B) == names(seed, A, B, C).replace("c", "")


def test_two_documents_tools_of_one_name_are_one_tool_to_a_judge_the_earlier_frames() -> None:
    far, near = tool("a", frame="top.10"), tool("a", frame="top.2")
    drawn = shown((far, B, near), "x")
    assert {(each.name, each.frame) for each in drawn.tools} == {("a", "top.2"), ("b", "top")}
    assert drawn.hidden == ("a",)


def test_trials_differ_in_their_order_and_variants_of_one_page_do_not() -> None:
    clean = TrialKey("index.html", "clean", "shop 1.0.0", "one", 1, 1)
    assert order_seed(7, clean) == order_seed(7, clean._replace(variant="vague"))
    others = [clean._replace(utterance="two"), clean._replace(session=2), clean._replace(repeat=2)]
    assert len({order_seed(7, each) for each in (clean, *others)} | {order_seed(8, clean)}) == 5


def test_a_name_with_a_lone_surrogate_has_a_place() -> None:
    assert len(shown((tool("\ud800"), A), "x").tools) == 2
