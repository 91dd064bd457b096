"""From what a user names on the command line to judges, one for each draw."""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from census.errors import CensusError
from measure.judges.adversarial import BEHAVIOURS, Adversarial
from measure.judges.budget import Budget
from measure.judges.endpoint import EndpointSettings, Mode
from measure.judges.judge import Call, Cause, Judge, JudgeFault, Usage
from measure.judges.lexical import Lexical
from measure.judges.oracle import NoisyOracle, oracle
from measure.judges.recording import Recorded, Recording, Replay
from measure.judges.script_file import scripted_by

KINDS = (
    "openai:MODEL, anthropic:MODEL, lexical, oracle, noisy-oracle:p=0.8,seed=1, adversarial:seed=1, scripted:FILE,"
    " replay:JUDGE"
)

Expected = Mapping[str, Sequence[Sequence[Call]]]
"""For each user text the calls that are expected in the first, second, … answer: what an oracle has to know."""


@dataclass(frozen=True)
class JudgeOptions:
    """What the command line says of judges."""

    mode: Mode = "native"
    base_url: str | None = None
    """Of the endpoint; None is the vendor's own."""
    max_output: int = 1024
    temperature: float | None = None
    max_tokens: int | None = None
    max_cost: Decimal | None = None
    spent: Usage = field(default_factory=lambda: Usage(0, 0))
    """What the run took before it was resumed: budgets are the run's."""
    cache: Path | None = None
    """Folder of recorded answers: read and written by endpoint judges, read by a replay."""


async def _nothing() -> None:
    return None


@dataclass(frozen=True)
class JudgeSource:
    """One judge in as many draws as a run has repeats."""

    name: str
    for_draw: Callable[[str], Judge]
    """Makes the judge of one draw ("session 1 repeat 2"): another draw answers afresh, the same one answers the same
    where that lies with us."""
    aclose: Callable[[], Awaitable[None]] = _nothing
    budget: Budget | None = None
    """What was spent so far; None for judges that cost nothing."""


def open_judge(
    spec: str,
    options: JudgeOptions,
    expected: Expected | None = None,
    environment: Mapping[str, str] = os.environ,
    *,
    truth: Judge | None = None,
) -> JudgeSource:
    """Open the judge that `spec` names: one of KINDS.

    An oracle makes the calls of `expected`, or says what `truth` does where that is given. Keys come from
    `environment` only. Raises CensusError for a spec that names no judge and for options that the judge does not
    take; JudgeFault (BAD_KEY) where an endpoint needs a key and there is none.
    """
    kind, _, rest = spec.partition(":")
    if truth is None:
        truth = oracle(expected or {})
    if kind == "lexical" and not rest:
        return _free(Lexical())
    if kind == "oracle" and not rest:
        return _free(truth)
    if kind == "noisy-oracle":
        given = _numbers(spec, rest, {"p": 0.8, "seed": 1})
        if not 0 <= given["p"] <= 1:
            raise CensusError(f"--judge {spec}: p must be between 0 and 1")
        noisy = _noisy(truth, given["p"], int(given["seed"]))
        return JudgeSource(noisy("").name, noisy)
    if kind == "adversarial":
        seed = int(_numbers(spec, rest, {"seed": 0})["seed"])
        adversarial = _adversarial(seed)
        return JudgeSource(adversarial("").name, adversarial)
    if kind == "scripted" and rest:
        return _free(scripted_by(Path(rest)))
    if kind == "replay" and rest:
        return _replay(spec, rest, options)
    if kind in ("openai", "anthropic") and rest:
        return _endpoint(kind, rest, options, environment)
    raise CensusError(f"--judge {spec!r} names no judge: give one of {KINDS}")


def _free(judge: Judge) -> JudgeSource:
    return JudgeSource(judge.name, lambda _: judge)


def _noisy(truth: Judge, p: float, seed: int) -> Callable[[str], Judge]:
    return lambda draw: NoisyOracle(truth, p, seed, draw)


def _adversarial(seed: int) -> Callable[[str], Judge]:
    return lambda draw: Adversarial(seed, tuple(BEHAVIOURS), draw)


def _replay(spec: str, judge: str, options: JudgeOptions) -> JudgeSource:
    if options.cache is None or not options.cache.is_dir():
        raise CensusError(f"--judge {spec}: name the folder of recorded answers with --judge-cache")
    recording = Recording(options.cache)
    return JudgeSource(f"replay:{judge}", lambda draw: Replay(judge, recording, draw))


def _endpoint(kind: str, model: str, options: JudgeOptions, environment: Mapping[str, str]) -> JudgeSource:
    try:
        from measure.judges import anthropic_judge, openai_judge
        from measure.judges.prices import listed_price
    except ImportError as error:
        raise CensusError(
            f"--judge {kind}:… needs `pip install webmcp-census[judges]` ({error.name} is missing)"
        ) from None
    module = openai_judge if kind == "openai" else anthropic_judge
    settings = EndpointSettings(
        model=model,
        base_url=(options.base_url or module.DEFAULT_URL).rstrip("/"),
        key=_key(module.KEY_VARIABLE, environment, needed=options.base_url is None),
        mode=options.mode,
        max_output=options.max_output,
        temperature=options.temperature,
    )
    price = None if options.max_cost is None else listed_price(kind, model)
    budget = Budget(max_tokens=options.max_tokens, max_cost=options.max_cost, price=price, spent=options.spent)
    judge: openai_judge.OpenAIJudge | anthropic_judge.AnthropicJudge
    if kind == "openai":
        judge = openai_judge.OpenAIJudge(settings, budget)
    else:
        judge = anthropic_judge.AnthropicJudge(settings, budget)
    if options.cache is None:
        return JudgeSource(judge.name, lambda _: judge, judge.aclose, budget)
    recording = Recording(options.cache)
    return JudgeSource(judge.name, lambda draw: Recorded(judge, recording, draw), judge.aclose, budget)


def _key(variable: str, environment: Mapping[str, str], *, needed: bool) -> str | None:
    key = environment.get(variable, "").strip()
    if not key and needed:
        raise JudgeFault(Cause.BAD_KEY, f"there is no key: set {variable} in the environment")
    if not (key.isascii() and key.isprintable()):
        raise JudgeFault(Cause.BAD_KEY, f"{variable} holds characters that no key has: set it anew")
    return key or None


def _numbers(spec: str, text: str, defaults: Mapping[str, float]) -> dict[str, float]:
    """Read `p=0.8,seed=1`."""
    given = dict(defaults)
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        try:
            if name not in defaults:
                raise ValueError(name)
            given[name] = float(value)
        except ValueError:
            wanted = ",".join(f"{each}={default:g}" for each, default in defaults.items())
            raise CensusError(f"--judge {spec}: {part!r} is not one of its settings, such as {wanted}") from None
    return given
