"""The GitHub Action: its shell steps, run with bash as a runner does, with inputs that try to get out."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ACTION = yaml.safe_load(Path("action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
SHELL_STEPS = {name: step for name, step in STEPS.items() if "run" in step}

HOSTILE = (
    '"; touch pwned #',
    "'; touch pwned #",
    "$(touch pwned)",
    "`touch pwned`",
    "a\ntouch pwned\n",
    "a && touch pwned",
    "| touch pwned",
    "--help",
    "-o pwned",
    "--output=pwned",
    "*",
    "${IFS}x ~ a  b",
    "\\",
    "; exit 0",
)

RECORDER = """#!/bin/bash
printf '%s\\0' "$@" > "$RECORD"
for each in "$@"; do
  case "$each" in
    sarif=*|markdown=*) echo written > "${each#*=}" ;;
    --out="$RUNNER_TEMP"/*) mkdir -p "${each#*=}/report"; echo rates > "${each#*=}/report/summary.md" ;;
  esac
done
exit "${ANSWER:-0}"
"""
PYTHON = """#!/bin/bash
printf '%s\\0' "$@" >> "$RECORD"
if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi
"""


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    argv: list[str] | None
    output: dict[str, str]
    summary: str
    strangers: list[str]
    """Files in the working directory that nothing should have made."""


@pytest.fixture
def run(tmp_path):
    def run(step: str, answer: int = 0, files: tuple[str, ...] = (), **inputs: str) -> Ran:
        work, programs, temporary = (tmp_path / name for name in ("work", "programs", "runner temp"))
        for folder in (work, programs, temporary):
            folder.mkdir(exist_ok=True)
        for name, text in (("webmcp-census", RECORDER), ("python", PYTHON)):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        for file in files:
            (work / file).parent.mkdir(parents=True, exist_ok=True)
            (work / file).touch()
        before = set(work.rglob("*"))
        said = {name: tmp_path / name for name in ("output", "summary", "path", "record")}
        for path in said.values():
            path.unlink(missing_ok=True)
        environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "RUNNER_TEMP": str(temporary),
            "GITHUB_ACTION_PATH": str(tmp_path / "the action"),
            "GITHUB_OUTPUT": str(said["output"]),
            "GITHUB_STEP_SUMMARY": str(said["summary"]),
            "GITHUB_PATH": str(said["path"]),
            "GITHUB_WORKFLOW_REF": "owner/shop/.github/workflows/ci.yml@refs/heads/x$(touch pwned)",
            "RECORD": str(said["record"]),
            "ANSWER": str(answer),
            **environment_of(step, inputs),
        }
        script = tmp_path / "script.sh"
        script.write_text(STEPS[step]["run"])
        # As GitHub's runner does for `shell: bash`.
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=work, env=environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        record = said["record"].read_text().split("\0")[:-1] if said["record"].exists() else None
        pairs = said["output"].read_text().splitlines() if said["output"].exists() else []
        return Ran(
            ended.returncode,
            ended.stdout + ended.stderr,
            record,
            dict(pair.split("=", 1) for pair in pairs),
            said["summary"].read_text() if said["summary"].exists() else "",
            sorted(str(path.relative_to(work)) for path in set(work.rglob("*")) - before),
        )

    return run


def environment_of(step: str, inputs: dict[str, str]) -> dict[str, str]:
    """The step's `env` with its expressions filled in: inputs as given, else their defaults."""
    found = {}
    for name, expression in STEPS[step].get("env", {}).items():
        source = re.fullmatch(r"\$\{\{ (?:inputs|steps\.run\.outputs)\.([a-z-]+) \}\}", expression)
        assert source, f"{name}: {expression} is not one plain input"
        key = source.group(1)
        found[name] = inputs.get(key.replace("-", "_"), ACTION["inputs"].get(key, {}).get("default", ""))
    return found


def measured(*, source: str, temporary: str, options: tuple[str, ...] = (), command: str = "lint", fail_on="error"):
    return [
        command, "--format", "github", "--format", f"sarif={temporary}/webmcp-census/findings.sarif",
        "--format", f"markdown={temporary}/webmcp-census/summary.md", f"--fail-on={fail_on}", *options, "--", source,
    ]  # fmt: skip


@pytest.mark.parametrize("name", SHELL_STEPS)
def test_no_expression_is_pasted_into_a_script(name):
    assert "${{" not in SHELL_STEPS[name]["run"]
    assert SHELL_STEPS[name]["shell"] == "bash"


def test_every_input_is_described_and_used():
    text = Path("action.yml").read_text()
    for name, given in ACTION["inputs"].items():
        assert given["description"], name
        assert f"inputs.{name}" in text, name


def test_actions_of_others_are_pinned():
    used = [step["uses"] for step in STEPS.values() if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w/-]+@(v\d+|[0-9a-f]{40})", each) for each in used)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_source_is_one_argument_after_the_options(run, tmp_path, hostile):
    done = run("Measure", source=hostile)
    assert done.argv == measured(source=hostile, temporary=str(tmp_path / "runner temp"))
    assert done.strangers == []
    assert done.code == 0


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_options_are_values_and_nothing_else(run, tmp_path, hostile):
    done = run("Measure", source="a.json", fail_on=hostile, suppressions=hostile, anchor=hostile)
    options = (f"--suppressions={hostile}", f"--anchor={hostile}")
    assert done.argv == measured(
        source="a.json", temporary=str(tmp_path / "runner temp"), options=options, fail_on=hostile
    )
    assert done.strangers == []


@pytest.mark.parametrize("hostile", [*HOSTILE, "", "crawl", "lint x"])
def test_a_command_that_is_none_runs_nothing_and_could_not_measure(run, hostile):
    done = run("Measure", command=hostile, source="a.json")
    assert done.argv is None
    assert done.strangers == []
    assert done.output == {"exit-code": "2"}
    assert done.out.startswith("::error title=webmcp-census could not measure::")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_switches_are_on_for_true_only(run, tmp_path, hostile):
    done = run("Measure", source="a.json", allow_empty=hostile, allow_private=hostile)
    assert done.argv == measured(source="a.json", temporary=str(tmp_path / "runner temp"))
    assert done.strangers == []


def test_a_check_of_a_local_page(run, tmp_path):
    done = run(
        "Measure", command="check", source="http://localhost:3000/", allow_private="true", allow_empty="true",
        fail_on="warning", files=(".github/workflows/ci.yml",),
    )  # fmt: skip
    options = ("--anchor=.github/workflows/ci.yml", "--allow-empty", "--allow-private")
    assert done.argv == measured(
        command="check", source="http://localhost:3000/", temporary=str(tmp_path / "runner temp"),
        options=options, fail_on="warning",
    )  # fmt: skip


def rated(*, source: str, temporary: str, options: tuple[str, ...] = (), **given: str):
    values = {"set": "a.json", "judge": "lexical", "sessions": "3", "repeats": "1"} | given
    return [
        "rate", "run", *(f"--{name}={value}" for name, value in values.items()),
        f"--out={temporary}/webmcp-census/rate-run", *options, *((source,) if "=" in source else ("--", source)),
    ]  # fmt: skip


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_folder_of_pages_is_one_value(run, tmp_path, hostile):
    done = run("Measure", mode="rate", source=hostile, utterances="a.json")
    assert done.argv == rated(source=f"--serve={hostile}", temporary=str(tmp_path / "runner temp"))
    assert done.strangers == []
    assert done.code == 0


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_options_of_a_rate_are_values_and_nothing_else(run, tmp_path, hostile):
    done = run(
        "Measure", mode="rate", source=f"https://shop.example/{hostile}", utterances=hostile, judge=hostile,
        sessions=hostile, repeats=hostile, max_cost=hostile, fail_under=hostile, fail_controls_over=hostile,
        allow_writes=hostile, allow_private=hostile,
    )  # fmt: skip
    options = (f"--max-cost={hostile}", f"--fail-under={hostile}", f"--fail-controls-over={hostile}")
    given = dict.fromkeys(("set", "judge", "sessions", "repeats"), hostile)
    temporary = str(tmp_path / "runner temp")
    url = f"https://shop.example/{hostile}"
    assert done.argv is not None
    assert done.argv[-2:] == ["--", url]
    assert done.argv[:-2] == rated(source="x=", temporary=temporary, options=options, **given)[:-1]
    assert done.strangers == []


@pytest.mark.parametrize("hostile", [*HOSTILE, "crawl", "rate x", "RATE"])
def test_a_mode_that_is_none_runs_nothing(run, hostile):
    done = run("Measure", mode=hostile, command="lint", source="a.json")
    assert done.argv is None
    assert done.strangers == []
    assert done.output == {"exit-code": "2"}


def test_the_mode_is_stronger_than_the_command(run, tmp_path):
    done = run("Measure", mode="lint", command="rate", source="a.json")
    assert done.argv == measured(source="a.json", temporary=str(tmp_path / "runner temp"))


@pytest.mark.parametrize(("answer", "code"), [(0, 0), (1, 1), (2, 2), (137, 2)])
def test_a_rate_tells_its_exit_code_its_report_and_its_summary(run, answer, code):
    done = run("Measure", answer=answer, mode="rate", source="site", utterances="a.json", allow_writes="true")
    assert done.code == 0, "the gate comes last"
    assert done.output["exit-code"] == str(code)
    assert done.output["report"].endswith("/rate-run/report")
    assert "sarif" not in done.output
    assert done.summary == "rates\n"
    assert ("could not measure" in done.out) == (code == 2)
    assert ("beyond its threshold" in done.out) == (code == 1)
    assert done.argv is not None
    assert "--allow-writes" in done.argv


def test_a_run_of_an_earlier_step_is_not_gone_on_with(run, tmp_path):
    stale = tmp_path / "runner temp/webmcp-census/rate-run/plan.json"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    run("Measure", mode="rate", source="site", utterances="a.json")
    assert not stale.exists()


@pytest.mark.parametrize(("answer", "code"), [(0, 0), (1, 1), (2, 2), (127, 2), (137, 2)])
def test_the_exit_code_is_told_and_could_not_measure_is_annotated(run, answer, code):
    done = run("Measure", answer=answer, source="a.json")
    assert done.code == 0, "the gate comes after the upload"
    assert done.output["exit-code"] == str(code)
    assert ("could not measure" in done.out) == (code == 2)
    assert done.output["sarif"].endswith("/findings.sarif")
    assert done.summary == "written\n"
    assert run("Gate", exit_code=str(code)).code == code


def test_a_file_of_an_earlier_step_is_not_taken_for_this_ones(run, tmp_path):
    stale = tmp_path / "runner temp/webmcp-census/findings.sarif"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    run("Measure", source="a.json")
    assert stale.read_text() == "written\n"


@pytest.mark.parametrize("hostile", HOSTILE)
def test_installing_runs_no_word_of_an_input(run, hostile):
    done = run("Install webmcp-census", command=hostile, source=hostile)
    assert done.code == 0, done.out
    assert done.strangers == []
    assert done.argv is not None
    assert done.argv[:2] == ["-m", "venv"]
    assert hostile not in done.argv
    assert "crawler.browser" not in done.argv


@pytest.mark.parametrize(
    "given", [("check", "x"), ("lint", "https://a.example/"), ("lint", "http://localhost/"), ("rate", "site")]
)
def test_a_browser_is_looked_for_only_where_a_page_is_opened(run, given):
    done = run("Install webmcp-census", mode=given[0], source=given[1])
    assert done.code == 0, done.out
    assert done.argv is not None
    assert done.argv[-2:] == ["-m", "crawler.browser"]


def test_the_upload_comes_before_the_gate_and_only_with_a_file():
    names = list(STEPS)
    assert names.index("Measure") < names.index("Upload findings to code scanning") < names.index("Gate")
    assert "steps.run.outputs.sarif != ''" in STEPS["Upload findings to code scanning"]["if"]
