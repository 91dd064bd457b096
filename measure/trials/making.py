"""One trial, from the opening of its page to its record."""

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from census.vocabulary import Outcome
from measure.evals.conversation import instructions, result_text
from measure.evals.json_values import shown as shown_value
from measure.judges.judge import JudgeFault, Message
from measure.lint.json_schema import clean
from measure.lint.text import well_formed
from measure.live.errors import PageNotOpenedError
from measure.live.execution import Execution, ExecutionStatus
from measure.live.live_tool import LiveTool
from measure.rates.rate_plan import RatePlan
from measure.rates.rate_run import OfferedManifest, OfferedTool
from measure.rates.trial import Executed, Trial
from measure.rates.trial_outcome import HarnessCause, TrialOutcome
from measure.trials.call_verdict import unasked, verdict
from measure.trials.execution_verdict import execution_verdict
from measure.trials.judges import TrialJudges, offers_of
from measure.trials.record import Job, TrialRecord, executed_call, made_call
from measure.trials.tool_order import order_seed, shown
from measure.trials.trial_page import Pages, Standing, TrialPage

_UNREAD = "it was opened, and its tools could not be read"
_GRACE = 30.0
"""Seconds that the looks at a page before and after an executed call may take, besides its bound."""


class _LateError(Exception):
    """A call that was not ended within its own bound."""


class Made(NamedTuple):
    """A trial, and the tools that its judge was offered."""

    trial: Trial
    manifest: OfferedManifest | None


class Maker:
    """Makes trials under the conditions of one run. Holds nothing of a trial when it is over."""

    def __init__(
        self, plan: RatePlan, pages: Pages, judges: TrialJudges, *, at_once: int, process: str,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self._plan, self._pages, self._judges, self._process = plan, pages, judges, process
        self._free_judge = asyncio.Semaphore(at_once)
        self._stopping = stopping

    async def make(self, job: Job) -> Made | None:
        """Make a trial; None when the run stopped before its judge was asked. Raises for no fault of page or judge."""
        record = TrialRecord(job, self._plan, self._process, order_seed(self._plan.seed, job.key))
        try:
            page = await self._pages.open(job.url)
        except PageNotOpenedError as error:
            ours = error.outcome is Outcome.BROWSER_FAILED
            return Made(
                record.gap(HarnessCause.BROWSER_FAILED if ours else HarnessCause.PAGE_UNREACHED, str(error)), None
            )
        try:
            return await self._on(page, job, record)
        except _LateError as error:
            manifest = manifest_of(record.offered) if record.manifest is not None else None
            return Made(record.gap(HarnessCause.INTERRUPTED, str(error)), manifest)
        finally:
            await page.close()

    async def _on(self, page: TrialPage, job: Job, record: TrialRecord) -> Made | None:
        before = await self._set_up(page, job, record)
        if isinstance(before, Trial):
            return Made(before, None)
        standing = await page.standing()
        if standing.supported is None and not standing.tools:
            return Made(record.gap(HarnessCause.PAGE_UNREACHED, _UNREAD), None)
        record.offered, record.hidden = shown(standing.tools, record.order_seed)
        manifest = manifest_of(record.offered)
        record.manifest = manifest.digest
        names = {tool.name for tool in record.offered}
        end = unasked(job.here, supported=bool(standing.supported), registered=standing.registered, offered=names)
        if end is not None:
            return Made(record.ended(*end), manifest)
        trial = await self._asked(page, job, record, before)
        return None if trial is None else Made(trial, manifest)

    async def _set_up(self, page: TrialPage, job: Job, record: TrialRecord) -> list[str] | Trial:
        """Make the calls that the utterance needs before it, and say them; or the trial where that cannot be."""
        said = []
        for call in job.here.setup:
            standing = await page.standing()
            tool = next((each for each in shown(standing.tools, "").tools if each.name == call.tool), None)
            if tool is None:
                return self._without(call.tool, standing, record)
            execution = await self._execute(page, tool, dict(call.arguments))
            if execution.status is ExecutionStatus.BROWSER_FAILED:
                return record.gap(HarnessCause.BROWSER_FAILED, execution.error or "")
            judged = execution_verdict(execution)
            if judged.outcome is not TrialOutcome.OK:
                return record.gap(HarnessCause.SETUP_FAILED, f"{call.tool} was called before: {judged.detail}")
            said.append(f"{call.tool}({shown_value(dict(call.arguments), 2_000)}): {result_text(execution.output)}")
        return said

    def _without(self, needed: str, standing: Standing, record: TrialRecord) -> Trial:
        """The trial on a page that has not the tool which is to be called before: the page's fault, not a gap."""
        if standing.supported is None and not standing.tools:
            return record.gap(HarnessCause.PAGE_UNREACHED, _UNREAD)
        offered = {tool.name for tool in standing.tools}
        found = unasked(
            record.job.here, supported=bool(standing.supported), registered=standing.registered, offered=offered
        )
        return record.ended(*(found or (TrialOutcome.NOT_REGISTERED, f"{needed}, which is to be called before")))

    async def _asked(self, page: TrialPage, job: Job, record: TrialRecord, before: Sequence[str]) -> Trial | None:
        waiting = time.monotonic()
        async with self._free_judge:
            if self._stopping():
                return None
            asked = time.monotonic()
            record.waited_s = asked - waiting
            try:
                judge = self._judges.judge(job.here, job.key, record.offered)
                record.answer = await judge.answer(messages(job.here.text, before), offers_of(record.offered))
            except JudgeFault as fault:
                record.usage = fault.usage
                return record.gap(fault.cause, str(fault))
            finally:
                record.judge_ms = round(1000 * (time.monotonic() - asked))
        record.usage = record.answer.usage
        return await self._judged(page, job, record)

    async def _judged(self, page: TrialPage, job: Job, record: TrialRecord) -> Trial:
        assert record.answer is not None
        found = verdict(job.here, record.answer, record.offered)
        record.calls = tuple(map(made_call, found.calls))
        if found.outcome is not TrialOutcome.OK or not found.calls:
            return record.ended(found.outcome, found.detail)
        tools = {tool.name: tool for tool in record.offered}
        called = [tools[each.call.name] for each in found.calls]
        record.executed = self._may_execute(called)
        if record.executed is not Executed.YES:
            return record.ended(TrialOutcome.OK, "not executed")
        for index, (tool, each) in enumerate(zip(called, found.calls, strict=True)):
            assert isinstance(each.call.arguments, dict)
            execution = await self._execute(page, tool, each.call.arguments)
            if execution.status is ExecutionStatus.BROWSER_FAILED:
                return record.gap(HarnessCause.BROWSER_FAILED, execution.error or "the browser failed during the call")
            judged = execution_verdict(execution)
            done = executed_call(record.calls[index], judged.outcome, execution)
            record.calls = (*record.calls[:index], done, *record.calls[index + 1 :])
            if judged.outcome is not TrialOutcome.OK:
                break
        return record.ended(judged.outcome, judged.detail)

    def _may_execute(self, called: Sequence[LiveTool]) -> Executed:
        if not self._plan.execute:
            return Executed.NOT_ASKED
        reads = all(tool.read_only for tool in called)
        return Executed.YES if reads or self._plan.allow_writes else Executed.WRITES

    async def _execute(self, page: TrialPage, tool: LiveTool, arguments: dict[str, JsonValue]) -> Execution:
        """Call a tool. Raises _LateError when the harness does not come back: ours to answer for, not the page's."""
        cleaned = clean(arguments)
        assert isinstance(cleaned, dict)
        try:
            async with asyncio.timeout(self._plan.bound_s + _GRACE):
                return await page.execute(tool, cleaned, self._plan.bound_s)
        except TimeoutError as error:
            raise _LateError(f"the call of {tool.name} did not come back within its bound") from error


def messages(text: str, before: Sequence[str]) -> list[Message]:
    """What a judge is told: who it is, what was called before, and what the user says."""
    system = instructions(None)
    if before:
        listed = "\n".join(f"- {each}" for each in before)
        system = f"{system}\n\nThese calls were made before, with these results:\n{listed}"
    return [Message("system", well_formed(system)), Message("user", text)]


def manifest_of(tools: Sequence[LiveTool]) -> OfferedManifest:
    """The tools as the run keeps them: by name, under the digest of what they are."""
    kept = [
        OfferedTool(
            name=well_formed(tool.name),
            description=well_formed(tool.description),
            input_schema=clean(tool.input_schema),
            annotations=dict(tool.annotations) if tool.annotations is not None else None,
            frame=tool.frame,
        )
        for tool in sorted(tools, key=lambda tool: tool.name)
    ]
    text = json.dumps([each.model_dump(mode="json") for each in kept], sort_keys=True)
    return OfferedManifest(digest=hashlib.sha256(text.encode()).hexdigest(), tools=tuple(kept))
