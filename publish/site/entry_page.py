"""What the template of an entry is given: bounded lists, and each string already a sentence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup

from census.finding import Severity
from census.signature import signature
from census.text import inert
from census.vocabulary import Listing, ToolsPolicy
from publish.lookup.entry import Entry, EntryFrame, EntryTool, Standing
from publish.lookup.finding_groups import finding_groups
from publish.lookup.sayings import (
    counted,
    details,
    headline,
    listing_says,
    measure_yourself,
    shown_url,
    standing_says,
    why_unlisted,
)
from publish.site.prose import shown

_MOST_TOOLS, _MOST_GROUPS, _MOST_FRAMES = 24, 14, 24
"""So that an entry stays small whatever the page is like; the JSON of the entry has more."""
_WIDTH = 300


class _Tool(NamedTuple):
    call: str
    description: str | None
    views: str
    tone: str
    kind: str | None
    frame: str
    cut: bool
    why: str | None


class _Place(NamedTuple):
    says: str
    start: int
    width: int


def entry_page(id_: str, entry: Entry) -> dict[str, object]:
    """The variables of `entry.html`, from the whole entry: what is counted is counted over all of it."""
    page = entry.page
    groups = finding_groups(entry.findings)
    led_to = page.final_url if page.final_url and page.final_url != page.target_url else None
    return {
        "id": id_,
        "entry": entry,
        "plain_url": inert(shown_url(page.target_url)),
        "href": page.target_url if urlsplit(page.target_url).scheme in ("http", "https") else "",
        "led_to": shown_url(led_to) if led_to else None,
        "headline": headline(entry),
        "details": list(details(entry)),
        "tone": _tone(entry),
        "groups": groups[:_MOST_GROUPS],
        "more_groups": max(0, len(groups) - _MOST_GROUPS),
        "tools": [_tool(tool) for tool in entry.tools[:_MOST_TOOLS]],
        "more_tools": max(0, len(entry.tools) - _MOST_TOOLS),
        "frames": _frames(entry.frames, entry.tools),
        "more_frames": max(0, len(entry.frames) - _MOST_FRAMES),
        "standing": [_place(each) for each in entry.standing],
        "command": measure_yourself(page.target_url),
    }


def _tone(entry: Entry) -> str:
    """The colour of the verdict; the words say the same."""
    if entry.page.tools_callable is None:
        return ""
    if Severity.ERROR in entry.problems:
        return "bad"
    return "warn" if Severity.WARNING in entry.problems or not entry.page.tools_callable else "good"


def _tool(tool: EntryTool) -> _Tool:
    listed = tool.callable and tool.listing is Listing.LISTED
    return _Tool(
        signature(tool.name, tool.input_schema),
        tool.description,
        listing_says(tool),
        "good" if listed else "warn",
        tool.kind and ("script" if tool.kind == "script" else "form"),
        tool.frame,
        bool(tool.cut),
        why_unlisted(tool),
    )


def _place(standing: Standing) -> _Place:
    start = round(_WIDTH * standing.less / standing.n)
    return _Place(standing_says(standing), min(start, _WIDTH - 4), max(4, round(_WIDTH * standing.same / standing.n)))


def _frames(frames: Sequence[EntryFrame], tools: Sequence[EntryTool]) -> Markup:
    """Documents as boxes in boxes: a frame is drawn inside the document that holds it."""
    shown_frames = frames[:_MOST_FRAMES]
    below: dict[str | None, list[EntryFrame]] = defaultdict(list)
    for frame in shown_frames:
        below[frame.parent].append(frame)
    counts: dict[str, int] = defaultdict(int)
    for tool in tools:
        counts[tool.frame] += 1
    return Markup("").join(_box(frame, below, counts) for frame in below[None])


def _box(frame: EntryFrame, below: Mapping[str | None, Sequence[EntryFrame]], counts: Mapping[str, int]) -> Markup:
    blocked = frame.tools_policy is ToolsPolicy.BLOCKED
    says = [
        "tools forbidden" if blocked else "tools allowed" if frame.tools_policy else "policy not known",
        counted(counts[frame.frame], "tool"),
    ]
    if frame.relation:
        says.insert(0, "the page itself" if frame.parent is None else frame.relation.replace("_", " ") + " frame")
    if frame.allow:
        says.append(f"allow: {frame.allow}")
    if frame.sandbox is not None:
        says.append(f"sandbox: {frame.sandbox or 'all'}")
    if frame.error:
        says.append(f"getTools() failed: {frame.error}")
    inner = Markup("").join(_box(each, below, counts) for each in below[frame.frame])
    return Markup('<div class="box{}"><p><code>{}</code> <span class="dim">{}</span></p>{}</div>').format(
        " blocked" if blocked else "",
        shown(shown_url(frame.url, 120), 120),
        shown(" · ".join(says), 300),
        inner,
    )
