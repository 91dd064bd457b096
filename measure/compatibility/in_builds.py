"""What the published matrix says of a page in the builds that a user cares about: the answer to `--builds`."""

from collections.abc import Sequence

from pydantic import JsonValue

from census.errors import CensusError
from measure.browsers.build import Build
from measure.compatibility.page_support import BuildSupport, Reason, support
from measure.compatibility.page_use import PageUse
from measure.compatibility.published import PublishedMatrix, read_published
from measure.compatibility_data import FOLDER, MATRIX, compatibility_data

_MOST_NAMES = 5


def support_in(builds: str, use: PageUse) -> list[BuildSupport]:
    """A page in the builds that were asked for.

    Raises CensusError when no matrix was published, or it has no such build.
    """
    matrix = published_matrix()
    return [support(use, matrix, build) for build in chosen_builds(builds, matrix)]


def published_matrix() -> PublishedMatrix:
    """The matrix that comes with the package. Raises CensusError when there is none."""
    return read_published(compatibility_data(MATRIX))


def chosen_builds(builds: str, matrix: PublishedMatrix) -> Sequence[Build]:
    """The builds of the matrix that `--builds` names: labels, major versions, `all`.

    Raises CensusError when it has no such build, or none is named.
    """
    if builds == "all":
        return matrix.builds
    chosen: list[Build] = []
    for asked in filter(None, (part.strip() for part in builds.split(","))):
        # Of a full browser and a shell of one version the full one stands first.
        found = [each for each in matrix.builds if asked in (each.label, str(each.major))]
        if not found:
            labels = ", ".join(each.label for each in matrix.builds)
            raise CensusError(f"{FOLDER / MATRIX} has no build {asked!r}; it has {labels}")
        chosen.append(found[0])
    if not chosen:
        raise CensusError("--builds names no build; give labels or major versions, or `all`")
    return list(dict.fromkeys(chosen))


def sentences(supports: Sequence[BuildSupport]) -> list[str]:
    """A sentence for each build: `Chromium 150 (cr150): silent, because …`."""
    return [_sentence(each) for each in supports]


def _sentence(each: BuildSupport) -> str:
    head = f"{each.build.name} {each.build.major} ({each.build.label}): {each.support.value.replace('_', ' ')}"
    if not each.reasons:
        return head
    return f"{head}, because {'; '.join(dict.fromkeys(_reason(reason) for reason in _together(each.reasons)))}"


def _together(reasons: Sequence[Reason]) -> list[Reason]:
    """One reason for all the tools that the same cell speaks of."""
    joined: dict[tuple[str, str], Reason] = {}
    for reason in reasons:
        key = (reason.behaviour, reason.text)
        tools = joined[key].tools + reason.tools if key in joined else reason.tools
        joined[key] = reason._replace(tools=tuple(dict.fromkeys(tools)))
    return list(joined.values())


def _reason(reason: Reason) -> str:
    names = ", ".join(f"`{name}`" for name in reason.tools[:_MOST_NAMES])
    more = len(reason.tools) - _MOST_NAMES
    named = f" ({names}{f' and {more} more' if more > 0 else ''})" if names else ""
    return f"{reason.text}{named} [{reason.behaviour}: {reason.value}]"


def plain(supports: Sequence[BuildSupport]) -> JsonValue:
    """The same as JSON."""
    return [
        {
            "label": each.build.label,
            "browser": each.build.name,
            "build": each.build.version,
            "support": each.support.value,
            "reasons": [
                {"text": reason.text, "behaviour": reason.behaviour, "value": reason.value, "tools": list(reason.tools)}
                for reason in _together(each.reasons)
            ],
        }
        for each in supports
    ]
