"""Where the cases of a run are played, each repeat on a stage of its own."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Protocol

from measure.evals.case import Case
from measure.evals.run import Stage
from measure.evals.static_run import FileStage
from measure.lint.manifest import ManifestTool


class Stages(Protocol):
    """Opens a stage for a case, and closes it whatever happens on it."""

    def open(
        self, case: Case, tools: tuple[ManifestTool, ...], clock: datetime | None
    ) -> AbstractAsyncContextManager[Stage]:
        """A stage of its own for one repeat. Entering raises PageNotOpenedError when there is no page to play on."""
        ...

    async def aclose(self) -> None:
        """Close what they share."""
        ...


class FileStages:
    """Tools of a file."""

    @asynccontextmanager
    async def open(self, case: Case, tools: tuple[ManifestTool, ...], clock: datetime | None) -> AsyncIterator[Stage]:
        """Set a stage with the tools of the file."""
        yield FileStage(case, tools)

    async def aclose(self) -> None:
        """Nothing is shared."""
