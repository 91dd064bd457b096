"""What a crawl refuses to do before the first visit, and what it says: what was wrong, in which input, what to do."""

import hashlib
import threading
from pathlib import Path

import pytest

import webmcp_census
from census.errors import CensusError
from tests.crawler.conftest import QUICK, Cli, final_visits, pages_asked, wait_until
from tests.sites.gold import document, registering
from tests.sites.server import Reply, Request, Site, SmallWeb

PAGE = document("A page", registering("here"))


def refusal(*arguments: str | Path) -> str:
    """What the command says when it refuses, run in this process."""
    with pytest.raises(CensusError) as caught:
        webmcp_census.cli.main([str(each) for each in arguments], standalone_mode=False)
    return str(caught.value)


def contents(run: Path) -> dict[str, str]:
    """What a RUN holds; a database's bookkeeping beside it does not count."""
    return {
        str(path.relative_to(run)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(run.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


@pytest.fixture(scope="module")
def finished(module_cli):
    """A finished crawl: the command that made it, its RUN, and a list of other targets."""
    with SmallWeb([Site("a", {"/": PAGE, "/other": PAGE})]) as web:
        targets = module_cli.list([web.url("a"), "ftp://a.localhost/", "http://a b/", web.url("a", "#top")])
        command = ("crawl", targets, "--out", module_cli.folder / "run", *QUICK, "--contact", "mail@example.org")
        done = module_cli(*command)
        assert done.code == 0, done.err
        yield command, module_cli.folder / "run", module_cli.list([web.url("a", "/other")], "other.txt"), done, web


def without(command: tuple[str | Path, ...], word: str) -> tuple[str | Path, ...]:
    return tuple(each for each in command if each != word)


@pytest.mark.parametrize(
    ("option", "difference"),
    [
        (("--delay", "3"), "delay: RUN has 0.0, this command 3.0"),
        (("--locale", "de-DE"), "visit.locale: RUN has 'en-US', this command 'de-DE'"),
        (("--user-agent", "Another/1.0"), "visit.user_agent: RUN has 'Mozilla/5.0"),
        (("--timezone", "Asia/Tokyo"), "visit.timezone: RUN has 'UTC', this command 'Asia/Tokyo'"),
        (("--viewport", "800x600"), "visit.viewport: RUN has [1280, 800], this command [800, 600]"),
        (("--settle-cap", "9"), "visit.settle.cap: RUN has 1.0, this command 9.0"),
        (("--no-robots",), "robots: RUN has True, this command False"),
        (("--retries", "4"), "retry.retries: RUN has 1, this command 4"),
        (("--control-every", "7"), "control_every: RUN has 25, this command 7"),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_a_run_is_not_continued_with_other_settings(finished, option, difference):
    command, run, _, _, _ = finished
    before = contents(run)
    said = refusal(*command, *option)
    assert difference in said
    assert said.count("RUN has") == 1, "only what differs is named"
    assert "give the same settings to go on with it, or another --out" in said
    assert contents(run) == before


def test_a_run_is_not_continued_without_the_leave_to_reach_private_addresses(finished):
    command, run, _, _, _ = finished
    before = contents(run)
    assert "visit.allow_private: RUN has True, this command False" in refusal(*without(command, "--allow-private"))
    assert contents(run) == before


def test_a_run_is_not_continued_with_another_target_list(finished):
    command, run, other, _, _ = finished
    before = contents(run)
    said = refusal("crawl", other, *command[2:])
    assert "targets: RUN has targets.txt, this command another list (other.txt)" in said
    assert contents(run) == before


def test_every_difference_is_named_and_the_exit_code_is_2(finished, module_cli):
    command, run, other, _, web = finished
    before, asked = contents(run), len(web.log)
    done = module_cli("crawl", other, *command[2:], "--delay", "3", "--locale", "de-DE")
    assert done.code == 2
    assert done.out == ""
    assert [name for name in ("delay: ", "visit.locale: ", "targets: ") if f"\n  {name}" not in done.err] == []
    assert "Traceback" not in done.err
    assert contents(run) == before
    assert len(web.log) == asked


def test_what_is_no_target_is_counted_and_named_and_the_rest_is_visited(finished):
    done = finished[3]
    assert "1 of 1 targets have their outcome" in done.out
    assert "not visited: 1 duplicates, 1 not_http, 1 unreadable" in done.out
    assert "targets.txt, line 2: not an http(s) URL: 'ftp://a.localhost/'" in done.err
    assert "targets.txt, line 3:" in done.err


def test_strict_stops_at_the_first_line_that_is_no_target(finished, tmp_path):
    command = finished[0]
    said = refusal("crawl", command[1], "--out", tmp_path / "run", *command[4:], "--strict")
    assert "line 2: not an http(s) URL" in said
    assert not (tmp_path / "run").exists()


def test_a_second_crawl_of_a_run_at_the_same_time_is_refused_and_the_first_goes_on(cli: Cli):
    release = threading.Event()

    def after_the_release(_: Request) -> Reply:
        assert release.wait(60)
        return PAGE

    with SmallWeb([Site("a", {"/": after_the_release})]) as web:
        command = ("crawl", cli.list([web.url("a")]), "--out", cli.folder / "run", *QUICK)
        first = cli.start(*command)
        try:
            wait_until(lambda: pages_asked(web), "the first crawl at work")
            assert "is in use by another crawl" in refusal(*command)
        finally:
            release.set()
        assert first.result().code == 0
        assert len(final_visits(cli.folder / "run")) == 1


def test_a_run_that_cannot_be_written_is_refused(tmp_path):
    targets = tmp_path / "targets.txt"
    targets.write_text("http://a.localhost/\n")
    in_its_place = tmp_path / "run"
    in_its_place.write_text("a file")
    for run in (in_its_place, in_its_place / "below"):
        said = refusal("crawl", targets, "--out", run, "--allow-private")
        assert f"cannot write to {run}" in said
        assert "give --out a folder you may write" in said
    assert in_its_place.read_text() == "a file"


def test_a_run_whose_evidence_cannot_be_written_is_refused_before_the_first_visit(tmp_path):
    targets = tmp_path / "targets.txt"
    targets.write_text("http://a.localhost/\n")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "evidence").write_text("a file")
    assert f"cannot write to {tmp_path / 'run'}" in refusal(
        "crawl", targets, "--out", tmp_path / "run", "--allow-private"
    )


def test_a_run_with_unreadable_settings_is_refused(tmp_path):
    targets = tmp_path / "targets.txt"
    targets.write_text("http://a.localhost/\n")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{")
    assert "run.json" in refusal("crawl", targets, "--out", tmp_path / "run", "--allow-private")


@pytest.mark.parametrize("browser", ["/nowhere/chrome", "/dev/null", "/bin/false"])
def test_a_browser_that_is_none_is_refused_with_the_way_to_get_one(tmp_path, browser):
    targets = tmp_path / "targets.txt"
    targets.write_text("http://a.localhost/\n")
    said = refusal("crawl", targets, "--out", tmp_path / "run", "--allow-private", "--browser", browser)
    assert browser in said
    assert "apt-get install chromium-headless-shell" in said
    assert "--browser PATH" in said
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file or directory"),
        (b"\x00\x01binary", "a binary file"),
        (b"caf\xe9\n", "line 1: not UTF-8"),
        (b"", "no target in it"),
        (b"# only a comment\n", "no target in it"),
        (b"ftp://a.org/\n", "no target in it (line 1: not an http(s) URL"),
    ],
)
def test_a_target_list_that_is_none_is_refused(tmp_path, content, said):
    targets = tmp_path / "targets.txt"
    if content is not None:
        targets.write_bytes(content)
    found = refusal("crawl", targets, "--out", tmp_path / "run", "--allow-private")
    assert str(targets) in found
    assert said in found
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "say who you are: --contact"),
        (("--allow-private", "--viewport", "wide"), "--viewport 'wide': write it as 1280x800"),
        (
            ("--allow-private", "--control-host", "example.org:x"),
            "--control-host 'example.org:x': write HOST or HOST:PORT",
        ),
        (("--allow-private", "--host-resolver-rules", "MAP a"), "--host-resolver-rules: cannot read 'MAP a'"),
        (("--allow-private", "--opt-out", "nowhere.txt"), "opt-out list nowhere.txt cannot be read"),
    ],
)
def test_an_option_that_cannot_be_used_is_named(tmp_path, options, said):
    targets = tmp_path / "targets.txt"
    targets.write_text("http://a.localhost/\n")
    assert said in refusal("crawl", targets, "--out", tmp_path / "run", *options)
    assert not (tmp_path / "run").exists()
