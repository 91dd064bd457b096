"""The data file of builds: one entry a build, and a wrong entry is named."""

import json
from pathlib import Path

import pytest

from census.errors import CensusError
from measure.browsers.build import choose, read_builds
from measure.compatibility_data import BUILDS, compatibility_data

PACKAGE = {"package": "chromium", "version": "150.0-1", "sha256": "ab" * 32}
ENTRY = {
    "label": "cr150",
    "name": "Chromium",
    "version": "150.0.1.2",
    "engine": "chromium",
    "executable": "usr/lib/chromium/chromium",
    "debian": [PACKAGE],
}
NPM = {"package": "@x/chromium", "version": "1.0.0", "integrity": f"sha512-{'A' * 86}==", "member": "package/c.br"}


def listed(tmp_path: Path, *entries: dict[str, object]) -> Path:
    path = tmp_path / "builds.json"
    path.write_text(json.dumps({"builds": entries}))
    return path


def test_an_entry_is_a_build(tmp_path):
    (build,) = read_builds(listed(tmp_path, ENTRY))
    assert (build.label, build.major, build.shell) == ("cr150", 150, False)
    assert build.identity().model_dump() == {
        "label": "cr150", "name": "Chromium", "version": "150.0.1.2", "engine": "chromium", "shell": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"debian": []}, "one source"),
        ({"npm": NPM}, "one source"),
        ({"executable": "/usr/bin/true"}, "must stay in the build"),
        ({"executable": "../chromium"}, "must stay in the build"),
        ({"debian": [{**PACKAGE, "sha256": "ab"}]}, "sha256"),
        ({"debian": [{**PACKAGE, "package": "--option"}]}, "package"),
        ({"debian": [], "npm": {**NPM, "integrity": "sha1-x"}}, "integrity"),
        ({"engine": "webkit"}, "engine"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_entry_is_refused_with_what_is_wrong(tmp_path, change, word):
    with pytest.raises(CensusError, match=word):
        read_builds(listed(tmp_path, {**ENTRY, **change}))


def test_two_builds_of_one_label_are_refused(tmp_path):
    with pytest.raises(CensusError, match="two builds are called cr150"):
        read_builds(listed(tmp_path, ENTRY, {**ENTRY, "version": "150.0.1.3"}))


def test_builds_are_chosen_by_label_in_the_file_s_order(tmp_path):
    builds = read_builds(listed(tmp_path, ENTRY, {**ENTRY, "label": "cr149"}))
    assert [build.label for build in choose(builds, ("cr149", "cr150"))] == ["cr150", "cr149"]
    assert choose(builds, ()) == builds
    with pytest.raises(CensusError, match="no build is called cr1; there are cr149, cr150"):
        choose(builds, ("cr1",))


def test_our_own_file_lists_the_eleven_builds_of_two_engines_the_newest_first():
    builds = read_builds(compatibility_data(BUILDS))
    chromium = [build for build in builds if build.engine == "chromium"]
    assert [build.major for build in chromium] == [156, 156, 153, 152, 150, 150, 149, 148, 147, 143]
    assert [build.label for build in builds if build.engine == "firefox"] == ["ff153"]
    assert {build.major for build in chromium if not build.shell} == {156, 150}
