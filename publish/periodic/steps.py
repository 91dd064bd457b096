"""The steps of a census as command lines: what is done follows from the configuration, and nothing is done here."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from census.checksums import sha256_of
from publish.periodic.config import Config, Options, arguments_of


class Step(NamedTuple):
    """One public command. Its paths are from the folder of the configuration."""

    name: str
    arguments: tuple[str, ...]
    """After `webmcp-census`."""
    inputs: tuple[Path, ...] = ()
    """Files that somebody may change between two runs: when one is another, the step is done again."""
    joins: tuple[Path, ...] = ()
    """Target lists that are put together to one before the step."""
    joined: Path | None = None
    writes: Path | None = None
    """Where the command's output goes; None: where that of the census goes."""

    configured: bool = False
    """Whether the configuration gave it options of its own."""

    @property
    def publishes(self) -> bool:
        """Whether it needs the secrets of publishing."""
        return self.arguments[0] == "publish"


def steps_of(config: Config, release_version: str, previous: Path | None) -> list[Step]:
    """Every step from the target list to the published release."""
    folder = config.folder / release_version
    targets, run, release = folder / "targets.jsonl", folder / "run", folder / "release"
    optout = (f"--opt-out={config.opt_out}",) if config.opt_out else ()
    listed = (config.opt_out,) if config.opt_out else ()
    compared = (f"--previous={previous}",) if previous else ()
    several = len(config.harvest.sources) > 1
    lists = [folder / f"targets-{number}.jsonl" for number in range(1, len(config.harvest.sources) + 1)]
    steps = [
        _step(f"harvest {source}", ("harvest", source, f"--out={out}"), config.harvest.options)
        for source, out in zip(config.harvest.sources, lists if several else [targets], strict=True)
    ]
    crawl = _step("crawl", ("crawl", str(targets), f"--out={run}", *optout), config.crawl.options)._replace(
        inputs=listed
    )
    steps.append(crawl._replace(joins=tuple(lists), joined=targets) if several else crawl)
    steps.append(_step("lint", ("lint", str(run)), config.lint.options))
    build = ("build", str(run), f"--out={release}", f"--release-version={release_version}", *optout, *compared)
    steps.append(_step("build", build, config.build.options)._replace(inputs=listed))
    steps.append(Step("verify", ("release", "verify", str(release), *optout, *compared), listed))
    if previous:
        difference = ("diff", str(previous), str(release), "--json")
        steps.append(Step("diff", difference, writes=folder / "diff.json"))
    steps += [
        _step(f"publish {to}", ("publish", str(release), f"--to={to}", *optout, *compared), config.publish.options)
        for to in config.publish.to
    ]
    return steps


def fingerprint_of(step: Step, base: Path) -> str:
    """What tells a step from the same step with other options or another input. A missing input counts as empty."""
    digests = [sha256_of(base / path) if (base / path).is_file() else "" for path in step.inputs]
    return hashlib.sha256(json.dumps([step.arguments, digests]).encode()).hexdigest()[:16]


def _step(name: str, arguments: tuple[str, ...], options: Options) -> Step:
    return Step(name, (*arguments, *arguments_of(options)), configured=bool(options))
