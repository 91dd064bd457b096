import pytest

from crawler.script_text import longest_timer_ms, read_scripts

REGISTERS = "document.modelContext.registerTool({name: 'a'});"


@pytest.mark.parametrize(
    "code",
    [
        "document.modelContext.registerTool({})",
        "document?.modelContext?.registerTool({})",
        "const { modelContext } = document;",
        "document['modelContext'].registerTool({})",
        "if ('modelContext' in document) start();",
        "form.setAttribute('toolname', 'search')",
        "const context = document.modelContext ?? navigator.modelContext;",
        "const context = navigator.modelContext ?? document.modelContext;",
        "const context = navigator.modelContext || (await ready()).modelContext;",
    ],
)
def test_a_script_that_reaches_the_api_otherwise_than_through_navigator_names_it(code):
    assert read_scripts([code]).names_api


@pytest.mark.parametrize(
    "code",
    [
        "navigator.modelContext.registerTool({})",
        "navigator?.modelContext?.registerTool({})",
        "window.navigator.modelContext.provideContext({tools})",
        "navigator['modelContext'].registerTool({})",
        "if ('modelContext' in navigator) navigator.modelContext.registerTool({})",
        "if ('modelContext' in window.navigator) start()",
        "(navigator as any).modelContext.registerTool({})",
        "navigator.modelContextTesting.listTools()",
    ],
)
def test_a_script_that_only_goes_through_navigator_does_not(code):
    evidence = read_scripts([code])
    assert not evidence.names_api
    assert "navigator.modelContext" in evidence.old_names


@pytest.mark.parametrize(
    ("code", "old"),
    [
        ("navigator.modelContext.provideContext({})", {"navigator.modelContext", "provideContext"}),
        ("document.modelContext.unregisterTool('a')", {"unregisterTool"}),
        ("document.modelContext.clearContext()", {"clearContext"}),
        ("document.modelContext.registerTools([])", {"registerTools"}),
        ("window.agent = document.modelContext", {"window.agent"}),
        ("const a = document.modelContext || navigator.modelContext;", {"navigator.modelContext"}),
        (REGISTERS, set()),
    ],
)
def test_the_names_that_are_gone_are_named(code, old):
    assert set(read_scripts([code]).old_names) == old


@pytest.mark.parametrize(
    "code",
    [
        "// document.modelContext comes later\nrender();",
        "/* document.modelContext\n * navigator.modelContext */ render();",
        "render(); // TODO navigator.modelContext.provideContext()",
        "span.dataset.toolName = 'hammer'; const toolNames = [];",
        "window.agent = { provideContext() {}, clearContext() {} }; agent.provideContext();",
        "",
    ],
)
def test_talk_about_the_api_is_no_evidence_of_it(code):
    evidence = read_scripts([code])
    assert (evidence.names_api, evidence.old_names) == (False, ())


@pytest.mark.parametrize(
    "code", ["fetch('https://a.org/x'); document.modelContext", "import '//cdn.a.org/x.js'; document.modelContext"]
)
def test_two_slashes_inside_a_string_begin_no_comment(code):
    assert read_scripts([code]).names_api


@pytest.mark.parametrize(
    ("code", "ms"),
    [
        ("setTimeout(() => { go(); }, 3000)", 3000),
        ("setTimeout(go,6e3)", 6000),
        ("setTimeout(go,1.5e3)", 1500),
        ("const DELAY = 6000; setTimeout(go, DELAY)", 6000),
        ("const opts = {delayMs: 2500}; setTimeout(go, opts.delayMs)", 2500),
        ('const opts = {"interval": 700}; setInterval(go, opts.interval)', 700),
        ("const sleep = (ms) => new Promise((r) => setTimeout(r, ms)); await sleep(1500)", 1500),
        ("setTimeout(a, 200); setTimeout(b, 900)", 900),
        ("scheduler.postTask(go, {delay: 4000})", 4000),
        ("setTimeout(go, 999999)", 30_000),
        ("setTimeout(go, 0)", 0),
        ("go(1, 3000)", 0),
        ("resize(800, 600)", 0),
    ],
)
def test_the_longest_delay_that_a_script_spells_out(code, ms):
    assert longest_timer_ms(code) == ms


def test_timers_of_all_scripts_count_as_soon_as_one_of_them_names_the_api():
    timers = ["setTimeout(start, 8000)", "setTimeout(spin, 3000)"]
    assert read_scripts([*timers, "function start() {}"]).longest_timer_ms == 0
    assert read_scripts([*timers, f"function start() {{ {REGISTERS} }}"]).longest_timer_ms == 8000


def test_a_computed_delay_may_be_any_whole_number_that_the_script_writes_but_for_years():
    assert longest_timer_ms("const wait_for = 7000; const year = 2026; setTimeout(go, base + wait_for)") == 7000
    assert longest_timer_ms("const year = 2026; setTimeout(go, base)") == 0
    assert longest_timer_ms("const big = 7000; setTimeout(go, base)" + " " * 100_000) == 0, "a bundle says nothing"


@pytest.mark.parametrize(
    "code",
    [
        "setInterval(() => { if (document.modelContext) start(); }, 100)",
        "function look() { if (document.modelContext) start(); else setTimeout(look, 100); }",
        "setTimeout(() => { document.modelContext.registerTool(t); }, backoff)",
    ],
)
def test_a_script_that_looks_again_and_again_or_for_an_unknown_time_polls(code):
    assert read_scripts([code]).polls


@pytest.mark.parametrize("code", [REGISTERS, "setTimeout(() => { document.modelContext.registerTool(t); }, 500)"])
def test_a_script_that_registers_at_once_or_after_a_known_time_does_not(code):
    assert not read_scripts([code]).polls


def test_the_evidence_of_many_scripts_is_one():
    evidence = read_scripts([REGISTERS, "navigator.modelContext.provideContext({})", "spin()"], unread=3)
    assert evidence.names_api
    assert evidence.old_names == ("navigator.modelContext", "provideContext")
    assert evidence.unread == 3


@pytest.mark.parametrize(
    "before",
    ['{Accept: "application/json, text/plain, */*"};', 'input.accept = "image/*";', "const glob = `src/*`;"],
)
def test_a_content_type_is_no_comment(before):
    code = before + "document.modelContext.registerTool(tool); /*! licence */"
    assert read_scripts([code]).names_api
