import asyncio
import json

import pytest

from census.errors import CensusError
from measure.judges.judge import Call, Message
from measure.judges.opening import JudgeOptions, open_judge


def test_a_script_says_its_answers_one_after_the_other(tmp_path):
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"Hello.": [{"calls": [{"name": "look", "arguments": {"x": 1}}]}, {"text": "Bye."}]}))
    judge = open_judge(f"scripted:{path}", JudgeOptions()).for_draw("1")
    asked = [Message("user", "Hello.")]
    first = asyncio.run(judge.answer(asked, []))
    second = asyncio.run(judge.answer([*asked, Message("assistant", "", first.calls)], []))
    assert (first.calls, second.calls, second.text) == ((Call("look", {"x": 1}),), (), "Bye.")


@pytest.mark.parametrize(
    "text", ["[]", '{"Hello.": [{"call": []}]}', '{"Hello.": [{"calls": [{"arguments": {}}]}]}', "{"]
)
def test_what_is_no_script_is_refused_with_its_shape(tmp_path, text):
    path = tmp_path / "script.json"
    path.write_text(text)
    with pytest.raises(CensusError, match="write"):
        open_judge(f"scripted:{path}", JudgeOptions())


def test_a_script_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CensusError, match=r"none\.json"):
        open_judge(f"scripted:{tmp_path / 'none.json'}", JudgeOptions())
