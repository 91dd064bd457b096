"""What a project's links are, and which of them is the demo. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from pydantic import ValidationError

from census.target import Target


class LinkKind(StrEnum):
    """What a link leads to."""

    DEMO = "demo"
    REPOSITORY = "repository"
    VIDEO = "video"
    STORE = "store"
    DOCUMENT = "document"
    SOCIAL = "social"
    PACKAGE = "package"
    NOT_HTTP = "not_http"


# A host, or a host with the start of a path. A host stands for its subdomains too; what those hosts publish
# for their users (github.io, notion.site) has other names.
_PLACES: dict[LinkKind, tuple[str, ...]] = {
    LinkKind.REPOSITORY: (
        *("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "sourceforge.net"),
        *("gitee.com", "dev.azure.com", "raw.githubusercontent.com", "huggingface.co/datasets"),
    ),
    LinkKind.VIDEO: (
        *("youtube.com", "youtu.be", "youtube-nocookie.com", "vimeo.com", "loom.com", "dailymotion.com"),
        *("tiktok.com", "twitch.tv", "streamable.com", "screencast.com", "vidyard.com", "youku.com"),
        *("bilibili.com", "wistia.com", "facebook.com/watch"),
    ),
    LinkKind.STORE: (
        *("apps.apple.com", "itunes.apple.com", "testflight.apple.com", "play.google.com/store"),
        *("chromewebstore.google.com", "chrome.google.com/webstore", "addons.mozilla.org"),
        *("microsoftedge.microsoft.com/addons", "apps.microsoft.com", "marketplace.visualstudio.com"),
        *("open-vsx.org", "f-droid.org"),
    ),
    LinkKind.DOCUMENT: (
        *("docs.google.com", "drive.google.com", "colab.research.google.com", "notion.so", "notion.site"),
        *("figma.com", "canva.com", "pitch.com", "gamma.app", "slideshare.net", "slides.com", "prezi.com"),
        *("miro.com", "dropbox.com", "onedrive.live.com", "1drv.ms", "sharepoint.com", "overleaf.com"),
        *("medium.com", "dev.to", "hashnode.com", "substack.com", "readthedocs.io", "arxiv.org"),
    ),
    LinkKind.SOCIAL: (
        *("twitter.com", "x.com", "linkedin.com", "facebook.com", "instagram.com", "threads.net", "bsky.app"),
        *("reddit.com", "discord.gg", "discord.com", "t.me", "linktr.ee", "devpost.com", "producthunt.com"),
    ),
    LinkKind.PACKAGE: ("hub.docker.com", "pkg.go.dev", "unpkg.com", "jsdelivr.net"),
}
_REGISTRIES = frozenset({"npmjs", "pypi", "crates", "rubygems", "packagist", "nuget", "jsr", "ghcr"})
"""Package registries by the label before the last of their host."""

_BY_SUFFIX = {
    **dict.fromkeys((".mp4", ".mov", ".webm", ".m4v"), LinkKind.VIDEO),
    **dict.fromkeys((".pdf", ".ppt", ".pptx", ".doc", ".docx", ".odp", ".md"), LinkKind.DOCUMENT),
    **dict.fromkeys((".apk", ".ipa", ".dmg", ".exe", ".msi", ".zip", ".crx", ".xpi"), LinkKind.STORE),
}

_SAYS_DEMO = re.compile(r"\b(?:demo|live|try)\b", re.IGNORECASE)
_SAYS_OTHERWISE = (
    (LinkKind.VIDEO, re.compile(r"\bvideo\b", re.IGNORECASE)),
    (LinkKind.REPOSITORY, re.compile(r"\b(?:source|source code|repo|repository|github)\b", re.IGNORECASE)),
    # "Docs and live demo" is a demo, "demo video" is none.
    (LinkKind.DEMO, _SAYS_DEMO),
    (LinkKind.DOCUMENT, re.compile(r"\b(?:slides?|slide deck|deck|docs|documentation)\b", re.IGNORECASE)),
)


@dataclass(frozen=True)
class Link:
    """A link of a project page."""

    url: str
    text: str = ""


@dataclass(frozen=True)
class Decision:
    """Which link is the demo: `demo`, or `candidates` when several might be, or neither and the `reason`.

    `reason` also says why a demo was chosen: `only_candidate`, `named_demo`, `shallowest`.
    """

    demo: str | None
    repository: str | None
    candidates: tuple[str, ...]
    reason: str


def classify_links(links: Iterable[Link]) -> Decision:
    """Decide which of a project's links is its demo.

    Links to known places (repositories, videos, stores, documents, social media, packages) are none, nor are
    those whose text calls them so. What remains, each target once, are candidates. One is the demo. Of
    several, the only one whose text says demo, live or try; otherwise, when all are on one site, the only
    shallowest one; otherwise none: the project is ambiguous. Without a candidate the reason is `no_link`,
    `only_KIND` (a video beside another kind is passed over: nearly every project has one), or `no_demo`.
    """
    kinds = [(link, link_kind(link)) for link in links]
    repository = next((link.url for link, kind in kinds if kind is LinkKind.REPOSITORY), None)
    named: set[str] = set()
    candidates: dict[str, str] = {}
    for link, kind in kinds:
        if kind is LinkKind.DEMO:
            key = Target(url=link.url).key
            candidates.setdefault(key, link.url)
            if _SAYS_DEMO.search(_label(link)):
                named.add(key)
    if not candidates:
        return Decision(None, repository, (), _why_none({kind for _, kind in kinds}))
    urls = tuple(candidates.values())
    if len(urls) == 1:
        return Decision(urls[0], repository, urls, "only_candidate")
    if len(named) == 1:
        return Decision(candidates[named.pop()], repository, urls, "named_demo")
    shallowest = _shallowest(urls)
    if shallowest:
        return Decision(shallowest, repository, urls, "shallowest")
    return Decision(None, repository, urls, "ambiguous")


def link_kind(link: Link) -> LinkKind:
    """Say what a link leads to, by its host and path, else by its text."""
    try:
        Target(url=link.url)
    except ValidationError:
        return LinkKind.NOT_HTTP
    parts = urlsplit(link.url)
    host = (parts.hostname or "").rstrip(".")
    for kind, places in _PLACES.items():
        if any(_is_at(host, parts.path, place) for place in places):
            return kind
    if _REGISTRIES.intersection(host.split(".")[-2:-1]):
        return LinkKind.PACKAGE
    suffix = re.search(r"\.\w+$", parts.path.lower())
    if suffix and suffix[0] in _BY_SUFFIX:
        return _BY_SUFFIX[suffix[0]]
    label = _label(link)
    return next((kind for kind, words in _SAYS_OTHERWISE if words.search(label)), LinkKind.DEMO)


def _is_at(host: str, path: str, place: str) -> bool:
    place_host, _, place_path = place.partition("/")
    if host != place_host and not host.endswith(f".{place_host}"):
        return False
    return not place_path or f"{path}/".startswith(f"/{place_path}/")


def _label(link: Link) -> str:
    """Return the text where it is words: galleries often print the host, and demo.x is no promise."""
    text = link.text.strip()
    return "" if text.lower().removesuffix("/") in link.url.lower() else text


def _shallowest(urls: tuple[str, ...]) -> str | None:
    if len({Target(url=url).site for url in urls}) > 1:
        return None
    first, second = sorted(urls, key=_depth)[:2]
    return first if _depth(first) < _depth(second) else None


def _depth(url: str) -> tuple[int, bool]:
    parts = urlsplit(url)
    return len([step for step in parts.path.split("/") if step]), bool(parts.query or parts.fragment)


def _why_none(kinds: set[LinkKind]) -> str:
    if not kinds:
        return "no_link"
    telling = kinds - {LinkKind.VIDEO} or kinds
    return f"only_{next(iter(telling))}" if len(telling) == 1 else "no_demo"
