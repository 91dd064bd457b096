"""A tool of a page that is held open, as the browser offers it now."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from census.vocabulary import Kind, Listing
from measure.lint.manifest import ManifestTool


@dataclass(frozen=True, slots=True)
class LiveTool:
    """A callable tool. The same name in two frames is two tools."""

    name: str
    description: str
    input_schema: JsonValue
    """None when the browser gives none."""
    annotations: Mapping[str, bool] | None
    """By the browser's names: `readOnly`, `untrustedContent`, `consequential`, `debugging`, `autosubmit`."""
    frame: str
    """The frame's place in the tree when the tool was read: `top`, `top.0`."""
    frame_id: str
    """The browser's own name of the frame: what a call is addressed to."""
    kind: Kind
    listing: Listing | None = None
    """None where the views do not tell."""

    @property
    def read_only(self) -> bool:
        """Whether the page says that it changes nothing. The page's word, checked by nobody."""
        return bool(self.annotations and self.annotations.get("readOnly"))

    @property
    def submits_itself(self) -> bool:
        """Whether a call ends without a person: a form waits for one unless it has `toolautosubmit`."""
        return self.kind is not Kind.FORM or bool(self.annotations and self.annotations.get("autosubmit"))

    def manifest_tool(self) -> ManifestTool:
        """The tool as lint and the evals read it."""
        return ManifestTool(
            name=self.name,
            description=self.description,
            input_schema=self.input_schema,
            annotations=dict(self.annotations) if self.annotations is not None else None,
            kind=self.kind,
            frame=self.frame,
            listing=self.listing,
        )
