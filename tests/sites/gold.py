"""What a gold page is: a page, and the record that a census must have of it, written by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.sites.server import Reply, Route, Site, SmallWeb


class _Unchecked:
    def __repr__(self) -> str:
        return "unchecked"


UNCHECKED: Final = _Unchecked()
"""In an expectation: the specification and the facts leave this open, or it depends on the build."""


@dataclass(frozen=True)
class OneOf:
    """In an expectation: any of these values is right."""

    values: tuple[object, ...]


def one_of(*values: object) -> OneOf:
    """Any of these values is right."""
    return OneOf(values)


@dataclass(frozen=True)
class Tool:
    """A tool that the record must have."""

    name: str
    frame: str = "top"
    kind: str | None = "script"
    listing: object = "listed"
    listing_cause: object = UNCHECKED
    input_schema: object = UNCHECKED
    description: object = UNCHECKED
    title: object = UNCHECKED
    cut: object = False
    callable: object = True


@dataclass(frozen=True)
class Frame:
    """A document that the record must have."""

    frame: str
    relation: object
    tools_policy: object = "allowed"
    error: object = None
    page_view: object = "read"


TOP_FRAME: Final = Frame("top", "top")

_WELL_READ: Final[Mapping[str, object]] = {
    "api": "native",
    "http_status": 200,
    "page_view": "read",
    "browser_view": "read",
    "load_event": "fired",
    "settled": "yes",
    "views_stable": True,
    "dialogs": 0,
    "popups": 0,
    "downloads_blocked": 0,
    "old_api": [],
    "unmeasured": None,
    "polyfill": None,
}


@dataclass(frozen=True)
class Expect:
    """The record: some columns of `pages`, and all rows of `frames` and `tools`."""

    outcome: str = "captured"
    page: Mapping[str, object] = field(default_factory=dict)
    frames: tuple[Frame, ...] | None = ()
    """None: not checked."""
    tools: tuple[Tool, ...] = ()


def captured(*tools: Tool, frames: tuple[Frame, ...] | None = (TOP_FRAME,), **page: object) -> Expect:
    """A page read well; `page` names the columns that differ from that."""
    counts = {
        "tools_callable": len(tools),
        "tools_listed": sum(tool.listing == "listed" for tool in tools),
        "tools_unlisted": sum(tool.listing not in ("listed", None) for tool in tools),
    }
    return Expect("captured", {**_WELL_READ, **counts, **page}, frames, tools)


def ended(outcome: str, **page: object) -> Expect:
    """A visit that captured nothing, and why not."""
    return Expect(outcome, page)


def scripts(*names: str, frame: str = "top", listing: object = "listed") -> tuple[Tool, ...]:
    """Tools registered by script, about which only the name matters."""
    return tuple(Tool(name, frame=frame, listing=listing) for name in names)


def forms(*names: str, frame: str = "top") -> tuple[Tool, ...]:
    """Tools that are forms, about which only the name matters."""
    return tuple(Tool(name, frame=frame, kind="form") for name in names)


@dataclass(frozen=True)
class GoldPage:
    """A page with known truth. Its name is the name of its site as well."""

    name: str
    title: str
    expect: Expect | tuple[Expect, ...]
    """Several: each is right, and the record must be one of them in full."""
    fact: str
    """Where the expectation comes from: `spec: ...` or `fact: ...` (measured in a browser by itself)."""
    routes: Mapping[str, Route] = field(default_factory=dict)
    """Empty when the page lives on another page's site, or nowhere."""
    path: str = "/"
    secure: bool = True
    url: str | None = None
    """Where the target is, when it is not simply `path` on the page's own site; may hold `{{name}}`."""
    partners: tuple[Site, ...] = ()
    """Other sites that the page needs: frames, redirect goals."""
    in_demo: bool = False

    @property
    def expectations(self) -> tuple[Expect, ...]:
        """All records that are right."""
        return self.expect if isinstance(self.expect, tuple) else (self.expect,)

    @property
    def at_real_host(self) -> bool:
        """Whether the target is at the `https` address of a site that exists, which has to lead to this machine."""
        return (self.url or "").startswith("https://") and "{{" not in (self.url or "")

    @property
    def sites(self) -> tuple[Site, ...]:
        """The sites to serve."""
        own = (Site(self.name, self.routes),) if self.routes else ()
        return (*own, *self.partners)

    def target(self, web: SmallWeb) -> str:
        """The URL to visit."""
        if self.url is not None:
            return web.expand(self.url)
        return web.url(self.name if self.secure else f"{self.name}.test", self.path)


def html(title: str, body: str, head: str = "") -> str:
    """A whole HTML document."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
{head.strip()}
</head>
<body>
{body.strip()}
</body>
</html>
"""


def document(title: str, body: str, head: str = "", **headers: str) -> Reply:
    """A reply with a whole HTML document; `_` in a header's name stands for `-`."""
    return Reply(html(title, body, head), headers={key.replace("_", "-"): value for key, value in headers.items()})


def javascript(source: str, delay: float = 0.0) -> Reply:
    """A reply with a script."""
    return Reply(source, content_type="text/javascript; charset=utf-8", delay=delay)


def json_text(text: str, delay: float = 0.0) -> Reply:
    """A reply with JSON."""
    return Reply(text, content_type="application/json", delay=delay)


def registering(*names: str) -> str:
    """A script element that registers plain tools, for pages whose point lies elsewhere."""
    calls = "\n".join(
        f'document.modelContext.registerTool({{name: "{name}", description: "Answers with {name}.",'
        f' execute: async () => "{name}"}});'
        for name in names
    )
    return f"<script>\n{calls}\n</script>"
