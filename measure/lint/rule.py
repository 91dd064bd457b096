"""What a rule is: one question put to a manifest, with everything a builder needs to judge the answer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from census.finding import Severity
from measure.lint.analysis import Analysis
from measure.lint.manifest import Manifest

Path = tuple[str | int, ...]
"""Keys from a tool down to the place: `("inputSchema", "properties", "size")`."""


class Hit(NamedTuple):
    """One place where a rule fires."""

    tool: int | None
    """Position of the tool in the manifest; None when the whole page is meant."""
    path: Path
    message: str
    remedy: str


Check = Callable[[Analysis], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `check` is pure: the same manifest gives the same hits in the same order."""

    id: str
    """`family/name`."""
    severity: Severity
    reason: str
    """What goes wrong when the rule fires, in one or two sentences."""
    source: str
    """Where the rule comes from: a specification's section, a measured effect, a vendor's limit."""
    remedy: str
    """What to do, in general; a finding says it with the tool's own names."""
    fires: Manifest
    """An example that fires."""
    silent: Manifest
    """Its neighbour that does not."""
    check: Check

    @property
    def family(self) -> str:
        """The part of the id before the slash."""
        return self.id.partition("/")[0]
