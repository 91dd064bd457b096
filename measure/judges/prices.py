"""What a model's tokens cost, from the list that `genai-prices` carries."""

from decimal import Decimal

import genai_prices
from genai_prices import Usage as PricedUsage

from census.errors import CensusError
from measure.judges.budget import Price
from measure.judges.judge import Usage


def listed_price(provider: str, model: str) -> Price:
    """Give the price of a request to `model` (US dollars), without discounts for cached input: a bound from above.

    Raises CensusError for a model that is not in the list.
    """

    def price(usage: Usage) -> Decimal:
        tokens = PricedUsage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
        return genai_prices.calc_price(tokens, model_ref=model, provider_id=provider).total_price

    try:
        price(Usage(1, 1))
    except LookupError as error:
        raise CensusError(
            f"--max-cost: no price is known for {provider}:{model} (genai-prices {genai_prices.__version__}): "
            "limit the tokens with --max-tokens"
        ) from error
    return price
