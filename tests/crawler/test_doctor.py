import json

import pytest

from tests.crawler.conftest import Cli


def test_doctor_finds_that_everything_works_here(cli: Cli):
    done = cli("doctor", "--json")
    checks = json.loads(done.out)
    assert [check for check in checks if not check["good"]] == []
    assert done.code == 0
    found = {check["what"]: check["found"] for check in checks}
    assert found["page view"] == "read, 2 of 2 tools"
    assert found["browser view"] == "read, 2 of 2 tools"
    assert "Chromium" in found["browser"] or "Chrome" in found["browser"]


@pytest.mark.parametrize("browser", ["/bin/false", "/nowhere/chrome"])
def test_doctor_says_what_is_missing_and_how_to_get_it(cli: Cli, browser):
    done = cli("doctor", "--browser", browser)
    assert done.code == 2
    failed = done.out[done.out.index("FAIL") :]
    assert failed.startswith("FAIL browser: ")
    assert browser in failed
    assert "apt-get install chromium-headless-shell" in failed
    assert "Traceback" not in done.err
