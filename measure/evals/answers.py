"""What all answers of a run's tools tell, counted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from measure.evals.channel import Channel, Form, channel
from measure.evals.outcome import CaseOutcome


def channels(cases: Sequence[CaseOutcome]) -> list[Channel]:
    """The verdict on every answer that a page's tool gave."""
    runs = (repeat.run for each in cases for repeat in each.repeats)
    return [channel(made) for run in runs if run is not None for made in run.made if made.status is not None]


def answer_lines(cases: Sequence[CaseOutcome]) -> Iterator[str]:
    """Say it in lines for a person; none when no page answered."""
    answers = channels(cases)
    if not answers:
        return
    tokens = [each.tokens for each in answers]
    yield f"Answers of the page: {len(answers)}; tokens: median {median(tokens):g}, most {max(tokens)}"
    not_judged = sum(each.form is Form.NOT_JUDGED for each in answers)
    if not_judged:
        yield f"Answers not known to be English, of which it is not judged whether they tell of a failure: {not_judged}"
    telling = [each for each in answers if each.form not in (None, Form.NOT_JUDGED)]
    forms = Counter(each.form.value for each in telling if each.form is not None)
    if forms:
        named = ", ".join(f"{count} {form}" for form, count in forms.most_common())
        lasting = Counter(each.lasting.value for each in telling)
        said = ", ".join(f"{count} {word}" for word, count in lasting.most_common())
        unread = sum(each.illegible is not None for each in telling)
        yield f"Answers that tell of a failure: {named}; {said}; {unread} cannot be read"
