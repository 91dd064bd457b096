"""What was predicted before a run, held against what was measured."""

from collections.abc import Iterable, Iterator, Sequence

from measure.rate_report.report import PageReport, PredictionScore, Statistics
from measure.rates.rate_plan import Prediction


def scored(predictions: Sequence[Prediction], pages: Iterable[PageReport]) -> Iterator[PredictionScore]:
    """Score each prediction on each page that it is about.

    The score is Brier's (Monthly Weather Review 78 (1950), 1-3) over the tool's trials: with k of n invoked and a
    predicted share p it is (k (1 - p)² + (n - k) p²) / n. No constant does better than the measured rate, so that is
    what stands beside it.
    """
    places = list(pages)
    for prediction in predictions:
        for page in places:
            if prediction.page in (None, page.page) and prediction.variant in (None, page.variant):
                yield _scored(prediction, page)


def _scored(prediction: Prediction, page: PageReport) -> PredictionScore:
    found = next((tool.statistics for tool in page.tools if tool.tool == prediction.tool), None)
    known = found if found is not None and found.rate.n else None
    return PredictionScore(
        page=page.page,
        variant=page.variant,
        tool=prediction.tool,
        by=prediction.by,
        predicted=prediction.rate,
        measured=known.rate.rate if known else None,
        brier=_brier(prediction.rate, known.rate.k, known.rate.n) if known else None,
        brier_least=_brier(known.rate.k / known.rate.n, known.rate.k, known.rate.n) if known else None,
        hit=_inside(prediction.rate, known) if known else None,
    )


def _brier(predicted: float, k: int, n: int) -> float:
    return round((k * (1 - predicted) ** 2 + (n - k) * predicted**2) / n, 6)


def _inside(predicted: float, known: Statistics) -> bool:
    bounds = known.to_quote
    return bounds.low <= predicted <= bounds.high
