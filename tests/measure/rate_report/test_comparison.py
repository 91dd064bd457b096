"""Two runs, or two variants of one, held against each other."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scipy.stats import binomtest

from measure.judges.lexical import Lexical
from measure.rates.commands import rate_group
from tests.measure.rate_report.runs import GOOD, judged_grocer, small_run

DEGRADED = ("vague", "twins", "vague-twins", "opaque", "over-parameterised")


@pytest.fixture(scope="module")
def grocer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lexical judge on the clean manifest and the degraded ones."""
    return judged_grocer(tmp_path_factory.mktemp("grocer") / "run", ("clean", *DEGRADED), Lexical())


def ran(*arguments: object) -> Result:
    return CliRunner().invoke(rate_group, list(map(str, arguments)), standalone_mode=False)


@pytest.mark.parametrize("variant", DEGRADED)
def test_the_clean_manifest_beats_the_degraded_ones_and_compare_says_so(grocer, variant):
    done = ran("compare", f"{grocer}#clean", f"{grocer}#{variant}", "--json")
    assert done.return_value == 0
    said = json.loads(done.stdout)
    whole = said["all_tools"]
    assert whole["utterances"] == 120
    assert whole["rate_b"] < whole["rate_a"]
    assert whole["p"] < 0.01
    # McNemar's exact test is the binomial test of the discordant pairs.
    assert whole["p"] == pytest.approx(binomtest(whole["only_a"], whole["only_a"] + whole["only_b"]).pvalue)
    assert whole["high"] < 0
    assert said["differs"] == [f"variant: clean and {variant}"]


def test_p_values_are_corrected_for_the_number_of_tools(grocer):
    done = ran("compare", f"{grocer}#clean", f"{grocer}#over-parameterised", "--json")
    tools = json.loads(done.stdout)["tools"]
    assert len(tools) == 6
    smallest, largest = min(row["p"] for row in tools), max(tools, key=lambda row: row["p"])
    # Holm: the smallest times all six, the largest at least itself.
    assert min(row["p_holm"] for row in tools) == pytest.approx(6 * smallest)
    assert largest["p_holm"] >= largest["p"]


def test_the_text_says_which_tools_are_worse_and_the_gate_fails_on_them(grocer):
    done = ran("compare", f"{grocer}#clean", f"{grocer}#twins", "--fail-on-worse")
    assert done.return_value == 1
    assert "worse in B: search_products, set_quantity; over all tools B is worse (p = 4e-05)" in done.stdout
    turned = ran("compare", f"{grocer}#twins", f"{grocer}#clean", "--fail-on-worse")
    assert turned.return_value == 0
    assert "better in B: search_products, set_quantity" in turned.stdout


def test_two_dates_of_one_page_are_compared_and_say_when(tmp_path):
    monday = small_run(tmp_path / "monday", GOOD)
    friday = small_run(tmp_path / "friday", GOOD | {"pay-1": ["wrong_tool"] * 4}, run="89abcdef")
    said = json.loads(ran("compare", monday, friday, "--json").stdout)
    assert {row["tool"]: row["difference"] for row in said["tools"]} == {"add": 0.0, "pay": -0.5}
    assert [each.partition(":")[0] for each in said["differs"]] == ["when it was measured"]
    assert said["controls"]["utterances"] == 2


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("grocer", "grocer#vague", "several pages or variants are meant"),
        ("grocer#clean", "grocer#clean", "are the same"),
        ("grocer#clean", "grocer#vauge", "no page or variant is meant"),
        ("grocer#clean", "small", "only rates over the same frozen utterances"),
        ("small", "gap", "1 of 24 trials are missing; finish the run"),
        ("small", "nowhere", "is no run of rates"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_its_reason(grocer, tmp_path, a, b, said):
    runs = {
        "grocer": grocer,
        "small": small_run(tmp_path / "small", GOOD),
        "gap": small_run(tmp_path / "gap", GOOD | {"add-1": ["ok", "truncated", "ok", "ok"]}),
        "nowhere": tmp_path / "nowhere",
    }
    names = [f"{runs[folder]}{sign}{variant}" for folder, sign, variant in (a.partition("#"), b.partition("#"))]
    done = ran("compare", *names)
    assert done.exception is not None
    assert said in str(done.exception)


def test_report_exits_by_coverage_then_by_the_gate(tmp_path):
    whole = small_run(tmp_path / "whole", GOOD | {"add-1": ["ok", "ok", "ok", "wrong_tool"]})
    gap = small_run(tmp_path / "gap", GOOD | {"add-1": ["ok", "budget", "ok", "ok"]})
    assert ran("report", whole).return_value == 0
    assert (whole / "report/report.json").is_file()
    failed = ran("report", whole, "--fail-under", "0.9", "--out", tmp_path / "elsewhere")
    assert failed.return_value == 1
    assert "FAILED add: invoked in 87.5 %" in failed.stdout
    assert (tmp_path / "elsewhere/badge.json").is_file()
    incomplete = ran("report", gap, "--fail-under", "0.9", "--json")
    assert incomplete.return_value == 2
    assert json.loads(incomplete.stdout)["coverage"]["missing"] == {"budget": 1}
