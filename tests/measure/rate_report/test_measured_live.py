"""The whole way with a browser: two variants of a served page, the report, the gate, the comparison."""

import json
from pathlib import Path

import pytest

from tests.crawler.conftest import Cli
from tests.sites.pages.measured_apps import APPS

SET = Path("datasets/utterances/grocer.json").resolve()
TWO_VARIANTS = ("--variant", "clean", "--variant", "over-parameterised")


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_the_clean_manifest_beats_the_degraded_one_in_a_browser(cli: Cli) -> None:
    given = ("rate", "--serve", APPS / "grocer", *TWO_VARIANTS, "--set", SET, "--judge", "lexical", "--no-execute")
    done = cli(*given, "--sessions", "1", "--settle-cap", "4", "--fail-under", "0.2", timeout=1_500)
    # Every tool of the over-parameterised variant is under the threshold.
    assert done.code == 1, done.err
    assert "FAILED index.html (over-parameterised): search_products: invoked in 0.0 %" in done.out
    report = json.loads((cli.folder / "rate-run/report/report.json").read_text())
    assert report["complete"] is True
    assert {page["variant"] for page in report["pages"]} == {"clean", "over-parameterised"}
    # Without leave to write, what needs a call before it is left out: `set_quantity` and `remove_from_cart`.
    assert report["sets"][0]["left_out"] == 40
    compared = cli("rate", "compare", "rate-run#clean", "rate-run#over-parameterised", "--json")
    assert compared.code == 0, compared.err
    whole = json.loads(compared.out)["all_tools"]
    assert whole["utterances"] == 80
    assert whole["rate_b"] == 0
    assert whole["p"] < 0.001


@pytest.mark.long
@pytest.mark.timeout(900)
def test_tools_under_other_names_are_measured_under_the_sets_names(cli: Cli) -> None:
    given = ("rate", "--serve", APPS / "grocer", "--variant", "opaque", "--set", SET, "--judge", "oracle")
    done = cli(*given, "--no-execute", "--sessions", "1", "--settle-cap", "4", "--fail-under", "1", timeout=800)
    assert done.code == 0, done.out + done.err
    report = json.loads((cli.folder / "rate-run/report/report.json").read_text())
    called = {tool["tool"]: list(tool["called"]) for tool in report["pages"][0]["tools"]}
    assert called["view_cart"] == ["action_5"]
