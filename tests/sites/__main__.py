"""Serve the small web to look around in: `python -m tests.sites --port 8900`."""

import argparse
import threading
from contextlib import suppress

from tests.sites.demo import GALLERY, GALLERY_PATH, demo_web
from tests.sites.registry import TOPICS, demo_pages, sites_of
from tests.sites.server import RESOLVER_RULES


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.sites", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    port = parser.parse_args().port
    web = demo_web(port)
    in_demo = {page.name for page in demo_pages()}
    for pages in TOPICS.values():
        for site in sites_of(page for page in pages if page.name not in in_demo):
            web.add(site)
    with web:
        print(f"gallery  {web.url(GALLERY, GALLERY_PATH)}")
        for topic, pages in TOPICS.items():
            print(f"\n{topic}")
            for page in pages:
                print(f"  {page.target(web)}  {page.title}")
        print(f'\nThe .test hosts need the browser option --host-resolver-rules="{RESOLVER_RULES}".')
        print("Ctrl-C stops.")
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
