"""The outcome of `eval` as one HTML file: it asks nobody for anything, and runs nothing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from census.text import rate_text
from measure.evals.channel import channel
from measure.evals.effects_json import effects_json
from measure.evals.json_values import shown
from measure.evals.outcome import Ending, Outcome
from measure.evals.outcome_text import rate_lines
from measure.evals.plan import Group, Node
from measure.live.effects import NO_EFFECTS, Effects

_LIMIT = 2_000


class _Line(NamedTuple):
    depth: int
    place: str
    text: str


def outcome_html(outcome: Outcome) -> str:
    """Write the outcome: each case with what was expected beside what was made, and what the page showed.

    What pages, suites and judges say is escaped; a policy in the file lets no script run and nothing be loaded.
    """
    environment = Environment(
        loader=PackageLoader("measure.evals", ""), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    passed = sum(each.ending is Ending.PASSED for each in outcome.cases)
    page = environment.get_template("report.html.jinja").render(
        outcome=outcome,
        headline=f"{passed} of {len(outcome.cases)} cases passed",
        lines=list(rate_lines(outcome)),
        expected=lambda nodes: list(_expected(nodes)),
        shown=lambda value: shown(value, _LIMIT),
        seen=_seen,
        channel=channel,
        rate_text=rate_text,
    )
    return page.encode("utf-8", "replace").decode("utf-8") + "\n"


def _expected(nodes: Sequence[Node], depth: int = 0) -> Iterator[_Line]:
    for node in nodes:
        optional = " (optional)" if node.optional else ""
        if isinstance(node, Group):
            yield _Line(depth, node.place, f"{node.order.value}{optional}")
            yield from _expected(node.members, depth + 1)
            continue
        arguments = "…" if node.arguments is None else shown(node.arguments, _LIMIT)
        fails = f" fails: {node.fails.value}" if node.fails is not None else ""
        yield _Line(depth, node.place, f"{node.name}({arguments}){optional}{fails}")


def _seen(effects: Effects) -> str:
    nothing = effects_json(NO_EFFECTS)
    return shown({key: value for key, value in effects_json(effects).items() if value != nothing[key]}, _LIMIT)
