"""Running the steps: each is the command line of this very version, in a process of its own."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

import census
from census.atomic import drafted_bytes
from census.errors import CensusError
from publish.periodic.steps import Step

_COMMAND_LINE = Path(census.__file__).parents[1] / "webmcp_census.py"
_SECRETS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
"""For publishing alone: no other step opens a hub, and a crawl opens strangers' pages."""


class Children:
    """Runs steps from one folder. A signal to stop reaches the step, and is waited for."""

    def __init__(self, base: Path, lock: int, *, quiet: bool) -> None:
        """`lock` is a descriptor that a step holds as long as it runs; `quiet` sends its output to standard error."""
        self._base, self._lock, self._quiet = base, lock, quiet

    def run(self, step: Step) -> int:
        """Run a step to its end; returns its exit code."""
        click.echo(f"\n$ {shlex.join(['webmcp-census', *step.arguments])}", err=True)
        if step.joined:
            content = b"".join((self._base / path).read_bytes() for path in step.joins)
            (self._base / step.joined).write_bytes(content)
        with self._output(step) as output:
            child = subprocess.Popen(  # noqa: S603 -- our own command, no shell
                self._command(step), cwd=self._base, env=_environment(step), stdout=output, pass_fds=(self._lock,)
            )
            with _forwarding(child):
                return _waited_for(child)

    def check(self, step: Step) -> None:
        """Let the command itself read its options. Raises CensusError with what it says of them."""
        asked = subprocess.run(  # noqa: S603 -- our own command, no shell
            [*self._command(step), "--help"], cwd=self._base, capture_output=True, text=True, check=False
        )
        if asked.returncode != 0:
            said = (asked.stderr.strip().splitlines() or ["no answer"])[-1].removeprefix("Error: ")
            raise CensusError(f"`webmcp-census {step.arguments[0]}` does not take its options: {said}")

    def _command(self, step: Step) -> list[str]:
        return [sys.executable, str(_COMMAND_LINE), *step.arguments]

    @contextmanager
    def _output(self, step: Step) -> Iterator[int | None]:
        if step.writes is None:
            sys.stdout.flush()
            yield sys.stderr.fileno() if self._quiet else None
            return
        with drafted_bytes(self._base / step.writes) as file:
            yield file.fileno()


def _environment(step: Step) -> dict[str, str]:
    if step.publishes:
        return dict(os.environ)
    return {name: value for name, value in os.environ.items() if name not in _SECRETS}


def _waited_for(child: "subprocess.Popen[bytes]") -> int:
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            # On a terminal the step got the signal too, and has things to put away.
            child.wait()
            raise


@contextmanager
def _forwarding(child: "subprocess.Popen[bytes]") -> Iterator[None]:
    def forward(number: int, _frame: FrameType | None) -> None:
        child.send_signal(number)

    before = signal.signal(signal.SIGTERM, forward)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
