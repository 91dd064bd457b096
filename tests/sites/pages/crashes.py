"""Pages that take their renderer with them, by each trigger that is known, early, late and in a frame."""

from tests.sites.gold import GoldPage, document, ended, registering

_FACT = "measured: modelContext of a document without a browsing context, then registerTool: crash"


def _crashing(name: str, title: str, body: str, **routes: str) -> GoldPage:
    return GoldPage(
        name,
        title,
        ended("page_crashed", attempts=2),
        _FACT,
        {"/": document(title, body), **{f"/{path}": document(title, text) for path, text in routes.items()}},
    )


READS = 'document.implementation.createHTMLDocument("").modelContext;'

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
)
