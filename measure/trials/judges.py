"""The judge of a run, for each of its trials."""

from collections.abc import Sequence

from measure.evals.examples import NoExampleError
from measure.judges.judge import Call, Cause, Judge, JudgeFault, ToolOffer
from measure.judges.opening import JudgeOptions, JudgeSource, open_judge
from measure.live.live_tool import LiveTool
from measure.rates.trial import TrialKey
from measure.trials.call_verdict import Said, right_tools
from measure.trials.oracle_arguments import oracle_arguments
from measure.utterances.utterance_set import Control

_KNOW_WHAT_IS_EXPECTED = ("oracle", "noisy-oracle")


class TrialJudges:
    """Opens the judge once; an oracle is told for each trial what is expected, the others are not."""

    def __init__(self, spec: str, options: JudgeOptions) -> None:
        self._spec, self._options = spec, options
        self._told = spec.partition(":")[0] in _KNOW_WHAT_IS_EXPECTED
        self._source: JudgeSource = open_judge(spec, options)
        self.name = self._source.name

    def judge(self, said: Said, key: TrialKey, offered: Sequence[LiveTool]) -> Judge:
        """The judge of one trial. Raises JudgeFault for an oracle that cannot know what to call."""
        source = self._source
        if self._told:
            source = open_judge(self._spec, self._options, {said.text: [_expected(said, offered)]})
        return source.for_draw(f"session {key.session} repeat {key.repeat}")

    async def aclose(self) -> None:
        """Close what the judge keeps open."""
        await self._source.aclose()


def offers_of(tools: Sequence[LiveTool]) -> tuple[ToolOffer, ...]:
    """Tools as a judge is shown them."""
    return tuple(ToolOffer(tool.name, tool.description, tool.input_schema) for tool in tools)


def _expected(said: Said, offered: Sequence[LiveTool]) -> tuple[Call, ...]:
    """The expected tool, or where the page does not offer it the first acceptable one; nothing for a control."""
    if isinstance(said, Control):
        return ()
    schemas = {tool.name: tool.input_schema for tool in offered if tool.name in right_tools(said)}
    name = next(name for name in (said.tool, *said.acceptable) if name in schemas)
    try:
        return (Call(name, oracle_arguments(said, name, schemas[name])),)
    except NoExampleError as error:
        raise JudgeFault(Cause.NOT_RECORDED, f"the oracle cannot answer {said.id}: {error}") from error


def judge_name(spec: str, options: JudgeOptions) -> str:
    """How the judge names itself, every setting included. Raises CensusError as `open_judge` does."""
    return open_judge(spec, options).name
