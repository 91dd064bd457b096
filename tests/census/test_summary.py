import pytest

from census.number import Count, Estimate
from census.numbers import NUMBERS
from census.summary import Summary, summarise
from census.tables import build_tables
from census.target import Target
from census.visit import OriginTrial, ScriptEvidence, Visit
from census.vocabulary import BrowserView, Kind, Outcome, PageView, Pass, Screen, Settled
from tests.census.factories import captured, child, control, failed, item, tool, top

OLD = ScriptEvidence(old_names=("navigator.modelContext",))

# Twelve targets: eight measured, five of these with tools.
VISITS: list[Visit] = [
    captured("https://one.example/", tools=[tool("search")]),
    captured("https://two.example/", tools=[tool("search"), tool("pay", kind=Kind.FORM)]),
    captured("https://six.example/", tools=[tool(f"tool_{i}") for i in range(6)], script_evidence=OLD),
    captured(
        "https://frames.example/",
        documents=[top(on_request=(item("b", "top.0"),)), child(item("a", "top.0"), item("b", "top.0"))],
        tools=[tool("a", "top.0"), tool("b", "top.0")],
        origin_trials=(OriginTrial(feature="WebMCP", status="Expired"),),
    ),
    captured("https://restless.example/", tools=[tool("search")], views_stable=False, settled=Settled.DEADLINE),
    captured("https://plain.example/"),
    captured("https://dead.example/", script_evidence=OLD, login_suspected=True),
    captured("https://blocked.example/", documents=[top(page_view=PageView.FAILED, error="NotAllowedError")]),
    captured("https://hung.example/", documents=[top(page_view=PageView.FAILED, error="timeout")]),
    captured("https://unseen.example/", documents=[top(item("search"))], browser_view=BrowserView.UNAVAILABLE),
    failed("https://gone.example/", Outcome.DNS_ERROR),
    failed("https://error.example/", Outcome.HTTP_ERROR, http_status=500),
]
OBSERVATIONS: list[Visit] = [
    captured("https://dead.example/", tools=[tool("find"), tool("pay")], pass_=Pass.LEGACY),
    captured("https://six.example/", tools=[tool(f"tool_{i}") for i in range(6)], pass_=Pass.LEGACY),
    # Its main visit was not measured, so there is nothing to compare with.
    captured("https://hung.example/", tools=[tool("find")], pass_=Pass.LEGACY),
    captured("https://one.example/", tools=[tool("search")], pass_=Pass.AUDIT),
    captured("https://two.example/", tools=[tool("search")], pass_=Pass.AUDIT),
]
VOUCHED = {"visit of https://one.example/", "visit of https://two.example/", "visit of https://gone.example/"}
UNMEASURED = {"browser_view_unavailable": 1, "dns_error": 1, "http_error": 1, "page_view_failed": 1}


@pytest.fixture(scope="module")
def summary() -> Summary:
    controls = [control(), control(), control(good=False), control(good=False, read=False)]
    return summarise(build_tables(VISITS, controls, OBSERVATIONS, VOUCHED))


@pytest.mark.parametrize(
    ("id_", "k", "n", "leaves_out"),
    [
        ("captured", 10, 12, {}),
        ("measured", 8, 12, {}),
        ("adoption", 5, 8, UNMEASURED),
        ("adoption_reached", 5, 11, {"dns_error": 1}),
        ("adoption_unhindered", 5, 7, UNMEASURED | {"login": 1}),
        ("unlisted_on_request", 1, 4, UNMEASURED | {"listing_not_decided": 1, "no_tools": 3}),
        ("unlisted_own_document", 1, 4, UNMEASURED | {"listing_not_decided": 1, "no_tools": 3}),
        ("unlisted_nowhere", 0, 4, UNMEASURED | {"listing_not_decided": 1, "no_tools": 3}),
        ("forms", 1, 5, UNMEASURED | {"no_tools": 3}),
        ("dead_api", 1, 8, UNMEASURED),
        ("polyfills", 0, 8, UNMEASURED),
        ("settled_at_deadline", 1, 8, UNMEASURED),
        ("views_never_stable", 1, 8, UNMEASURED),
        ("challenges", 0, 8, UNMEASURED),
        ("logins", 1, 8, UNMEASURED),
        ("legacy_more_tools", 1, 2, {"other_pass": 2, "main_not_measured": 1}),
        ("audit_differs", 1, 2, {"other_pass": 2, "main_not_measured": 1}),
        ("controls", 2, 3, {"timeout: visit_deadline": 1}),
        ("vouched", 2, 10, {"dns_error": 1, "http_error": 1}),
    ],
)
def test_rates(summary: Summary, id_: str, k: int, n: int, leaves_out: dict[str, int]) -> None:
    rate = summary.rate(id_)
    assert (rate.k, rate.n, rate.leaves_out) == (k, n, leaves_out)
    assert rate.rate == pytest.approx(k / n, abs=1e-6)
    assert rate.low <= k / n <= rate.high


@pytest.mark.parametrize(
    ("id_", "value"),
    [("targets", 12), ("sites", 12), ("tools", 12), ("tools_median", 2), ("tools_max", 6)],
)
def test_values(summary: Summary, id_: str, value: float) -> None:
    assert summary.value(id_).value == value


@pytest.mark.parametrize(
    ("id_", "parts"),
    [
        ("outcomes", {"captured": 10, "dns_error": 1, "http_error": 1}),
        ("tools_per_page", {"1": 2, "2": 2, "6-10": 1}),
        ("listing", {"listed": 9, "on_request": 1, "own_document": 1}),
        # `b` is exposed to the host, `a` to nobody.
        ("unlisted_causes", {"needs_from_origins": 1, "not_exposed_to_host": 1}),
        ("frame_policies", {"cross_site, tools allowed": 1}),
        ("api", {"native": 7, "blocked": 1}),
        ("origin_trial", {"no token": 7, "Expired": 1}),
        ("builds", {"156.0.8078.114": 12}),
    ],
)
def test_tallies(summary: Summary, id_: str, parts: dict[str, int]) -> None:
    tally = summary.parts(id_)
    assert {part.part: part.k for part in tally.parts} == parts
    assert sum(parts.values()) == tally.n


def test_a_tool_name_is_counted_by_pages(summary: Summary) -> None:
    names = summary.parts("tool_names")
    assert (names.parts[0].part, names.parts[0].k, names.n) == ("search", 3, 5)


def test_the_adoption_interval_is_wilsons(summary: Summary) -> None:
    adoption = summary.rate("adoption")
    assert (adoption.low, adoption.high) == pytest.approx((0.3057, 0.8632), abs=5e-5)


def test_every_rate_and_its_denominator_cover_its_table(summary: Summary) -> None:
    for number in NUMBERS:
        other_tables = {
            "tools",
            "listing",
            "unlisted_causes",
            "frame_policies",
            "tool_names",
            "controls",
            "legacy_more_tools",
            "audit_differs",
            "inner_with_tools",
        }
        if number.id in other_tables or isinstance(number, Count | Estimate):
            continue
        published = next(found for found in summary.numbers if found.id == number.id)
        assert published.n + sum(published.leaves_out.values()) == len(VISITS), number.id


def test_of_nothing_there_is_no_rate() -> None:
    empty = summarise(build_tables([], []))
    adoption = empty.rate("adoption")
    assert (adoption.k, adoption.n, adoption.rate, adoption.low, adoption.high) == (0, 0, None, 0, 1)
    assert empty.value("tools").value == 0
    assert empty.value("tools_median").value is None


def test_ids_are_unique() -> None:
    ids = [number.id for number in NUMBERS]
    assert len(ids) == len(set(ids))


def test_an_unknown_id_is_an_error(summary: Summary) -> None:
    with pytest.raises(KeyError):
        summary.rate("targets")


def screened(name: str, word: Screen, tools: int) -> Visit:
    url = f"https://{name}.example/"
    found = [tool(f"tool_{n}") for n in range(tools)]
    return captured(url, target=Target(url=url, screen=word), tools=found)


def test_a_screened_list_is_estimated_and_its_pages_are_in_no_rate_of_pages() -> None:
    """Three sent, two of them with 2 and 4 tools; ten without a sign, four of them visited, one with 3 tools."""
    left = (f"https://left{n}.example/" for n in range(6))
    visits = [
        screened("a", Screen.EVIDENCE, 2),
        screened("b", Screen.UNREAD, 4),
        screened("c", Screen.EVIDENCE, 0),
        screened("d", Screen.NONE_SAMPLED, 3),
        *(screened(f"e{n}", Screen.NONE_SAMPLED, 0) for n in range(3)),
        *(
            failed(url, Outcome.SCREENED_OUT, target=Target(url=url, screen=Screen.NONE_NOT_VISITED), browser=None)
            for url in left
        ),
    ]
    summary = summarise(build_tables([*VISITS, *visits], []))
    missed = summary.estimate("screen_missed")
    assert (missed.found, missed.stratum, missed.sample, missed.sample_found, missed.total) == (2, 10, 4, 1, 13)
    assert missed.value == 2.5  # 10 / 4
    assert summary.estimate("screen_missed_tools").value == 7.5  # pages with tools have 3 on average
    assert summary.estimate("screen_recall").value == pytest.approx(2 / 4.5, abs=1e-6)
    assert summary.estimate("screened_share").value == pytest.approx(4.5 / 13, abs=1e-6)
    alone = summarise(build_tables(VISITS, []))
    for rate in ("adoption", "adoption_unhindered", "adoption_reached", "dead_api", "polyfills"):
        both = summary.rate(rate)
        assert (both.k, both.n) == (alone.rate(rate).k, alone.rate(rate).n), rate
    assert summary.rate("adoption").leaves_out["screened"] == 7
    assert summary.rate("adoption").leaves_out["screened_out"] == 6
    assert alone.estimate("screened_share").value is None


def test_inner_pages_are_in_their_own_numbers_alone() -> None:
    def inner(name: str, *tools: str) -> Visit:
        url = f"https://one.example/{name}"
        target = Target(url=url, found_on="https://one.example")
        return captured(url, target=target, pass_=Pass.INNER, tools=[tool(each) for each in tools])

    observations = [inner("cart", "search", "pay"), inner("checkout", "pay"), inner("about")]
    summary, alone = (summarise(build_tables(VISITS, [], some)) for some in (observations, ()))
    rate = summary.rate("inner_with_tools")
    assert (rate.k, rate.n) == (2, 3)
    assert summary.value("inner_tools").value == 1  # `pay`; `search` is on the page that was given
    own = {"inner_with_tools", "inner_tools", "legacy_more_tools", "audit_differs"}
    for before, after in zip(alone.numbers, summary.numbers, strict=True):
        assert before.id in own or before == after
