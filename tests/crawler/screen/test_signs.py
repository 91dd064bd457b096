"""Texts as pages have them, written by hand: which of them are signs of WebMCP."""

import base64
import json
import random

import pytest

from crawler.screen import signs
from crawler.screen.signs import Sign, signs_in_headers, signs_in_markup, signs_in_script, signs_in_site_file


def token(claims: dict[str, object], **form: object) -> str:
    """An origin-trial token: version, signature, length, JSON (the format that Chrome reads)."""
    payload = json.dumps(claims, **form).encode()
    return base64.b64encode(b"\x03" + bytes(range(64)) + len(payload).to_bytes(4) + payload).decode()


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("document.modelContext.registerTool({name:'a'})", Sign.API),
        ("const m=document['modelContext'];m&&m.r(t)", Sign.API),
        ('"modelContext"in navigator', Sign.API),
        ("navigator?.modelContextTesting", Sign.API),
        (r"document.model\u0043ontext", Sign.API),
        ("ctx.provideContext({tools})", Sign.OLD_API),
        ("n.registerTools([t])", Sign.OLD_API),
        ("f.setAttribute('toolname','search')", Sign.FORM),
        ("import{initializeWebMCPPolyfill}from'x'", Sign.LIBRARY),
        ("import '@mcp-b/global'", Sign.LIBRARY),
        ("window.__isBrowserMcpServer=!0", Sign.LIBRARY),
    ],
)
def test_a_name_is_a_sign_in_a_script_in_any_notation(text, sign):
    assert sign in signs_in_script(text)


@pytest.mark.parametrize(
    "text",
    [
        "const{toolName:e,toolCallId:t}=part;switch(toolName){}",
        "class Model{get context(){return this.c}}",
        "tool.register(name); useContext(Provider)",
        "",
    ],
)
def test_what_any_script_says_is_none(text):
    assert signs_in_script(text) == frozenset()


def test_an_attribute_is_a_sign_in_markup_however_it_is_written():
    assert Sign.FORM in signs_in_markup('<FORM ToolName="search" TOOLDESCRIPTION="Searches">')
    assert signs_in_markup("<form name='tools'><p>Our tools</p></form>") == frozenset()


@pytest.mark.parametrize("shift", range(3))
@pytest.mark.parametrize("separators", [None, (",", ":")])
def test_a_trial_token_is_found_wherever_its_feature_stands(shift, separators):
    claims = {"origin": f"https://{'a' * shift}.example:443", "feature": "WebMCP", "expiry": 1794873600}
    text = token(claims, separators=separators)
    assert signs_in_headers(text) == {Sign.TRIAL}
    assert Sign.TRIAL in signs_in_markup(f'<meta http-equiv="origin-trial" content="{text}">')


def test_a_token_of_another_trial_is_none():
    assert signs_in_headers(token({"origin": "https://a.example", "feature": "WebGPU", "expiry": 1})) == frozenset()


@pytest.mark.parametrize(
    ("path", "content_type", "text", "found"),
    [
        ("/.well-known/webmcp.json", "application/json", '{"tools": []}', True),
        ("/.well-known/webmcp.json", "text/html", "<!doctype html><title>Home</title>", False),
        ("/.well-known/webmcp", "text/plain", "<html>not found</html>", False),
        ("/llms.txt", "text/plain", "# Shop\nAgents: this site has WebMCP tools.", True),
        ("/llms.txt", "text/plain", "# Shop\n> We sell shoes.", False),
    ],
)
def test_a_file_of_the_site_must_be_about_webmcp(path, content_type, text, found):
    assert bool(signs_in_site_file(path, content_type, text)) is found


PARTS = (
    "modelContext", "model\\u0043ontext", "model\\x43ontext", "provideContext", "registerTool", "registerTools",
    "toolname", "toolName", "tooldescription", "toolDescription", "webmcp", "mcp-b", "BrowserMcpServer", "__MCP_B_",
    '"feature":"WebMCP', '"feature": "WebMCP', "_", " ", "-", "x", "\u017f", "\u0130", "\u212a", "tool", "mcp", "\n",
)  # fmt: skip


@pytest.mark.parametrize(
    ("find", "patterns"), [(signs_in_markup, signs._PATTERNS), (signs_in_script, signs._IN_SCRIPTS)]
)
def test_a_text_that_is_not_worth_a_pattern_has_none(find, patterns):
    dice = random.Random(20261130)
    seen = set()
    for _ in range(3000):
        parts = [
            dice.choice((str, str.upper, str.lower, str.swapcase))(dice.choice(PARTS))
            for _ in range(dice.randint(1, 4))
        ]
        parts.append(base64.b64encode(dice.choice(PARTS).encode()).decode())
        text = "".join(parts)
        whole = {sign for sign, pattern in patterns.items() if pattern.search(text)}
        assert find(text) == whole, text
        seen |= whole
    assert seen == set(patterns), "a sign was never there"
