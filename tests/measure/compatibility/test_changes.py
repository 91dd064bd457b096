"""Which build changed what, and how it is said."""

from measure.compatibility.changelog import changes_by_version, sentence
from measure.compatibility.changes import changes
from measure.compatibility.matrix import newest_first
from tests.measure.compatibility.matrices import behaviour, build, matrix

ROW = "registration/return-value"


def made(**values: str) -> list[tuple[str, str, str, str]]:
    """(older, before, build, after) of each change in a row of these values."""
    return [
        (change.older.label, change.before, change.build.label, change.after)
        for change in changes(matrix({ROW: values}))
    ]


def test_columns_are_the_newest_first_and_other_engines_last():
    labels = ["ff153", "sp143", "hs156", "sp152", "cr150", "cr156", "hs150"]
    assert [each.label for each in newest_first([build(label) for label in labels])] == [
        "cr156", "hs156", "sp152", "cr150", "hs150", "sp143", "ff153",
    ]  # fmt: skip


def test_versions_are_compared_as_numbers():
    assert [each.version for each in newest_first([build("cr1", "99.0"), build("cr2", "100.0")])] == ["100.0", "99.0"]


def test_a_change_is_made_by_the_first_build_with_the_new_answer():
    assert made(sp149="undefined", hs150="undefined", sp152="promise", hs156="promise") == [
        ("hs150", "undefined", "sp152", "promise")
    ]


def test_an_answer_that_comes_back_is_two_changes():
    assert made(sp149="a", hs150="b", sp152="a") == [("sp149", "a", "hs150", "b"), ("hs150", "b", "sp152", "a")]


def test_what_was_not_asked_is_no_change():
    assert made(sp149="a", sp152="a") == []
    assert changes(matrix({ROW: {"sp149": "a", "sp152": "b"}, "names/empty": {"hs150": "c"}}))[0].older.label == "sp149"


def test_a_full_browser_s_change_is_told_once_where_the_shells_say_at_which_version():
    assert made(sp149="a", hs150="a", sp152="b", hs156="b", cr150="a", cr156="b") == [("hs150", "a", "sp152", "b")]


def test_a_full_browser_s_change_that_the_shells_do_not_show_is_told():
    assert made(hs150="page", hs156="page", cr150="page", cr156="frame") == [("cr150", "page", "cr156", "frame")]


def test_engines_are_not_compared():
    assert made(sp152="a", ff153="b", hs156="a") == []


def test_a_change_is_a_sentence_of_the_values_meanings():
    row = behaviour(ROW, {"promise": "A promise.", "undefined": "Nothing."})
    (change,) = changes(matrix({ROW: {"hs150": "undefined", "sp152": "promise"}}, (row,)))
    assert sentence(change, row) == ("What of registration/return-value? Since 152: A promise. Until 150: Nothing.")


def test_a_free_answer_stands_for_itself_and_a_crash_is_explained():
    row = behaviour(ROW)
    (change,) = changes(matrix({ROW: {"sp149": "crash", "hs150": "a,b"}}, (row,)))
    assert sentence(change, row).endswith("Since 150: a,b. Until 149: the question takes the renderer down.")


def test_a_change_of_the_full_browser_says_so():
    row = behaviour(ROW)
    (change,) = changes(matrix({ROW: {"cr150": "a", "cr156": "b"}}, (row,)))
    assert "Since 156 in the full browser: b." in sentence(change, row)


def test_changes_stand_under_their_version_the_newest_first():
    rows = {ROW: {"sp149": "a", "hs150": "b", "sp152": "c"}, "names/empty": {"sp149": "x", "hs150": "y", "sp152": "y"}}
    found = matrix(rows)
    by_id = {each.id: each for each in found.behaviours}
    told = [
        (heading, [change.behaviour for change, _ in group])
        for heading, group in changes_by_version(changes(found), by_id)
    ]
    assert told == [
        ("Chromium 152, after 150", [ROW]),
        ("Chromium 150, after 149", [ROW, "names/empty"]),
    ]
