"""The outcome of `eval` for a person."""

from collections.abc import Iterator

from census.text import inert, rate_text
from measure.evals.answers import answer_lines
from measure.evals.outcome import CaseOutcome, Ending, Mode, Outcome, by_suite
from measure.evals.repeats import repeat_rate
from measure.evals.stamps import Stamps

_LIMIT = 400
"""Characters of a message that are shown; `--json` has all of it."""


def outcome_text(outcome: Outcome) -> str:
    """What `eval` prints: the cases that did not pass with the constraints that broke, then the rates."""
    return "\n".join(_lines(outcome)) + "\n"


def _lines(outcome: Outcome) -> Iterator[str]:
    for source, cases in by_suite(outcome.cases).items():
        passed = sum(each.ending is Ending.PASSED for each in cases)
        yield f"{inert(source)}: {passed} of {len(cases)} cases passed"
        for each in cases:
            yield from _case_lines(each)
    yield from rate_lines(outcome)
    yield from _besides(outcome)


def rate_lines(outcome: Outcome) -> Iterator[str]:
    """The rates with their intervals, what broke, and what the answers tell."""
    where = "tools and results from files" if outcome.url is None else f"{outcome.mode.value} on {inert(outcome.url)}"
    judge = "none, the expected calls were made" if outcome.mode is Mode.SMOKE else inert(outcome.judge)
    yield f"Judge: {judge}; matcher: {outcome.matcher.value}; {where}"
    if outcome.stamps is not None:
        yield _made_with(outcome.stamps)
    yield f"Cases passed in every repeat: {rate_text(outcome.rate())}"
    for kind, rate in outcome.requests().items():
        yield f"  {kind} requests: {rate_text(rate)}"
    broken = outcome.broken()
    if broken:
        named = ", ".join(f"{count} {constraint.value}" for constraint, count in broken.most_common())
        yield f"Repeats in which a constraint broke: {named}"
    for way, share in outcome.after_failure().items():
        yield f"After a call failed, {way.value}: {rate_text(share)}"
    if any(len(each.repeats) > 1 for each in outcome.cases):
        yield from _repeat_lines(outcome)
    yield from answer_lines(outcome.cases)


def _made_with(stamps: Stamps) -> str:
    files = ", ".join(f"{inert(name)} (SHA-256 {digest[:12]}…)" for name, digest in stamps.files.items())
    browser = f"; {inert(stamps.browser)}" if stamps.browser else ""
    return f"Made with webmcp-census {stamps.version}{browser}; {files}"


def _repeat_lines(outcome: Outcome) -> Iterator[str]:
    found = repeat_rate(outcome.cases)
    if found.rate.rate is None:
        return
    over = found.over_cases
    interval = f"; over {over.clusters} cases {100 * over.low:.1f} to {100 * over.high:.1f} %" if over else ""
    yield f"Repeats passed: {rate_text(found.rate)}{interval}"
    powers = [f"{k}: {100 * chance:.1f} %" for k, chance in found.pass_power.items() if chance is not None]
    yield f"A case passes so many times in a row (pass^k): {', '.join(powers)}"


def _case_lines(outcome: CaseOutcome) -> Iterator[str]:
    many = len(outcome.repeats) > 1
    if outcome.ending is Ending.PASSED and not _notes(outcome):
        return
    share = f", {rate_text(outcome.passes())}" if many else ""
    yield f"  {outcome.ending.value}{share}: {inert(outcome.case.name, _LIMIT)} ({outcome.case.place})"
    for number, repeat in enumerate(outcome.repeats, start=1):
        which = f"repeat {number}: " if many else ""
        if repeat.verdict is None:
            yield f"    {which}{repeat.cause}: {inert(repeat.message or '', _LIMIT)}"
            continue
        for violation in repeat.verdict.violations:
            yield f"    {which}{violation.constraint.value}: {inert(violation.message, _LIMIT)}"
    for note in _notes(outcome):
        yield f"    note: {note}"


def _notes(outcome: CaseOutcome) -> list[str]:
    """What does not count against a case and is worth knowing."""
    notes = []
    for repeat in outcome.repeats:
        if repeat.verdict is None or repeat.run is None:
            continue
        made = repeat.run.made
        if repeat.verdict.harmless:
            names = ", ".join(f"call {number}, {made[number - 1].name}" for number in repeat.verdict.harmless)
            notes.append(inert(f"harmless extra: {names}", _LIMIT))
        notes += [
            inert(f"call {number}, {call.name}, does not fit its schema: {call.misfit}", _LIMIT)
            for number, call in enumerate(made, start=1)
            if call.misfit is not None
        ]
    return list(dict.fromkeys(notes))


def _besides(outcome: Outcome) -> Iterator[str]:
    verdicts = [repeat.verdict for each in outcome.cases for repeat in each.repeats if repeat.verdict is not None]
    unchecked = sum(verdict.unchecked for verdict in verdicts)
    if unchecked:
        yield (
            f"Not checked: {unchecked} expectations: of results that no mock gives and of a page, where there is none;"
            " and of failures in words that are not known to be English"
        )
    missing = sum(1 for _ in outcome.missing())
    if missing:
        yield f"Missing: {missing} repeats have no measurement, so this is no answer; run again"
