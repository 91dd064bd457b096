"""The files that `eval` and `eval lint` are given."""

from collections.abc import Sequence
from pathlib import Path

from census.errors import CensusError
from measure.evals.case import Suite
from measure.evals.suite import read_suite
from measure.lint.manifest import ManifestTool
from measure.lint.manifest_file import read_manifests
from measure.lint_source import read_text


def read_live_suites(files: Sequence[Path]) -> list[tuple[Suite, tuple[ManifestTool, ...]]]:
    """The suites for a page, which has the tools itself. Raises CensusError for what cannot be read."""
    return [(read_suite(read_text(str(f)), str(f)), ()) for f in files]


def read_suites(files: Sequence[Path], tools: Path | None) -> list[tuple[Suite, tuple[ManifestTool, ...]]]:
    """The suites, each with its tools: those of the file `tools`, or else its own.

    Raises CensusError for what cannot be read, for a suite without tools, and for a file with several manifests.
    """
    offered = None if tools is None else read_tools(tools)
    return [(suite, _tools_of(suite, offered)) for suite in (read_suite(read_text(str(f)), str(f)) for f in files)]


def read_tools(path: Path) -> tuple[ManifestTool, ...]:
    """The tools of a file. Raises CensusError when it cannot be read, or holds several manifests or no tool."""
    manifests = read_manifests(read_text(str(path)), str(path))
    if len(manifests) > 1:
        raise CensusError(f"{path} holds {len(manifests)} lists of tools; give a file with the one that is meant")
    if not manifests[0].tools:
        raise CensusError(f"{path} holds no tools, so nothing can be called; give the file that the cases are about")
    return manifests[0].tools


def _tools_of(suite: Suite, offered: tuple[ManifestTool, ...] | None) -> tuple[ManifestTool, ...]:
    if offered is not None:
        return offered
    if not suite.tools:
        raise CensusError(
            f"{suite.source} has no tools of its own: name the file that has them with --tools, or a page with --url"
        )
    return suite.tools
