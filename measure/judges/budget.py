"""What a run may spend on a judge, held before the request is sent: a budget is never overrun."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal

from measure.judges.judge import Cause, JudgeFault, Usage

Price = Callable[[Usage], Decimal]
"""Gives the price of one request in US dollars."""


@dataclass
class Held:
    """A request's share of the budget; `usage` is what it took, once that is known."""

    bound: Usage
    usage: Usage | None = None


class Budget:
    """Tokens (input and output together) and US dollars; None is no limit. What was spent before counts.

    Each request holds an upper bound of what it can take while it is under way and pays what it took; one whose usage
    is never told pays its bound.
    """

    def __init__(
        self,
        *,
        max_tokens: int | None = None,
        max_cost: Decimal | None = None,
        price: Price | None = None,
        spent: Usage = Usage(0, 0),  # noqa: B008 -- frozen
    ) -> None:
        if max_cost is not None and price is None:
            raise ValueError("a limit on cost needs a price")
        self._max_tokens, self._max_cost, self._price = max_tokens, max_cost, price
        self.tokens = spent.input_tokens + spent.output_tokens
        self.cost = price(spent) if price else Decimal(0)
        self._held_tokens, self._held_cost = 0, Decimal(0)

    @contextmanager
    def holding(self, bound: Usage) -> Iterator[Held]:
        """Hold `bound` for a request; raises JudgeFault (BUDGET) when it could go over what is left."""
        tokens, cost = bound.input_tokens + bound.output_tokens, self._price(bound) if self._price else Decimal(0)
        if self._max_tokens is not None and self.tokens + self._held_tokens + tokens > self._max_tokens:
            raise JudgeFault(
                Cause.BUDGET,
                f"the next request could take {tokens:,} tokens, and of --max-tokens {self._max_tokens:,} only "
                f"{max(0, self._max_tokens - self.tokens - self._held_tokens):,} are left: raise it, or measure less",
            )
        if self._max_cost is not None and self.cost + self._held_cost + cost > self._max_cost:
            raise JudgeFault(
                Cause.BUDGET,
                f"the next request could cost ${cost:.4f}, and of --max-cost ${self._max_cost} only "
                f"${max(Decimal(0), self._max_cost - self.cost - self._held_cost):.4f} are left: "
                "raise it, or measure less",
            )
        self._held_tokens += tokens
        self._held_cost += cost
        held = Held(bound)
        try:
            yield held
        finally:
            self._held_tokens -= tokens
            self._held_cost -= cost
            took = held.usage or bound
            self.tokens += took.input_tokens + took.output_tokens
            self.cost += self._price(took) if self._price else Decimal(0)


UNSENT = Usage(0, 0)
"""The usage of a request that the endpoint refused before it did anything."""


def upper_bound(body: str, max_output: int) -> Usage:
    """Bound what a request can take: a token is a byte at least, and the answer has its own limit.

    `body` is the request as JSON, whose syntax covers what an endpoint's template adds around the turns.
    """
    return Usage(len(body.encode()), max_output)
