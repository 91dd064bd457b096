"""Reports written by hand: an ordinary one, and one whose words try to get out of every format."""

from census.finding import Finding, Severity
from measure.outputs.report import Report, Result, RuleText, Subject

THIN = RuleText("descriptions/thin", Severity.WARNING, "A model cannot tell when to call it.", "Say when to use it.")
PAIR = RuleText("descriptions/pair", Severity.ERROR, "A model takes one for the other.", "Say how they differ.")
BLOCKED = RuleText("page/blocked", Severity.ERROR, "No tool can be registered.", "Drop the header.")
RULES = (THIN, PAIR, BLOCKED)


def finding(rule: RuleText, tool: str | None, pointer: str = "", **fields: str) -> Finding:
    values = {"message": f"{tool or 'the page'} has it.", "remedy": rule.help, "pointer": pointer}
    return Finding.model_validate({"rule": rule.id, "severity": rule.severity, "tool": tool, **values, **fields})


SHOP = Subject(
    "shop/tools.json",
    file="shop/tools.json",
    tools=("search", "find", "pay"),
    results=(
        Result(finding(PAIR, "search", "/0/description"), line=3),
        Result(finding(THIN, "find", "/1/description"), line=9),
        Result(finding(THIN, "pay", "/2/description"), line=15, accepted="the bank wrote it"),
    ),
)
PAGE = Subject(
    "https://shop.example/",
    tools=("search",),
    results=(
        Result(finding(BLOCKED, None)),
        Result(finding(THIN, "search", "/0", frame="top.0")),
    ),
)
SILENT = Subject("https://empty.example/", unanswered="no tools: register one")

NASTY = (
    "%0A::error::\r\n::stop-commands::x ##[group] ]]><script>&\x00\x1b[31m[a](http://evil)|`\ud800\u202e,:\U000e0041"
)
HOSTILE = Subject(
    f"https://evil.example/?q={NASTY}",
    tools=(NASTY,),
    results=(
        Result(Finding(rule=THIN.id, severity=Severity.WARNING, tool="t", message="m", remedy="r"), accepted="r"),
        Result(
            Finding.model_construct(
                rule=THIN.id, severity=Severity.ERROR, tool=NASTY, frame="top", pointer=f"/0/{NASTY}",
                message=NASTY, remedy=NASTY,
            ),
        ),
    ),
)  # fmt: skip


def report(*subjects: Subject, **fields: object) -> Report:
    return Report("lint", subjects, RULES, **fields)  # type: ignore[arg-type]
