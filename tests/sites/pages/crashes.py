"""Pages that take their renderer with them, by each trigger that is known, early, late and in a frame."""

from tests.sites.gold import TOP_FRAME, UNCHECKED, Frame, GoldPage, captured, document, ended, registering, scripts
from tests.sites.pages.bounds import NO_OLD_NAMES
from tests.sites.server import Site

_FACT = "measured: modelContext of a document without a browsing context, then registerTool: crash"
_SYMBOL = "measured: a tool that returns a Symbol crashes every build from 143 on"


def _crashing(name: str, title: str, body: str, fact: str = _FACT, **routes: str) -> GoldPage:
    return GoldPage(
        name,
        title,
        ended("page_crashed", attempts=2),
        fact,
        {"/": document(title, body), **{f"/{path}": document(title, text) for path, text in routes.items()}},
    )


READS = 'document.implementation.createHTMLDocument("").modelContext;'

CALLS_ITSELF = """
<script>
  addEventListener("load", async () => {
    await document.modelContext.registerTool(
      { name: "gives_a_symbol", description: "Gives a symbol.", execute: () => Symbol("one") });
    const [tool] = await document.modelContext.getTools();
    document.modelContext.executeTool(tool, {});
  });
</script>
"""

ASKED_FOR = """
<script>
  const request = new XMLHttpRequest();
  request.open("GET", "/fragment");
  request.responseType = "document";
  request.onload = () => {
    request.responseXML.modelContext;
    document.modelContext.registerTool({ name: "too_late", description: "Too late.", execute: () => "" });
  };
  request.send();
</script>
"""

REGISTERS_AND_CRASHES = (
    registering("in_frame")
    + f"""
<script>
  setTimeout(() => {{
    {READS}
    document.modelContext.registerTool({{ name: "last", description: "The last.", execute: () => "" }});
  }}, 600);
</script>"""
)


FRAME_ALONE = captured(
    *scripts("in_host"),
    frames=(TOP_FRAME, Frame("top.0", "cross_site", UNCHECKED, "renderer crashed", "failed")),
    old_api=NO_OLD_NAMES,
)
"""What a crash in a process of the frame's own leaves: the page around it, and none of the frame's tools."""


def _in_another_site(name: str, title: str, body: str) -> GoldPage:
    """A page whose frame of another site crashes: with site isolation the frame alone, without it the whole page."""
    return GoldPage(
        name,
        title,
        (ended("page_crashed", attempts=2), FRAME_ALONE),
        _FACT + "; a document that is gone offers no tool",
        {"/": document(title, registering("in_host") + f'<iframe src="{{{{{name}-inner}}}}/" allow="tools"></iframe>')},
        partners=(Site(f"{name}-inner", {"/": document("Inner", body)}),),
    )


IN_ANOTHER_SITE = (
    _in_another_site(
        "crashes-in-another-site",
        "A frame of another site crashes its renderer while it loads",
        f"<script>{READS}</script>" + registering("in_frame"),
    ),
    _in_another_site(
        "crashes-late-in-another-site",
        "A frame of another site registers a tool and crashes its renderer 0.6 s later",
        REGISTERS_AND_CRASHES,
    ),
)

PAGES = (
    _crashing(
        "crashes-late",
        "Crashes its renderer 0.8 s after its tools were registered",
        registering("was_there")
        + f"""
<script>
  setTimeout(() => {{
    {READS}
    document.modelContext.registerTool({{ name: "last", description: "The last.", execute: () => "" }});
  }}, 800);
</script>""",
    ),
    _crashing(
        "crashes-in-frame",
        "A frame of the same origin crashes the renderer",
        registering("in_host") + '<iframe src="/frame"></iframe>',
        frame=f"<script>{READS}</script>" + registering("in_frame"),
    ),
    _crashing(
        "crashes-by-parser",
        "Reads modelContext of a document that DOMParser made, then registers",
        '<script>new DOMParser().parseFromString("", "text/html").modelContext;</script>' + registering("too_late"),
    ),
    _crashing(
        "crashes-by-request",
        "Reads modelContext of a document that XMLHttpRequest brought, then registers",
        ASKED_FOR,
        fragment="<p>Fragment",
    ),
    _crashing(
        "crashes-by-template",
        "Reads modelContext of the document that owns a template's content, then registers",
        '<template id="t"></template><script>document.getElementById("t").content.ownerDocument.modelContext;</script>'
        + registering("too_late"),
    ),
    _crashing(
        "crashes-by-constructor",
        "Reads modelContext of a document that `new Document()` made, then registers",
        "<script>new Document().modelContext;</script>" + registering("too_late"),
    ),
    _crashing(
        "crashes-by-symbol",
        "Calls a tool of its own that returns a Symbol",
        CALLS_ITSELF,
        _SYMBOL,
    ),
    *IN_ANOTHER_SITE,
)
