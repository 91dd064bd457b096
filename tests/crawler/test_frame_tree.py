import pytest

from crawler.frame_tree import FrameTree

PAGE, OTHER = "the page's session", "another process's session"


@pytest.fixture
def tree() -> FrameTree:
    """Top with the frames a, b and c; b has b1."""
    tree = FrameTree("top", PAGE)
    for frame in ("a", "b", "c"):
        tree.attach(frame, "top", PAGE)
    tree.attach("b1", "b", PAGE)
    return tree


def paths(tree: FrameTree) -> dict[str, str]:
    return {frame.frame_id: frame.path for frame in tree.frames()}


def test_a_path_is_the_frames_place_in_the_tree(tree):
    assert paths(tree) == {"top": "top", "a": "top.0", "b": "top.1", "b1": "top.1.0", "c": "top.2"}


def test_a_frame_that_is_removed_goes_with_all_that_is_under_it_and_the_next_ones_move_up(tree):
    assert tree.detach("b") == ["b", "b1"]
    assert paths(tree) == {"top": "top", "a": "top.0", "c": "top.1"}
    assert tree.get("b1") is None


def test_a_frame_that_moves_to_another_process_keeps_its_place_and_loses_its_children(tree):
    tree.move("b", OTHER)
    assert paths(tree) == {"top": "top", "a": "top.0", "b": "top.1", "c": "top.2"}
    assert tree.get("b").session == OTHER
    assert tree.get("a").session == PAGE


def test_what_is_attached_again_after_the_move_keeps_the_order(tree):
    tree.move("b", OTHER)
    tree.attach("b", "top", OTHER)
    tree.attach("b1", "b", OTHER)
    assert paths(tree)["b1"] == "top.1.0"
    assert [frame.frame_id for frame in tree.top.children] == ["a", "b", "c"]


def test_a_navigation_replaces_what_was_in_the_frame_and_only_there(tree):
    tree.navigate("b", "https://a.org/next", PAGE)
    assert tree.get("b").url == "https://a.org/next"
    assert tree.get("b1") is None
    assert tree.get("a") is not None


def test_a_navigation_of_the_top_document_leaves_it_alone_in_the_tree(tree):
    tree.navigate("top", "https://a.org/", PAGE)
    assert paths(tree) == {"top": "top"}


def test_the_top_document_cannot_be_removed(tree):
    assert tree.detach("top") == []
    assert tree.get("top") is tree.top


def test_events_about_frames_that_nobody_knows_change_nothing(tree):
    before = paths(tree)
    tree.attach("x", "nobody", PAGE)
    tree.move("nobody", OTHER)
    assert tree.navigate("nobody", "https://a.org/", PAGE) is None
    assert tree.detach("nobody") == []
    tree.attach("a", "b", OTHER)
    assert paths(tree) == before
