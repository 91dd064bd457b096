"""`crawl`, `check` and `lint` have no code path that runs a page's tool; one module of `measure` runs them.

The compatibility matrix runs the tools of its own pages on loopback: that is what it asks a browser about.
"""

import re
from importlib import import_module
from pathlib import Path

import grimp
import pytest

COMMANDS = ("crawler.crawl_command", "measure.check.command", "measure.lint_command")
CALLS = re.compile(r"\.executeTool\b|WebMCP\.invokeTool|\binvokeTool\b|\.call_tool\b")
"""How a tool is run: by the page's own object, by the DevTools protocol, by the driver."""


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("census", "crawler", "measure", "publish", cache_dir=None)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_the_command_imports_calls_a_tool(graph, command):
    reached = {command, *graph.find_upstream_modules(command)}
    assert {"census.visit", "crawler.capture"} <= reached, "the graph is the real one"
    sources = [Path(str(import_module(name).__file__)) for name in sorted(reached)]
    assert [source.name for source in sources if CALLS.search(source.read_text())] == []


def test_one_module_calls_tools_and_only_measure_can_reach_it(graph):
    calling = {
        name
        for name in graph.modules
        if CALLS.search(Path(str(import_module(name).__file__)).read_text(encoding="utf-8"))
    }
    assert {name for name in calling if not name.startswith("measure.compatibility.")} == {"measure.live.calling"}
    importers = graph.find_downstream_modules("measure.live.calling")
    assert importers
    assert {name.partition(".")[0] for name in importers} == {"measure"}


def test_no_script_of_ours_calls_a_tool():
    all_scripts = sorted(Path().glob("crawler/**/*.js")) + sorted(Path().glob("measure/**/*.js"))
    scripts = [script for script in all_scripts if Path("measure/compatibility") not in script.parents]
    assert scripts
    assert [script.name for script in scripts if CALLS.search(script.read_text())] == []


@pytest.mark.parametrize(
    "text",
    [
        "document.modelContext.executeTool(tool, {})",
        'await session.send("WebMCP.invokeTool", {})',
        "await frame.webmcp.call_tool(name, {})",
    ],
)
def test_the_search_finds_a_call(text):
    assert CALLS.search(text)
