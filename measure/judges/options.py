"""The options that every command with a judge takes."""

from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from measure.judges.endpoint import Mode
from measure.judges.opening import KINDS, JudgeOptions

_OPTIONS = (
    click.option(
        "--judge", "judge_spec", default="lexical", show_default=True, metavar="JUDGE", help=f"One of {KINDS}."
    ),
    click.option(
        "--judge-mode",
        type=click.Choice(["native", "prompt"]),
        default="native",
        show_default=True,
        help="Native tool calling, or the tools in the prompt and the choice as JSON in the text.",
    ),
    click.option(
        "--judge-url", metavar="URL", help="The endpoint, such as http://127.0.0.1:8977/v1 [default: the vendor's]."
    ),
    click.option(
        "--judge-answer",
        type=click.IntRange(1),
        default=1024,
        show_default=True,
        help="Tokens that one answer may have; a longer one is cut, and the measurement missing.",
    ),
    click.option("--temperature", type=click.FloatRange(0), help="Of the model [default: the endpoint's]."),
    click.option("--max-tokens", type=click.IntRange(1), help="Tokens that the run may take, in and out together."),
    click.option(
        "--max-cost", metavar="USD", type=click.FloatRange(0, min_open=True), help="US dollars that the run may cost."
    ),
    click.option(
        "--judge-cache",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="Keep every answer there, and ask no question twice; a replay reads it.",
    ),
)


def judge_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options, as its arguments `judge_spec` and `judge_options` (JudgeOptions)."""

    @wraps(command)
    def gathered(
        *args: Any,
        judge_mode: str,
        judge_url: str | None,
        judge_answer: int,
        temperature: float | None,
        max_tokens: int | None,
        max_cost: float | None,
        judge_cache: Path | None,
        **kwargs: Any,
    ) -> Any:
        options = JudgeOptions(
            mode=cast(Mode, judge_mode),
            base_url=judge_url,
            max_output=judge_answer,
            temperature=temperature,
            max_tokens=max_tokens,
            max_cost=None if max_cost is None else Decimal(str(max_cost)),
            cache=judge_cache,
        )
        return command(*args, judge_options=options, **kwargs)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered
