"""What an entry comes to, in sentences that the terminal, the scorecard and the site share."""

import shlex
from collections.abc import Iterator
from ipaddress import ip_address

from census.site import ascii_host
from census.text import percent
from census.vocabulary import Listing, Outcome
from publish.lookup.entry import Entry, EntryTool, Standing
from publish.lookup.question import Address, address_of

NOT_IN_CENSUS = (
    "It was on none of the target lists that this release was made from.",
    "Another address of the page was: try the host alone, or the address that it redirects to.",
    "Whoever runs the site asked to be left out. Such sites appear nowhere.",
)
"""Why a page can be missing."""

GET_IN = (
    "Put it on a target list and crawl that (`webmcp-census crawl`), or have it added to a list that the next census"
    " reads. To see at once what a census would say of it, measure it yourself."
)


def headline(entry: Entry) -> str:
    """The one sentence that matters."""
    page = entry.page
    if page.outcome is not Outcome.CAPTURED:
        return f"The page was not read: {lower_first(page.outcome.meaning)}"
    if page.unmeasured is not None:
        return "The page was captured, but what an agent can call could not be measured."
    if not page.tools_callable:
        return "An agent is offered no tool on this page."
    return f"An agent is offered {counted(page.tools_callable, 'tool')} on this page."


def details(entry: Entry) -> Iterator[str]:
    """What else has to be said of it, a sentence each."""
    page = entry.page
    if page.outcome is not Outcome.CAPTURED and page.outcome_detail:
        yield f"Detail: {page.outcome_detail}"
    if page.outcome is Outcome.CAPTURED and page.unmeasured is not None:
        errors = [error for error in (page.page_view_error, page.browser_view_error) if error]
        yield f"Not measured: {', '.join([page.unmeasured.replace('_', ' '), *errors])}."
    if entry.problems:
        yield f"Lint found {', '.join(counted(number, word.value) for word, number in entry.problems.items())}."
    if page.tools_unlisted and page.tools_callable:
        yield (
            f"{page.tools_unlisted:,} of {counted(page.tools_callable, 'tool')}"
            f" {'is' if page.tools_unlisted == 1 else 'are'} not in the list that the page's own `getTools()` gives:"
            " the browser offers what the page may not know of. Each tool below says why."
        )
    if page.tools_callable and page.old_api:
        yield f"Its scripts also use names of the API that are gone ({', '.join(page.old_api)}): they register nothing."
    for reason in entry.why:
        yield reason.meaning
    if page.tools_callable and page.origin_trial != "Success":
        status = page.origin_trial or "no token"
        yield (
            f"Origin trial: {status}. The census has WebMCP switched on; a stock browser offers the page's tools only"
            " with a token whose status is `Success`, or once the feature has shipped."
        )


def left_out_says(entry: Entry) -> str | None:
    """What of the record is not in this entry; None when it is whole."""
    if not entry.left_out:
        return None
    return f"Left out here: {', '.join(f'{number:,} {what}' for what, number in sorted(entry.left_out.items()))}."


def listing_says(tool: EntryTool) -> str:
    """Both views of a tool in a few words."""
    if tool.callable is False:
        return "not offered to an agent"
    if tool.callable is None:
        return "not known whether an agent is offered it"
    if tool.listing is Listing.LISTED:
        return "offered to an agent, and in the page's own list"
    if tool.listing is None:
        return "offered to an agent; its listing is not decided"
    return "offered to an agent, but not in the page's own list"


def why_unlisted(tool: EntryTool) -> str | None:
    """Why a tool is unlisted, or why that is not decided; None for a listed one."""
    return tool.listing_cause.meaning if tool.listing_cause is not None else None


def standing_says(standing: Standing) -> str:
    """A comparison in a sentence, with its n."""
    more = standing.n - standing.same - standing.less
    things = "callable tools" if standing.of == "tools" else "errors and warnings"
    if standing.n == 1:
        return f"{standing.value:,} {things}; no other page with tools to compare with (n = 1)."
    fewer = f"{standing.less:,} of {standing.n:,} pages with tools ({percent(standing.less / standing.n)})"
    return f"{standing.value:,} {things}: {fewer} {_has(standing.less)} fewer, {more:,} {_has(more)} more."


def _has(number: int) -> str:
    return "has" if number == 1 else "have"


def measure_yourself(url: str) -> str:
    """The command that measures the page now."""
    allowed = " --allow-private" if _is_private(address_of(url)) else ""
    return f"webmcp-census check {shlex.quote(url)}{allowed}"


def _is_private(address: Address | None) -> bool:
    """Whether `check` refuses the address unless it is told to reach it."""
    if address is None:
        return False
    if address.host == "localhost" or address.host.endswith(".localhost"):
        return True
    try:
        return not ip_address(address.host).is_global
    except ValueError:
        return False


def shown_url(url: str, limit: int = 200) -> str:
    """A URL for people: the host as it is asked for, so that look-alike letters show as `xn--…`."""
    scheme, separator, rest = url.partition("://")
    end = min((at for mark in "/?#" if (at := rest.find(mark)) >= 0), default=len(rest))
    user, at_sign, host = rest[:end].rpartition("@")
    shown = f"{scheme}{separator}{user}{at_sign}{ascii_host(host)}{rest[end:]}" if separator else url
    return shown if len(shown) <= limit else shown[:limit] + "…"


def counted(number: int, thing: str) -> str:
    """`1 tool`, `3 tools`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def lower_first(sentence: str) -> str:
    """The sentence as a part of another one."""
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]
