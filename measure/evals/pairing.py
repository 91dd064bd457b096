"""What speaks against taking a made call for a planned one of the same name."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from measure.evals.effects_json import effects_json
from measure.evals.expected import Mismatch, Source, mismatches, sources
from measure.evals.made import MadeCall
from measure.evals.plan import ABSENT, PlannedCall


@dataclass(frozen=True)
class Pairing:
    """A planned call and a made one of its name; without any mismatch they are the same."""

    arguments: tuple[Mismatch, ...] = ()
    result: tuple[Mismatch, ...] = ()
    offered: tuple[str, ...] = ()
    """What was wrong with the list of tools at that step."""
    effects: tuple[Mismatch, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing speaks against it."""
        return not (self.arguments or self.result or self.offered or self.effects)


def pairing(planned: PlannedCall, made: MadeCall, known: Mapping[str, JsonValue]) -> Pairing | None:
    """Hold a made call against a planned one; None when it is one of another tool or turn, or of none.

    `known`: results by id that do not depend on the alignment, those of driven calls. What `$from` takes from other
    calls is judged once it is known which calls those are.
    """
    if planned.name != made.name or planned.turn != made.turn or not made.known:
        return None
    return Pairing(
        arguments=() if planned.arguments is None else tuple(mismatches(planned.arguments, made.arguments, known)),
        result=()
        if planned.result is ABSENT or not made.result_known
        else tuple(mismatches(planned.result, made.result, {})),
        offered=_offered(planned, made),
        effects=()
        if planned.effects is ABSENT or made.effects is None
        else tuple(mismatches(planned.effects, effects_json(made.effects), {})),
    )


def _offered(planned: PlannedCall, made: MadeCall) -> tuple[str, ...]:
    wanted = planned.offered
    if wanted is None:
        return ()
    said = [f"lacked {name!r}" for name in sorted(wanted.has - made.offered)]
    said += [f"had {name!r}" for name in sorted(wanted.lacks & made.offered)]
    if wanted.only is not None:
        said += [f"lacked {name!r}" for name in sorted(wanted.only - made.offered - wanted.has)]
        said += [f"had {name!r} too" for name in sorted(made.offered - wanted.only - wanted.lacks)]
    return tuple(said)


@dataclass(frozen=True)
class Flow:
    """A planned call takes a value from the result of another planned one."""

    giver: int
    taker: int
    source: Source


def flows(calls: tuple[PlannedCall, ...]) -> tuple[Flow, ...]:
    """The flows between the calls of a plan; those out of driven calls are not among them."""
    numbers = {call.id: number for number, call in enumerate(calls) if call.id is not None}
    return tuple(
        Flow(numbers[source.call], taker, source)
        for taker, call in enumerate(calls)
        for source in sorted(sources(call.arguments), key=str)
        if source.call in numbers
    )


def flow_mismatches(flow: Flow, taker: PlannedCall, giver_made: MadeCall, taker_made: MadeCall) -> list[Mismatch]:
    """Where what was taken is not what was given; none when the giver's result is not known.

    A call of the same answer was made before the result was there, so what it took came from elsewhere.
    """
    if taker.arguments is None:
        return []
    given = {flow.source.call: giver_made.result}
    if giver_made.step >= taker_made.step or giver_made.error is not None:
        given = {flow.source.call: None}
    elif not giver_made.result_known:
        return []
    anyway = set(mismatches(taker.arguments, taker_made.arguments, {}))
    return [each for each in mismatches(taker.arguments, taker_made.arguments, given) if each not in anyway]
