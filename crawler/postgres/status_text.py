"""A shared crawl's status in words."""

from census.text import inert
from crawler.postgres.status import Status


def in_words(status: Status) -> str:
    """A few lines for a terminal; nothing a page said is in them but URLs, made harmless."""
    counts = status.counts
    lines = [
        f"{counts.finished} of {counts.targets} targets have their outcome{'; draining' if status.draining else ''}"
    ]
    lines += [f"  {number:>9}  {outcome}" for outcome, number in sorted(counts.outcomes.items(), key=lambda i: -i[1])]
    if counts.observations:
        lines.append(f"{counts.observations_finished} of {counts.observations} further observations are made")
    if status.remaining:
        left = "unknown" if status.seconds_left is None else _duration(status.seconds_left)
        lines.append(f"{status.rate:.2f} a second, {status.remaining} to go: {left} left")
    lines.append(f"sites: {status.due} due, {counts.leased} being visited, {status.resting} resting")
    if status.oldest_lease is not None:
        over = f", {status.overdue} of them have run out" if status.overdue else ""
        lines.append(f"oldest lease: {_duration(status.oldest_lease)}{over}")
    lines.append(
        f"attempts that went down with their worker: {status.lost}; buried: {counts.outcomes.get('gave_up', 0)}"
    )
    lines += [f"  {inert(url)}" for url in status.buried]
    for each in status.workers:
        lines.append(
            f"{each.state:>7}  {each.worker}  seen {_duration(each.seen)} ago, holds {each.holds} of"
            f" {each.concurrency}, {each.visits} visits, {each.visits_in_window} lately"
        )
    return "\n".join(lines)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    first = next((index for index, (value, _) in enumerate(parts) if value), len(parts) - 1)
    return " ".join(f"{value} {unit}" for value, unit in parts[first : first + 2])
