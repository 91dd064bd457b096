"""One trial from its page to its record, with a page and a judge that do as they are told."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from pydantic import JsonValue

from census.vocabulary import Outcome
from measure.judges.judge import Answer, Call, Cause, Judge, JudgeFault, Message, ToolOffer, Usage
from measure.judges.opening import JudgeOptions
from measure.live.effects import Effects
from measure.live.errors import PageNotOpenedError
from measure.live.execution import Execution, ExecutionStatus
from measure.live.live_tool import LiveTool
from measure.rates.trial import Executed, Trial, TrialKey
from measure.rates.trial_outcome import HarnessCause
from measure.rates.trial_outcome import TrialOutcome as Outcomes
from measure.trials.judges import TrialJudges
from measure.trials.making import Maker, manifest_of
from measure.trials.record import Job
from measure.trials.trial_page import Standing
from measure.utterances.utterance_set import SetupCall
from tests.measure.rates.test_rate_run import plan
from tests.measure.trials.held import SIZE, answered, control, tool, utterance

KEY = TrialKey("index.html", "clean", "shop 1.0.0", "one", 1, 1)
ORDER, CANCEL, LOOK = tool("order", SIZE), tool("cancel"), tool("look", reads=True)
LARGE = Call("order", {"size": "large"})
DONE = Execution(ExecutionStatus.COMPLETED, "ordered", effects=Effects(dom_changed=True), ms=12)


class Page:
    """Has the same tools for ever, and ends each call as it is told."""

    url = "http://there/"

    def __init__(
        self,
        *tools: LiveTool,
        executions: Mapping[str, Execution] | None = None,
        supported: bool | None = True,
        registered: Sequence[str] = (),
    ) -> None:
        names = frozenset({each.name for each in tools} | set(registered))
        self.stands = Standing(tools, supported, names)
        self.executions = executions or {}
        self.called: list[tuple[str, JsonValue]] = []
        self.closed = False

    async def standing(self) -> Standing:
        return self.stands

    async def execute(self, tool: LiveTool, arguments: Mapping[str, JsonValue], bound_s: float) -> Execution:
        assert bound_s == 10
        self.called.append((tool.name, dict(arguments)))
        return self.executions.get(tool.name, DONE)

    async def close(self) -> None:
        self.closed = True


class Says(Judge):
    """Says one thing, and remembers what it was asked."""

    name = "says"

    def __init__(self, *said: Call | JudgeFault, malformed: str | None = None) -> None:
        self.said, self.malformed = said, malformed
        self.asked: list[tuple[list[Message], list[str]]] = []

    def judge(self, *_: object) -> Judge:
        return self

    async def answer(self, messages: Sequence[Message], tools: Sequence[ToolOffer]) -> Answer:
        self.asked.append((list(messages), [each.name for each in tools]))
        for each in self.said:
            if isinstance(each, JudgeFault):
                raise each
        calls = tuple(each for each in self.said if isinstance(each, Call))
        return Answer(calls, "I am on it", Usage(20, 10), self.malformed)


def make(page: Page | Exception, judge: Says, said=None, *, execute=True, writes=True) -> Trial:  # type: ignore[no-untyped-def]
    class Pages:
        async def open(self, _: str) -> Page:
            if isinstance(page, Exception):
                raise page
            return page

    async def made() -> Trial:
        run = plan().model_copy(update={"execute": execute, "allow_writes": writes})
        maker = Maker(run, Pages(), judge, at_once=1, process="p")  # type: ignore[arg-type]
        found = await maker.make(Job(KEY, said or utterance(), "http://there/"))
        assert found is not None
        return found.trial

    trial = asyncio.run(made())
    # A record that cannot be written and read again is none.
    assert Trial.model_validate_json(trial.model_dump_json()) == trial
    if isinstance(page, Page):
        assert page.closed
    return trial


def test_a_right_call_that_is_executed() -> None:
    page, judge = Page(CANCEL, LOOK, ORDER), Says(LARGE)
    trial = make(page, judge)
    assert (trial.outcome, trial.executed, trial.missing) == (Outcomes.OK, Executed.YES, None)
    assert page.called == [("order", {"size": "large"})]
    [call] = trial.calls
    assert (call.tool, call.execution, call.output, call.execution_ms) == ("order", "completed", "ordered", 12)
    assert call.effects == Effects(dom_changed=True)
    [(asked, offered)] = judge.asked
    assert tuple(offered) == trial.offered
    assert sorted(offered) == ["cancel", "look", "order"]
    assert [each.role for each in asked] == ["system", "user"]
    assert asked[1].content == "A large one, please"
    assert trial.usage is not None
    assert (trial.usage.input_tokens, trial.usage.output_tokens) == (20, 10)
    assert (trial.key, trial.tool, trial.tag, trial.control, trial.text) == (KEY, "order", "direct", None, "I am on it")
    assert trial.manifest == manifest_of((CANCEL, LOOK, ORDER)).digest


def test_nothing_is_executed_when_the_run_executes_nothing() -> None:
    page = Page(ORDER, LOOK)
    trial = make(page, Says(LARGE), execute=False)
    assert (trial.outcome, trial.executed, trial.invoked) == (Outcomes.OK, Executed.NOT_ASKED, True)
    assert page.called == []


def test_a_tool_that_is_not_marked_read_only_is_not_executed_unless_writes_are_allowed() -> None:
    page = Page(ORDER, LOOK)
    trial = make(page, Says(LARGE), writes=False)
    assert (trial.outcome, trial.executed, page.called) == (Outcomes.OK, Executed.WRITES, [])
    reads = make(page, Says(Call("look", {})), utterance(tool="look"), writes=False)
    assert (reads.outcome, reads.executed, page.called) == (Outcomes.OK, Executed.YES, [("look", {})])


@pytest.mark.parametrize("said", [(LARGE, Call("cancel", {})), (Call("order", {}),), (Call("bake", {}),)])
def test_an_answer_that_is_not_right_is_not_executed_not_even_in_part(said: tuple[Call, ...]) -> None:
    page = Page(ORDER, CANCEL)
    trial = make(page, Says(*said))
    assert (page.called, trial.executed) == ([], None)
    assert trial.invoked is False


def test_a_control_is_never_executed() -> None:
    page = Page(LOOK)
    trial = make(page, Says(Call("look", {})), control())
    assert (trial.outcome, trial.false_positive, page.called) == (Outcomes.WRONG_TOOL, True, [])


@pytest.mark.parametrize(
    ("execution", "outcome"),
    [
        (Execution(ExecutionStatus.ERROR, error="TypeError"), Outcomes.EXEC_ERROR),
        (Execution(ExecutionStatus.NO_ANSWER), Outcomes.EXEC_ERROR),
        (answered({"isError": True}), Outcomes.SILENT_FAIL),
        (answered("undefined"), Outcomes.SILENT_FAIL),
    ],
)
def test_what_an_execution_comes_to_is_the_outcome_and_the_tool_was_invoked_all_the_same(
    execution: Execution, outcome: Outcomes
) -> None:
    trial = make(Page(ORDER, executions={"order": execution}), Says(LARGE))
    assert (trial.outcome, trial.invoked, trial.calls[0].outcome) == (outcome, True, outcome)


def test_of_several_calls_the_first_that_fails_is_the_outcome_and_the_last_made() -> None:
    small = Call("order", {"size": "small"})
    page = Page(ORDER, LOOK, executions={"order": answered({"success": False})})
    trial = make(page, Says(LARGE, small))
    assert (trial.outcome, len(page.called)) == (Outcomes.SILENT_FAIL, 1)
    assert [call.execution for call in trial.calls] == ["completed", None]


@pytest.mark.parametrize(
    ("page", "outcome"),
    [
        (Page(supported=False), Outcomes.NOT_SUPPORTED),
        (Page(CANCEL), Outcomes.NOT_REGISTERED),
        (Page(CANCEL, registered=["order"]), Outcomes.NOT_DISCOVERED),
    ],
)
def test_a_judge_is_not_asked_for_what_it_cannot_be_offered(page: Page, outcome: Outcomes) -> None:
    judge = Says(LARGE)
    trial = make(page, judge)
    assert (trial.outcome, trial.invoked, judge.asked) == (outcome, False, [])


def test_a_page_that_could_not_be_read_is_missing_and_not_without_tools() -> None:
    trial = make(Page(supported=None), Says(LARGE))
    assert (trial.outcome, trial.missing) == (None, HarnessCause.PAGE_UNREACHED)


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        (Outcome.HTTP_ERROR, HarnessCause.PAGE_UNREACHED),
        (Outcome.NETWORK_DOWN, HarnessCause.PAGE_UNREACHED),
        (Outcome.BROWSER_FAILED, HarnessCause.BROWSER_FAILED),
    ],
)
def test_a_page_that_was_not_opened_is_missing_with_its_cause(outcome: Outcome, cause: HarnessCause) -> None:
    trial = make(PageNotOpenedError("http://there/", outcome, "status 500"), Says(LARGE))
    assert (trial.missing, trial.detail) == (cause, f"http://there/ could not be opened: {outcome.value} (status 500)")


def test_a_judges_fault_is_a_missing_measurement_and_what_it_took_is_known() -> None:
    trial = make(Page(ORDER), Says(JudgeFault(Cause.TRUNCATED, "cut off", Usage(7, 1_024))))
    assert (trial.outcome, trial.missing, trial.detail, trial.invoked) == (None, Cause.TRUNCATED, "cut off", None)
    assert trial.usage is not None
    assert trial.usage.output_tokens == 1_024


def test_a_browser_that_fails_during_a_call_is_no_fault_of_the_page() -> None:
    failed = Execution(ExecutionStatus.BROWSER_FAILED, error="gone")
    trial = make(Page(ORDER, executions={"order": failed}), Says(LARGE))
    assert (trial.outcome, trial.missing) == (None, HarnessCause.BROWSER_FAILED)


def test_a_call_that_the_harness_does_not_end_is_no_fault_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hangs(Page):
        async def execute(self, *_: object) -> Execution:
            await asyncio.sleep(3_600)
            raise AssertionError

    monkeypatch.setattr("measure.trials.making._GRACE", -9.9)
    trial = make(Hangs(ORDER), Says(LARGE))
    assert (trial.outcome, trial.missing) == (None, HarnessCause.INTERRUPTED)
    assert "order did not come back" in trial.detail


def set_up(*calls: SetupCall):  # type: ignore[no-untyped-def]
    return utterance(tool="cancel").model_copy(update={"setup": calls})


def test_calls_that_are_needed_before_are_made_and_the_judge_is_told() -> None:
    page, judge = Page(ORDER, CANCEL), Says(Call("cancel", {}))
    trial = make(page, judge, set_up(SetupCall(tool="order", arguments={"size": "small"})))
    assert trial.outcome is Outcomes.OK
    assert page.called == [("order", {"size": "small"}), ("cancel", {})]
    assert '- order({"size": "small"}): ordered' in judge.asked[0][0][0].content


def test_a_call_before_that_fails_leaves_nothing_to_measure() -> None:
    page = Page(ORDER, CANCEL, executions={"order": Execution(ExecutionStatus.ERROR, error="sold out")})
    judge = Says(Call("cancel", {}))
    trial = make(page, judge, set_up(SetupCall(tool="order")))
    assert (trial.missing, judge.asked) == (HarnessCause.SETUP_FAILED, [])
    assert "sold out" in trial.detail


def test_a_page_without_a_tool_that_is_needed_before_has_not_registered_it() -> None:
    judge = Says(Call("cancel", {}))
    trial = make(Page(CANCEL), judge, set_up(SetupCall(tool="order")))
    assert (trial.outcome, judge.asked) == (Outcomes.NOT_REGISTERED, [])


def test_a_hostile_answer_makes_a_record_that_can_be_written() -> None:
    deep: JsonValue = {}
    for _ in range(5_000):
        deep = {"next": deep}
    said = Says(Call("\ud800" * 5_000, {"\udfff": "\ud800"}), Call("order", {"deep": deep}), malformed="\ud800")
    trial = make(Page(ORDER), said)
    assert trial.outcome is Outcomes.HALLUCINATED_TOOL
    assert [len(call.tool) for call in trial.calls] == [256, 5]


def test_an_oracle_knows_the_expected_arguments_and_fills_in_what_the_schema_requires() -> None:
    judges = TrialJudges("oracle", JudgeOptions())
    schema: JsonValue = {
        "type": "object",
        "properties": {
            "size": {"enum": ["small", "large"]}, "count": {"type": "integer", "minimum": 3}, "code": {"type": "string",
            "pattern": "^[A-Z]{3}$"}, "note": {"type": "string"},
        },
        "required": ["size", "count", "code"],
    }  # fmt: skip
    page = Page(tool("order", schema), CANCEL)
    wanted = utterance(arguments={"size": {"$in": ["large"]}})
    trial = make(page, judges, wanted)  # type: ignore[arg-type]
    assert trial.outcome is Outcomes.OK
    [(_, arguments)] = page.called
    assert isinstance(arguments, dict)
    assert (arguments["size"], arguments["count"]) == ("large", 3)
    assert "note" not in arguments


def test_an_oracle_calls_an_acceptable_tool_where_the_expected_one_is_not_and_nothing_for_a_control() -> None:
    judges = TrialJudges("oracle", JudgeOptions())
    page = Page(CANCEL, LOOK)
    assert make(page, judges, utterance(acceptable=("cancel",))).calls[0].tool == "cancel"  # type: ignore[arg-type]
    assert make(page, judges, control()).outcome is Outcomes.OK  # type: ignore[arg-type]


def test_a_stopped_run_asks_no_further_judge() -> None:
    page = Page(ORDER)

    class Pages:
        async def open(self, _: str) -> Page:
            return page

    judge = Says(LARGE)
    maker = Maker(plan(), Pages(), judge, at_once=1, process="p", stopping=lambda: True)  # type: ignore[arg-type]
    assert asyncio.run(maker.make(Job(KEY, utterance(), "http://there/"))) is None
    assert (judge.asked, page.closed) == ([], True)
