"""Why a page has no tool for an agent, or none that could be seen."""

from collections.abc import Mapping

from census.vocabulary import Api, Outcome, Settled, Word


class NoTools(Word):
    """A reason that the record gives; with what to do about it."""

    INSECURE = (
        "insecure",
        "The page is not in a secure context, so the browser gives it no `document.modelContext`. Serve it over https.",
    )
    BLOCKED = (
        "blocked",
        "Every call is rejected: `Permissions-Policy: tools=()` or `Origin-Agent-Cluster: ?0` forbids tools.",
    )
    OLD_API = (
        "old_api",
        "Its scripts use names of the API that are gone and register nothing; `document.modelContext` is the one now.",
    )
    POLYFILL = (
        "polyfill",
        "It brings an object of its own in place of the native one; what only that has, an agent is not offered.",
    )
    LOGIN = "login", "It looked like a login. The census does not log in: what stands behind it was not seen."
    CHALLENGE = (
        "challenge",
        "It looked like a bot challenge. The census does not solve any: the page itself was not seen.",
    )
    NEVER_SETTLED = (
        "never_settled",
        "It never held still and was read at the deadline; tools that came later were not seen.",
    )
    NOT_MEASURED = (
        "not_measured",
        "The page was captured, but one of the two views could not be read. That is not the same as no tools.",
    )
    NOTHING_REGISTERED = (
        "nothing_registered",
        "It registered no tool within one visit, without a click, a scroll or a login.",
    )


def why_no_tools(page: Mapping[str, object]) -> tuple[NoTools, ...]:
    """The reasons for a row of `pages`, the likeliest first.

    None for a page that has tools, and for one that was not captured: its outcome says why.
    """
    if page["outcome"] != Outcome.CAPTURED or page["tools_callable"]:
        return ()
    reasons = [
        (page["unmeasured"] is not None, NoTools.NOT_MEASURED),
        (page["api"] == Api.INSECURE, NoTools.INSECURE),
        (page["api"] == Api.BLOCKED, NoTools.BLOCKED),
        (bool(page["old_api"]), NoTools.OLD_API),
        (page["polyfill"] is not None, NoTools.POLYFILL),
        (bool(page["challenge_suspected"]), NoTools.CHALLENGE),
        (bool(page["login_suspected"]), NoTools.LOGIN),
        (page["settled"] == Settled.DEADLINE, NoTools.NEVER_SETTLED),
    ]
    return tuple(reason for holds, reason in reasons if holds) or (NoTools.NOTHING_REGISTERED,)
