"""When a run is good: as expected, in its vocabulary, true to what was published."""

import pytest

from census.errors import CensusError
from measure.compatibility.behaviour import Behaviour
from measure.compatibility.cell import in_vocabulary
from measure.compatibility.expected import Expected, read_expected
from measure.compatibility.published import PublishedMatrix
from measure.compatibility.publishing import publishable
from measure.compatibility.verdict import Verdict, judge
from tests.measure.compatibility.matrices import behaviour, matrix

NAME = "names/empty"


def expected(value: object = "no") -> Expected:
    return Expected.model_validate({"engine": "chromium", "major": 156, "values": {NAME: value}})


def verdict(values: dict[str, str], of: Behaviour | None = None, want: object = "no") -> Verdict:
    return judge(matrix({NAME: values}, (of or behaviour(NAME),)), expected(want), None, [])


def test_an_expected_answer_is_good():
    assert verdict({"hs156": "no"}).good


def test_an_unexpected_answer_is_named_with_its_cell():
    (difference,) = verdict({"cr156": "no", "hs156": "yes"}).unexpected
    assert (difference.behaviour, difference.build, difference.expected, difference.value) == (
        NAME, "hs156", "no", "yes",
    )  # fmt: skip


def test_nothing_is_expected_of_other_versions_and_engines():
    assert verdict({"sp153": "yes", "ff156": "yes"}).good


def test_a_shell_may_be_expected_to_answer_otherwise():
    want = {"full": "frame", "shell": "page"}
    assert verdict({"cr156": "frame", "hs156": "page"}, want=want).good
    assert [each.build for each in verdict({"cr156": "page", "hs156": "frame"}, want=want).unexpected] == [
        "cr156", "hs156",
    ]  # fmt: skip


def test_an_answer_that_hangs_on_timing_may_differ():
    assert verdict({"hs156": "yes"}, behaviour(NAME, timing=True)).good


def test_an_answer_outside_the_vocabulary_is_complained_of():
    closed = behaviour(NAME, {"no": "Refused.", "yes": "Taken."})
    assert verdict({"sp149": "yes"}, closed).good
    (complaint,) = verdict({"sp149": "perhaps"}, closed).complaints
    assert "names/empty on sp149 answered 'perhaps'" in complaint


@pytest.mark.parametrize("value", ["crash", "hang", "not_applicable"])
def test_any_question_may_crash_hang_or_not_apply(value):
    assert in_vocabulary(behaviour(NAME, {"no": "Refused."}), value)


@pytest.mark.parametrize(("value", "good"), [("a,b", True), ("", False), ("a\nb", False), ("x" * 201, False)])
def test_a_free_answer_is_a_short_line(value, good):
    assert in_vocabulary(behaviour(NAME), value) is good


def test_a_published_cell_that_moved_is_complained_of():
    before = PublishedMatrix.model_validate_json(publishable(matrix({NAME: {"hs156": "yes"}})))
    found = judge(matrix({NAME: {"hs156": "no"}}), expected(), before, [])
    assert not found.good
    assert "was published as 'yes'" in found.complaints[0]


def test_a_damaged_file_of_expectations_is_refused(tmp_path):
    path = tmp_path / "expected.json"
    path.write_text('{"engine": "chromium"}')
    with pytest.raises(CensusError, match="holds no expectations"):
        read_expected(path)
