import json
import re
from pathlib import Path

import pytest

from measure.evals.after_failure import AfterFailure
from measure.evals.channel import Form, Lasting
from measure.evals.effects_json import effects_json
from measure.evals.lint_rule import SuiteRule
from measure.evals.operators import OPERATORS
from measure.evals.outcome import Gap
from measure.evals.suite import read_suite
from measure.evals.verdict import Constraint
from measure.live.effects import Effects
from measure.live.execution import ExecutionStatus

PAGE = Path("docs/evals.md").read_text(encoding="utf-8")


def test_every_operator_rule_and_constraint_is_in_the_docs():
    words = [*OPERATORS, "$from", "$ref", *SuiteRule, *Constraint, *AfterFailure, *Gap]
    assert [word for word in words if f"`{word}`" not in PAGE] == []


LIVE_PAGE = Path("docs/evals-on-a-page.md").read_text(encoding="utf-8")


def test_every_status_form_and_effect_is_in_the_docs():
    words = [*ExecutionStatus, *Form, *Lasting, *effects_json(Effects())]
    assert [word for word in words if f"`{word}`" not in LIVE_PAGE] == []


@pytest.mark.parametrize("example", re.findall(r"```json\n(.*?)```", PAGE + LIVE_PAGE, re.DOTALL))
def test_every_example_in_the_docs_is_a_suite(example):
    assert read_suite(example, "docs/evals.md").cases
    assert json.loads(example)


def test_there_are_examples():
    assert PAGE.count("```json") >= 3
