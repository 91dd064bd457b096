"""The tools of a set's page, from a file."""

from pathlib import Path

from census.errors import CensusError
from measure.lint.manifest import ManifestTool
from measure.lint.manifest_file import read_manifests


def read_tools(manifest: Path | None) -> tuple[ManifestTool, ...] | None:
    """Read the one manifest of a file; None without a file. Raises CensusError for none or several in it."""
    if manifest is None:
        return None
    try:
        text = manifest.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CensusError(
            f"--tools {manifest} cannot be read ({error}): give a JSON file with the page's tools"
        ) from None
    manifests = read_manifests(text, str(manifest))
    if len(manifests) != 1:
        raise CensusError(f"--tools {manifest} holds {len(manifests)} manifests: give a file with one")
    return manifests[0].tools
