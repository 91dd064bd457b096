"""The command reference is what the commands say of themselves."""

import subprocess
import sys
from pathlib import Path

import webmcp_census


def test_the_page_in_the_docs_is_what_help_says():
    # A process of its own: a command that was called alone before keeps other names of its help option.
    made = subprocess.run(
        [sys.executable, "-m", "tests.docs.commands_page"], capture_output=True, text=True, timeout=120, check=True
    )
    assert Path("docs/commands.md").read_text(encoding="utf-8") == made.stdout


def test_every_command_and_every_verb_has_its_section():
    page = Path("docs/commands.md").read_text(encoding="utf-8")
    for name in webmcp_census._COMMANDS:
        assert f"\n## webmcp-census {name}\n" in page
    for verb in ("crawl status", "crawl requeue", "rate report", "optout apply", "browsers fetch"):
        assert f"\n## webmcp-census {verb}\n" in page
