"""Origin-trial tokens in each of their carriers. With the feature forced on they change nothing but the record."""

from tests.sites.gold import GoldPage, captured, document, javascript, one_of, registering, scripts
from tests.sites.server import Reply
from tests.sites.tokens import token


def meta(content: str) -> str:
    """A meta element with a token."""
    return f'<meta http-equiv="origin-trial" content="{content}">'


ADDED = """
const meta = document.createElement("meta");
meta.httpEquiv = "origin-trial";
meta.content = "%s";
document.head.append(meta);
document.modelContext.registerTool({ name: "with_token", description: "On trial.", execute: () => "" });
"""

_FACT = "measured: with the feature forced on, a token changes nothing; one that nobody signed is InvalidSignature"


def _page(name: str, title: str, reply: Reply, status: object = "InvalidSignature", **routes: Reply) -> GoldPage:
    return GoldPage(
        name,
        title,
        captured(*scripts("with_token"), origin_trial=status),
        _FACT,
        {"/": reply, **{f"/{path}.js": route for path, route in routes.items()}},
    )


_TOOL = registering("with_token")

PAGES = (
    _page("trial-in-header", "A token in a header", document("Trial", _TOOL, Origin_Trial=token())),
    _page(
        "trial-tokens-in-header",
        "Tokens of several features in one header",
        document(
            "Trial", _TOOL, Origin_Trial=f"{token(feature='Other')}, {token()}, {token('https://example.com:443')}"
        ),
    ),
    _page("trial-in-meta", "A token in a meta element", document("Trial", _TOOL, meta(token()))),
    _page(
        "trial-added-by-script",
        "A token in a meta element that an external script adds",
        document("Trial", '<script src="/trial.js"></script>'),
        trial=javascript(ADDED % token()),
    ),
    _page(
        "trial-of-another-feature",
        "A token of another feature only",
        document("Trial", _TOOL, meta(token(feature="FencedFrames"))),
        None,
    ),
    _page(
        "trial-malformed",
        "Tokens that are no tokens: no base64, cut short, of another version",
        document("Trial", _TOOL, meta("no token!") + meta(token()[:60]) + meta(token(version=9))),
        one_of(None, "Malformed", "WrongVersion", "Malformed,WrongVersion"),
    ),
)
