"""The site of 200,000 pages of which 2 % have tools: how long it takes to make, and how large it is.

The release is built the real way from a synthetic, seeded RUN (`synthetic_run.py`), with two findings a tool, and kept,
so that the next time only what is measured is run. Exits 1 when a limit is exceeded.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
from million_pages import measure
from synthetic_run import make_run

from census.changes import Changes
from census.columns import schema
from census.findings import LintStamp
from census.opened_release import Release, open_release
from census.release_folder import write_release

_FINDINGS = (
    (
        "descriptions/thin",
        "The description of `{}` is too thin to choose by: `{}`.",
        "Say in one sentence what `{}` does and returns, and in a second when it is the right tool: “Use when …”",
    ),
    (
        "descriptions/no-when",
        "The description of `{}` says what the tool does and not when to use it: `{}`.",
        "Add a sentence to `{}`, for example: “Use when the user …; for …, use another one.”",
    ),
)
SECONDS, MEGABYTES, SHARD_BYTES, ENTRY_BYTES = 60.0, 100.0, 16_384, 60_000


def main() -> int:
    """Make the release where it is missing, and measure the site."""
    parser = argparse.ArgumentParser(prog="python benchmarks/site.py", description=__doc__)
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--with-tools", type=float, default=0.02, help="share of the captured pages")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dir", type=Path, default=Path("million-pages"), help="default: %(default)s")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    release = arguments.dir / f"site-release-{arguments.pages}-{arguments.seed}"
    if not release.exists():
        _make_release(arguments.dir, release, arguments.pages, arguments.seed, arguments.with_tools)
    site = arguments.dir / "site"
    cost = measure("site", release, "--out", site)
    sizes = Counter[str]()
    for path in site.rglob("*"):
        if path.is_file():
            sizes[path.relative_to(site).parts[0]] += path.stat().st_size
    largest = {
        name: max(path.stat().st_size for path in site.glob(pattern))
        for name, pattern in (("shard", "api/v1/pages/*"), ("entry", "entry/*/*.html"))
    }
    entries = len(list(site.glob("entry/*/*.html")))
    total = sizes.total() / 1e6
    print(f"{arguments.pages:,} pages, {entries:,} entries: {total:.1f} MB in {cost.wall_s:.0f} s")
    print(f"{cost.cpu_s:.0f} CPU-s, {cost.peak_gb:.2f} GB, load {cost.load:.1f}; largest: {largest}")
    for name, size in sizes.most_common():
        print(f"  {name:14} {size / 1e6:7.1f} MB")
    if arguments.json:
        figures = {"cost": cost.__dict__, "megabytes": dict(sizes), "largest": largest, "entries": entries}
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    within = cost.wall_s < SECONDS and total < MEGABYTES
    return 0 if within and largest["shard"] <= SHARD_BYTES and largest["entry"] < ENTRY_BYTES else 1


def _make_release(folder: Path, release: Path, pages: int, seed: int, with_tools: float) -> None:
    run = folder / f"site-run-{pages}-{seed}"
    if not run.exists():
        print(f"making {run} (minutes)", flush=True)
        draft = run.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        make_run(draft, pages, seed, with_tools).rename(run)
    bare = folder / "site-release-without-findings"
    if not bare.exists():
        command = [sys.executable, "-m", "webmcp_census", "build", str(run), "--out", str(bare)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    _add_findings(open_release(bare), release)
    shutil.rmtree(bare)


def _add_findings(bare: Release, out: Path) -> None:
    """Write the release with two findings a tool, as long as lint's are: lint itself would take many minutes."""
    tools = bare.tables["tools"].filter("callable").with_columns(said=pl.col("description").str.head(60))
    found = [
        tools.select(
            "visit_id", "site", "frame", tool="name", rule=pl.lit(rule), severity=pl.lit("warning"),
            pointer=pl.lit("/0/description"), message=pl.format(message, "name", "said"),
            remedy=pl.format(remedy, "name"),
        )
        for rule, message, remedy in _FINDINGS
    ]  # fmt: skip
    findings = pl.concat(found).select(schema("findings").keys()).sort("site", "visit_id", maintain_order=True)
    pages = bare.tables["pages"].with_columns(linted=pl.when(pl.col("outcome") == "captured").then(pl.lit(True)))
    stamp = LintStamp(
        visits_sha256="00" * 32,
        visits=pages["linted"].count(),
        findings=findings.height,
        code_version="synthetic",
        rules_sha256="00" * 32,
        rules=tuple(rule for rule, _, _ in _FINDINGS),
    )
    version = bare.manifest.release_version
    write_release(
        out.resolve(),
        bare.manifest.model_copy(update={"lint": stamp, "files": ()}),
        {**bare.tables, "findings": findings, "pages": pages},
        Changes(release_version=version, previous_version=None),
    )


if __name__ == "__main__":
    sys.exit(main())
