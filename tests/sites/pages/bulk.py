"""Pages that are too much: tools, texts, levels, elements, frames, bytes, memory."""

import gzip
import io
from typing import Any

from tests.sites.gold import (
    TOP_FRAME,
    UNCHECKED,
    Frame,
    GoldPage,
    Tool,
    document,
    html,
    javascript,
    one_of,
    registering,
    scripts,
)
from tests.sites.pages.bounds import at_least, busy, with_frame_count
from tests.sites.server import Reply, Request

TWENTY_THOUSAND = """
<h1>Twenty thousand tools</h1>
<script>
  for (let number = 0; number < 20000; number++)
    document.modelContext.registerTool({
      name: `tool_${String(number).padStart(5, "0")}`, description: "One of many.", execute: () => number });
</script>
"""

LONG_TEXTS = """
<h1>Megabytes of descriptions</h1>
<script>
  const text = "words ".repeat(33334);
  for (let number = 0; number < %d; number++)
    document.modelContext.registerTool({
      name: `long_${String(number).padStart(3, "0")}`, description: text, execute: () => "" });
</script>
"""

LEVELS = """
<h1>Schemas that go down</h1>
<script>
  for (const levels of [100, 200, 1000, 5000]) {
    let schema = { type: "object" };
    for (let level = 1; level < levels; level++) schema = { not: schema };
    document.modelContext.registerTool(
      { name: `levels_${levels}`, description: "Deep.", inputSchema: schema, execute: () => "" });
  }
  const properties = {};
  for (let number = 0; number < 20000; number++) properties[`field_${number}`] = { type: "string" };
  document.modelContext.registerTool(
    { name: "wide", description: "Wide.", inputSchema: { type: "object", properties }, execute: () => "" });
</script>
"""

FRAMES = (
    registering("in_host")
    + """
<script>
  const frames = Array.from({ length: %d }, () => document.createElement("iframe"));
  document.body.append(...frames);
  frames[9].contentDocument.modelContext.registerTool(
    { name: "in_the_tenth", description: "In the tenth frame.", execute: () => "" });
</script>
"""
)

LARGE_TOGETHER = """
<script>
  const inputSchema = { type: "object", properties: { field: { type: "string", description: "x".repeat(99000) } } };
  for (let number = 0; number < 300; number++)
    document.modelContext.registerTool({
      name: `large_${String(number).padStart(3, "0")}`, description: "Large.", inputSchema, execute: () => number });
</script>
"""

DOM = (
    registering("small_tool")
    + """
<script>
  document.body.insertAdjacentHTML("beforeend", "<div><span>cell</span></div>".repeat(150000));
</script>
"""
)

MEMORY = (
    registering("takes_a_lot")
    + """
<script>
  const kept = [];
  for (let i = 0; i < 25; i++) kept.push(new Uint8Array(10 << 20).fill(i));
  kept.push(new WebAssembly.Memory({ initial: 800 }));
  const large = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
  try { large.grow(40000); } catch {}
  kept.push(large);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 4096;
  kept.push(canvas.getContext("webgl") ?? canvas.getContext("2d"));
</script>
"""
)

WORDS_WITHOUT_END = registering("patient") + (
    "<script>\n  // Long words and comments that never close: a reader that looks for patterns may go back and forth.\n"
    f"  setTimeout(() => {{}}, 500);\n  const {'wait' * 60_000} = 1;\n"
    f"  const opening = '{'/*' * 60_000}';\n</script>"
)

DOWNLOADS = (
    registering("stays_here")
    + """
<script>
  addEventListener("load", () => {
    for (let number = 0; number < 10; number++) {
      const link = document.createElement("a");
      link.href = `/gift-${number}.zip`;
      link.download = "";
      document.body.append(link);
      link.click();
    }
  });
</script>
"""
)


def _nested(request: Request) -> Reply:
    depth = int(request.query or 0)
    if depth == 20:
        return document("Bottom", registering("at_the_bottom"))
    return document(f"Level {depth}", f'<iframe src="/?{depth + 1}"></iframe>')


def _bomb(megabytes: int) -> bytes:
    """A page that is small on the wire and large when it is unpacked."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(html("Bomb", registering("before_the_bang")).removesuffix("</body>\n</html>\n").encode())
        for _ in range(megabytes):
            file.write(b"<!--" + b" " * ((1 << 20) - 7) + b"-->")
    return packed.getvalue()


def _long(number: int) -> tuple[Tool, ...]:
    """Tools whose descriptions are cut at the limit."""
    return tuple(Tool(f"long_{each:03}", description="words " * 3333 + "wo", cut=True) for each in range(number))


_LONG_FACT = "measured: any length is accepted; design: 20,000 characters are kept, and marked as cut"
_DEEP_FRAMES = tuple(Frame("top" + ".0" * depth, "same_origin") for depth in range(1, 21))
_CUT_SCHEMA: dict[str, Any] = {"input_schema": None, "cut": True}

PAGES = (
    GoldPage(
        "twenty-thousand",
        "Twenty thousand tools at once",
        busy(
            *scripts(*(f"tool_{number:05}" for number in range(2000))),
            tools_callable=20_000,
            tools_dropped=18_000,
            # Of those that were not kept nobody knows which are listed.
            tools_listed=None,
            tools_unlisted=None,
            load_event=UNCHECKED,
        ),
        "measured: 20,000 are accepted; design: 2,000 of a page are kept, the others are counted",
        {"/": document("Very many", TWENTY_THOUSAND)},
    ),
    GoldPage(
        "twenty-megabytes",
        "A hundred descriptions of 200,000 characters",
        busy(*_long(100)),
        _LONG_FACT,
        {"/": document("Long texts", LONG_TEXTS % 100)},
    ),
    GoldPage(
        "large-together",
        "Three hundred schemas of 99,000 characters: none too large, thirty million together",
        busy(
            *(Tool(f"large_{number:03}") for number in range(115)),
            *(Tool(f"large_{number:03}", cut=UNCHECKED) for number in range(115, 125)),
            *(Tool(f"large_{number:03}", description="", **_CUT_SCHEMA) for number in range(125, 300)),
        ),
        "design: twelve million characters of a page are kept in each view, of further tools the names alone",
        {"/": document("Large together", LARGE_TOGETHER)},
    ),
    GoldPage(
        "deep-and-wide-schemas",
        "Schemas of 100 to 5,000 levels, and one with 20,000 properties",
        busy(
            Tool("levels_100"),
            Tool("levels_200", **_CUT_SCHEMA),
            Tool("levels_1000", **_CUT_SCHEMA),
            Tool("levels_5000", **_CUT_SCHEMA),
            Tool("wide", **_CUT_SCHEMA),
        ),
        "measured: 5,000 levels are accepted, the browser view leaves out what is beyond some 250;"
        " design: 150 levels and 100,000 characters are kept",
        {"/": document("Schemas", LEVELS)},
    ),
    GoldPage(
        "four-hundred-frames",
        "Four hundred frames, and a tool in the tenth",
        with_frame_count(
            busy(*scripts("in_host"), *scripts("in_the_tenth", frame="top.9"), frames=None, frames_dropped=201), 200
        ),
        "measured: about:blank has the host's origin, and the host lists it; design: 200 documents are read",
        {"/": document("Frames", FRAMES % 400)},
    ),
    GoldPage(
        "twenty-levels-of-frames",
        "Frames in frames, twenty levels deep, and a tool at the bottom",
        busy(*scripts("at_the_bottom", frame="top" + ".0" * 20), frames=(TOP_FRAME, *_DEEP_FRAMES)),
        "measured: same-origin frames are listed by the host, at any depth",
        {"/": _nested},
    ),
    GoldPage(
        "large-dom",
        "Three hundred thousand elements",
        busy(*scripts("small_tool"), settled=UNCHECKED),
        "HTML: a document may be as large as memory allows",
        {"/": document("Elements", DOM)},
    ),
    GoldPage(
        "large-script",
        "An inline script of six megabytes",
        busy(*scripts("at_its_end"), settled=UNCHECKED),
        "ECMAScript: a script may be as long as memory allows",
        {
            "/": document(
                "Long script",
                "<script>\n"
                + "self.filler = 'all work and no play'; // 1234, 5678)\n" * 120_000
                + 'document.modelContext.registerTool({ name: "at_its_end", description: "Late.", execute() {} });\n'
                "</script>",
            )
        },
    ),
    GoldPage(
        "large-scripts",
        "Forty inline scripts of four hundred kilobytes with timers, and a file of twenty megabytes",
        busy(*scripts("inline", "in_the_file"), settled=UNCHECKED),
        "design: of script texts a stated number of characters is read",
        {
            "/": document(
                "Long scripts",
                registering("inline")
                + ("<script>setTimeout(() => {}, 300);\n" + "// delay, wait(later, 1, 2);\n" * 14_000 + "</script>")
                * 40
                + '<script src="/long.js"></script>',
            ),
            "/long.js": javascript(
                "// wait, setTimeout(later, 1);\n" * 660_000
                + 'document.modelContext.registerTool({ name: "in_the_file", description: "Late.", execute() {} });'
            ),
        },
    ),
    GoldPage(
        "words-without-end",
        "A script with a word of 240,000 letters and 60,000 comments that open",
        busy(*scripts("patient"), settled=UNCHECKED),
        "design: every wait has a bound, that of the reader of script texts too",
        {"/": document("Words", WORDS_WITHOUT_END)},
    ),
    GoldPage(
        "memory",
        "Three hundred megabytes of memory and a large canvas, and room for two and a half gigabytes in WebAssembly",
        busy(*scripts("takes_a_lot"), settled=UNCHECKED),
        "spec: what a page keeps in memory concerns no tool",
        {"/": document("Memory", MEMORY)},
    ),
    GoldPage(
        "gzip-bomb",
        "A hundred kilobytes that unpack to a hundred megabytes",
        busy(*scripts("before_the_bang"), load_event=one_of("fired", "never")),
        "HTTP: the encoding says nothing of the length; spec: a script runs when the parser meets it",
        {"/": Reply(_bomb(100), headers={"Content-Encoding": "gzip"})},
    ),
    GoldPage(
        "ten-downloads",
        "Clicks ten download links at load",
        busy(*scripts("stays_here"), downloads_blocked=at_least(1)),
        "HTML: a download leaves the document where it is",
        {
            "/": document("Downloads", DOWNLOADS),
            **{
                f"/gift-{number}.zip": Reply(b"PK\x05\x06" + b"\0" * 18, content_type="application/zip")
                for number in range(10)
            },
        },
    ),
)

GREEDY = (
    GoldPage(
        "hundred-megabytes",
        "Five hundred descriptions of 200,000 characters",
        busy(*_long(500), load_event=UNCHECKED),
        _LONG_FACT,
        {"/": document("Long texts", LONG_TEXTS % 500)},
    ),
    GoldPage(
        "thousand-frames",
        "A thousand frames, and a tool in the tenth",
        with_frame_count(busy(*scripts("in_host"), *scripts("in_the_tenth", frame="top.9"), frames=None), 200),
        "measured: about:blank has the host's origin, and the host lists it; design: 200 documents are read",
        {"/": document("Frames", FRAMES % 1000)},
    ),
)
"""What takes the whole machine from the pages beside it."""
