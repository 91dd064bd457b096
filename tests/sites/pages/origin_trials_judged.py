"""Origin-trial tokens where they decide: a browser without the feature switch offers what a token is good for.

The tokens of `PAGES_WITH_OWN_KEY` are signed by a key of our own, for a browser that takes it for its vendor's; those
of `PAGES_OF_REAL_SITES` are real ones that their sites serve to everybody, at the addresses that they are made out for.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from tests.sites.gold import Expect, GoldPage, captured, document, javascript, registering, scripts
from tests.sites.pages.libraries import without_api
from tests.sites.pages.origin_trials import ADDED, meta
from tests.sites.server import Reply, Request, Route, Site
from tests.sites.tokens import PAST, altered, signed, token

_TOOL = registering("with_token")
_SCRIPT = '<script src="/trial.js"></script>'

_FACT = "measured: a token signed by an own key turns API, forms and DevTools domain on without the feature switch"
_REAL = (
    "measured: Debian's build holds the vendor's key; a public token is Expired or WrongOrigin, and Success in its time"
)
_CHECKS = "spec: a token holds for its origin and feature, until it expires, in a secure context"


def _good() -> Expect:
    return captured(*scripts("with_token"), origin_trial="Success")


def _bad(status: str | None, api: str = "none") -> Expect:
    return without_api(captured(origin_trial=status), api)


def _origin(request: Request) -> str:
    return f"http://{request.host}"


def _header(make: Callable[[str], str]) -> Route:
    """A page whose header carries the token that is made for its origin."""
    return lambda request: document("Trial", _TOOL, Origin_Trial=make(_origin(request)))


def _page(
    name: str, title: str, expect: Expect, routes: Mapping[str, Route], fact: str = _FACT, *, secure: bool = True
) -> GoldPage:
    return GoldPage(f"own-{name}", title, expect, fact, routes, secure=secure)


def _two_lines(request: Request) -> Reply:
    """Two header lines of one name, which differ in case alone."""
    origin = _origin(request)
    lines = {"Origin-Trial": signed(origin, "Unknown"), "origin-trial": signed(origin)}
    return Reply(document("Trial", _TOOL).body, headers=lines)


def _third_party(request: Request) -> Reply:
    """A script of another site, with a token for the site of the script."""
    return javascript(ADDED % signed(_origin(request), isThirdParty=True))


_LENDER = Site("own-trial-lender", {"/trial.js": _third_party})

PAGES_WITH_OWN_KEY = (
    _page("trial-in-header", "A good token in a header", _good(), {"/": _header(signed)}),
    _page(
        "trial-in-headers",
        "A good token in the second of two headers, behind one of an unknown feature",
        _good(),
        {"/": _two_lines},
    ),
    _page(
        "trials-in-one-header",
        "A good token in a header between one of another origin and one that ended",
        _good(),
        {
            "/": _header(
                lambda origin: ", ".join(
                    (signed("https://example.org"), signed(origin), signed(origin, expiry=PAST)),
                )
            )
        },
        "design: one token that holds is enough; " + _CHECKS,
    ),
    _page(
        "trial-in-meta",
        "A good token in a meta element",
        _good(),
        {"/": lambda request: document("Trial", _TOOL, meta(signed(_origin(request))))},
    ),
    _page(
        "trial-added-by-script",
        "A good token in a meta element that a script of the site adds",
        _good(),
        {
            "/": document("Trial", _SCRIPT),
            "/trial.js": lambda request: javascript(ADDED % signed(_origin(request))),
        },
    ),
    GoldPage(
        "own-trial-of-third-party",
        "A third party's token, in a meta element that its own external script adds",
        _good(),
        _FACT,
        {"/": document("Trial", '<script src="{{own-trial-lender}}/trial.js"></script>')},
        partners=(_LENDER,),
    ),
    _page(
        "trial-of-third-party-in-header",
        "A third party's token in a header: no script's origin can match it",
        _bad("WrongOrigin"),
        {"/": _header(lambda origin: signed(origin, isThirdParty=True))},
        "spec: a third party's token is matched with the origin of the script that brought it",
    ),
    GoldPage(
        "sub.own-trial-of-parent",
        "A token of the site above that covers its subdomains",
        _good(),
        _CHECKS,
        {"/": _header(lambda origin: signed(origin.replace("//sub.", "//"), isSubdomain=True))},
    ),
    GoldPage(
        "sub.own-trial-of-parent-alone",
        "A token of the site above that covers no subdomain",
        _bad("WrongOrigin"),
        _CHECKS,
        {"/": _header(lambda origin: signed(origin.replace("//sub.", "//")))},
    ),
    _page(
        "trial-expired",
        "A token that ended in 2023",
        _bad("Expired"),
        {"/": _header(lambda origin: signed(origin, expiry=PAST))},
        _CHECKS,
    ),
    _page(
        "trial-of-elsewhere",
        "A token of another site",
        _bad("WrongOrigin"),
        {"/": _header(lambda origin: signed("https://example.org"))},
        _CHECKS,
    ),
    _page(
        "trial-altered",
        "A token whose expiry somebody put off",
        _bad("InvalidSignature"),
        {"/": _header(lambda origin: altered(signed(origin)))},
        _CHECKS,
    ),
    _page(
        "trial-of-nobody",
        "A token that nobody signed",
        _bad("InvalidSignature"),
        {"/": _header(token)},
        _CHECKS,
    ),
    _page(
        "trial-unknown",
        "A good token for the name of the testing switch, which is no trial",
        _bad("UnknownTrial"),
        {"/": _header(lambda origin: signed(origin, "WebMCPTesting"))},
        "measured: the feature's name is WebMCP; WebMCPTesting is UnknownTrial",
    ),
    _page(
        "trial-insecure",
        "A good token on a page that is no secure context",
        _bad("Insecure", "insecure"),
        {"/": _header(signed)},
        _CHECKS,
        secure=False,
    ),
)

# The tokens as their sites serve them, in the order of the pages below.
_VALID_UNTIL = datetime(2027, 3, 30, tzinfo=UTC)
_VALID = (
    "Aoli/NP+jLXNHZmJ8xj9i380pa5p+2yIjudfx+OYNHwTCVJfspa5c7AlC5pQf22gPLFnXshCecgFgfow3TAiKw8AAABVeyJvcmlnaW4iOiJodHRwczovL3"
    "d3dy5ib25hbnphLXJhbmNoLmNvbTo0NDMiLCJmZWF0dXJlIjoiV2ViTUNQIiwiZXhwaXJ5IjoxODA2MzY0ODAwfQ=="
)
_ENDED = (
    "AjNME/wcGH0gN0bKPlUW/RnNBsnvgDJqUAJBSXr/NmNtgDFPw2YA2JMAr4bemG54zRprx27PTtKf7HWYxD79Ag4AAABNeyJvcmlnaW4iOiJodHRwczovL3"
    "B1YmxpY2RhdGEuYXU6NDQzIiwiZmVhdHVyZSI6IldlYk1DUCIsImV4cGlyeSI6MTc5NDg3MzYwMH0="
)
_ENDED_THIRD_PARTY = (
    "A/Pfugc8OkTEsFaOfkzLZN8El+Gcl36zWbagzuZC5l4IhJBRpmUbOVN+Y0YopvBkRbyPO5i5v9wK04qq6q1P2g8AAABjeyJvcmlnaW4iOiJodHRwczovL3"
    "d3dy50b29scmFyLmNvbTo0NDMiLCJmZWF0dXJlIjoiV2ViTUNQIiwiZXhwaXJ5IjoxNzk0ODczNjAwLCJpc1RoaXJkUGFydHkiOnRydWV9"
)
_OF_ANOTHER_VENDOR = (
    "A0e2lG+XKqhdeqtHOL7IqB0ohyilsql6Id8blCwWJH5ptWLTQTqt5Dy75GQrQemRMYjUUbv0zt0G44WDSRUns9EAAABKeyJvcmlnaW4iOiJodHRwczovL3"
    "NjdmQuc3RvcmU6NDQzIiwiZmVhdHVyZSI6IldlYk1DUCIsImV4cGlyeSI6MTc5MjA2OTkwN30="
)


def _at(name: str, title: str, expect: Expect, host: str, routes: Mapping[str, Route], fact: str = _REAL) -> GoldPage:
    return GoldPage(name, title, expect, fact, url=f"https://{host}/", partners=(Site(host, routes),))


def real_trial(now: datetime) -> Expect:
    """What the token that ends on `_VALID_UNTIL` is good for on a day."""
    return _good() if now < _VALID_UNTIL else _bad("Expired")


def _elsewhere(name: str, title: str, text: str, status: str) -> GoldPage:
    return GoldPage(
        name,
        title,
        captured(*scripts("with_token"), origin_trial=status),
        _REAL,
        {"/": document("Trial", _TOOL, meta(text))},
    )


PAGES_OF_REAL_SITES = (
    _at(
        "real-trial",
        "A real token of the prolonged trial, at its own address: good until March 2027",
        real_trial(datetime.now(UTC)),
        "www.bonanza-ranch.com",
        {"/": document("Trial", _TOOL, meta(_VALID))},
    ),
    _at(
        "real-trial-ended",
        "Real tokens of two vendors in one header, at the address of the one that ended in November 2026",
        _bad("Expired,InvalidSignature"),
        "publicdata.au",
        {"/": document("Trial", _TOOL, Origin_Trial=f"{_ENDED}, {_OF_ANOTHER_VENDOR}")},
    ),
    _at(
        "real-trial-of-third-party",
        "A real third party's token from its own external script, ended in November 2026",
        _bad("Expired"),
        "www.toolrar.com",
        {"/": document("Trial", _SCRIPT), "/trial.js": javascript(ADDED % _ENDED_THIRD_PARTY)},
    ),
    _at(
        "real-trial-of-another-vendor",
        "A real token of another vendor's trial at its own address: its key is another one",
        _bad("InvalidSignature"),
        "scvd.store",
        {"/": document("Trial", _TOOL, meta(_OF_ANOTHER_VENDOR))},
    ),
)
"""For a browser without the feature switch."""

PAGES_ELSEWHERE = (
    _elsewhere("real-trial-elsewhere", "A real token that is good, on another site", _VALID, "WrongOrigin"),
    _elsewhere("real-trial-ended-elsewhere", "A real token that ended, on another site", _ENDED, "WrongOrigin"),
    _elsewhere(
        "real-trial-of-third-party-elsewhere",
        "A real third party's token without its script",
        _ENDED_THIRD_PARTY,
        "WrongOrigin",
    ),
    _elsewhere(
        "real-trial-of-another-vendor-elsewhere",
        "A real token of another vendor's trial on another site",
        _OF_ANOTHER_VENDOR,
        "InvalidSignature",
    ),
)
"""With the feature forced on, where a token changes nothing but the record."""
