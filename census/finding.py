"""What lint says of a page or a manifest: the row that `build` publishes; the rules live elsewhere."""

from pydantic import BaseModel, ConfigDict

from census.vocabulary import Word


class Severity(Word):
    """How bad a finding is."""

    ERROR = "error", "Breaks a tool, or the choice between two."
    WARNING = "warning", "Costs calls."
    NOTE = "note", "Worth knowing."


class Finding(BaseModel):
    """One thing that is wrong with a page's tools, and how to put it right."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    """The rule's id, `family/name`: `descriptions/indistinguishable-pair`."""
    severity: Severity
    tool: str | None = None
    """The tool's name; None when the finding is about the page."""
    frame: str | None = None
    """The document that has the tool, as in `tools`; None in a manifest file and for the page."""
    pointer: str = ""
    """RFC 6901 pointer into the list of tools: `/3/inputSchema/properties/size`; empty for the whole page."""
    message: str
    """What is wrong, in one sentence that names the tool or the property."""
    remedy: str
    """What to change, in the builder's words."""
