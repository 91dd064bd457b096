"""The whole census of a small web, from the list to what is published, as a user runs it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
import yaml

from census.opened_release import open_release
from census.optout import OptOut
from census.verification import verify_release
from publish.periodic.state import State, read_state
from tests.publish.payloads import bytes_of
from tests.sites.demo import GALLERY, GALLERY_PATH, demo_web
from tests.sites.gold import document, registering
from tests.sites.server import RESOLVER_RULES, Manner, Reply, Site, SmallWeb

ROOT = Path(__file__).parents[3]
SITES = [
    Site("shop", {"/": document("Shop", registering("search_shoes"))}),
    Site("cafe", {"/": document("Cafe", registering("order_coffee"))}),
    Site("plain", {"/": document("Plain", "<p>Nothing here.</p>")}),
]
QUICK = f"""
[crawl.options]
allow_private = true
host_resolver_rules = "{RESOLVER_RULES}"
delay = 0
retry_delay = 0.1
settle_cap = 1
"""


class Census:
    """A folder with a configuration, and the command in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def configure(self, sources: list[str], more: str = "") -> None:
        (self.folder / "census.toml").write_text(
            f'folder = "made"\nopt_out = "optout.txt"\n[harvest]\nsources = {json.dumps(sources)}\n{QUICK}\n'
            f'[publish]\nto = ["dir:out"]\n[publish.options]\nsample = true\n{more}'
        )

    def start(self, *options: str) -> "subprocess.Popen[str]":
        # From elsewhere: paths are those of the configuration's folder.
        command = [
            sys.executable,
            str(ROOT / "webmcp_census.py"),
            "census",
            "--config",
            str(self.folder / "census.toml"),
        ]
        return subprocess.Popen(
            [*command, "--release-version", "2026.11.0", *options], cwd=ROOT, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True, env={**os.environ, "HF_TOKEN": "hf_s3cret"},
        )  # fmt: skip

    def __call__(self, *options: str) -> tuple[int, str, str]:
        process = self.start(*options)
        try:
            out, err = process.communicate(timeout=400)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        return process.returncode, out, err

    def state(self) -> State:
        state = read_state(self.folder / "made" / "2026.11.0")
        assert state is not None
        return state


@pytest.fixture
def census(tmp_path: Path) -> Census:
    (tmp_path / "optout.txt").write_text("")
    return Census(tmp_path)


def urls_in(census: Census, web: SmallWeb, name: str, sites: list[str]) -> str:
    (census.folder / name).write_text("".join(f"{web.url(site)}\n" for site in sites))
    return name


@pytest.mark.timeout(900)
def test_a_census_stops_at_a_gate_goes_on_there_and_is_published_once(census: Census) -> None:
    with SmallWeb(SITES) as web:
        sources = [urls_in(census, web, "one.txt", ["shop", "plain"]), urls_in(census, web, "two.txt", ["cafe"])]
        census.configure(sources, '[lint.options]\nfail_on = "warning"\n')
        code, _, err = census()
        assert code == 1, err
        assert "2026.11.0: a gate failed at `lint`; nothing was published" in err
        assert not (census.folder / "out").exists()
        assert [done.step for done in census.state().done] == ["harvest one.txt", "harvest two.txt", "crawl"]
        crawled = census.state().done[2]

        census.configure(sources)
        code, out, err = census("--json")
        assert code == 0, err
        ending = json.loads(out)
    assert (ending["status"], ending["code"]) == ("finished", 0)
    assert census.state().done[2] == crawled, "what was crawled is not crawled again"
    assert "hf_s3cret" not in out + err

    published = census.folder / "out" / "2026.11.0"
    assert json.loads((census.folder / "out" / "latest.json").read_text())["release_version"] == "2026.11.0"
    assert verify_release(published, OptOut()) == []
    release = open_release(published)
    assert release.manifest.outcomes == {"captured": 3}
    assert sorted(release.tables["tools"]["name"]) == ["order_coffee", "search_shoes"]
    assert release.manifest.sample is not None
    assert release.manifest.lint is not None

    before = bytes_of(census.folder / "out")
    code, out, err = census()
    assert (code, out) == (0, "2026.11.0 is finished\n"), err
    assert bytes_of(census.folder / "out") == before


def test_an_option_that_no_command_has_is_said_before_anything_is_asked(census: Census) -> None:
    census.configure(["list.txt"], "[build.options]\nacept = ['band/adoption:x']\n")
    code, out, err = census()
    assert code == 2
    assert "`webmcp-census build` does not take its options: No such option" in err
    assert "--acept" in err
    assert out == ""
    assert not (census.folder / "made" / "2026.11.0").exists()


def test_a_second_census_in_the_folder_is_told_so(census: Census) -> None:
    with SmallWeb([Site("slow", {"/list.txt": Reply(manner=Manner.HANG)})]) as web:
        census.configure([web.url("slow", "/list.txt")], "[harvest.options]\nallow_private = true\n")
        first = census.start()
        try:
            until = time.monotonic() + 100
            while not (census.folder / "made" / "2026.11.0" / "state.json").exists():
                assert time.monotonic() < until, "the first census never began"
                assert first.poll() is None
                time.sleep(0.05)
            code, _, err = census()
        finally:
            os.killpg(first.pid, signal.SIGKILL)
            first.communicate()
    assert code == 2
    assert "another census is at work in" in err


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_census_that_is_killed_at_any_step_ends_with_the_same_pages(census: Census) -> None:
    with SmallWeb(SITES) as web:
        census.configure([urls_in(census, web, "one.txt", [site.name for site in SITES])])
        seconds = 2.0
        for _ in range(40):
            process = census.start()
            try:
                process.communicate(timeout=seconds)
                break
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                seconds += 1.5
        assert process.returncode == 0
    published = census.folder / "out" / "2026.11.0"
    assert verify_release(published, OptOut()) == []
    assert open_release(published).manifest.outcomes == {"captured": 3}


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_example_configuration_works_on_the_small_web_of_the_demonstration(census: Census) -> None:
    text = (ROOT / "deploy" / "census.toml").read_text()
    with demo_web() as web:
        text = text.replace("https://CHALLENGE.example.org/project-gallery", web.url(GALLERY, GALLERY_PATH))
        text = text.replace("../datasets/optout.txt", "optout.txt")
        text = text.replace("[harvest.options]", "[harvest.options]\nallow-private = true\ndelay = 0")
        text = re.sub(r"control-host = .*\ndelay = 2", QUICK.strip().removeprefix("[crawl.options]\n"), text)
        text = text.replace("settle_cap = 1", "settle_cap = 15")
        (census.folder / "census.toml").write_text(text)
        code, _, err = census()
    assert code == 0, err[-3000:]
    published = census.folder / "published" / "2026.11.0"
    assert verify_release(published, OptOut()) == []
    assert open_release(published).manifest.targets == 45


def test_the_example_configuration_is_one() -> None:
    from publish.periodic.config import read_config

    config = read_config(ROOT / "deploy" / "census.toml")
    assert config.publish.to == ["dir:published"]
    assert config.crawl.options["control-host"] == "example.org"
    assert (ROOT / "deploy" / (config.opt_out or "")).resolve() == ROOT / "datasets" / "optout.txt"


def test_the_configuration_in_the_docs_is_one(tmp_path: Path) -> None:
    from publish.periodic.config import read_config

    page = (ROOT / "docs" / "periodic.md").read_text()
    (block,) = re.findall(r"\n\n((?:    folder = .*\n)(?:(?:    .*)?\n)+)", page)
    (tmp_path / "census.toml").write_text("\n".join(line[4:] for line in block.splitlines()))
    assert tomllib.loads((tmp_path / "census.toml").read_text())["publish"]["to"] == ["hf:OWNER/NAME", "dir:published"]
    assert read_config(tmp_path / "census.toml").harvest.sources[1] == "list.txt"


class TestWorkflow:
    """The workflow file: one command does it, and only that step gets a secret."""

    document = yaml.safe_load((ROOT / "deploy" / "periodic-census.yaml").read_text())
    job = document["jobs"]["census"]

    def test_it_runs_on_a_schedule_never_twice_at_once(self) -> None:
        # YAML 1.1 reads `on` as true.
        assert "cron" in self.document[True]["schedule"][0]
        assert self.document["concurrency"] == {"group": "census", "cancel-in-progress": False}
        assert self.document["permissions"] == {"contents": "read"}

    def test_one_step_takes_the_census_and_it_alone_has_secrets(self) -> None:
        with_secrets = [step for step in self.job["steps"] if "secrets." in json.dumps(step)]
        assert len(with_secrets) == 1
        assert "webmcp-census census --config deploy/census.toml" in with_secrets[0]["run"]

    def test_the_time_limit_of_the_command_is_within_that_of_the_job(self) -> None:
        (run,) = [step["run"] for step in self.job["steps"] if step.get("name") == "Census"]
        minutes = int(re.search(r" (\d+)m ", run)[1])  # type: ignore[index]
        assert minutes + 20 < self.job["timeout-minutes"] < 360

    def test_what_there_is_is_kept_also_after_a_failure(self) -> None:
        saved = self.job["steps"][-1]
        assert saved["uses"].startswith("actions/cache/save@")
        assert saved["if"] == "always()"
        assert saved["with"]["path"] == "deploy/census"
