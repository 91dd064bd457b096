"""The matrix as Markdown: a table for each topic, the changelog, the corrections, and what was not applicable."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from measure.browsers.build import Build
from measure.compatibility.behaviour import Behaviour, Topic
from measure.compatibility.changelog import changes_by_version
from measure.compatibility.changes import Change, changes
from measure.compatibility.corrections import Correction
from measure.compatibility.matrix import Matrix
from measure.compatibility.probing import NOT_APPLICABLE

TITLES: Mapping[Topic, str] = {
    Topic.FRAMES_AND_POLICY: "Frames and policy",
    Topic.DEVTOOLS: "DevTools protocol",
}
_SAME, _CHANGED = "·", "◆"


def matrix_markdown(matrix: Matrix, corrections: Sequence[Correction]) -> str:
    """The whole report. The same matrix gives the same bytes."""
    made = changes(matrix)
    return "\n".join(
        [
            "# What each build does with WebMCP",
            "",
            *_introduction(matrix),
            "",
            *(line for topic, rows in by_topic(matrix) for line in _topic(matrix, topic, rows, made)),
            "## What changed",
            "",
            *_changelog(matrix, made),
            "## Corrections",
            "",
            *_corrections(corrections),
            "",
        ]
    )


def by_topic(matrix: Matrix) -> Iterator[tuple[Topic, list[Behaviour]]]:
    """The rows of each topic, in order."""
    for topic, rows in groupby(matrix.behaviours, key=lambda behaviour: behaviour.topic):
        yield topic, list(rows)


def title(topic: Topic) -> str:
    """A topic's heading."""
    return TITLES.get(topic, topic.value.capitalize())


def build_title(build: Build) -> str:
    """A build in words: `Chromium 156.0.8078.114, headless shell`."""
    return f"{build.name} {build.version}{', headless shell' if build.shell else ''}"


def _introduction(matrix: Matrix) -> Iterator[str]:
    yield (
        f"{len(matrix.behaviours)} questions, put the same way to {len(matrix.builds)} builds. Made by"
        " `webmcp-census compat`; what was run, what came back and when stands in the run's folder, a file for each"
        " cell, and in the table `compatibility` of a release that was built with it."
    )
    yield ""
    yield (
        f"`{_SAME}` is the newest build's answer ({matrix.newest.label}), `{_CHANGED}` marks the build that changed it,"
        " against the last older one of its kind that was asked. `crash`: the page takes the renderer down."
        f" `{NOT_APPLICABLE}`: the question has no meaning in this build. A blank was not asked."
    )
    yield ""
    yield "| build | browser | WebMCP is switched on by |"
    yield "|---|---|---|"
    for build in matrix.builds:
        switch = "its preference" if build.engine == "firefox" else "`--enable-features=WebMCP,DevToolsWebMCPSupport`"
        yield f"| {build.label} | {build_title(build)} | {switch} |"


def _topic(matrix: Matrix, topic: Topic, rows: Sequence[Behaviour], made: Sequence[Change]) -> Iterator[str]:
    yield f"## {title(topic)}"
    yield ""
    yield f"| question | {' | '.join(build.label for build in matrix.builds)} |"
    yield "|---" * (len(matrix.builds) + 1) + "|"
    for behaviour in rows:
        cells = (_cell(matrix, behaviour, build, made) for build in matrix.builds)
        timing = " (timing)" if behaviour.timing else ""
        yield f"| {_escaped(behaviour.question)}{timing} <br>`{behaviour.id}` | {' | '.join(cells)} |"
    yield ""
    meanings = [line for behaviour in rows for line in _meanings(matrix, behaviour)]
    if meanings:
        yield "<details><summary>What the answers mean</summary>"
        yield ""
        yield from meanings
        yield ""
        yield "</details>"
        yield ""


def _cell(matrix: Matrix, behaviour: Behaviour, build: Build, made: Sequence[Change]) -> str:
    value = matrix.value(behaviour.id, build)
    if value is None:
        return ""
    newest = matrix.value(behaviour.id, matrix.newest)
    shown = _SAME if value == newest and build != matrix.newest else f"`{_escaped(value)}`"
    changed = any(change.behaviour == behaviour.id and change.build == build for change in made)
    return f"{_CHANGED} {shown}" if changed else shown


def _meanings(matrix: Matrix, behaviour: Behaviour) -> Iterator[str]:
    met = dict.fromkeys(value for build in matrix.builds if (value := matrix.value(behaviour.id, build)))
    known = [f"`{value}`: {behaviour.values[value]}" for value in met if behaviour.values and value in behaviour.values]
    cells = (matrix.cells.get((behaviour.id, build.label)) for build in matrix.builds)
    reasons: dict[str, list[str]] = {}
    for cell in cells:
        if cell and cell.value == NOT_APPLICABLE:
            reasons.setdefault(cell.detail, []).append(cell.build)
    known += [f"`{NOT_APPLICABLE}` in {', '.join(labels)}: {reason}." for reason, labels in reasons.items()]
    said = " ".join(known) or behaviour.canonical
    yield f"- `{behaviour.id}` ({behaviour.section}): {said}"


def _changelog(matrix: Matrix, made: Sequence[Change]) -> Iterator[str]:
    if not made:
        yield "Nothing, between the builds that were asked."
        yield ""
    for heading, told in changes_by_version(made, {behaviour.id: behaviour for behaviour in matrix.behaviours}):
        yield f"### {heading}"
        yield ""
        yield from (f"- {text} (`{change.behaviour}`)" for change, text in told)
        yield ""


def _corrections(corrections: Sequence[Correction]) -> Iterator[str]:
    yield "Cells that were published and were wrong because our question was. None is replaced without a line here."
    yield ""
    if not corrections:
        yield "There are none."
    for each in corrections:
        now = "withdrawn" if each.now is None else f"`{each.now}`"
        yield f"- {each.on}: `{each.behaviour}` in {each.build} {each.version}: was `{each.was}`, is {now}. {each.why}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
