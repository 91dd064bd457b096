"""What is claimed of a page in a build: what the matrix says of what the page uses, and nothing more.

The values are those measured: `document.modelContext` since 150, `navigator.modelContext` until 150.
"""

import pytest

from census.errors import CensusError
from census.vocabulary import Kind, Relation
from measure.compatibility.in_builds import plain, sentences, support_in
from measure.compatibility.page_support import BuildSupport, Support, support
from measure.compatibility.page_use import PageUse, ToolUse, use_of_manifest, use_of_visit
from measure.compatibility.published import PublishedMatrix
from measure.compatibility.publishing import publishable
from measure.compatibility_data import FOLDER, MATRIX
from measure.lint.manifest import Manifest, ManifestTool
from measure.lint.visit_manifest import manifest_of_visit
from tests.census.factories import captured, tool
from tests.measure.compatibility.matrices import matrix

ROWS = {
    "exposure/where": {"cr156": "document", "cr150": "document,navigator", "sp149": "navigator"},
    "exposure/old-methods": {"cr156": "none", "cr150": "none", "sp149": "clearContext,provideContext"},
    "contexts/https": {"cr156": "ok", "cr150": "ok", "sp149": "ok"},
    "contexts/http": {"cr156": "no_api", "cr150": "no_api", "sp149": "no_api"},
    "contexts/agent-cluster-off": {"cr156": "SecurityError", "cr150": "ok", "sp149": "ok"},
    "names/space": {"cr156": "InvalidStateError", "cr150": "InvalidStateError", "sp149": "ok"},
    "names/empty": {"cr156": "InvalidStateError", "cr150": "InvalidStateError", "sp149": "not_applicable"},
    "forms/listed": {"cr156": "listed", "cr150": "listed", "sp149": "not_listed"},
    "forms/bad-name": {"cr156": "not_listed", "cr150": "crash", "sp149": "listed"},
    "frames_and_policy/cross-site": {"cr156": "NotAllowedError", "cr150": "NotAllowedError", "sp149": "ok"},
    "frames_and_policy/cross-site-allowed": {"cr156": "ok", "cr150": "ok", "sp149": "ok"},
    "registration/duplicate": {"cr156": "InvalidStateError", "cr150": "InvalidStateError", "sp149": "ok"},
}
PUBLISHED = PublishedMatrix.model_validate_json(publishable(matrix(ROWS)))

EITHER = frozenset({"document", "navigator"})


def used(
    name: str = "search", *, form: bool = False, relation: Relation = Relation.TOP, allowed: bool = False
) -> ToolUse:
    return ToolUse(name, form, "Searches the shop.", {"type": "object"}, relation, allowed)


def said(use: PageUse, label: str) -> BuildSupport:
    build = PUBLISHED.build(label)
    assert build is not None
    return support(use, PUBLISHED, build)


def reasons(use: PageUse, label: str) -> list[tuple[str, str]]:
    return [(reason.behaviour, reason.value) for reason in said(use, label).reasons]


@pytest.mark.parametrize(
    ("through", "works_in"),
    [
        ({"document"}, {"cr156", "cr150"}),
        ({"navigator"}, {"cr150", "sp149"}),
        ({"document", "navigator"}, {"cr156", "cr150", "sp149"}),
    ],
)
def test_script_tools_are_there_where_their_object_is(through, works_in):
    use = PageUse((used(),), frozenset(through))
    for label in ("cr156", "cr150", "sp149"):
        expected = Support.WORKS if label in works_in else Support.SILENT
        assert said(use, label).support is expected, label


def test_a_page_that_is_silent_for_its_object_says_so_with_the_cell():
    (reason,) = said(PageUse((used(),), frozenset({"document"})), "sp149").reasons
    assert (reason.behaviour, reason.value, reason.tools) == ("exposure/where", "navigator", ("search",))
    assert reason.text == "its scripts use `document.modelContext`, which is not there"


def test_what_scripts_use_is_not_guessed():
    assert said(PageUse((used(),), through=None), "sp149").support is Support.MAY_WORK


def test_a_dead_page_without_any_tool_is_silent_where_its_object_is_missing():
    dead = PageUse((), frozenset({"navigator"}))
    assert said(dead, "cr156").support is Support.SILENT
    assert said(dead, "sp149").support is Support.MAY_WORK


def test_forms_need_no_object():
    use = PageUse((used(form=True), used("pay")), frozenset({"document"}))
    assert said(use, "cr150").support is Support.WORKS
    assert said(use, "sp149").support is Support.SILENT
    assert said(PageUse((used(form=True),), frozenset({"navigator"})), "cr156").support is Support.WORKS


def test_one_refused_name_leaves_the_other_tools():
    use = PageUse((used("add item"), used("pay")), EITHER)
    assert said(use, "cr156").support is Support.PARTLY
    assert said(use, "cr156").reasons[0].tools == ("add item",)
    assert said(use, "sp149").support is Support.WORKS


def test_what_takes_the_renderer_down_is_more_than_a_lost_tool():
    use = PageUse((used("find it", form=True), used("pay")))
    assert said(use, "cr156").support is Support.PARTLY
    assert said(use, "cr150").support is Support.CRASHES


def test_what_is_not_applicable_claims_nothing():
    assert said(PageUse((used(""),), EITHER), "sp149").support is Support.WORKS
    assert said(PageUse((used(""),), EITHER), "cr156").support is Support.SILENT


def test_what_the_matrix_has_no_cell_for_claims_nothing():
    assert said(PageUse((used("a/b"), used("x" * 200)), EITHER), "cr156").support is Support.WORKS


def test_frames_need_permission_where_there_is_a_policy():
    use = PageUse((used(relation=Relation.CROSS_SITE), used("pay")), EITHER)
    assert reasons(use, "cr156") == [("frames_and_policy/cross-site", "NotAllowedError")]
    assert said(use, "sp149").support is Support.WORKS
    allowed = PageUse((used(relation=Relation.CROSS_SITE, allowed=True), used("pay")), EITHER)
    assert said(allowed, "cr156").support is Support.WORKS


def test_an_address_without_the_api_and_a_header_that_blocks_it_silence_a_page():
    assert said(PageUse((used(),), context="contexts/http"), "cr156").support is Support.SILENT
    blocked = PageUse((), context="contexts/https", keyed_off=True)
    assert said(blocked, "cr156").support is Support.SILENT
    assert said(blocked, "cr150").support is Support.MAY_WORK


def test_old_methods_that_are_gone_are_a_reason_and_never_the_whole():
    use = PageUse((used(),), EITHER, old_methods=frozenset({"provideContext"}))
    assert said(use, "cr156").support is Support.PARTLY
    assert said(use, "sp149").support is Support.WORKS
    assert said(PageUse((), old_methods=frozenset({"provideContext"})), "cr156").support is Support.PARTLY


def test_the_use_of_a_manifest_is_its_tools_alone():
    tools = tuple(ManifestTool(name, "Searches.") for name in ("search", "pay", "search"))
    use = use_of_manifest(Manifest("tools.json", tools))
    assert [each.again for each in use.tools] == [False, False, True]
    assert (use.through, use.context) == (None, None)
    assert reasons(use, "cr156") == [("registration/duplicate", "InvalidStateError")]


def test_the_use_of_a_visit_is_what_was_seen():
    visit = captured(
        "https://shop.example/",
        tools=[tool("search"), tool("find", kind=Kind.FORM)],
        script_evidence={"names_api": True, "old_names": ("navigator.modelContext", "provideContext")},
    )
    use = use_of_visit(visit, manifest_of_visit(visit))
    assert {each.name: each.form for each in use.tools} == {"search": False, "find": True}
    assert use.through == {"document", "navigator"}
    assert use.old_methods == {"provideContext"}
    assert use.context == "contexts/https"


def test_scripts_that_were_not_read_may_use_anything():
    visit = captured("https://shop.example/", tools=[tool("search")], script_evidence={"names_api": True, "unread": 1})
    assert use_of_visit(visit, manifest_of_visit(visit)).through is None


@pytest.mark.parametrize(
    ("url", "context"),
    [
        ("http://localhost:3000/", "contexts/http-localhost"),
        ("http://shop.localhost/", "contexts/http-localhost"),
        ("http://127.0.0.1:8000/", "contexts/http-loopback"),
        ("http://shop.example/", "contexts/http"),
    ],
)
def test_an_address_is_held_against_the_context_of_its_sort(url, context):
    visit = captured(url)
    assert use_of_visit(visit, manifest_of_visit(visit)).context == context


@pytest.fixture
def published(tmp_path, monkeypatch):
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / MATRIX).write_text(publishable(matrix(ROWS)))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("published")
def test_builds_are_named_by_label_or_version():
    use = PageUse((used(),), frozenset({"document"}))
    found = support_in("156, sp149", use)
    works, silent = sentences(found)
    assert works == "Chromium 156 (cr156): works"
    assert silent == (
        "Chromium 149 (sp149): silent, because its scripts use `document.modelContext`, which is not there (`search`)"
        " [exposure/where: navigator]"
    )
    assert len(support_in("all", use)) == 3
    with pytest.raises(CensusError, match=r"has no build '151'; it has cr156, cr150, sp149"):
        support_in("151", use)
    with pytest.raises(CensusError, match="names no build"):
        support_in(",", use)


@pytest.mark.usefixtures("published")
def test_the_same_reason_of_many_tools_is_said_once():
    use = PageUse(tuple(used(f"tool {number}") for number in range(7)))
    (text,) = sentences(support_in("156", use))
    assert text.count("its name is refused") == 1
    assert "`tool 4` and 2 more" in text
    (record,) = plain(support_in("156", use))
    assert record["reasons"][0]["tools"] == [f"tool {number}" for number in range(7)]
