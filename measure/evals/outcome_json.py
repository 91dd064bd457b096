"""The outcome of `eval` as one JSON object, for programs."""

from collections.abc import Mapping

from pydantic import JsonValue

from census.interval import Proportion
from measure.evals.channel import Channel, channel
from measure.evals.effects_json import effects_json
from measure.evals.made import MadeCall
from measure.evals.outcome import CaseOutcome, Outcome, Repeat
from measure.evals.repeats import repeat_rate


def outcome_json(outcome: Outcome) -> dict[str, JsonValue]:
    """What `--json` prints: the settings, the rates with their intervals, every case with every call that was made."""
    return {
        "command": "eval",
        "mode": outcome.mode.value,
        "url": outcome.url,
        "made_with": outcome.stamps.as_json() if outcome.stamps else None,
        "judge": outcome.judge,
        "matcher": outcome.matcher.value,
        "max_steps": outcome.max_steps,
        "clock": outcome.clock.isoformat() if outcome.clock else None,
        "fail_under": outcome.fail_under,
        "cases_passed": _share(outcome.rate()),
        "requests": {kind: _share(rate) for kind, rate in outcome.requests().items()},
        "broken": {constraint.value: count for constraint, count in sorted(outcome.broken().items())},
        "after_failure": {way.value: _share(share) for way, share in outcome.after_failure().items()},
        "repeats": _repeats(outcome),
        "missing": sum(1 for _ in outcome.missing()),
        "input_tokens": _tokens(outcome, "input_tokens"),
        "output_tokens": _tokens(outcome, "output_tokens"),
        "cases": [_case(each) for each in outcome.cases],
        "exit_code": outcome.exit_code,
    }


def _repeats(outcome: Outcome) -> dict[str, JsonValue]:
    found = repeat_rate(outcome.cases)
    over = found.over_cases
    return {
        "passed": _share(found.rate),
        "over_cases": None if over is None else {"low": over.low, "high": over.high, "clusters": over.clusters},
        "pass_power": {str(k): chance for k, chance in found.pass_power.items()},
    }


def _share(share: Proportion) -> dict[str, JsonValue]:
    return share.model_dump(mode="json")


def _tokens(outcome: Outcome, which: str) -> int:
    runs = (repeat.run for each in outcome.cases for repeat in each.repeats)
    return sum(getattr(run, which) for run in runs if run is not None)


def _case(outcome: CaseOutcome) -> dict[str, JsonValue]:
    return {
        "suite": outcome.suite,
        "place": outcome.case.place,
        "name": outcome.case.name,
        "request": outcome.case.request,
        "tags": list(outcome.case.tags),
        "ending": outcome.ending.value,
        "passes": _share(outcome.passes()),
        "repeats": [_repeat(each) for each in outcome.repeats],
    }


def _repeat(repeat: Repeat) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {
        "ending": repeat.ending.value,
        "cause": repeat.cause.value if repeat.cause else None,
        "message": repeat.message,
    }
    found["after_failure"] = repeat.after_failure.value if repeat.after_failure else None
    if repeat.verdict is not None:
        aligned: Mapping[str, JsonValue] = dict(repeat.verdict.aligned)
        found |= {
            "violations": [
                {
                    "constraint": each.constraint.value,
                    "message": each.message,
                    "expected": each.planned,
                    "call": each.made,
                }
                for each in repeat.verdict.violations
            ],
            "aligned": dict(aligned),
            "harmless": list(repeat.verdict.harmless),
            "unchecked": repeat.verdict.unchecked,
        }
    if repeat.run is not None:
        found |= {
            "calls": [_call(each) for each in repeat.run.made],
            "said": list(repeat.run.said),
            "text": repeat.run.text,
            "steps": repeat.run.steps,
            "stopped": repeat.run.stopped,
            "malformed": repeat.run.malformed,
            "page": repeat.run.page,
        }
    return found


def _call(call: MadeCall) -> dict[str, JsonValue]:
    return {
        "turn": call.turn,
        "step": call.step,
        "name": call.name,
        "arguments": call.arguments,
        "result": call.result,
        "result_known": call.result_known,
        "error": call.error,
        "fits_schema": None if not call.known else call.misfit is None,
        "misfit": call.misfit,
        "status": call.status.value if call.status else None,
        "ms": call.ms,
        "effects": effects_json(call.effects) if call.effects is not None else None,
        "fault": call.fault,
        "channel": _channel(channel(call)) if call.result_known else None,
    }


def _channel(verdict: Channel) -> dict[str, JsonValue]:
    return {
        "form": verdict.form.value if verdict.form else None,
        "lasting": verdict.lasting.value,
        "illegible": verdict.illegible,
        "tokens": verdict.tokens,
    }
