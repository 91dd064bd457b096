"""From what a user names to a plan: pages and sets that belong together, and what is refused."""

import json
from datetime import timedelta
from pathlib import Path
from urllib.request import urlopen

import click
import pytest

from census.errors import CensusError
from census.folder_lock import held
from census.visit import Browser
from crawler.settings import VisitSettings
from measure.rates.rate_plan import Prediction
from measure.trials.beginning import begin
from measure.trials.chosen_pages import pages_of_folder, pages_of_urls
from measure.trials.planning import Wanted, plan_of, read_predictions, read_sets
from measure.trials.progress import Progress, duration
from measure.trials.serving import served, served_url, serving
from measure.trials.spacing import Spacing
from measure.utterances.digest import frozen
from measure.utterances.utterance_set import Author, SetupCall, UtteranceSet, write_set
from tests.measure.rates.test_rate_run import SET

HERE = Wanted("oracle", Browser(name="Chromium", build="156.0", shell=True), VisitSettings("agent"), ("http://a/",))


def a_set(name: str, page: str) -> UtteranceSet:
    return SET.model_copy(update={"name": name, "page": page, "digest": None})


def pairs(urls: list[str], *sets: UtteranceSet) -> list[tuple[str, str]]:
    return [(page.page, page.set) for page in pages_of_urls(urls, sets)]


def test_a_single_set_goes_with_every_page() -> None:
    assert pairs(["http://a/x", "http://b/"], SET) == [("http://a/x", "shop 1.0.0"), ("http://b/", "shop 1.0.0")]


def test_several_sets_go_with_the_pages_that_they_are_for() -> None:
    cart, notes = a_set("cart", "http://a/cart"), a_set("notes", "notes/index.html")
    found = pairs(["http://A:80/cart/", "http://b/notes/", "http://b/notes/index.html"], cart, notes)
    assert found == [
        ("http://A:80/cart/", "cart 1.0.0"),
        ("http://b/notes/", "notes 1.0.0"),
        ("http://b/notes/index.html", "notes 1.0.0"),
    ]


def test_a_page_or_a_set_that_is_left_over_is_an_error() -> None:
    cart, notes = a_set("cart", "http://a/cart"), a_set("notes", "notes/index.html")
    with pytest.raises(CensusError, match=r"no set is for http://a/mynotes/index\.html"):
        pairs(["http://a/cart", "http://a/mynotes/index.html"], cart, notes)
    with pytest.raises(CensusError, match="the set notes is for"):
        pairs(["http://a/cart"], cart, notes)


def shop(path: Path) -> Path:
    for each in ("index.html", "clean/index.html", "vague/index.html", "pictures/cat.txt", ".git/index.html"):
        (path / each).parent.mkdir(exist_ok=True)
        (path / each).write_text(each)
    return path


def test_a_folder_and_its_sub_folders_are_variants_of_a_page(tmp_path: Path) -> None:
    found = pages_of_folder(shop(tmp_path), [SET], [])
    assert [page.variant for page in found] == ["", "clean", "vague"]
    assert [page.variant for page in pages_of_folder(tmp_path, [SET], ["vague"])] == ["vague"]
    with pytest.raises(CensusError, match="--variant odd"):
        pages_of_folder(tmp_path, [SET], ["vague", "odd"])
    with pytest.raises(CensusError, match=r"has the page other\.html"):
        pages_of_folder(tmp_path, [a_set("shop", "other.html")], [])


@pytest.mark.parametrize("page", ["../index.html", "/index.html", "http://a/index.html"])
def test_a_page_outside_a_served_folder_is_refused(tmp_path: Path, page: str) -> None:
    with pytest.raises(CensusError, match="no path in a folder"):
        pages_of_folder(shop(tmp_path), [a_set("shop", page)], [])


def test_a_served_page_is_what_is_in_the_folder_now(tmp_path: Path) -> None:
    shop(tmp_path)
    before = served(tmp_path)
    with serving(tmp_path) as root:
        assert root.startswith("http://127.0.0.1:")
        for variant, text in (("", b"index.html"), ("clean", b"clean/index.html")):
            with urlopen(served_url(root, "index.html", variant), timeout=30) as answer:
                assert answer.read() == text
                assert answer.headers["Cache-Control"] == "no-store"
    (tmp_path / "clean" / "index.html").write_text("changed")
    assert served(tmp_path) != before


def test_a_run_goes_on_with_the_same_plan_and_refuses_another_naming_what_differs(tmp_path: Path) -> None:
    first = begin(tmp_path, plan_of(HERE, [SET]), [SET])
    assert begin(tmp_path, plan_of(HERE, [SET]), [SET]) == first
    other = plan_of(HERE, [SET]).model_copy(update={"repeats": 2, "judge": "lexical:bm25"})
    with pytest.raises(CensusError, match=r"(?s)judge: the run has 'oracle'.*repeats: the run has 1"):
        begin(tmp_path, other, [SET])
    locale = plan_of(HERE, [SET]).model_copy(update={"visit": {**first.visit, "locale": "de-DE"}})
    with pytest.raises(CensusError, match=r"visit\.locale: the run has 'en-US', this command 'de-DE'"):
        begin(tmp_path, locale, [SET])


def test_a_folder_is_one_runs_at_a_time(tmp_path: Path) -> None:
    with (
        held(tmp_path, "run.lock", "run"),
        pytest.raises(CensusError, match="in use"),
        held(tmp_path, "run.lock", "run"),
    ):
        pass


def test_sets_that_are_no_measure_are_refused(tmp_path: Path) -> None:
    draft, ours = tmp_path / "draft.json", tmp_path / "ours.json"
    write_set(draft, SET.model_copy(update={"digest": None}))
    with pytest.raises(CensusError, match="is a draft"):
        read_sets([draft], "oracle")
    author = Author(kind="model", name="openai:gpt-9")
    one = SET.utterances[0].model_copy(update={"author": author})
    write_set(ours, frozen(SET.model_copy(update={"digest": None, "utterances": (one,)})))
    with pytest.raises(CensusError, match="may not judge"):
        read_sets([ours], "openai:gpt-9@https://api.openai.com/v1,mode=native,max_output=1024")
    with pytest.raises(CensusError, match="given twice"):
        read_sets([ours, ours], "oracle")


@pytest.mark.parametrize(("execute", "writes"), [(False, True), (True, False), (False, False), (True, True)])
def test_what_needs_calls_before_it_is_left_out_where_they_may_not_be_made(execute: bool, writes: bool) -> None:
    one = SET.utterances[0].model_copy(update={"setup": (SetupCall(tool="add"),)})
    sets = [frozen(SET.model_copy(update={"digest": None, "utterances": (one,)}))]
    wanted = Wanted("oracle", HERE.browser, HERE.visit, HERE.urls, execute=execute, allow_writes=writes)
    [planned] = plan_of(wanted, sets).sets
    expected = (("one", "none"), ()) if execute and writes else (("none",), ("one",))
    assert (planned.utterances, planned.left_out) == expected


def test_predictions_are_read_and_held_against_the_sets(tmp_path: Path) -> None:
    file = tmp_path / "predictions.json"
    file.write_text(json.dumps([{"tool": "add", "rate": 0.8, "by": "Ada"}]))
    found = read_predictions(file)
    assert found == (Prediction(tool="add", rate=0.8, by="Ada"),)
    unknown = Wanted("oracle", HERE.browser, HERE.visit, HERE.urls, predictions=(Prediction(tool="pay", rate=1),))
    with pytest.raises(CensusError, match="predicted of pay"):
        plan_of(unknown, [SET])
    file.write_text('[{"tool": "add", "rate": 80}]')
    with pytest.raises(CensusError, match="less than or equal to 1"):
        read_predictions(file)


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("30m", 1_800), ("6h", 21_600), ("1.5d", 129_600)])
def test_a_length_of_time(text: str, seconds: int) -> None:
    assert Spacing().convert(text, None, None) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["6", "h", "-1h", "6 hours", "6w", "1e3h"])
def test_what_is_no_length_of_time_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="no length of time"):
        Spacing().convert(text, None, None)


def test_progress_tells_what_is_left_at_the_pace_of_this_session() -> None:
    progress = Progress("session 2 of 3", 300, 100, shown=False)
    assert progress.text(1.0) == "session 2 of 3: 100 of 300 trials, no estimate yet"
    for missing in (False, False, True, False):
        progress.ended(missing=missing)
    # Four trials in 6 s: 196 are left at 1.5 s each.
    assert progress.text(6.0) == "session 2 of 3: 104 of 300 trials, 1 missing, about 5 min of measuring left"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (89, "89 s"), (91, "2 min"), (5_340, "89 min"), (11_100, "3 h 5 min")]
)
def test_a_duration_as_a_person_says_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text
