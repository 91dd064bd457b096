"""The demonstration: a census of a bundled gallery, from harvest to report, with the commands of a user."""

import argparse
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.sites.gallery import gallery_site
from tests.sites.gold import GoldPage
from tests.sites.registry import demo_pages, sites_of
from tests.sites.server import RESOLVER_RULES, Site, SmallWeb

GALLERY = "gallery"
GALLERY_PATH = "/project-gallery"
REPORT_FOLDER = Path("reports/census")
_MARK = ".made-by-the-census-demo"


class StepFailedError(Exception):
    """A command of the demonstration did not succeed."""


def demo_web(port: int = 0) -> SmallWeb:
    """The small web of the demonstration: its pages, and the gallery whose projects link to them."""
    web = SmallWeb(sites_of(demo_pages()), port)
    web.add(Site(GALLERY, gallery_site({_project(page): _link(page) for page in demo_pages()})))
    # Two projects of the gallery link to two demos each.
    for name in ("north-harbour", "south-harbour"):
        web.add(Site(name, {}))
    return web


def _project(page: GoldPage) -> str:
    return page.name.replace("-", " ").title()


def _link(page: GoldPage) -> str:
    host = page.name if page.secure else f"{page.name}.test"
    return page.url or f"{{{{{host}}}}}{page.path}"


def run_demo(folder: Path, reports: Path, browser: str | None) -> None:
    """Harvest, crawl, build, make the site, and lay the report out. Raises StepFailedError."""
    _fresh(folder)
    with demo_web() as web:
        gallery = web.url(GALLERY, GALLERY_PATH)
        print(f"The small web: {len(demo_pages())} pages, and a gallery of them at {gallery}")
        _step("harvest", gallery, "--out", folder / "targets.jsonl", "--delay", "0", "--allow-private")
        options = ["--allow-private", "--delay", "0", "--concurrency", "4", "--settle-cap", "15"]
        options += ["--host-resolver-rules", RESOLVER_RULES, *(["--browser", browser] if browser else [])]
        _step("crawl", folder / "targets.jsonl", "--out", folder / "run", *options)
    _step("lint", folder / "run")
    _step("build", folder / "run", "--out", folder / "release")
    _step("release", "verify", folder / "release")
    _step("site", folder / "release", "--out", folder / "site")
    _lay_out(folder / "release", reports)


def _fresh(folder: Path) -> None:
    """Empty the folder of an earlier demonstration; never one that holds anything else."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / _MARK).exists():
            raise StepFailedError(f"{folder} holds something else; choose another folder with --dir")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _MARK).touch()


def _step(*arguments: str | Path) -> None:
    words = list(map(str, arguments))
    print(f"\n$ {shlex.join(['webmcp-census', *words])}", flush=True)
    began = time.monotonic()
    code = subprocess.run([sys.executable, "-m", "webmcp_census", *words], check=False).returncode
    if code != 0:
        raise StepFailedError(f"`webmcp-census {words[0]}` ended with exit code {code}")
    print(f"  ({time.monotonic() - began:.0f} s)", flush=True)


def _lay_out(release: Path, reports: Path) -> None:
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    shutil.copy2(release / "report.md", reports)
    if (release / "figures").is_dir():
        shutil.copytree(release / "figures", reports / "figures")


def main() -> int:
    """Run the demonstration; the exit code is 0 when every step succeeded."""
    parser = argparse.ArgumentParser(prog="python -m tests.sites.demo", description=__doc__)
    parser.add_argument("--dir", type=Path, default=Path("census-demo"), help="made anew (default: %(default)s)")
    parser.add_argument("--reports", type=Path, default=REPORT_FOLDER, help="default: %(default)s")
    parser.add_argument("--browser", help="another browser than the default one")
    arguments = parser.parse_args()
    began = time.monotonic()
    try:
        run_demo(arguments.dir, arguments.reports, arguments.browser)
    except StepFailedError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    print(f"\nReport:  {arguments.reports / 'report.md'}\nDataset: {arguments.dir / 'release'}")
    print(f"Site:    {arguments.dir / 'site' / 'index.html'}")
    print(f"Done in {time.monotonic() - began:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
