"""What was found out by hand of earlier builds and of Firefox, asked again of the builds in a cache.

WEBMCP_CENSUS_BUILDS names the cache that `webmcp-census browsers fetch --cache` filled.
"""

import asyncio
import os
from pathlib import Path

import pytest

from measure.browsers.build import read_builds
from measure.browsers.cache import Cache
from measure.compatibility.asked_builds import named
from measure.compatibility.registry import all_behaviours
from measure.compatibility_data import BUILDS, compatibility_data
from tests.measure.compatibility.test_expected_answers import cells

CACHE = os.environ.get("WEBMCP_CENSUS_BUILDS", "")

pytestmark = [
    pytest.mark.skipif(not CACHE, reason="set WEBMCP_CENSUS_BUILDS to a folder of fetched builds to ask them"),
    pytest.mark.timeout(900),
]

_BLOCKED = (
    "frames_and_policy/cross-site",
    "frames_and_policy/same-site",
    "frames_and_policy/sandboxed",
    "frames_and_policy/host-policy-star",
    "frames_and_policy/child-policy-none",
)


def _each(builds: str, value: str) -> dict[str, str]:
    return dict.fromkeys(builds.split(), value)


_150_TO_153 = "sp153 sp152 cr150 hs150"
_147_TO_153 = f"{_150_TO_153} sp149 sp148 sp147"
_NAVIGATOR = "sp149 sp148 sp147"

KNOWN: dict[str, dict[str, str]] = {
    "exposure/where": {
        **_each("sp153 sp152", "document"),
        **_each("cr150 hs150", "document,navigator"),
        **_each(f"{_NAVIGATOR} sp143 ff153", "navigator"),
    },
    "exposure/without-switch": _each(f"{_147_TO_153} sp143 ff153", "nowhere"),
    "exposure/devtools-switch": _each(f"{_147_TO_153} sp143", "nowhere"),
    "exposure/testing-switch": {
        **_each("sp153 sp152", "document"),
        **_each("cr150 hs150", "document,navigator,testing"),
        **_each(_NAVIGATOR, "navigator,testing"),
        "sp143": "nowhere",
    },
    "exposure/blink-switch": {
        **_each("sp153 sp152", "document"),
        **_each("cr150 hs150", "document,navigator"),
        **_each(f"{_NAVIGATOR} sp143", "navigator"),
    },
    "exposure/experimental-switch": {
        **_each("sp153 sp152", "document"),
        **_each("cr150 hs150", "document,navigator,testing"),
        **_each(f"{_NAVIGATOR} sp143", "navigator,testing"),
    },
    "devtools/enable": {**_each(_147_TO_153, "yes"), "sp143": "no", "ff153": "not_applicable"},
    "devtools/enable-with-feature-switch": {**_each(_150_TO_153, "yes"), **_each(_NAVIGATOR, "no")},
    "devtools/same-origin-frame": {**_each(f"{_150_TO_153} sp149", "yes"), **_each("sp148 sp147", "no")},
    "contexts/agent-cluster-off": {**_each("sp153 sp152", "SecurityError"), **_each("cr150 hs150", "ok")},
    **{
        behaviour: {
            **_each(_150_TO_153, "NotAllowedError"),
            "sp149": "SecurityError",
            **_each("sp148 sp147", "ok"),
        }
        for behaviour in _BLOCKED
    },
    "registration/exposed-to-localhost": {**_each(_150_TO_153, "ok"), "sp149": "SecurityError"},
    "schemas/to-json-text": _each(_150_TO_153, "listed"),
    "errors/opaque-origin": _each("cr150 hs150", "UnknownError"),
    "execution/text-input": _each(_147_TO_153, "ok"),
    "execution/second-argument": {"sp153": "signal"},
    "events/toolactivated-at": _each("sp153 sp152", "window"),
    "events/toolactivated-interface": _each("sp153 sp152", "WebMCPEvent"),
    "forms/bad-name": _each(_147_TO_153, "listed"),
    "forms/empty-name": _each(_147_TO_153, "listed"),
    "forms/title": _each(_150_TO_153, "Search"),
    "crashes/two-forms-of-one-name": _each("cr150 hs150 sp149", "crash"),
    "crashes/document-made-and-read": _each(_150_TO_153, "crash"),
    "crashes/circular-result": _each("sp149 sp148", "crash"),
    "crashes/symbol-result": _each(_150_TO_153, "crash"),
    "listing/return-value": {"ff153": "not_applicable"},
    "names/empty": {"ff153": "ok"},
    "registration/duplicate": {"ff153": "ok"},
    "forms/listed": {"ff153": "not_applicable"},
}
"""By behaviour: what each build is known to answer."""


@pytest.mark.parametrize("label", sorted({label for builds in KNOWN.values() for label in builds}))
def test_a_build_answers_as_was_found_by_hand(label: str, tmp_path: Path) -> None:
    builds = read_builds(compatibility_data(BUILDS))
    cache = Cache(Path(CACHE))
    if all(cache.executable(build) is None for build in builds if build.label == label):
        pytest.skip(f"{label} is not in {CACHE}")
    (asked,) = named([label], builds, cache)
    known = {behaviour: values[label] for behaviour, values in KNOWN.items() if label in values}
    behaviours = tuple(behaviour for behaviour in all_behaviours() if behaviour.id in known)
    answered = asyncio.run(cells(asked, behaviours, tmp_path))
    assert {cell.behaviour: cell.value for cell in answered} == known
