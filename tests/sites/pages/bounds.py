"""Expectations with a bound instead of a value, and with the listing left open: for pages that never hold still."""

from dataclasses import dataclass, replace

from tests.sites.gold import TOP_FRAME, UNCHECKED, Expect, Frame, Tool, captured, one_of

Expects = Expect | tuple[Expect, ...]
"""A record, or several of which each is right."""


@dataclass(frozen=True, eq=False)
class AtLeast:
    """In an expectation: this number or more."""

    least: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and other >= self.least

    def __hash__(self) -> int:
        return hash(self.least)


def at_least(least: int) -> AtLeast:
    """This number or more."""
    return AtLeast(least)


NO_OLD_NAMES = one_of([], None)
"""No script names the old API; null where not every script could be read in time."""


def busy(*tools: Tool, frames: tuple[Frame, ...] | None = (TOP_FRAME,), **page: object) -> Expect:
    """A page that is read well, but keeps browser and crawler so busy that some waits reach their bound."""
    return captured(*tools, frames=frames, **{"settled": UNCHECKED, "old_api": NO_OLD_NAMES, **page})


def restless(*tools: Tool, frames: tuple[Frame, ...] | None = None, **page: object) -> tuple[Expect, ...]:
    """A page whose views may never agree: the tools are there, and nothing is said of their listing then."""
    common = {"settled": UNCHECKED, "old_api": NO_OLD_NAMES, **page}
    unknown = {"views_stable": False, "tools_listed": None, "tools_unlisted": None}
    unlisted = tuple(replace(tool, listing=None) for tool in tools)
    return (captured(*tools, frames=frames, **common), captured(*unlisted, frames=frames, **(common | unknown)))


def hung(*tools: str, **page: object) -> Expect:
    """A page whose renderer hangs: the browser view was read, the page view failed, so it is not measured."""
    return unread(*tools, frames=(Frame("top", "top", UNCHECKED, "timeout", "failed"),), **page)


def unread(*tools: str, frames: tuple[Frame, ...] | None = None, **page: object) -> Expect:
    """A page whose top document could not be asked: what the browser view has stands, the page is not measured."""
    return captured(
        *(Tool(name, listing=None) for name in tools),
        frames=frames,
        **{
            "api": UNCHECKED,
            "page_view": "failed",
            "settled": UNCHECKED,
            "views_stable": UNCHECKED,
            "old_api": UNCHECKED,
            "polyfill": UNCHECKED,
            "unmeasured": "page_view_failed",
            "tools_callable": None,
            "tools_listed": None,
            "tools_unlisted": None,
            **page,
        },
    )


def with_frame_count(expect: Expect, count: object) -> Expect:
    """The same record, with so many documents read."""
    return replace(expect, page={**expect.page, "frames": count})
