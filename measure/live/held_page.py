"""What can be done with a page that is held open; whoever replays, or puts faults in a page's way, does the same."""

from collections.abc import Mapping
from typing import Protocol

from pydantic import JsonValue

from measure.live.execution import Execution
from measure.live.live_tool import LiveTool


class HeldPage(Protocol):
    """A page in a browser context of its own, settled, and open until it is closed."""

    @property
    def url(self) -> str:
        """The address of the top document now."""
        ...

    async def tools(self) -> tuple[LiveTool, ...]:
        """Read the tools that the browser offers now, in every frame, also after a navigation."""
        ...

    async def execute(self, tool: LiveTool, arguments: Mapping[str, JsonValue], bound_s: float) -> Execution:
        """Call a tool, and wait at most `bound_s` seconds for its answer, then until the page is quiet again.

        Never raises for what a page does: that is the status.
        """
        ...

    async def close(self) -> None:
        """Close the page and everything in its context."""
        ...
