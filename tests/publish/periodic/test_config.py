"""The configuration: what it means as command lines, and what is said when something in it is wrong."""

from pathlib import Path

import pytest

from census.errors import CensusError
from publish.periodic.config import Config, arguments_of, read_config
from publish.periodic.steps import fingerprint_of, steps_of

WHOLE = """
folder = "made"
opt_out = "optout.txt"
[harvest]
sources = ["https://one.example/gallery", "list.txt"]
[harvest.options]
delay = 0.5
[crawl.options]
robots = false
allow_private = true
viewport = "800x600"
[lint.options]
fail-on = "error"
[build.options]
accept = ["band/adoption:true", "band/measured:also true"]
[publish]
to = ["dir:out", "s3://bucket/x"]
[publish.options]
sample = true
"""


def config_of(tmp_path: Path, text: str) -> Config:
    (tmp_path / "census.toml").write_text(text)
    return read_config(tmp_path / "census.toml")


def test_each_step_is_the_public_command(tmp_path: Path) -> None:
    steps = steps_of(config_of(tmp_path, WHOLE), "2026.11.0", Path("made/previous/2026.10.0"))
    assert [" ".join(step.arguments) for step in steps] == [
        "harvest https://one.example/gallery --out=made/2026.11.0/targets-1.jsonl --delay=0.5",
        "harvest list.txt --out=made/2026.11.0/targets-2.jsonl --delay=0.5",
        (
            "crawl made/2026.11.0/targets.jsonl --out=made/2026.11.0/run --opt-out=optout.txt --no-robots"
            " --allow-private --viewport=800x600"
        ),
        "lint made/2026.11.0/run --fail-on=error",
        (
            "build made/2026.11.0/run --out=made/2026.11.0/release --release-version=2026.11.0 --opt-out=optout.txt"
            " --previous=made/previous/2026.10.0 --accept=band/adoption:true --accept=band/measured:also true"
        ),
        "release verify made/2026.11.0/release --opt-out=optout.txt --previous=made/previous/2026.10.0",
        "diff made/previous/2026.10.0 made/2026.11.0/release --json",
        "publish made/2026.11.0/release --to=dir:out --opt-out=optout.txt --previous=made/previous/2026.10.0 --sample",
        (
            "publish made/2026.11.0/release --to=s3://bucket/x --opt-out=optout.txt --previous=made/previous/2026.10.0"
            " --sample"
        ),
    ]
    assert [str(path) for path in steps[2].joins] == [
        "made/2026.11.0/targets-1.jsonl",
        "made/2026.11.0/targets-2.jsonl",
    ]
    assert [step.name for step in steps if step.publishes] == ["publish dir:out", "publish s3://bucket/x"]
    assert steps[6].writes == Path("made/2026.11.0/diff.json")


def test_the_least_configuration_goes_on_to_the_gates_and_publishes_nowhere(tmp_path: Path) -> None:
    config = config_of(tmp_path, 'folder = "made"\n[harvest]\nsources = ["list.txt"]\n')
    steps = steps_of(config, "2026.11.0", None)
    assert [step.arguments[0] for step in steps] == ["harvest", "crawl", "lint", "build", "release"]
    assert "--out=made/2026.11.0/targets.jsonl" in steps[0].arguments
    assert steps[1].joins == ()


def test_options_become_words() -> None:
    assert arguments_of({"a_b": 1, "c": True, "d": False, "e": ["x", "-y"], "f": 0.5}) == [
        "--a-b=1", "--c", "--no-d", "--e=x", "--e=-y", "--f=0.5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('folder = "made"', "", "folder: Field required"),
        ('folder = "made"', 'folder = "made"\nfoldr = 1', "foldr: Extra inputs are not permitted"),
        ('sources = ["https://one.example/gallery", "list.txt"]', "sources = []", "harvest.sources: "),
        ('"list.txt"]', '"https://one.example/gallery"]', "harvest.sources names something twice"),
        ('"s3://bucket/x"]', '"ftp://x"]', "publish.to.1: --to: write dir:PATH"),
        ('"s3://bucket/x"]', '"dir:out"]', "publish.to names something twice"),
        ("robots = false", "out = 'x'", r"\[crawl.options\] out is not for a census to set"),
        ("robots = false", "opt_out = 'x'", r"\[crawl.options\] opt_out is not for a census to set"),
        ("sample = true", "dry-run = true", r"\[publish.options\] dry-run is not for a census to set"),
        ("robots = false", "--robots = false", r"\[crawl.options\] '--robots' is no option's name"),
        ("robots = false", "robots = {a = 1}", "crawl.options.robots"),
        ("[publish]", "[publish", "is no TOML"),
    ],
)
def test_what_is_wrong_is_said_with_the_file_and_the_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in WHOLE
    with pytest.raises(CensusError, match=said) as refused:
        config_of(tmp_path, WHOLE.replace(old, new))
    assert "census.toml" in str(refused.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CensusError, match=r"nowhere.toml cannot be read"):
        read_config(tmp_path / "nowhere.toml")


def test_a_step_is_another_one_with_other_options_or_another_list_of_opted_out_sites(tmp_path: Path) -> None:
    def fingerprints(text: str) -> list[str]:
        steps = steps_of(config_of(tmp_path, text), "2026.11.0", None)
        return [fingerprint_of(step, tmp_path) for step in steps]

    (tmp_path / "optout.txt").write_text("")
    before = fingerprints(WHOLE)
    assert fingerprints(WHOLE) == before
    changed = fingerprints(WHOLE.replace("delay = 0.5", "delay = 1"))
    assert [old == new for old, new in zip(before, changed, strict=True)] == [False, False, *[True] * 6]
    (tmp_path / "optout.txt").write_text("gone.com 2026-11-30 owner\n")
    changed = fingerprints(WHOLE)
    same = [old == new for old, new in zip(before, changed, strict=True)]
    assert same == [True, True, False, True, False, False, True, True]
