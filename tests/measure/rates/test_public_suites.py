"""The lexical floor on public eval suites, which stay outside the repository.

WEBMCP_CENSUS_EVALS names a folder with a folder for each suite: `evals.json` and `schema.json`.
"""

import json
import os
from pathlib import Path

import pytest

from measure.judges.judge import ToolOffer
from measure.lint.manifest_file import read_manifests
from measure.rates.floors import Question, floors

FOLDER = os.environ.get("WEBMCP_CENSUS_EVALS", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="set WEBMCP_CENSUS_EVALS to run on public suites")


def suite(folder: Path) -> tuple[list[Question], list[ToolOffer]]:
    manifest = read_manifests((folder / "schema.json").read_text(), folder.name)[0]
    questions = []
    for case in json.loads((folder / "evals.json").read_text()):
        said = [each["content"] for each in case["messages"] if each["role"] == "user" and "content" in each]
        expected = case["expectedCall"]
        if expected is None or "functionName" in expected[0]:
            acceptable = frozenset() if expected is None else frozenset([expected[0]["functionName"]])
            questions.append(Question(said[-1], acceptable))
    return questions, [ToolOffer(tool.name, tool.description, tool.input_schema) for tool in manifest.tools]


def test_words_in_common_choose_four_of_five_and_the_commonest_tool_half():
    total, lexical, majority = 0, 0.0, 0.0
    for schema in sorted(Path(FOLDER).glob("*/schema.json")):
        questions, tools = suite(schema.parent)
        found = floors(questions, tools)
        assert found.lexical is not None
        assert found.majority is not None
        total += len(questions)
        lexical += found.lexical * len(questions)
        majority += found.majority * len(questions)
    # An independent count put BM25 over names and descriptions at 75 % and the commonest tool at 52 % of 87 cases
    # (these and those without a list of tools).
    assert total == 57
    assert 0.75 <= lexical / total <= 0.9
    assert 0.45 <= majority / total <= 0.55
