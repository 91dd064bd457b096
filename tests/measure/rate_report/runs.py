"""Runs of rates as folders, made without a browser: a small one written by hand, and one of a whole judge."""

import asyncio
import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jsonschema_rs import is_valid

from measure.evals.expected import holds
from measure.judges.judge import Judge, Message, ToolOffer
from measure.rates.rate_plan import PlannedPage, PlannedSet, RatePlan, Served
from measure.rates.rate_run import PLAN, SETS, TRIALS, OfferedManifest, OfferedTool
from measure.rates.trial import Executed, MadeCall, Trial, TrialKey
from measure.rates.trial_outcome import TrialOutcome
from measure.trials.other_names import by_other_names, other_names
from measure.utterances.digest import frozen
from measure.utterances.utterance_set import Utterance, UtteranceSet, read_set, write_set
from tests.sites.pages.measured_apps import APPS

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
JUDGE = "openai:some-model@http://127.0.0.1:1/v1"
BUILD = "Chromium 156.0.1.2"
_AUTHOR = {"kind": "person", "name": "A. Tester"}
SMALL_TOOLS = [
    {"name": "add", "description": "Adds an apple to the basket.", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "pay", "description": "Pays the bill.", "inputSchema": {"type": "object", "properties": {}}},
]


def small_set() -> UtteranceSet:
    """Two utterances of `add`, two of `pay`, and two controls."""
    said = [
        ("add-1", "An apple for the basket", "add", "direct"),
        ("add-2", "I am hungry", "add", "ambiguous"),
        ("pay-1", "Pay the bill", "pay", "direct"),
        ("pay-2", "We should go", "pay", "ambiguous"),
    ]
    content: dict[str, Any] = {
        "format": 1, "name": "small", "version": "1.0.0", "page": "index.html",
        "utterances": [
            {"id": id_, "text": text, "tool": tool, "tag": tag, "author": _AUTHOR} for id_, text, tool, tag in said
        ],
        "controls": [
            {"id": "off-1", "text": "What time is it?", "kind": "irrelevant", "author": _AUTHOR},
            {"id": "near-1", "text": "Give me a receipt", "kind": "near_miss", "author": _AUTHOR},
        ],
    }  # fmt: skip
    return frozen(UtteranceSet.model_validate_json(json.dumps(content)))


def offered(tools: Iterable[dict[str, Any]]) -> OfferedManifest:
    """The tools of a page, as a run keeps them."""
    kept = tuple(
        OfferedTool(
            name=each["name"], description=each["description"], input_schema=each["inputSchema"],
            annotations=None, frame="top",
        )
        for each in sorted(tools, key=lambda tool: str(tool["name"]))
    )  # fmt: skip
    text = json.dumps([each.model_dump(mode="json") for each in kept], sort_keys=True)
    return OfferedManifest(digest=hashlib.sha256(text.encode()).hexdigest(), tools=kept)


def planned(content: UtteranceSet, pages: Sequence[PlannedPage], **more: Any) -> RatePlan:
    """A plan of one set on pages."""
    assert content.digest is not None
    fields: dict[str, Any] = {
        "run": "0123abcd", "created_at": START, "code_version": "0.1.0", "judge": JUDGE, "browser": BUILD,
        "sets": (PlannedSet(
            name=content.name, version=content.version, digest=content.digest, file=f"{content.name}.json",
            utterances=tuple(each.id for each in content.everything),
        ),),
        "pages": tuple(pages), "sessions": 2, "repeats": 2, "seed": 1, "spacing": timedelta(0), "execute": True,
        "allow_writes": True, "bound_s": 10.0, "visit": {},
    }  # fmt: skip
    return RatePlan(**(fields | more))


def written(
    folder: Path, content: UtteranceSet, plan: RatePlan, manifests: Iterable[OfferedManifest], trials: Iterable[Trial]
) -> Path:
    """The folder of a run."""
    (folder / SETS).mkdir(parents=True)
    write_set(folder / SETS / plan.sets[0].file, content)
    (folder / PLAN).write_text(plan.model_dump_json())
    for name, rows in (("manifests.jsonl", manifests), (TRIALS, trials)):
        (folder / name).write_text("".join(f"{row.model_dump_json()}\n" for row in rows))
    return folder


def trial(plan: RatePlan, content: UtteranceSet, key: TrialKey, manifest: str | None, **more: Any) -> Trial:
    """A trial of a plan; `more` says how it ended."""
    said = {each.id: each for each in content.everything}[key.utterance]
    about: dict[str, Any] = (
        {"tag": said.tag, "tool": said.tool, "acceptable": said.acceptable}
        if isinstance(said, Utterance)
        else {"control": said.kind}
    )
    return Trial(
        run=plan.run, **key._asdict(), **about, judge=plan.judge, build=BUILD, order_seed="s", manifest=manifest,
        started_at=START + timedelta(minutes=10 * key.session + key.repeat), ms=5, process="p",
        **({"offered": ("add", "pay")} | more),
    )  # fmt: skip


Ends = dict[str, Sequence[str]]
"""By utterance: how its trials end, in the order session 1 repeat 1, session 1 repeat 2, session 2 …; words of
`TrialOutcome`, or a cause."""


def small_run(folder: Path, ends: Ends, *, drop: int = 0, page: str = "index.html", **plan: Any) -> Path:
    """A run of the small set, 2 sessions x 2 repeats; `drop` leaves so many of its last trials out."""
    content, manifest = small_set(), offered(SMALL_TOOLS)
    the_plan = planned(content, [PlannedPage(page=page, set="small 1.0.0")], **plan)
    keys = list(the_plan.trials())
    rows = []
    for key in keys[: len(keys) - drop]:
        number = (key.session - 1) * the_plan.repeats + key.repeat - 1
        rows.append(trial(the_plan, content, key, manifest.digest, **_ended(ends[key.utterance][number], key)))
    return written(folder, content, the_plan, [manifest], rows)


def _ended(word: str, key: TrialKey) -> dict[str, Any]:
    if word not in {each.value for each in TrialOutcome}:
        return {"missing": word}
    expected = key.utterance.partition("-")[0]
    called = {"wrong_tool": "pay" if expected == "add" else "add", "hallucinated_tool": "fly"}.get(word, expected)
    outcome = TrialOutcome(word)
    silent = word in ("not_selected", "not_registered") or (word == "ok" and expected in ("off", "near"))
    calls = () if silent else (MadeCall(tool=called, arguments={}, outcome=outcome),)
    executed = Executed.YES if calls and word in ("ok", "silent_fail", "exec_error") else None
    return {"outcome": outcome, "calls": calls, "executed": executed}


GOOD: Ends = {
    "add-1": ["ok"] * 4, "add-2": ["ok"] * 4, "pay-1": ["ok"] * 4, "pay-2": ["ok"] * 4,
    "off-1": ["ok"] * 4, "near-1": ["ok"] * 4,
}  # fmt: skip


def judged_grocer(folder: Path, variants: Sequence[str], judge: Judge, **plan: Any) -> Path:
    """A run of the grocer's set on variants of its manifest, 1 session x 1 repeat, with a judge that needs no browser.

    Selection and arguments are held against the page's schema and the expectation; nothing is executed.
    """
    content = read_set(Path("datasets/utterances/grocer.json"))
    tools = {variant: json.loads((APPS / "grocer" / variant / "tools.json").read_text("utf-8")) for variant in variants}
    names = {variant: other_names(APPS / "grocer" / variant) for variant in variants}
    pages = [
        PlannedPage(page="index.html", variant=variant, set="grocer 1.0.0", names=names[variant])
        for variant in variants
    ]
    served = Served(name="grocer", digest="0" * 64)
    the_plan = planned(
        content,
        pages,
        **({"sessions": 1, "repeats": 1, "judge": judge.name, "served": served, "execute": False} | plan),
    )
    manifests = {variant: offered(tools[variant]) for variant in variants}
    rows = []
    for key in the_plan.trials():
        manifest = manifests[key.variant]
        shown = tuple(each["name"] for each in tools[key.variant])
        ended = _judged(judge, content, key, manifest, names[key.variant])
        rows.append(trial(the_plan, content, key, manifest.digest, offered=shown, **ended))
    return written(folder, content, the_plan, manifests.values(), rows)


def _judged(
    judge: Judge, content: UtteranceSet, key: TrialKey, manifest: OfferedManifest, names: dict[str, str]
) -> dict[str, Any]:
    said = by_other_names({each.id: each for each in content.everything}[key.utterance], names)
    offers: list[ToolOffer] = [tool.offer() for tool in manifest.tools]
    answer = asyncio.run(judge.answer([Message("user", said.text)], offers))
    if not answer.calls:
        return {"outcome": "not_selected" if isinstance(said, Utterance) else "ok"}
    call = answer.calls[0]
    outcome = "wrong_tool"
    name = call.name
    if isinstance(said, Utterance) and name in (said.tool, *said.acceptable):
        schema = next(each.input_schema for each in offers if each.name == call.name)
        fits = is_valid(schema, call.arguments)
        as_expected = said.arguments is None or name != said.tool or holds(said.arguments, call.arguments, {})
        outcome = "ok" if fits and as_expected else "bad_args"
    made = MadeCall(tool=call.name, arguments=call.arguments, outcome=TrialOutcome(outcome))
    return {"outcome": outcome, "calls": (made,)}
