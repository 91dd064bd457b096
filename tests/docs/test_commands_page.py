from pathlib import Path

import webmcp_census
from tests.docs.commands_page import commands_page


def test_the_page_in_the_docs_is_what_help_says():
    assert Path("docs/commands.md").read_text(encoding="utf-8") == commands_page()


def test_every_command_and_every_verb_has_its_section():
    page = commands_page()
    for name in webmcp_census._COMMANDS:
        assert f"\n## webmcp-census {name}\n" in page
    for verb in ("crawl status", "crawl requeue", "rate report", "optout apply", "browsers fetch"):
        assert f"\n## webmcp-census {verb}\n" in page
