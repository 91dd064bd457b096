"""`rate` and `trial` as a user runs them, with a browser and pages that are served from a folder."""

import time
from pathlib import Path

import pytest

from measure.rates.rate_run import RateRun, read_rate_run
from measure.rates.trial import Trial
from measure.trials.serving import served_url, serving
from measure.utterances.digest import frozen
from measure.utterances.utterance_set import Control, ControlKind, SetupCall, Tag, Utterance, UtteranceSet, write_set
from tests.crawler.conftest import Cli, Command, wait_until
from tests.measure.trials.held import PERSON

PATIENCE = 280
"""Seconds for a command on a machine that is busy with others; on its own it takes less than ten."""
SHELF = """<!doctype html><title>Shelf</title><ul id="shelf"></ul><script>
const shelf = document.querySelector("#shelf");
const tools = {
  put: { description: "Puts a book on the shelf.", properties: { title: { type: "string" } }, required: ["title"],
    execute({ title }) { shelf.insertAdjacentHTML("beforeend", `<li>${title}</li>`); return "done"; } },
  count: { description: "Counts the books.", reads: true, execute: () => String(shelf.children.length) },
  lend: { description: "Lends a book.", execute() { throw new Error("the library is closed"); } },
  dust: { description: "Dusts the shelf.", execute() {} },
};
for (const [name, { description, properties = {}, required = [], reads, execute }] of Object.entries(tools))
  document.modelContext.registerTool({ name, description, execute, annotations: { readOnlyHint: !!reads },
    inputSchema: { type: "object", properties, required } });
</script>"""
BARE = "<!doctype html><title>Bare</title><p>Nothing here.</p>"


def says(name: str, tool: str, **more: object) -> Utterance:
    return Utterance.model_validate(
        {"id": name, "text": f"Please do {name}", "tag": Tag.DIRECT, "author": PERSON, "tool": tool, **more}
    )


def shelf(folder: Path, *more: Utterance) -> tuple[Path, Path]:
    """A folder with a page in two variants, and the set for it."""
    pages = folder / "pages"
    for variant, text in (("full", SHELF), ("bare", BARE)):
        (pages / variant).mkdir(parents=True)
        (pages / variant / "index.html").write_text(text)
    utterances = frozen(
        UtteranceSet(
            format=1, name="shelf", version="1.0.0", page="index.html",
            utterances=(
                says("put", "put", arguments={"title": "Emma"}),
                says("count", "count", setup=(SetupCall(tool="put", arguments={"title": "Emma"}),)),
                says("lend", "lend"), says("dust", "dust"), *more,
            ),
            controls=(Control(id="song", text="Sing me a song", kind=ControlKind.IRRELEVANT, author=PERSON),),
        )
    )  # fmt: skip
    write_set(folder / "shelf.json", utterances)
    return pages, folder / "shelf.json"


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def by_place(run: RateRun) -> dict[tuple[str, str], Trial]:
    return {(trial.variant, trial.utterance): trial for trial in run.trials}


def test_a_run_executes_what_it_may(cli: Cli) -> None:
    pages, utterances = shelf(cli.folder)
    done = cli(
        "rate", "--serve", pages, "--set", utterances, "--judge", "oracle", "--sessions", "1", "--allow-writes",
        timeout=PATIENCE,
    )  # fmt: skip
    run = read_rate_run(cli.folder / "rate-run")
    assert (done.code, run.complete) == (0, True), done.err
    found = by_place(run)
    full = {"put": "ok", "count": "ok", "lend": "exec_error", "dust": "silent_fail", "song": "ok"}
    assert {place: trial.outcome and trial.outcome.value for place, trial in found.items()} == {
        **{("full", name): outcome for name, outcome in full.items()},
        **{("bare", name): "not_registered" for name in full},
    }
    put, count = found["full", "put"].calls[0], found["full", "count"].calls[0]
    assert put.effects is not None
    assert (put.output, put.effects.dom_changed) == ("done", True)
    # The book of its own setup, and no other trial's.
    assert count.output == 1
    assert "the library is closed" in found["full", "lend"].detail
    assert found["bare", "song"].false_positive is None
    assert {tool.name for tool in run.manifests[str(found["full", "put"].manifest)]} == {"put", "count", "lend", "dust"}
    assert "invoked 100.0 % (95 % interval 20.7 to 100.0 %; 1 of 1)" in done.out
    assert (cli.folder / "rate-run/report/report.json").is_file()


def test_without_leave_to_write_only_what_reads_is_executed_and_setup_calls_are_left_out(cli: Cli) -> None:
    pages, utterances = shelf(cli.folder, says("again", "count"))
    done = cli(
        "rate", "--serve", pages, "--variant", "full", "--set", utterances, "--judge", "oracle", "--sessions", "1",
        timeout=PATIENCE,
    )  # fmt: skip
    found = {trial.utterance: trial for trial in read_rate_run(cli.folder / "rate-run").trials}
    assert done.code == 0, done.err
    assert "shelf 1.0.0: 1 need calls before them and are left out" in done.err
    assert {each: trial.executed and trial.executed.value for each, trial in found.items()} == {
        "put": "writes", "lend": "writes", "dust": "writes", "again": "yes", "song": None
    }  # fmt: skip
    assert {trial.outcome and trial.outcome.value for trial in found.values()} == {"ok"}
    # Each trial has a page of its own, on which nothing has been put.
    assert found["again"].calls[0].output == 0


def test_one_trial_is_made_and_shown(cli: Cli) -> None:
    pages, utterances = shelf(cli.folder)
    with serving(pages) as root:
        url = served_url(root, "index.html", "full")
        given = (url, "--set", utterances, "--judge", "oracle", "--allow-private", "--allow-writes")
        done = cli("trial", *given, "--utterance", "lend", timeout=PATIENCE)
    assert done.code == 1, done.err
    assert done.out.startswith("exec_error: ")
    assert "the library is closed" in done.out
    assert "called: lend({}) exec_error -> error" in done.out


def test_a_page_that_cannot_be_opened_is_a_gap_and_no_rate(cli: Cli) -> None:
    _, utterances = shelf(cli.folder)
    given = ("http://127.0.0.1:9/", "--set", utterances, "--judge", "oracle", "--allow-private", "--sessions", "1")
    done = cli("rate", *given, "--concurrency", "1", "--pages-ahead", "0", "--no-execute", timeout=PATIENCE)
    run = read_rate_run(cli.folder / "rate-run")
    assert (done.code, run.missing) == (2, {"page_unreached": 4}), done.err
    assert "%" not in done.out
    assert "missing: 4 page_unreached" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "shelf.json"), "name what is to be measured"),
        (("http://a.example/", "--serve", "pages", "--set", "shelf.json"), "one of them only"),
        (("http://a.example/", "--variant", "full", "--set", "shelf.json"), "give --serve DIR too"),
        (("no-url", "--set", "shelf.json"), "'no-url'"),
        (("http://a.example/", "--set", "none.json"), "none.json cannot be read"),
        (("--serve", "pages", "--set", "shelf.json", "--judge", "openai:m"), "set OPENAI_API_KEY"),
        (("--serve", "pages", "--set", "shelf.json", "--spacing", "soon"), "no length of time"),
        (("--serve", "pages", "--set", "shelf.json", "--out", "shelf.json/run"), "cannot write to"),
    ],
)
def test_what_cannot_be_measured_is_said_before_any_browser(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    import webmcp_census

    shelf(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr("sys.argv", ["webmcp-census", "rate", *arguments])
    with pytest.raises(SystemExit) as ended:
        webmcp_census.main()
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def started(cli: Cli, pages: Path, utterances: Path, out: str) -> Command:
    return cli.start(
        "rate", "--serve", pages, "--set", utterances, "--judge", "noisy-oracle:p=0.5,seed=3", "--sessions", "2",
        "--repeats", "2", "--concurrency", "1", "--pages-ahead", "1", "--no-execute", "--settle-cap", "1", "--out", out,
    )  # fmt: skip


def apart_from_times(run: RateRun) -> list[dict[str, object]]:
    changing = {"run", "started_at", "ms", "judge_ms", "process"}
    return [trial.model_dump(mode="json", exclude=changing) for trial in run.trials]


def killed_and_resumed(cli: Cli, after: tuple[int, ...]) -> None:
    """Kill a run, the command alone and all of it in turn, each time it has so many trials; then let it finish."""
    pages, utterances = shelf(cli.folder)
    whole = started(cli, pages, utterances, "whole").result(PATIENCE)
    assert whole.code == 0, whole.err
    run = cli.folder / "killed"
    for number, trials in enumerate(after):
        command = started(cli, pages, utterances, "killed")
        wait_until(lambda: (run / "plan.json").exists(), "a plan", PATIENCE)
        wait_until(lambda trials=trials: lines(run / "trials.jsonl") >= trials, f"{trials} trials", PATIENCE)
        command.kill(whole_group=number % 2 == 1)
        left = time.monotonic() + 60
        while command.family() and time.monotonic() < left:
            time.sleep(0.05)
    resumed = started(cli, pages, utterances, "killed").result(PATIENCE)
    assert resumed.code == 0, resumed.err
    assert apart_from_times(read_rate_run(run)) == apart_from_times(read_rate_run(cli.folder / "whole"))
    assert resumed.out == whole.out
    outcomes = {trial.outcome for trial in read_rate_run(run).trials}
    assert len(outcomes) > 2, "the judge is wrong now and then, so that equal runs are no accident"


@pytest.mark.long
def test_a_run_that_was_killed_at_five_moments_is_the_run_that_was_not(cli: Cli) -> None:
    killed_and_resumed(cli, (0, 1, 9, 17, 25))
