"""A small release with one page of each kind that a look-up can meet."""

from pathlib import Path

from census.finding import Finding, Severity
from census.findings import write_findings
from census.opened_release import Release, open_release
from census.optout import OptOut
from census.release import build_release
from census.run import Run
from census.target import Target
from census.visit import ScriptEvidence, Visit
from census.vocabulary import Outcome, Settled
from tests.census.factories import captured, child, control, failed, item, make_run, tool, top

SHOP = "https://shop.example.com/"
SHOP_CART = "https://shop.example.com/cart"
EMPTY = "https://empty.example.org/welcome"
DEAD = "https://dead.example.net/#/old"
DOWN = "http://down.example.io:8080/"
MOVED, MOVED_TO = "https://moved.example.com/", "https://new-home.example.org/start"
LOOKALIKE = "https://sh\u043ep.example.com/"
"""The third letter is Cyrillic: the host is `xn--shp-ted.example.com`."""
HOSTILE = "https://hostile.example.dev/<script>alert(1)</script>"
OPTED_OUT = "https://private.example.biz/secret"

SCRIPT = '<script>document.title="owned"</script>'
OVERRIDE = "safe\u202egnp.exe"
HUGE = "word " * 200_000

PROJECTS = {SHOP: "Corner Shop", EMPTY: "Nothing Yet", DEAD: "Old Tricks", HOSTILE: f"{SCRIPT}{OVERRIDE}"}


def visits() -> list[Visit]:
    """The visits of the small release."""
    shop_tools = [
        tool("add_to_cart", description="Adds a shoe to the cart."),
        tool("view_cart", description="Shows the cart.", input_schema=None),
        tool("pay", frame="top.0", description="Pays."),
    ]
    return [
        _of_project(
            captured(
                SHOP,
                documents=[top(item("add_to_cart"), item("view_cart"), url=SHOP), child(item("pay", "top.0"))],
                tools=shop_tools,
            )
        ),
        captured(SHOP_CART, tools=[tool("view_cart", description="Shows the cart.")]),
        _of_project(captured(EMPTY)),
        _of_project(
            captured(
                DEAD, settled=Settled.DEADLINE, script_evidence=ScriptEvidence(old_names=("navigator.modelContext",))
            )
        ),
        failed(DOWN, Outcome.CONNECT_ERROR, outcome_detail="refused <b>"),
        captured(MOVED, final_url=MOVED_TO, tools=[tool("hello", description="Says hello.")]),
        captured(LOOKALIKE, final_url="https://xn--shp-ted.example.com/"),
        _of_project(
            captured(
                HOSTILE,
                tools=[
                    tool("run", description=SCRIPT),
                    tool("long", description=HUGE, cut=True),
                    tool("turn", description=OVERRIDE, input_schema={"properties": {SCRIPT: {"type": SCRIPT}}}),
                ],
            )
        ),
        captured(OPTED_OUT, tools=[tool("whisper_secrets")]),
    ]


FINDINGS = {
    SHOP: [
        Finding(
            rule="descriptions/thin",
            severity=Severity.WARNING,
            tool=name,
            frame="top",
            message=f"The description of `{name}` is too thin to choose by.",
            remedy=f"Say when `{name}` is the right tool.",
        )
        for name in ("add_to_cart", "view_cart")
    ]
    + [
        Finding(
            rule="names/clash",
            severity=Severity.ERROR,
            tool="pay",
            frame="top.0",
            message="`pay` breaks.",
            remedy="Rename `pay`.",
        )
    ],
    DEAD: [
        Finding(rule="page/dead-api", severity=Severity.ERROR, message="Uses dead names.", remedy="Use the new ones.")
    ],
}


def small_release(folder: Path, optout: OptOut | None = None, **options: object) -> Release:
    """The release of these visits, built the real way; opted-out pages are taken out when `optout` says so."""
    folder.mkdir(parents=True, exist_ok=True)
    run = make_run(folder / "run", visits(), [control()])
    _write_findings(run)
    build_release([Run(run)], folder / "release", optout=optout or OptOut(), **options)  # type: ignore[arg-type]
    return open_release(folder / "release")


def _write_findings(run: Path) -> None:
    captured_pages = [each.visit_id for each in visits() if each.outcome is Outcome.CAPTURED]
    found = {f"visit of {url}": tuple(findings) for url, findings in FINDINGS.items()}
    rules = ("descriptions/thin", "names/clash", "page/dead-api")
    rows = [(visit_id, found.get(visit_id, ())) for visit_id in captured_pages]
    write_findings(Run(run), rows, code_version="0.1.0", rules_sha256="aa" * 32, rules=rules)


def _of_project(visit: Visit) -> Visit:
    url = visit.target.url
    return visit.model_copy(update={"target": Target(url=url, project=PROJECTS[url])})


def earlier_release(folder: Path) -> Release:
    """The month before: the shop had one tool, and nobody had opted out."""
    folder.mkdir(parents=True, exist_ok=True)
    before = [
        captured(SHOP, tools=[tool("add_to_cart")]),
        captured(EMPTY),
        captured(OPTED_OUT, tools=[tool("whisper_secrets")]),
    ]
    run = make_run(folder / "run", before, [control()])
    build_release([Run(run)], folder / "release", release_version="2026.10.0")
    return open_release(folder / "release")
