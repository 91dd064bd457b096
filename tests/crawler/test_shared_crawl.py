"""One crawl by several workers with real browsers: PostgreSQL, S3, one of the workers killed, and the RUN it gives."""

import json
from functools import partial
from itertools import pairwise

import polars as pl
import pytest

from census.run import Run
from census.vocabulary import Outcome
from tests.crawler.conftest import (
    QUICK,
    Cli,
    Command,
    alive,
    assert_nothing_lost,
    final_visits,
    pages_asked,
    tool_names,
    wait_until,
)
from tests.crawler.postgres_server import PASSWORD
from tests.crawler.s3_server import SECRET_KEY
from tests.sites.gold import document, registering
from tests.sites.server import Site, SmallWeb

DELAY = 1.0
NAMES = [f"s{i}" for i in range(6)]
SITES = (
    *(Site(name, {"/": document(name, registering(f"tool_of_{name}"))}) for name in NAMES),
    Site("many", {f"/{n}": document(f"Page {n}", registering(f"tool_{n}")) for n in range(4)}),
    Site("gone", {}),
)
PATHS = [*((name, "/") for name in NAMES), *(("many", f"/{n}") for n in range(4)), ("gone", "/")]


def begin(cli: Cli, web: SmallWeb, url: str, place: str) -> None:
    targets = cli.list(web.url(*path) for path in PATHS)
    done = cli(
        "crawl", targets, "--frontier", url, "--evidence", place, "--add-only", *QUICK[:-6], "--delay", str(DELAY),
        "--retry-delay", "0.1", "--settle-cap", "1", "--concurrency", "1",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert f"{len(PATHS)} targets wait for workers" in done.out
    assert PASSWORD not in done.out + done.err


def worker(cli: Cli, url: str) -> Command:
    return cli.start("crawl", "--worker", "--frontier", url)


def status(cli: Cli, url: str) -> dict:
    done = cli("crawl", "status", "--frontier", url, "--json")
    assert done.code in {0, 2}, done.err
    return json.loads(done.out)


def no_secret_in(*texts: str) -> None:
    for text in texts:
        assert PASSWORD not in text
        assert SECRET_KEY not in text


def secrets_seen(command: Command) -> set[str]:
    """Which secrets the arguments of a command's processes hold, and the environments of those it started."""
    seen = set()
    for each in command.family():
        try:
            texts = [*each.cmdline()]
            if "--user-data-dir" in " ".join(texts):
                texts += each.environ().values()
        except (OSError, LookupError, RuntimeError):
            continue
        seen |= {secret for secret in (PASSWORD, SECRET_KEY) if any(secret in text for text in texts)}
    return seen


@pytest.mark.long
@pytest.mark.timeout(280)
def test_two_workers_one_of_them_killed_make_one_crawl(cli, s3, database_url):
    bucket = s3.bucket()
    with SmallWeb(SITES) as web:
        begin(cli, web, database_url, f"s3://{bucket}/evidence")
        first, second = worker(cli, database_url), worker(cli, database_url)
        wait_until(lambda: first.browsers() and second.browsers(), "both browsers", timeout=90)
        assert secrets_seen(first) | secrets_seen(second) == set()
        wait_until(partial(_busy, web), "a page under way")
        now = status(cli, database_url)
        assert len(now["workers"]) == 2
        first.kill(whole_group=True)
        ended = second.result(timeout=200)
        assert ended.code == 0, ended.err
        no_secret_in(ended.out, ended.err)
        begun = [request.at for request in web.requests("many") if request.path != "/robots.txt"]
    assert all(later - earlier >= DELAY for earlier, later in pairwise(begun)), "two workers hurried one site"

    assert cli("crawl", "collect", "--frontier", database_url, "--out", "run").code == 0
    run = cli.folder / "run"
    assert_nothing_lost(run, len(PATHS))
    visits = final_visits(run)
    assert {tuple(tool_names(visits[url])) for url in visits if "//s" in url} == {
        (f"tool_of_{name}",) for name in NAMES
    }
    assert visits[web.url("gone")].outcome is Outcome.HTTP_ERROR
    assert {f"evidence/{digest[:2]}/{digest}.json.gz" for _, digest in Run(run).final_evidence()} <= set(
        s3.keys(bucket)
    )
    end = status(cli, database_url)
    assert end["counts"]["outcomes"] == {"captured": len(PATHS) - 1, "http_error": 1}
    assert "ended" in {each["state"] for each in end["workers"]}
    assert sum(each["visits"] for each in end["workers"]) >= len(PATHS)
    for path in run.rglob("*"):
        if path.is_file():
            no_secret_in(path.read_bytes().decode(errors="replace"))
    built = cli("build", "run", "--out", "release")
    assert built.code == 0, built.err
    assert len(pl.read_parquet(cli.folder / "release" / "data" / "pages.parquet")) == len(PATHS)
    wait_until(lambda: not alive(second.family_seen()), "the end of all processes", timeout=20)


def _busy(web: SmallWeb) -> bool:
    return pages_asked(web) >= 3


@pytest.mark.timeout(280)
def test_a_worker_that_is_interrupted_or_drained_leaves_no_lease_behind(cli, database_url):
    with SmallWeb(SITES) as web:
        begin(cli, web, database_url, str(cli.folder / "store"))
        interrupted = worker(cli, database_url)
        wait_until(partial(_busy, web), "a page under way", timeout=90)
        interrupted.ctrl_c()
        assert interrupted.result(timeout=60).code == 2
        now = status(cli, database_url)
        assert [(each["state"], each["holds"]) for each in now["workers"]] == [("ended", 0)]
        assert (now["counts"]["leased"], now["lost"]) == (0, 0)

        drained = worker(cli, database_url)
        wait_until(drained.browsers, "a browser", timeout=90)
        assert cli("crawl", "drain", "--wait", "--frontier", database_url).code == 0
        ended = drained.result(timeout=90)
        assert ended.code == 0, ended.err
        assert "drained" in ended.out
        now = status(cli, database_url)
        assert now["counts"]["leased"] == 0
        assert 0 < now["counts"]["finished"] < len(PATHS), "it had nothing left to drain"
